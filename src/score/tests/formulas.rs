use super::*;

#[test]
fn a_tool_costs_two_at_most_and_the_limit_is_said() {
    // Tool 0 weighs 3, the other three weigh 3.5 together.
    let mut raw = vec![finding(Some(0), Severity::Error)];
    raw.extend((0..4).map(|_| finding(Some(0), Severity::Warning)));
    raw.extend((0..4).map(|at| finding(Some(1 + at % 3), Severity::Warning)));
    raw.extend((0..6).map(|at| finding(Some(1 + at % 3), Severity::Info)));
    let scores = score(&evidence(4, Vec::new()), &raw);
    let schema = &scores.contract.dimensions[1];
    insta::assert_debug_snapshot!(schema, @r#"
        DimensionScore {
            dimension: SchemaQuality,
            score: Some(
                3.13,
            ),
            reasons: [
                "1 error (1 each), 8 warnings (0.5 each), 6 infos (0.25 each).",
                "The tools cost 5.5 in all (2 at most each), a mean of 1.38 over 4 tools: 10 − 10 × min(1, rate ÷ 2) = 3.13.",
                "1 tool reached the limit of 2.",
                "Most often: `tool.warning` × 8, `tool.info` × 6, `tool.error` × 1.",
            ],
        }
        "#);
}

#[test]
fn a_large_server_is_not_worse_for_its_size() {
    let rate = |tools: usize| {
        let scores = score(
            &evidence(tools, Vec::new()),
            &findings([0, tools, 0], tools),
        );
        (
            dimension(&scores.contract, Dimension::SchemaQuality),
            dimension(&scores.classic, Dimension::SchemaQuality),
        )
    };
    assert_eq!(rate(1), (Some(7.5), Some(9.5)));
    assert_eq!(rate(100), (Some(7.5), Some(0.0)));
}

#[test]
fn the_server_as_a_whole_weighs_beside_the_mean() {
    let scores = score(
        &evidence(10, Vec::new()),
        &[finding(None, Severity::Warning)],
    );
    assert_eq!(
        dimension(&scores.contract, Dimension::SchemaQuality),
        Some(7.5)
    );
}

#[test]
fn classic_counts_occurrences_and_leaves_out_nested_parameters() {
    let mut twice = finding(Some(0), Severity::Error);
    twice.occurrences = 2;
    let mut nested = finding(Some(0), Severity::Warning);
    nested.location.nested = true;
    let mut other = finding(Some(0), Severity::Error);
    other.family = Family::Safety;
    let scores = score(&evidence(2, Vec::new()), &[twice, nested, other]);
    assert_eq!(
        dimension(&scores.classic, Dimension::SchemaQuality),
        Some(8.0)
    );
    // 1.5 over two tools.
    assert_eq!(
        dimension(&scores.contract, Dimension::SchemaQuality),
        Some(6.25)
    );
}

#[test]
fn a_json_rpc_error_is_clean_in_contract_and_a_crash_in_classic() {
    let rows = vec![
        row(0, CaseClass::Generated, Outcome::Ok),
        row(0, CaseClass::Malformed, Outcome::RpcError),
        row(0, CaseClass::Malformed, Outcome::ToolError),
    ];
    let scores = score(&evidence(1, rows), &[]);
    let errors = |score| dimension(score, Dimension::ErrorHandling);
    assert_eq!(errors(&scores.contract), Some(10.0));
    assert_eq!(errors(&scores.classic), Some(5.0));
}

#[test]
fn classes_count_where_they_belong() {
    let rows = vec![
        row(0, CaseClass::Malformed, Outcome::ToolError),
        row(0, CaseClass::ExtraKey, Outcome::Ok),
        row(0, CaseClass::Coercion, Outcome::Ok),
        row(0, CaseClass::Edge, Outcome::Ok),
    ];
    let scores = score(&evidence(1, rows), &[]);
    let errors = |score| dimension(score, Dimension::ErrorHandling);
    assert_eq!(errors(&scores.contract), Some(10.0));
    assert_eq!(errors(&scores.classic), Some(5.0));
    assert_eq!(dimension(&scores.contract, Dimension::Liveness), None);
    assert_eq!(dimension(&scores.classic, Dimension::Liveness), Some(10.0));
}

#[test]
fn classic_counts_the_kinds_of_its_author_and_contract_all_that_break() {
    let mut rows = vec![
        row(0, CaseClass::Generated, Outcome::Ok),
        row(0, CaseClass::Malformed, Outcome::ToolError),
    ];
    for further in [
        "null_for:a",
        "out_of_range:a",
        "wrong_type:a.b",
        "missing_required:a[0].b",
        "extra_garbage:a",
        "arguments_array",
    ] {
        let accepted = row(0, CaseClass::Malformed, Outcome::Ok);
        rows.push(labelled(further, accepted));
    }
    let near = row(0, CaseClass::ExtraKey, Outcome::Ok);
    rows.push(labelled("near_miss:tag->tags", near));
    let scores = score(&evidence(1, rows), &[]);
    let errors = |score| dimension(score, Dimension::ErrorHandling);
    assert_eq!(errors(&scores.contract), Some(1.43));
    assert_eq!(errors(&scores.classic), Some(10.0));
}

#[test]
fn edge_cases_change_no_score_however_they_are_answered() {
    let rows = vec![
        row(0, CaseClass::Generated, Outcome::Ok),
        row(0, CaseClass::Malformed, Outcome::ToolError),
        row(0, CaseClass::Malformed, Outcome::Ok),
    ];
    let without = score(&evidence(1, rows.clone()), &[]);
    for outcome in [
        Outcome::Ok,
        Outcome::ToolError,
        Outcome::RpcError,
        Outcome::InputRequired,
        Outcome::Timeout,
    ] {
        let mut rows = rows.clone();
        rows.push(row(0, CaseClass::Edge, outcome));
        let with = score(&evidence(1, rows), &[]);
        assert_eq!(format!("{with:?}"), format!("{without:?}"), "{outcome}");
    }
}

#[test]
fn a_refusal_in_the_words_of_the_refused_baseline_says_nothing() {
    let rows = vec![
        refused(0, CaseClass::Generated, "no such repository"),
        refused(0, CaseClass::Malformed, "no such repository "),
        refused(0, CaseClass::Malformed, "path is required"),
        // Another tool's words do not matter, nor do equal words after success.
        refused(1, CaseClass::Malformed, "no such repository"),
        row(2, CaseClass::Generated, Outcome::Ok),
        refused(2, CaseClass::Malformed, "bad"),
    ];
    let evidence = evidence(3, rows);
    let scores = score(&evidence, &[]);
    insta::assert_debug_snapshot!(scores.contract.dimensions[2], @r#"
        DimensionScore {
            dimension: ErrorHandling,
            score: Some(
                10.0,
            ),
            reasons: [
                "3 of 3 calls that break the declared schema were refused cleanly: 10 × 3 ÷ 3 = 10.",
                "1 refusal left out: `tool_0` refused the valid call in the same words, so nothing shows that the bad input was noticed.",
            ],
        }
        "#);
    insta::assert_debug_snapshot!(scores.contract.dimensions[3], @r#"
        DimensionScore {
            dimension: Liveness,
            score: Some(
                10.0,
            ),
            reasons: [
                "1 of 1 valid call gave a real result: 10 × 1 ÷ 1 = 10.",
                "1 generated call left out as inconclusive: `tool_0` refused arguments that fit the schema. Example arguments in `mcprobe.toml` would settle it.",
            ],
        }
        "#);
    assert_eq!(
        dimension(&scores.classic, Dimension::ErrorHandling),
        Some(10.0)
    );
    assert_eq!(dimension(&scores.classic, Dimension::Liveness), Some(5.0));
    assert_eq!(judged_tools(&evidence, ScoreModel::Contract).len(), 3);
}

#[test]
fn a_refusal_that_denies_a_listed_tool_says_nothing() {
    let denied = |class| FuzzRow {
        error_code: Some(-32602),
        error_text: Some("Unknown tool: tool_1".to_owned()),
        ..row(1, class, Outcome::RpcError)
    };
    let rows = vec![
        row(0, CaseClass::Generated, Outcome::Ok),
        refused(0, CaseClass::Malformed, "path is required"),
        row(1, CaseClass::Generated, Outcome::Ok),
        row(1, CaseClass::Malformed, Outcome::Ok),
        denied(CaseClass::Malformed),
        denied(CaseClass::Generated),
    ];
    let evidence = evidence(2, rows);
    let scores = score(&evidence, &[]);
    let reasons = |at: usize| scores.contract.dimensions[at].reasons.clone();
    assert_eq!(
        reasons(2),
        [
            "1 of 2 calls that break the declared schema were refused cleanly: 10 × 1 ÷ 2 = 5.",
            "1 accepted as if nothing were wrong: `tool_1`.",
            "1 refusal left out: `tool_1` answered as if there were no such tool, though it is listed.",
        ]
    );
    assert_eq!(
        reasons(3),
        [
            "2 of 2 valid calls gave a real result: 10 × 2 ÷ 2 = 10.",
            "1 refusal left out: `tool_1` answered as if there were no such tool, though it is listed.",
        ]
    );
    // The classic formula knows no such difference.
    let classic = |dimension_of| dimension(&scores.classic, dimension_of);
    assert_eq!(classic(Dimension::ErrorHandling), Some(3.33));
    assert_eq!(classic(Dimension::Liveness), Some(6.67));
    let run = evidence.fuzz.as_ref().expect("calls");
    assert_eq!(needing_example(run).count(), 0);
}

#[test]
fn a_users_own_example_counts_when_refused() {
    let scores = score(
        &evidence(1, vec![refused(0, CaseClass::Example, "no")]),
        &[],
    );
    assert_eq!(dimension(&scores.contract, Dimension::Liveness), Some(0.0));
}

#[test]
fn a_refusal_without_words_is_not_clear() {
    let scores = score(
        &evidence(1, vec![refused(0, CaseClass::Generated, " \n")]),
        &[],
    );
    assert_eq!(dimension(&scores.contract, Dimension::Liveness), Some(0.0));
}

#[test]
fn empty_success_and_broken_output_earn_nothing() {
    let mut empty = row(0, CaseClass::Generated, Outcome::Ok);
    empty.empty_success = true;
    let mut broken = row(0, CaseClass::Generated, Outcome::Ok);
    broken.output_schema_violation = Some("/x: missing".to_owned());
    let good = row(0, CaseClass::Generated, Outcome::Ok);
    let asks = row(0, CaseClass::Generated, Outcome::InputRequired);
    let scores = score(&evidence(1, vec![empty, broken, good, asks]), &[]);
    assert_eq!(dimension(&scores.contract, Dimension::Liveness), Some(3.33));
    assert_eq!(dimension(&scores.classic, Dimension::Liveness), Some(2.5));
    insta::assert_debug_snapshot!(scores.contract.dimensions[3].reasons, @r#"
        [
            "1 of 3 valid calls gave a real result: 10 × 1 ÷ 3 = 3.33.",
            "1 broke the declared output schema: `tool_0`.",
            "1 succeeded with nothing in the result: `tool_0`.",
            "1 call left out, which asked for more input: `tool_0`.",
        ]
        "#);
}

#[test]
fn latency_costs_half_a_point_for_each_step_over_the_target() {
    // Milliseconds of each result, and what is left of ten.
    let table: [(&[u64], f64); 8] = [
        (&[200], 10.0),
        (&[249], 10.0),
        (&[250], 9.5),
        (&[349], 9.5),
        (&[550], 8.0),
        (&[100, 401], 9.5),
        (&[10, 20, 9000], 10.0),
        (&[u64::MAX / 1000], 0.0),
    ];
    for (results, left) in table {
        let rows = results
            .iter()
            .map(|ms| FuzzRow {
                confirmed: None,
                latency_us: (ms * 1000).saturating_add(999),
                ..row(0, CaseClass::Generated, Outcome::Ok)
            })
            .collect();
        let scores = score(&evidence(1, rows), &[]);
        let live = dimension(&scores.contract, Dimension::Liveness);
        assert_eq!(live, Some(left), "{results:?}");
    }
}

#[test]
fn a_crash_caps_contract_and_the_cap_is_printed() {
    let mut rows = vec![row(0, CaseClass::Generated, Outcome::Ok)];
    rows.extend((0..20).map(|_| row(0, CaseClass::Malformed, Outcome::ToolError)));
    rows.push(row(0, CaseClass::Edge, Outcome::ProtocolCrash));
    let scores = score(&evidence(1, rows), &[]);
    assert_eq!(scores.contract.overall, Some(74));
    assert_eq!(scores.contract.grade, Some(Grade::C));
    insta::assert_debug_snapshot!(
        (&scores.contract.arithmetic, &scores.contract.cap), @r#"
        (
            "round(10 × (10 + 10 + 10 + 10) ÷ 4) = 100, capped at 74 because of a crash",
            Some(
                Cap {
                    limit: 74,
                    uncapped: 100,
                    because: "The server crashed on a call of `tool_0`; a server that a call can bring down gets 74 at most.",
                },
            ),
        )
        "#);
    assert_eq!(scores.classic.overall, Some(100));
    assert_eq!(scores.classic.cap, None);
}

#[test]
fn nothing_listed_is_no_score() {
    let empty = evidence(0, Vec::new());
    let scores = score(&empty, &[finding(None, Severity::Warning)]);
    assert_eq!(scores.contract.overall, None);
    assert_eq!(scores.contract.grade, None);
    assert_eq!(scores.classic.overall, Some(98));

    let mut failed = evidence(3, Vec::new());
    failed.probe_state = ProbeState::NoTools;
    let scores = score(&failed, &[]);
    assert_eq!(
        (scores.contract.overall, scores.classic.overall),
        (None, None)
    );

    let mut half = evidence(3, Vec::new());
    half.inventory.tools.end = ListEnd::Failed {
        reason: "the second page".to_owned(),
    };
    let scores = score(&half, &[]);
    assert_eq!(
        (scores.contract.overall, scores.classic.overall),
        (None, None)
    );
}

#[test]
fn metadata_weighs_name_and_version() {
    let measure = |name: &str, version: &str, instructions: &str| {
        let mut evidence = evidence(1, Vec::new());
        evidence.inventory.server = ServerInfo {
            name: Some(name.to_owned()),
            version: Some(version.to_owned()),
            title: None,
            instructions: Some(instructions.to_owned()),
        };
        dimension(&score(&evidence, &[]).contract, Dimension::Metadata)
    };
    assert_eq!(measure("a", "1", ""), Some(10.0));
    assert_eq!(measure("a", "1", "use it"), Some(10.0));
    assert_eq!(measure("a", "unknown", " "), Some(8.0));
    assert_eq!(measure("a", "", "use it"), Some(9.0));
    assert_eq!(measure("", "1", ""), Some(6.0));
    assert_eq!(measure("unknown", "", ""), Some(4.0));
    assert_eq!(measure("", "", "use it"), Some(5.0));
}
