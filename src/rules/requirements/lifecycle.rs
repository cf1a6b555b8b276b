//! Requirements on the way to an agreed revision, and on what is declared.

use super::needs;
use super::{Area, Judge, Level, Requirement, Severity};
use super::{EVERY, EVERYWHERE, HTTP, LEGACY, MODERN, R2024_11, R2026_07};

pub(super) static ROWS: &[Requirement] = &[
    Requirement {
        id: "init-result",
        area: Area::Lifecycle,
        says: "`initialize` is answered with a revision, capabilities, and a name and version",
        level: Level::Must,
        severity: Severity::Error,
        revisions: LEGACY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/lifecycle#initialization"),
            (R2026_07, "server/discover"),
        ],
        judge: Judge::Rules(&["protocol.init_result"], |evidence, _| {
            needs::initialized(evidence)
        }),
    },
    Requirement {
        id: "init-same-version",
        area: Area::Lifecycle,
        says: "a revision that is supported is echoed, another one is answered with one that is",
        level: Level::Must,
        severity: Severity::Error,
        revisions: LEGACY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/lifecycle#version-negotiation"),
            (R2026_07, "basic/versioning#protocol-version-negotiation"),
        ],
        judge: Judge::Rules(&["protocol.init_same_version"], |evidence, _| {
            needs::negotiation(evidence)
        }),
    },
    Requirement {
        id: "init-known-version",
        area: Area::Lifecycle,
        says: "the agreed revision was published",
        level: Level::Must,
        severity: Severity::Error,
        revisions: LEGACY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/lifecycle#version-negotiation"),
            (R2026_07, "basic/versioning#protocol-version-negotiation"),
        ],
        judge: Judge::Rules(&["protocol.init_known_version"], |evidence, _| {
            needs::revision(evidence)
        }),
    },
    Requirement {
        id: "pre-init-requests",
        area: Area::Lifecycle,
        says: "before `notifications/initialized` the server sends only pings and logs",
        level: Level::ShouldNot,
        severity: Severity::Info,
        revisions: LEGACY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/lifecycle#initialization"),
            (R2026_07, "server/discover"),
        ],
        judge: Judge::Rules(&["protocol.pre_init_requests"], |evidence, _| {
            needs::connection(evidence)
        }),
    },
    Requirement {
        id: "cap-answered",
        area: Area::Lifecycle,
        says: "what is declared is answered",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/lifecycle#capability-negotiation"),
            (R2026_07, "server/tools#capabilities"),
        ],
        judge: Judge::Rules(
            &["protocol.list_failed", "protocol.cap_answered"],
            |evidence, _| needs::any_declared(evidence),
        ),
    },
    Requirement {
        id: "cap-undeclared-answered",
        area: Area::Lifecycle,
        says: "what works is declared",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[
            (R2024_11, "basic/lifecycle#capability-negotiation"),
            (R2026_07, "server/tools#capabilities"),
        ],
        judge: Judge::Rules(&["protocol.cap_undeclared_answered"], |evidence, _| {
            needs::undeclared(evidence)
        }),
    },
    Requirement {
        id: "discover",
        area: Area::Lifecycle,
        says: "`server/discover` is answered with revisions and capabilities",
        level: Level::Must,
        severity: Severity::Error,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "server/discover")],
        judge: Judge::Rules(&["protocol.discover"], |evidence, _| {
            needs::connection(evidence)
        }),
    },
    Requirement {
        id: "discover-serverinfo",
        area: Area::Lifecycle,
        says: "results say who the server is",
        level: Level::Should,
        severity: Severity::Info,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "basic#meta")],
        judge: Judge::Rules(&["protocol.discover_serverinfo"], |evidence, _| {
            needs::results(evidence)
        }),
    },
    Requirement {
        id: "unsupported-version",
        area: Area::Lifecycle,
        says: "a revision that is not supported is refused with -32022 and those that are",
        level: Level::Must,
        severity: Severity::Error,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "basic/versioning#protocol-version-negotiation")],
        judge: Judge::Rules(&["protocol.unsupported_version"], |evidence, _| {
            needs::probe(evidence, "unknown-version").map(drop)
        }),
    },
    Requirement {
        id: "modern-init-message",
        area: Area::Lifecycle,
        says: "the refusal of `initialize` names the revisions that are supported",
        level: Level::Should,
        severity: Severity::Info,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(
            R2026_07,
            "basic/versioning#backward-compatibility-with-initialization-based-versions",
        )],
        judge: Judge::Rules(&["protocol.modern_init_message"], |evidence, _| {
            needs::modern_only(evidence, "removed:initialize")
        }),
    },
    Requirement {
        id: "removed-methods",
        area: Area::Lifecycle,
        says: "methods that are gone are unknown",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: MODERN,
        on: HTTP,
        pages: &[(R2026_07, "changelog")],
        judge: Judge::Rules(&["protocol.removed_methods"], |evidence, _| {
            needs::any_probe(
                evidence,
                &[
                    "removed:ping",
                    "removed:logging/setLevel",
                    "removed:resources/subscribe",
                ],
            )
        }),
    },
    Requirement {
        id: "stateless-lists",
        area: Area::Lifecycle,
        says: "lists are the same on every connection",
        level: Level::MustNot,
        severity: Severity::Warning,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "server/tools#capabilities")],
        judge: Judge::Rules(&["protocol.stateless_lists"], |evidence, _| {
            needs::any_comparison(evidence, "new-connection-list")
        }),
    },
    Requirement {
        id: "deprecated-features",
        area: Area::Lifecycle,
        says: "deprecated features are not adopted",
        level: Level::ShouldNot,
        severity: Severity::Info,
        revisions: MODERN,
        on: EVERYWHERE,
        pages: &[(R2026_07, "deprecated")],
        judge: Judge::Rules(&["protocol.deprecated_features"], |evidence, _| {
            needs::connection(evidence)
        }),
    },
];
