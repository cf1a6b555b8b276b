//! Where values come from, and which of them is heard.

use serde_json::json;

use super::{Step, flawed, scripted};

#[test]
fn hyphenated_inputs_are_read_and_empty_ones_are_not_given() {
    let step = Step::new(&[
        ("command", &flawed()),
        ("min-score", "75.5"),
        ("fail-on", ""),
    ])
    .variable("MCPROBE_MIN_SCORE", "1")
    .variable("MCPROBE_REPORT", "from-env.json");
    let done = step.run();
    assert_eq!(done.answer(), ("below-min-score", "false", "1", 1));
    assert_eq!(done.outputs["report"], "from-env.json");
    assert_eq!(step.report("from-env.json")["overall"], 74);
}

#[test]
fn flag_over_input_over_variable_over_file_over_default() {
    let file = "[gate]\nmin-score = 99.5\n[fuzz]\nlevel = \"off\"\n";
    let below = ("below-min-score", "false", "1", 1);
    let step = || Step::new(&[("command", &flawed()), ("fuzz", "")]).file("mcprobe.toml", file);
    let done = step().run();
    assert_eq!(done.answer(), below);
    assert_eq!(done.outputs["tools-called"], "0", "the file's level holds");
    let done = step().variable("MCPROBE_MIN_SCORE", "1").run();
    assert_eq!(done.outputs["result"], "pass");
    let done = step()
        .variable("MCPROBE_MIN_SCORE", "1")
        .input("min-score", "99")
        .run();
    assert_eq!(done.answer(), below);
    let done = step()
        .input("min-score", "99")
        .flags(&["--min-score", "1"])
        .run();
    assert_eq!(done.outputs["result"], "pass");
    let done = step().input("fuzz", "safe").run();
    assert_eq!(done.outputs["tools-called"], "4");
}

#[test]
fn false_overrules_the_settings_file() {
    let file = "[gate]\nallow-partial = true\nmin-score = 1\n[fuzz]\nlevel = \"writes\"\n";
    let server = json!({});
    let step =
        Step::new(&[("fuzz", "false"), ("allow-partial", "false")]).file("mcprobe.toml", file);
    let command = scripted(&step.outside(""), &server);
    let done = step.input("command", &command).run();
    assert_eq!(
        (
            done.outputs["result"].as_str(),
            done.outputs["tools-called"].as_str()
        ),
        ("pass", "0")
    );
}

#[test]
fn elsewhere_the_summary_is_standard_output_and_calls_are_the_default() {
    let step = Step::elsewhere()
        .variable("MCPROBE_COMMAND", &flawed())
        .flags(&["--min-score", "75.5"]);
    let done = step.run();
    assert_eq!(done.code, 1);
    assert!(
        done.stdout.starts_with("# ❌ 74 / 100 · C"),
        "{}",
        done.stdout
    );
    let file = std::fs::read_to_string(step.place("mcprobe-summary.md")).expect("the summary");
    assert_eq!(done.stdout, file);
    assert_eq!(
        step.report("mcprobe-report.json")["coverage"]["fuzzedTools"],
        4
    );
}

#[test]
fn a_target_may_come_from_the_settings_file() {
    let step = Step::new(&[("min-score", "1")]);
    let scripts = tempfile::tempdir().expect("a folder");
    let command = scripted(scripts.path(), &json!({}));
    let words: Vec<&str> = command.split(' ').collect();
    let file = format!("[target]\ncommand = {}\n", json!(words));
    let done = step.file("mcprobe.toml", &file).run();
    assert_eq!(done.outputs["server-name"], "scripted");
    // And from one that is named.
    let step = Step::new(&[("settings", "ci/audit.toml")]);
    std::fs::create_dir(step.place("ci")).expect("a folder");
    let done = step.file("ci/audit.toml", &file).run();
    assert_eq!(done.outputs["server-name"], "scripted");
}

#[test]
fn settings_of_another_checkout_are_read_in_place_of_those_in_the_workspace() {
    let entry = |rule: &str| format!("[[suppress]]\nrule = \"{rule}\"\nreason = \"known\"\n");
    let scripts = tempfile::tempdir().expect("a folder");
    let command = scripted(scripts.path(), &json!({}));
    let step = Step::new(&[
        ("settings", "base/mcprobe.toml"),
        ("working-directory", "server"),
        ("command", &command),
        ("fuzz", "false"),
    ]);
    for folder in ["base", "server"] {
        std::fs::create_dir(step.place(folder)).expect("a folder");
    }
    let step = step
        .file("mcprobe.toml", "this is no TOML")
        .file("server/mcprobe.toml", &entry("param.missing_description"))
        .file("base/mcprobe.toml", &entry("tool.no_annotations"));
    let done = step.run();
    let report = step.report("mcprobe-report.json");
    let entries = report["suppressions"]["entries"]
        .as_array()
        .expect("a list");
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["code"], "tool.no_annotations");
    assert_eq!(entries[0]["state"], "inUse");
    let codes: Vec<&str> = report["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|finding| finding["code"].as_str())
        .collect();
    assert!(codes.contains(&"param.missing_description"), "{codes:?}");
    assert!(!codes.contains(&"tool.no_annotations"), "{codes:?}");
    assert!(
        done.summary.contains("without 1 suppression"),
        "{}",
        done.summary
    );
}

