//! Looks at the watched folders beside the run.
//!
//! A look reads what a server may put there, and the kernel may let a read wait
//! for ever (a drive in a network that went away). So each look has a thread and
//! a limit of its own, and signals are heard meanwhile. After a look that did not
//! come back nothing is watched any more.

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::watch::Watch;
use super::{Cancel, stop_signal};
use crate::model::answer::FileChange;

/// How long one look may take.
const LIMIT: Duration = Duration::from_secs(10);

/// What is watched, and how the last look went.
pub(super) struct Lookout {
    folders: Vec<PathBuf>,
    state: State,
}

enum State {
    /// Nobody has looked yet.
    New,
    /// The last look is over.
    Seen(Box<Watch>),
    /// A look did not come back in time.
    Lost,
    /// The run ended during a look.
    Over,
}

impl Lookout {
    /// `None` where nothing is watched.
    pub(super) fn of(folders: &[PathBuf]) -> Option<Self> {
        (!folders.is_empty()).then(|| Self {
            folders: folders.to_vec(),
            state: State::New,
        })
    }

    /// What changed since the last look, at the first one nothing. Comes back at
    /// `end` and when somebody asks to stop.
    pub(super) async fn changes(&mut self, end: Instant, cancel: &mut Cancel) -> Vec<FileChange> {
        let last = match std::mem::replace(&mut self.state, State::Over) {
            State::New => None,
            State::Seen(watch) => Some(watch),
            stuck @ (State::Lost | State::Over) => {
                self.state = stuck;
                return Vec::new();
            }
        };
        let folders = self.folders.clone();
        let look = move || match last {
            Some(mut watch) => {
                let changes = watch.changes();
                (Some(watch), changes)
            }
            None => (Watch::of(&folders).map(Box::new), Vec::new()),
        };
        match aside(look, Instant::now() + LIMIT, end, cancel).await {
            Aside::Done((Some(watch), changes)) => {
                self.state = State::Seen(watch);
                changes
            }
            Aside::Done((None, _)) | Aside::Stopped => Vec::new(),
            Aside::Late => {
                self.state = State::Lost;
                Vec::new()
            }
        }
    }

    /// What could not be watched, a sentence each.
    pub(super) fn unwatched(&self) -> Vec<String> {
        match &self.state {
            State::Seen(watch) => watch.unwatched(),
            State::Lost => vec![format!(
                "A look at them did not end within {}; from then on nothing was seen",
                humantime::format_duration(LIMIT)
            )],
            State::New | State::Over => Vec::new(),
        }
    }
}

/// How work on a thread of its own came out.
enum Aside<T> {
    Done(T),
    /// Its limit was over.
    Late,
    /// The run ended first.
    Stopped,
}

/// Does work that may block. What does not come back keeps its thread, which ends
/// with the program.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    late: Instant,
    end: Instant,
    cancel: &mut Cancel,
) -> Aside<T> {
    let (say, done) = oneshot::channel();
    // Nobody may be waiting any more.
    std::thread::spawn(move || say.send(work()).is_ok());
    tokio::select! {
        biased;
        done = done => done.map_or(Aside::Late, Aside::Done),
        _ = stop_signal(cancel) => Aside::Stopped,
        () = tokio::time::sleep_until(late.min(end)) => {
            if late < end { Aside::Late } else { Aside::Stopped }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_that_never_ends_costs_its_limit_and_hears_signals() {
        // Dropped at the end, which frees the threads.
        let mut holders = Vec::new();
        let mut stuck = || {
            let (holder, held) = mpsc::channel::<()>();
            holders.push(holder);
            move || held.recv().is_ok()
        };
        let (_asked, mut cancel) = tokio::sync::watch::channel(None);
        let now = Instant::now();
        let far = now + 60 * LIMIT;
        let came = aside(stuck(), now, far, &mut cancel).await;
        assert!(matches!(came, Aside::Late));
        let came = aside(stuck(), far, now, &mut cancel).await;
        assert!(matches!(came, Aside::Stopped));
        let (asked, mut cancel) = tokio::sync::watch::channel(None);
        asked.send(Some(15)).expect("somebody listens");
        let came = aside(stuck(), far, far, &mut cancel).await;
        assert!(matches!(came, Aside::Stopped));
    }

    #[tokio::test]
    async fn the_first_look_tells_nothing_and_the_next_what_is_new() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_asked, mut cancel) = tokio::sync::watch::channel(None);
        let end = Instant::now() + Duration::from_mins(1);
        std::fs::write(folder.path().join("old"), "").expect("a file");
        let mut lookout = Lookout::of(&[folder.path().to_owned()]).expect("something to watch");
        assert_eq!(lookout.changes(end, &mut cancel).await, []);
        std::fs::write(folder.path().join("new"), "").expect("a file");
        let changes = lookout.changes(end, &mut cancel).await;
        assert_eq!(changes.len(), 1);
        assert!(changes[0].path.ends_with("/new"), "{changes:?}");
        assert!(Lookout::of(&[]).is_none());
    }
}
