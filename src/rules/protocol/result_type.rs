//! Results without their type.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::wording::names;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.result_type",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "results without a proper `resultType`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic#result-responses",
        keyword: Some("MUST"),
    }),
    why: "Clients choose by it how to read a result, and drop one of a type that they do not know.",
    hint: "Send `\"resultType\": \"complete\"` with every final result, and `\"input_required\"` only for `tools/call`, `prompts/get` and `resources/read`.",
    docs: include_str!("result_type.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// Methods whose result may ask for more.
const MAY_ASK: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let seen = &evidence.wire.results;
    let absent: Vec<_> = seen
        .iter()
        .filter_map(|results| {
            Some((
                results.method.as_str(),
                *results.result_types.get("absent")?,
            ))
        })
        .filter(|(_, times)| *times > 0)
        .collect();
    let times: u64 = absent.iter().map(|(_, times)| times).sum();
    if times > 0 {
        let finding = reporter.report_matter(
            "absent",
            format!(
                "results have no `resultType` ({times} times): {}",
                names(absent.iter().map(|(method, _)| *method), 6)
            ),
        );
        finding.occurrences = u32::try_from(times).unwrap_or(u32::MAX);
    }
    let extended = evidence.inventory.declares("extensions");
    let mut odd = Vec::new();
    for results in seen {
        for raw in results.result_types.keys() {
            let fits = match raw.as_str() {
                "absent" | "\"complete\"" => true,
                "\"input_required\"" => MAY_ASK.contains(&results.method.as_str()),
                // Extensions add types of their own.
                other => extended && other.starts_with('"'),
            };
            if !fits {
                odd.push(format!(
                    "`{}` for `{}`",
                    visible(raw, 60),
                    visible(&results.method, 60)
                ));
            }
        }
    }
    if !odd.is_empty() {
        odd.truncate(6);
        reporter.report_matter("odd", format!("`resultType` is {}", odd.join(", ")));
    }
}
