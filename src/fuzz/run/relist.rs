//! The list of tools, read again while calls are made and after them.

use super::session::Session;
use super::stop_signal;
use crate::fuzz::listed;
use crate::model::answer::Relisting;
use crate::model::evidence::CutShort;

/// Lists that one session reads again while it makes its calls.
const MAX_RELISTINGS: usize = 5;

const LIST_CHANGED: &str = "notifications/tools/list_changed";

impl Session<'_> {
    /// Reads the list again where the server has said since that it changed.
    pub(super) async fn look_at_list(&mut self, tool: &str) -> Result<(), CutShort> {
        let announced = self.connection.notifications(LIST_CHANGED);
        if announced == self.announced || self.seen.relistings.len() >= MAX_RELISTINGS {
            return Ok(());
        }
        self.announced = announced;
        let relisting = self.relist(Some(tool)).await?;
        self.seen.relistings.extend(relisting);
        Ok(())
    }

    /// The list read again; `None` where it is the one from before the calls.
    pub(super) async fn relist(
        &mut self,
        after_tool: Option<&str>,
    ) -> Result<Option<Relisting>, CutShort> {
        let Some(first) = self.work.settings.listed.tools() else {
            return Ok(None);
        };
        if !self.connection.is_open() {
            return Ok(None);
        }
        let list = tokio::select! {
            biased;
            signal = stop_signal(&mut self.cancel) => return Err(CutShort::Cancelled(signal)),
            list = self.connection.list_tools() => list,
        };
        let announced = self.connection.notifications(LIST_CHANGED) > 0;
        Ok(listed::listing(&list)
            .filter(|tools| tools != first)
            .map(|tools| Relisting {
                after_tool: after_tool.map(str::to_owned),
                announced,
                tools,
            }))
    }
}
