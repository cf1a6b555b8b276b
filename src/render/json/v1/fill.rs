//! From the report inside to the shape outside.

use super::SCHEMA_VERSION;
use super::shape::{
    Abandoned, Attempt, CallName, Cap, Completeness, Contact, Counts, Coverage, Dimension,
    Document, Exchange, Failure, Finding, Helpfulness, Location, OtherEra, Program, Protocol,
    ProtocolArea, ProtocolCheck, ProtocolState, Row, Run, Score, Scores, Server, Skipped, Spec,
    Target, Thresholds, ToolLatency, Untested, Verdict, Write,
};
use super::suppressed::Suppressions;
use crate::model::answer;
use crate::model::checked::{self, CheckState, Checked, ProtocolSection};
use crate::model::evidence;
use crate::model::finding;
use crate::model::fuzz::{self, CaseClass, Outcome};
use crate::model::report::{self, Report, SkipKind};
use crate::protocol::json::read;

impl<'a> Document<'a> {
    pub(super) fn of(report: &'a Report) -> Self {
        let score = report.score();
        let rows = report.fuzz.as_ref().map_or(&[][..], |fuzz| &fuzz.rows);
        Self {
            schema_version: SCHEMA_VERSION,
            tool: Program {
                name: &report.producer.name,
                version: &report.producer.version,
            },
            target: Target {
                transport: report.target.transport.word(),
                display: &report.target.display,
                name: report.target.name.as_deref(),
            },
            server: Server {
                name: report.server.name.as_deref(),
                version: report.server.version.as_deref(),
                instructions: report.server.instructions.as_deref(),
            },
            overall: score.overall,
            grade: score.grade,
            score_model: report.score_model,
            dimensions: dimensions(score),
            scores: Scores {
                contract: model_score(&report.scores.contract),
                classic: model_score(&report.scores.classic),
            },
            completeness: Completeness {
                level: report.completeness.level,
                reasons: &report.completeness.reasons,
            },
            probe_state: report.probe_state,
            failure: report.failure.as_ref().map(failure),
            cut_short: report.cut_short,
            protocol_version: report.protocol_version.as_deref(),
            contact: contact(&report.reached),
            counts: Counts {
                tools: report.counts.tools,
                prompts: report.counts.prompts,
                resources: report.counts.resources,
                resource_templates: report.counts.resource_templates,
            },
            findings: report.findings.iter().map(finding).collect(),
            suppressions: report.suppressions.as_ref().map(Suppressions::of),
            protocol: report.protocol.as_ref().map(protocol),
            fuzz: fuzz_rows(report),
            helpfulness: helpfulness(report),
            coverage: coverage(report),
            safety: None,
            trust: None,
            notes: &report.notes,
            untested: report
                .untested
                .iter()
                .map(|untested| Untested {
                    what: &untested.what,
                    because: &untested.because,
                    paste: untested.paste.as_deref(),
                })
                .collect(),
            verdict: verdict(&report.verdict),
            run: Run {
                started_at: &report.run.started_at,
                duration_ms: report.run.duration_ms,
                connect_ms: report.run.connect_ms,
                gather_ms: report.run.gather_ms,
                fuzz_ms: report.run.fuzz_ms,
                attempts_ms: report
                    .reached
                    .attempts
                    .iter()
                    .map(|attempt| attempt.ms)
                    .collect(),
                latencies_us: rows.iter().map(|row| row.latency_us).collect(),
                tool_latencies: tool_latencies(report),
                host: &report.run.host,
            },
        }
    }
}

fn contact(reached: &report::Reached) -> Contact<'_> {
    Contact {
        era: reached.era,
        transport: reached.carrier,
        attempts: reached
            .attempts
            .iter()
            .map(|attempt| Attempt {
                what: &attempt.what,
                status: attempt.status,
                media: attempt.media.as_deref(),
                head: attempt.head.as_deref(),
                outcome: &attempt.outcome,
            })
            .collect(),
        other_era: reached.other.as_ref().map(|other| OtherEra {
            era: other.era,
            protocol_version: other.protocol_version.as_deref(),
            tools: other.tools,
            failure: other.failure.as_deref(),
        }),
    }
}

