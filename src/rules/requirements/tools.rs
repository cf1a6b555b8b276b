//! Requirements on tools, resources and prompts.

use super::needs;
use super::{Area, Judge, Level, Requirement, Severity};
use super::{EVERY, EVERYWHERE, MODERN, R2024_11, R2025_03, R2025_06, R2025_11, R2026_07};
use crate::model::fuzz::Outcome;

pub(super) static ROWS: &[Requirement] = &[
    Requirement {
        id: "tool-name-present",
        area: Area::Tools,
        says: "every tool has a name",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#tool")],
        judge: Judge::Rules(&["protocol.bad_tool_entry"], |evidence, _| {
            needs::tools(evidence)
        }),
    },
    Requirement {
        id: "tool-name-format",
        area: Area::Tools,
        says: "names are made of letters, digits, `_`, `-` and `.`",
        level: Level::Should,
        severity: Severity::Warning,
        revisions: (R2025_11, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#tool-names")],
        judge: Judge::Rules(&["tool.unusual_name"], |evidence, _| needs::tools(evidence)),
    },
    Requirement {
        id: "tool-name-unique",
        area: Area::Tools,
        says: "no two tools share a name",
        level: Level::Should,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "server/tools#tool"),
            (R2025_11, "server/tools#tool-names"),
        ],
        judge: Judge::Rules(&["tool.duplicate_name"], |evidence, _| {
            needs::tools(evidence)
        }),
    },
    Requirement {
        id: "tool-description",
        area: Area::Tools,
        says: "every tool says what it does",
        level: Level::Quality,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#tool")],
        judge: Judge::Rules(&["tool.missing_description"], |evidence, _| {
            needs::tools(evidence)
        }),
    },
    Requirement {
        id: "tool-title",
        area: Area::Tools,
        says: "titles are text",
        level: Level::May,
        severity: Severity::Info,
        revisions: (R2025_06, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#tool")],
        judge: Judge::Rules(&["protocol.tool_title"], |evidence, _| {
            needs::tools_with(evidence, "title")
        }),
    },
    Requirement {
        id: "annotations-types",
        area: Area::Tools,
        says: "hints are booleans",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_03, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#tool")],
        judge: Judge::Rules(&["protocol.annotations_types"], |evidence, _| {
            needs::tools_with(evidence, "annotations")
        }),
    },
    Requirement {
        id: "icons",
        area: Area::Tools,
        says: "icons have an address that clients may load",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_11, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "basic#icons")],
        judge: Judge::Rules(&["protocol.icons"], |evidence, _| needs::icons(evidence)),
    },
    Requirement {
        id: "task-support",
        area: Area::Tools,
        says: "task support is one of three words, and backed by the capability",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_11, R2025_11),
        on: EVERYWHERE,
        pages: &[(R2024_11, "basic/utilities/tasks")],
        judge: Judge::Rules(&["protocol.task_support"], |evidence, _| {
            needs::tools_with(evidence, "execution")
        }),
    },
    Requirement {
        id: "x-mcp-header",
        area: Area::Tools,
        says: "parameters that become headers fit a header",
        level: Level::Must,
        severity: Severity::Error,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#x-mcp-header")],
        judge: Judge::Rules(&["protocol.x_mcp_header"], |evidence, _| {
            needs::tools_with(evidence, "x-mcp-header")
        }),
    },
    Requirement {
        id: "input-schema-object",
        area: Area::Tools,
        says: "`inputSchema` is there and describes an object",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#tool")],
        judge: Judge::Rules(
            &[
                "protocol.input_schema_missing",
                "protocol.input_schema_root",
                "schema.invalid",
                "schema.root_not_object",
            ],
            |evidence, _| needs::tools(evidence),
        ),
    },
    Requirement {
        id: "input-schema-valid",
        area: Area::Tools,
        says: "schemas are valid JSON Schema",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_11, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "basic#json-schema-usage")],
        judge: Judge::Rules(&["schema.invalid"], |evidence, _| {
            needs::tools_with(evidence, "inputSchema")
        }),
    },
    Requirement {
        id: "output-schema-shape",
        area: Area::Tools,
        says: "`outputSchema` is a schema of the kind that the revision has",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_06, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#output-schema")],
        judge: Judge::Rules(
            &["protocol.output_schema_shape", "schema.invalid"],
            |evidence, _| needs::tools_with(evidence, "outputSchema"),
        ),
    },
    Requirement {
        id: "schema-dialect",
        area: Area::Tools,
        says: "the dialect of a schema is known",
        level: Level::Should,
        severity: Severity::Info,
        revisions: (R2025_11, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "basic#json-schema-usage")],
        judge: Judge::Rules(&["protocol.schema_dialect"], |evidence, _| {
            needs::tools_with(evidence, "$schema")
        }),
    },
    Requirement {
        id: "schema-remote-ref",
        area: Area::Tools,
        says: "schemas need nothing from the network",
        level: Level::MustNot,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "server/tools#tool"),
            (R2025_11, "basic#json-schema-usage"),
            (R2026_07, "basic#%24ref-resolution"),
        ],
        judge: Judge::Rules(&["protocol.schema_remote_ref"], |evidence, _| {
            needs::tools_with(evidence, "inputSchema")
        }),
    },
    Requirement {
        id: "schema-bounds",
        area: Area::Tools,
        says: "schemas have reasonable bounds",
        level: Level::Should,
        severity: Severity::Warning,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2024_11, "basic#composition-keyword-resource-use")],
        judge: Judge::Rules(&["protocol.schema_bounds"], |evidence, _| {
            needs::tools_with(evidence, "inputSchema")
        }),
    },
    Requirement {
        id: "list-order",
        area: Area::Tools,
        says: "lists come in the same order each time",
        level: Level::Should,
        severity: Severity::Info,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#capabilities")],
        judge: Judge::Rules(&["protocol.list_order"], |evidence, _| {
            needs::any_comparison(evidence, "second-list")
        }),
    },
    Requirement {
        id: "unknown-tool",
        area: Area::Tools,
        says: "a call to no tool is refused with a protocol error",
        level: Level::Stated,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#error-handling")],
        judge: Judge::Rules(
            &["protocol.unknown_tool", "call.unknown_tool_as_result"],
            |evidence, _| needs::unknown_tool(evidence),
        ),
    },
    Requirement {
        id: "call-malformed",
        area: Area::Tools,
        says: "a malformed call is refused with a protocol error",
        level: Level::Stated,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#error-handling")],
        judge: Judge::Rules(&["protocol.call_malformed"], |evidence, _| {
            needs::any_probe(
                evidence,
                &[
                    "call-no-params",
                    "call-no-name",
                    "call-name-number",
                    "call-args-array",
                    "call-args-string",
                    "call-args-null",
                ],
            )
        }),
    },
    Requirement {
        id: "bad-args",
        area: Area::Tools,
        says: "arguments are checked against the schema",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#security-considerations")],
        judge: Judge::Rules(&["call.silent_accept"], |evidence, _| {
            needs::call(
                evidence,
                |row| row.case.class.breaks_schema(),
                "no call broke a schema",
            )
        }),
    },
    Requirement {
        id: "structured-conforms",
        area: Area::Tools,
        says: "structured results fit the output schema",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_06, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#output-schema")],
        judge: Judge::Rules(&["call.output_schema"], |evidence, _| {
            needs::tools_with(evidence, "outputSchema").and_then(|()| {
                needs::call(
                    evidence,
                    |row| row.outcome == Outcome::Ok,
                    "no call succeeded",
                )
            })
        }),
    },
    Requirement {
        id: "structured-text",
        area: Area::Tools,
        says: "a structured result comes as text too",
        level: Level::Should,
        severity: Severity::Info,
        revisions: (R2025_06, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#structured-content")],
        judge: Judge::Rules(&["protocol.structured_text"], |evidence, _| {
            needs::structured(evidence)
        }),
    },
    Requirement {
        id: "result-content",
        area: Area::Tools,
        says: "results are made of the parts that the revision has",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#tool-result")],
        judge: Judge::Rules(&["call.content_block"], |evidence, _| {
            needs::call(
                evidence,
                |row| row.outcome == Outcome::Ok,
                "no call succeeded",
            )
        }),
    },
    Requirement {
        id: "resource-entry",
        area: Area::Resources,
        says: "every resource has an address and a name",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/resources#resource")],
        judge: Judge::Rules(&["protocol.resource_entry"], |evidence, _| {
            needs::resources(evidence)
        }),
    },
    Requirement {
        id: "resource-missing",
        area: Area::Resources,
        says: "an unknown resource is refused",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/resources#error-handling")],
        judge: Judge::Rules(&["protocol.resource_missing"], |evidence, _| {
            needs::declared(evidence, "resources")
                .and_then(|()| needs::probe(evidence, "resource-unknown").map(drop))
        }),
    },
    Requirement {
        id: "prompt-missing",
        area: Area::Prompts,
        says: "an unknown prompt, or one without its arguments, is refused with -32602",
        level: Level::Should,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/prompts#error-handling")],
        judge: Judge::Rules(&["protocol.prompt_missing"], |evidence, _| {
            needs::declared(evidence, "prompts").and_then(|()| {
                needs::any_probe(evidence, &["prompt-unknown", "prompt-no-arguments"])
            })
        }),
    },
];
