#!/usr/bin/env python3
"""Tests of the comparisons of tests/conformance: that they can fail, and that they can pass."""
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import clients  # noqa: E402
import referee  # noqa: E402
from suite import SETS, SuiteError, entries, results  # noqa: E402

SET = "2025-11-25"
FAILS = "auth/pre-registration"


def check(name, status):
    return {"id": name, "status": status}


def passing():
    """A run of the set in which all is as it should be."""
    ran = {scenario: [check(scenario, "SUCCESS")] for scenario in clients.OURS[SET]}
    ran[FAILS] = [check("first", "SUCCESS"), check("login", "FAILURE")]
    return ran


def problems(ran, exits=None, expected=(FAILS,)):
    codes = {scenario: 0 for scenario in ran} | (exits or {})
    return clients.problems_of_set(SET, list(clients.OURS[SET]), ran, codes, dict.fromkeys(expected, "a reason"))


class Clients(unittest.TestCase):
    def test_all_as_it_should_be(self):
        self.assertEqual(problems(passing()), [])

    def test_a_failure_that_is_not_expected(self):
        ran = passing() | {"sse-retry": [check("a", "SUCCESS"), check("sse-wait", "FAILURE")]}
        self.assertEqual(problems(ran), ["sse-retry: fails in sse-wait"])

    def test_a_warning_counts_as_the_suite_counts_it(self):
        ran = passing() | {"sse-retry": [check("a", "SUCCESS"), check("sse-wait", "WARNING")]}
        self.assertEqual(problems(ran), ["sse-retry: fails in sse-wait"])

    def test_no_success_is_no_pass(self):
        for checks in ([], [check("seen", "INFO"), check("left-out", "SKIPPED")]):
            self.assertEqual(problems(passing() | {"tools_call": checks}), ["tools_call: no check with SUCCESS"])

    def test_a_client_that_ends_with_an_error(self):
        self.assertEqual(problems(passing(), {"initialize": 1}), ["initialize: the client ended with 1"])
        self.assertEqual(problems(passing(), {"initialize": None}), ["initialize: the client ended with None"])

    def test_a_client_may_refuse_credentials_with_an_error(self):
        ran = passing() | {"auth/resource-mismatch": [check("stops", "SUCCESS")]}
        self.assertEqual(problems(ran, {"auth/resource-mismatch": 1}), [])

    def test_what_was_expected_to_fail_and_passes(self):
        ran = passing() | {FAILS: [check("login", "SUCCESS")]}
        self.assertEqual(problems(ran), [f"{FAILS}: passes now; take it out of expected-failures.yaml"])

    def test_what_is_ours_cannot_be_expected_to_fail(self):
        ran = passing() | {"sse-retry": [check("sse-wait", "FAILURE")]}
        self.assertEqual(problems(ran, expected=(FAILS, "sse-retry")),
                         ["sse-retry: must pass and cannot be expected to fail"])

    def test_a_scenario_that_was_not_run(self):
        ran = passing()
        del ran["sse-retry"]
        self.assertEqual(problems(ran), ["sse-retry: was not run"])

    def test_the_file_needs_reasons_and_known_scenarios(self):
        self.assertEqual(clients.problems_of_file({FAILS: "a reason"}, {FAILS}), [])
        self.assertEqual(clients.problems_of_file({FAILS: ""}, {FAILS}),
                         [f"expected-failures.yaml: {FAILS} has no reason"])
        self.assertEqual(clients.problems_of_file({"auth/gone": "a reason"}, {FAILS}),
                         ["expected-failures.yaml: auth/gone is no scenario of these sets"])

    def test_the_committed_file(self):
        text = (HERE / clients.EXPECTED_FAILURES).read_text()
        expected = entries(text, "client")
        self.assertEqual(sum(line.lstrip().startswith("-") for line in text.splitlines()), len(expected))
        self.assertEqual(len(dict(expected)), len(expected))
        self.assertTrue(all(reason for _, reason in expected))
        self.assertFalse({scenario for scenario, _ in expected} & {name for set_ in SETS for name in clients.OURS[set_]})

    def test_exit_codes(self):
        self.assertEqual(clients.exit_codes("initialize 0\nauth/dpop 1\n"), {"initialize": 0, "auth/dpop": 1})


