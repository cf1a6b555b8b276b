//! The job summary: the answer in ten seconds, the details folded below.
//!
//! GitHub refuses a summary over 1 MiB as a whole, so this one is cut by bytes at
//! a whole row, and says by how much.

use std::fmt::Write as _;

use crate::model::finding::Finding;
use crate::model::fuzz::FuzzRow;
use crate::model::report::{DimensionScore, Report};
use crate::model::suppression::Suppressed;
use crate::render::digest;
use crate::render::escape::{
    markdown as text, markdown_block, markdown_code as code, markdown_prose as prose,
};
use crate::render::suppressed;
use crate::wording::{count, cut};

/// The longest summary.
pub const SUMMARY_BYTES: usize = 900 * 1024;

/// Where each of the long lists must have ended, so that one never starves the
/// next; behind the last there is room for the end of the page.
const FINDINGS_END: usize = 500 * 1024;
const SUPPRESSED_END: usize = 515 * 1024;
const PROTOCOL_END: usize = 530 * 1024;
const CALLS_END: usize = 760 * 1024;
const NOTES_END: usize = 780 * 1024;
const UNTESTED_END: usize = 880 * 1024;

/// The findings above the fold.
const WORST: usize = 10;

/// What a summary says besides the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting<'a> {
    /// Where the whole report is, relative to the workspace.
    pub report_file: &'a str,
    /// Why the step succeeds although the gate did not pass, where it does.
    pub lenient_because: Option<&'a str>,
}

/// The whole summary as Markdown, with a line feed at its end.
pub fn summary(report: &Report, setting: &Setting<'_>) -> String {
    let mut page = String::new();
    answer(&mut page, report, setting);
    dimensions(&mut page, report);
    worst(&mut page, report);
    all_findings(&mut page, report, setting);
    suppressions(&mut page, report, setting);
    protocol(&mut page, report, setting);
    calls(&mut page, report, setting);
    notes(&mut page, report, setting);
    untested(&mut page, report, setting);
    arithmetic(&mut page, report);
    let _ = writeln!(
        page,
        "\n<sub>{} {} · the whole report: {}</sub>",
        text(&report.producer.name),
        text(&report.producer.version),
        code(setting.report_file)
    );
    page
}

/// The summary of a run that came to no report. `problem` is any text.
pub fn summary_of_problem(word: &str, problem: &str) -> String {
    format!(
        "## ❌ MCP audit: {word}\n\n{}\n\nNothing was audited: there is no score, and this is no pass.\n",
        prose(&cut(problem, 2000))
    )
}

fn answer(page: &mut String, report: &Report, setting: &Setting<'_>) {
    let score = report.score();
    let verdict = &report.verdict;
    let sign = match (verdict.passed, setting.lenient_because) {
        (true, _) => "✅",
        (false, Some(_)) => "⚠️",
        (false, None) => "❌",
    };
    let mark = match (score.overall, score.grade) {
        (Some(overall), Some(grade)) => format!("{overall} / 100 · {grade}"),
        _ => "no score".to_owned(),
    };
    let other = digest::other_mark(report);
    let _ = writeln!(page, "# {sign} {mark} <sub>{other}</sub>\n");
    let reasons: Vec<String> = verdict
        .reasons
        .iter()
        .map(|reason| prose(&cut(reason, 600)))
        .collect();
    let _ = writeln!(page, "**{}** – {}", verdict.kind.word(), reasons.join(" "));
    if let Some(because) = setting.lenient_because {
        let _ = writeln!(
            page,
            "\nThe step succeeds all the same ({}).",
            prose(because)
        );
    }
    if score.overall.is_none() {
        page.push_str("\nNothing was scored, and what has no score never reaches `min-score`.\n");
    }
    failure(page, report);
    page.push('\n');
    let _ = writeln!(
        page,
        "- **Server:** {}, {} over {}{}",
        code(&digest::server(report)),
        code(&cut(&report.target.display, 200)),
        report.target.transport.word(),
        digest::spoken(report).map_or_else(String::new, |spoken| format!(
            ", protocol {}",
            text(&spoken)
        ))
    );
    let _ = writeln!(page, "- **Measured:** {}", measured(report));
    let mut completeness = report.completeness.level.word().to_owned();
    for reason in &report.completeness.reasons {
        let _ = write!(completeness, " – {}", prose(&cut(reason, 300)));
    }
    let _ = writeln!(page, "- **Completeness:** {completeness}");
    let _ = writeln!(
        page,
        "- **Findings:** {}",
        digest::severities(&report.findings)
    );
    if let Some(sentence) = suppressed::sentence(report) {
        let _ = writeln!(page, "- **Suppressed:** {}", text(&sentence));
    }
    let critical = digest::critical(report);
    if !critical.is_empty() {
        let _ = writeln!(page, "- ⚠️ **Critical:** {}", prose(&critical.join("; ")));
    }
}

