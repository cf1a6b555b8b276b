//! What a step leaves, in this order: report, summary, outputs, annotations, and
//! the exit code. A part that fails never costs another one.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use super::Streams;
use super::outputs::{self, Files, StepResult};
use super::told;
use super::words::Choices;
use super::workspace::Workspace;
use crate::config::find::reason;
use crate::judge;
use crate::model::report::{Report, VerdictKind};
use crate::render::github::{Kind, Setting, Tone};
use crate::render::{self, escape, github, json, terminal};

/// Where the summary goes, in the workspace.
pub(super) const SUMMARY_FILE: &str = "mcprobe-summary.md";

/// Columns of the report in a log.
const WIDTH: usize = 110;

/// The place from which everything is handed out.
pub(super) struct Desk<'a> {
    streams: &'a dyn Streams,
    is_runner: bool,
    output: Option<PathBuf>,
    summary: Option<PathBuf>,
    may_fail: bool,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        variables: &BTreeMap<String, String>,
        streams: &'a dyn Streams,
        may_fail: bool,
    ) -> Self {
        let path = |name: &str| {
            let path = variables.get(name).filter(|path| !path.is_empty());
            path.map(PathBuf::from)
        };
        Self {
            streams,
            is_runner: variables
                .get("GITHUB_ACTIONS")
                .is_some_and(|on| on == "true"),
            output: path("GITHUB_OUTPUT"),
            summary: path("GITHUB_STEP_SUMMARY"),
            may_fail,
        }
    }

    /// Whether GitHub's runner reads what is printed.
    pub(super) const fn is_runner(&self) -> bool {
        self.is_runner
    }

    /// Something worth knowing, of our own words.
    pub(super) fn notice(&self, text: &str) {
        if self.is_runner {
            self.streams
                .out(&github::annotation(Kind::Notice, "mcprobe", text));
        } else {
            self.streams.err(&format!("mcprobe: {text}\n"));
        }
    }

    /// Hands out a judged run; the exit code.
    pub(super) fn deliver(&self, report: &Report, choices: &Choices, workspace: &Workspace) -> u8 {
        let mut result = StepResult::Verdict(report.verdict.kind, report.verdict.exit_code);
        let lenient = self.lenient(report, choices);
        let mut failed = Vec::new();
        let mut files = Files::default();

        let document = json::v1::render(report);
        match workspace.write(&choices.report, &document) {
            Ok(()) => files.report = Some(choices.report.clone()),
            Err(why) => failed.push(why),
        }
        let told = told::in_inputs(report);
        let setting = Setting {
            report_file: &choices.report,
            lenient_because: lenient,
        };
        let summary = github::summary(&told, &setting);
        match workspace.write(SUMMARY_FILE, &summary) {
            Ok(()) => files.summary = Some(SUMMARY_FILE.to_owned()),
            Err(why) => failed.push(why),
        }
        if choices.summary
            && let Err(why) = self.tell_summary(&summary)
        {
            failed.push(why);
        }
        // A cancelled run stays one: that is what ends it, not a full disk.
        if !failed.is_empty() && report.verdict.kind != VerdictKind::Cancelled {
            result = StepResult::InternalError;
        }
        if let Err(why) = self.set_outputs(result, Some(report), &files) {
            failed.push(why);
            if report.verdict.kind != VerdictKind::Cancelled {
                result = StepResult::InternalError;
            }
        }
        if self.is_runner {
            let style = terminal::Style {
                color: false,
                width: WIDTH,
                detail: terminal::Detail::Usual,
            };
            let page = terminal::render(&told, &style);
            self.streams.out(&escape::workflow_page(&page));
        } else {
            // The page may have gone nowhere; why a step fails is always said.
            self.streams.err(&render::headline(&told));
        }
        if choices.annotations && self.is_runner {
            let tone = if lenient.is_some() {
                Tone::Lenient
            } else {
                Tone::Failing
            };
            let taken = usize::from(choices.has_token);
            self.streams.out(&github::annotations(&told, tone, taken));
        }
        self.tell_failed(&failed);
        self.exit_code(result, lenient.is_some())
    }

    /// Hands out that the words were wrong; the exit code. Elsewhere than on a
    /// runner nobody wants files for that.
    pub(super) fn wrong_words(&self, variables: &BTreeMap<String, String>, message: &str) -> u8 {
        let mut result = StepResult::ConfigError;
        let mut failed = Vec::new();
        let mut files = Files::default();
        if self.is_runner {
            let summary = github::summary_of_problem(result.word(), message);
            match Workspace::find(variables) {
                Ok(workspace) if workspace.write(SUMMARY_FILE, &summary).is_ok() => {
                    files.summary = Some(SUMMARY_FILE.to_owned());
                }
                _ => {}
            }
            failed.extend(self.tell_summary(&summary).err());
        }
        if let Err(why) = self.set_outputs(result, None, &files) {
            failed.push(why);
            result = StepResult::InternalError;
        }
        self.tell_problem(StepResult::ConfigError, message);
        self.tell_failed(&failed);
        self.exit_code(result, false)
    }

    /// Why a step succeeds that did not pass.
    fn lenient(&self, report: &Report, choices: &Choices) -> Option<&'static str> {
        let kind = report.verdict.kind;
        if choices.skips_unauthorized && kind == VerdictKind::Unauthorized {
            return Some("`on-unauthorized: skip`; nothing was audited and this is no pass");
        }
        // The lists may be open, and calls not.
        if choices.skips_unauthorized
            && kind == VerdictKind::Partial
            && judge::every_call_wants_credentials(report)
        {
            return Some("`on-unauthorized: skip`; no call was let in and this is no pass");
        }
        let fails = !report.verdict.passed && kind != VerdictKind::Cancelled;
        (fails && !self.may_fail).then_some("`fail: false`")
    }

    fn exit_code(&self, result: StepResult, is_lenient: bool) -> u8 {
        match result {
            StepResult::Verdict(VerdictKind::Cancelled, code) => code,
            StepResult::Verdict(..) if is_lenient => 0,
            _ if !self.may_fail => 0,
            result => result.exit_code(),
        }
    }

    /// To the job's page; where there is none, to standard output.
    fn tell_summary(&self, summary: &str) -> Result<(), String> {
        let Some(path) = &self.summary else {
            self.streams.out(&escape::workflow_page(summary));
            return Ok(());
        };
        append(path, summary)
            .map_err(|error| format!("cannot write the job summary: {}", reason(&error)))
    }

    fn set_outputs(
        &self,
        result: StepResult,
        report: Option<&Report>,
        files: &Files,
    ) -> Result<(), String> {
        let Some(path) = &self.output else {
            return Ok(());
        };
        let values = outputs::values(result, report, files);
        append(path, &outputs::file_lines(&values, &salt()))
            .map_err(|error| format!("cannot set the outputs: {}", reason(&error)))
    }

    fn tell_failed(&self, failed: &[String]) {
        for why in failed {
            self.tell_problem(StepResult::InternalError, why);
        }
    }

    fn tell_problem(&self, result: StepResult, why: &str) {
        if self.is_runner {
            let tone = if self.may_fail {
                Tone::Failing
            } else {
                Tone::Lenient
            };
            let problem = github::problem(result.word(), why, tone);
            self.streams.out(&problem);
        } else {
            let line = format!("error: {}\n", escape::terminal(why));
            self.streams.err(&line);
        }
    }
}

/// Appends whole lines: whatever stood there before ends in a line feed first.
fn append(path: &PathBuf, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    file.write_all(text.as_bytes())
}

/// Letters that nobody could foresee: the standard library's hash keys are random.
fn salt() -> String {
    let number = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", number(), number())
}
