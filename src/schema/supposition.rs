//! Judging with parts that cannot be judged.
//!
//! A pattern that our engine gives up on, or a reference out of the document,
//! is neither right nor wrong. A value is judged twice then, once supposing that
//! all such parts fit and once that none does: where both answers agree, the
//! parts do not matter.

use std::cell::Cell;

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};

use super::pattern::{Match, Pattern};

/// Judges with one supposition; also says whether it was needed.
pub(super) fn supposing<T>(fits: bool, judge: impl FnOnce() -> T) -> (T, bool) {
    SUPPOSITION.set(Supposition { fits, met: 0 });
    let answer = judge();
    (answer, SUPPOSITION.get().met > 0)
}

/// The factory of [`super::localise::PATTERN`].
#[expect(clippy::unnecessary_wraps, reason = "the shape of a keyword factory")]
pub(super) fn pattern_keyword<'a>(
    _parent: &'a Map<String, Value>,
    value: &'a Value,
    _path: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    let pattern = value.as_str().unwrap_or_default();
    Ok(Box::new(PatternKeyword {
        pattern: Pattern::new(pattern),
        text: pattern.to_owned(),
    }))
}

/// The factory of [`super::localise::UNKNOWN`].
#[expect(clippy::unnecessary_wraps, reason = "the shape of a keyword factory")]
pub(super) fn unknown_keyword<'a>(
    _parent: &'a Map<String, Value>,
    _value: &'a Value,
    _path: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    Ok(Box::new(UnknownKeyword))
}

/// Texts on which the pattern engine may give up in one judgement; after that
/// it is not asked again, since each time is dear.
const MAX_GIVEN_UP: u32 = 16;

thread_local! {
    static SUPPOSITION: Cell<Supposition> = const {
        Cell::new(Supposition { fits: true, met: 0 })
    };
}

/// What is supposed of a part that cannot be judged, and how often one was met.
/// Keywords are called deep inside the engine, hence the cell.
#[derive(Clone, Copy)]
struct Supposition {
    fits: bool,
    met: u32,
}

fn suppose() -> bool {
    let Supposition { fits, met } = SUPPOSITION.get();
    let met = met.saturating_add(1);
    SUPPOSITION.set(Supposition { fits, met });
    fits
}

struct PatternKeyword {
    pattern: Pattern,
    text: String,
}

impl<'i> Keyword<'i> for PatternKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) {
            return Ok(());
        }
        let message = format!("{instance} does not match {:?}", self.text);
        Err(ValidationError::custom(message))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        if !instance.is_string() {
            return true;
        }
        if SUPPOSITION.get().met > MAX_GIVEN_UP {
            return suppose();
        }
        match self.pattern.matches(instance) {
            Match::Yes => true,
            Match::No => false,
            Match::Unknown => suppose(),
        }
    }
}

struct UnknownKeyword;

impl<'i> Keyword<'i> for UnknownKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) {
            return Ok(());
        }
        Err(ValidationError::custom("this part cannot be judged"))
    }

    fn is_valid(&self, _instance: &'i Value) -> bool {
        suppose()
    }
}
