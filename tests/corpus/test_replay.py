"""Tests of what `replay` beside this file holds: each can fail.

Usage: python3 tests/corpus/test_replay.py
"""
import contextlib
import io
import sys
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent


def load():
    loader = SourceFileLoader("corpus_replay", str(HERE / "replay"))
    module = module_from_spec(spec_from_loader("corpus_replay", loader))
    loader.exec_module(module)
    return module


replay = load()


class Judging(unittest.TestCase):
    def test_exit_and_words_have_to_agree(self):
        self.assertIsNone(replay.problem((0, "call.crash: tool t, case c: reproduced (ok)"), True))
        self.assertIsNone(replay.problem((1, "call.crash: tool t, case c: not reproduced"), False))
        for came, expected in (
            ((1, "call.crash: tool t, case c: not reproduced"), True),
            ((0, "call.crash: tool t, case c: reproduced"), False),
            ((0, ""), True),
            ((0, "call.crash: tool t, case c: not reproduced"), True),
            ((1, "call.crash: tool t, case c: reproduced"), False),
            ((3, "error: it does not start"), True),
            ((2, "error: --watch"), False),
        ):
            self.assertIsNotNone(replay.problem(came, expected), came)

    def test_findings_about_calls_are_told_from_the_rest(self):
        crash = {"code": "call.crash", "location": {"tool": "t"}, "case": "valid"}
        no_tool = {"code": "call.unknown_tool_as_result", "location": {}}
        order = {"code": "call.answer_depends_on_order", "location": {"tool": "t"}, "case": "valid"}
        others = [{"code": "tool.thin_description", "location": {"tool": "t"}},
                  {"code": "call.not_called", "location": {"tool": "t"}}]
        report = {"findings": [crash, *others, no_tool, order]}
        self.assertEqual(replay.about_calls(report), [crash, no_tool, order])

    def test_a_problem_or_nothing_at_all_fails_the_run(self):
        def shown(*kinds):
            with contextlib.redirect_stdout(io.StringIO()) as said:
                return replay.show(kinds), said.getvalue()

        good, bad = replay.Kind("good", None), replay.Kind("bad", None)
        good.codes["call.crash"] += 1
        bad.problems.append("bad: call.crash t valid: exit 1 instead of 0")
        self.assertEqual(shown(good)[0], 0)
        code, said = shown(good, bad)
        self.assertEqual(code, 1)
        self.assertIn("FAIL bad: call.crash", said)
        self.assertIn("1 passed, 1 failed", said)
        self.assertEqual(shown(replay.Kind("silent", None))[0], 1)


if __name__ == "__main__":
    unittest.main()
