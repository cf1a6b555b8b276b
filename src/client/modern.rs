//! What the client adds to each request of the modern era, so that no caller needs to
//! know: `_meta`, and over HTTP the headers that repeat what the body says.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::Connection;
use crate::model::contact::Era;
use crate::protocol::message::string;
use crate::protocol::{json, modern, param_headers};

/// Tools whose parameters are looked at for headers.
const MAX_TOOLS: usize = 5_000;

impl Connection {
    /// The parameters as they are sent.
    pub(super) fn sent_params<'p>(&self, params: Option<&'p str>) -> Option<Cow<'p, str>> {
        if self.era == Era::Legacy {
            return params.map(Cow::Borrowed);
        }
        let meta = self.meta();
        let members = meta.each_ref().map(|(key, value)| (*key, value.as_str()));
        Some(Cow::Owned(modern::with_meta(params, &members)))
    }

    /// The headers that go with a message over HTTP.
    pub(super) fn message_headers(&self, text: &str) -> Vec<(String, String)> {
        if self.era == Era::Legacy || self.link.http().is_none() {
            return Vec::new();
        }
        let mut headers = modern::request_headers(text);
        if !self.param_headers.is_empty() {
            headers.extend(self.call_headers(text).unwrap_or_default());
        }
        headers
    }

    fn call_headers(&self, text: &str) -> Option<Vec<(String, String)>> {
        let [method, params] = json::pick(text, ["method", "params"])?;
        if string(method?.get())? != "tools/call" {
            return None;
        }
        let [name, arguments] = json::pick(params?.get(), ["name", "arguments"])?;
        let wanted = self.param_headers.get(&string(name?.get())?)?;
        Some(param_headers::of_call(wanted, arguments?.get()))
    }

    /// Remembers which parameters the tools of a list want as headers. Tools that ask
    /// for them in a way that breaks the rules get none.
    pub(super) fn learn_headers(&mut self, list: &RawValue) {
        if self.era == Era::Legacy || !list.get().contains(param_headers::KEYWORD) {
            return;
        }
        let tools = json::pick(list.get(), ["tools"])
            .and_then(|[tools]| tools)
            .and_then(|tools| json::first_elements(tools.get(), MAX_TOOLS));
        for tool in tools.map(|(tools, _)| tools).unwrap_or_default() {
            let [name, schema] =
                json::pick(tool.get(), ["name", "inputSchema"]).unwrap_or_default();
            let (Some(name), Some(schema)) = (name.and_then(|raw| string(raw.get())), schema)
            else {
                continue;
            };
            let wanted = param_headers::read(schema.get()).unwrap_or_default();
            if wanted.is_empty() {
                self.param_headers.remove(&name);
            } else if self.param_headers.len() < MAX_TOOLS {
                self.param_headers.insert(name, wanted);
            }
        }
    }
}
