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

sys.path.insert(1, str(Path(__file__).resolve().parent.parent))

import fleet  # noqa: E402
import fleet_page  # noqa: E402
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


def fleet_result(*codes, version="1.0.0", package="a-server", **row):
    server = fleet.Server("a", "npm", package, "index.js")
    findings = [{"code": code, "severity": "error", "message": "m", "exchange": ["asked", "answered"]} for code in codes]
    row = {"server": "a", "version": version, "SDK": "none", "state": "ok", "era": "legacy", "revision": "2025-11-25"} | row
    return fleet.Result(server, row, findings)


def entry(code, server="a", version="1.0.0", **more):
    return {"server": server, "version": version, "code": code, "verdict": "true", "exchange": "ping",
            "reason": "It breaks what the text says."} | more


def by_key(*entries):
    return {(one["server"], one["code"]): one for one in entries}


class Fleet(unittest.TestCase):
    def compared(self, result, *entries):
        return fleet.comparison_problems([result], by_key(*entries))

    def test_what_is_listed_passes(self):
        self.assertEqual(self.compared(fleet_result("protocol.a"), entry("protocol.a")), [])
        self.assertEqual(self.compared(fleet_result()), [])

    def test_a_finding_that_is_not_listed_is_told(self):
        found = self.compared(fleet_result("protocol.a", "protocol.b"), entry("protocol.a"))
        self.assertEqual(found, ["a: protocol.b (error) is not listed: m"])
        elsewhere = self.compared(fleet_result("protocol.a"), entry("protocol.a", server="other"))
        self.assertEqual(len(elsewhere), 1)

    def test_a_listed_finding_that_is_gone_is_told(self):
        self.assertEqual(self.compared(fleet_result(), entry("protocol.a")),
                         ["a: protocol.a is listed for 1.0.0 and does not appear"])

    def test_another_version_or_another_number_is_told(self):
        self.assertEqual(len(self.compared(fleet_result("protocol.a", version="1.0.1"), entry("protocol.a"))), 1)
        self.assertEqual(len(self.compared(fleet_result("protocol.a", "protocol.a"), entry("protocol.a"))), 1)
        twice = self.compared(fleet_result("protocol.a", "protocol.a"), entry("protocol.a", count=2))
        self.assertEqual(twice, [])

    def test_only_grave_findings_of_two_families_have_to_be_listed(self):
        def listed(family, severity):
            return fleet.has_to_be_listed({"family": family, "severity": severity})
        self.assertTrue(listed("protocol", "error") and listed("process", "warning"))
        self.assertFalse(listed("protocol", "info") or listed("schema", "error"))

    def test_every_kind_has_to_be_reached(self):
        def missing(**less):
            numbers = {"published": 12, "modern": 3, "sdk1": 3, "old": 2} | less
            plain = [fleet_result(package=f"p{number}") for number in range(numbers["published"])]
            modern = [fleet_result(package=f"m{number}", era="modern") for number in range(numbers["modern"])]
            sdk1 = [fleet_result(package=f"s{number}", SDK="Python SDK 1.2") for number in range(numbers["sdk1"])]
            old = [fleet_result(package=f"o{number}", revision="2024-11-05") for number in range(numbers["old"])]
            return len(fleet.kind_problems(plain + modern + sdk1 + old))
        self.assertEqual(missing(), 0)
        for kind, number in {"published": 11, "modern": 2, "sdk1": 1, "old": 1}.items():
            self.assertGreaterEqual(missing(**{kind: number}), 1, kind)
        # The same package in two transports is one, and what was not reached is none.
        twice = [fleet_result(package="m", era="modern")] * 3
        unreached = [fleet_result(package=f"m{number}", era="modern", state="crash") for number in range(3)]
        for results in (twice, unreached):
            self.assertIn("server/discover", " ".join(fleet.kind_problems(results)))

    def test_an_exchange_is_found_or_missed(self):
        made = {"name": "ping", "exchange": {"request": "q", "reply": "r", "httpStatus": 200, "failure": "late"}}
        evidence = {"wire": {"noiseFirst": []}, "probes": {"made": [made]}}
        self.assertEqual(fleet.exchange_of(evidence, "ping"), ("q", 'HTTP 200\nr\n(failure: "late")'))
        self.assertIsNone(fleet.exchange_of(evidence, "noise"))
        self.assertIsNone(fleet.exchange_of(evidence, "absent"))

    def test_a_false_alarm_a_thin_reason_and_a_double_entry_are_refused(self):
        def read(*entries):
            lines = [f"[[verdict]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in one.items())
                     for one in entries]
            with TemporaryDirectory() as folder:
                path = Path(folder, "verdicts.toml")
                path.write_text("\n".join(lines))
                return fleet.read_verdicts(path)
        self.assertEqual(len(read(entry("protocol.a"), entry("protocol.b"))), 2)
        for bad in (entry("protocol.a", verdict="false alarm"), entry("protocol.a", reason="so"),
                    entry("protocol.a", exchange="")):
            self.assertRaises(ValueError, read, bad)
        self.assertRaises(ValueError, read, entry("protocol.a"), entry("protocol.a"))

    def test_the_page_says_what_the_verdicts_say(self):
        verdicts = by_key(entry("protocol.a"), entry("protocol.b", verdict="debatable"))
        with TemporaryDirectory() as folder:
            page = Path(folder, "fleet.md")
            self.assertEqual(len(fleet_page.problems(page, verdicts)), 1)
            page.write_text("# Findings\n\n## Others\n\nWords.\n")
            for _ in range(2):
                fleet_page.write(page, [fleet_result("protocol.a", "protocol.b")], verdicts, fleet.COLUMNS)
                self.assertEqual(fleet_page.problems(page, verdicts), [])
            text = page.read_text()
            self.assertTrue(text.startswith("# Findings\n\n## Others\n\nWords.\n\n" + fleet_page.BEGIN))
            self.assertEqual(text.count(fleet_page.BEGIN), 1)
            fewer, other = by_key(entry("protocol.a")), by_key(entry("protocol.a"), entry("protocol.b"))
            more = by_key(*verdicts.values(), entry("protocol.c"))
            for wrong in (fewer, other, more):
                self.assertEqual(len(fleet_page.problems(page, wrong)), 1)
            page.write_text(text.replace("< answered", "<"))
            self.assertEqual(len(fleet_page.problems(page, verdicts)), 2)

    def test_exchanges_are_cut_and_cannot_end_their_block(self):
        lines = fleet_page.quoted("> ", "```\n" + "é" * 400)
        self.assertEqual(lines[0], "> '''")
        self.assertTrue(lines[1].endswith("… (804 bytes)"))
        self.assertLess(len("".join(lines).encode()), 340)

    def test_the_pinned_fleet_is_read(self):
        servers = fleet.read_servers(fleet.DATA / "servers.toml")
        self.assertGreaterEqual(len({server.package for server in servers}), 20)
        names = {server.name for server in servers}
        verdicts = fleet.read_verdicts(fleet.DATA / "verdicts.toml")
        self.assertEqual({server for server, _ in verdicts} - names, set())


if __name__ == "__main__":
    unittest.main()