fn model_score(score: &report::ModelScore) -> Score<'_> {
    Score {
        version: score.version,
        overall: score.overall,
        grade: score.grade,
        dimensions: dimensions(score),
        arithmetic: &score.arithmetic,
        cap: score.cap.as_ref().map(|cap| Cap {
            limit: cap.limit,
            uncapped: cap.uncapped,
            because: &cap.because,
        }),
    }
}

fn dimensions(score: &report::ModelScore) -> Vec<Dimension<'_>> {
    score
        .dimensions
        .iter()
        .map(|dimension| Dimension {
            key: dimension.dimension.key(),
            label: dimension.dimension.label(),
            score: dimension.score,
            reasons: &dimension.reasons,
            not_measured: dimension.score.is_none(),
        })
        .collect()
}

fn failure(failure: &evidence::Failure) -> Failure<'_> {
    Failure {
        message: &failure.message,
        exit: failure.exit,
        stderr_tail: failure.stderr_tail.as_deref(),
        exchange: failure.exchange.as_ref().map(exchange),
    }
}

fn finding(finding: &finding::Finding) -> Finding<'_> {
    Finding {
        code: &finding.code,
        family: finding.family,
        severity: finding.severity,
        message: &finding.message,
        why: &finding.why,
        hint: &finding.hint,
        location: Location {
            tool: finding.location.tool.as_deref(),
            param: finding.location.param.as_deref(),
            pointer: finding.location.pointer.as_deref(),
        },
        case: finding.case.as_deref(),
        spec: finding.spec.as_ref().map(|spec| Spec {
            link: &spec.link,
            keyword: spec.keyword.as_deref(),
        }),
        fingerprint: &finding.fingerprint,
    }
}

fn protocol(section: &ProtocolSection) -> Protocol<'_> {
    let tally = section.tally();
    let area = |(area, tally): (_, checked::Tally)| ProtocolArea {
        area,
        passed: tally.passed,
        failed: tally.failed,
        not_tested: tally.not_tested,
    };
    Protocol {
        revision: &section.revision,
        negotiated: section.negotiated,
        passed: tally.passed,
        failed: tally.failed,
        not_tested: tally.not_tested,
        areas: section.areas().into_iter().map(area).collect(),
        checks: section.checks.iter().map(protocol_check).collect(),
    }
}

fn protocol_check(check: &Checked) -> ProtocolCheck<'_> {
    let (state, because) = match &check.state {
        CheckState::Passed => (ProtocolState::Passed, None),
        CheckState::Failed | CheckState::Suppressed => (ProtocolState::Failed, None),
        CheckState::NotTested { because } => (ProtocolState::NotTested, Some(because.as_str())),
    };
    ProtocolCheck {
        id: check.id,
        area: check.area,
        says: check.says,
        state,
        suppressed: (check.state == CheckState::Suppressed).then_some(true),
        because,
        spec: Spec {
            link: &check.link,
            keyword: check.keyword,
        },
    }
}

fn fuzz_rows(report: &Report) -> Vec<Row<'_>> {
    let Some(fuzz) = &report.fuzz else {
        return Vec::new();
    };
    let points = fuzz.points.iter().copied().chain(std::iter::repeat(None));
    fuzz.rows
        .iter()
        .zip(points)
        .map(|(fuzz_row, points)| row(fuzz_row, points))
        .collect()
}

fn helpfulness(report: &Report) -> Vec<Helpfulness<'_>> {
    let tools = report.fuzz.iter().flat_map(|fuzz| &fuzz.helpfulness);
    tools
        .map(|tool| Helpfulness {
            tool: &tool.tool,
            refusals: tool.refusals,
            mean: tool.mean_hundredths() as f64 / 100.0,
            name_field: tool.name_field,
            say_expected: tool.say_expected,
            say_allowed: tool.say_allowed,
        })
        .collect()
}

fn tool_latencies(report: &Report) -> Vec<ToolLatency<'_>> {
    let tools = report.fuzz.iter().flat_map(|fuzz| &fuzz.latencies);
    tools
        .map(|tool| ToolLatency {
            tool: &tool.tool,
            calls: tool.calls,
            p50_us: tool.p50_us,
            p95_us: tool.p95_us,
        })
        .collect()
}