TABLE = {SET: {"ping": {
    "ping": {"rows": ["ping"]},
    "pong": {"rows": ["ping", "batch"], "about": "ping.*late", "codes": ["protocol.pong"]},
    "many": {"nobody": "a reason"},
}}}
SAID = {"ping": [check("ping", "SUCCESS"), check("pong", "SUCCESS"), check("many", "SUCCESS")]}
EXCUSE = {"server": "one", "set": SET, "scenario": "ping", "check": "ping", "suite": "failed", "ours": "passed",
          "reason": "a reason"}


def report(state="passed", findings=(), probe="ok", failure=None):
    return {"probeState": probe, "failure": failure, "protocol": {"checks": [{"id": "ping", "state": state}]},
            "findings": [{"code": code, "message": message} for code, message in findings]}


def compared(said=None, ours=None):
    found, problems = referee.compare("one", SET, TABLE, SAID | (said or {}), ours or report())
    return {one.check: one for one in found}, problems


def judged(said=None, ours=None, exceptions=(), servers=("one",)):
    found, _ = compared(said, ours)
    return referee.judge(list(found.values()), exceptions, set(servers), {("one", SET): ours or report()})


class Referee(unittest.TestCase):
    fails = {"ping": [check("ping", "SUCCESS"), check("ping", "FAILURE")]}

    def test_agreement(self):
        found, problems = compared()
        self.assertEqual(problems, [])
        self.assertEqual([referee.kind(one) for one in found.values()], ["agree", "agree", "nobody"])
        self.assertEqual(judged(), [])
        self.assertEqual(referee.row_of("one", SET, found.values()), ["one", SET, 2, 0, 0, 1, 0])

    def test_one_failed_occurrence_is_enough(self):
        self.assertEqual(judged(self.fails), [f"one {SET} ping ping: the suite says failed, mcprobe passed"])
        warned = {"ping": [check("ping", "WARNING")]}
        self.assertEqual(judged(warned), [f"one {SET} ping ping: the suite says failed, mcprobe passed"])

    def test_our_failure_alone(self):
        ours = report("failed", [("protocol.ping", "no answer")])
        self.assertEqual(judged(ours=ours), [f"one {SET} ping ping: the suite says passed, mcprobe failed"])

    def test_failures_of_both_agree(self):
        found, _ = compared(self.fails, report("failed", [("protocol.ping", "no answer")]))
        self.assertFalse(found["ping"].differs())
        self.assertEqual(referee.row_of("one", SET, found.values()), ["one", SET, 1, 1, 0, 0, 2])

    def test_what_was_not_tested_differs(self):
        self.assertEqual(compared(ours=report("notTested"))[0]["ping"].ours, "not tested")
        self.assertEqual(len(judged(ours=report("notTested"))), 2)
        # A report without a connection says nothing of any row.
        self.assertEqual(compared(ours=report(probe="no-handshake"))[0]["ping"].ours, "not tested")

    def test_a_row_that_does_not_apply_is_passed_over(self):
        self.assertEqual(compared()[0]["pong"].ours, "passed")
        self.assertEqual(referee.our_verdict({"rows": ["batch"]}, report()), "not tested")

    def test_a_row_is_narrowed(self):
        broad = report("failed", [("protocol.ping", "no answer")])
        narrow = report("failed", [("protocol.ping", "comes late")])
        self.assertEqual(compared(ours=broad)[0]["pong"].ours, "passed")
        self.assertEqual(compared(ours=narrow)[0]["pong"].ours, "failed")

    def test_a_rule_without_a_row(self):
        self.assertEqual(compared(ours=report(findings=[("protocol.pong", "x")]))[0]["pong"].ours, "failed")

    def test_a_silent_suite_is_no_agreement(self):
        silent, _ = compared({"ping": [check("ping", "SKIPPED"), check("pong", "INFO")]})
        self.assertEqual([referee.kind(one) for one in silent.values()], ["silent"] * 3)

    def test_a_scenario_that_was_not_run_and_a_check_that_nobody_knows(self):
        _, problems = referee.compare("one", SET, TABLE, {}, report())
        self.assertEqual(problems, [f"one {SET} ping: was not run"])
        self.assertEqual(compared({"ping": [check("new", "SUCCESS")]})[1],
                         [f"one {SET} ping new: is not in checks.toml"])

    def test_an_exception_excuses_what_it_names(self):
        self.assertEqual(judged(self.fails, exceptions=[EXCUSE]), [])
        self.assertEqual(judged(self.fails, exceptions=[EXCUSE | {"scenario": "*", "check": "*"}]), [])
        for other in ({"check": "pong"}, {"suite": "passed"}, {"ours": "not tested"}, {"set": "2026-07-28"}):
            self.assertEqual(len(judged(self.fails, exceptions=[EXCUSE | other])), 2, other)

    def test_an_exception_without_a_difference(self):
        self.assertEqual(judged(exceptions=[EXCUSE]), [f"exception one {SET} ping ping: there is no such difference"])
        self.assertEqual(judged(exceptions=[EXCUSE], servers=("two",)), [])

    def test_an_exception_without_a_reason(self):
        self.assertEqual(judged(self.fails, exceptions=[EXCUSE | {"reason": " "}]),
                         [f"exception one {SET} ping ping: has no reason"])

    def test_an_exception_that_wants_a_failure_named(self):
        wanted = [EXCUSE | {"failure": "server/discover", "check": "*", "ours": "not tested"}]
        refused = report(probe="no-handshake", failure={"message": "it refused `server/discover`"})
        fails = {"ping": [check("ping", "FAILURE"), check("pong", "FAILURE")]}
        self.assertEqual(judged(fails, refused, wanted), [])
        other = report(probe="no-handshake", failure={"message": "no server"})
        self.assertEqual(judged(fails, other, wanted),
                         [f"exception one {SET} ping *: mcprobe does not say `server/discover`, but 'no server'"])

    def test_the_table_needs_rows_or_reasons_and_something_said(self):
        found, _ = compared({"ping": [check("ping", "SUCCESS"), check("many", "SUCCESS")]})
        self.assertEqual(referee.problems_of_table(TABLE, found.values()),
                         [f"checks.toml: {SET} ping pong: the suite never said anything of it"])
        empty = {SET: {"ping": {"ping": {}, "many": {"nobody": ""}}}}
        self.assertEqual(referee.problems_of_table(empty, found.values()),
                         [f"checks.toml: {SET} ping {name}: neither rows nor a reason" for name in ("ping", "many")])

    def test_the_committed_tables(self):
        table = tomllib.loads((HERE / "checks.toml").read_text())
        exceptions = tomllib.loads((HERE / "exceptions.toml").read_text())["exception"]
        self.assertEqual(set(table), set(SETS))
        rows = {line.split("`")[1] for line in (HERE.parent.parent / "docs/protocol-checks.md").read_text().splitlines()
                if line.startswith("| `")}
        for scenarios in table.values():
            for known in scenarios.values():
                for entry in known.values():
                    self.assertEqual("rows" in entry, "nobody" not in entry, entry)
                    self.assertLessEqual(set(entry.get("rows", ())), rows)
        for exception in exceptions:
            self.assertTrue(exception["reason"].strip())
            self.assertIn(exception["ours"], ("passed", "failed", "not tested"))
            known = table[exception["set"]].get(exception["scenario"], {})
            self.assertTrue(exception["scenario"] == "*" or exception["check"] in known, exception)


class Files(unittest.TestCase):
    def test_entries_of_one_key(self):
        text = "# top\nserver:\n  - a\n\nclient:\n  # a remark\n  - b  # why\n  - c/d\nnot_scored:\n  - scenario: e\n"
        self.assertEqual(entries(text, "client"), [("b", "why"), ("c/d", "")])
        self.assertEqual(entries(text, "server"), [("a", "")])

    def test_results_by_scenario(self):
        with tempfile.TemporaryDirectory() as root:
            folder = Path(root) / "server-tools-list-2026-11-30T21-26-38-799Z"
            folder.mkdir()
            (folder / "checks.json").write_text("[]")
            self.assertEqual(results(Path(root), "server-"), {"tools-list": []})
            folder.rename(Path(root) / "server-tools-list")
            self.assertRaises(SuiteError, results, Path(root), "server-")


if __name__ == "__main__":
    unittest.main()
