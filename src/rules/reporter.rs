//! What a rule's function reports with.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{Role, Rule};
use crate::model::finding::{Finding, Location, Spec};
use crate::model::fuzz::FuzzRow;
use crate::model::tool::Tool;
use crate::schema::walk::Property;

/// Takes the findings of one rule at one place.
#[derive(Debug)]
pub struct Reporter<'a> {
    rule: &'static Rule,
    place: Place<'a>,
    drafts: &'a mut Vec<Draft>,
}

/// The node that the rule looks at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'a> {
    Server,
    Tool(&'a Tool),
    Schema(&'a Tool, Role),
    Param(&'a Tool, &'a Property<'a>),
}

/// A finding before it has its fingerprint.
#[derive(Debug)]
pub(super) struct Draft {
    finding: Finding,
    /// What tells it apart from others of the rule at the same place.
    matter: String,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(rule: &'static Rule, place: Place<'a>, drafts: &'a mut Vec<Draft>) -> Self {
        Self {
            rule,
            place,
            drafts,
        }
    }

    /// Reports at the node itself. The finding may still be made more exact.
    pub(super) fn report(&mut self, message: impl Into<String>) -> &mut Finding {
        let location = self.place.location();
        self.push(location, String::new(), message.into())
    }

    /// Reports at the node itself about one of several matters there.
    pub(super) fn report_matter(
        &mut self,
        matter: &str,
        message: impl Into<String>,
    ) -> &mut Finding {
        let location = self.place.location();
        self.push(location, matter.to_owned(), message.into())
    }

    /// Reports about a call of a tool; `matter` tells several such apart.
    pub(super) fn report_call(
        &mut self,
        row: &FuzzRow,
        matter: &str,
        message: impl Into<String>,
    ) -> &mut Finding {
        let location = Location {
            tool: Some(row.tool.clone()),
            tool_index: Some(row.tool_index),
            ..Location::default()
        };
        let finding = self.push(location, matter.to_owned(), message.into());
        finding.case = Some(row.case.label.clone());
        finding
    }

    /// Reports about a tool as a whole; `matter` tells several such apart.
    pub(super) fn report_tool(
        &mut self,
        tool: &str,
        tool_index: usize,
        matter: &str,
        message: impl Into<String>,
    ) -> &mut Finding {
        let location = Location {
            tool: Some(tool.to_owned()),
            tool_index: Some(tool_index),
            ..Location::default()
        };
        self.push(location, matter.to_owned(), message.into())
    }

    fn push(&mut self, location: Location, matter: String, message: String) -> &mut Finding {
        let rule = self.rule;
        let finding = Finding {
            code: rule.code.into(),
            family: rule.family,
            severity: rule.severity,
            message,
            why: rule.why.into(),
            hint: rule.hint.into(),
            location,
            case: None,
            spec: rule.spec.map(|section| Spec {
                link: section.link.into(),
                keyword: section.keyword.map(Into::into),
            }),
            occurrences: 1,
            fingerprint: String::new(),
        };
        let at = self.drafts.len();
        self.drafts.push(Draft { finding, matter });
        &mut self.drafts[at].finding
    }
}

impl Place<'_> {
    fn location(self) -> Location {
        let at = |tool: &Tool, pointer: String| Location {
            tool: Some(tool.label()),
            pointer: Some(pointer),
            tool_index: Some(tool.index),
            ..Location::default()
        };
        match self {
            Self::Server => Location::default(),
            Self::Tool(tool) => at(tool, tool.pointer("")),
            Self::Schema(tool, role) => at(tool, tool.pointer(&format!("/{}", role.key()))),
            Self::Param(tool, property) => Location {
                param: Some(property.name.to_owned()),
                nested: property.nested,
                ..at(tool, property.pointer.to_owned())
            },
        }
    }
}

/// Gives each finding its fingerprint.
pub(super) fn finish(drafts: Vec<Draft>) -> Vec<Finding> {
    let mut seen: BTreeMap<[u8; 8], u32> = BTreeMap::new();
    drafts
        .into_iter()
        .map(
            |Draft {
                 mut finding,
                 matter,
             }| {
                let first = fingerprint(&finding, &matter, 0);
                let times = seen.entry(first).or_default();
                // Two tools of one name share all that a fingerprint is made of.
                let own = match *times {
                    0 => first,
                    times => fingerprint(&finding, &matter, times),
                };
                *times += 1;
                finding.fingerprint = format!("{:016x}", u64::from_be_bytes(own));
                finding
            },
        )
        .collect()
}

/// Over the rule, the tool's name and the place inside the tool: it stays the
/// same when the list is reordered or other tools come and go.
fn fingerprint(finding: &Finding, matter: &str, times: u32) -> [u8; 8] {
    let location = &finding.location;
    let tool = location.tool.as_deref().unwrap_or_default();
    // A label made of the position is no name.
    let tool = if tool.starts_with("tools[") { "" } else { tool };
    let pointer = location.pointer.as_deref().unwrap_or_default();
    let mut hash = Sha256::new();
    for part in [&finding.code, tool, without_index(pointer), matter] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.update(times.to_be_bytes());
    let digest = hash.finalize();
    let mut short = [0; 8];
    short.copy_from_slice(&digest[..8]);
    short
}

/// `/tools/3/inputSchema` to `/inputSchema`.
fn without_index(pointer: &str) -> &str {
    pointer
        .strip_prefix("/tools/")
        .map_or(pointer, |rest| rest.find('/').map_or("", |at| &rest[at..]))
}
