//! However a server spells the credential it was given, no output shows it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{example, mcprobe, run};

const SECRET: &str = "p/q+r s&t<u=é~xyz!9";

/// A script whose every text holds the secret, spelt so.
fn script(spelt: &str) -> String {
    // The steps are JSON in a JSON string: each line goes out as it stands.
    let raw = |line: String| serde_json::json!([{ "raw": line + "\n" }]);
    let initialize = format!(
        r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"protocolVersion":"2025-11-25","capabilities":{{"tools":{{"{spelt}":1}}}},"serverInfo":{{"name":"n {spelt}","version":"{spelt}"}},"instructions":"{spelt}"}}}}"#
    );
    let tool = |name: &str| {
        format!(
            r#"{{"name":"{name}_{spelt}","description":"{spelt}","inputSchema":{{"type":"object","properties":{{"a{spelt}":{{"type":"string","default":"{spelt}","enum":["{spelt}"]}}}},"required":["a{spelt}"]}}}}"#
        )
    };
    let tools = format!(
        r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"tools":[{},{},"{spelt}"]}}}}"#,
        tool("get_a"),
        tool("get_b")
    );
    let padding = "p".repeat(16 * 1024 - 8);
    let refusal = format!(
        r#"{{"jsonrpc":"2.0","id":$ID,"error":{{"code":-32602,"message":"{padding}{spelt} no {spelt}","data":{{"{spelt}":"{spelt}"}}}}}}"#
    );
    serde_json::json!({
        "start": [
            {"stderr": [format!("{spelt}\n"), 1]},
            {"raw": format!("noise {spelt}\n")},
            {"raw": format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m/{spelt}\"}}\n")},
        ],
        "on": {
            "initialize": raw(initialize),
            "tools/list": raw(tools),
            "tools/call": raw(refusal),
        },
    })
    .to_string()
}

fn outputs(folder: &Path, script: &str) -> Vec<(String, String)> {
    let place = |name: &str| folder.join(name);
    fs::write(place("script.json"), script).expect("a script");
    let output = run(mcprobe()
        .args(["audit", "--json", "--fuzz"])
        .arg("--evidence")
        .arg(place("e.json"))
        .arg("--output")
        .arg(place("r.md"))
        .arg("--output")
        .arg(place("r.txt"))
        .arg("--env")
        .arg(format!("FIXTURE_TOKEN={SECRET}"))
        .arg("--")
        .arg(example("scripted_server"))
        .arg(place("script.json"))
        // The label must not show it either.
        .arg(SECRET.replace(' ', "%20"))
        .env_remove("GITHUB_ACTIONS"));
    let mut outputs = vec![
        (
            "stdout".to_owned(),
            String::from_utf8(output.stdout).expect("UTF-8"),
        ),
        (
            "stderr".to_owned(),
            String::from_utf8(output.stderr).expect("UTF-8"),
        ),
    ];
    for name in ["e.json", "r.md", "r.txt"] {
        let text = fs::read_to_string(place(name)).expect("a report");
        outputs.push((name.to_owned(), text));
    }
    outputs
}

#[test]
fn no_spelling_of_a_credential_comes_through() {
    let all_escaped = SECRET.encode_utf16().fold(String::new(), |mut text, unit| {
        let _ = write!(text, "\\u{unit:04x}");
        text
    });
    let spellings = [
        ("plain", SECRET.to_owned()),
        ("php", SECRET.replace('/', "\\/").replace('é', "\\u00e9")),
        ("go", SECRET.replace('&', "\\u0026").replace('<', "\\u003c")),
        ("python", SECRET.replace('é', "\\u00e9")),
        ("all escaped", all_escaped),
    ];
    for (kind, spelt) in spellings {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let outputs = outputs(folder.path(), &script(&spelt));
        assert!(outputs[0].1.contains("[redacted]"), "{kind}");
        assert!(outputs[0].1.contains("get_a_[redacted]"), "{kind}");
        for (place, text) in outputs {
            for form in [SECRET, spelt.as_str(), "p/q+r", "xyz!9", "\\u0079\\u007a"] {
                let quoted = serde_json::Value::from(form).to_string();
                for form in [form, quoted.trim_matches('"')] {
                    assert!(!text.contains(form), "{kind}: {form} in {place}");
                }
            }
        }
    }
}
