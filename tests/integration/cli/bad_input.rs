//! Every bad input gets one clear line and the documented exit code. The cases
//! are data files in `tests/cmd`.

use std::fs;
use std::path::Path;

#[test]
fn each_case_prints_its_line_and_exits_with_its_code() {
    trycmd::TestCases::new().case("tests/cmd/*.toml");
}

#[test]
fn every_complaint_is_one_line_without_a_trace() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("tests/cmd") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let case: toml::Table = fs::read_to_string(&path)
            .expect("a case")
            .parse()
            .expect("TOML");
        if case["status"]["code"].as_integer() != Some(2) {
            continue;
        }
        seen += 1;
        let stderr = case["stderr"].as_str().expect("stderr");
        assert_eq!(
            stderr.trim_end().lines().count(),
            1,
            "{}: {stderr}",
            path.display()
        );
        assert!(
            stderr.starts_with("error: "),
            "{}: {stderr}",
            path.display()
        );
        assert!(
            !stderr.contains("panicked") && !stderr.contains("os error"),
            "{}: {stderr}",
            path.display()
        );
        assert_eq!(case["stdout"].as_str(), Some(""), "{}", path.display());
    }
    assert!(seen > 30, "only {seen} cases were read");
}
