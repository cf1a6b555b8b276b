//! What several pictures of a report say alike, before it is laid out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::model::checked::{CheckState, Checked, ProtocolSection, Tally};
use crate::model::finding::{Family, Finding, Severity};
use crate::model::fuzz::{FuzzRow, Outcome};
use crate::model::report::{FuzzSection, ModelScore, Report, ScoreModel};
use crate::wording::{count, cut, names};

/// The most tools that one line names.
const NAMED: usize = 4;

/// "82 B", or "no score".
pub(super) fn mark(score: &ModelScore) -> String {
    match (score.overall, score.grade) {
        (Some(overall), Some(grade)) => format!("{overall} {grade}"),
        _ => "no score".to_owned(),
    }
}

/// The score of the model that does not gate: "classic 73 C".
pub(super) fn other_mark(report: &Report) -> String {
    let other = match report.score_model {
        ScoreModel::Contract => &report.scores.classic,
        ScoreModel::Classic => &report.scores.contract,
    };
    format!("{} {}", other.model, mark(other))
}

/// The server's name and version, as it says; the target where it says none.
pub(super) fn server(report: &Report) -> String {
    let name = report
        .target
        .name
        .as_deref()
        .or(report.server.name.as_deref())
        .unwrap_or("unnamed server");
    match report.server.version.as_deref() {
        Some(version) => format!("{} {}", cut(name, 80), cut(version, 40)),
        None => cut(name, 80),
    }
}

