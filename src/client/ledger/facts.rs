//! What messages show besides what they say: envelopes, outer members of results,
//! progress, HTTP replies. Counted, with the first of a kind.

use serde_json::value::RawValue;

use super::{DISTINCT, Ledger, TEXT_CHARS, count};
use crate::model::evidence::{Seen, Wire};
use crate::model::probe::{EnvelopeFault, EnvelopeKind};
use crate::model::secret::Torn;
use crate::model::wire::{HttpFacts, ProgressFacts, Redirect, ResultFacts};
use crate::protocol::json;
use crate::protocol::message::string;
use crate::transport::http::Head;

/// How much of a message that breaks a rule is kept, in bytes.
const KEPT_FAULT: usize = 2 * 1024;

/// How much of a member's value is kept, in characters, and how many values.
const MEMBER_CHARS: usize = 80;
const DISTINCT_VALUES: usize = 10;

/// How many redirects are kept.
const MAX_REDIRECTS: usize = 10;

/// What stands for a member that is not there.
const ABSENT: &str = "absent";

/// A request in flight that has a progress token.
#[derive(Debug)]
pub(super) struct Progress {
    token: String,
    last: Option<f64>,
    over: bool,
}

impl Ledger {
    /// A message that breaks a rule of its envelope.
    pub(in crate::client) fn fault(
        &mut self,
        kind: EnvelopeKind,
        text: &str,
        during: Option<&str>,
    ) {
        let faults = &mut self.wire.envelope.faults;
        if let Some(known) = faults.iter_mut().find(|fault| fault.kind == kind) {
            known.count += 1;
            return;
        }
        let fault = EnvelopeFault {
            kind,
            count: 1,
            first: self.clean_and_bound(text, KEPT_FAULT, Torn::Nowhere),
            during: during.map(|text| self.clean_and_bound(text, KEPT_FAULT, Torn::Nowhere)),
        };
        self.wire.envelope.faults.push(fault);
    }

    /// The code of an error.
    pub(in crate::client) fn error_code(&mut self, code: i64) {
        let codes = &mut self.wire.envelope.error_codes;
        if codes.len() < DISTINCT || codes.contains_key(&code) {
            *codes.entry(code).or_default() += 1;
        }
    }

    /// A request or notification of the server before it was told that the
    /// handshake is over.
    pub(in crate::client) fn before_initialized(&mut self, method: &str) {
        let method = self.clean_and_cut(method, TEXT_CHARS);
        count(&mut self.wire.before_initialized, method, 1);
    }

    /// A result, by its outer members alone.
    pub(in crate::client) fn result(&mut self, method: &str, result: &RawValue) {
        let names = [
            "resultType",
            "_meta",
            "ttlMs",
            "cacheScope",
            "inputRequests",
        ];
        let [kind, meta, ttl, scope, inputs] = json::pick(result.get(), names).unwrap_or_default();
        let identity = "io.modelcontextprotocol/serverInfo";
        let has_identity = meta.is_some_and(|meta| {
            json::pick(meta.get(), [identity]).is_some_and(|[found]| found.is_some())
        });
        let [kind, ttl, scope] = [kind, ttl, scope].map(|raw| match raw {
            Some(raw) => self.clean_and_cut(raw.get(), MEMBER_CHARS),
            None => ABSENT.to_owned(),
        });
        let asked = inputs
            .map(|inputs| self.input_requests(&inputs))
            .unwrap_or_default();
        let Some(facts) = entry(
            &mut self.wire.results,
            |facts| facts.method == method,
            || ResultFacts {
                method: method.to_owned(),
                ..ResultFacts::default()
            },
        ) else {
            return;
        };
        facts.count += 1;
        facts.without_server_info += u64::from(!has_identity);
        for (values, value) in [
            (&mut facts.result_types, kind),
            (&mut facts.ttl_ms, ttl),
            (&mut facts.cache_scopes, scope),
        ] {
            if values.len() < DISTINCT_VALUES || values.contains_key(&value) {
                *values.entry(value).or_default() += 1;
            }
        }
        for method in asked {
            count(&mut facts.input_requests, method, 1);
        }
    }

