//! Requirements on standard streams, addresses and the older transport.

use super::needs;
use super::{Area, Judge, Level, Requirement, Severity};
use super::{BOTH_HTTP, EVERY, EVERYWHERE, R2024_11, R2025_03, R2026_07, SSE, STDIO};

pub(super) static ROWS: &[Requirement] = &[
    Requirement {
        id: "stdout-purity",
        area: Area::Transport,
        says: "nothing but messages stands on standard output",
        level: Level::MustNot,
        severity: Severity::Error,
        revisions: EVERY,
        on: STDIO,
        pages: &[
            (R2024_11, "basic/transports#stdio"),
            (R2026_07, "basic/transports/stdio"),
        ],
        judge: Judge::Rules(&["process.stdout_noise"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "stdout-one-line",
        area: Area::Transport,
        says: "every message stands on one line",
        level: Level::MustNot,
        severity: Severity::Error,
        revisions: EVERY,
        on: STDIO,
        pages: &[
            (R2024_11, "basic/transports#stdio"),
            (R2026_07, "basic/transports/stdio"),
        ],
        judge: Judge::Rules(&["protocol.stdout_one_line"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "utf8",
        area: Area::Transport,
        says: "messages are UTF-8",
        level: Level::Must,
        severity: Severity::Error,
        revisions: EVERY,
        on: EVERYWHERE,
        pages: &[(R2024_11, "basic/transports")],
        judge: Judge::Rules(&["call.not_utf8", "process.not_utf8"], |evidence, _| {
            needs::heard(evidence)
        }),
    },
    Requirement {
        id: "stdin-eof-exit",
        area: Area::Transport,
        says: "the server exits when its input closes",
        level: Level::Should,
        severity: Severity::Warning,
        revisions: EVERY,
        on: STDIO,
        pages: &[
            (R2024_11, "basic/lifecycle#shutdown"),
            (R2026_07, "basic/transports/stdio#shutdown"),
        ],
        judge: Judge::Rules(&["process.stdin_eof_exit"], |evidence, _| {
            needs::ending(evidence)
        }),
    },
    Requirement {
        id: "bind-local",
        area: Area::Transport,
        says: "a local server listens on the loopback address alone",
        level: Level::Should,
        severity: Severity::Warning,
        revisions: EVERY,
        on: BOTH_HTTP,
        pages: &[
            (R2024_11, "basic/transports#security-warning"),
            (
                R2026_07,
                "basic/transports/streamable-http#security-%26-endpoint",
            ),
        ],
        judge: Judge::Nobody(
            "it would take a second way to the machine that the server runs on; the address given is the only one that is asked",
        ),
    },
    Requirement {
        id: "tls",
        area: Area::Transport,
        says: "a remote server speaks HTTPS",
        level: Level::Should,
        severity: Severity::Warning,
        revisions: EVERY,
        on: BOTH_HTTP,
        pages: &[
            (R2024_11, "basic/transports"),
            (R2025_03, "basic/authorization"),
            (R2026_07, "basic/authorization/security-considerations"),
        ],
        judge: Judge::Rules(&["protocol.tls"], |evidence, _| needs::remote(evidence)),
    },
    Requirement {
        id: "sse-endpoint-event",
        area: Area::Transport,
        says: "the stream of HTTP with SSE begins with an address of the same origin",
        level: Level::Must,
        severity: Severity::Error,
        revisions: (R2024_11, R2024_11),
        on: SSE,
        pages: &[(R2024_11, "basic/transports#http-with-sse")],
        judge: Judge::Rules(&["protocol.sse_endpoint_event"], |evidence, _| {
            needs::endpoint(evidence)
        }),
    },
    Requirement {
        id: "sse-deprecated",
        area: Area::Transport,
        says: "HTTP with SSE is not used any more",
        level: Level::ShouldNot,
        severity: Severity::Info,
        revisions: EVERY,
        on: SSE,
        pages: &[
            (R2024_11, "basic/transports#http-with-sse"),
            (R2025_03, "basic/transports#backwards-compatibility"),
            (
                R2026_07,
                "basic/transports/streamable-http#http%2Bsse-transport-2024-11-05",
            ),
        ],
        judge: Judge::Rules(&["protocol.sse_deprecated"], |evidence, _| {
            needs::connection(evidence)
        }),
    },
];
