"""Tests of the case runner: the grammar of `expect` blocks and the judges.

Usage: python3 tests/cases/test_run.py
"""
import contextlib
import io
import sys
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from tempfile import TemporaryDirectory

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import expect  # noqa: E402
import judge  # noqa: E402
from support import process  # noqa: E402
from support.report import KEYS, read_report  # noqa: E402


def load_runner():
    loader = SourceFileLoader("case_runner", str(HERE / "run"))
    module = module_from_spec(spec_from_loader("case_runner", loader))
    sys.modules["case_runner"] = module
    loader.exec_module(module)
    return module


runner = load_runner()
WORDS = judge.Words.read([HERE / "about.json"])


def finding(code="schema.invalid", severity="error", family="lint", message="", **where):
    return {"code": code, "severity": severity, "family": family, "message": message, "location": where}


def report(findings=(), **more):
    keys = dict.fromkeys(KEYS)
    return {**keys, "probeState": "ok", "overall": 90, "grade": "A", "findings": list(findings),
            "counts": {"tools": 3}, "coverage": {"totalTools": 3, "fuzzedTools": 0, "called": [], "skipped": []}, **more}


def a_run(findings=(), code=0, **more):
    fields = {"stdout": "{}", "stderr": "", "seconds": 1.0, "limit": 20, "report": report(findings)}
    return judge.Run("live", code, **{**fields, **more})


def problems(text, run):
    return judge.judge(expect.parse(text), run, WORDS)


class Grammar(unittest.TestCase):
    def test_reads_a_finding_with_quoted_values(self):
        line = expect.parse("report: warn tool='send mail' about=name-chars")
        self.assertEqual((line.kind, line.level), ("report", "warn"))
        self.assertEqual(line.filters, {"tool": "send mail", "about": "name-chars"})

    def test_reads_prefixes(self):
        line = expect.parse("mode broken: report: error about=tools/list")
        self.assertEqual((line.mode, line.kind, line.filters), ("mode broken", "report", {"about": "tools/list"}))
        line = expect.parse("without header: outcome: cannot-audit")
        self.assertEqual((line.mode, line.words), ("without header", ("cannot-audit",)))

    def test_reads_outcomes(self):
        self.assertEqual(expect.parse("outcome: cannot-audit (each)").words, ("cannot-audit",))
        line = expect.parse("outcome: pass or cannot-audit with the cause")
        self.assertEqual((line.words, line.word), (("pass", "cannot-audit"), "cause"))
        line = expect.parse("absent: outcome pass with full score")
        self.assertEqual((line.word, line.words), ("outcome", ("pass", "with full score")))

    def test_reads_after_and_limit(self):
        line = expect.parse("after: no-line(wipe_all,purge) in calls.log")
        self.assertEqual((line.word, line.words), ("calls.log", ("wipe_all", "purge")))
        self.assertEqual(expect.parse("limit: 30s each").number, 30)

    def test_refuses_what_it_does_not_know(self):
        for text in ("hope: yes", "connect: maybe", "report: fatal about=x", "report: warn colour=red",
                     "absent: crash twice", "outcome: fine", "after: peace", "limit: soon", "tools: many",
                     "absent: outcome pass with luck", "a line without a kind"):
            with self.subTest(text), self.assertRaises(expect.ExpectError):
                expect.parse(text)

    def test_wants_exactly_one_block(self):
        self.assertEqual(expect.read_block("x\n```expect\nconnect: yes\n\ntools: 1\n```\n"), ["connect: yes", "tools: 1"])
        with self.assertRaises(expect.ExpectError):
            expect.read_block("no block")

    def test_reads_every_committed_case(self):
        files = sorted((HERE / "inputs").glob("*/expect.md"))
        self.assertGreaterEqual(len(files), 9)
        for file in files:
            self.assertTrue(expect.parse_all(expect.read_block(file.read_text(encoding="utf-8"))), file)


