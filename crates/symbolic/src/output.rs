//! Formatted output. A format is a constant; numbers print as text of a bounded length, the arguments of `%s` must be strings, which print as their length.
//!
//! *Sound*: what is not of that kind is doubted, and forgets all memory, since `%n` writes. Text that is printed into memory overwrites at most as many
//! bytes as were shown to be there, of which one becomes 0: the rest keeps what it had, and all of them are forgotten. `sprintf` returns where that byte is, if no longer
//! text than an `int` counts can have been printed; `snprintf` a number that is not less.

use belay_linear::LinExpr;
use belay_rules::format::{Count, Directive, Length, Part, directives, parse};

use super::arithmetic::note;
use super::builtins::Site;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::state::{AllocId, Life, State, Value};
use super::values::{lookup, set};

impl Machine<'_> {
    /// Output to a stream.
    pub(super) fn print(&mut self, mut state: State, at: usize, site: &Site<'_>) -> Step<Vec<State>> {
        let Some(text) = self.format(&mut state, at, site) else { return self.print_unknown(state, site) };
        if self.reads_strings(&mut state, &text, at, None, site)?.is_none() {
            return self.print_unknown(state, site);
        }
        self.give_anything(&mut state, site.id, site.ty);
        Ok(vec![state])
    }

    /// Output into memory: `sprintf`, or `snprintf`, which says how many bytes there are.
    pub(super) fn print_into(&mut self, mut state: State, bounded: bool, site: &Site<'_>) -> Step<Vec<State>> {
        let pointer = self.argument(&mut state, site, 0);
        let at = if bounded { 2 } else { 1 };
        let Some(text) = self.format(&mut state, at, site) else { return self.print_unknown(state, site) };
        let Value::Pointer(alloc, offset) = pointer else { return self.print_unknown(state, site) };
        let Some(lengths) = self.reads_strings(&mut state, &text, at, Some(alloc), site)? else {
            return self.print_unknown(state, site);
        };
        let most = longest(&text, lengths);
        let size = match (bounded, &most) {
            (true, _) => Some(self.size_argument(&mut state, site)),
            (false, Some(most)) => Some(most.plus(&constant(1))),
            (false, None) => None,
        };
        let Some(size) = size else { return self.print_unknown(state, site) };
        if !self.is_room(&state, alloc, &offset, &size)? {
            return self.print_unknown(state, site);
        }
        self.erase(&mut state, &Value::Pointer(alloc, offset.clone()), &size)?;
        self.not_zeroed(&mut state, alloc);
        self.give_anything(&mut state, site.id, site.ty);
        let last = size.minus(&constant(1));
        let countable = match &most {
            Some(most) => self.at_least(&state, &constant(i128::from(i32::MAX)).minus(most), 0)?,
            None => false,
        };
        if state.knowledge.non_negative(&last, self.oracle)? {
            let length = state.fresh();
            note(&mut state, length.clone());
            note(&mut state, last.minus(&length));
            self.note_cell(&mut state, alloc, offset.plus(&length), 1, Value::Int(constant(0)));
            match lookup(&state, site.id) {
                Some(Value::Int(result)) if countable && bounded => note(&mut state, result.minus(&length)),
                Some(Value::Int(_)) if countable => set(&mut state, site.id, Value::Int(length)),
                Some(_) | None => {}
            }
        }
        Ok(vec![state])
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
        let Some((extent, life)) = self.extent(state, alloc) else { return Ok(false) };
        Ok(life == Life::Live
            && !constant_object
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

    /// Looks at the arguments of a format: none if one is missing, or is no number and no string; else how long the strings are. What is read must not be in
    /// the object that is written to.
    fn reads_strings(
        &mut self,
        state: &mut State,
        text: &[u8],
        at: usize,
        written: Option<AllocId>,
        site: &Site<'_>,
    ) -> Step<Option<Vec<LinExpr>>> {
        let Some(directives) = directives(text) else { return Ok(None) };
        let mut lengths = Vec::new();
        for (next, directive) in (at + 1..).zip(directives) {
            if next >= site.args.len() {
                return Ok(None);
            }
            match directive {
                Directive::Number => {}
                Directive::Text => {
                    let pointer = self.argument(state, site, next);
                    if matches!(&pointer, Value::Pointer(alloc, _) if Some(*alloc) == written) {
                        return Ok(None);
                    }
                    lengths.push(self.string_length(state, &pointer, site.obligation, site.span)?);
                }
                Directive::Other => return Ok(None),
            }
        }
        Ok(Some(lengths))
    }
}

/// The most bytes that a format prints, if it prints numbers and strings of these lengths: no integer has more than 22 octal digits, or 20 digits and a sign. A string
/// that is padded has no more bytes than it has itself and the field has.
fn longest(text: &[u8], lengths: Vec<LinExpr>) -> Option<LinExpr> {
    let mut most: u64 = 0;
    let strings = lengths.iter().fold(constant(0), |sum, length| sum.plus(length));
    for part in parse(text)? {
        most += match part {
            Part::Text(text) => text.len() as u64,
            Part::Spec(spec) => {
                let given = |count: Option<Count>| match count {
                    None => Some(0),
                    Some(Count::Given(number)) => Some(number),
                    Some(Count::Argument) => None,
                };
                let width = given(spec.width)?;
                let least = match spec.conversion {
                    b's' => width,
                    _ => width.max(given(spec.precision)?.saturating_add(3)),
                };
                let own = match (spec.conversion, spec.length) {
                    (b'c', Length::Int) => 1,
                    (b's', Length::Int) if spec.precision.is_none() => 0,
                    (b'd' | b'i' | b'u', Length::Char | Length::Short | Length::Int) => 11,
                    (b'd' | b'i' | b'u' | b'o' | b'x' | b'X', _) => 25,
                    (_, _) => return None,
                };
                least.max(own)
            }
        };
    }
    Some(strings.plus(&constant(i128::from(most))))
}
