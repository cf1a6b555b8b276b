//! The rules: their table, their fixtures, their pages, and hostile lists.

mod arbitrary;
mod docs;
mod findings;
mod fixture;
mod registry;
mod requirements;
