//! Builders of evidence and findings for the tests of both models.

mod formulas;
mod measured;
mod properties;

use serde_json::value::RawValue;

use super::*;
use crate::model::answer::FollowUp;
use crate::model::contact::Contact;
use crate::model::evidence::{EVIDENCE_VERSION, Producer, RunFacts, Wire};
use crate::model::finding::{Family, Location, Severity};
use crate::model::fuzz::{Case, CaseClass, Exchange, FuzzLevel, FuzzRun, Outcome};
use crate::model::inventory::{Inventory, Listing, ServerInfo};
use crate::model::report::Grade;
use crate::model::target::{TargetLabel, TransportKind};

fn evidence(tools: usize, rows: Vec<FuzzRow>) -> Evidence {
    let entry = RawValue::from_string("{}".to_owned()).expect("JSON");
    Evidence {
        evidence_version: EVIDENCE_VERSION,
        producer: Producer::default(),
        target: TargetLabel {
            transport: TransportKind::Stdio,
            display: "server".to_owned(),
            name: None,
        },
        probe_state: ProbeState::Ok,
        failure: None,
        inventory: Inventory {
            server: ServerInfo {
                name: Some("server".to_owned()),
                version: Some("1".to_owned()),
                ..ServerInfo::default()
            },
            protocol_version: Some("2025-11-25".to_owned()),
            tools: Listing {
                entries: vec![entry; tools],
                pages: 1,
                end: ListEnd::Complete,
            },
            ..Inventory::default()
        },
        contact: Contact::default(),
        wire: Wire::default(),
        probes: None,
        fuzz_asked: false,
        fuzz: (!rows.is_empty()).then(|| FuzzRun {
            level: FuzzLevel::Writes,
            seed: 1,
            turns: Vec::new(),
            rows: rows.into(),
            abandoned: Vec::new(),
            follow_up: FollowUp::default(),
        }),
        cut_short: None,
        run: RunFacts::default(),
    }
}

fn row(tool_index: usize, class: CaseClass, outcome: Outcome) -> FuzzRow {
    FuzzRow {
        tool: format!("tool_{tool_index}"),
        tool_index,
        case: Case {
            label: label(class).to_owned(),
            class,
            arguments: RawValue::from_string("{}".to_owned()).expect("JSON"),
        },
        outcome,
        silently_accepted: false,
        coerced: false,
        empty_success: false,
        output_schema_violation: None,
        error_text: None,
        error_code: None,
        invalid_utf8_at: None,
        answer: None,
        refusal_fault: None,
        after: Vec::new(),
        shrunk: None,
        writes: Vec::new(),
        exchange: Exchange::default(),
        confirmed: None,
        latency_us: 1000,
    }
}

/// A label of the class that both models count.
const fn label(class: CaseClass) -> &'static str {
    match class {
        CaseClass::Generated | CaseClass::Example => "valid",
        CaseClass::Malformed => "wrong_type:text",
        CaseClass::Coercion => "coerced:text",
        CaseClass::ExtraKey => "extra_garbage",
        CaseClass::Edge => "edge_long:text",
    }
}

fn labelled(label: &str, row: FuzzRow) -> FuzzRow {
    FuzzRow {
        case: Case {
            label: label.to_owned(),
            ..row.case
        },
        ..row
    }
}

fn refused(tool_index: usize, class: CaseClass, words: &str) -> FuzzRow {
    FuzzRow {
        error_text: Some(words.to_owned()),
        ..row(tool_index, class, Outcome::ToolError)
    }
}

fn finding(tool_index: Option<usize>, severity: Severity) -> Finding {
    Finding {
        code: format!("tool.{severity}").into(),
        family: Family::Lint,
        severity,
        message: String::new(),
        why: "".into(),
        hint: "".into(),
        location: Location {
            tool: tool_index.map(|index| format!("tool_{index}")),
            tool_index,
            ..Location::default()
        },
        case: None,
        spec: None,
        occurrences: 1,
        fingerprint: String::new(),
    }
}

fn dimension(score: &ModelScore, wanted: Dimension) -> Option<f64> {
    score
        .dimensions
        .iter()
        .find(|dimension| dimension.dimension == wanted)
        .and_then(|dimension| dimension.score)
}

/// Findings by severity spread over the tools in turn.
fn findings(counts: [usize; 3], tools: usize) -> Vec<Finding> {
    let mut all = Vec::new();
    for (severity, number) in Severity::ALL.into_iter().zip(counts) {
        for place in 0..number {
            all.push(finding(Some(place % tools), severity));
        }
    }
    all
}