    /// The methods that `inputRequests` name.
    fn input_requests(&self, raw: &RawValue) -> Vec<String> {
        let members = json::members(raw.get()).unwrap_or_default();
        members
            .iter()
            .take(DISTINCT)
            .filter_map(|(_, request)| {
                let [method] = json::pick(request.get(), ["method"])?;
                Some(self.clean_and_cut(&string(method?.get())?, TEXT_CHARS))
            })
            .collect()
    }

    /// A request that is sent; its `_meta` may hold a progress token.
    pub(in crate::client) fn asks(&mut self, request: &str) {
        if let Some(token) = progress_token(request) {
            self.wire.progress.tokens_given += 1;
            self.progress.push(Progress {
                token: token.get().to_owned(),
                last: None,
                over: false,
            });
            if self.progress.len() > DISTINCT {
                self.progress.remove(0);
            }
        }
    }

    /// The request in flight is over, with a reply or without.
    pub(in crate::client) fn replied(&mut self) {
        for progress in &mut self.progress {
            progress.over = true;
        }
    }

    /// A progress notification, whole.
    pub(in crate::client) fn progressed(&mut self, text: &str) {
        let params = json::pick(text, ["params"]).and_then(|[params]| params);
        let [token, value] = params
            .and_then(|params| json::pick(params.get(), ["progressToken", "progress"]))
            .unwrap_or_default();
        let value = value.and_then(|raw| raw.get().parse::<f64>().ok());
        let facts = &mut self.wire.progress;
        let known = token.and_then(|token| {
            let mut given = self.progress.iter_mut().rev();
            given.find(|progress| progress.token == token.get())
        });
        let breaks = match known {
            None => {
                facts.unknown_token += 1;
                true
            }
            Some(progress) if progress.over => {
                facts.after_reply += 1;
                true
            }
            Some(progress) => {
                facts.in_flight += 1;
                let increases =
                    value.is_some_and(|value| progress.last.is_none_or(|last| value > last));
                facts.not_increasing += u64::from(!increases);
                progress.last = value.or(progress.last);
                !increases
            }
        };
        if breaks && facts.first.is_none() {
            let first = self.clean_and_bound(text, KEPT_FAULT, Torn::Nowhere);
            self.wire.progress.first = Some(first);
        }
    }

    /// The head of a reply over HTTP to a message of ours.
    pub(in crate::client) fn http(&mut self, method: &str, head: &Head) {
        let clean = |text: &String| self.clean_and_cut(text, MEMBER_CHARS);
        let seen = HttpFacts {
            method: method.to_owned(),
            status: head.status,
            media: clean(&head.media),
            charset: head.charset.as_ref().map(clean),
            encoding: head.encoding.as_ref().map(clean),
            ..HttpFacts::default()
        };
        let same = |known: &HttpFacts| is_same_kind(known, &seen);
        let facts = entry(&mut self.wire.http, same, || seen.clone());
        if let Some(facts) = facts {
            facts.count += 1;
            facts.with_session += u64::from(head.has_session);
        }
    }

    /// A redirect; the same one is kept once.
    pub(in crate::client) fn redirected(&mut self, mut redirect: Redirect) {
        redirect.from = self.clean(&redirect.from);
        redirect.to = redirect.to.map(|to| self.clean(&to));
        let known = &mut self.wire.redirects;
        if known.len() < MAX_REDIRECTS && !known.contains(&redirect) {
            known.push(redirect);
        }
    }

