use proptest::prelude::*;

use super::*;

fn any_outcome() -> impl Strategy<Value = Outcome> {
    prop::sample::select(vec![
        Outcome::Ok,
        Outcome::ToolError,
        Outcome::RpcError,
        Outcome::InputRequired,
        Outcome::Timeout,
        Outcome::ProtocolCrash,
    ])
}

fn any_class() -> impl Strategy<Value = CaseClass> {
    prop::sample::select(vec![
        CaseClass::Generated,
        CaseClass::Example,
        CaseClass::Malformed,
        CaseClass::Coercion,
        CaseClass::ExtraKey,
        CaseClass::Edge,
    ])
}

prop_compose! {
    fn any_row()(
        tool in 0_usize..6,
        class in any_class(),
        outcome in any_outcome(),
        empty in any::<bool>(),
        broken in any::<bool>(),
        words in prop::option::of("[ab ]{0,2}"),
        latency_us in prop_oneof![0_u64..2_000_000, any::<u64>()],
    ) -> FuzzRow {
        FuzzRow {
            empty_success: empty,
            output_schema_violation: broken.then(|| "/".to_owned()),
            error_text: words,
            latency_us,
            ..row(tool, class, outcome)
        }
    }
}

prop_compose! {
    fn any_finding()(
        tool in prop::option::of(0_usize..6),
        severity in prop::sample::select(Severity::ALL.to_vec()),
        nested in any::<bool>(),
        indexed in any::<bool>(),
        occurrences in prop_oneof![0_u32..4, any::<u32>()],
        lint in any::<bool>(),
    ) -> Finding {
        let mut finding = finding(tool, severity);
        finding.location.nested = nested;
        finding.occurrences = occurrences;
        if !indexed {
            finding.location.tool_index = None;
        }
        if !lint {
            finding.family = Family::Text;
        }
        finding
    }
}

proptest! {
    #[test]
    fn scores_stay_in_bounds(
        tools in 0_usize..6,
        rows in prop::collection::vec(any_row(), 0..40),
        raw in prop::collection::vec(any_finding(), 0..40),
    ) {
        let crashed = rows.iter().any(|row| row.outcome == Outcome::ProtocolCrash);
        let scores = score(&evidence(tools, rows), &raw);
        for model in [&scores.contract, &scores.classic] {
            prop_assert!(model.overall.is_none_or(|overall| overall <= 100));
            prop_assert_eq!(model.overall.map(Grade::of), model.grade);
            prop_assert_eq!(model.dimensions.len(), 4);
            for dimension in &model.dimensions {
                prop_assert!(dimension.score.is_none_or(|score| (0.0..=10.0).contains(&score)));
                prop_assert!(!dimension.reasons.is_empty());
            }
        }
        prop_assert_eq!(scores.contract.overall.is_none(), tools == 0);
        prop_assert!(!crashed || scores.contract.overall.is_none_or(|overall| overall <= 74));
    }

    #[test]
    fn one_more_finding_never_raises_a_score(
        rows in prop::collection::vec(any_row(), 0..20),
        raw in prop::collection::vec(any_finding(), 0..20),
        tool in 0_usize..6,
        severity in prop::sample::select(Severity::ALL.to_vec()),
        at in any::<prop::sample::Index>(),
    ) {
        // Findings without a position fall into buckets of their own.
        let raw: Vec<Finding> = raw.into_iter().map(|mut one| {
            if let Some(label) = &one.location.tool {
                one.location.tool_index = label.trim_start_matches("tool_").parse().ok();
            }
            one
        }).collect();
        let evidence = evidence(6, rows);
        let before = score(&evidence, &raw);
        let mut more = raw.clone();
        more.insert(at.index(raw.len() + 1), finding(Some(tool), severity));
        let after = score(&evidence, &more);
        prop_assert!(after.contract.overall <= before.contract.overall);
        prop_assert!(after.classic.overall <= before.classic.overall);
    }
}
