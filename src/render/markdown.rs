//! The report as Markdown: for a job summary, a pull request, a file.
//!
//! Sections and their order are those that readers of such reports know:
//! header, dimensions, findings, fuzz table, recommended fixes; then what was
//! not tested. Server text is escaped; a table keeps its columns.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::model::checked::ProtocolSection;
use crate::model::finding::Finding;
use crate::model::fuzz::FuzzRow;
use crate::model::report::{DimensionScore, FuzzSection, Report, Untested};
use crate::render::digest;
use crate::render::escape::{
    markdown as text, markdown_block, markdown_code as code, markdown_prose as prose,
};
use crate::render::suppressed;
use crate::wording::{count, cut};

/// The most findings in the list, rows in the table and entries at the end. A
/// job summary holds 1 MiB; the JSON report has everything.
const FINDINGS: usize = 200;
const ROWS: usize = 400;
const NOTES: usize = 20;
const UNTESTED: usize = 40;

/// The most places after a recommended fix.
const PLACES: usize = 5;

/// The whole report as Markdown, with a line feed at its end.
pub fn render(report: &Report) -> String {
    let mut page = String::new();
    header(&mut page, report);
    dimensions(&mut page, report);
    findings(&mut page, &report.findings);
    if let Some(section) = &report.suppressions {
        suppressed::markdown(&mut page, section);
    }
    if let Some(section) = &report.protocol {
        protocol(&mut page, section);
    }
    if let Some(fuzz) = &report.fuzz {
        fuzz_table(&mut page, &fuzz.rows);
        tool_table(&mut page, fuzz);
    }
    fixes(&mut page, report);
    notes(&mut page, &report.notes);
    untested(&mut page, &report.untested);
    let _ = writeln!(
        page,
        "\n---\n\n{} {}, score models contract {} and classic {}",
        text(&report.producer.name),
        text(&report.producer.version),
        report.scores.contract.version,
        report.scores.classic.version
    );
    page
}

fn line(page: &mut String, text: &str) {
    page.push_str(text);
    page.push('\n');
}

/// A bold label and its text as a line of its own (two blanks break it).
fn field(page: &mut String, label: &str, value: &str) {
    let _ = writeln!(page, "**{label}:** {value}  ");
}

fn header(page: &mut String, report: &Report) {
    let score = report.score();
    line(page, "# MCP audit report\n");
    let server = match (&report.server.name, &report.server.version) {
        (Some(name), Some(version)) => {
            format!("{} {}", code(&cut(name, 80)), text(&cut(version, 40)))
        }
        (Some(name), None) => code(&cut(name, 80)),
        (None, _) => "gives no name".to_owned(),
    };
    field(page, "Server", &server);
    if let Some(name) = &report.target.name {
        field(page, "Name", &text(&cut(name, 80)));
    }
    field(
        page,
        "Target",
        &format!(
            "{} ({})",
            code(&cut(&report.target.display, 200)),
            report.target.transport.word()
        ),
    );
    if let Some(spoken) = digest::spoken(report) {
        field(page, "Protocol", &text(&spoken));
    }
    if let Some(instructions) = &report.server.instructions {
        let one_line: Vec<&str> = instructions.split_whitespace().collect();
        if !one_line.is_empty() {
            field(page, "Instructions", &text(&cut(&one_line.join(" "), 120)));
        }
    }
    let mut overall = format!("{} · {}", digest::mark(score), digest::other_mark(report));
    if let Some(cap) = &score.cap {
        let _ = write!(
            overall,
            " · capped at {}, otherwise {}",
            cap.limit, cap.uncapped
        );
    }
    field(page, "Overall", &overall);
    if let Some(sentence) = suppressed::sentence(report) {
        field(page, "Suppressed", &text(&sentence));
    }
    let grade = score
        .grade
        .map_or("none".to_owned(), |grade| grade.to_string());
    field(
        page,
        "Grade",
        &format!(
            "{grade} ({}, {})",
            report.score_model, report.completeness.level
        ),
    );
    let verdict = if report.verdict.passed {
        "✅ pass"
    } else {
        "❌ "
    };
    let kind = if report.verdict.passed {
        ""
    } else {
        report.verdict.kind.word()
    };
    let reasons: Vec<String> = report
        .verdict
        .reasons
        .iter()
        .map(|reason| prose(&cut(reason, 600)))
        .collect();
    field(
        page,
        "Verdict",
        &format!("{verdict}{kind} – {}", reasons.join(" ")),
    );
    field(page, "Coverage", &text(&digest::coverage(report)));
    critical(page, report);
    if let Some(failure) = &report.failure {
        failure_block(page, &failure.message, failure.stderr_tail.as_deref());
        tried(page, report);
    }
}