    /// Adds the facts of another connection.
    pub(super) fn absorb_facts(&mut self, other: &mut Wire) {
        for fault in std::mem::take(&mut other.envelope.faults) {
            let kind = fault.kind;
            let faults = &mut self.wire.envelope.faults;
            match faults.iter_mut().find(|known| known.kind == kind) {
                Some(known) => known.count += fault.count,
                None => faults.push(fault),
            }
        }
        for (code, times) in std::mem::take(&mut other.envelope.error_codes) {
            *self.wire.envelope.error_codes.entry(code).or_default() += times;
        }
        for Seen {
            method,
            count: times,
        } in std::mem::take(&mut other.before_initialized)
        {
            count(&mut self.wire.before_initialized, method, times);
        }
        absorb_progress(&mut self.wire.progress, std::mem::take(&mut other.progress));
        for facts in std::mem::take(&mut other.results) {
            absorb_results(&mut self.wire.results, facts);
        }
        for redirect in std::mem::take(&mut other.redirects) {
            self.redirected(redirect);
        }
        for facts in std::mem::take(&mut other.http) {
            let same = |known: &HttpFacts| is_same_kind(known, &facts);
            if let Some(known) = entry(&mut self.wire.http, same, || HttpFacts {
                count: 0,
                with_session: 0,
                ..facts.clone()
            }) {
                known.count += facts.count;
                known.with_session += facts.with_session;
            }
        }
    }
}

fn is_same_kind(one: &HttpFacts, other: &HttpFacts) -> bool {
    let kind = |facts: &HttpFacts| (facts.status, facts.charset.clone(), facts.encoding.clone());
    one.method == other.method && one.media == other.media && kind(one) == kind(other)
}

fn progress_token(request: &str) -> Option<Box<RawValue>> {
    // Most requests have none, and need no reading.
    if !request.contains("progressToken") {
        return None;
    }
    let [params] = json::pick(request, ["params"])?;
    let [meta] = json::pick(params?.get(), ["_meta"])?;
    let [token] = json::pick(meta?.get(), ["progressToken"])?;
    token
}

fn absorb_progress(own: &mut ProgressFacts, other: ProgressFacts) {
    own.tokens_given += other.tokens_given;
    own.in_flight += other.in_flight;
    own.unknown_token += other.unknown_token;
    own.after_reply += other.after_reply;
    own.not_increasing += other.not_increasing;
    if own.first.is_none() {
        own.first = other.first;
    }
}

fn absorb_results(own: &mut Vec<ResultFacts>, other: ResultFacts) {
    let same = |known: &ResultFacts| known.method == other.method;
    let Some(known) = entry(own, same, || ResultFacts {
        method: other.method.clone(),
        ..ResultFacts::default()
    }) else {
        return;
    };
    known.count += other.count;
    known.without_server_info += other.without_server_info;
    for (values, more) in [
        (&mut known.result_types, other.result_types),
        (&mut known.ttl_ms, other.ttl_ms),
        (&mut known.cache_scopes, other.cache_scopes),
    ] {
        for (value, times) in more {
            if values.len() < DISTINCT_VALUES || values.contains_key(&value) {
                *values.entry(value).or_default() += times;
            }
        }
    }
    for Seen {
        method,
        count: times,
    } in other.input_requests
    {
        count(&mut known.input_requests, method, times);
    }
}

