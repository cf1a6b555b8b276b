//! Requirements on the form of messages, and on replies to malformed ones.

use super::needs;
use super::{Area, Judge, Level, Requirement, Severity};
use super::{EVERY, EVERYWHERE, MODERN, R2024_11, R2025_03, R2026_07, STDIO};

pub(super) static ROWS: &[Requirement] = &[
    Requirement {
        id: "jsonrpc-version",
        area: Area::Messages,
        says: "every message says `\"jsonrpc\": \"2.0\"`",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/messages#requests"),
            (R2025_03, "basic#messages"),
        ],
        judge: Judge::Rules(&["protocol.jsonrpc_version"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "id-echo",
        area: Area::Messages,
        says: "a reply has the id of its request, of the same type",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/messages#responses"),
            (R2025_03, "basic#responses"),
        ],
        judge: Judge::Rules(&["protocol.id_echo"], |evidence, _| needs::heard(evidence)),
    },
    Requirement {
        id: "result-xor-error",
        area: Area::Messages,
        says: "a reply has either a result or an error",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/messages#responses"),
            (R2025_03, "basic#responses"),
        ],
        judge: Judge::Rules(&["protocol.result_xor_error"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "error-shape",
        area: Area::Messages,
        says: "an error has an integer code and a message",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/messages#responses"),
            (R2025_03, "basic#responses"),
        ],
        judge: Judge::Rules(&["protocol.error_shape"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "no-reply-to-notification",
        area: Area::Messages,
        says: "a notification is not answered",
        level: Level::MustNot,
        severity: Severity::Warning,
        revisions: EVERY,
        on: STDIO,
        pages: &[
            (R2024_11, "basic/messages#notifications"),
            (R2025_03, "basic#notifications"),
        ],
        judge: Judge::Rules(&["protocol.no_reply_to_notification"], |evidence, _| {
            needs::probe(evidence, "notification").map(drop)
        }),
    },
    Requirement {
        id: "no-server-requests",
        area: Area::Messages,
        says: "the server sends no requests",
        level: Level::MustNot,
        severity: Severity::Error,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "basic/patterns#multi-round-trip-requests")],
        judge: Judge::Rules(&["protocol.no_server_requests"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "undeclared-client-cap",
        area: Area::Messages,
        says: "the server uses only what the client declared",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/lifecycle#operation"),
            (R2026_07, "basic#meta"),
        ],
        judge: Judge::Rules(&["protocol.undeclared_client_cap"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "reserved-codes",
        area: Area::Messages,
        says: "reserved error codes are not used",
        level: Level::MustNot,
        severity: Severity::Warning,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "basic#error-codes")],
        judge: Judge::Rules(&["protocol.reserved_codes"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "result-type",
        area: Area::Messages,
        says: "every result says its type",
        level: Level::Must,
        severity: Severity::Error,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "basic#result-responses")],
        judge: Judge::Rules(&["protocol.result_type"], |evidence, _| {
            needs::results(evidence)
        }),
    },
    Requirement {
        id: "meta-required",
        area: Area::Messages,
        says: "a request without revision or capabilities is refused with -32602",
        level: Level::Must,
        severity: Severity::Error,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "basic#meta")],
        judge: Judge::Rules(&["protocol.meta_required"], |evidence, _| {
            needs::any_probe(
                evidence,
                &[
                    "no-meta",
                    "no-meta:protocolVersion",
                    "no-meta:clientCapabilities",
                    "no-meta:clientInfo",
                ],
            )
        }),
    },
    Requirement {
        id: "unknown-method",
        area: Area::Messages,
        says: "an unknown method is refused with -32601",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/messages#responses"),
            (R2025_03, "basic#responses"),
            (R2026_07, "basic#error-codes"),
        ],
        judge: Judge::Rules(&["protocol.unknown_method"], |evidence, _| {
            needs::probe(evidence, "unknown-method").map(drop)
        }),
    },
    Requirement {
        id: "parse-error",
        area: Area::Messages,
        says: "broken JSON does not break the server",
        level: Level::Derived,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "basic/messages"), (R2025_03, "basic#messages")],
        judge: Judge::Rules(&["protocol.parse_error"], |evidence, _| {
            needs::probe(evidence, "parse-error").map(drop)
        }),
    },
    Requirement {
        id: "invalid-request",
        area: Area::Messages,
        says: "JSON that is no request does not break the server",
        level: Level::Derived,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/messages#requests"),
            (R2025_03, "basic#requests"),
        ],
        judge: Judge::Rules(&["protocol.invalid_request"], |evidence, _| {
            needs::any_probe(
                evidence,
                &["jsonrpc-version", "id-null", "id-object", "params-array"],
            )
        }),
    },
    Requirement {
        id: "batch",
        area: Area::Messages,
        says: "a batch is received",
        level: Level::Must,
        severity: Severity::Info,
        revisions: (R2025_03, R2025_03),
        on: EVERYWHERE,
        pages: &[(R2025_03, "basic#batching")],
        judge: Judge::Rules(&["protocol.batch"], |evidence, _| {
            needs::probe(evidence, "batch").map(drop)
        }),
    },
    Requirement {
        id: "liveness-after-fuzz",
        area: Area::Messages,
        says: "the server still answers after bad input",
        level: Level::Derived,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#error-handling")],
        judge: Judge::Rules(&["call.crash", "call.timeout"], |evidence, _| {
            needs::call(evidence, |_| true, "no calls were made")
        }),
    },
    Requirement {
        id: "error-leak",
        area: Area::Messages,
        says: "errors show no internals",
        level: Level::Derived,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/tools#security-considerations")],
        judge: Judge::Rules(
            &["call.error_leak", "call.secret_in_error"],
            |evidence, _| {
                needs::call(
                    evidence,
                    |row| row.outcome.is_refusal(),
                    "no call was refused",
                )
            },
        ),
    },
];
