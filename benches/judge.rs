//! The judgement on one core: how long linting, scoring and rendering take.
//!
//! `cargo bench --bench judge` prints them; `docs/performance.md` says what to
//! expect and how the figures were made.

use divan::{Bencher, black_box};
use mcprobe::capture;
use mcprobe::judge::{self, JudgeSettings};
use mcprobe::model::evidence::Evidence;
use mcprobe::{render, rules, score};

fn main() {
    divan::main();
}

/// Tools with ten parameters each, all different, all sound.
fn catalogue(tools: usize) -> Evidence {
    let kinds = ["string", "integer", "number", "boolean", "array"];
    let entries: Vec<String> = (0..tools)
        .map(|tool| {
            let properties: Vec<String> = (0..10)
                .map(|param| {
                    let kind = kinds[(tool + param) % kinds.len()];
                    let items = if kind == "array" { r#","items":{"type":"string"}"# } else { "" };
                    format!(r#""param_{param}":{{"type":"{kind}","description":"Parameter {param} of tool {tool}."{items}}}"#)
                })
                .collect();
            format!(
                r#"{{"name":"tool_{tool}","description":"Does the thing number {tool} and says how it went.","inputSchema":{{"type":"object","properties":{{{}}},"required":["param_0"]}},"annotations":{{"readOnlyHint":true}}}}"#,
                properties.join(",")
            )
        })
        .collect();
    let list = format!("[{}]", entries.join(","));
    capture::read("bench", list.as_bytes()).expect("a tool list")
}

#[divan::bench(args = [100, 1_000, 10_000], sample_count = 10)]
fn lint(bencher: Bencher<'_, '_>, tools: usize) {
    let evidence = catalogue(tools);
    bencher.bench_local(|| rules::lint(black_box(&evidence)));
}

#[divan::bench(args = [100, 1_000, 10_000], sample_count = 10)]
fn score_both(bencher: Bencher<'_, '_>, tools: usize) {
    let evidence = catalogue(tools);
    let raw = rules::lint(&evidence);
    bencher.bench_local(|| score::score(black_box(&evidence), black_box(&raw)));
}

#[divan::bench(args = [1_000], sample_count = 10)]
fn render_json(bencher: Bencher<'_, '_>, tools: usize) {
    let report = judge::judge(&catalogue(tools), &JudgeSettings::default());
    bencher.bench_local(|| render::json::v1::render(black_box(&report)));
}
