//! Which changes of files are a call's own.
//!
//! Something else may write into a watched folder: a heartbeat, an editor, a build.
//! So there are looks between which no call is made: before the first call, and after
//! the first changes that a tool is suspected of. What changes then is blamed on no
//! call, now and later. What else a call changed is seen again when the same call is
//! made once more; what came or went for good need not.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::Instant;

use super::row::params;
use super::session::Session;
use super::stop_signal;
use crate::client::Reply;
use crate::fuzz::plan::PlannedTool;
use crate::model::answer::{ChangeKind, FileChange};
use crate::model::evidence::CutShort;
use crate::model::fuzz::{Case, Outcome};

/// How long nothing is called between two looks.
const QUIET: Duration = Duration::from_millis(200);

/// Changes of one tool that are looked into.
const SUSPICIONS: usize = 3;

/// What is known of the changes in the watched folders.
#[derive(Debug, Default)]
pub(super) struct Suspicion {
    /// Files and folders that change while nothing is called.
    restless: BTreeSet<String>,
    /// The tool in hand.
    tool: OfTool,
}

/// What is known of the changes of one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OfTool {
    /// So often it was suspected in vain.
    Suspected(usize),
    /// A change was its own.
    Writes,
}

impl Default for OfTool {
    fn default() -> Self {
        Self::Suspected(0)
    }
}

impl Suspicion {
    /// Takes note of what changed while nothing was called.
    fn changed_by_itself(&mut self, changes: Vec<FileChange>) {
        let paths = changes.into_iter().map(|change| change.path);
        self.restless.extend(paths);
    }

    /// The changes that may be a call's.
    fn of_call(&self, mut changes: Vec<FileChange>) -> Vec<FileChange> {
        changes.retain(|change| !self.restless.contains(&change.path));
        changes
    }
}

/// The changes that are the call's own, by what changed when it was made once more.
fn confirmed(mut changes: Vec<FileChange>, again: &[FileChange]) -> Vec<FileChange> {
    changes.retain(|change| {
        change.kind != ChangeKind::Changed || again.iter().any(|later| later.path == change.path)
    });
    changes
}

impl Session<'_> {
    /// Looks at what changes before anything is called.
    pub(super) async fn look_before_calls(&mut self) -> Result<(), CutShort> {
        if self.lookout.is_none() {
            return Ok(());
        }
        self.changes().await;
        self.look_without_calls().await
    }

    /// Begins with another tool.
    pub(super) fn suspect_anew(&mut self) {
        self.suspicion.tool = OfTool::default();
    }

    /// What changed in the watched folders since the last look, as far as it does not
    /// change by itself.
    pub(super) async fn changes_of_call(&mut self) -> Vec<FileChange> {
        let changes = self.changes().await;
        self.suspicion.of_call(changes)
    }

    /// Keeps in the last row what its call has changed itself. The call of a tool that
    /// says to read only may be made once more for it; how that was taken, where the
    /// server did not answer.
    pub(super) async fn confirm_writes(
        &mut self,
        tool: &PlannedTool,
        case: &Case,
    ) -> Result<Option<Outcome>, CutShort> {
        let is_suspect = self.work.settings.listed.is_read_only(tool.tool_index);
        let OfTool::Suspected(in_vain) = self.suspicion.tool else {
            return Ok(None);
        };
        let Some(row) = self.seen.rows.last_mut() else {
            return Ok(None);
        };
        if row.writes.is_empty() || !is_suspect {
            return Ok(None);
        }
        let writes = std::mem::take(&mut row.writes);
        if in_vain == SUSPICIONS {
            return Ok(None);
        }
        self.suspicion.tool = OfTool::Suspected(in_vain + 1);
        self.look_without_calls().await?;
        let writes = self.suspicion.of_call(writes);
        if writes.is_empty() || !self.connection.is_open() {
            return Ok(None);
        }
        let exchanged = self.send(&params(&tool.name, &case.arguments)).await?;
        let again = self.changes_of_call().await;
        let unanswered = match exchanged.reply {
            Reply::Timeout => Some(Outcome::Timeout),
            Reply::Closed => {
                // The next case finds the server gone and looks for who did it.
                self.end_seen = Some(exchanged.exchange);
                None
            }
            Reply::Result(_) | Reply::Error { .. } | Reply::HttpRefused { .. } | Reply::Broken => {
                self.remember(tool, case);
                None
            }
        };
        let own = confirmed(writes, &again);
        if !own.is_empty() {
            self.suspicion.tool = OfTool::Writes;
        }
        if let Some(row) = self.seen.rows.last_mut() {
            row.writes = own;
        }
        Ok(unanswered)
    }

    /// Two looks with no call between them. What the last call still does after its
    /// answer is over by the second one, where the first one saw something.
    async fn look_without_calls(&mut self) -> Result<(), CutShort> {
        if self.changes_in_quiet().await?.is_empty() {
            return Ok(());
        }
        let changes = self.changes_in_quiet().await?;
        self.suspicion.changed_by_itself(changes);
        Ok(())
    }

    async fn changes_in_quiet(&mut self) -> Result<Vec<FileChange>, CutShort> {
        let until = (Instant::now() + QUIET).min(self.work.end.at);
        tokio::select! {
            biased;
            signal = stop_signal(&mut self.cancel) => return Err(CutShort::Cancelled(signal)),
            () = tokio::time::sleep_until(until) => {}
        }
        Ok(self.changes().await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str, kind: ChangeKind) -> FileChange {
        FileChange {
            path: path.to_owned(),
            kind,
        }
    }

    #[test]
    fn what_changes_by_itself_is_no_calls_and_what_does_not_change_again_neither() {
        let mut suspicion = Suspicion::default();
        suspicion.changed_by_itself(vec![change("beat", ChangeKind::Created)]);
        let of_call = suspicion.of_call(vec![
            change("beat", ChangeKind::Changed),
            change("cache", ChangeKind::Created),
            change("edited", ChangeKind::Changed),
            change("index", ChangeKind::Changed),
            change("old", ChangeKind::Removed),
        ]);
        let own = confirmed(of_call, &[change("index", ChangeKind::Changed)]);
        let paths: Vec<&str> = own.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(paths, ["cache", "index", "old"]);
    }
}
