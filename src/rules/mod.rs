//! The checks over evidence.
//!
//! A rule is a value and a plain function. [`lint`] walks the evidence once and
//! hands each node to the rules that asked for it; [`shown`] leaves out what a
//! stronger finding says already. The path of a rule's file spells its code,
//! and its page lies beside it.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod call;
mod compat;
mod param;
mod process;
mod protocol;
mod quote;
mod reporter;
pub mod requirements;
mod schema;
mod server;
mod settings;
mod shown;
mod tool;
pub mod verbs;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Finding, Severity};
use crate::model::fuzz::FuzzRun;
use crate::model::inventory::Inventory;
use crate::model::suppression::Suppressed;
use crate::model::tool::Tool;
use crate::schema::walk::{self, Property};

pub use reporter::Reporter;
use reporter::{Draft, Place};
use requirements::Spoken;
pub use shown::{shown, sort, unsubsumed};

/// One check over evidence.
#[derive(Debug)]
pub struct Rule {
    /// Dotted id; its path in this folder.
    pub code: &'static str,
    /// The group that it is picked and gated with.
    pub family: Family,
    /// How much its findings matter.
    pub severity: Severity,
    /// What it looks for, in a few words.
    pub summary: &'static str,
    /// The text that forbids it, where there is one.
    pub spec: Option<Section>,
    /// What it costs, in one sentence.
    pub why: &'static str,
    /// What to do about it, unless a finding knows better.
    pub hint: &'static str,
    /// Its page, in Markdown.
    pub docs: &'static str,
    /// Codes of weaker rules that say nothing more at the same place.
    pub subsumes: &'static [&'static str],
    /// What it looks at, and how.
    pub check: Check,
}

/// A section of a specification, and the keyword that it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// Link to the section.
    pub link: &'static str,
    /// MUST, SHOULD, …, where the text has one.
    pub keyword: Option<&'static str>,
}

