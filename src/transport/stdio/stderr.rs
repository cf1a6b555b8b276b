//! Standard error of a server: read all the time, kept to a bounded tail.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How much is kept, in bytes.
const TAIL_BYTES: usize = 64 * 1024;

/// The last of standard error, growing as the server writes.
#[derive(Debug)]
pub(super) struct Stderr {
    tail: Arc<Mutex<Tail>>,
    reader: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Tail {
    bytes: VecDeque<u8>,
    cut: bool,
}

impl Stderr {
    /// Begins to read.
    pub(super) fn read(pipe: pipe::Receiver) -> Self {
        Self::begin(pipe, None)
    }

    /// Begins to read, and passes every piece on for as long as somebody listens.
    pub(super) fn read_aloud(pipe: pipe::Receiver, heard: mpsc::Sender<Vec<u8>>) -> Self {
        Self::begin(pipe, Some(heard))
    }

    fn begin(mut pipe: pipe::Receiver, mut heard: Option<mpsc::Sender<Vec<u8>>>) -> Self {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let kept = Arc::clone(&tail);
        let reader = tokio::spawn(async move {
            let mut buffer = vec![0; 8 * 1024];
            while let Ok(read) = pipe.read(&mut buffer).await {
                if read == 0 {
                    return;
                }
                lock(&kept).push(&buffer[..read]);
                if let Some(listener) = &heard
                    && listener.send(buffer[..read].to_vec()).await.is_err()
                {
                    heard = None;
                }
            }
        });
        Self { tail, reader }
    }

    /// Waits for its end, but no longer than this: a grandchild may hold it open.
    pub(super) async fn settle(&mut self, limit: Duration) {
        if !self.reader.is_finished() {
            let _ = tokio::time::timeout(limit, &mut self.reader).await;
        }
    }

    /// What is there now; `None` when nothing was written.
    pub(super) fn tail(&self) -> Option<String> {
        lock(&self.tail).text()
    }
}

impl Drop for Stderr {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(TAIL_BYTES)..];
        let excess = (self.bytes.len() + bytes.len()).saturating_sub(TAIL_BYTES);
        self.cut |= excess > 0;
        self.bytes.drain(..excess);
        self.bytes.extend(bytes);
    }

    /// A cut tail begins with a whole line where it can: half a credential would
    /// not be known for one.
    fn text(&self) -> Option<String> {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        let whole = if self.cut {
            let line_end = bytes.iter().take(4096).position(|byte| *byte == b'\n');
            &bytes[line_end.map_or(4096.min(bytes.len()), |at| at + 1)..]
        } else {
            &bytes[..]
        };
        let text = String::from_utf8_lossy(whole).trim_end().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

fn lock(tail: &Mutex<Tail>) -> std::sync::MutexGuard<'_, Tail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_bounded_and_begins_with_a_whole_line() {
        let mut tail = Tail::default();
        assert_eq!(tail.text(), None);
        for number in 0..20_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        let text = tail.text().expect("text");
        assert!(text.len() <= TAIL_BYTES && text.len() > TAIL_BYTES - 100);
        assert!(text.starts_with("line ") && text.ends_with("line 19999"));
        tail.push(&vec![b'x'; 3 * TAIL_BYTES]);
        assert_eq!(tail.text().expect("text").len(), TAIL_BYTES - 4096);
    }
}
