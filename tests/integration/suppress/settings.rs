//! `[[suppress]]` as people write it.

use super::{judge, listing, places, read, states};
use mcprobe::model::suppression::SuppressionState;
use serde_json::json;

fn entry(lines: &str) -> String {
    format!("[[suppress]]\n{lines}\n")
}

#[test]
fn what_is_wrong_is_told_in_one_line() {
    let told = |lines: &str| {
        let error = read(&entry(lines), "2026-06-01").expect_err(lines);
        assert!(!error.message.contains('\n'), "{error}");
        error.message
    };
    let good = "rule = \"param.untyped\"\nreason = \"r\"\n";
    let more = |line: &str| format!("{good}{line}");
    let lines: Vec<String> = [
        "rule = \"param.untypd\"\nreason = \"r\"",
        "rule = \"nonsense\"\nreason = \"r\"",
        "rule = \"settings.stale_suppression\"\nreason = \"r\"",
        "rule = \"param.untyped\"",
        "reason = \"r\"",
        "rule = \"param.untyped\"\nreason = \" \\t\\n\"",
        &more("tool = \"\""),
        &more("pointer = \"\""),
        &more("pointer = \"inputSchema\""),
        &more("pointer = \"/a~2b\""),
        &more("pointer = \"/a~\""),
        &more("expires = \"2026-02-29\""),
        &more("expires = \"soon\""),
        &more("expires = \"2026-6-1\""),
        &more("expires = 2026-06-30T00:00:00Z"),
        &more("expires = true"),
        &more("tools = \"a\""),
        &more("[[suppress]]\nrule = \"param.untyped\"\nreason = \"again\""),
    ]
    .map(told)
    .into();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    [[suppress]] of the settings file, entry 1: there is no rule `param.untypd`; did you mean `param.untyped`?
    [[suppress]] of the settings file, entry 1: there is no rule `nonsense`; `mcprobe rules` lists them
    [[suppress]] of the settings file, entry 1: `settings.stale_suppression` is about suppressions themselves; turn it off under [rules], or remove the entry that it names
    mcprobe.toml:1: the key `reason` is missing here
    mcprobe.toml:1: the key `rule` is missing here
    [[suppress]] of the settings file, entry 1: the reason of `param.untyped` is blank; say why it may stay
    [[suppress]] of the settings file, entry 1: the tool of `param.untyped` is blank; name one, or leave it out for all
    [[suppress]] of the settings file, entry 1: `` is no JSON pointer; write one such as /inputSchema/properties/path (`~1` for a slash in a name, `~0` for a tilde), or leave it out for every place
    [[suppress]] of the settings file, entry 1: `inputSchema` is no JSON pointer; write one such as /inputSchema/properties/path (`~1` for a slash in a name, `~0` for a tilde), or leave it out for every place
    [[suppress]] of the settings file, entry 1: `/a~2b` is no JSON pointer; write one such as /inputSchema/properties/path (`~1` for a slash in a name, `~0` for a tilde), or leave it out for every place
    [[suppress]] of the settings file, entry 1: `/a~` is no JSON pointer; write one such as /inputSchema/properties/path (`~1` for a slash in a name, `~0` for a tilde), or leave it out for every place
    [[suppress]] of the settings file, entry 1: expires: `2026-02-29` is no day; the calendar has no such day
    [[suppress]] of the settings file, entry 1: expires: `soon` is no day; write it as YYYY-MM-DD
    [[suppress]] of the settings file, entry 1: expires: `2026-6-1` is no day; write it as YYYY-MM-DD
    [[suppress]] of the settings file, entry 1: expires: `2026-06-30T00:00:00Z` is no day; write it as YYYY-MM-DD
    mcprobe.toml:4: it has to be a day, such as "2027-06-30"
    mcprobe.toml:4: unknown key `tools`; did you mean `tool`?
    [[suppress]] of the settings file, entry 2: it concerns the same rule, tool and pointer as entry 1; keep one
    "#);
}

#[test]
fn days_of_toml_and_leap_days_are_taken() {
    for (expires, today, holds) in [
        ("2026-06-30", "2026-06-29", true),
        ("2026-06-30", "2026-06-30", true),
        ("2026-06-30", "2026-07-01", false),
        ("\"2026-06-30\"", "2026-06-30", true),
        ("\"2028-02-29\"", "2028-02-28", true),
        ("\"2028-02-29\"", "2028-02-29", true),
        ("\"2028-02-29\"", "2028-03-01", false),
        ("\"2026-12-31\"", "2027-01-01", false),
        ("\"9999-12-31\"", "9999-12-31", true),
    ] {
        let text = entry(&format!(
            "rule = \"tool.missing_description\"\nreason = \"r\"\nexpires = {expires}"
        ));
        let settings = read(&text, today).expect(expires);
        let report = judge(&listing(&json!([{"name": "a"}])), &settings);
        let left = places(&report, "tool.missing_description").len();
        assert_eq!(left, usize::from(!holds), "{expires} on {today}");
        let expired = places(&report, "settings.expired_suppression").len();
        assert_eq!(expired, usize::from(!holds), "{expires} on {today}");
        let is_expired = states(&report) == [&SuppressionState::Expired];
        assert_eq!(is_expired, !holds, "{expires} on {today}");
    }
}

#[test]
fn escaped_names_and_places_below_them_are_found() {
    let tool = json!({"name": "a", "inputSchema": {"type": "object", "properties": {
        "x/y~z": {}, "x": {}
    }}});
    let text = entry(
        "rule = \"param.untyped\"\nreason = \"r\"\npointer = \"/inputSchema/properties/x~1y~0z\"",
    );
    let report = judge(
        &listing(&json!([tool])),
        &read(&text, "2026-06-01").expect("good"),
    );
    assert_eq!(
        places(&report, "param.untyped"),
        ["/tools/0/inputSchema/properties/x"]
    );
}

#[test]
fn a_tool_without_a_name_is_found_by_its_label() {
    let text = entry("rule = \"tool.missing_description\"\nreason = \"r\"\ntool = \"tools[1]\"");
    let settings = read(&text, "2026-06-01").expect("good");
    let report = judge(&listing(&json!([{"name": "a"}, {}])), &settings);
    assert_eq!(places(&report, "tool.missing_description"), ["/tools/0"]);
}
