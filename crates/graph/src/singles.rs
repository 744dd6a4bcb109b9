//! Segments of at most one block: which of its words would lead on is open.
//!
//! A segment that ends with null and has at most one block says the same without its link as with it, if null becomes what all of its blocks hold there. Where
//! a block has several words that are null, such as `prev` and `next`, the first merge guesses one. Said without, the next one may choose again,
//! by what it sees of a second block.

use belay_linear::{Constraint, Rat, Rel};
use belay_symbolic::{Content, Field, ListSegment, State, Value};

/// What becomes of such guesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guesses {
    /// They are taken back: the next merge chooses again.
    Open,
    /// They stand. Where a block leads on by one word only this is right at once, and a segment without a link is one that a cursor in the list is not found in.
    Kept,
}

/// The state with such segments said without links, if it has any.
pub(super) fn without_guessed_links(state: &State) -> Option<State> {
    let guessed = |segment: &ListSegment| {
        let plain = segment.tail.is_none() && !segment.node.is_tree() && segment.target == Value::Null;
        plain && segment.node.link.is_some() && is_single(state, segment)
    };
    if !state.segments.values().any(guessed) {
        return None;
    }
    let mut slim = state.clone();
    for segment in slim.segments.values_mut().filter(|segment| guessed(segment)) {
        let Some(offset) = segment.node.link.take() else { continue };
        let content = Content::Same(Value::Null);
        segment.fields.push(Field { offset, width: segment.node.width, content });
    }
    Some(slim)
}

/// True if a constraint of the state says that the length is at most one.
fn is_single(state: &State, segment: &ListSegment) -> bool {
    let length = &segment.length;
    if length.is_constant() {
        return *length.offset() <= Rat::ONE;
    }
    let bounds = |known: &Constraint| {
        // `c - x >= 0` bounds `x + d` by `c + d`.
        let most = known.expr.offset() + length.offset();
        known.rel == Rel::Ge && known.expr.terms() == length.negated().terms() && most <= Rat::ONE
    };
    state.knowledge.constraints.iter().any(bounds)
}