class Modes(unittest.TestCase):
    def modes(self, run_line, *texts):
        return expect.modes_of(run_line, expect.parse_all(texts))

    def test_come_from_the_run_line_and_from_prefixes(self):
        self.assertEqual(self.modes("`python3 server.py empty   (then none, broken)`", "mode broken: tools: 1"),
                         ["mode empty", "mode none", "mode broken"])
        self.assertEqual(self.modes("`python3 server.py PORT 404   (also 400, 406)`"),
                         ["mode 404", "mode 400", "mode 406"])
        self.assertEqual(self.modes("`python3 server.py PORT   (and: python3 server.py PORT liar)`"),
                         ["mode default", "mode liar"])
        self.assertEqual(self.modes("`python3 server.py   (stdio)`", "tools: 1"), [None])

    def test_open_and_default_are_one_run(self):
        self.assertEqual(self.modes("`python3 server.py PORT   (and: python3 server.py PORT guarded)`",
                                    "mode open: tools: 1"), ["mode guarded", "mode open"])
        self.assertEqual(runner.argument_of("mode open"), [])
        self.assertEqual(runner.argument_of("mode guarded"), ["guarded"])

    def test_a_mode_has_its_own_lines_and_those_of_all(self):
        lines = expect.parse_all(["tools: 1", "mode a: tools: 2", "mode b: tools: 3"])
        self.assertEqual([line.number for line in expect.lines_for("mode a", lines)], [1, 2])
        self.assertEqual([line.number for line in expect.lines_for(None, lines)], [1])


class Findings(unittest.TestCase):
    def test_levels(self):
        for level, severity, family, fits in (
            ("error", "error", "lint", True), ("error", "warning", "lint", False), ("error+", "warning", "lint", False),
            ("warn", "error", "lint", False), ("warn+", "error", "lint", True), ("warn+", "info", "call", False),
            ("note", "info", "call", True), ("note", "info", "lint", False), ("any", "info", "call", True),
            ("any", "info", "lint", False), ("any", "warning", "lint", True),
        ):
            with self.subTest(level=level, severity=severity, family=family):
                self.assertEqual(judge.level_fits(level, finding(severity=severity, family=family)), fits)

    def test_report_wants_code_tool_and_path(self):
        run = a_run([finding(tool="save", pointer="/tools/0/inputSchema/properties/broken/pattern")])
        self.assertEqual(problems("report: error tool=save about=pattern path=broken", run), [])
        self.assertTrue(problems("report: error tool=save about=pattern path=broke", run))
        self.assertTrue(problems("report: error tool=load about=pattern", run))
        self.assertTrue(problems("report: error tool=save about=timeout", run))
        self.assertEqual(problems("absent: error path=pattern", run), [])

    def test_a_path_may_hold_pointer_characters(self):
        self.assertTrue(judge.is_on_path({"pointer": "/tools/0/inputSchema/properties/a~1b"}, "a/b"))
        self.assertFalse(judge.is_on_path({"pointer": "/tools/0/inputSchema/properties/ab"}, "a"))

    def test_an_unknown_word_is_a_failure_both_ways(self):
        for text in ("report: error about=moonlight", "absent: any about=moonlight", "report: warn about=timeout when=full-moon"):
            self.assertTrue(problems(text, a_run()), text)

    def test_quality_counts_only_where_it_is_asked_for(self):
        run = a_run([finding("param.missing_description", "warning", tool="other", param="q")])
        self.assertEqual(problems("absent: any tool=other", run), [])
        run = a_run([finding("call.timeout", "error", "call", tool="other")])
        self.assertTrue(problems("absent: any tool=other", run))

    def test_exit_code_of_the_server(self):
        run = a_run([finding("process.exited", family="process", message="the server ended with exit code 2")])
        self.assertEqual(problems("report: error about=server-exited code=2", run), [])
        self.assertTrue(problems("report: error about=server-exited code=22", run))

    def test_tools_that_were_not_called_are_notes(self):
        run = a_run(report=report(coverage={"totalTools": 1, "called": [], "skipped": [{"tool": "wipe", "reason": "x"}]}))
        self.assertEqual(problems("report: note tool=wipe about=not-called", run), [])
        self.assertTrue(problems("report: note tool=other about=not-called", run))
        self.assertEqual(problems("absent: any tool=wipe", run), [])