fn critical(page: &mut String, report: &Report) {
    let any_call = report
        .fuzz
        .as_ref()
        .is_some_and(|fuzz| !fuzz.rows.is_empty());
    if !any_call {
        return;
    }
    let fragments = digest::critical(report);
    if fragments.is_empty() {
        line(
            page,
            "✓ Nothing critical in how the tools took their calls.",
        );
        return;
    }
    let _ = writeln!(page, "⚠ **Critical:** {}", prose(&fragments.join("; ")));
}

fn failure_block(page: &mut String, message: &str, stderr_tail: Option<&str>) {
    let _ = writeln!(page, "\n> {}", prose(&cut(message, 1000)));
    if let Some(tail) = stderr_tail.filter(|tail| !tail.trim().is_empty()) {
        let _ = writeln!(page, "\nThe last of standard error:\n");
        page.push_str(&markdown_block("text", &last_lines(tail, 20)));
    }
}

/// What was tried, where it led to no connection.
fn tried(page: &mut String, report: &Report) {
    if report.reached.era.is_some() {
        return;
    }
    let attempts = digest::attempts(report);
    if !attempts.is_empty() {
        line(page, "\nTried:\n");
    }
    for attempt in attempts {
        let _ = writeln!(page, "- {}", prose(&attempt));
    }
}

fn last_lines(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let from = lines.len().saturating_sub(most);
    let cut_lines: Vec<String> = lines[from..].iter().map(|line| cut(line, 300)).collect();
    cut_lines.join("\n")
}

fn dimensions(page: &mut String, report: &Report) {
    line(page, "\n## Dimensions");
    let score = report.score();
    for dimension in &score.dimensions {
        let _ = writeln!(
            page,
            "\n### {}: {}\n",
            text(dimension.dimension.label()),
            points(dimension)
        );
        for reason in &dimension.reasons {
            let _ = writeln!(page, "- {}", prose(reason));
        }
    }
    let _ = writeln!(
        page,
        "\n{}: {}",
        report.score_model,
        text(&score.arithmetic)
    );
    if let Some(cap) = &score.cap {
        let _ = writeln!(page, "\n{}", prose(&cap.because));
    }
    for reason in &report.completeness.reasons {
        let _ = writeln!(page, "\n{}: {}", report.completeness.level, prose(reason));
    }
}

fn points(dimension: &DimensionScore) -> String {
    match dimension.score {
        Some(score) => format!("{score} / 10"),
        None => "not measured".to_owned(),
    }
}

fn findings(page: &mut String, findings: &[Finding]) {
    line(page, "\n## Findings summary\n");
    if findings.is_empty() {
        line(page, "No findings.");
        return;
    }
    let _ = writeln!(page, "{}\n", digest::severities(findings));
    for finding in findings.iter().take(FINDINGS) {
        let _ = writeln!(
            page,
            "- **{}** {} {}: {}",
            finding.severity,
            code(&finding.code),
            code(&digest::place(finding)),
            prose(&cut(&finding.message, 500))
        );
    }
    more(page, findings.len(), FINDINGS, "finding");
}

/// The requirements of the protocol by area, and those that were broken.
fn protocol(page: &mut String, section: &ProtocolSection) {
    line(page, "\n## Protocol\n");
    let _ = writeln!(page, "{}\n", text(&digest::protocol(section)));
    if section.tally().run() > 0 {
        for (area, tally) in section.areas() {
            let _ = writeln!(page, "- {}: {}", area.word(), digest::tally(tally));
        }
    }
    for check in digest::broken(section) {
        let keyword = check
            .keyword
            .map_or_else(String::new, |keyword| format!(" ({keyword})"));
        let _ = writeln!(
            page,
            "- **failed**{} {}: {}{keyword}",
            digest::suppressed_mark(check),
            code(check.id),
            prose(check.says)
        );
    }
    for (because, ids) in digest::gaps(section) {
        let _ = writeln!(
            page,
            "- not tested, because {}: {}",
            prose(&cut(because, 200)),
            places_line(ids)
        );
    }
}