/// What the score rests on, and what it does not.
fn measured(report: &Report) -> String {
    let label = |d: &DimensionScore| d.dimension.label().to_lowercase();
    let (on, off): (Vec<&DimensionScore>, Vec<&DimensionScore>) = report
        .score()
        .dimensions
        .iter()
        .partition(|d| d.score.is_some());
    let names = |all: Vec<&DimensionScore>| {
        let names: Vec<String> = all.into_iter().map(label).collect();
        text(&names.join(", "))
    };
    let mut line = if on.is_empty() {
        "nothing".to_owned()
    } else {
        names(on)
    };
    if !off.is_empty() {
        let _ = write!(line, "; **not** {}", names(off));
    }
    let _ = write!(line, " ({})", text(&digest::coverage(report)));
    line
}

fn failure(page: &mut String, report: &Report) {
    let Some(failure) = &report.failure else {
        return;
    };
    let attempts = digest::attempts(report);
    if report.reached.era.is_none() && !attempts.is_empty() {
        page.push_str("\nTried:\n\n");
        for attempt in attempts {
            let _ = writeln!(page, "- {}", prose(&attempt));
        }
    }
    let tail = failure
        .stderr_tail
        .as_deref()
        .unwrap_or_default()
        .trim_end();
    if tail.is_empty() {
        return;
    }
    let lines: Vec<String> = tail.lines().map(|line| cut(line, 300)).collect();
    let last = &lines[lines.len().saturating_sub(20)..];
    page.push_str("\nThe last of what was written:\n\n");
    page.push_str(&markdown_block("text", &last.join("\n")));
}

fn dimensions(page: &mut String, report: &Report) {
    page.push_str("\n| dimension | score | why |\n| --- | ---: | --- |\n");
    for dimension in &report.score().dimensions {
        let score = dimension.score.map_or_else(
            || "not measured".to_owned(),
            |score| format!("{score} / 10"),
        );
        let why: Vec<String> = dimension
            .reasons
            .iter()
            .take(3)
            .map(|reason| prose(&cut(reason, 200)))
            .collect();
        let _ = writeln!(
            page,
            "| {} | {score} | {} |",
            text(dimension.dimension.label()),
            why.join("<br>")
        );
    }
}

/// The worst rules that fired, one row each, with what to do.
fn worst(page: &mut String, report: &Report) {
    let groups = digest::groups(&report.findings);
    if groups.is_empty() {
        return;
    }
    page.push_str("\n### Worst first\n\n| | rule | where | fix |\n| --- | --- | --- | --- |\n");
    for group in groups.iter().take(WORST) {
        let places: Vec<String> = group
            .findings
            .iter()
            .take(3)
            .map(|finding| code(&digest::place(finding)))
            .collect();
        let rest = group.findings.len() - places.len();
        let more = if rest > 0 {
            format!(" +{rest}")
        } else {
            String::new()
        };
        let _ = writeln!(
            page,
            "| {} | {} | {}{more} | {} |",
            group.severity,
            code(group.code),
            places.join(", "),
            prose(&cut(group.hint(), 300))
        );
    }
    if let Some(rest) = groups.len().checked_sub(WORST).filter(|&rest| rest > 0) {
        let _ = writeln!(page, "\n{} below.", count(rest, "more rule"));
    }
}

fn all_findings(page: &mut String, report: &Report, setting: &Setting<'_>) {
    if report.findings.is_empty() {
        return;
    }
    let title = count(report.findings.len(), "finding");
    let head = "| severity | rule | where | what |\n| --- | --- | --- | --- |\n";
    let row = |finding: &Finding| {
        format!(
            "| {} | {} | {} | {} |\n",
            finding.severity,
            code(&finding.code),
            code(&digest::place(finding)),
            prose(&cut(&finding.message, 400))
        )
    };
    let rows = report.findings.iter().map(row);
    fold(page, &title, head, rows, (FINDINGS_END, "finding"), setting);
}

/// What the user decided to live with, and what came of that.
fn suppressions(page: &mut String, report: &Report, setting: &Setting<'_>) {
    let Some(section) = &report.suppressions else {
        return;
    };
    let title = format!(
        "{}: {}",
        count(section.entries.len(), "suppression"),
        suppressed::tally(section)
    );
    let head = "| rule | where | what came of it | reason |\n| --- | --- | --- | --- |\n";
    let row = |entry: &Suppressed| {
        format!(
            "| {} | {} | {} | {} |\n",
            code(&entry.suppression.code),
            code(&suppressed::place(&entry.suppression)),
            suppressed::fate(entry),
            prose(&cut(&entry.suppression.reason, 300))
        )
    };
    let rows = section.entries.iter().map(row);
    let end = (SUPPRESSED_END, "suppression");
    fold(page, &title, head, rows, end, setting);
}

