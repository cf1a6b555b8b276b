//! Our own JSON-RPC messages as text.
//!
//! Parameters and foreign ids are raw JSON: a fuzz argument such as `1e400` fits
//! no tree. Every message is one line, whatever the parameters look like.

use serde_json::Value;

/// The code for a method that is not known (JSON-RPC 2.0, section 5.1).
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The code for parameters that a method does not take.
pub const INVALID_PARAMS: i64 = -32602;
/// The code for a text that is no JSON.
pub const PARSE_ERROR: i64 = -32700;
/// The code for JSON that is no request.
pub const INVALID_REQUEST: i64 = -32600;

/// A request with an id of ours.
pub fn request(id: u64, method: &str, params: Option<&str>) -> String {
    let method = quote(method);
    on_one_line(match params {
        Some(params) => {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#)
        }
        None => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method}}}"#),
    })
}

/// A notification.
pub fn notification(method: &str, params: Option<&str>) -> String {
    let method = quote(method);
    on_one_line(match params {
        Some(params) => format!(r#"{{"jsonrpc":"2.0","method":{method},"params":{params}}}"#),
        None => format!(r#"{{"jsonrpc":"2.0","method":{method}}}"#),
    })
}

/// The good answer to a request of the server; `id` is the server's, raw.
pub fn result(id: &str, result: &str) -> String {
    on_one_line(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
    ))
}

/// The refusal of a request of the server; `id` is the server's, raw.
pub fn error(id: &str, code: i64, message: &str) -> String {
    let message = quote(message);
    on_one_line(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#
    ))
}

/// A text as a JSON string.
pub fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

/// A raw line break can only stand between tokens of JSON, where a space says
/// the same; on stdio it would cut the message in two.
fn on_one_line(text: String) -> String {
    if text.contains(['\n', '\r']) {
        text.replace(['\n', '\r'], " ")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_look_like_this() {
        assert_eq!(
            request(1, "tools/call", Some("{\n\"a\": 1e400}")),
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{ "a": 1e400}}"#
        );
        assert_eq!(
            notification("notifications/initialized", None),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
        );
        assert_eq!(
            result(r#""x""#, "{}"),
            r#"{"jsonrpc":"2.0","id":"x","result":{}}"#
        );
        assert_eq!(
            error("7", METHOD_NOT_FOUND, "no \"roots\" here"),
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no \"roots\" here"}}"#
        );
    }

    proptest! {
        #[test]
        fn any_method_makes_one_line_of_json(method in any::<String>(), id in any::<u64>()) {
            let text = request(id, &method, Some("{}"));
            prop_assert!(!text.contains('\n'));
            let value: Value = serde_json::from_str(&text).expect("JSON");
            prop_assert_eq!(value["method"].as_str(), Some(method.as_str()));
            prop_assert_eq!(value["id"].as_u64(), Some(id));
        }
    }
}
