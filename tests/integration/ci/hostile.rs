//! Text of a server that tries to be something else: a command, an output, a
//! heading, a picture; and that repeats what it was trusted with.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::{Done, Step, scripted};

const SECRET: &str = "hostile-key-a1b2c3d4e5";

const ATTACKS: [&str; 15] = [
    "::error file=forged.js,line=1::FORGED",
    "\n::error file=forged.js,line=1::FORGED",
    "\r::warning::FORGED carriage",
    "\u{2028}::error::FORGED separator",
    "\u{85}::error::FORGED next line",
    "\n\u{200b}::notice::FORGED zero width",
    "\n:\u{ad}:error:\u{200d}:FORGED soft hyphen",
    "\n:\u{fe0f}:error::FORGED selector",
    "##[error]FORGED",
    "x ##[warning]FORGED",
    "#\u{200b}#[error]FORGED",
    "%0A::error::FORGED encoded%0D%0A::warning::FORGED",
    "\n::add-mask::FORGED-MASK",
    "\n::stop-commands::FORGED-TOKEN",
    "\n::set-output name=passed::FORGED",
];

const LINES: &str =
    "\npassed=true\nscore=100\nresult=pass\nscore<<EOF\n100\nEOF\nforged=FORGED\nmcprobe_\nEOF\n";
const MARKUP: &str = "|a|b|\n|---|---|\n| `tick` ```\n# FORGED heading\n<img src=x onerror=alert(1)> everyone [link](javascript:alert(1)) ![image](http://tracker.invalid/p.png) <!-- FORGED hidden --> </details></table>";
const TERMINAL: &str = "\u{1b}[2J\u{1b}]0;FORGED\u{7}\u{8}\u{202e}FORGED\u{202c}";

fn text(seed: usize) -> String {
    format!(
        "{} $ENV:SERVER_KEY$ x$BASE64:SERVER_KEY$ {MARKUP} {TERMINAL} {LINES}",
        ATTACKS[seed % ATTACKS.len()]
    )
}

fn tool(number: usize) -> Value {
    let attack = ATTACKS[number % ATTACKS.len()];
    let long = number < 40;
    json!({
        "name": if number.is_multiple_of(3) { format!("get_{number}{attack}") } else { format!("get_{number}") },
        "description": if long { text(number) } else { "do".to_owned() },
        "inputSchema": {
            "type": "object",
            "properties": {
                if number.is_multiple_of(5) { format!("data{attack}") } else { "data".to_owned() }:
                    {"description": if long { text(number) } else { String::new() }},
            },
            "required": if long { vec![format!("missing{attack}")] } else { Vec::new() },
        },
        "annotations": {"readOnlyHint": true, "title": attack},
    })
}

fn script() -> Value {
    let mut tools: Vec<Value> = (0..1500).map(tool).collect();
    let huge = text(0).repeat(5 * 1024 * 1024 / text(0).len() + 1);
    let mut last = tool(2);
    last["name"] = "get_huge".into();
    last["description"] = huge.into();
    tools.push(last);
    let name = format!("hostile{LINES}{MARKUP}$ENV:SERVER_KEY$ $BASE64:SERVER_KEY$");
    json!({
        "start": [{"stderr": [text(1), 3]}],
        "on": {
            "initialize": [{"result": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": name, "version": format!("1{}{LINES}{TERMINAL}", ATTACKS[8])},
                "instructions": text(3),
            }}],
            "tools/list": [{"result": {"tools": tools}}],
            "tools/call": [
                [{"result": {"content": [{"type": "text", "text": text(4)}]}}],
                [{"stderr": [text(5), 1]}, {"error": {"code": -32000, "message": text(6), "data": text(7)}}],
                [{"result": {"content": [{"type": "text", "text": text(8)}], "isError": true}}],
                [{"stderr": [text(9), 1]}, {"exit": 3}],
            ],
        },
    })
}

/// Every form in which a secret counts as shown.
fn forms() -> Vec<String> {
    let raw = SECRET.as_bytes();
    let mut forms = vec![SECRET.to_owned(), URL_SAFE_NO_PAD.encode(raw)];
    for pad in 0..3 {
        let whole = STANDARD.encode([&vec![b'x'; pad], raw, b"yyy"].concat());
        // What does not depend on the neighbours.
        let (first, last) = ((pad * 8).div_ceil(6), (pad + raw.len()) * 8 / 6);
        forms.push(whole[first..last].to_owned());
    }
    forms
}