/// The entry that is meant, or a new one while there is room.
fn entry<T>(
    all: &mut Vec<T>,
    is_meant: impl Fn(&T) -> bool,
    new: impl FnOnce() -> T,
) -> Option<&mut T> {
    let at = match all.iter().position(is_meant) {
        Some(at) => at,
        None if all.len() < DISTINCT => {
            all.push(new());
            all.len() - 1
        }
        None => return None,
    };
    all.get_mut(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::secret::{Redactor, Secret};

    fn ledger() -> Ledger {
        Ledger::new(Redactor::new([&Secret::new("s3cret-token")]))
    }

    #[test]
    fn the_first_fault_of_a_kind_is_kept_clean() {
        let mut ledger = ledger();
        let long = format!("s3cret-token {}", "x".repeat(10_000));
        ledger.fault(EnvelopeKind::IdEcho, &long, Some("asked with s3cret-token"));
        ledger.fault(EnvelopeKind::IdEcho, "second", None);
        ledger.fault(EnvelopeKind::Batch, "[]", None);
        let wire = ledger.wire();
        let faults = &wire.envelope.faults;
        assert_eq!(faults.len(), 2);
        assert_eq!(faults[0].count, 2);
        assert!(faults[0].first.starts_with("[redacted] xxx"));
        assert!(faults[0].first.len() <= KEPT_FAULT);
        assert_eq!(faults[0].during.as_deref(), Some("asked with [redacted]"));
    }

    #[test]
    fn progress_is_held_against_its_token() {
        let mut ledger = ledger();
        let note = |token: &str, progress: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{progress}}}}}"#
            )
        };
        ledger.asks(r#"{"id":1,"method":"a","params":{"_meta":{"progressToken":"t"}}}"#);
        ledger.asks(r#"{"id":2,"method":"a","params":{"arguments":{"progressToken":"t"}}}"#);
        for progress in ["1", "2.5", "2.5", "\"3\"", "4"] {
            ledger.progressed(&note("\"t\"", progress));
        }
        ledger.progressed(&note("7", "1"));
        ledger.progressed("{}");
        ledger.replied();
        ledger.progressed(&note("\"t\"", "5"));
        let progress = ledger.wire().progress;
        assert_eq!(progress.tokens_given, 1);
        assert_eq!(progress.in_flight, 5);
        assert_eq!(progress.not_increasing, 2);
        assert_eq!(progress.unknown_token, 2);
        assert_eq!(progress.after_reply, 1);
        assert_eq!(progress.first, Some(note("\"t\"", "2.5")));
    }

    #[test]
    fn results_are_counted_by_their_outer_members() {
        let mut ledger = ledger();
        let raw = |text: &str| RawValue::from_string(text.to_owned()).expect("JSON");
        ledger.result(
            "tools/list",
            &raw(r#"{"resultType":"complete","ttlMs":1,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{}}}"#),
        );
        ledger.result("tools/list", &raw(r#"{"tools":[]}"#));
        ledger.result(
            "tools/call",
            &raw(r#"{"inputRequests":{"a":{"method":"roots/list"},"b":7}}"#),
        );
        let wire = ledger.wire();
        let lists = &wire.results[0];
        assert_eq!((lists.count, lists.without_server_info), (2, 1));
        assert_eq!(lists.result_types["\"complete\""], 1);
        assert_eq!(lists.result_types[ABSENT], 1);
        assert_eq!(lists.ttl_ms["1"], 1);
        assert_eq!(wire.results[1].input_requests[0].method, "roots/list");

        let mut other = self::ledger();
        other.absorb(wire.clone());
        other.absorb(wire);
        assert_eq!(other.wire().results[0].count, 4);
        assert_eq!(other.wire().results[0].cache_scopes[ABSENT], 2);
    }

    #[test]
    fn everything_is_bounded() {
        let mut ledger = ledger();
        let raw = |text: String| RawValue::from_string(text).expect("JSON");
        for number in 0..1000 {
            ledger.error_code(number);
            ledger.before_initialized(&number.to_string());
            ledger.result("a", &raw(format!(r#"{{"ttlMs":{number}}}"#)));
            ledger.result(&number.to_string(), &raw("{}".to_owned()));
            ledger.asks(r#"{"params":{"_meta":{"progressToken":1}}}"#);
        }
        let wire = ledger.wire();
        assert_eq!(wire.envelope.error_codes.len(), DISTINCT);
        assert_eq!(wire.before_initialized.len(), DISTINCT);
        assert_eq!(wire.results.len(), DISTINCT);
        assert_eq!(wire.results[0].ttl_ms.len(), DISTINCT_VALUES);
        assert_eq!(ledger.progress.len(), DISTINCT);
    }
}
