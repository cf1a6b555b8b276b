//! Where in the arguments a value stands: its name, its depth, its siblings.

use crate::rules::verbs;

/// Where in the arguments a value stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The words of the nearest property name.
    pub(super) words: Vec<String>,
    pub(super) depth: usize,
    /// Distinguishes the members of a set.
    pub(super) salt: usize,
    pub(super) shape: Shape,
    /// What the description of the list says that it is an element of.
    pub(super) list_description: Option<String>,
}

/// What a value must be, besides what its schema says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Arguments are always an object.
    Object,
    Free,
}

impl Place {
    pub(super) const ROOT: Self = Self {
        words: Vec::new(),
        depth: 0,
        salt: 0,
        shape: Shape::Object,
        list_description: None,
    };

    pub(super) fn property(&self, name: &str, shape: Shape) -> Self {
        Self {
            words: verbs::words(name),
            depth: self.depth + 1,
            salt: self.salt,
            shape,
            list_description: None,
        }
    }

    /// An element is named like its list, in the singular where that is easy.
    pub(super) fn element(&self, salt: usize) -> Self {
        let mut words = self.words.clone();
        if let Some(last) = words.last_mut()
            && last.len() > 3
            && last.ends_with('s')
            && !last.ends_with("ss")
        {
            last.pop();
        }
        Self {
            words,
            depth: self.depth + 1,
            salt,
            shape: Shape::Free,
            list_description: None,
        }
    }
}