fn hold(step: &Step, done: &Done) {
    for command in done.commands() {
        let own = ["add-mask", "error", "warning", "notice"];
        assert!(own.contains(&command.name.as_str()), "{command:?}");
        assert!(
            !command.data.trim_start().starts_with("FORGED"),
            "{command:?}"
        );
        assert!(!command.properties.contains_key("file"), "{command:?}");
    }
    assert_eq!(done.masks(), [SECRET]);
    for (place, text) in [("log", done.log()), ("summary", done.summary.clone())] {
        let odd = text.chars().find(|letter| {
            let is_odd = mcprobe::render::escape::is_unseen(*letter);
            is_odd && *letter != '\n'
        });
        assert_eq!(odd, None, "in the {place}");
    }
    for mark in [
        "<img",
        "<script",
        "](javascript:",
        "![image]",
        "<!--",
        "</table>",
        "\n# FORGED",
    ] {
        assert!(!done.summary.contains(mark), "{mark}");
    }
    let mut columns = None;
    for line in done.summary.lines() {
        let bars = line.matches('|').count();
        if line.starts_with('|') {
            assert_eq!(*columns.get_or_insert(bars), bars, "{line}");
        } else {
            columns = None;
            assert_eq!(bars, 0, "{line}");
        }
    }
    let file = |name: &str| fs::read_to_string(step.place(name)).expect(name);
    let outputs = format!("{:?}", done.outputs);
    for (place, text) in [
        ("log", done.log()),
        ("summary", file("mcprobe-summary.md")),
        ("report", file("mcprobe-report.json")),
        ("outputs", outputs),
    ] {
        for form in forms() {
            let near = text.find(&form).map(|at| {
                let start = text.floor_char_boundary(at.saturating_sub(200));
                &text[start..text.floor_char_boundary(at + 60)]
            });
            assert_eq!(near, None, "the secret is in the {place} as {form}");
        }
    }
}

#[test]
fn a_hostile_server_forges_nothing_and_learns_nothing() {
    let step = Step::new(&[
        ("env", &format!("SERVER_KEY={SECRET}")),
        ("fuzz", "writes"),
        ("max-tools", "4"),
        ("fail-on", "error"),
    ]);
    let command = scripted(&step.outside(""), &script());
    let step = step.input("command", &command);
    let done = step.run();
    hold(&step, &done);
    assert_eq!(done.answer(), ("findings", "false", "1", 1));
    assert_eq!(done.outputs["tools"], "1501");
    let findings: usize = done.outputs["findings"].parse().expect("a number");
    assert!(findings >= 3000, "{findings}");
    let report = step.report("mcprobe-report.json");
    assert_eq!(report["overall"].to_string(), done.outputs["score"]);
    assert_eq!(
        report["findings"].as_array().expect("a list").len(),
        findings
    );
    // The findings are still shown.
    assert!(done.summary.contains("get&#95;1") || done.summary.contains("get_1"));
}

#[test]
fn a_server_that_cannot_be_audited_forges_nothing_either() {
    let refusal = json!({"start": [{"stderr": [text(1), 2]}],
        "on": {"initialize": [{"error": {"code": 1, "message": text(2)}}]}});
    let dying = json!({"start": [{"stderr": [text(5), 400]}, {"exit": 9}]});
    for script in [refusal, dying] {
        let step = Step::new(&[("env", &format!("SERVER_KEY={SECRET}"))]);
        let command = scripted(&step.outside(""), &script);
        let step = step.input("command", &command);
        let done = step.run();
        assert_eq!(done.answer(), ("cannot-audit", "false", "3", 3));
        for command in done.commands() {
            assert!(
                ["add-mask", "error"].contains(&command.name.as_str()),
                "{command:?}"
            );
            assert!(
                !command.data.trim_start().starts_with("FORGED"),
                "{command:?}"
            );
        }
        for text in [done.log(), done.summary.clone()] {
            for form in forms() {
                assert!(!text.contains(&form), "the secret is shown as {form}");
            }
        }
    }
}

#[test]
fn the_case_of_workflow_commands_in_texts() {
    let tools: Value =
        serde_json::from_str(include_str!("../../fixtures/wire/workflow_commands.json"))
            .expect("JSON");
    let step = Step::new(&[("fuzz", "false"), ("fail-on", "info")]);
    let command = scripted(
        &step.outside(""),
        &json!({"on": {"tools/list": [{"result": tools}]}}),
    );
    let step = step.input("command", &command);
    let done = step.run();
    assert_eq!(done.outputs["result"], "findings");
    for command in done.commands() {
        assert!(
            command.properties["title"].starts_with("mcprobe: "),
            "{command:?}"
        );
    }
    // `%0A` stays what it was.
    let shown = done.annotations("notice").join("\n") + &done.annotations("warning").join("\n");
    assert!(shown.contains("second%0A::error::encoded"), "{shown}");
    assert!(
        !done.summary.contains("<img") && !done.summary.contains("@everyone"),
        "{}",
        done.summary
    );
    assert!(done.summary.contains("third&#124;bar"), "{}", done.summary);
}