class Runs(unittest.TestCase):
    def test_connect_outcome_and_tools(self):
        self.assertEqual(problems("connect: yes", a_run()), [])
        self.assertTrue(problems("connect: no", a_run()))
        self.assertTrue(problems("connect: yes", a_run(code=3)))
        self.assertEqual(problems("tools: 3", a_run()), [])
        self.assertTrue(problems("tools: 2", a_run()))
        self.assertTrue(problems("outcome: cannot-audit", a_run(code=0)))
        self.assertTrue(problems("outcome: cannot-audit", a_run(code=3)), "a cause is wanted")
        caused = report(failure={"message": "nothing answers at the address"})
        self.assertEqual(problems("outcome: cannot-audit", a_run(code=3, report=caused)), [])

    def test_a_score_without_an_audit_is_a_failure(self):
        self.assertTrue(judge.judge_always(a_run(code=3)))
        nothing = report(overall=None, grade=None)
        self.assertEqual(judge.judge_always(a_run(code=3, report=nothing)), [])

    def test_a_usage_error_is_told_and_never_a_pass(self):
        run = a_run(code=2, stdout="", stderr="error: ftp is no scheme of MCP\n", report=None)
        self.assertEqual(judge.judge_always(run), [])
        self.assertEqual(problems("outcome: cannot-audit (each)", run), [])
        self.assertEqual(len(run.notes), 1)
        chatty = a_run(code=2, stdout="", stderr="a\nb\n", report=None, report_problem="nothing")
        self.assertTrue(judge.judge_always(chatty))

    def test_own_failures(self):
        self.assertTrue(problems("absent: crash", a_run(code=101)))
        self.assertTrue(problems("absent: crash", a_run(code=-11)))
        self.assertTrue(problems("absent: crash", a_run(stderr="thread 'main' panicked at src/x.rs:1")))
        self.assertEqual(problems("absent: crash", a_run(code=1)), [])
        self.assertTrue(judge.judge_always(a_run(code=None)))
        self.assertTrue(judge.judge_always(a_run(left=["python3 server.py"])))

    def test_secrets_are_looked_for_in_every_form(self):
        for text in ("a hunter-2/x b", "aHVudGVyLTIveA==", "hunter-2%2Fx"):
            run = a_run(stdout=text, secrets=["hunter-2/x"])
            self.assertTrue(problems("absent: secret-in-output", run), text)
        self.assertEqual(problems("absent: secret-in-output", a_run(secrets=["hunter-2/x"])), [])

    def test_hidden_characters(self):
        self.assertTrue(problems("absent: raw-hidden-characters-in-output", a_run(stdout="a\u202eb")))
        self.assertTrue(problems("absent: raw-hidden-characters-in-output", a_run(stdout="a\U000e0041b")))
        self.assertEqual(problems("absent: raw-hidden-characters-in-output", a_run(stdout="a\\u202eb ❤️")), [])

    def test_silence(self):
        late = [finding("call.timeout", family="call", message="echo did not answer within 30 s")]
        self.assertTrue(problems("absent: report-of-silence", a_run(late)))
        self.assertEqual(problems("absent: report-of-silence", a_run()), [])

    def test_files_left_by_the_server(self):
        run = a_run(files={"calls.log": "lookup\nwipe_all\n"})
        self.assertTrue(problems("after: no-line(wipe_all,purge) in calls.log", run))
        self.assertEqual(problems("after: no-line(purge) in calls.log", run), [])

    def test_score_gate(self):
        check = "check: the gate by score does not pass"
        self.assertTrue(problems(check, a_run(gate_exit=0)))
        self.assertTrue(problems(check, a_run(gate_exit=4)))
        self.assertEqual(problems(check, a_run(gate_exit=1)), [])

    def test_pictures_end_as_json_does(self):
        run = a_run(pictures=[judge.Picture("markdown", 1, "", "")])
        self.assertTrue(judge.judge_always(run))

    def test_checks_of_the_output(self):
        table = "| a | b |\n| - | - |\n| x \\| y | z |\n"
        markdown = judge.Picture("markdown", 0, table, "")
        check = "check: markdown table has the same number of columns on each row"
        self.assertEqual(problems(check, a_run(pictures=[markdown])), [])
        broken = judge.Picture("markdown", 0, table + "| x | y | z |\n", "")
        self.assertTrue(problems(check, a_run(pictures=[broken])))
        commands = "check: no stdout line starts with '::' except the tool's own, fixed ones"
        self.assertTrue(problems(commands, a_run(stdout="::set-env name=x::y")))
        self.assertEqual(problems(commands, a_run(stdout="::error title=x::y")), [])
        self.assertTrue(problems("check: no stdout line contains '##['", a_run(stdout="##[error]")))
        self.assertTrue(problems("check: the moon is full", a_run()))

    def test_counts(self):
        check = "check: report has counts of tools seen and called"
        self.assertEqual(problems(check, a_run()), [])
        self.assertTrue(problems(check, a_run(report=report(coverage={"totalTools": 1}))))

    def test_sarif_places(self):
        good = '{"physicalLocation": {"artifactLocation": {"uri": "mcprobe.toml"}, "region": {"startLine": 1}}}'
        bad = good.replace("mcprobe.toml", "/etc/x")
        check = "check: every result has physicalLocation.artifactLocation.uri and region.startLine>=1"
        for place, expected in ((good, 0), (bad, 1)):
            text = '{"runs": [{"results": [{"ruleId": "r", "locations": [%s]}]}]}' % place
            run = a_run(pictures=[judge.Picture("sarif", 0, text, "")])
            self.assertEqual(len(problems(check, run)), expected)
        self.assertTrue(problems(check, a_run()))


