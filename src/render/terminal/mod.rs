//! The report for a person at a terminal: the answer in the first lines, then
//! what it rests on, then what to do.
//!
//! Long lists are cut and say by how much; the JSON report has everything.
//! Server text is escaped and never begins a line.

mod page;
mod protocol;
pub mod rules;
mod suppressed;

use std::collections::BTreeMap;

use crate::model::finding::{Finding, Severity};
use crate::model::fuzz::{CaseClass, FuzzRow, Outcome};
use crate::model::report::{DimensionScore, FuzzSection, Grade, Report, Untested};
use crate::render::digest::{self, Group};
use crate::render::escape::{terminal as plain, terminal_lines};
use crate::render::suppressed as shared;
use crate::wording::{count, cut};

use page::{Ink, Page, columns, fit};

/// How the page looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether colours are used.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// How much is shown.
    pub detail: Detail,
}

/// How much of a report is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The answer alone: score and verdict.
    Quiet,
    /// What people need.
    Usual,
    /// What was tried on the way to the server as well.
    Verbose,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            color: false,
            width: 80,
            detail: Detail::Usual,
        }
    }
}

/// The most of each list.
const GROUPS: usize = 24;
const PLACES: usize = 3;
const TOOLS: usize = 15;
const NOTES: usize = 8;
const UNTESTED: usize = 12;
const STDERR_LINES: usize = 8;

/// Cells of a bar.
const BAR: usize = 20;

/// The whole report for a terminal, with a line feed at its end.
pub fn render(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    answer(&mut page, report, style.detail);
    if style.detail == Detail::Quiet {
        return page.finish();
    }
    failure(&mut page, report);
    way(&mut page, report, style.detail);
    dimensions(&mut page, report);
    findings(&mut page, &report.findings);
    if let Some(section) = &report.suppressions {
        suppressed::section(&mut page, section);
    }
    if let Some(section) = &report.protocol {
        protocol::section(&mut page, section);
    }
    calls(&mut page, report);
    notes(&mut page, &report.notes);
    untested(&mut page, &report.untested);
    page.finish()
}

/// Score, verdict and the gravest facts.
fn answer(page: &mut Page, report: &Report, detail: Detail) {
    let who = format!("{}  ", digest::server(report));
    let title = format!(
        "  {}{}",
        page.ink(Ink::Bold, &plain(&who)),
        page.ink(
            Ink::Dim,
            &format!(
                "{} {}",
                report.target.transport.word(),
                plain(&cut(&report.target.display, 120))
            )
        )
    );
    page.line(&title);
    if let Some(spoken) = digest::spoken(report).filter(|_| detail != Detail::Quiet) {
        page.text("  ", 2, Ink::Dim, &plain(&spoken));
    }
    page.gap();

    let score = report.score();
    let ink = score.grade.map_or(Ink::Red, grade_ink);
    let mark = digest::mark(score);
    let beside = format!(
        "· {}   {} model, {}",
        digest::other_mark(report),
        report.score_model,
        report.completeness.level
    );
    let line = format!(
        "  {}  {}",
        strong(page, ink, &mark),
        page.ink(Ink::Dim, &beside)
    );
    page.line(&line);
    if let Some(cap) = &score.cap {
        page.text("  ", 2, Ink::Yellow, &plain(&cap.because));
    }
    if let Some(sentence) = shared::sentence(report) {
        page.text("  ", 2, Ink::Yellow, &sentence);
    }

    let (word, ink) = if report.verdict.passed {
        ("PASS", Ink::Green)
    } else {
        ("FAIL", Ink::Red)
    };
    let lead = format!("  {}  ", strong(page, ink, word));
    let reasons = plain(&cut(&report.verdict.reasons.join(" "), 600));
    page.text(&lead, 8, Ink::Plain, &reasons);

    let fragments = digest::critical(report);
    if !fragments.is_empty() {
        let lead = format!("  {}  ", strong(page, Ink::Red, "critical"));
        page.text(&lead, 12, Ink::Plain, &plain(&fragments.join("; ")));
    }
}

fn strong(page: &Page, ink: Ink, text: &str) -> String {
    page.ink(Ink::Bold, &page.ink(ink, text))
}

const fn grade_ink(grade: Grade) -> Ink {
    match grade {
        Grade::A | Grade::B => Ink::Green,
        Grade::C | Grade::D => Ink::Yellow,
        Grade::F => Ink::Red,
    }
}

const fn severity_ink(severity: Severity) -> Ink {
    match severity {
        Severity::Error => Ink::Red,
        Severity::Warning => Ink::Yellow,
        Severity::Info => Ink::Cyan,
    }
}