/// How it was spoken to: "2025-11-25, legacy, streamable-http"; `None` where nothing
/// was.
pub(super) fn spoken(report: &Report) -> Option<String> {
    let reached = &report.reached;
    let words: Vec<String> = [
        report
            .protocol_version
            .as_ref()
            .map(|version| cut(version, 40)),
        reached.era.map(|era| era.word().to_owned()),
        reached.carrier.map(|carrier| carrier.word().to_owned()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut line = words.join(", ");
    if let Some(other) = &reached.other {
        let _ = match (&other.failure, other.tools) {
            (None, Some(tools)) => write!(
                line,
                " (also {}, {}: {})",
                other.protocol_version.as_deref().unwrap_or("no revision"),
                other.era.word(),
                count(tools, "tool")
            ),
            _ => write!(line, " (also {}, and not listed there)", other.era.word()),
        };
    }
    (!line.is_empty()).then_some(line)
}

/// What was tried on the way, a line each: "initialize: HTTP 404, text/html: no
/// message". Empty where one attempt was enough.
pub(super) fn attempts(report: &Report) -> Vec<String> {
    if report.reached.attempts.len() < 2 {
        return Vec::new();
    }
    let attempts = report.reached.attempts.iter();
    attempts
        .map(|attempt| {
            let status = attempt.status.map(|status| format!("HTTP {status}"));
            let came: Vec<String> = [status, attempt.media.clone()]
                .into_iter()
                .flatten()
                .collect();
            let came = if came.is_empty() {
                String::new()
            } else {
                format!("{}: ", came.join(", "))
            };
            let head = match &attempt.head {
                Some(head) => format!("; it began with {}", one_line(head)),
                None => String::new(),
            };
            format!("{}: {came}{}{head}", attempt.what, attempt.outcome)
        })
        .collect()
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    cut(&words.join(" "), 120)
}

/// How calls went wrong that an agent would not notice or survive, the gravest
/// first; empty where none did.
pub(super) fn critical(report: &Report) -> Vec<String> {
    let Some(fuzz) = &report.fuzz else {
        return Vec::new();
    };
    let about = |way: &str, of: fn(&FuzzRow) -> bool| {
        let tools = tools_with(&fuzz.rows, of);
        (!tools.is_empty()).then(|| {
            format!(
                "{} {way} ({})",
                count(tools.len(), "tool"),
                names(tools.iter().copied(), NAMED)
            )
        })
    };
    let crashes = number(&fuzz.rows, Outcome::ProtocolCrash);
    let hangs = number(&fuzz.rows, Outcome::Timeout);
    [
        about("accepting bad input silently", |row| row.silently_accepted),
        about("succeeding with nothing in the result", |row| {
            row.empty_success
        }),
        about("breaking the declared output schema", |row| {
            row.output_schema_violation.is_some()
        }),
        (crashes > 0).then(|| count(crashes, "call") + " answered by a crash"),
        (hangs > 0).then(|| count(hangs, "call") + " left without an answer"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn number(rows: &[FuzzRow], outcome: Outcome) -> usize {
    rows.iter().filter(|row| row.outcome == outcome).count()
}

/// The tools that have such a row, each once, in the order of the plan.
pub(super) fn tools_with(rows: &[FuzzRow], of: fn(&FuzzRow) -> bool) -> Vec<&str> {
    let mut tools: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| of(row)) {
        // Rows of a tool stand together.
        if tools.last() != Some(&row.tool.as_str()) {
            tools.push(&row.tool);
        }
    }
    tools
}

/// "4 of 5 tools were called" and so on, for people.
pub(super) fn coverage(report: &Report) -> String {
    let coverage = &report.coverage;
    let Some(fuzz) = &report.fuzz else {
        return format!(
            "{} listed, none called",
            count(coverage.total_tools, "tool")
        );
    };
    let mut text = format!(
        "{} of {} called in {} at level {}",
        coverage.called.len(),
        count(coverage.total_tools, "tool"),
        count(fuzz.rows.len(), "call"),
        fuzz.level
    );
    if !coverage.skipped.is_empty() {
        let _ = write!(text, "; {} skipped", coverage.skipped.len());
    }
    if !fuzz.abandoned.is_empty() {
        let _ = write!(text, "; {} given up early", fuzz.abandoned.len());
    }
    text
}

/// The calls that no column of the table counts; `None` where there are none.
pub(super) fn inconclusive(rows: &[FuzzRow]) -> Option<String> {
    let asked: Vec<&FuzzRow> = rows
        .iter()
        .filter(|row| row.outcome == Outcome::InputRequired)
        .collect();
    let mut ways: Vec<String> = asked
        .iter()
        .map(|row| match row.error_text.as_deref() {
            Some(text) => cut(text, 40),
            None => "a request for more input, or a task".to_owned(),
        })
        .collect();
    ways.sort();
    ways.dedup();
    let ways: Vec<&str> = ways.iter().map(String::as_str).take(NAMED).collect();
    (!asked.is_empty()).then(|| {
        format!(
            "{} in no column, because the answer was {}.",
            count(asked.len(), "call"),
            ways.join(", or ")
        )
    })
}

/// How many refusals of a tool were rated, and their mean ("2.33"; "–" where there
/// was none).
pub(super) fn helpfulness(fuzz: &FuzzSection, tool_index: usize) -> (usize, String) {
    let tool = fuzz
        .helpfulness
        .iter()
        .find(|tool| tool.tool_index == tool_index);
    tool.map_or((0, "–".to_owned()), |tool| {
        let mean = tool.mean_hundredths();
        (tool.refusals, format!("{}.{:02}", mean / 100, mean % 100))
    })
}

/// "1 error, 8 warnings, 6 infos", or "none".
pub(super) fn severities(findings: &[Finding]) -> String {
    let parts: Vec<String> = Severity::ALL
        .into_iter()
        .filter_map(|severity| {
            let number = findings.iter().filter(|f| f.severity == severity).count();
            (number > 0).then(|| count(number, severity.word()))
        })
        .collect();
    if parts.is_empty() {
        return "none".to_owned();
    }
    parts.join(", ")
}

/// "revision 2025-11-25: 38 passed, 2 failed, 12 not tested".
pub(super) fn protocol(section: &ProtocolSection) -> String {
    let judged = if section.negotiated { "" } else { "judged by " };
    format!(
        "{judged}revision {}: {}",
        section.revision,
        tally(section.tally())
    )
}

/// "38 passed, 2 failed, 12 not tested".
pub(super) fn tally(tally: Tally) -> String {
    format!(
        "{} passed, {} failed, {} not tested",
        tally.passed, tally.failed, tally.not_tested
    )
}

/// Requirements that were broken, each with what it says.
pub(super) fn broken(section: &ProtocolSection) -> impl Iterator<Item = &Checked> {
    let checks = section.checks.iter();
    checks.filter(|check| is_broken(check))
}

const fn is_broken(check: &Checked) -> bool {
    matches!(check.state, CheckState::Failed | CheckState::Suppressed)
}

/// What stands after a broken requirement whose findings the user suppressed.
pub(super) fn suppressed_mark(check: &Checked) -> &'static str {
    if check.state == CheckState::Suppressed {
        " (suppressed)"
    } else {
        ""
    }
}

/// Reasons why requirements were not tested, the commonest first, each with their ids.
pub(super) fn gaps(section: &ProtocolSection) -> Vec<(&str, Vec<&str>)> {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for check in &section.checks {
        if let CheckState::NotTested { because } = &check.state {
            reasons.entry(because).or_default().push(check.id);
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, ids)| std::cmp::Reverse(ids.len()));
    reasons
}

/// Findings of one rule and one severity.
pub(super) struct Group<'a> {
    /// How much they matter.
    pub(super) severity: Severity,
    /// The rule.
    pub(super) code: &'a str,
    /// At least one, in the order of the report.
    pub(super) findings: Vec<&'a Finding>,
}

impl Group<'_> {
    /// What to do about it, as the first finding says.
    pub(super) fn hint(&self) -> &str {
        self.findings.first().map_or("", |first| &first.hint)
    }

    /// What it costs, as the first finding says.
    pub(super) fn why(&self) -> &str {
        self.findings.first().map_or("", |first| &first.why)
    }
}

/// Findings by rule, the worst first.
pub(super) fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut all: BTreeMap<(Severity, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        all.entry((finding.severity, &finding.code))
            .or_default()
            .push(finding);
    }
    all.into_iter()
        .map(|((severity, code), findings)| Group {
            severity,
            code,
            findings,
        })
        .collect()
}