class Processes(unittest.TestCase):
    def test_a_process_that_outlives_its_run_is_found_and_ended(self):
        mark = process.new_mark()
        ended = process.run_bounded(["sh", "-c", "setsid sleep 60 >/dev/null 2>&1 &"], 10, mark=mark)
        self.assertEqual(ended.exit, 0)
        self.assertEqual(process.processes_left(mark), ["sleep 60"])
        self.assertEqual(process.marked(mark), {})

    def test_a_run_is_killed_at_its_limit(self):
        ended = process.run_bounded(["sh", "-c", "echo started; sleep 60"], 0.5)
        self.assertEqual((ended.exit, ended.stdout), (None, "started\n"))
        self.assertLess(ended.seconds, 10)


class Program(unittest.TestCase):
    def run_main(self, *words):
        out, err = io.StringIO(), io.StringIO()
        saved, sys.argv = sys.argv, ["run", *map(str, words)]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                return runner.main(), out.getvalue(), err.getvalue()
        finally:
            sys.argv = saved

    def test_a_missing_binary_is_said_with_what_to_do(self):
        code, _, err = self.run_main("--binary", HERE / "no-such-binary")
        self.assertEqual(code, 2)
        self.assertIn("cargo build --release", err)

    def test_incomplete_reports_are_told(self):
        self.assertEqual(read_report("no")[0], None)
        self.assertIn("without", read_report('{"overall": 1}')[1])

    def test_a_case_with_an_unknown_line_fails(self):
        with TemporaryDirectory() as root:
            case = Path(root) / "c99-odd"
            case.mkdir()
            (case / "expect.md").write_text("```expect\nhope: yes\n```\n", encoding="utf-8")
            code, out, _ = self.run_main(root, "--binary", "/bin/true")
        self.assertEqual(code, 1)
        self.assertIn("FAIL c99-odd: unknown line: hope: yes", out)
        self.assertTrue(out.endswith("0 passed, 1 failed\n"))


if __name__ == "__main__":
    unittest.main()
