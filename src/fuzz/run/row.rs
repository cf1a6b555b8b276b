//! From an exchange to a row: what was sent, how it was taken, what it says.

use std::time::Duration;

use serde_json::value::RawValue;

use crate::client::{Exchanged, Reply};
use crate::fuzz::answer;
use crate::fuzz::classify::{self, Classified, OutputCheck};
use crate::fuzz::plan::PlannedTool;
use crate::model::answer::{Answer, ContentFault, Taken};
use crate::model::fuzz::{Case, Exchange, FuzzRow, Outcome};
use crate::model::secret::Redactor;
use crate::protocol::revision::Revision;

/// How replies are read.
pub(super) struct Reader<'a> {
    pub(super) redactor: &'a Redactor,
    pub(super) revision: Revision,
}

/// The `params` of a call, with the arguments byte for byte.
pub(super) fn params(name: &str, arguments: &RawValue) -> String {
    let name = serde_json::Value::from(name);
    format!("{{\"name\":{name},\"arguments\":{arguments}}}")
}

/// Bytes of one text of the server's that a row keeps.
const KEPT_TEXT: usize = 4 * 1024;

/// A text as it is kept. It was cleaned before, so that no half of a credential
/// is left at the cut.
fn bounded(text: &str) -> String {
    if text.len() <= KEPT_TEXT {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(KEPT_TEXT)])
}

impl Reader<'_> {
    /// The row of a call, without credentials.
    pub(super) fn row(
        &self,
        tool: &PlannedTool,
        case: &Case,
        output: Option<&OutputCheck>,
        exchanged: Exchanged,
    ) -> FuzzRow {
        let classified = classified(&exchanged.reply, case, output);
        let answer = self.answer(case, &exchanged.reply, classified.outcome);
        let refusal_fault = self.refusal_fault(&exchanged.reply, classified.outcome);
        let Exchanged {
            exchange,
            latency,
            invalid_utf8_at,
            ..
        } = exchanged;
        let mut row = fill(tool, case, classified, exchange, latency);
        row.invalid_utf8_at = invalid_utf8_at;
        row.answer = answer;
        row.refusal_fault = refusal_fault;
        for text in [&mut row.error_text, &mut row.output_schema_violation] {
            self.clean(text);
        }
        row
    }

    /// How a call that has no row was taken.
    pub(super) fn taken(&self, case: &Case, exchanged: &Exchanged) -> Taken {
        let classified = classified(&exchanged.reply, case, None);
        let said = self.answer(case, &exchanged.reply, classified.outcome);
        let mut error_text = classified.error_text;
        self.clean(&mut error_text);
        Taken {
            outcome: classified.outcome,
            shape: said.map_or_else(
                || answer::shape_of_text(error_text.as_deref().unwrap_or_default()),
                |answer| answer.shape,
            ),
            error_text,
        }
    }

    fn answer(&self, case: &Case, reply: &Reply, outcome: Outcome) -> Option<Answer> {
        let Reply::Result(raw) = reply else {
            return None;
        };
        if outcome != Outcome::Ok {
            return None;
        }
        let mut answer = answer::read(raw.get(), &self.revision, case.class);
        self.clean(&mut answer.failure);
        self.clean(&mut answer.refusal);
        self.clean_fault(answer.fault.as_mut());
        Some(answer)
    }

    /// What is wrong with the result that a refusal comes in.
    fn refusal_fault(&self, reply: &Reply, outcome: Outcome) -> Option<ContentFault> {
        let Reply::Result(raw) = reply else {
            return None;
        };
        if outcome != Outcome::ToolError {
            return None;
        }
        let mut fault = answer::fault(raw.get(), &self.revision);
        self.clean_fault(fault.as_mut());
        fault
    }

    fn clean_fault(&self, fault: Option<&mut ContentFault>) {
        if let Some(fault) = fault {
            fault.what = self.redactor.clean(&fault.what).into_owned();
        }
    }

    fn clean(&self, text: &mut Option<String>) {
        *text = text.take().map(|text| bounded(&self.redactor.clean(&text)));
    }
}

/// How a reply was taken.
pub(super) fn classified(reply: &Reply, case: &Case, output: Option<&OutputCheck>) -> Classified {
    let reply = match reply {
        Reply::Result(raw) => classify::Reply::Result(raw.get()),
        Reply::Error {
            code,
            message,
            data,
        } => classify::Reply::Error {
            code: *code,
            message,
            data: data.as_deref().map(RawValue::get),
        },
        Reply::Timeout => classify::Reply::Timeout,
        Reply::HttpRefused { status } => classify::Reply::HttpRefused(*status),
        Reply::Broken | Reply::Closed => classify::Reply::Broken,
    };
    classify::classify(&reply, case, output)
}

fn fill(
    tool: &PlannedTool,
    case: &Case,
    classified: Classified,
    exchange: Exchange,
    latency: Duration,
) -> FuzzRow {
    FuzzRow {
        tool: tool.tool.clone(),
        tool_index: tool.tool_index,
        case: case.clone(),
        outcome: classified.outcome,
        silently_accepted: classified.silently_accepted,
        coerced: classified.coerced,
        empty_success: classified.empty_success,
        output_schema_violation: classified.output_schema_violation,
        error_text: classified.error_text,
        error_code: classified.error_code,
        invalid_utf8_at: None,
        confirmed: None,
        answer: None,
        refusal_fault: None,
        after: Vec::new(),
        shrunk: None,
        writes: Vec::new(),
        exchange,
        latency_us: u64::try_from(latency.as_micros()).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_go_out_byte_for_byte() {
        let arguments =
            RawValue::from_string(r#"{"n": 1e400,  "s":"\ud800"}"#.to_owned()).expect("JSON text");
        assert_eq!(
            params("a \"b\"", &arguments),
            r#"{"name":"a \"b\"","arguments":{"n": 1e400,  "s":"\ud800"}}"#
        );
    }
}