fn row(row: &fuzz::FuzzRow, points: Option<u8>) -> Row<'_> {
    let succeeded = row.outcome == Outcome::Ok;
    let telling = row.silently_accepted
        || row.output_schema_violation.is_some()
        || matches!(row.outcome, Outcome::ProtocolCrash | Outcome::Timeout);
    let readable = read(row.case.arguments.get()).flaws.is_empty();
    Row {
        name: &row.tool,
        case: &row.case.label,
        class: row.case.class,
        outcome: row.outcome,
        silently_accepted: row.silently_accepted,
        coerced: (row.case.class == CaseClass::Coercion).then_some(row.coerced),
        arguments: readable.then_some(&*row.case.arguments),
        arguments_text: (!readable).then(|| row.case.arguments.get()),
        empty_success: (row.case.class.is_valid() && succeeded).then_some(row.empty_success),
        output_schema_violation: row.output_schema_violation.is_some().then_some(true),
        output_schema_error: row.output_schema_violation.as_deref(),
        error_message: row.error_text.as_deref(),
        error_code: row.error_code,
        helpfulness: points,
        confirmed: row.confirmed,
        after: (!row.after.is_empty()).then(|| row.after.iter().map(call_name).collect()),
        shrunk_arguments: row.shrunk.as_ref().map(|shrunk| shrunk.arguments.get()),
        writes: (!row.writes.is_empty()).then(|| row.writes.iter().map(write).collect()),
        exchange: telling.then(|| exchange(&row.exchange)),
    }
}

fn call_name(call: &answer::CallName) -> CallName<'_> {
    CallName {
        tool: &call.tool,
        case: &call.case,
    }
}

fn write(change: &answer::FileChange) -> Write<'_> {
    Write {
        path: &change.path,
        kind: change.kind,
    }
}

fn exchange(exchange: &fuzz::Exchange) -> Exchange<'_> {
    Exchange {
        request: &exchange.request,
        reply: exchange.reply.as_deref(),
        reply_bytes: exchange.reply_bytes,
        http_status: exchange.http_status,
        failure: exchange.failure.as_deref(),
        exit: exchange.exit,
        stderr_tail: exchange.stderr_tail.as_deref(),
    }
}

fn coverage(report: &Report) -> Coverage<'_> {
    let coverage = &report.coverage;
    let of_kind = |kind: SkipKind| {
        coverage
            .skipped
            .iter()
            .filter(|skipped| skipped.kind == kind)
            .map(|skipped| skipped.tool.as_str())
            .collect()
    };
    let abandoned = report.fuzz.as_ref().map_or(&[][..], |f| &f.abandoned);
    Coverage {
        level: report.fuzz.as_ref().map(|fuzz| fuzz.level),
        seed: report.fuzz.as_ref().map(|fuzz| fuzz.seed),
        total_tools: coverage.total_tools,
        fuzzed_tools: coverage.called.len(),
        called: &coverage.called,
        skipped_destructive: of_kind(SkipKind::Destructive),
        skipped_over_cap: of_kind(SkipKind::OverCap),
        skipped: coverage
            .skipped
            .iter()
            .map(|skipped| Skipped {
                tool: &skipped.tool,
                reason: &skipped.because,
                include_with: &skipped.include_with,
            })
            .collect(),
        abandoned: abandoned
            .iter()
            .map(|given_up| Abandoned {
                tool: &given_up.tool,
                cases_left: given_up.cases_left,
                reason: &given_up.because,
            })
            .collect(),
    }
}

fn verdict(verdict: &report::Verdict) -> Verdict<'_> {
    Verdict {
        passed: verdict.passed,
        result: verdict.kind,
        exit_code: verdict.exit_code,
        reasons: &verdict.reasons,
        thresholds: Thresholds {
            min_score: verdict.thresholds.min_score,
            fail_on: verdict.thresholds.fail_on,
            allow_partial: verdict.thresholds.allow_partial,
        },
    }
}
