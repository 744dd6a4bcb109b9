//! Library functions that look for something in whole strings: `strspn`, `strcspn`, `strpbrk`, `strstr`, and `memchr` in a block.
//!
//! *Sound*, for the reason that [`super::strings`] gives: a call is not entered only where both strings are shown to end inside live objects, or the block lies in one. Then no
//! obligation of the model's body can fail, it writes nothing, and it ends. What is said of the result holds of every one that C17 7.24.5 allows: a span ends at the end of its string at the latest, at the first byte
//! 0, and so before any byte 0 that is known; no byte of the span is 0; what is found lies inside, with all of its bytes, none of which is 0.

use belay_linear::LinExpr;

use super::arithmetic::note;
use super::builtins::Site;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::state::{State, Value};
use super::strings::ShownString;
use super::values::set;

impl Machine<'_> {
    /// How many bytes of a string at its beginning are, or are not, in a set.
    pub(super) fn span(&mut self, state: &State, rejects: bool, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        let Some([string, _]) = self.two_strings(&mut state, site)? else { return Ok(None) };
        let length = state.fresh();
        note(&mut state, length.clone());
        note(&mut state, string.end.minus(&string.start).minus(&length));
        // What is skipped is seldom measured.
        if rejects {
            self.note_text(&mut state, string.alloc, &string.start, &length)?;
        }
        set(&mut state, site.id, Value::Int(length));
        Ok(Some(vec![state]))
    }

    /// Null, or the first byte of a string that is in a set.
    pub(super) fn first_of(&mut self, state: &State, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        let Some([string, _]) = self.two_strings(&mut state, site)? else { return Ok(None) };
        self.found(state, &string, &constant(1), site).map(Some)
    }

    /// Null, or where a string stands in another one.
    pub(super) fn found_string(&mut self, state: &State, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        let Some([string, needle]) = self.two_strings(&mut state, site)? else { return Ok(None) };
        let length = self.length_of(&mut state, &needle)?;
        self.found(state, &string, &length, site).map(Some)
    }

    /// Null, or the first byte of a block that has a value.
    pub(super) fn found_byte(&mut self, state: &State, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        let [pointer, byte, len] = [0, 1, 2].map(|index| self.argument(&mut state, site, index));
        let (Value::Pointer(alloc, start), Value::Int(byte), Value::Int(len)) = (pointer, byte, len) else {
            return Ok(None);
        };
        if !self.is_inside(&state, alloc, &start, &len)? {
            return Ok(None);
        }
        let mut nothing = state.clone();
        set(&mut nothing, site.id, Value::Null);
        let distance = state.fresh();
        note(&mut state, distance.clone());
        note(&mut state, len.minus(&distance).minus(&constant(1)));
        let place = start.plus(&distance);
        // Of other numbers the low byte is looked for.
        if let Some(byte @ 0..=127) = as_constant(&byte) {
            self.note_cell(&mut state, alloc, place.clone(), 1, Value::Int(constant(byte)));
        }
        set(&mut state, site.id, Value::Pointer(alloc, place));
        Ok(Some(vec![nothing, state]))
    }

    /// The states in which nothing is found in a string, and in which so many bytes are that are not 0.
    fn found(&mut self, mut state: State, string: &ShownString, length: &LinExpr, site: &Site<'_>) -> Step<Vec<State>> {
        let mut nothing = state.clone();
        set(&mut nothing, site.id, Value::Null);
        let distance = state.fresh();
        let place = string.start.plus(&distance);
        note(&mut state, distance.clone());
        note(&mut state, string.end.minus(&place).minus(length));
        self.note_text(&mut state, string.alloc, &string.start, &distance.plus(length))?;
        set(&mut state, site.id, Value::Pointer(string.alloc, place));
        Ok(vec![nothing, state])
    }

    fn two_strings(&mut self, state: &mut State, site: &Site<'_>) -> Step<Option<[ShownString; 2]>> {
        let (first, second) = (self.argument(state, site, 0), self.argument(state, site, 1));
        let Some(first) = self.shown_string(state, &first)? else { return Ok(None) };
        Ok(self.shown_string(state, &second)?.map(|second| [first, second]))
    }
}
