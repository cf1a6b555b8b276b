//! A refusal of `initialize` that leaves older clients in the dark.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.modern_init_message",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a refusal of `initialize` that does not name what is supported",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions",
        keyword: Some("SHOULD"),
    }),
    why: "Users of older clients see an error from which they cannot tell what is wrong.",
    hint: "Name the supported revisions in the error to `initialize`, in its message or its data.",
    docs: include_str!("modern_init_message.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "removed:initialize") else {
        return;
    };
    // A server that answers it speaks both eras.
    if probe.taken == Taken::Result {
        return;
    }
    let names = reply::fault(&probe.exchange).is_some_and(|fault| {
        let data = if fault.data == Value::Null {
            String::new()
        } else {
            fault.data.to_string()
        };
        holds_a_date(&fault.message) || holds_a_date(&data)
    });
    if !names {
        reporter.report(format!(
            "`initialize` is met with {}, which does not name the revisions that are supported",
            told(probe)
        ));
    }
}

/// Something like 2026-07-28.
fn holds_a_date(text: &str) -> bool {
    text.as_bytes().windows(10).any(|window| {
        window.starts_with(b"20")
            && window.iter().enumerate().all(|(at, byte)| match at {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            })
    })
}
