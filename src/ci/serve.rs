//! `command` with `url`: starts the HTTP server, waits until it answers, has it
//! audited over loopback, ends it. Also the wait for a server that somebody else starts.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;
use url::{Host, Url};

use super::relay::{self, Relay};
use super::{Call, Ready, Stop, gather, programs};
use crate::fuzz::run::stop_signal;
use crate::model::evidence::{CutShort, Evidence, Failure, ProbeState};
use crate::model::fuzz::{ExitStatus, Outcome};
use crate::transport::http::shown;
use crate::transport::stdio::Service;
use crate::wording::cut;

/// Between two looks at the address.
const PAUSE: Duration = Duration::from_millis(100);

/// How long one look may take.
const LOOK: Duration = Duration::from_secs(2);

/// How long a server has to end after SIGTERM.
const TERM: Duration = Duration::from_secs(2);

/// The same when somebody waits for us to be gone.
const HURRIED_TERM: Duration = Duration::from_secs(1);

/// Starts the server and waits for an answer at the address, whatever it says.
pub(super) async fn start(
    call: &Call<'_>,
    ready: &Ready,
    argv: Vec<String>,
    url: &Url,
) -> Result<Service, Stop> {
    let started = Service::start(&ready.command(argv), &call.spawner).await;
    // Nobody reads along; the tail is kept.
    let (mut service, _) = started.map_err(|error| {
        Stop::failed(
            ProbeState::SpawnError,
            programs::explained(&error.to_string()),
        )
    })?;
    let limit = ready.settings.limits.startup;
    let by = Instant::now() + limit;
    let mut cancel = call.cancel.clone();
    loop {
        let look = async {
            if !answers(url).await {
                tokio::time::sleep(PAUSE).await;
                return false;
            }
            true
        };
        tokio::select! {
            biased;
            signal = stop_signal(&mut cancel) => {
                service.end(HURRIED_TERM).await;
                return Err(Stop::Cancelled(signal));
            }
            _ = service.ended() => return Err(ended_early(service, url).await),
            () = tokio::time::sleep_until(by) => return Err(silent(service, url, limit).await),
            answered = look => if answered {
                return Ok(service);
            },
        }
    }
}

/// The way to a server that somebody else starts. Where a startup limit was set, it may
/// take that long to answer.
pub(super) async fn reach(
    call: &Call<'_>,
    ready: &Ready,
    url: &Url,
) -> Result<Option<Relay>, Stop> {
    let by = Instant::now() + ready.settings.limits.startup;
    let mut cancel = call.cancel.clone();
    loop {
        let opened = relay::open(url, call.streams).await;
        let is_there = match &opened {
            Ok(Some(_)) => true,
            Ok(None) => answers(url).await,
            Err(_) => false,
        };
        if is_there || !ready.choices.waits || Instant::now() >= by {
            return opened;
        }
        tokio::select! {
            biased;
            signal = stop_signal(&mut cancel) => return Err(Stop::Cancelled(signal)),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Audits it, and ends it. If it had ended before, that is part of what was seen.
pub(super) async fn audit(call: &Call<'_>, ready: &Ready, mut service: Service) -> Evidence {
    let mut evidence = gather(call, ready).await;
    let exit = if service.is_running() {
        None
    } else {
        service.aftermath().await.exit
    };
    let tail = service.tail().map(|tail| ready.clean(&tail));
    if let Some(exit) = exit {
        ended_during(&mut evidence, exit, tail.as_deref());
    }
    if let Some(failure) = &mut evidence.failure {
        failure.exit = failure.exit.or(exit);
        failure.stderr_tail = failure.stderr_tail.take().or(tail);
    }
    let hurried = matches!(evidence.cut_short, Some(CutShort::Cancelled(_)));
    service.end(if hurried { HURRIED_TERM } else { TERM }).await;
    evidence
}

/// Over HTTP a call only sees its connection end. How the process ended, and what it
/// said at last, is known here.
fn ended_during(evidence: &mut Evidence, exit: ExitStatus, tail: Option<&str>) {
    let said = tail.map(str::trim).filter(|tail| !tail.is_empty());
    let last = said.and_then(|tail| tail.lines().last());
    let last = last.map_or_else(String::new, |line| {
        format!("; its last line: {}", cut(line, 200))
    });
    evidence.wire.notes.push(format!(
        "the server that was started for this audit ended during it ({exit}){last}"
    ));
    let rows = evidence.fuzz.iter_mut().flat_map(|run| &mut run.rows);
    let unexplained = rows.filter(|row| {
        let exchange = &row.exchange;
        row.outcome == Outcome::ProtocolCrash && exchange.reply.is_none() && exchange.exit.is_none()
    });
    for row in unexplained {
        row.exchange.exit = Some(exit);
        row.exchange.stderr_tail = said.map(str::to_owned);
    }
}

async fn ended_early(mut service: Service, url: &Url) -> Stop {
    let aftermath = service.aftermath().await;
    let how = aftermath
        .exit
        .map_or_else(String::new, |exit| format!(" ({exit})"));
    Stop::Failed(
        ProbeState::Crash,
        Failure {
            message: format!(
                "the server that `command` starts ended{how} before {} answered",
                shown(url)
            ),
            exit: aftermath.exit,
            stderr_tail: aftermath.stderr_tail,
            exchange: None,
        },
    )
}

async fn silent(service: Service, url: &Url, limit: Duration) -> Stop {
    let stderr_tail = service.tail();
    service.end(TERM).await;
    Stop::Failed(
        ProbeState::Timeout,
        Failure {
            message: format!(
                "the server that `command` starts did not answer at {} within {}; check its port, or raise `startup-timeout`",
                shown(url),
                humantime::format_duration(limit)
            ),
            exit: None,
            stderr_tail,
            exchange: None,
        },
    )
}

/// Whether anything answers in HTTP. HEAD does the least, and any status will do.
async fn answers(url: &Url) -> bool {
    let look = async {
        let mut stream = dial(url).await?;
        if url.scheme() == "https" {
            return Some(());
        }
        let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
        let head = format!(
            "HEAD {} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: mcprobe/{}\r\nAccept: */*\r\nConnection: close\r\n\r\n",
            url.path(),
            env!("CARGO_PKG_VERSION")
        );
        stream.write_all(head.as_bytes()).await.ok()?;
        let mut first = [0; 5];
        stream.read_exact(&mut first).await.ok()?;
        (&first == b"HTTP/").then_some(())
    };
    matches!(tokio::time::timeout(LOOK, look).await, Ok(Some(())))
}

/// A connection to the host and port of an address.
async fn dial(url: &Url) -> Option<TcpStream> {
    let port = url.port_or_known_default()?;
    match url.host()? {
        Host::Domain(name) => TcpStream::connect((name, port)).await,
        Host::Ipv4(ip) => TcpStream::connect(SocketAddr::from((ip, port))).await,
        Host::Ipv6(ip) => TcpStream::connect(SocketAddr::from((ip, port))).await,
    }
    .ok()
}