fn failure(page: &mut Page, report: &Report) {
    let Some(failure) = &report.failure else {
        return;
    };
    page.heading("Cause", report.probe_state.word());
    page.text("  ", 2, Ink::Plain, &plain(&cut(&failure.message, 1000)));
    let Some(tail) = failure.stderr_tail.as_deref().map(str::trim_end) else {
        return;
    };
    let lines: Vec<&str> = tail.lines().collect();
    for line in &lines[lines.len().saturating_sub(STDERR_LINES)..] {
        page.text("  │ ", 4, Ink::Dim, &plain(&cut(line, 300)));
    }
}

/// What was tried on the way to the server: where it led nowhere, and where it was
/// asked for.
fn way(page: &mut Page, report: &Report, detail: Detail) {
    let no_connection = report.failure.is_some() && report.reached.era.is_none();
    let attempts = digest::attempts(report);
    if attempts.is_empty() || !(no_connection || detail == Detail::Verbose) {
        return;
    }
    page.heading("Tried", &count(attempts.len(), "attempt"));
    for attempt in attempts {
        page.text("  ", 4, Ink::Plain, &plain(&attempt));
    }
}

fn dimensions(page: &mut Page, report: &Report) {
    let score = report.score();
    page.heading("Dimensions", &plain(&score.arithmetic));
    let widest = score
        .dimensions
        .iter()
        .map(|dimension| columns(dimension.dimension.label()))
        .max()
        .unwrap_or(0);
    for dimension in &score.dimensions {
        let label = fit(dimension.dimension.label(), widest);
        let line = format!("  {label}  {}", bar(page, dimension));
        page.line(&line);
        for reason in &dimension.reasons {
            page.text("    ", 4, Ink::Dim, &plain(reason));
        }
    }
    for reason in &report.completeness.reasons {
        let lead = format!("  {}: ", report.completeness.level);
        page.text(&lead, columns(&lead), Ink::Plain, &plain(reason));
    }
}

fn bar(page: &Page, dimension: &DimensionScore) -> String {
    let Some(score) = dimension.score else {
        return page.ink(Ink::Dim, &format!("{}  not measured", "·".repeat(BAR)));
    };
    let ink = match score {
        score if score >= 7.5 => Ink::Green,
        score if score >= 4.0 => Ink::Yellow,
        _ => Ink::Red,
    };
    let full = (1..=BAR)
        .filter(|&cell| score * BAR as f64 >= cell as f64 * 10.0)
        .count();
    format!(
        "{}{}  {score}",
        page.ink(ink, &"█".repeat(full)),
        page.ink(Ink::Dim, &"░".repeat(BAR - full)),
    )
}

fn findings(page: &mut Page, findings: &[Finding]) {
    page.heading("Findings", &digest::severities(findings));
    let groups = digest::groups(findings);
    for group in groups.iter().take(GROUPS) {
        finding_group(page, group);
    }
    more(page, groups.len(), GROUPS, "rule");
}

fn finding_group(page: &mut Page, group: &Group<'_>) {
    let number = group.findings.len();
    let line = format!(
        "  {} {}{}",
        page.ink(severity_ink(group.severity), &fit(group.severity.word(), 7)),
        page.ink(Ink::Bold, &plain(group.code)),
        if number > 1 {
            format!("  × {number}")
        } else {
            String::new()
        }
    );
    page.line(&line);
    for finding in group.findings.iter().take(PLACES) {
        let place = plain(&digest::place(finding));
        let lead = format!("    {}  ", page.ink(Ink::Cyan, &place));
        // A long place has a line of its own.
        if columns(&place) > 30 {
            page.line(&lead);
            page.text("      ", 6, Ink::Plain, &plain(&cut(&finding.message, 400)));
        } else {
            let width = columns(&place) + 6;
            page.text(
                &lead,
                width,
                Ink::Plain,
                &plain(&cut(&finding.message, 400)),
            );
        }
    }
    if number > PLACES {
        let rest = format!("    and {} more", number - PLACES);
        let rest = page.ink(Ink::Dim, &rest);
        page.line(&rest);
    }
    if !group.why().is_empty() {
        page.text("    ", 4, Ink::Dim, &plain(&cut(group.why(), 400)));
    }
    if !group.hint().is_empty() {
        let lead = format!("    {} ", page.ink(Ink::Green, "→"));
        page.text(&lead, 6, Ink::Plain, &plain(&cut(group.hint(), 400)));
    }
}

/// How the calls of one tool were taken.
#[derive(Default)]
struct Tally<'a> {
    tool: &'a str,
    calls: usize,
    worked: usize,
    refused: usize,
    silent: usize,
    hung: usize,
    crashed: usize,
}

impl<'a> Tally<'a> {
    fn add(&mut self, row: &'a FuzzRow) {
        self.tool = &row.tool;
        self.calls += 1;
        let is_valid = row.case.class.is_valid();
        self.worked += usize::from(is_valid && row.outcome == Outcome::Ok);
        self.refused += usize::from(row.outcome.is_refusal());
        self.silent += usize::from(row.silently_accepted);
        self.hung += usize::from(row.outcome == Outcome::Timeout);
        self.crashed += usize::from(row.outcome == Outcome::ProtocolCrash);
    }