#[test]
fn wrong_words_are_one_error_and_set_every_output() {
    let wrong: [&[(&str, &str)]; 23] = [
        &[("command", "")],
        &[("min-score", "abc")],
        &[("min-score", "101")],
        &[("fail-on", "severe")],
        &[("fuzz", "maybe")],
        &[("fail", "perhaps")],
        &[("summary", "yes")],
        &[("transport", "carrier-pigeon")],
        &[("transport", "sse")],
        &[("max-tools", "-1")],
        &[("timeout", "soon")],
        &[("env", "NO EQUALS")],
        &[("on-unauthorized", "shrug")],
        &[("score-model", "best")],
        &[("settings", "missing.toml")],
        &[("working-directory", "missing")],
        &[("report", "../escaped.json")],
        &[("report", "./mcprobe-summary.md")],
        &[("report", "mcprobe.toml")],
        &[("report", "settings.toml"), ("settings", "settings.toml")],
        &[
            ("command", ""),
            ("url", "http://127.0.0.1:9/mcp"),
            ("headers", "no colon"),
        ],
        &[
            ("command", ""),
            ("url", "http://127.0.0.1:9/mcp"),
            ("headers", "Bad name: x"),
        ],
        &[("command", ""), ("url", "127.0.0.1:3000/mcp")],
    ];
    for inputs in wrong {
        let step = Step::new(&[("command", "true")]).file("settings.toml", "[gate]\n");
        let step = inputs
            .iter()
            .fold(step, |step, (name, value)| step.input(name, value));
        let done = step.run();
        assert_eq!(
            done.answer(),
            ("config-error", "false", "2", 2),
            "{inputs:?}"
        );
        let errors = done.annotations("error");
        assert_eq!(errors.len(), 1, "{inputs:?}: {done:#?}");
        // It names the input, or the key of the settings, and no flag.
        let (name, _) = inputs[inputs.len() - 1];
        assert!(
            errors[0].contains(name) || inputs.len() == 1,
            "{inputs:?}: {errors:?}"
        );
        assert!(
            !errors[0].contains(" --") && !errors[0].contains("`--"),
            "{errors:?}"
        );
        assert_eq!(
            (
                done.outputs["score"].as_str(),
                done.outputs["grade"].as_str()
            ),
            ("", "")
        );
        assert!(
            done.summary.contains("config-error") && done.summary.contains("no pass"),
            "{}",
            done.summary
        );
        assert!(!step.outside("escaped.json").exists());
    }
}

#[test]
fn elsewhere_wrong_words_are_one_line_and_leave_no_file() {
    let step = Step::elsewhere().flags(&["--url", "127.0.0.1/mcp"]);
    let done = step.run();
    assert_eq!((done.code, done.stdout.as_str()), (2, ""));
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    assert!(!step.place("mcprobe-summary.md").exists());
}

#[test]
fn a_refused_address_does_not_show_its_password() {
    let done = Step::new(&[("url", "ann:top-secret-9@example.com/mcp")]).run();
    assert_eq!(done.answer(), ("config-error", "false", "2", 2));
    assert_eq!(done.masks(), ["top-secret-9"]);
    for text in [done.log(), done.summary] {
        assert!(!text.contains("top-secret-9"), "{text}");
    }
}

#[test]
fn variables_that_would_not_be_heard_are_told() {
    use std::os::unix::ffi::OsStringExt as _;

    let step = || Step::new(&[("command", "true")]);
    let done = step().variable("MCPROBE_MIN_SCOR", "75").run();
    assert_eq!(done.answer(), ("config-error", "false", "2", 2));
    assert!(
        done.annotations("error")[0].contains("did you mean `MCPROBE_MIN_SCORE`?"),
        "{done:#?}"
    );
    // A shell cannot set a name with a hyphen.
    let done = step().variable("INPUT_MIN_SCORE", "many").run();
    assert_eq!(done.answer(), ("config-error", "false", "2", 2));
    let bytes = std::ffi::OsString::from_vec(b"\xff75".to_vec());
    let done = step().variable_bytes("MCPROBE_MIN_SCORE", bytes).run();
    assert_eq!(done.answer(), ("config-error", "false", "2", 2));
    assert!(
        done.annotations("error")[0].contains("MCPROBE_MIN_SCORE"),
        "{done:#?}"
    );
}

#[test]
fn elsewhere_a_step_says_how_it_came_out_also_without_a_summary() {
    let step = Step::elsewhere().flags(&[
        "--command",
        &flawed(),
        "--min-score",
        "99",
        "--summary",
        "false",
    ]);
    let done = step.run();
    assert_eq!((done.code, done.stdout.as_str()), (1, ""));
    assert!(
        done.stderr
            .lines()
            .any(|line| line.contains("below-min-score") && line.contains("below 99")),
        "{}",
        done.stderr
    );
}

#[test]
fn what_the_settings_file_leaves_out_is_told_by_its_key() {
    let step = Step::new(&[("fuzz", "false")]).file("mcprobe.toml", "probe = false\n");
    let command = scripted(&step.outside(""), &json!({}));
    let done = step.input("command", &command).run();
    assert!(done.summary.contains("probe = false"), "{}", done.summary);
    assert!(!done.summary.contains("--no-probe"), "{}", done.summary);
}
