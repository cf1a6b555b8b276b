//! The outputs of `mcprobe ci`: names, values, and the lines of the file in
//! which GitHub's runner reads them.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use crate::model::finding::Severity;
use crate::model::report::{ModelScore, Report, VerdictKind};
use crate::render::escape;
use crate::wording::cut;

/// One output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: &'static str,
    /// What it holds, in one line.
    pub about: &'static str,
}

const fn output(name: &'static str, about: &'static str) -> Output {
    Output { name, about }
}

/// Every output, in the order of the documents.
pub const OUTPUTS: [Output; 16] = [
    output(
        "score",
        "The score that gates, 0 to 100; empty when there is none.",
    ),
    output("grade", "A to F; empty when there is none."),
    output(
        "classic-score",
        "The score by the classic formula; empty when there is none.",
    ),
    output(
        "passed",
        "true or false: whether the gate passed, also with `fail: false`.",
    ),
    output(
        "result",
        "pass, below-min-score, findings, partial, unauthorized, cannot-audit, config-error, internal-error or cancelled.",
    ),
    output("exit-code", "The exit code that the result stands for."),
    output("findings", "Number of findings."),
    output("errors", "Number of findings of severity error."),
    output("warnings", "Number of findings of severity warning."),
    output("tools", "Number of tools that the server lists."),
    output("tools-called", "Number of tools that were called."),
    output("server-name", "The server's own name."),
    output("server-version", "The server's own version."),
    output("protocol-version", "Protocol revision that was negotiated."),
    output(
        "report",
        "Path of the JSON report, relative to the workspace.",
    ),
    output(
        "summary-file",
        "Path of the Markdown summary, relative to the workspace.",
    ),
];

/// How a step came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepResult {
    /// As the gate says; with the verdict's exit code.
    Verdict(VerdictKind, u8),
    /// An input or the settings file is wrong.
    ConfigError,
    /// Something in mcprobe itself, or in writing its files, failed.
    InternalError,
}

impl StepResult {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Verdict(kind, _) => kind.word(),
            Self::ConfigError => "config-error",
            Self::InternalError => "internal-error",
        }
    }

    /// The exit code that it stands for.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Verdict(_, code) => code,
            Self::ConfigError => 2,
            Self::InternalError => 4,
        }
    }

    /// Whether the gate passed.
    pub fn passed(self) -> bool {
        self == Self::Verdict(VerdictKind::Pass, 0)
    }
}

/// The files that a step left, relative to the workspace; `None` where one could
/// not be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// The JSON report.
    pub report: Option<String>,
    /// The Markdown summary.
    pub summary: Option<String>,
}

/// The value of every output, in the order of [`OUTPUTS`]. Without a report (the
/// words were wrong) what only it knows is empty.
pub fn values(
    result: StepResult,
    report: Option<&Report>,
    files: &Files,
) -> Vec<(&'static str, String)> {
    OUTPUTS
        .iter()
        .map(|output| (output.name, value(output.name, result, report, files)))
        .collect()
}

fn value(name: &str, result: StepResult, report: Option<&Report>, files: &Files) -> String {
    let of = |get: &dyn Fn(&Report) -> String| report.map(get).unwrap_or_default();
    let severity = |severity: Severity| {
        of(&|report| {
            let findings = report.findings.iter();
            findings
                .filter(|f| f.severity == severity)
                .count()
                .to_string()
        })
    };
    let theirs = |text: Option<&String>| text.map(|text| escape::terminal(&cut(text, 200)));
    match name {
        "score" => of(&|report| overall(report.score())),
        "grade" => of(&|report| {
            let grade = report.score().grade;
            grade.map_or_else(String::new, |grade| grade.to_string())
        }),
        "classic-score" => of(&|report| overall(&report.scores.classic)),
        "passed" => result.passed().to_string(),
        "result" => result.word().to_owned(),
        "exit-code" => result.exit_code().to_string(),
        "findings" => of(&|report| report.findings.len().to_string()),
        "errors" => severity(Severity::Error),
        "warnings" => severity(Severity::Warning),
        "tools" => of(&|report| {
            let tools = report.counts.tools;
            tools.map_or_else(String::new, |tools| tools.to_string())
        }),
        "tools-called" => of(&|report| report.coverage.called.len().to_string()),
        "server-name" => of(&|report| theirs(report.server.name.as_ref()).unwrap_or_default()),
        "server-version" => {
            of(&|report| theirs(report.server.version.as_ref()).unwrap_or_default())
        }
        "protocol-version" => {
            of(&|report| theirs(report.protocol_version.as_ref()).unwrap_or_default())
        }
        "report" => files.report.clone().unwrap_or_default(),
        "summary-file" => files.summary.clone().unwrap_or_default(),
        _ => String::new(),
    }
}

fn overall(score: &ModelScore) -> String {
    score
        .overall
        .map_or_else(String::new, |overall| overall.to_string())
}

/// The lines for the outputs file: for each output `NAME<<DELIMITER`, the value,
/// the delimiter. `salt` is random, so that no value can be written to hold the
/// delimiter; should one, the delimiter is made longer.
pub fn file_lines(values: &[(&'static str, String)], salt: &str) -> String {
    let mut text = String::new();
    for (name, value) in values {
        let mut delimiter = format!("mcprobe_{salt}");
        while value.contains(&delimiter) {
            delimiter.push('_');
        }
        for part in [name, "<<", &delimiter, "\n", value, "\n", &delimiter, "\n"] {
            text.push_str(part);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_holds_the_delimiter_gets_another_one() {
        let values = [("a", "x\nmcprobe_s\ny".to_owned()), ("b", String::new())];
        insta::assert_snapshot!(file_lines(&values, "s"), @r"
        a<<mcprobe_s_
        x
        mcprobe_s
        y
        mcprobe_s_
        b<<mcprobe_s

        mcprobe_s
        ");
    }

    #[test]
    fn without_a_report_the_verdict_is_still_told() {
        let values = values(StepResult::ConfigError, None, &Files::default());
        assert_eq!(values.len(), OUTPUTS.len());
        let said: Vec<String> = values
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(said, ["passed=false", "result=config-error", "exit-code=2"]);
    }
}