    const fn trouble(&self) -> usize {
        self.silent + self.hung + self.crashed
    }
}

fn calls(page: &mut Page, report: &Report) {
    page.heading("Calls", &digest::coverage(report));
    let rows = report.fuzz.as_ref().map_or(&[][..], |fuzz| &fuzz.rows);
    if rows.is_empty() {
        return;
    }
    let mut by_tool: BTreeMap<usize, Tally<'_>> = BTreeMap::new();
    for row in rows {
        by_tool.entry(row.tool_index).or_default().add(row);
    }
    let mut tallies: Vec<Tally<'_>> = by_tool.into_values().collect();
    // Trouble first where the list is cut; the order of the server otherwise.
    if tallies.len() > TOOLS {
        tallies.sort_by_key(|tally| std::cmp::Reverse(tally.trouble()));
    }
    let widest = tallies
        .iter()
        .take(TOOLS)
        .map(|tally| columns(&plain(tally.tool)))
        .max()
        .unwrap_or(0)
        .clamp(4, 30);
    let head = format!(
        "  {}  calls  worked  refused  silent  hung  crashed",
        fit("tool", widest)
    );
    let head = page.ink(Ink::Dim, &head);
    page.line(&head);
    for tally in tallies.iter().take(TOOLS) {
        let line = format!(
            "  {}  {:>5}  {:>6}  {:>7}  {}  {}  {}",
            fit(&plain(tally.tool), widest),
            tally.calls,
            tally.worked,
            tally.refused,
            trouble(page, tally.silent, 6),
            trouble(page, tally.hung, 4),
            trouble(page, tally.crashed, 7),
        );
        page.line(&line);
    }
    more(page, tallies.len(), TOOLS, "tool");
    if let Some(line) = digest::inconclusive(rows) {
        page.text("  ", 2, Ink::Dim, &plain(&line));
    }
    let extra = rows
        .iter()
        .filter(|row| matches!(row.case.class, CaseClass::Coercion | CaseClass::ExtraKey))
        .filter(|row| row.outcome == Outcome::Ok)
        .count();
    if extra > 0 {
        let note = format!(
            "{} with convertible values or extra keys went through; the contract score does not count them.",
            count(extra, "call")
        );
        page.text("  ", 2, Ink::Dim, &note);
    }
    if let Some(fuzz) = &report.fuzz {
        answers(page, fuzz, widest);
    }
}

/// How long the answered calls of each tool took, and how much its refusals help.
fn answers(page: &mut Page, fuzz: &FuzzSection, widest: usize) {
    if fuzz.latencies.is_empty() {
        return;
    }
    page.gap();
    let head = format!(
        "  {}  answered  p50 ms  p95 ms  help in refusals (0 to 3)",
        fit("tool", widest)
    );
    let head = page.ink(Ink::Dim, &head);
    page.line(&head);
    for tool in fuzz.latencies.iter().take(TOOLS) {
        let (_, help) = digest::helpfulness(fuzz, tool.tool_index);
        let line = format!(
            "  {}  {:>8}  {:>6}  {:>6}  {help}",
            fit(&plain(&tool.tool), widest),
            tool.calls,
            tool.p50_us / 1000,
            tool.p95_us / 1000,
        );
        page.line(&line);
    }
    more(page, fuzz.latencies.len(), TOOLS, "tool");
}

fn trouble(page: &Page, number: usize, width: usize) -> String {
    if number == 0 {
        return page.ink(Ink::Dim, &format!("{:>width$}", "·"));
    }
    page.ink(Ink::Red, &format!("{number:>width$}"))
}

fn notes(page: &mut Page, all: &[String]) {
    if all.is_empty() {
        return;
    }
    page.heading("Notes", "what else was seen");
    for note in all.iter().take(NOTES) {
        page.text("  · ", 4, Ink::Plain, &plain(&cut(note, 400)));
    }
    more(page, all.len(), NOTES, "note");
}

fn untested(page: &mut Page, all: &[Untested]) {
    page.heading("Not tested", "what this run says nothing about");
    for untested in all.iter().take(UNTESTED) {
        page.text("  · ", 4, Ink::Plain, &plain(&cut(&untested.what, 300)));
        page.text("    ", 4, Ink::Dim, &plain(&cut(&untested.because, 600)));
        for line in untested
            .paste
            .as_deref()
            .map(terminal_lines)
            .unwrap_or_default()
        {
            // Not wrapped, because it is there to be pasted.
            page.line(&format!("      {line}"));
        }
    }
    more(page, all.len(), UNTESTED, "item");
}

/// Says how many were left out of a list.
fn more(page: &mut Page, all: usize, most: usize, noun: &str) {
    if all > most {
        let text = format!(
            "  {} in the JSON report",
            count(all - most, &format!("more {noun}"))
        );
        let text = page.ink(Ink::Dim, &text);
        page.line(&text);
    }
}
