//! Messages that break the rules of their envelope.

use super::compose::{self, Meta, simple_method};
use super::script::{Risk, Script};
use crate::model::contact::Era;
use crate::protocol::revision::Revision;

impl Script<'_> {
    pub(super) async fn envelopes(&mut self) {
        let proper = self.simple();
        let old = proper.replacen(r#""jsonrpc":"2.0""#, r#""jsonrpc":"1.0""#, 1);
        self.send("jsonrpc-version", old, Risk::Silence).await;
        for (name, id) in [("id-null", "null"), ("id-object", "{}")] {
            let method = simple_method(self.era);
            let text = compose::request(self.era, id, method, &[], Meta::Whole);
            self.send(name, text, Risk::Silence).await;
        }
        let id = self.next_id();
        let method = simple_method(self.era);
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":[]}}"#);
        self.send("params-array", text, Risk::Silence).await;
        if self.era == Era::Legacy && self.revision == Revision::V2025_03_26 {
            let text = format!("[{}]", self.simple());
            self.send("batch", text, Risk::Silence).await;
        } else {
            self.leave_out("batch", "the revision has no batches");
        }
        let text = r#"{"jsonrpc":"2.0","method":"mcprobe/broken","params":{"text":"mcprobe"#;
        self.send("parse-error", text.to_owned(), Risk::Silence)
            .await;
    }
}