/// The node of evidence that a rule wants to see.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// The whole evidence, once.
    Evidence(fn(&Evidence, &mut Reporter<'_>)),
    /// Each entry of `tools/list`, readable or not.
    Entry(fn(&Tool, &mut Reporter<'_>)),
    /// Each entry that is an object.
    Tool(fn(&Tool, &mut Reporter<'_>)),
    /// Each entry that is an object, held against what is spoken and declared.
    Held(fn(&Tool, &Held<'_>, &mut Reporter<'_>)),
    /// Each schema that a tool declares.
    Schema(fn(&DeclaredSchema<'_>, &mut Reporter<'_>)),
    /// Each parameter, however deep it is declared.
    Param(fn(&Property<'_>, &mut Reporter<'_>)),
    /// The names of all tools, once.
    Names(fn(&Names, &mut Reporter<'_>)),
    /// All calls, once.
    Calls(fn(&Evidence, &FuzzRun, &mut Reporter<'_>)),
    /// Each suppression of the settings file, and what came of it; no part of the
    /// evidence.
    Suppression(fn(&Suppressed, &mut Reporter<'_>)),
}

/// What a tool is held against.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// The revision and the transport.
    pub spoken: &'a Spoken,
    /// What the server declares.
    pub inventory: &'a Inventory,
}

/// Each name and the positions of the tools that have it.
pub type Names = BTreeMap<String, Vec<usize>>;

/// A schema that a tool declares.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredSchema<'a> {
    /// What it describes.
    pub role: Role,
    /// The schema, or whatever stands in its place.
    pub value: &'a Value,
    /// The negotiated protocol revision.
    pub revision: Option<&'a str>,
}

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The arguments: `inputSchema`.
    Input,
    /// The structured result: `outputSchema`.
    Output,
}

impl Role {
    /// The member of the tool's entry.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Input => "inputSchema",
            Self::Output => "outputSchema",
        }
    }
}

/// Every rule, sorted by code.
pub static RULES: &[&Rule] = &[
    &call::answer_depends_on_order::RULE,
    &call::coerced::RULE,
    &call::content_block::RULE,
    &call::crash::RULE,
    &call::empty_success::RULE,
    &call::error_leak::RULE,
    &call::extra_key::RULE,
    &call::failure_as_success::RULE,
    &call::idempotent_repeat_fails::RULE,
    &call::internal_error::RULE,
    &call::invalid_json::RULE,
    &call::large_answer::RULE,
    &call::listed_but_unknown::RULE,
    &call::near_miss_dropped::RULE,
    &call::not_called::RULE,
    &call::not_utf8::RULE,
    &call::output_schema::RULE,
    &call::read_only_writes::RULE,
    &call::secret_in_error::RULE,
    &call::silent_accept::RULE,
    &call::slow::RULE,
    &call::stricter_than_schema::RULE,
    &call::timeout::RULE,
    &call::tools_changed::RULE,
    &call::unknown_tool_as_result::RULE,
    &compat::large_list::RULE,
    &param::missing_description::RULE,
    &param::untyped::RULE,
    &process::exited::RULE,
    &process::first_message_wedges::RULE,
    &process::ignores_stop_signal::RULE,
    &process::leaves_children::RULE,
    &process::not_utf8::RULE,
    &process::stdin_eof_exit::RULE,
    &process::stdout_noise::RULE,
    &protocol::annotations_types::RULE,
    &protocol::auth_401::RULE,
    &protocol::auth_as_metadata::RULE,
    &protocol::auth_bogus_token::RULE,
    &protocol::auth_prm::RULE,
    &protocol::auth_scope::RULE,
    &protocol::auth_www_authenticate::RULE,
    &protocol::bad_cursor::RULE,
    &protocol::bad_tool_entry::RULE,
    &protocol::batch::RULE,
    &protocol::batch_sent::RULE,
    &protocol::byte_order_mark::RULE,
    &protocol::cache_hints::RULE,
    &protocol::call_malformed::RULE,
    &protocol::cap_answered::RULE,
    &protocol::cap_undeclared_answered::RULE,
    &protocol::charset::RULE,
    &protocol::completion_errors::RULE,
    &protocol::content_encoding::RULE,
    &protocol::deprecated_features::RULE,
    &protocol::discover::RULE,
    &protocol::discover_serverinfo::RULE,
    &protocol::dns_rebinding::RULE,
    &protocol::endless_list::RULE,
    &protocol::eras_differ::RULE,
    &protocol::error_shape::RULE,
    &protocol::header_framing::RULE,
    &protocol::http_404_method::RULE,
    &protocol::http_content_type::RULE,
    &protocol::http_get::RULE,
    &protocol::http_header_match::RULE,
    &protocol::http_notification_202::RULE,
    &protocol::http_version_header::RULE,
    &protocol::icons::RULE,
    &protocol::id_echo::RULE,
    &protocol::init_known_version::RULE,
    &protocol::init_result::RULE,
    &protocol::init_same_version::RULE,
    &protocol::input_schema_missing::RULE,
    &protocol::input_schema_root::RULE,
    &protocol::invalid_request::RULE,
    &protocol::jsonrpc_version::RULE,
    &protocol::list_failed::RULE,
    &protocol::list_order::RULE,
    &protocol::log_declared::RULE,
    &protocol::log_without_level::RULE,
    &protocol::loglevel_invalid::RULE,
    &protocol::meta_required::RULE,
    &protocol::modern_init_message::RULE,
    &protocol::modern_only::RULE,
    &protocol::no_reply_to_notification::RULE,
    &protocol::no_server_requests::RULE,
    &protocol::no_session_modern::RULE,
    &protocol::origin_403::RULE,
    &protocol::output_schema_shape::RULE,
    &protocol::parse_error::RULE,
    &protocol::ping::RULE,
    &protocol::pre_init_requests::RULE,
    &protocol::progress_rules::RULE,
    &protocol::prompt_entry::RULE,
    &protocol::prompt_missing::RULE,
    &protocol::redirect::RULE,
    &protocol::removed_methods::RULE,
    &protocol::repeated_cursor::RULE,
    &protocol::reserved_codes::RULE,
    &protocol::resource_entry::RULE,
    &protocol::resource_missing::RULE,
    &protocol::result_type::RULE,
    &protocol::result_xor_error::RULE,
    &protocol::schema_bounds::RULE,
    &protocol::schema_dialect::RULE,
    &protocol::schema_remote_ref::RULE,
    &protocol::session_id_ascii::RULE,
    &protocol::session_missing::RULE,
    &protocol::session_unknown::RULE,
    &protocol::sse_deprecated::RULE,
    &protocol::sse_endpoint_event::RULE,
    &protocol::stateless_lists::RULE,
    &protocol::stdout_one_line::RULE,
    &protocol::structured_text::RULE,
    &protocol::subscriptions_ack::RULE,
    &protocol::task_support::RULE,
    &protocol::tls::RULE,
    &protocol::tool_title::RULE,
    &protocol::undeclared_client_cap::RULE,
    &protocol::unknown_method::RULE,
    &protocol::unknown_tool::RULE,
    &protocol::unsupported_version::RULE,
    &protocol::x_mcp_header::RULE,
    &schema::invalid::RULE,
    &schema::no_required::RULE,
    &schema::root_not_object::RULE,
    &server::no_tools::RULE,
    &settings::expired_suppression::RULE,
    &settings::stale_suppression::RULE,
    &tool::duplicate_name::RULE,
    &tool::missing_description::RULE,
    &tool::no_annotations::RULE,
    &tool::no_input_schema::RULE,
    &tool::thin_description::RULE,
    &tool::unusual_name::RULE,
];

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    let at = RULES.binary_search_by(|rule| rule.code.cmp(code)).ok()?;
    RULES.get(at).copied()
}

/// All raw findings of all rules: about the server, then tool by tool in the
/// order of the list, then about names and calls; within each by code.
pub fn lint(evidence: &Evidence) -> Vec<Finding> {
    let spoken = Spoken::of(evidence);
    // A rule about something that was not tested says nothing.
    let rules: Vec<&'static Rule> = RULES
        .iter()
        .copied()
        .filter(|rule| requirements::permit(rule, evidence, &spoken))
        .collect();
    let mut drafts: Vec<Draft> = Vec::new();
    for rule in &rules {
        if let Check::Evidence(check) = rule.check {
            check(
                evidence,
                &mut Reporter::new(rule, Place::Server, &mut drafts),
            );
        }
    }
    let held = Held {
        spoken: &spoken,
        inventory: &evidence.inventory,
    };
    let mut names = Names::new();
    // One entry at a time, so that a long list stays small in memory.
    for (index, raw) in evidence.inventory.tools.entries.iter().enumerate() {
        let tool = Tool::read(index, raw.get());
        lint_tool(&rules, &tool, &held, &mut drafts);
        if let Some(name) = tool.name {
            names.entry(name).or_default().push(index);
        }
    }
    for rule in &rules {
        if let Check::Names(check) = rule.check {
            check(&names, &mut Reporter::new(rule, Place::Server, &mut drafts));
        }
    }
    for rule in &rules {
        if let (Check::Calls(check), Some(run)) = (rule.check, &evidence.fuzz) {
            check(
                evidence,
                run,
                &mut Reporter::new(rule, Place::Server, &mut drafts),
            );
        }
    }
    let mut findings = reporter::finish(drafts);
    requirements::link(&mut findings, &spoken);
    findings
}

/// What is to be said of suppressions, in their order.
pub fn lint_suppressions(entries: &[Suppressed]) -> Vec<Finding> {
    let mut drafts: Vec<Draft> = Vec::new();
    for entry in entries {
        for rule in RULES {
            if let Check::Suppression(check) = rule.check {
                check(entry, &mut Reporter::new(rule, Place::Server, &mut drafts));
            }
        }
    }
    reporter::finish(drafts)
}

/// Whether a rule could speak about this run: what it needs was seen.
pub fn could_speak(rule: &Rule, evidence: &Evidence) -> bool {
    requirements::permit(rule, evidence, &Spoken::of(evidence))
}

fn lint_tool(rules: &[&'static Rule], tool: &Tool, held: &Held<'_>, drafts: &mut Vec<Draft>) {
    let revision = held.inventory.protocol_version.as_deref();
    let is_object = tool.entry.is_object();
    for rule in rules {
        match rule.check {
            Check::Entry(check) => {
                check(tool, &mut Reporter::new(rule, Place::Tool(tool), drafts));
            }
            Check::Tool(check) if is_object => {
                check(tool, &mut Reporter::new(rule, Place::Tool(tool), drafts));
            }
            Check::Held(check) if is_object => {
                let reporter = &mut Reporter::new(rule, Place::Tool(tool), drafts);
                check(tool, held, reporter);
            }
            _ => {}
        }
    }
    // `outputSchema: null` says that there is none.
    let output = tool.output_schema().filter(|schema| !schema.is_null());
    let declared = [(Role::Input, tool.input_schema()), (Role::Output, output)];
    for (role, value) in declared {
        let Some(value) = value else { continue };
        let schema = DeclaredSchema {
            role,
            value,
            revision,
        };
        for rule in rules {
            if let Check::Schema(check) = rule.check {
                let place = Place::Schema(tool, role);
                check(&schema, &mut Reporter::new(rule, place, drafts));
            }
        }
    }
    let Some(schema) = tool.input_schema() else {
        return;
    };
    let root = tool.pointer("/inputSchema");
    walk::properties(schema, &root, &mut |property| {
        for rule in rules {
            if let Check::Param(check) = rule.check {
                let place = Place::Param(tool, property);
                check(property, &mut Reporter::new(rule, place, drafts));
            }
        }
    });
}
