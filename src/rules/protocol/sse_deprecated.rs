//! The older transport.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.sse_deprecated",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "the older transport, HTTP with SSE",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility",
        keyword: Some("SHOULD NOT"),
    }),
    why: "It may be gone from clients after July 2027, and many new ones never had it.",
    hint: "Serve Streamable HTTP as well, and leave the older endpoint to older clients.",
    docs: include_str!("sse_deprecated.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(_: &Evidence, reporter: &mut Reporter<'_>) {
    reporter.report("the server is reached by HTTP with SSE, which is deprecated since 2025-03-26");
}
