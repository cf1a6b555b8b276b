//! Requirements over HTTP: statuses, headers, sessions, credentials.

use super::needs;
use super::{Area, Judge, Level, Requirement, Severity};
use super::{BOTH_HTTP, EVERY, HTTP, MODERN, R2024_11, R2025_03, R2025_06, R2025_11, R2026_07};
use crate::model::contact::AuthDocumentKind;

pub(super) static ROWS: &[Requirement] = &[
    Requirement {
        id: "http-content-type",
        area: Area::Http,
        says: "a request is answered as JSON or as an event stream",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_03, R2026_07),
        on: HTTP,
        pages: &[
            (R2025_03, "basic/transports#sending-messages-to-the-server"),
            (
                R2026_07,
                "basic/transports/streamable-http#sending-messages",
            ),
        ],
        judge: Judge::Rules(&["protocol.http_content_type"], |evidence, _| {
            needs::http(evidence)
        }),
    },
    Requirement {
        id: "http-notification-202",
        area: Area::Http,
        says: "a notification is answered with 202 and nothing else",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_03, R2026_07),
        on: HTTP,
        pages: &[
            (R2025_03, "basic/transports#sending-messages-to-the-server"),
            (
                R2026_07,
                "basic/transports/streamable-http#sending-messages",
            ),
        ],
        judge: Judge::Rules(&["protocol.http_notification_202"], |evidence, spoken| {
            needs::only_if(!spoken.is_modern()).and_then(|()| needs::notification(evidence))
        }),
    },
    Requirement {
        id: "http-get",
        area: Area::Http,
        says: "GET opens an event stream or is refused with 405",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_03, R2025_11),
        on: HTTP,
        pages: &[
            (
                R2025_03,
                "basic/transports#listening-for-messages-from-the-server",
            ),
            (
                R2026_07,
                "basic/transports/streamable-http#earlier-streamable-http-revisions",
            ),
        ],
        judge: Judge::Rules(&["protocol.http_get"], |evidence, _| {
            needs::probe(evidence, "http-get").map(drop)
        }),
    },
    Requirement {
        id: "http-version-header",
        area: Area::Http,
        says: "an unknown revision in the header is refused with 400",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_06, R2026_07),
        on: HTTP,
        pages: &[
            (R2025_03, "basic/transports#protocol-version-header"),
            (
                R2026_07,
                "basic/transports/streamable-http#protocol-version-header",
            ),
        ],
        judge: Judge::Rules(&["protocol.http_version_header"], |evidence, _| {
            needs::probe(evidence, "http-version-header").map(drop)
        }),
    },
    Requirement {
        id: "http-header-match",
        area: Area::Http,
        says: "headers that are missing or contradict the body are refused",
        level: Level::Must,
        severity: Severity::Error,
        revisions: MODERN,
        on: HTTP,
        pages: &[(
            R2026_07,
            "basic/transports/streamable-http#server-validation",
        )],
        judge: Judge::Rules(&["protocol.http_header_match"], |evidence, _| {
            needs::any_probe(
                evidence,
                &[
                    "http-header-version",
                    "http-no-version-header",
                    "http-header-method",
                    "http-no-method-header",
                    "http-header-name",
                    "http-no-name-header",
                ],
            )
        }),
    },
    Requirement {
        id: "http-404-method",
        area: Area::Http,
        says: "an unknown method is answered with 404",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: MODERN,
        on: HTTP,
        pages: &[(
            R2026_07,
            "basic/transports/streamable-http#protocol-version-header",
        )],
        judge: Judge::Rules(&["protocol.http_404_method"], |evidence, _| {
            needs::probe(evidence, "unknown-method").map(drop)
        }),
    },
    Requirement {
        id: "dns-rebinding",
        area: Area::Http,
        says: "a local server turns foreign pages away",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: BOTH_HTTP,
        pages: &[
            (R2024_11, "basic/transports#security-warning"),
            (
                R2026_07,
                "basic/transports/streamable-http#security-%26-endpoint",
            ),
        ],
        judge: Judge::Rules(&["protocol.dns_rebinding"], |evidence, _| {
            needs::loopback(evidence).and_then(|()| needs::probe(evidence, "host-evil").map(drop))
        }),
    },
    Requirement {
        id: "origin-403",
        area: Area::Http,
        says: "a foreign origin is refused with 403",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_11, R2026_07),
        on: HTTP,
        pages: &[
            (R2025_11, "basic/transports#security-warning"),
            (
                R2026_07,
                "basic/transports/streamable-http#security-%26-endpoint",
            ),
        ],
        judge: Judge::Rules(&["protocol.origin_403"], |evidence, _| {
            needs::probe(evidence, "origin-evil").map(drop)
        }),
    },
    Requirement {
        id: "stack-trace-http",
        area: Area::Http,
        says: "error pages show no stack traces",
        level: Level::Derived,
        severity: Severity::Warning,
        revisions: EVERY,
        on: BOTH_HTTP,
        pages: &[(R2024_11, "basic/transports")],
        judge: Judge::Rules(&["call.error_leak"], |evidence, _| {
            needs::call(
                evidence,
                |row| row.outcome.is_refusal(),
                "no call was refused",
            )
        }),
    },
    Requirement {
        id: "session-id-ascii",
        area: Area::Sessions,
        says: "session ids are visible ASCII and cannot be guessed",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_03, R2025_11),
        on: HTTP,
        pages: &[
            (R2025_03, "basic/transports#session-management"),
            (
                R2026_07,
                "basic/transports/streamable-http#earlier-streamable-http-revisions",
            ),
        ],
        judge: Judge::Rules(&["protocol.session_id_ascii"], |evidence, _| {
            needs::session(evidence).and_then(|()| needs::probe(evidence, "session-open").map(drop))
        }),
    },
    Requirement {
        id: "session-missing",
        area: Area::Sessions,
        says: "a request without the session id is refused with 400",
        level: Level::Should,
        severity: Severity::Warning,
        revisions: (R2025_03, R2025_11),
        on: HTTP,
        pages: &[
            (R2025_03, "basic/transports#session-management"),
            (
                R2026_07,
                "basic/transports/streamable-http#earlier-streamable-http-revisions",
            ),
        ],
        judge: Judge::Rules(&["protocol.session_missing"], |evidence, _| {
            needs::session(evidence)
                .and_then(|()| needs::probe(evidence, "session-missing").map(drop))
        }),
    },
    Requirement {
        id: "session-unknown",
        area: Area::Sessions,
        says: "a session that has ended is answered with 404",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_03, R2025_11),
        on: HTTP,
        pages: &[
            (R2025_03, "basic/transports#session-management"),
            (
                R2026_07,
                "basic/transports/streamable-http#earlier-streamable-http-revisions",
            ),
        ],
        judge: Judge::Rules(&["protocol.session_unknown"], |evidence, _| {
            needs::session(evidence).and_then(|()| {
                needs::any_probe(evidence, &["session-terminated", "session-unknown"])
            })
        }),
    },
    Requirement {
        id: "no-session-modern",
        area: Area::Sessions,
        says: "no session ids are given",
        level: Level::Should,
        severity: Severity::Info,
        revisions: MODERN,
        on: HTTP,
        pages: &[(
            R2026_07,
            "basic/transports/streamable-http#earlier-streamable-http-revisions",
        )],
        judge: Judge::Rules(&["protocol.no_session_modern"], |evidence, _| {
            needs::http(evidence)
        }),
    },
    Requirement {
        id: "auth-401",
        area: Area::Auth,
        says: "without a token the answer is 401",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_03, R2026_07),
        on: BOTH_HTTP,
        pages: &[
            (R2025_03, "basic/authorization#error-handling"),
            (R2026_07, "basic/authorization#error-handling"),
        ],
        judge: Judge::Rules(&["protocol.auth_401"], |evidence, _| {
            needs::turned_away(evidence)
        }),
    },
    Requirement {
        id: "auth-bogus-token",
        area: Area::Auth,
        says: "an invalid token is answered with 401",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_03, R2026_07),
        on: BOTH_HTTP,
        pages: &[
            (R2025_03, "basic/authorization#token-handling"),
            (R2026_07, "basic/authorization#token-handling"),
        ],
        judge: Judge::Rules(&["protocol.auth_bogus_token"], |evidence, _| {
            needs::turned_away(evidence)
                .and_then(|()| needs::probe(evidence, "bogus-token").map(drop))
        }),
    },
    Requirement {
        id: "auth-www-authenticate",
        area: Area::Auth,
        says: "a 401 says where its metadata is",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_06, R2025_06),
        on: BOTH_HTTP,
        pages: &[(
            R2025_06,
            "basic/authorization#authorization-server-location",
        )],
        judge: Judge::Rules(&["protocol.auth_www_authenticate"], |evidence, _| {
            needs::auth(evidence).map(drop)
        }),
    },
    Requirement {
        id: "auth-prm",
        area: Area::Auth,
        says: "the protected resource has metadata",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2025_06, R2026_07),
        on: BOTH_HTTP,
        pages: &[
            (
                R2025_06,
                "basic/authorization#authorization-server-location",
            ),
            (
                R2026_07,
                "basic/authorization/authorization-server-discovery",
            ),
        ],
        judge: Judge::Rules(&["protocol.auth_prm"], |evidence, _| {
            needs::auth_document(evidence, &[AuthDocumentKind::ProtectedResource])
        }),
    },
    Requirement {
        id: "auth-as-metadata",
        area: Area::Auth,
        says: "the authorization server has metadata",
        level: Level::Must,
        severity: Severity::Warning,
        revisions: (R2025_03, R2026_07),
        on: BOTH_HTTP,
        pages: &[
            (R2025_03, "basic/authorization"),
            (
                R2025_06,
                "basic/authorization#authorization-server-location",
            ),
            (
                R2026_07,
                "basic/authorization/authorization-server-discovery",
            ),
        ],
        judge: Judge::Rules(&["protocol.auth_as_metadata"], |evidence, _| {
            needs::auth_document(
                evidence,
                &[
                    AuthDocumentKind::AuthorizationServer,
                    AuthDocumentKind::OpenIdProvider,
                ],
            )
        }),
    },
    Requirement {
        id: "auth-scope",
        area: Area::Auth,
        says: "the challenge names the scope that is needed",
        level: Level::Should,
        severity: Severity::Info,
        revisions: (R2025_11, R2026_07),
        on: BOTH_HTTP,
        pages: &[(R2025_11, "basic/authorization#scope-selection-strategy")],
        judge: Judge::Rules(&["protocol.auth_scope"], |evidence, _| {
            needs::challenge(evidence)
        }),
    },
];
