//! `mcprobe push`.

use std::collections::BTreeMap;
use std::path::Path;

use super::audit::{audit_with, check_watched, environment, watch_signals};
use super::output::Places;
use crate::cli::args::{PushArgs, UploadArgs};
use crate::cli::exit::Exit;
use crate::cli::{console, progress};
use crate::config::{ConfigError, find, merge};
use crate::fuzz::run::stop_signal;
use crate::model::report::VerdictKind;
use crate::render::escape;
use crate::upload::{self, Destination, Patience, PushError, Receipt, payload};

/// Audits, writes the report, sends it, and exits by the verdict.
pub fn run(args: &PushArgs) -> anyhow::Result<Exit> {
    let audit = &args.audit;
    if audit.fuzz.plan {
        return Err(ConfigError::new(
            "--plan makes no report that could be sent; use mcprobe audit --plan",
        )
        .into());
    }
    // Before anything is started: a run without a token would be for nothing.
    let to = destination(&args.upload)?;
    let file = find::load(audit.gate.settings.as_deref(), Path::new(""))?;
    let mut settings = merge::settings(audit.words(), &environment(), file.as_ref())?;
    settings.hidden.push(to.token.clone());
    let places = Places::new(&audit.output, audit.evidence.as_deref())?;
    check_watched(&settings)?;
    let observer = progress::observer(audit.output.quiet);
    super::audit::block_on(async {
        let mut cancel = watch_signals()?;
        let audited = audit_with(&settings, observer.as_ref(), &cancel).await?;
        let exit = places.deliver(&audited.report, &audited.evidence)?;
        if audited.report.verdict.kind == VerdictKind::Cancelled {
            return Ok(exit);
        }
        let run = payload::RunContext::of(&variables());
        let body = payload::body(&audited.report, run.as_ref());
        let key = upload::fresh_key();
        let sent = tokio::select! {
            sent = upload::push(&body, &key, &to, Patience::default()) => sent,
            signal = stop_signal(&mut cancel) => {
                console::print_error("warning: the report was not sent: it was cancelled\n");
                return Ok(Exit::Cancelled(signal));
            }
        };
        Ok(told(sent, &to, exit, args.upload.fail_on_upload_error))
    })
}

/// Says what came of the upload; the exit that it leaves.
fn told(sent: Result<Receipt, PushError>, to: &Destination, exit: Exit, is_required: bool) -> Exit {
    match sent {
        Ok(receipt) => {
            let page = receipt.page.as_ref().unwrap_or(&to.url);
            console::print_error(&format!("sent: {}\n", escape::terminal(page.as_str())));
            exit
        }
        Err(error) => {
            console::print_error(&format!(
                "warning: the report was not sent: {}\n",
                error.message
            ));
            if is_required && exit.code() == 0 {
                Exit::Upload
            } else {
                exit
            }
        }
    }
}

fn destination(words: &UploadArgs) -> Result<Destination, ConfigError> {
    let variable = |name: &str| {
        let value = std::env::var(name).ok();
        value.filter(|value| !value.trim().is_empty())
    };
    let Some(token) = words.token.clone().or_else(|| variable("MCPROBE_TOKEN")) else {
        return Err(ConfigError::new(
            "no token: set MCPROBE_TOKEN, or give --token; mcprobe audit works without",
        ));
    };
    let (address, source) = match &words.to {
        Some(to) => (Some(to.clone()), "--to"),
        None => (variable("MCPROBE_API"), "MCPROBE_API"),
    };
    upload::words::destination(&token, address.as_deref(), source)
}

fn variables() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
