"""What the suite's client scenarios say of our client."""

EXPECTED_FAILURES = "expected-failures.yaml"
# These are what the client library stands for; none of them may stand in the file.
OURS = {
    "2025-11-25": ("initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"),
    "2026-07-28": ("tools_call", "request-metadata", "sep-2322-client-request-state", "http-standard-headers",
                   "http-custom-headers", "http-invalid-tool-headers", "json-schema-ref-no-deref"),
}


def problems_of_set(revision, required, results, exits, expected):
    """What is wrong with a run of a set.

    `results` are checks by scenario, `exits` the client's exit codes by scenario,
    `expected` the scenarios that may fail, with a reason each.
    """
    found = [f"{scenario}: was not run" for scenario in [*OURS[revision], *required] if scenario not in results]
    for scenario, checks in sorted(results.items()):
        problem = problem_of(scenario, checks, exits.get(scenario))
        if scenario in expected and scenario in OURS[revision]:
            found.append(f"{scenario}: must pass and cannot be expected to fail")
        elif scenario in expected and problem is None:
            found.append(f"{scenario}: passes now; take it out of {EXPECTED_FAILURES}")
        elif scenario not in expected and problem is not None:
            found.append(f"{scenario}: {problem}")
    return list(dict.fromkeys(found))


def problem_of(scenario, checks, code):
    """Why a scenario is not passed, or None."""
    broken = [check["id"] for check in checks if check["status"] in ("FAILURE", "WARNING")]
    if broken:
        return f"fails in {', '.join(dict.fromkeys(broken))}"
    if not any(check["status"] == "SUCCESS" for check in checks):
        return "no check with SUCCESS"
    # A client that is to refuse credentials passes by an error; its code says nothing.
    if code != 0 and not scenario.startswith("auth/"):
        return f"the client ended with {code}"
    return None


def problems_of_file(expected, ran):
    """What is wrong with the file of expected failures; `ran` are all scenarios run."""
    found = [f"{EXPECTED_FAILURES}: {scenario} has no reason" for scenario, reason in expected.items() if not reason]
    return found + [f"{EXPECTED_FAILURES}: {scenario} is no scenario of these sets" for scenario in expected
                    if scenario not in ran]


def exit_codes(text):
    """The client's exit codes by scenario, from the lines that `client` leaves."""
    return {scenario: int(code) for scenario, code in (line.split() for line in text.splitlines())}