/// The requirements of the protocol that were broken or not tested; the others are
/// counted.
fn protocol(page: &mut String, report: &Report, setting: &Setting<'_>) {
    let Some(section) = &report.protocol else {
        return;
    };
    let title = format!("Protocol, {}", digest::protocol(section));
    let mut head = "| area | what came of it |\n| --- | --- |\n".to_owned();
    for (area, tally) in section.areas() {
        let _ = writeln!(head, "| {} | {} |", area.word(), digest::tally(tally));
    }
    let broken = digest::broken(section).map(|check| {
        format!(
            "| {} | **failed**{}: {} |\n",
            code(check.id),
            digest::suppressed_mark(check),
            prose(check.says)
        )
    });
    let gaps = digest::gaps(section).into_iter().map(|(because, ids)| {
        let ids: Vec<String> = ids.into_iter().map(code).collect();
        format!(
            "| {} | not tested: {} |\n",
            ids.join(", "),
            prose(&cut(because, 200))
        )
    });
    let rows: Vec<String> = broken.chain(gaps).collect();
    fold(
        page,
        &title,
        &head,
        rows.into_iter(),
        (PROTOCOL_END, "row"),
        setting,
    );
}

fn calls(page: &mut String, report: &Report, setting: &Setting<'_>) {
    let Some(fuzz) = report.fuzz.as_ref().filter(|fuzz| !fuzz.rows.is_empty()) else {
        return;
    };
    let title = count(fuzz.rows.len(), "call");
    let head = "| tool | case | outcome | note |\n| --- | --- | --- | --- |\n";
    let row = |row: &FuzzRow| {
        let silent = row
            .silently_accepted
            .then(|| "accepted silently".to_owned());
        let note = Some(text(&digest::note(row))).filter(|note| !note.is_empty());
        let notes: Vec<String> = silent.into_iter().chain(note).collect();
        format!(
            "| {} | {} | {} | {} |\n",
            code(&cut(&row.tool, 64)),
            text(&cut(&row.case.label, 64)),
            row.outcome,
            notes.join("; ")
        )
    };
    let rows = fuzz.rows.iter().map(row);
    fold(page, &title, head, rows, (CALLS_END, "call"), setting);
}

fn notes(page: &mut String, report: &Report, setting: &Setting<'_>) {
    if report.notes.is_empty() {
        return;
    }
    let rows = report
        .notes
        .iter()
        .map(|note| format!("- {}\n", prose(&cut(note, 400))));
    fold(page, "Notes", "", rows, (NOTES_END, "note"), setting);
}

fn untested(page: &mut String, report: &Report, setting: &Setting<'_>) {
    if report.untested.is_empty() {
        return;
    }
    let head = "| what | why, and what would test it |\n| --- | --- |\n";
    let rows = report.untested.iter().map(|untested| {
        format!(
            "| {} | {} |\n",
            prose(&cut(&untested.what, 300)),
            prose(&cut(&untested.because, 600))
        )
    });
    fold(
        page,
        "Not tested",
        head,
        rows,
        (UNTESTED_END, "item"),
        setting,
    );
}

/// A folded table whose rows end before `end`; those that do not fit are
/// counted.
fn fold(
    page: &mut String,
    title: &str,
    head: &str,
    rows: impl ExactSizeIterator<Item = String>,
    (end, noun): (usize, &str),
    setting: &Setting<'_>,
) {
    let _ = write!(
        page,
        "\n<details>\n<summary>{}</summary>\n\n{head}",
        text(title)
    );
    let all = rows.len();
    let mut shown = 0;
    for row in rows {
        if page.len() + row.len() > end {
            break;
        }
        page.push_str(&row);
        shown += 1;
    }
    if shown < all {
        let _ = writeln!(
            page,
            "\n{} left out here; {} has all.",
            count(all - shown, &format!("more {noun}")),
            code(setting.report_file)
        );
    }
    page.push_str("\n</details>\n");
}

fn arithmetic(page: &mut String, report: &Report) {
    page.push_str("\n<details>\n<summary>How the score came about</summary>\n\n");
    for model in [&report.scores.contract, &report.scores.classic] {
        let _ = writeln!(
            page,
            "- {}: {}",
            model.model,
            text(&cut(&model.arithmetic, 1000))
        );
        if let Some(cap) = &model.cap {
            let _ = writeln!(page, "- {}", prose(&cut(&cap.because, 600)));
        }
    }
    page.push_str("\n</details>\n");
}
