//! Evidence for one rule from a small JSON file.
//!
//! `{"tools": […]}` is a captured list; `{"evidence": {…}}` is laid over the
//! evidence of a clean run of a server with no tools to speak of. Beside either,
//! `"settings"` is the text of an `mcprobe.toml` and `"today"` the day on which it is
//! read, for rules about settings.

use std::fs;
use std::path::{Path, PathBuf};

use mcprobe::config::merge::{self, GateWords};
use mcprobe::config::{LoadedFile, file};
use mcprobe::judge::judge;
use mcprobe::model::contact::Contact;
use mcprobe::model::evidence::{EVIDENCE_VERSION, Evidence, ProbeState, Producer, RunFacts, Wire};
use mcprobe::model::finding::Finding;
use mcprobe::model::inventory::{Inventory, ListEnd, Listing};
use mcprobe::model::target::{TargetLabel, TransportKind};
use mcprobe::protocol::json;
use mcprobe::rules;
use serde_json::value::RawValue;
use serde_json::{Value, json as value};

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rules")
}

pub(super) fn read(code: &str, name: &str) -> Evidence {
    let path = folder().join(code).join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    evidence(&text)
}

/// The raw findings of a rule's fixture; with settings, those that judging shows.
pub(super) fn findings(code: &str, name: &str) -> Vec<Finding> {
    let evidence = read(code, name);
    let path = folder().join(code).join(name);
    let text = fs::read_to_string(path).expect("read before");
    let fixture: Value = serde_json::from_str(&text).unwrap_or_default();
    let Some(settings) = fixture["settings"].as_str() else {
        return rules::lint(&evidence);
    };
    let today = fixture["today"].as_str().expect("a day beside settings");
    let file = LoadedFile {
        path: PathBuf::new(),
        config: file::read("mcprobe.toml", settings).expect("a settings file"),
        read_on: today.parse().expect("a day"),
    };
    let words = GateWords::default();
    let settings = merge::judge_settings(&words, Some(&file), false).expect("settings");
    judge(&evidence, &settings).findings
}

/// Evidence of a server that lists these entries.
pub(super) fn listing(entries: Vec<Box<RawValue>>) -> Evidence {
    Evidence {
        evidence_version: EVIDENCE_VERSION,
        producer: Producer::default(),
        target: TargetLabel {
            transport: TransportKind::Stdio,
            display: "acme-server".to_owned(),
            name: None,
        },
        probe_state: ProbeState::Ok,
        failure: None,
        inventory: Inventory {
            protocol_version: Some("2025-11-25".to_owned()),
            capabilities: value!({"tools": {}}),
            tools: Listing {
                entries,
                pages: 1,
                end: ListEnd::Complete,
            },
            ..Inventory::default()
        },
        contact: Contact::default(),
        wire: Wire::default(),
        probes: None,
        fuzz_asked: false,
        fuzz: None,
        cut_short: None,
        run: RunFacts::default(),
    }
}

pub(super) fn evidence(text: &str) -> Evidence {
    let mut base = listing(vec![
        RawValue::from_string(
            r#"{"name":"read_file","description":"Reads one file.","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}"#
                .to_owned(),
        )
        .expect("the entry is JSON"),
    ]);
    for (key, raw) in json::members(text).expect("a fixture is an object") {
        match key.as_str() {
            "tools" => {
                base.inventory.tools.entries = json::elements(raw.get()).expect("tools is a list");
            }
            "evidence" => {
                let mut whole = serde_json::to_value(&base).expect("evidence is JSON");
                lay_over(&mut whole, json::read(raw.get()).value);
                // Through text, because raw values are read from text only.
                base = serde_json::from_str(&whole.to_string())
                    .unwrap_or_else(|error| panic!("{error} in {whole}"));
            }
            "settings" | "today" => {}
            key => panic!("a fixture has `tools` or `evidence`, not `{key}`"),
        }
    }
    base
}

fn lay_over(base: &mut Value, over: Value) {
    match (base, over) {
        // A tagged value is replaced whole.
        (Value::Object(base), Value::Object(over)) if !over.contains_key("kind") => {
            for (key, value) in over {
                lay_over(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}
