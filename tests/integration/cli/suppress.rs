//! Suppressions of `mcprobe.toml`, through the program.

use std::fs;

use serde_json::{Value, json};

use super::{codes, example, mcprobe, report, run};

/// The clock of the machine is somewhere between these two days.
const OVER: &str = "2020-01-01";
const FAR: &str = "9999-12-31";

fn entry(rule: &str, expires: &str) -> String {
    format!(
        "[[suppress]]\nrule = \"{rule}\"\nreason = \"known since long\"\nexpires = {expires}\n\n"
    )
}

#[test]
fn check_reads_them_and_the_clock() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = json!({"tools": [{"name": "a", "inputSchema": {"type": "object"}}]});
    fs::write(folder.path().join("tools.json"), list.to_string()).expect("a file");
    let check = |settings: &str, flags: &[&str]| {
        fs::write(folder.path().join("mcprobe.toml"), settings).expect("a file");
        let mut command = mcprobe();
        command.current_dir(folder.path());
        run(command.args(["check", "tools.json"]).args(flags))
    };
    let rule = "tool.missing_description";
    let output = check("", &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let plain = report(&output);
    assert_eq!(plain["suppressions"], Value::Null);

    let output = check(&entry(rule, FAR), &["--json"]);
    assert_eq!(output.status.code(), Some(0));
    let held = report(&output);
    assert!(!codes(&held).contains(&rule));
    let section = &held["suppressions"];
    assert_eq!(section["findings"], 1);
    assert_eq!(section["entries"][0]["state"], "inUse");
    assert_eq!(section["entries"][0]["expires"], FAR);
    assert_eq!(section["entries"][0]["reason"], "known since long");
    let without = &section["scoresWithout"];
    assert_eq!(without["contract"]["overall"], plain["overall"]);
    assert_eq!(
        without["classic"]["overall"],
        plain["scores"]["classic"]["overall"]
    );
    assert!(held["overall"].as_u64() > plain["overall"].as_u64());

    let output = check(&entry(rule, OVER), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let over = report(&output);
    assert_eq!(over["suppressions"]["entries"][0]["state"], "expired");
    assert_eq!(over["overall"], plain["overall"]);
    let told = codes(&over);
    assert!(told.contains(&rule) && told.contains(&"settings.expired_suppression"));

    let page = check(&entry(rule, FAR), &[]).stdout;
    let page = String::from_utf8(page).expect("UTF-8");
    let sentence = format!(
        "score {}, would be {} without 1 suppression; 1 finding is held back",
        held["overall"], plain["overall"]
    );
    assert!(page.contains(&sentence), "{page}");
    let quiet = check(&entry(rule, FAR), &["--quiet"]).stdout;
    let quiet = String::from_utf8(quiet).expect("UTF-8");
    assert!(quiet.contains(&sentence), "{quiet}");
}

#[test]
fn a_live_audit_honours_them_and_its_evidence_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let rule = "call.silent_accept";
    let settings = folder.path().join("audit.toml");
    fs::write(&settings, entry(rule, FAR)).expect("a file");
    let evidence = folder.path().join("evidence.json");
    let audit = |with: bool| {
        let mut command = mcprobe();
        command.current_dir(folder.path());
        command.args(["audit", "--fuzz-writes", "--json", "--quiet", "--evidence"]);
        command.arg(&evidence);
        if with {
            command.arg("--settings").arg(&settings);
        }
        report(&run(command.arg("--").arg(example("flawed_server"))))
    };
    let number = |report: &Value| codes(report).iter().filter(|code| **code == rule).count();
    let (plain, held) = (audit(false), audit(true));
    assert!(number(&plain) > 0);
    assert_eq!(number(&held), 0);
    assert_eq!(held["suppressions"]["findings"], number(&plain));
    // Calls are counted, not findings.
    assert_eq!(held["overall"], plain["overall"]);
    let again = run(mcprobe()
        .current_dir(folder.path())
        .args(["check", "--json", "--fail-on", "none"])
        .arg(&evidence));
    assert_eq!(number(&report(&again)), number(&plain));
}
