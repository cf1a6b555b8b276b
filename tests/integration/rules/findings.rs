//! What the rules say, and what of it is shown.

use std::fmt::Write;

use mcprobe::model::finding::Finding;
use mcprobe::rules::{self, RULES};

use super::fixture;

fn picture(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let location = &finding.location;
        let _ = write!(text, "{:7} {}", finding.severity, finding.code);
        if let Some(tool) = &location.tool {
            let _ = write!(text, " tool={tool:?}");
        }
        if let Some(param) = &location.param {
            let _ = write!(text, " param={param:?}");
        }
        if let Some(pointer) = &location.pointer {
            let _ = write!(text, " {pointer}");
        }
        if location.nested {
            text.push_str(" nested");
        }
        if finding.occurrences != 1 {
            let _ = write!(text, " ×{}", finding.occurrences);
        }
        let _ = writeln!(
            text,
            " {}\n        {}",
            finding.fingerprint, finding.message
        );
    }
    text
}

#[test]
fn bad_fixtures_give_these_findings() {
    let mut text = String::new();
    for rule in RULES {
        let findings = fixture::findings(rule.code, "bad.json");
        let _ = writeln!(text, "# {}\n{}", rule.code, picture(&findings));
    }
    insta::assert_snapshot!(text);
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings
        .iter()
        .map(|finding| finding.code.as_ref())
        .collect()
}

#[test]
fn one_bad_entry_hides_no_other_tool() {
    let findings = rules::lint(&fixture::evidence(
        r#"{"tools": [null, {"name": "b", "x": [[]]}, 5]}"#,
    ));
    let about = |index| {
        let here = findings
            .iter()
            .filter(move |f| f.location.tool_index == Some(index));
        here.map(|f| f.code.as_ref()).collect::<Vec<_>>()
    };
    assert_eq!(about(0), ["protocol.bad_tool_entry"]);
    assert_eq!(about(2), ["protocol.bad_tool_entry"]);
    assert_eq!(
        about(1),
        [
            "protocol.input_schema_missing",
            "tool.missing_description",
            "tool.no_annotations",
            "tool.no_input_schema"
        ]
    );
}

#[test]
fn subsumed_findings_are_not_shown_and_the_rest_is_sorted() {
    let raw = rules::lint(&fixture::read("process.exited", "bad.json"));
    assert_eq!(codes(&raw), ["process.exited", "protocol.list_failed"]);
    assert_eq!(codes(&rules::shown(raw.clone())), ["process.exited"]);

    let raw = rules::lint(&fixture::evidence(
        r#"{"tools": [{"name": "aB", "inputSchema": {"type": "object"}}, {"name": "b", "description": "Too thin.", "inputSchema": {"type": "object"}}]}"#,
    ));
    let shown = rules::shown(raw.clone());
    assert_eq!(shown.len(), raw.len());
    assert!(shown.is_sorted_by_key(|f| (f.severity, f.code.clone(), f.location.tool_index)));
}

#[test]
fn fingerprints_survive_a_new_order_and_tell_twins_apart() {
    let tools = [
        r#"{"name": "a", "inputSchema": {"properties": {"x": {}}}}"#,
        r#"{"name": "b"}"#,
        r#"{"name": "b"}"#,
    ];
    let prints = |order: [usize; 3]| {
        let list = order.map(|at| tools[at]).join(",");
        let findings = rules::lint(&fixture::evidence(&format!("{{\"tools\": [{list}]}}")));
        let mut prints: Vec<String> = findings.into_iter().map(|f| f.fingerprint).collect();
        prints.sort();
        prints
    };
    let first = prints([0, 1, 2]);
    assert_eq!(first, prints([1, 2, 0]));
    let mut distinct = first.clone();
    distinct.dedup();
    assert_eq!(distinct, first);
    assert!(first.iter().all(|print| print.len() == 16));
}

#[test]
fn before_2025_11_25_an_undeclared_schema_may_be_draft_07() {
    let list = r#"{"tools": [{"name": "t", "inputSchema": {"type": "object", "properties": {"p": {"items": [{}]}}}}]}"#;
    let mut evidence = fixture::evidence(list);
    let says_invalid = |evidence: &_| codes(&rules::lint(evidence)).contains(&"schema.invalid");
    assert!(says_invalid(&evidence));
    evidence.inventory.protocol_version = Some("2025-06-18".to_owned());
    assert!(!says_invalid(&evidence));
}

#[test]
fn a_list_that_failed_is_not_an_empty_one() {
    let raw = rules::lint(&fixture::evidence(
        r#"{"evidence": {"inventory": {"tools": {"entries": [], "end": {"kind": "failed", "reason": "x"}}}}}"#,
    ));
    assert_eq!(codes(&raw), ["protocol.list_failed"]);
}
