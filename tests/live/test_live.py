"""Tests of the live checks: each is shown something wrong, and has to say so.

Usage: target/live/python/bin/python tests/live/test_live.py (after tests/live/run --install-only)
"""
import json
import os
import sys
import unittest
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import proof  # noqa: E402
import tree  # noqa: E402

SCHEMA = {"type": "object", "properties": {"count": {"type": "integer", "maximum": 5}}, "required": ["count"]}
SCHEMAS = {"t": SCHEMA}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def evidence_row(kind, arguments):
    return {"tool": "t", "case": {"label": "a", "class": kind, "arguments": arguments}}


def call(arguments, name="t", message_id=7):
    params = {"name": name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": message_id, "method": "tools/call", "params": params})


def answer(message_id=7, **more):
    return json.dumps({"jsonrpc": "2.0", "id": message_id, **(more or {"result": {"content": []}})})


def row(outcome="ok", accepted=False, arguments=None, **exchange):
    return {"name": "t", "case": "a", "outcome": outcome, "silentlyAccepted": accepted,
            "arguments": {} if arguments is None else arguments, "exchange": exchange}


class Cases(unittest.TestCase):
    def held(self, *rows):
        return proof.case_problems(rows, SCHEMAS)

    def test_a_case_keeps_its_word_or_is_told(self):
        good = [evidence_row("generated", {"count": 1}), evidence_row("malformed", {}), evidence_row("malformed", [])]
        self.assertEqual(self.held(*good), ([], 3))
        for kind, arguments in (("generated", {}), ("generated", {"count": 6}), ("malformed", {"count": 1})):
            self.assertEqual(len(self.held(evidence_row(kind, arguments))[0]), 1, (kind, arguments))

    def test_what_is_apart_is_not_judged(self):
        apart = [evidence_row(kind, {}) for kind in ("edge", "coercion", "extraKey", "example")]
        self.assertEqual(self.held(*apart), ([], 0))

    def test_a_tool_without_a_schema_takes_every_object(self):
        self.assertTrue(proof.takes(None, {}))
        self.assertFalse(proof.takes(None, "text"))

    def test_numbers_keep_all_digits(self):
        whole = {"type": "integer"}
        for text, fit in (("1e400", True), ("1.0", True), ("1.5", False), ("true", False), ("-0", True),
                          ("9223372036854775808", True), ('"1"', False)):
            self.assertEqual(proof.fits(whole, proof.read(text)), fit, text)
        self.assertFalse(proof.fits({"type": "number", "maximum": 10}, Decimal("1e400")))
        self.assertTrue(proof.fits({"multipleOf": 3}, proof.read("3e400")))
        self.assertFalse(proof.fits({"multipleOf": Decimal("0.1")}, proof.read("0.25")))
        self.assertTrue(proof.fits({"multipleOf": Decimal("0.1")}, proof.read("0.3")))

    def test_formats_count_where_the_dialect_asserts_them(self):
        schema = {"type": "string", "format": "ipv4"}
        self.assertTrue(proof.fits(schema, "no address"))
        self.assertFalse(proof.fits({"$schema": DRAFT_7, **schema}, "no address"))


class Accusations(unittest.TestCase):
    def accept(self, **exchange):
        return proof.accept_problems(row(accepted=True, **exchange), SCHEMAS)

    def test_a_silent_accept_that_is_one(self):
        self.assertEqual(self.accept(request=call({}), reply=answer()), [])

    def test_a_silent_accept_without_proof(self):
        good = {"request": call({}), "reply": answer()}
        for spoilt in (
            {}, {"request": call({})}, {"reply": answer()},
            {**good, "request": "{"},
            {**good, "request": call({}, name="other")},
            {**good, "request": call({"count": "other than the row"})},
            {**good, "reply": answer(message_id=8)},
            {**good, "reply": answer(error={"code": -32602, "message": "no"})},
            {**good, "reply": answer(result={"content": [], "isError": True})},
            {**good, "reply": "no JSON"},
            {**good, "reply": answer(), "replyBytes": 3},
            {**good, "reply": answer(error={"code": 1, "message": "x"})[:-5], "replyBytes": 5000},
        ):
            self.assertNotEqual(self.accept(**spoilt), [], spoilt)
        fitting = row(accepted=True, arguments={"count": 1}, request=call({"count": 1}), reply=answer())
        self.assertIn("fit the inputSchema", proof.accept_problems(fitting, SCHEMAS)[0])

    def test_a_reply_that_was_cut_shows_its_beginning(self):
        self.assertEqual(self.accept(request=call({}), reply=answer()[:-3], replyBytes=5000), [])

    def test_odd_arguments_are_compared_with_all_their_digits(self):
        request = call({"count": "N"}).replace('"N"', "1e400")
        odd = row(accepted=True, request=request, reply=answer())
        del odd["arguments"]
        odd["argumentsText"] = '{"count": 1e400}'
        self.assertEqual(proof.accept_problems(odd, SCHEMAS), [])
        odd["argumentsText"] = '{"count": 1e401}'
        self.assertNotEqual(proof.accept_problems(odd, SCHEMAS), [])

    def crash(self, is_stdio=True, **exchange):
        return proof.crash_problems(row("protocolCrash", **exchange), is_stdio)

    def test_a_crash_that_is_one(self):
        for exchange in ({"exit": {"code": 0}}, {"exit": {"signal": 11}}, {"exit": {"code": 1}, "reply": answer()},
                         {"reply": "Traceback"}, {"reply": answer(message_id=9)}, {"reply": '{"id": 7}'}):
            self.assertEqual(self.crash(request=call({}), **exchange), [], exchange)
        self.assertEqual(self.crash(is_stdio=False, request=call({}), failure="the connection was lost"), [])

    def test_a_crash_without_proof(self):
        for exchange in ({}, {"exit": {}}, {"exit": {"code": "one"}}, {"reply": answer()}, {"failure": "it is gone"},
                         {"reply": answer(error={"code": 1, "message": "no"})}):
            self.assertNotEqual(self.crash(request=call({}), **exchange), [], exchange)
        self.assertNotEqual(self.crash(exit={"code": 1}), [])
        self.assertNotEqual(self.crash(exit={"code": 1}, request=call({"count": 1})), [])

    def test_a_whole_report_is_gone_through(self):
        finding = {"code": "call.crash", "location": {"tool": "t"}, "case": "a"}
        crashed = row("protocolCrash", request=call({}), exit={"code": 1})
        accepted = row(accepted=True, request=call({}), reply=answer())
        report = {"fuzz": [crashed, accepted], "findings": [finding]}
        self.assertEqual(proof.accusation_problems(report, SCHEMAS, True), ([], 1, 1))
        report["findings"][0]["case"] = "b"
        self.assertEqual(len(proof.accusation_problems(report, SCHEMAS, True)[0]), 1)
        spoilt = {"fuzz": [row("protocolCrash"), row(accepted=True)], "findings": []}
        problems, accepts, crashes = proof.accusation_problems(spoilt, SCHEMAS, True)
        self.assertEqual((accepts, crashes), (1, 1))
        self.assertTrue(any(text.startswith("crash t a") for text in problems))
        self.assertTrue(any(text.startswith("silent accept t a") for text in problems))


class Tree(unittest.TestCase):
    def test_every_kind_of_change_is_seen(self):
        def link(path):
            path.unlink()
            path.symlink_to("kept")

        changes = {
            "content": (lambda path: path.write_text("b"), "content"),
            "mode": (lambda path: path.chmod(0o600), "mode"),
            "type": (link, "type"),
            "gone": (lambda path: path.unlink(), "is gone"),
        }
        for name, (change, word) in changes.items():
            with self.subTest(name), TemporaryDirectory() as root:
                path = Path(root) / "folder" / name
                path.parent.mkdir()
                path.write_text("a")
                path.chmod(0o644)
                before = tree.snapshot(root)
                self.assertEqual(tree.differences(before, tree.snapshot(root)), [])
                change(path)
                told = tree.differences(before, tree.snapshot(root))
                self.assertTrue(any(f"folder/{name}" in line and word in line for line in told), told)

    def test_what_is_new_is_seen_also_when_it_is_empty(self):
        with TemporaryDirectory() as root:
            before = tree.snapshot(root)
            (Path(root) / "empty").mkdir()
            (Path(root) / ".hidden").touch()
            os.symlink("nowhere", Path(root) / "dangling")
            told = tree.differences(before, tree.snapshot(root))
            self.assertEqual(told, [".hidden is new", "dangling is new", "empty is new"])

    def test_a_link_is_its_target_as_written(self):
        with TemporaryDirectory() as root:
            os.symlink("one", Path(root) / "link")
            before = tree.snapshot(root)
            (Path(root) / "link").unlink()
            os.symlink("two", Path(root) / "link")
            self.assertEqual(tree.differences(before, tree.snapshot(root)), ["link has another content"])


if __name__ == "__main__":
    unittest.main()
