//! Capabilities that are not declared, and declared ones asked for what is not
//! there.

use serde_json::Value;

use super::compose::{Members, Meta};
use super::script::{Risk, Script};
use crate::model::contact::Era;
use crate::protocol::json;
use crate::protocol::jsonrpc::quote;
use crate::protocol::revision::Revision;

/// How many prompts are looked at for one with arguments.
const MAX_PROMPTS: usize = 200;

/// The first prompts that fit the probes, names as raw JSON.
#[derive(Debug, Default)]
struct Prompts {
    /// One that requires an argument.
    demanding: Option<String>,
    /// One that has an argument, and that.
    with_argument: Option<(String, String)>,
}

impl Script<'_> {
    pub(super) async fn features(&mut self) {
        self.undeclared().await;
        self.bad_cursor().await;
        self.resources().await;
        self.prompts().await;
        self.completions().await;
        self.logging().await;
        let text = self.request("mcprobe/does-not-exist", &[], Meta::Whole);
        self.send("unknown-method", text, Risk::None).await;
    }

    async fn undeclared(&mut self) {
        let reference = self.absent_prompt();
        let completion = [
            ("ref", reference.as_str()),
            ("argument", r#"{"name":"mcprobe","value":""}"#),
        ];
        let level = [("level", r#""info""#)];
        let none: [(&str, &str); 0] = [];
        let methods: [(&str, &str, Members<'_>); 5] = [
            ("tools/list", "tools", &none),
            ("prompts/list", "prompts", &none),
            ("resources/list", "resources", &none),
            ("completion/complete", "completions", &completion),
            ("logging/setLevel", "logging", &level),
        ];
        for (method, capability, members) in methods {
            let name = format!("undeclared:{method}");
            if self.inventory.declares(capability) {
                self.leave_out(&name, format!("`{capability}` is declared"));
            } else if let Some(because) = self.is_not_in_revision(method) {
                self.leave_out(&name, because);
            } else {
                let text = self.request(method, members, Meta::Whole);
                self.send(&name, text, Risk::None).await;
            }
        }
    }

    /// Why a method says nothing about a capability in this revision.
    fn is_not_in_revision(&self, method: &str) -> Option<&'static str> {
        match method {
            // `completions` came with 2025-03-26; before, servers had no way to declare it.
            "completion/complete" if self.revision == Revision::V2024_11_05 => {
                Some("the revision has no such capability")
            }
            "logging/setLevel" if self.era == Era::Modern => {
                Some("the revision has no such method")
            }
            _ => None,
        }
    }

    async fn bad_cursor(&mut self) {
        if self.inventory.tools.pages == 0 {
            return self.leave_out("bad-cursor", "no tools were listed");
        }
        let cursor = [("cursor", r#""mcprobe-invalid""#)];
        let text = self.request("tools/list", &cursor, Meta::Whole);
        self.send("bad-cursor", text, Risk::None).await;
    }

    async fn resources(&mut self) {
        if !self.inventory.declares("resources") {
            return self.leave_out("resource-unknown", "`resources` is not declared");
        }
        let uri = quote(&self.absent.uri);
        let text = self.request("resources/read", &[("uri", &uri)], Meta::Whole);
        self.send("resource-unknown", text, Risk::None).await;
    }

    async fn prompts(&mut self) {
        if !self.inventory.declares("prompts") {
            for name in ["prompt-unknown", "prompt-no-arguments"] {
                self.leave_out(name, "`prompts` is not declared");
            }
            return;
        }
        let name = quote(&self.absent.prompt);
        let text = self.request("prompts/get", &[("name", &name)], Meta::Whole);
        self.send("prompt-unknown", text, Risk::None).await;
        let Some(name) = self.listed_prompts().demanding else {
            return self.leave_out("prompt-no-arguments", "no prompt requires an argument");
        };
        let members = [("name", name.as_str()), ("arguments", "{}")];
        let text = self.request("prompts/get", &members, Meta::Whole);
        self.send("prompt-no-arguments", text, Risk::None).await;
    }

    async fn completions(&mut self) {
        if !self.inventory.declares("completions") {
            for name in ["completion-unknown", "completion-known"] {
                self.leave_out(name, "`completions` is not declared");
            }
            return;
        }
        let reference = self.absent_prompt();
        let argument = r#"{"name":"mcprobe","value":""}"#;
        let members = [("ref", reference.as_str()), ("argument", argument)];
        let text = self.request("completion/complete", &members, Meta::Whole);
        self.send("completion-unknown", text, Risk::None).await;
        let Some((prompt, argument)) = self.listed_prompts().with_argument else {
            return self.leave_out("completion-known", "no prompt has an argument");
        };
        let reference = format!(r#"{{"type":"ref/prompt","name":{prompt}}}"#);
        let argument = format!(r#"{{"name":{argument},"value":""}}"#);
        let members = [("ref", reference.as_str()), ("argument", argument.as_str())];
        let text = self.request("completion/complete", &members, Meta::Whole);
        self.send("completion-known", text, Risk::None).await;
    }

    async fn logging(&mut self) {
        if !self.inventory.declares("logging") {
            for name in ["log-level", "log-level-invalid"] {
                self.leave_out(name, "`logging` is not declared");
            }
            return;
        }
        if self.era == Era::Modern {
            self.leave_out("log-level", "the revision has no such method");
            let text = self.request(self.common_method(), &[], Meta::LogLevel("loud"));
            self.send("log-level-invalid", text, Risk::None).await;
            return;
        }
        for (name, level) in [("log-level", "info"), ("log-level-invalid", "loud")] {
            let level = quote(level);
            let text = self.request("logging/setLevel", &[("level", &level)], Meta::Whole);
            self.send(name, text, Risk::None).await;
        }
    }

    fn absent_prompt(&self) -> String {
        let name = quote(&self.absent.prompt);
        format!(r#"{{"type":"ref/prompt","name":{name}}}"#)
    }

    fn listed_prompts(&self) -> Prompts {
        let mut found = Prompts::default();
        let entries = &self.inventory.prompts.entries;
        for entry in entries.iter().take(MAX_PROMPTS) {
            let prompt = json::read(entry.get()).value;
            let (Some(name), Some(arguments)) =
                (prompt["name"].as_str(), prompt["arguments"].as_array())
            else {
                continue;
            };
            if arguments
                .iter()
                .any(|one| one["required"] == Value::Bool(true))
            {
                found.demanding.get_or_insert_with(|| quote(name));
            }
            if let Some(argument) = arguments.iter().find_map(|one| one["name"].as_str()) {
                let pair = || (quote(name), quote(argument));
                found.with_argument.get_or_insert_with(pair);
            }
        }
        found
    }
}
