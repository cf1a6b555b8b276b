//! A scriptable MCP server for the integration tests.
//!
//! `scripted_server SCRIPT.json [IGNORED]` serves over stdio as the script says; what the
//! script leaves out is answered properly. `$ENV:NAME$` in a script is that
//! variable of the server's, `$BASE64:NAME$` the same in base64. `--http PORT
//! PIDFILE` serves properly over HTTP, with `SERVER_TOKEN` as the bearer token and
//! `SERVER_LOG` as the file that gets every body, where these are set; with
//! `SERVER_LOCKS_CALLS` every call is answered 401, and at the call of the number
//! `SERVER_DIES_AT` it says `dying` and exits with 7. `--linger PIDFILE` leaves the
//! session and stays. `--audit GUARD SCRIPT` connects to a scripted server through the
//! guard program, says `ready` and waits to be killed.
//!
//! The script: `starts` (file that gets a line for each start), `log` (file that
//! gets every line read), `frames` (a `Content-Length` line on input is answered by
//! one), `ignoreTerm`, `ignoreEof`, `lives` (one script for each
//! start, the last one for the rest), `start` (steps before anything is read) and
//! `on`: steps by method, or by `tools/call:NAME`; a list of lists gives the steps
//! of the first, second, … such request. The steps are in [`Server::step`].

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--linger", pid_file] => linger(Path::new(pid_file)),
        ["--http", port, pid_file] => {
            serve_http(port.parse().expect("a port"), Path::new(pid_file));
        }
        ["--audit", guard, script] => audit(guard, script),
        [script] | [script, _] => serve(Path::new(script)),
        _ => panic!("usage: scripted_server SCRIPT.json"),
    }
}

fn linger(pid_file: &Path) {
    nix::unistd::setsid().expect("a session of its own");
    write_whole(pid_file, &std::process::id().to_string());
    forever();
}

fn audit(guard: &str, script: &str) {
    use mcprobe::client::{Approach, ConnectSettings, connect};
    use mcprobe::model::secret::Redactor;
    use mcprobe::model::target::{ServerCommand, Target};
    use mcprobe::transport::Spawner;

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let me = std::env::current_exe().expect("a path");
        let connection = connect(ConnectSettings {
            target: Target::Command(ServerCommand {
                argv: vec![me.display().to_string(), script.to_owned()],
                ..ServerCommand::default()
            }),
            headers: Vec::new(),
            startup_timeout: Duration::from_secs(20),
            call_timeout: Duration::from_secs(20),
            deadline: tokio::time::Instant::now() + Duration::from_mins(1),
            redactor: Redactor::default(),
            spawner: Spawner::Guarded { exe: guard.into() },
            approach: Approach::default(),
        })
        .await
        .expect("a connection");
        put(b"ready\n");
        std::future::pending::<()>().await;
        drop(connection);
    });
}

fn serve(path: &Path) {
    let text = std::fs::read_to_string(path).expect("a script");
    let whole: Value = serde_json::from_str(&with_variables(&text)).expect("JSON");
    let mut life = 0;
    if let Some(starts) = whole["starts"].as_str() {
        life = std::fs::read_to_string(starts).map_or(0, |text| text.lines().count());
        append(starts, &std::process::id().to_string());
    }
    let script = match whole["lives"].as_array() {
        Some(lives) => lives[life.min(lives.len() - 1)].clone(),
        None => whole.clone(),
    };
    if script["ignoreTerm"] == true {
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGTERM);
        signals.thread_block().expect("a signal mask");
    }
    let mut server = Server {
        log: whole["log"].as_str().map(str::to_owned),
        script,
        counts: BTreeMap::new(),
        stdin: std::io::stdin().lock(),
    };
    server.run();
}

/// The script with the server's own variables in it.
fn with_variables(text: &str) -> String {
    use base64::Engine as _;
    let mut parts = text.split('$');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        let value = |name: &str| std::env::var(name).unwrap_or_default();
        let filled = if let Some(name) = part.strip_prefix("ENV:") {
            Some(value(name))
        } else {
            part.strip_prefix("BASE64:")
                .map(|name| base64::engine::general_purpose::STANDARD.encode(value(name)))
        };
        if let Some(filled) = filled {
            whole.push_str(&filled);
            whole.push_str(parts.next().unwrap_or_default());
        } else {
            whole.push('$');
            whole.push_str(part);
        }
    }
    whole
}

/// One thread a connection; answers POST as over stdio, refuses everything else.
fn serve_http(port: u16, pid_file: &Path) {
    let listener = std::net::TcpListener::bind(("127.0.0.1", port)).expect("the port");
    write_whole(pid_file, &std::process::id().to_string());
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || converse(stream, port));
    }
}

