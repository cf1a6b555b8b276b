//! `tools/call` of no tool, and calls that fit no shape. No listed tool is named.

use super::compose::{Members, Meta};
use super::script::{Risk, Script};
use crate::model::probe::Taken;
use crate::protocol::json;
use crate::protocol::jsonrpc::quote;

/// A name that is a number, and no position in any list.
const NUMBER: &str = "987654321";

impl Script<'_> {
    pub(super) async fn calls(&mut self) {
        let name = quote(&self.absent.tool);
        let names = ("name", name.as_str());
        let malformed: [(&str, Members<'_>); 6] = [
            ("call-no-params", &[]),
            ("call-no-name", &[("arguments", "{}")]),
            ("call-name-number", &[("name", NUMBER), ("arguments", "{}")]),
            ("call-args-array", &[names, ("arguments", "[]")]),
            ("call-args-string", &[names, ("arguments", r#""mcprobe""#)]),
            ("call-args-null", &[names, ("arguments", "null")]),
        ];
        let because = if self.inventory.tools.pages == 0 {
            self.leave_out("unknown-tool", "no tools were listed");
            Some("no tools were listed")
        } else {
            let members = [names, ("arguments", "{}")];
            let text = self.request("tools/call", &members, Meta::Whole);
            match self.send("unknown-tool", text, Risk::Death).await {
                // Whatever ran there must not run again.
                Some(Taken::Result) if !self.refused_the_tool() => {
                    Some("the server ran something under a name that no tool has")
                }
                None => Some("it is not known whether the server runs something under any name"),
                Some(_) => None,
            }
        };
        for (probe, members) in malformed {
            if let Some(because) = because {
                self.leave_out(probe, because);
                continue;
            }
            let text = self.request("tools/call", members, Meta::Whole);
            self.send(probe, text, Risk::Death).await;
        }
    }

    /// Whether the result says that the call failed.
    fn refused_the_tool(&self) -> bool {
        let reply = self.probes.get("unknown-tool");
        reply
            .and_then(|probe| probe.exchange.reply.as_deref())
            .and_then(|text| json::pick(text, ["result"]))
            .and_then(|[result]| json::pick(result?.get(), ["isError"]))
            .and_then(|[is_error]| is_error)
            .is_some_and(|is_error| is_error.get() == "true")
    }
}
