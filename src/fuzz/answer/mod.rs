//! What a success says: how much, in which shape, and whether it tells of a
//! failure instead.
//!
//! Everything here is measured while the result is whole; evidence keeps only
//! its beginning.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod blocks;
mod digest;
mod failure;

use serde_json::Value;

use crate::model::answer::{Answer, ContentFault};
use crate::model::fuzz::CaseClass;
use crate::protocol::json;
use crate::protocol::revision::Revision;

pub use digest::{digest, shape, shape_of_text};

/// Measures the `result` of a success. Total. `revision` is the negotiated one;
/// where it is unknown every published kind of content is taken.
/// Words of refusing count where the arguments are not plainly good.
pub fn read(raw: &str, revision: &Revision, asked: CaseClass) -> Answer {
    let result = json::read(raw).value;
    let said = Value::Array(vec![
        result.get("content").cloned().unwrap_or_default(),
        result.get("structuredContent").cloned().unwrap_or_default(),
    ]);
    // What nests too deep to be read is at least told apart by its bytes.
    let said = if result.is_null() {
        Value::from(raw)
    } else {
        said
    };
    let texts = blocks::texts(&result);
    let text_chars = match texts.iter().map(|text| text.chars().count()).sum() {
        0 => result
            .get("structuredContent")
            .filter(|structured| !structured.is_null())
            .map_or(0, |structured| structured.to_string().chars().count()),
        chars => chars,
    };
    Answer {
        bytes: raw.len(),
        text_chars,
        fault: blocks::fault(&result, revision),
        failure: failure::told(&result, &texts),
        refusal: (!asked.is_valid())
            .then(|| failure::refused(&result, &texts))
            .flatten(),
        digest: digest(&said),
        shape: shape(&said),
    }
}

/// The first part of a result, a refusal's too, that the protocol's schema does not
/// allow. Total.
pub fn fault(raw: &str, revision: &Revision) -> Option<ContentFault> {
    blocks::fault(&json::read(raw).value, revision)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn of(result: &Value) -> Answer {
        read(
            &result.to_string(),
            &Revision::V2025_11_25,
            CaseClass::Generated,
        )
    }

    #[test]
    fn size_is_that_of_the_text_and_of_the_structure_where_there_is_none() {
        let both = json!({"content": [{"type": "text", "text": "größe"}, {"type": "text", "text": "ab"}], "structuredContent": {"a": 1}});
        assert_eq!(of(&both).text_chars, 7);
        assert_eq!(of(&both).bytes, both.to_string().len());
        assert_eq!(
            of(&json!({"content": [], "structuredContent": {"a": 1}})).text_chars,
            7
        );
        assert_eq!(of(&json!({})).text_chars, 0);
    }

    #[test]
    fn equal_answers_have_equal_digests_whatever_stands_beside_them() {
        let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
        let mut with_meta = text("a");
        with_meta["_meta"] = json!({"took": 5});
        assert_eq!(of(&text("a")).digest, of(&with_meta).digest);
        assert_ne!(of(&text("a")).digest, of(&text("b")).digest);
        let swapped = json!({"content": [{"text": "a", "type": "text"}]});
        assert_eq!(of(&text("a")).digest, of(&swapped).digest);
    }

    proptest! {
        #[test]
        fn any_text_is_measured(raw in ".{0,80}", revision in ".{0,10}") {
            let answer = read(&raw, &Revision::read(&revision), CaseClass::Malformed);
            prop_assert_eq!(answer.bytes, raw.len());
        }
    }
}
