//! The probes by name, in the order of the script, and the names that must not
//! exist on any server.

/// Every probe (`docs/probes.md` has what each sends).
pub const NAMES: &[&str] = &[
    "ping",
    "id-string",
    "second-list:tools/list",
    "second-list:prompts/list",
    "second-list:resources/list",
    "notification",
    "undeclared:tools/list",
    "undeclared:prompts/list",
    "undeclared:resources/list",
    "undeclared:completion/complete",
    "undeclared:logging/setLevel",
    "bad-cursor",
    "resource-unknown",
    "prompt-unknown",
    "prompt-no-arguments",
    "completion-unknown",
    "completion-known",
    "log-level",
    "log-level-invalid",
    "unknown-method",
    "unknown-tool",
    "call-no-params",
    "call-no-name",
    "call-name-number",
    "call-args-array",
    "call-args-string",
    "call-args-null",
    "no-meta",
    "no-meta:protocolVersion",
    "no-meta:clientCapabilities",
    "no-meta:clientInfo",
    "removed:ping",
    "removed:logging/setLevel",
    "removed:resources/subscribe",
    "subscriptions-listen",
    "new-connection-list:tools/list",
    "new-connection-list:prompts/list",
    "new-connection-list:resources/list",
    "http-get",
    "http-delete",
    "http-notification",
    "http-content-type",
    "http-encoding",
    "http-version-header",
    "http-header-version",
    "http-no-version-header",
    "http-header-method",
    "http-no-method-header",
    "http-header-name",
    "http-no-name-header",
    "session-missing",
    "session-unknown",
    "session-open",
    "session-delete",
    "session-terminated",
    "origin-local",
    "origin-evil",
    "host-evil",
    "no-token",
    "bogus-token",
    "unknown-version",
    "before-initialized",
    "jsonrpc-version",
    "id-null",
    "id-object",
    "params-array",
    "batch",
    "parse-error",
    "removed:initialize",
];

/// Names of nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Absent {
    pub(super) tool: String,
    pub(super) other_tool: String,
    pub(super) prompt: String,
    pub(super) uri: String,
    pub(super) session: String,
}

impl Absent {
    /// The same for the same seed; none of them in `taken`.
    pub(super) fn new(seed: u64, taken: &[String]) -> Self {
        let mut state = seed;
        let mut name = |before: &str| {
            loop {
                let name = format!("{before}{:08x}", next(&mut state) >> 32);
                if !taken.contains(&name) {
                    return name;
                }
            }
        };
        Self {
            tool: name("mcprobe_absent_"),
            other_tool: name("mcprobe_absent_"),
            prompt: name("mcprobe_absent_"),
            uri: name("mcprobe://absent/"),
            session: format!("{}-4000-8000-{}", name("mcprobe0-"), name("0000")),
        }
    }
}

/// The next number after a state (`SplitMix64`).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_seed_and_are_free() {
        let names = Absent::new(7, &[]);
        assert_eq!(names, Absent::new(7, &[]));
        assert_ne!(names, Absent::new(8, &[]));
        assert_ne!(names.tool, names.other_tool);
        let taken = Absent::new(7, std::slice::from_ref(&names.tool));
        assert_ne!(taken.tool, names.tool);
    }

    #[test]
    fn the_page_names_the_script() {
        let page = include_str!("../../../docs/probes.md");
        let before_wire = page.split("## What all messages show").next();
        let mut on_page: Vec<&str> = before_wire
            .unwrap_or_default()
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
            .collect();
        let mut in_script = NAMES.to_vec();
        on_page.sort_unstable();
        on_page.dedup();
        in_script.sort_unstable();
        assert_eq!(on_page, in_script);
        in_script.dedup();
        assert_eq!(in_script.len(), NAMES.len());
    }
}