/// Says how many were left out of a list.
fn more(page: &mut String, all: usize, most: usize, noun: &str) {
    if let Some(rest) = all.checked_sub(most).filter(|&rest| rest > 0) {
        let _ = writeln!(
            page,
            "\n{} in the JSON report.",
            count(rest, &format!("more {noun}"))
        );
    }
}

fn fuzz_table(page: &mut String, rows: &[FuzzRow]) {
    line(page, "\n## Fuzz table\n");
    if rows.is_empty() {
        line(page, "No call was made.");
        return;
    }
    line(
        page,
        "| Tool | Case | Outcome | Silent | Latency (ms) | Notes |",
    );
    line(page, "| --- | --- | --- | --- | ---: | --- |");
    for row in rows.iter().take(ROWS) {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} |",
            code(&cut(&row.tool, 64)),
            text(&cut(&row.case.label, 64)),
            row.outcome,
            if row.silently_accepted { "yes" } else { "no" },
            row.latency_us / 1000,
            text(&digest::note(row))
        );
    }
    more(page, rows.len(), ROWS, "call");
}

/// How long the calls of each tool took, and how much its refusals help.
fn tool_table(page: &mut String, fuzz: &FuzzSection) {
    if fuzz.latencies.is_empty() {
        return;
    }
    line(page, "\n## Tools called\n");
    line(
        page,
        "| Tool | Answered | p50 (ms) | p95 (ms) | Refusals | Helpfulness (0–3) |",
    );
    line(page, "| --- | ---: | ---: | ---: | ---: | ---: |");
    for tool in fuzz.latencies.iter().take(ROWS) {
        let (refusals, mean) = digest::helpfulness(fuzz, tool.tool_index);
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {refusals} | {mean} |",
            code(&cut(&tool.tool, 64)),
            tool.calls,
            tool.p50_us / 1000,
            tool.p95_us / 1000,
        );
    }
    more(page, fuzz.latencies.len(), ROWS, "tool");
}

fn fixes(page: &mut String, report: &Report) {
    line(page, "\n## Recommended fixes\n");
    let groups = digest::groups(&report.findings);
    if groups.is_empty() {
        let clean = if report.score().overall.is_some() {
            "Nothing to mend: everything that was tested is in order."
        } else {
            "Nothing was judged that could be mended."
        };
        line(page, clean);
        return;
    }
    for group in groups {
        let places: Vec<String> = group.findings.iter().map(|f| digest::place(f)).collect();
        let _ = writeln!(
            page,
            "- **{}** {} ({}) – {}",
            group.severity,
            prose(&cut(group.hint(), 500)),
            code(group.code),
            places_line(places.iter().map(String::as_str))
        );
    }
}

fn places_line<'a>(places: impl IntoIterator<Item = &'a str>) -> String {
    let mut seen = BTreeSet::new();
    let unique: Vec<&str> = places
        .into_iter()
        .filter(|place| seen.insert(*place))
        .collect();
    let shown: Vec<String> = unique
        .iter()
        .take(PLACES)
        .map(|place| code(place))
        .collect();
    let rest = unique.len().saturating_sub(PLACES);
    if rest == 0 {
        shown.join(", ")
    } else {
        format!("{}, +{rest} more", shown.join(", "))
    }
}

fn notes(page: &mut String, all: &[String]) {
    if all.is_empty() {
        return;
    }
    line(page, "\n## Notes\n");
    for note in all.iter().take(NOTES) {
        let _ = writeln!(page, "- {}", prose(&cut(note, 400)));
    }
    more(page, all.len(), NOTES, "note");
}

fn untested(page: &mut String, all: &[Untested]) {
    line(page, "\n## Not tested\n");
    for untested in all.iter().take(UNTESTED) {
        let _ = writeln!(
            page,
            "- **{}** – {}",
            prose(&cut(&untested.what, 400)),
            prose(&cut(&untested.because, 1000))
        );
        if let Some(lines) = &untested.paste {
            page.push('\n');
            page.push_str(&markdown_block("toml", lines));
            page.push('\n');
        }
    }
    more(page, all.len(), UNTESTED, "item");
}
