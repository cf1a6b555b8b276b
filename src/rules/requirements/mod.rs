//! The requirements of the protocol, one row each, and what a run says of them.
//!
//! A row knows when it applies (revision, transport), what must have been seen
//! before it can be judged, and which rules judge it. From the same rows come the
//! decision whether a rule of the family `protocol` may speak at all, the link to
//! the text of the negotiated revision, and the protocol section of the report: a
//! requirement that could not be tested is neither kept nor broken.

mod http;
mod lifecycle;
mod messages;
pub(super) mod needs;
mod spoken;
mod tools;
mod transport;
mod utilities;

use crate::model::checked::{Area, CheckState, Checked, ProtocolSection};
use crate::model::contact::Carrier;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Finding, Severity, Spec};

pub(super) use needs::Gap;
pub(super) use spoken::Spoken;

/// One requirement on servers.
#[derive(Debug)]
pub struct Requirement {
    /// Its id, as `unknown-method`.
    pub id: &'static str,
    /// Its area.
    pub area: Area,
    /// What it asks for, in a few words.
    pub says: &'static str,
    /// How strongly the text says it.
    pub level: Level,
    /// How much it matters when it is broken; a rule may say less where it knows more.
    pub severity: Severity,
    /// The first and the last revision that have it.
    pub revisions: (&'static str, &'static str),
    /// The transports that it concerns.
    pub on: &'static [Carrier],
    /// Where the text stands, below `/specification/<revision>/`: from each of these
    /// revisions on.
    pub pages: &'static [(&'static str, &'static str)],
    /// Who judges it.
    pub judge: Judge,
}

/// Who judges a requirement.
#[derive(Debug)]
pub enum Judge {
    /// These rules, by code, once what they need was seen.
    Rules(&'static [&'static str], Needs),
    /// Nobody: it cannot be judged from outside, for this reason.
    Nobody(&'static str),
}

/// Whether what a requirement needs was seen.
pub type Needs = fn(&Evidence, &Spoken) -> Result<(), Gap>;

/// How strongly the text says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// MUST.
    Must,
    /// MUST NOT.
    MustNot,
    /// SHOULD.
    Should,
    /// SHOULD NOT.
    ShouldNot,
    /// MAY.
    May,
    /// Described without a keyword.
    Stated,
    /// Follows from JSON-RPC or from other rules.
    Derived,
    /// Our own wish; the protocol leaves it open.
    Quality,
}

impl Level {
    /// The keyword of the text.
    pub const fn keyword(self) -> Option<&'static str> {
        match self {
            Self::Must => Some("MUST"),
            Self::MustNot => Some("MUST NOT"),
            Self::Should => Some("SHOULD"),
            Self::ShouldNot => Some("SHOULD NOT"),
            Self::May => Some("MAY"),
            Self::Stated | Self::Derived | Self::Quality => None,
        }
    }
}

/// Every requirement, area by area.
pub fn all() -> impl Iterator<Item = &'static Requirement> {
    [
        lifecycle::ROWS,
        messages::ROWS,
        tools::ROWS,
        utilities::ROWS,
        http::ROWS,
        transport::ROWS,
    ]
    .into_iter()
    .flatten()
}

impl Requirement {
    /// Link to the text of a revision; of the nearest one that has the requirement.
    pub fn link(&self, revision: &str) -> String {
        let (first, last) = self.revisions;
        let revision = revision.clamp(first, last);
        let page = self
            .pages
            .iter()
            .rev()
            .find(|(since, _)| *since <= revision)
            .or(self.pages.first())
            .map_or("", |(_, page)| page);
        format!("https://modelcontextprotocol.io/specification/{revision}/{page}")
    }

    /// The rules that judge it.
    pub const fn codes(&self) -> &'static [&'static str] {
        match self.judge {
            Judge::Rules(codes, _) => codes,
            Judge::Nobody(_) => &[],
        }
    }

    /// Whether it concerns such a server, and is the protocol's at all.
    fn applies(&self, spoken: &Spoken) -> bool {
        let (first, last) = self.revisions;
        let on = match spoken.carrier {
            Some(carrier) => self.on.contains(&carrier),
            // A saved list came over no transport: only what concerns all of them.
            None => self.on.len() == EVERYWHERE.len(),
        };
        // The older transport carries every legacy revision and is described in one.
        let described = self.on == SSE || (first..=last).contains(&spoken.revision);
        on && described && self.level != Level::Quality
    }

    /// Whether it can be judged.
    fn ready(&self, evidence: &Evidence, spoken: &Spoken) -> Result<(), Gap> {
        match self.judge {
            _ if !self.applies(spoken) => Err(Gap::Nothing),
            Judge::Nobody(because) => Err(Gap::NotTested(because.to_owned())),
            Judge::Rules(_, needs) => match needs(evidence, spoken) {
                // What failed first is named, not what followed from it.
                Err(Gap::NotTested(because)) => {
                    needs::connection(evidence)?;
                    Err(Gap::NotTested(because))
                }
                met => met,
            },
        }
    }

    /// Whether a finding breaks it.
    fn is_broken_by(&self, finding: &Finding) -> bool {
        let matters = finding.severity <= Severity::Warning || self.severity == Severity::Info;
        matters && self.codes().contains(&&*finding.code) && self.concerns(finding)
    }

    /// Some rules judge more than the requirement asks for.
    fn concerns(&self, finding: &Finding) -> bool {
        let location = &finding.location;
        let ends_in = |key| {
            location
                .pointer
                .as_deref()
                .is_some_and(|at| at.ends_with(key))
        };
        match (self.id, &*finding.code) {
            ("input-schema-object", "schema.invalid") => ends_in("/inputSchema"),
            ("output-schema-shape", "schema.invalid") => ends_in("/outputSchema"),
            ("tool-name-format", "tool.unusual_name") => {
                let name = location.tool.as_deref().unwrap_or_default();
                !(1..=128).contains(&name.len())
                    || !name
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
            }
            _ => true,
        }
    }
}

