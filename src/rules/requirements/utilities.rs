//! Requirements on ping, paging, logging, progress, completion and caching.

use super::needs;
use super::{Area, Judge, Level, Requirement, Severity};
use super::{EVERY, EVERYWHERE, LEGACY, MODERN, R2024_11, R2025_03, R2026_07};

pub(super) static ROWS: &[Requirement] = &[
    Requirement {
        id: "ping",
        area: Area::Utilities,
        says: "a ping is answered at once, with nothing in it",
        level: Level::Must,
        severity: Severity::Error,
        revisions: LEGACY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "basic/utilities/ping")],
        judge: Judge::Rules(&["protocol.ping"], |evidence, _| {
            needs::probe(evidence, "ping").map(drop)
        }),
    },
    Requirement {
        id: "pagination-end",
        area: Area::Utilities,
        says: "lists come to an end",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/utilities/pagination")],
        judge: Judge::Rules(
            &["protocol.endless_list", "protocol.repeated_cursor"],
            |evidence, _| needs::lists_read(evidence),
        ),
    },
    Requirement {
        id: "bad-cursor",
        area: Area::Utilities,
        says: "a cursor that was never given is refused with -32602",
        level: Level::Should,
        severity: Severity::Info,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/utilities/pagination#error-handling")],
        judge: Judge::Rules(&["protocol.bad_cursor"], |evidence, _| {
            needs::tools(evidence).and_then(|()| needs::probe(evidence, "bad-cursor").map(drop))
        }),
    },
    Requirement {
        id: "cache-hints",
        area: Area::Utilities,
        says: "lists say how long and for whom they may be kept",
        level: Level::Must,
        severity: Severity::Error,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/utilities/caching")],
        judge: Judge::Rules(&["protocol.cache_hints"], |evidence, _| {
            needs::results(evidence)
        }),
    },
    Requirement {
        id: "completion-errors",
        area: Area::Utilities,
        says: "completion for an unknown prompt is refused, and answers have 100 values at most",
        level: Level::Should,
        severity: Severity::Info,
        revisions: (R2025_03, R2026_07),
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/utilities/completion#error-handling")],
        judge: Judge::Rules(&["protocol.completion_errors"], |evidence, _| {
            needs::declared(evidence, "completions").and_then(|()| {
                needs::any_probe(evidence, &["completion-unknown", "completion-known"])
            })
        }),
    },
    Requirement {
        id: "loglevel-invalid",
        area: Area::Utilities,
        says: "a log level that does not exist is refused with -32602",
        level: Level::Should,
        severity: Severity::Info,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/utilities/logging#error-handling")],
        judge: Judge::Rules(&["protocol.loglevel_invalid"], |evidence, _| {
            needs::declared(evidence, "logging")
                .and_then(|()| needs::probe(evidence, "log-level-invalid").map(drop))
        }),
    },
    Requirement {
        id: "log-without-level",
        area: Area::Utilities,
        says: "no log messages that were not asked for",
        level: Level::MustNot,
        severity: Severity::Warning,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/utilities/logging")],
        judge: Judge::Rules(&["protocol.log_without_level"], |evidence, _| {
            needs::connection(evidence)
        }),
    },
    Requirement {
        id: "log-declared",
        area: Area::Utilities,
        says: "a server that logs declares it",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "server/utilities/logging#capabilities")],
        judge: Judge::Rules(&["protocol.log_declared"], |evidence, _| {
            needs::connection(evidence)
        }),
    },
    Requirement {
        id: "progress-rules",
        area: Area::Utilities,
        says: "progress increases, belongs to a request and ends with it",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/utilities/progress"),
            (R2026_07, "basic/patterns/progress"),
        ],
        judge: Judge::Rules(&["protocol.progress_rules"], |evidence, _| {
            needs::progress(evidence)
        }),
    },
    Requirement {
        id: "subscriptions-ack",
        area: Area::Utilities,
        says: "a subscription is acknowledged first, under its id",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "basic/patterns/subscriptions")],
        judge: Judge::Rules(&["protocol.subscriptions_ack"], |evidence, _| {
            needs::probe(evidence, "subscriptions-listen").map(drop)
        }),
    },
];
