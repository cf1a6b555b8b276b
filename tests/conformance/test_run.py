#!/usr/bin/env python3
"""Tests of the comparisons of tests/conformance: that they can fail, and that they can pass."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import clients  # noqa: E402
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
