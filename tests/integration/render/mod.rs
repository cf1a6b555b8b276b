//! Sample reports through every picture.

mod github;
mod json;

use mcprobe::render::escape::is_unseen;
use mcprobe::render::terminal::{Detail, Style};
use mcprobe::render::{markdown, terminal};
use proptest::prelude::*;

use crate::samples::{NAMES, sample};

fn pictures(name: &str) -> [(&'static str, String); 4] {
    let report = sample(name);
    let style = |color, width| Style {
        color,
        width,
        detail: Detail::Usual,
    };
    [
        ("markdown", markdown::render(&report)),
        ("terminal", terminal::render(&report, &style(false, 80))),
        ("narrow", terminal::render(&report, &style(false, 20))),
        ("color", terminal::render(&report, &style(true, 80))),
    ]
}

#[test]
fn every_sample_as_markdown_and_on_a_terminal() {
    for name in NAMES {
        for (picture, text) in pictures(name) {
            if picture != "narrow" && (picture != "color" || name == "flawed") {
                insta::assert_snapshot!(format!("{name}.{picture}"), text);
            }
        }
    }
}

#[test]
fn quiet_is_the_answer_alone() {
    let style = Style {
        detail: Detail::Quiet,
        ..Style::default()
    };
    insta::assert_snapshot!(terminal::render(&sample("crash"), &style), @r#"
    fragile 1.0.0  stdio ./fragile --fast

    74 C  · classic 83 B   contract model, full
    The server crashed on a call of `parse`; a server that a call can bring down
    gets 74 at most.
    FAIL  The contract score 74 is below 75.5. The run was cut short by a server
          that could not be started again; this judges what was seen until then.
    critical  1 call answered by a crash
    "#);
}

#[test]
fn no_line_commands_a_runner_or_hides_anything() {
    for name in NAMES {
        for (picture, text) in pictures(name) {
            for line in text.lines() {
                assert!(
                    !line.trim_start().starts_with("::"),
                    "{name} {picture}: {line}"
                );
                assert!(!line.contains("##["), "{name} {picture}: {line}");
                let unseen = line.chars().find(|&letter| is_unseen(letter));
                if picture != "color" {
                    assert_eq!(unseen, None, "{name} {picture}: {line}");
                }
            }
        }
    }
}

#[test]
fn markdown_tables_keep_their_columns_and_nothing_comes_alive() {
    for name in NAMES {
        let text = markdown::render(&sample(name));
        for line in text.lines().filter(|line| line.starts_with('|')) {
            assert_eq!(line.matches('|').count(), 7, "{name}: {line}");
        }
        // Within a block of code, which is indented, nothing comes alive.
        let outside: Vec<&str> = text.lines().filter(|l| !l.starts_with("  ")).collect();
        let text = outside.join("\n").replace("\\]", "");
        for alive in [
            "<img",
            "<script",
            "<!--",
            "](",
            "@everyone",
            "@team",
            "</td>",
        ] {
            assert!(!text.contains(alive), "{name}: {alive}");
        }
    }
}

#[test]
fn both_scores_are_in_every_picture() {
    for name in NAMES {
        let report = sample(name);
        for (picture, text) in pictures(name) {
            assert!(text.contains("classic"), "{name} {picture}");
            if let Some(overall) = report.scores.contract.overall {
                let grade = report.scores.contract.grade.expect("a grade with a score");
                assert!(
                    text.contains(&format!("{overall} {grade}")),
                    "{name} {picture}"
                );
            }
        }
    }
}

#[test]
fn a_plain_terminal_has_no_escape() {
    for name in NAMES {
        let text = terminal::render(&sample(name), &Style::default());
        assert!(!text.contains('\u{1b}'), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_of_a_server_breaks_a_picture(
        parts in prop::collection::vec(
            prop_oneof![
                any::<char>().prop_map(String::from),
                prop::sample::select(vec![
                    "::", "##[", "|", "`", "\n", "\r", "\u{1b}[", "<a>", " ", "wörd", "日本", "~~~",
                ]).prop_map(str::to_owned),
            ],
            0..60,
        ),
        width in 0_usize..200,
    ) {
        let text = parts.concat();
        let mut report = sample("flawed");
        report.server.name = Some(text.clone());
        report.target.display.clone_from(&text);
        for finding in &mut report.findings {
            finding.message.clone_from(&text);
            finding.hint = text.clone().into();
            finding.location.tool = Some(text.clone());
        }
        for row in report.fuzz.iter_mut().flat_map(|fuzz| &mut fuzz.rows) {
            row.tool.clone_from(&text);
            row.error_text = Some(text.clone());
        }
        for untested in &mut report.untested {
            untested.because.clone_from(&text);
            untested.paste = Some(text.clone());
        }
        report.verdict.reasons = vec![text];
        let style = Style { color: false, width, detail: Detail::Usual };
        let page = markdown::render(&report);
        for line in page.lines().chain(terminal::render(&report, &style).lines()) {
            prop_assert!(!line.trim_start().starts_with("::"), "{line}");
            prop_assert!(!line.contains("##["), "{line}");
            prop_assert!(!line.chars().any(is_unseen), "{line}");
        }
        for line in page.lines().filter(|line| line.starts_with('|')) {
            prop_assert_eq!(line.matches('|').count(), 7);
        }
    }
}
