//! Formatted output. A format is a constant; what it takes and prints is said in [`super::printed`].
//!
//! *Sound*: what is not followed is doubted, and forgets all memory, since `%n` writes. Text that is printed into memory overwrites at most as many
//! bytes as were shown to be there, of which one becomes 0: the rest keeps what it had, and all of them are forgotten. `sprintf` and `snprintf` return how long the text is
//! without that byte, if no longer text than an `int` counts can have been printed. What `snprintf` has no room for is not written.

use belay_linear::LinExpr;
use belay_rules::format::{Length, Part, parse};

use super::arithmetic::note;
use super::builtins::Site;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::printed::{Format, Printed};
use super::state::{AllocId, Life, State, Value};
use super::values::set;
use super::variadic::{Arguments, List};

/// Where text is printed to.
struct Buffer {
    alloc: AllocId,
    offset: LinExpr,
}

impl Machine<'_> {
    /// Output to a stream; where the format stands among the arguments, and whether a list follows it.
    pub(super) fn print(
        &mut self,
        mut state: State,
        (at, is_list): (usize, bool),
        site: &Site<'_>,
    ) -> Step<Vec<State>> {
        let Some(text) = self.format(&mut state, at, site) else { return self.print_unknown(state, site) };
        let Some((arguments, list)) = self.arguments(&mut state, at + 1, is_list, site)? else {
            return self.print_unknown(state, site);
        };
        let mut format = Format { site, arguments, written: None, counts: false };
        if self.printed(&mut state, &text, &mut format)?.is_none() {
            return self.print_unknown(state, site);
        }
        if let Some(list) = list {
            self.move_on(&mut state, &list, &format.arguments)?;
        }
        self.give_anything(&mut state, site.id, site.ty);
        Ok(vec![state])
    }

    /// Output into memory: `sprintf`, or `snprintf`, which says how many bytes there are.
    pub(super) fn print_into(
        &mut self,
        mut state: State,
        (at, is_list): (usize, bool),
        site: &Site<'_>,
    ) -> Step<Vec<State>> {
        let given = (at == 2).then(|| self.size_argument(&mut state, site));
        let nothing = given.as_ref().is_some_and(|size| as_constant(size) == Some(0));
        let buffer = match self.argument(&mut state, site, 0) {
            _ if nothing => None,
            Value::Pointer(alloc, offset) => Some(Buffer { alloc, offset }),
            Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Null | Value::Function(_) | Value::Top => {
                return self.print_unknown(state, site);
            }
        };
        let Some(text) = self.format(&mut state, at, site) else { return self.print_unknown(state, site) };
        let Some((arguments, list)) = self.arguments(&mut state, at + 1, is_list, site)? else {
            return self.print_unknown(state, site);
        };
        let written = buffer.as_ref().map(|buffer| buffer.alloc);
        let mut format = Format { site, arguments, written, counts: true };
        let Some(printed) = self.printed(&mut state, &text, &mut format)? else {
            return self.print_unknown(state, site);
        };
        if let Some(list) = list {
            self.move_on(&mut state, &list, &format.arguments)?;
        }
        if let Some(buffer) = &buffer
            && !self.put_text(&mut state, buffer, &printed, given)?
        {
            return self.print_unknown(state, site);
        }
        self.give_anything(&mut state, site.id, site.ty);
        if let (Some(length), Some(_)) = (printed.length, site.ty)
            && self.at_least(&state, &constant(i128::from(i32::MAX)).minus(&length), 0)?
        {
            set(&mut state, site.id, Value::Int(length));
        }
        Ok(vec![state])
    }

    /// Writes what is printed, with its end: false if it is not shown that there is room.
    fn put_text(
        &mut self,
        state: &mut State,
        buffer: &Buffer,
        printed: &Printed,
        given: Option<LinExpr>,
    ) -> Step<bool> {
        let whole = printed.length.as_ref().map(|length| length.plus(&constant(1)));
        let fits = match (&given, &whole) {
            (Some(given), Some(whole)) => self.at_least(state, &given.minus(whole), 0)?,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let Some(size) = (if fits { whole } else { given }) else { return Ok(false) };
        let Buffer { alloc, offset } = buffer;
        if !self.is_room(state, *alloc, offset, &size)? {
            return Ok(false);
        }
        self.erase(state, &Value::Pointer(*alloc, offset.clone()), &size)?;
        self.not_zeroed(state, *alloc);
        let last = size.minus(&constant(1));
        if !state.knowledge.non_negative(&last, self.oracle)? {
            return Ok(true);
        }
        let end = if fits { last } else { self.cut_off(state, &last, printed) };
        if printed.is_text && !self.probing() {
            self.note_text(state, *alloc, offset, &end)?;
        }
        self.note_cell(state, *alloc, offset.plus(&end), 1, Value::Int(constant(0)));
        Ok(true)
    }

    /// How much of a text is written that may be too long.
    fn cut_off(&mut self, state: &mut State, last: &LinExpr, printed: &Printed) -> LinExpr {
        let length = state.fresh();
        note(state, length.clone());
        note(state, last.minus(&length));
        if let Some(whole) = &printed.length {
            note(state, whole.minus(&length));
        }
        length
    }

    /// Where the arguments of a format come from, and the list that leads there.
    fn arguments(
        &mut self,
        state: &mut State,
        at: usize,
        is_list: bool,
        site: &Site<'_>,
    ) -> Step<Option<(Arguments, Option<List>)>> {
        if !is_list {
            return Ok(Some((Arguments::Call(at), None)));
        }
        let list = self.list(state, at, site)?;
        Ok(list.map(|list| (Arguments::Memory(list.next.0, list.next.1.clone()), Some(list))))
    }

    fn size_argument(&mut self, state: &mut State, site: &Site<'_>) -> LinExpr {
        match site.args.get(1) {
            Some(operand) => self.int(state, *operand),
            None => self.arbitrary(state, self.program.layout.pointer_bits()),
        }
    }

    /// True only if an object that may be written has so many bytes from a place on. A size beyond the greatest signed number is negative.
    pub(super) fn is_room(&mut self, state: &State, alloc: AllocId, offset: &LinExpr, size: &LinExpr) -> Step<bool> {
        let constant_object = matches!(alloc, AllocId::Global(id) if self.program.globals[id].constant);
        Ok(!constant_object && self.is_inside(state, alloc, offset, size)?)
    }

    /// True only if a live object has so many bytes from a place on.
    pub(super) fn is_inside(&mut self, state: &State, alloc: AllocId, offset: &LinExpr, size: &LinExpr) -> Step<bool> {
        let Some((extent, life)) = self.extent(state, alloc) else { return Ok(false) };
        Ok(life == Life::Live
            && state.knowledge.non_negative(size, self.oracle)?
            && state.knowledge.non_negative(offset, self.oracle)?
            && state.knowledge.non_negative(&extent.minus(offset).minus(size), self.oracle)?)
    }

    /// Output of which nothing is known.
    pub(super) fn print_unknown(&mut self, mut state: State, site: &Site<'_>) -> Step<Vec<State>> {
        self.doubt_call(&state, site);
        // `%n` writes.
        self.erase(&mut state, &Value::Top, &constant(0))?;
        self.give_anything(&mut state, site.id, site.ty);
        Ok(vec![state])
    }

    /// A format that is a constant, and does not print wide characters.
    fn format(&mut self, state: &mut State, at: usize, site: &Site<'_>) -> Option<Vec<u8>> {
        let Value::Pointer(AllocId::Global(id), offset) = self.argument(state, site, at) else { return None };
        let offset = u64::try_from(as_constant(&offset)?).ok()?;
        let text = self.program.globals[id].constant_text(offset)?;
        let is_wide = |part: &Part<'_>| matches!(part, Part::Spec(spec) if matches!(spec.conversion, b's' | b'c') && spec.length != Length::Int);
        let wide = parse(&text)?.iter().any(is_wide);
        (!wide).then_some(text)
    }
}