/// Calls over HTTP so far.
static CALLS: AtomicUsize = AtomicUsize::new(0);

#[expect(clippy::exit, reason = "a server that dies is what is played")]
fn converse(stream: std::net::TcpStream, port: u16) -> Option<()> {
    let mut reader = std::io::BufReader::new(stream.try_clone().ok()?);
    let mut writer = stream;
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).ok()? == 0 {
            return None;
        }
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
        let mut body = vec![0; header("content-length").parse().unwrap_or(0)];
        std::io::Read::read_exact(&mut reader, &mut body).ok()?;
        if let Ok(log) = std::env::var("SERVER_LOG") {
            append(&log, &String::from_utf8_lossy(&body));
        }
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let token = variable("SERVER_TOKEN");
        let message: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let method = message["method"].as_str().unwrap_or_default();
        let is_call = method == "tools/call";
        if is_call && variable("SERVER_DIES_AT") == (CALLS.fetch_add(1, SeqCst) + 1).to_string() {
            std::io::stderr().write_all(b"dying\n").ok()?;
            std::process::exit(7);
        }
        let answer = proper_answer(method, &message);
        let (status, body) = if header("host") != format!("127.0.0.1:{port}") {
            ("403 Forbidden", String::new())
        } else if !first.starts_with("POST ") {
            ("405 Method Not Allowed", String::new())
        } else if !token.is_empty() && header("authorization") != format!("Bearer {token}")
            || is_call && !variable("SERVER_LOCKS_CALLS").is_empty()
        {
            ("401 Unauthorized", String::new())
        } else {
            match answer {
                Some(answer) => ("200 OK", answer.to_string()),
                None => ("202 Accepted", String::new()),
            }
        };
        let reply = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        writer.write_all(reply.as_bytes()).ok()?;
    }
}

struct Server {
    log: Option<String>,
    script: Value,
    counts: BTreeMap<String, usize>,
    stdin: std::io::StdinLock<'static>,
}

impl Server {
    fn run(&mut self) {
        for step in list(&self.script["start"]) {
            self.step(&step, &Value::Null);
        }
        while let Some(message) = self.read() {
            self.take(&message);
        }
        if self.script["ignoreEof"] == true {
            forever();
        }
    }

    fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        if self.stdin.read_line(&mut line).expect("input") == 0 {
            return None;
        }
        if let Some(log) = &self.log {
            append(log, line.trim_end());
        }
        if self.script["frames"] == true && line.starts_with("Content-Length:") {
            put(b"Content-Length: 2\r\n\r\n{}");
        }
        // A fuzz value may fit no tree; the script does not care.
        Some(serde_json::from_str(&line).unwrap_or(Value::Null))
    }

    fn take(&mut self, message: &Value) {
        let method = message["method"].as_str().unwrap_or_default();
        let name = message["params"]["name"].as_str().unwrap_or_default();
        for key in [format!("{method}:{name}"), method.to_owned()] {
            let steps = list(&self.script["on"][&key]);
            if steps.is_empty() {
                continue;
            }
            let count = self.counts.entry(key).or_default();
            let turn = (*count).min(steps.len() - 1);
            *count += 1;
            let steps = if steps[0].is_array() {
                list(&steps[turn])
            } else {
                steps
            };
            for step in steps {
                self.step(&step, &message["id"]);
            }
            return;
        }
        if let Some(answer) = proper_answer(method, message) {
            say(&answer);
        }
    }

    /// One step of a script, `id` being that of the request in hand.
    fn step(&mut self, step: &Value, id: &Value) {
        let Some((verb, what)) = step.as_object().and_then(|step| step.iter().next()) else {
            panic!("a step is an object with one key: {step}");
        };
        match verb.as_str() {
            "result" => say(&json!({"jsonrpc": "2.0", "id": id, "result": what})),
            "error" => say(&json!({"jsonrpc": "2.0", "id": id, "error": what})),
            "say" => say(what),
            // Text as it stands, `$ID` replaced.
            "raw" => put(what
                .as_str()
                .expect("text")
                .replace("$ID", &id.to_string())
                .as_bytes()),
            "bytes" => {
                let bytes: Vec<u8> = list(what)
                    .iter()
                    .map(|byte| u8::try_from(byte.as_u64().expect("a byte")).expect("a byte"))
                    .collect();
                put(&bytes);
            }
            // Text and how often.
            "repeat" => {
                let text = what[0].as_str().expect("text");
                let times = usize::try_from(what[1].as_u64().expect("a number")).expect("small");
                put(text.repeat(times).as_bytes());
            }
            "stderr" => {
                let text = what[0].as_str().expect("text");
                let times = usize::try_from(what[1].as_u64().expect("a number")).expect("small");
                std::io::stderr()
                    .write_all(text.repeat(times).as_bytes())
                    .expect("standard error");
            }
            // Text on standard output for ever; of little weight, so that it ends with
            // its reader.
            "flood" => {
                let text = what.as_str().expect("text").repeat(1000);
                while std::io::stdout().write_all(text.as_bytes()).is_ok() {}
                std::process::exit(0);
            }
            // The same on standard error, beside whatever follows.
            "floodStderr" => {
                let text = what.as_str().expect("text").repeat(1000);
                std::thread::spawn(
                    move || {
                        while std::io::stderr().write_all(text.as_bytes()).is_ok() {}
                    },
                );
            }
            // Text byte by byte, so many milliseconds apart.
            "drip" => {
                let text = what[0]
                    .as_str()
                    .expect("text")
                    .replace("$ID", &id.to_string());
                let pause = Duration::from_millis(what[1].as_u64().expect("a number"));
                for byte in text.bytes() {
                    put(&[byte]);
                    std::thread::sleep(pause);
                }
            }
            "delayMs" => {
                std::thread::sleep(Duration::from_millis(what.as_u64().expect("a number")));
            }
            // Reads on until a message of the client has this member.
            "await" => {
                let member = what.as_str().expect("a name");
                while self
                    .read()
                    .is_some_and(|message| message.get(member).is_none())
                {}
            }
            "env" => {
                let names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
                say(&json!({"jsonrpc": "2.0", "id": id, "result": {"names": names}}));
            }
            "linger" => {
                let stray = Command::new(std::env::current_exe().expect("a path"))
                    .args(["--linger", what.as_str().expect("a path")])
                    .stdin(Stdio::null())
                    .spawn();
                // It is to outlive this process, so nobody waits for it.
                std::mem::forget(stray.expect("a process"));
            }
            // A file and a line for its end.
            "append" => append(
                what[0].as_str().expect("a path"),
                what[1].as_str().expect("a line"),
            ),
            // From now on the file changes all the time.
            "beat" => beat(what.as_str().expect("a path").to_owned()),
            "exit" => {
                let code = i32::try_from(what.as_i64().expect("a number")).expect("small");
                std::process::exit(code);
            }
            "abort" => std::process::abort(),
            "hang" => forever(),
            _ => panic!("no such step: {step}"),
        }
    }
}