/// `tool`, `tool.param`, `server`, or `settings`.
pub(super) fn place(finding: &Finding) -> String {
    match (&finding.location.tool, &finding.location.param) {
        (Some(tool), Some(param)) => format!("{}.{}", cut(tool, 64), cut(param, 64)),
        (Some(tool), None) => cut(tool, 64),
        (None, _) if finding.family == Family::Settings => "settings".to_owned(),
        (None, _) => "server".to_owned(),
    }
}

/// What is notable about a call, in a few words of ours and theirs.
pub(super) fn note(row: &FuzzRow) -> String {
    let mut parts = Vec::new();
    if row.outcome == Outcome::ProtocolCrash {
        let ended = row.exchange.exit.map(|exit| exit.to_string());
        let why = ended.as_deref().or(row.exchange.failure.as_deref());
        parts.push(format!("crash: {}", cut(why.unwrap_or("no reply"), 60)));
    }
    if let Some(violation) = &row.output_schema_violation {
        parts.push(format!("output schema: {}", cut(violation, 60)));
    }
    if row.empty_success {
        parts.push("success, but nothing in the result".to_owned());
    }
    let answer = row.answer.as_ref();
    if row.coerced && answer.is_none_or(|answer| answer.failure.is_none()) {
        parts.push("converted".to_owned());
    }
    if crate::score::is_inconclusive(row) {
        parts.push("inconclusive".to_owned());
    }
    if let Some(code) = row.error_code {
        parts.push(format!("code {code}"));
    }
    if let Some(text) = row.error_text.as_deref().filter(|t| !t.trim().is_empty()) {
        parts.push(cut(text.trim(), 60));
    }
    parts.join("; ")
}
