//! The calls of a run, held once however many hold them.
//!
//! Evidence and report show the same rows, and a run may have made twenty
//! thousand calls: a clone shares them, and a change makes a copy where somebody
//! else still looks at them.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fuzz::FuzzRow;

/// Rows in plan order. Reads like a `Vec`; in JSON it is an array.
#[derive(Debug, Clone, Default)]
pub struct Rows(Arc<Vec<FuzzRow>>);

impl Deref for Rows {
    type Target = Vec<FuzzRow>;

    fn deref(&self) -> &Vec<FuzzRow> {
        &self.0
    }
}

impl DerefMut for Rows {
    fn deref_mut(&mut self) -> &mut Vec<FuzzRow> {
        Arc::make_mut(&mut self.0)
    }
}

impl From<Vec<FuzzRow>> for Rows {
    fn from(rows: Vec<FuzzRow>) -> Self {
        Self(Arc::new(rows))
    }
}

impl FromIterator<FuzzRow> for Rows {
    fn from_iter<I: IntoIterator<Item = FuzzRow>>(rows: I) -> Self {
        Vec::from_iter(rows).into()
    }
}

impl<'a> IntoIterator for &'a Rows {
    type Item = &'a FuzzRow;
    type IntoIter = std::slice::Iter<'a, FuzzRow>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Rows {
    type Item = &'a mut FuzzRow;
    type IntoIter = std::slice::IterMut<'a, FuzzRow>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fuzz::Outcome;

    #[test]
    fn a_clone_shares_the_rows_until_one_of_the_two_changes() {
        let text = r#"[{"tool":"t","toolIndex":0,"case":{"label":"valid","class":"generated","arguments":{}},
            "outcome":"ok","exchange":{},"latencyUs":1}]"#;
        let rows: Rows = serde_json::from_str(text).expect("rows");
        let mut changed = rows.clone();
        assert!(std::ptr::eq(rows.as_ptr(), changed.as_ptr()));
        changed[0].outcome = Outcome::Timeout;
        assert_eq!(rows[0].outcome, Outcome::Ok);
        assert_eq!(changed[0].outcome, Outcome::Timeout);
    }
}
