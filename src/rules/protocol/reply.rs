//! What the reply to a probe says.

use serde_json::Value;

use super::super::quote::{quote, visible};
use super::super::requirements::needs;
use crate::model::evidence::Evidence;
use crate::model::fuzz::Exchange;
use crate::model::probe::{Probe, Taken};
use crate::protocol::json;

pub(super) use crate::protocol::jsonrpc::{INVALID_PARAMS, METHOD_NOT_FOUND};

/// An `error` of a reply.
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) data: Value,
}

/// The probe, where it was made and says something.
pub(super) fn probe<'a>(evidence: &'a Evidence, name: &str) -> Option<&'a Probe> {
    needs::probe(evidence, name).ok()
}

/// The `result` of a reply; `None` where there is none, or it was cut.
pub(super) fn result(exchange: &Exchange) -> Option<Value> {
    member(exchange, "result")
}

/// The `error` of a reply.
pub(super) fn fault(exchange: &Exchange) -> Option<Fault> {
    let error = member(exchange, "error")?;
    let message = error.get("message").and_then(Value::as_str);
    Some(Fault {
        message: message.unwrap_or_default().to_owned(),
        data: error.get("data").cloned().unwrap_or_default(),
    })
}

fn member(exchange: &Exchange, name: &str) -> Option<Value> {
    let reply = json::read(exchange.reply.as_deref()?).value;
    reply.get(name).cloned()
}

/// How a probe was taken, to stand after "is answered with" or "met with".
pub(super) fn told(probe: &Probe) -> String {
    let status = |text: String| match probe.exchange.http_status {
        Some(status) if status != 200 => format!("{text} (HTTP {status})"),
        Some(_) | None => text,
    };
    match probe.taken {
        Taken::Result if is_tool_error(probe) => status("a result with `isError`".to_owned()),
        Taken::Result => status("a result".to_owned()),
        Taken::Error(code) => {
            let message = fault(&probe.exchange).map_or(String::new(), |fault| fault.message);
            status(if message.is_empty() {
                format!("error {code}")
            } else {
                format!("error {code} {}", quote(&message))
            })
        }
        Taken::Silence => match probe.exchange.exit {
            Some(exit) => format!("nothing, and the end of the server ({exit})"),
            None => "nothing in time".to_owned(),
        },
        Taken::HttpOnly => match probe.exchange.http_status {
            Some(status) => format!("HTTP {status} and no JSON-RPC message"),
            None => "no JSON-RPC message".to_owned(),
        },
        Taken::Broken => {
            let reply = probe.exchange.reply.as_deref().unwrap_or_default();
            status(format!("what is no JSON-RPC: `{}`", visible(reply, 80)))
        }
        Taken::Closed => match probe.exchange.exit {
            Some(exit) => format!("the end of the server ({exit})"),
            None => "the end of the connection".to_owned(),
        },
    }
}

/// Whether HTTP refused it, in no words of JSON-RPC.
pub(super) fn is_http_refusal(probe: &Probe) -> bool {
    probe.taken == Taken::HttpOnly
        && probe
            .exchange
            .http_status
            .is_some_and(|status| status >= 400)
}

/// A result of `tools/call` with `isError: true`.
pub(super) fn is_tool_error(probe: &Probe) -> bool {
    probe.taken == Taken::Result
        && result(&probe.exchange)
            .is_some_and(|result| result.get("isError") == Some(&Value::Bool(true)))
}

/// Whether the server was gone after the probe. Over HTTP a connection may end and the
/// server live on.
pub(super) fn broke(probe: &Probe) -> bool {
    let ended = probe.exchange.exit.is_some() || probe.alive.is_none();
    probe.alive == Some(false) || probe.taken == Taken::Closed && ended
}

/// A value of a member, short, for a message.
pub(super) fn shown(value: &Value) -> String {
    format!("`{}`", visible(&value.to_string(), 60))
}

/// "a string", "an array", …, "missing".
pub(super) const fn kind(value: Option<&Value>) -> &'static str {
    match value {
        None => "missing",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "a boolean",
        Some(Value::Number(_)) => "a number",
        Some(Value::String(_)) => "a string",
        Some(Value::Array(_)) => "an array",
        Some(Value::Object(_)) => "an object",
    }
}
