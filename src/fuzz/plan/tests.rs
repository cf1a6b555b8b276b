use proptest::prelude::*;
use serde_json::json;

use super::*;

fn settings(level: FuzzLevel) -> PlanSettings {
    PlanSettings {
        level,
        max_tools: None,
        seed: 0,
        cases: None,
        scratch_paths: Vec::new(),
        per_tool: BTreeMap::new(),
    }
}

fn planned(entries: &[Value], settings: &PlanSettings) -> Plan {
    let tools = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| Tool::read(index, &entry.to_string()));
    plan(tools, settings)
}

fn tool(name: &str, annotations: &Value) -> Value {
    json!({"name": name, "annotations": annotations, "inputSchema": {"type": "object"}})
}

fn called(plan: &Plan) -> Vec<&str> {
    plan.calls.iter().map(|call| call.tool.as_str()).collect()
}

/// The turns as lines, without the lines for `mcprobe.toml`.
fn pictured(plan: &Plan) -> String {
    let lines = plan.turns.iter().map(|turn| match &turn.decision {
        Decision::Call { because } => format!("{} called: {because}", turn.tool),
        Decision::Skip {
            because,
            include_with,
        } => {
            let with = include_with.lines().next().unwrap_or_default();
            format!("{} skipped: {because} [{with}]", turn.tool)
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn mixed() -> Vec<Value> {
    let mut fetch = tool("get_page", &Value::Null);
    fetch["inputSchema"] = json!({"type": "object", "properties": {"url": {"type": "string"}}});
    let mut task = tool("get_slow", &json!({"readOnlyHint": true}));
    task["execution"] = json!({"taskSupport": "required"});
    vec![
        tool("lookup", &json!({"readOnlyHint": true})),
        tool("delete_all", &json!({"readOnlyHint": true})),
        tool("purge", &json!({"destructiveHint": true})),
        tool("wipe_all", &Value::Null),
        tool("list_files", &Value::Null),
        tool("get_item", &json!({"openWorldHint": true})),
        tool("frobnicate", &Value::Null),
        tool("list_files", &Value::Null),
        fetch,
        task,
        json!({"description": "nameless"}),
        json!(5),
    ]
}

#[test]
fn safe_calls_what_is_known_to_read() {
    let plan = planned(&mixed(), &settings(FuzzLevel::Safe));
    insta::assert_snapshot!(pictured(&plan), @r#"
    lookup called: it says readOnlyHint: true
    delete_all skipped: it says readOnlyHint: true, but its name leads with a verb that destroys [--fuzz-writes, or in mcprobe.toml:]
    purge skipped: it gives hints, but not readOnlyHint: true [--fuzz-destructive, or in mcprobe.toml:]
    wipe_all skipped: it gives no hints, and its name leads with a verb that destroys [--fuzz-writes, or in mcprobe.toml:]
    list_files called: it gives no hints, its name leads with a reading verb, and it takes no command, code, SQL or URL
    get_item skipped: it gives hints, but not readOnlyHint: true [--fuzz-writes, or in mcprobe.toml:]
    frobnicate skipped: it gives no hints, and its name leads with no known verb [--fuzz-writes, or in mcprobe.toml:]
    list_files skipped: an earlier tool has the same name, so it is ambiguous which of them a call reaches [a name of its own, by the server's author]
    get_page skipped: it gives no hints, and its parameter `url` takes a URL [--fuzz-writes, or in mcprobe.toml:]
    get_slow skipped: it runs only as a task, and tasks are not started [a `taskSupport` of `optional`, by the server's author]
    tools[10] skipped: it has no name to call it by [a `name` in its entry, by the server's author]
    tools[11] skipped: it has no name to call it by [a `name` in its entry, by the server's author]
    "#);
}

#[test]
fn each_level_adds_to_the_one_before() {
    let writes = planned(&mixed(), &settings(FuzzLevel::Writes));
    assert_eq!(
        called(&writes),
        [
            "lookup",
            "delete_all",
            "wipe_all",
            "list_files",
            "get_item",
            "frobnicate",
            "get_page"
        ]
    );
    let destructive = planned(&mixed(), &settings(FuzzLevel::Destructive));
    assert_eq!(destructive.calls.len(), writes.calls.len() + 1);
    assert!(called(&destructive).contains(&"purge"));
}

#[test]
fn the_users_word_stands_above_the_level_and_denial_above_all() {
    let mut safe = settings(FuzzLevel::Safe);
    let say = |allow, deny| ToolChoice {
        allow,
        deny,
        arguments: None,
    };
    safe.per_tool.insert("purge".to_owned(), say(true, false));
    safe.per_tool.insert("wipe_all".to_owned(), say(true, true));
    safe.per_tool.insert("lookup".to_owned(), say(false, true));
    assert_eq!(called(&planned(&mixed(), &safe)), ["purge", "list_files"]);
}

#[test]
fn the_limit_comes_last_and_example_arguments_are_sent() {
    let mut few = settings(FuzzLevel::Destructive);
    few.max_tools = Some(2);
    let choice = ToolChoice {
        arguments: Some(json!({"id": 9})),
        ..ToolChoice::default()
    };
    few.per_tool.insert("lookup".to_owned(), choice);
    few.per_tool.insert(
        "delete_all".to_owned(),
        ToolChoice {
            deny: true,
            ..ToolChoice::default()
        },
    );
    let plan = planned(&mixed(), &few);
    assert_eq!(called(&plan), ["lookup", "purge"]);
    assert_eq!(plan.calls[0].cases[0].arguments.get(), r#"{"id":9}"#);
    let skipped = plan
        .turns
        .iter()
        .filter(|turn| !turn.decision.calls())
        .count();
    assert_eq!(skipped, mixed().len() - 2);
}

#[test]
fn readers_are_pointed_at_what_the_server_was_given_and_others_are_not() {
    let reader = json!({"name": "read_text", "annotations": {"readOnlyHint": true}, "inputSchema":
        {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}});
    let mut writer = reader.clone();
    writer["name"] = json!("write_text");
    writer["annotations"] = json!({});
    let mut settings = settings(FuzzLevel::Writes);
    settings.scratch_paths = ["/s/", "/s/a.txt"].map(str::to_owned).to_vec();
    let plan = planned(&[reader, writer], &settings);
    let valid = |at: usize| plan.calls[at].cases[0].arguments.get();
    assert_eq!(valid(0), r#"{"path":"/s/a.txt"}"#);
    assert_eq!(valid(1), r#"{"path":"/s/mcprobe-probe.txt"}"#);
    let exists = |case: &Case| case.arguments.get().contains("/s/a.txt");
    assert!(!plan.calls[1].cases.iter().any(exists));
}

#[test]
fn examples_in_the_tools_description_are_heard() {
    let mut tool = tool("get_time", &json!({"readOnlyHint": true}));
    tool["description"] =
        json!("Tells the time in a zone, e.g. 'Asia/Tokyo'. Names a place such as 'Oslo'.");
    tool["inputSchema"] = json!({"type": "object", "properties": {
        "zone": {"type": "string"}, "place": {"type": "string"}, "other": {"type": "string"},
    }, "required": ["zone", "place", "other"]});
    let plan = planned(&[tool], &settings(FuzzLevel::Safe));
    assert_eq!(
        plan.calls[0].cases[0].arguments.get(),
        r#"{"zone":"Asia/Tokyo","place":"Oslo","other":"probe"}"#
    );
}

#[test]
fn thousands_of_tools_do_not_fill_the_memory() {
    let entries: Vec<Value> = (0..700)
        .map(|at| {
            let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
            json!({"name": format!("get_{at}"), "inputSchema": schema})
        })
        .collect();
    let plan = planned(&entries, &settings(FuzzLevel::Safe));
    let has_long = |at: usize| {
        let labels = plan.calls[at].cases.iter().map(|case| case.label.as_str());
        labels.clone().any(|label| label == "edge_long:text")
    };
    assert!(has_long(0) && !has_long(699));
    assert!(plan.bytes < MAX_PLAN_BYTES + 8 * 1024 * 1024);
    assert_eq!(plan.calls[699].notes.len(), 1);
}

#[test]
fn tools_without_valid_arguments_are_left_alone_and_say_what_would_help() {
    let mut riddle = tool("get \"riddle\"", &json!({"readOnlyHint": true}));
    riddle["inputSchema"] =
        json!({"type": "object", "required": ["a"], "additionalProperties": false});
    let plan = planned(&[riddle], &settings(FuzzLevel::Safe));
    assert!(plan.calls.is_empty());
    let Decision::Skip { include_with, .. } = &plan.turns[0].decision else {
        panic!("it is called");
    };
    assert!(
        include_with.contains(r#"[tools."get \"riddle\""]"#),
        "{include_with}"
    );
}

proptest! {
    #[test]
    fn lines_for_the_settings_file_name_the_tool(name in ".{1,20}") {
        let lines = format!("{}\nallow = true", table(&name));
        let read: toml::Table = lines.parse().expect("TOML");
        prop_assert_eq!(&read["tools"][&name]["allow"], &toml::Value::Boolean(true));
    }

    #[test]
    fn nothing_unknown_is_called_at_the_safe_level(name in "[a-z]{3,8}(_[a-z]{3,8})?") {
        let plan = planned(&[tool(&name, &Value::Null)], &settings(FuzzLevel::Safe));
        let reads = verbs::leading_verb(&name) == Some(VerbKind::Read);
        prop_assert_eq!(plan.calls.len(), usize::from(reads));
    }
}