fn proper_answer(method: &str, message: &Value) -> Option<Value> {
    let id = message.get("id").filter(|_| !method.is_empty())?;
    let answer = |result: Value| Some(json!({"jsonrpc": "2.0", "id": id, "result": result}));
    match method {
        "initialize" => answer(json!({
            "protocolVersion": spoken(&message["params"]["protocolVersion"]),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "scripted", "version": "1.0.0"},
        })),
        "ping" => answer(json!({})),
        "tools/list" => answer(json!({"tools": [{
            "name": "echo",
            "description": "Returns the text it was given.",
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
        }]})),
        // The probe script calls tools that are not there, and none at all.
        "tools/call" => match message["params"]["name"].as_str() {
            Some(name) if !name.starts_with("mcprobe_absent_") => {
                answer(json!({"content": [{"type": "text", "text": "ok"}]}))
            }
            _ => Some(json!({"jsonrpc": "2.0", "id": id,
                "error": {"code": -32602, "message": "Unknown tool"}})),
        },
        _ => Some(json!({"jsonrpc": "2.0", "id": id,
            "error": {"code": -32601, "message": format!("no method {method}")}})),
    }
}

/// A revision is echoed where it is one.
fn spoken(offered: &Value) -> Value {
    let known = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    let offered = offered.as_str().filter(|offered| known.contains(offered));
    offered.unwrap_or("2025-11-25").into()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn say(message: &Value) {
    put(format!("{message}\n").as_bytes());
}

fn put(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    // The reader may be gone; a script goes on regardless.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

fn append(path: &str, line: &str) {
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .expect("a file");
    writeln!(file, "{line}").expect("a line");
}

/// A reader never sees half of it.
fn write_whole(path: &Path, text: &str) {
    let draft = path.with_extension("draft");
    std::fs::write(&draft, text).expect("a file");
    std::fs::rename(&draft, path).expect("a name");
}

/// A thread of its own writes another number into the file without a pause.
fn beat(path: String) {
    std::fs::write(&path, "0").expect("a file");
    std::thread::spawn(move || {
        for number in 1_u64.. {
            // The folder goes away at the end.
            let _ = std::fs::write(&path, number.to_string());
        }
    });
}

fn forever() -> ! {
    loop {
        std::thread::park();
    }
}
