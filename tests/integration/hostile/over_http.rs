//! Hostile servers at an address.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use super::{Limits, audit};

/// A peer: its name, what it does with a connection on which a request was read, and
/// the probe state that it ends in.
type Peer = (&'static str, fn(&mut TcpStream), &'static str);

/// A server of this kind; gone with the test.
fn start(peer: fn(&mut TcpStream)) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut stream = stream;
                if read_request(&stream).is_some() {
                    peer(&mut stream);
                }
            });
        }
    });
    format!("http://{address}/mcp")
}

fn read_request(stream: &TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    reader.read_exact(&mut vec![0; length]).ok()
}

fn say(stream: &mut TcpStream, text: &str) -> bool {
    stream.write_all(text.as_bytes()).is_ok()
}

/// Waits until the other side is gone.
fn hang(stream: &mut TcpStream) {
    let _ = stream.read_to_end(&mut Vec::new());
}

fn flood(stream: &mut TcpStream, head: &str, text: &str) {
    let text = text.repeat(1000);
    say(stream, head);
    while say(stream, &text) {}
}

const JSON: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";

#[test]
fn addresses_that_mean_harm() {
    let peers: [Peer; 11] = [
        ("never answers", hang, "timeout"),
        ("closes at once", |_| {}, "unreachable"),
        (
            "half a head",
            |stream| {
                say(stream, "HTTP/1.1 200 O");
                hang(stream);
            },
            "timeout",
        ),
        (
            "half a body",
            |stream| {
                say(stream, JSON);
                say(stream, "content-length: 5000\r\n\r\n{\"jsonrpc\":");
                hang(stream);
            },
            "timeout",
        ),
        (
            "a body of 100 MB",
            |stream| {
                say(stream, JSON);
                say(stream, "content-length: 100000000\r\n\r\n");
                let piece = "x".repeat(1_000_000);
                for _ in 0..100 {
                    if !say(stream, &piece) {
                        return;
                    }
                }
            },
            "not-json",
        ),
        (
            "a body without an end",
            |stream| flood(stream, &format!("{JSON}\r\n"), "x"),
            "not-json",
        ),
        (
            "a head without an end",
            |stream| flood(stream, "HTTP/1.1 200 OK\r\n", "x-header: wolf\r\n"),
            "unreachable",
        ),
        (
            "a stream of comments",
            |stream| flood(stream, &format!("{EVENTS}\r\n"), ": wolf\n"),
            "timeout",
        ),
        (
            "a stream of news",
            |stream| {
                flood(
                    stream,
                    &format!("{EVENTS}\r\n"),
                    "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n",
                );
            },
            "timeout",
        ),
        (
            "an event of 100 MB",
            |stream| {
                say(stream, &format!("{EVENTS}\r\ndata: "));
                let piece = "x".repeat(1_000_000);
                for _ in 0..100 {
                    if !say(stream, &piece) {
                        return;
                    }
                }
                say(stream, "\n\n");
            },
            "not-json",
        ),
        (
            "a slow drip",
            |stream| {
                say(stream, &format!("{JSON}\r\n"));
                while say(stream, " ") {
                    std::thread::sleep(Duration::from_millis(100));
                }
            },
            "timeout",
        ),
    ];
    for (name, peer, state) in peers {
        let url = start(peer);
        audit(&[&url], Limits::Small).assert(name, state);
    }
}