/// Whether a rule may speak: one of its requirements applies and can be judged, or it
/// judges none. Rules outside the family `protocol` decide for themselves.
pub(super) fn permit(rule: &super::Rule, evidence: &Evidence, spoken: &Spoken) -> bool {
    if rule.family != Family::Protocol {
        return true;
    }
    let mut own = all()
        .filter(|row| row.codes().contains(&rule.code))
        .peekable();
    own.peek().is_none() || own.any(|row| row.ready(evidence, spoken).is_ok())
}

/// Gives findings of the family `protocol` the link to the text of the revision that
/// they were judged by.
pub(super) fn link(findings: &mut [Finding], spoken: &Spoken) {
    for finding in findings {
        if finding.family != Family::Protocol {
            continue;
        }
        let Some(row) = all().find(|row| row.codes().contains(&&*finding.code)) else {
            continue;
        };
        let keyword = match finding.spec.take() {
            Some(spec) => spec.keyword,
            None => row.level.keyword().map(Into::into),
        };
        finding.spec = Some(Spec {
            link: row.link(spoken.revision).into(),
            keyword,
        });
    }
}

/// What a run says about every requirement that concerns the server. `findings` are the
/// raw ones of all rules; a rule that is `off` was not judged by.
pub fn check(
    evidence: &Evidence,
    findings: &[Finding],
    off: impl Fn(&str) -> bool,
) -> ProtocolSection {
    let spoken = Spoken::of(evidence);
    let checks = all()
        .filter_map(|row| {
            let state = state(row, evidence, &spoken, findings, &off)?;
            Some(Checked {
                id: row.id,
                area: row.area,
                says: row.says,
                keyword: row.level.keyword(),
                link: row.link(spoken.revision),
                state,
            })
        })
        .collect();
    ProtocolSection {
        revision: spoken.revision.to_owned(),
        negotiated: spoken.negotiated,
        checks,
    }
}

/// `None` where there is nothing that the requirement could be about.
fn state(
    row: &Requirement,
    evidence: &Evidence,
    spoken: &Spoken,
    findings: &[Finding],
    off: impl Fn(&str) -> bool,
) -> Option<CheckState> {
    let not_tested = |because: &str| {
        Some(CheckState::NotTested {
            because: because.to_owned(),
        })
    };
    match row.ready(evidence, spoken) {
        Err(Gap::Nothing) => return None,
        Err(Gap::NotTested(because)) => return not_tested(&because),
        Ok(()) => {}
    }
    let known = || {
        row.codes()
            .iter()
            .filter(|code| super::rule(code).is_some())
    };
    if known().next().is_none() {
        return not_tested("this version has no rule for it");
    }
    if known().all(|code| off(code)) {
        return not_tested("its rules are switched off");
    }
    let broken = findings
        .iter()
        .any(|finding| row.is_broken_by(finding) && !off(&finding.code));
    Some(if broken {
        CheckState::Failed
    } else {
        CheckState::Passed
    })
}

/// The carriers by which rows are picked.
const EVERYWHERE: &[Carrier] = &[Carrier::Stdio, Carrier::StreamableHttp, Carrier::Sse];
const STDIO: &[Carrier] = &[Carrier::Stdio];
const HTTP: &[Carrier] = &[Carrier::StreamableHttp];
const BOTH_HTTP: &[Carrier] = &[Carrier::StreamableHttp, Carrier::Sse];
const SSE: &[Carrier] = &[Carrier::Sse];

/// The dates of revisions, and spans of them.
const R2024_11: &str = "2024-11-05";
const R2025_03: &str = "2025-03-26";
const R2025_06: &str = "2025-06-18";
const R2025_11: &str = "2025-11-25";
const R2026_07: &str = "2026-07-28";
const EVERY: (&str, &str) = (R2024_11, R2026_07);
const LEGACY: (&str, &str) = (R2024_11, R2025_11);
const MODERN: (&str, &str) = (R2026_07, R2026_07);
