//! Small global structs start as cells, one for each part: a write to one of them then leaves the others as they are known, and what the struct holds at the
//! start can be compared with what it holds later.
//!
//! *Sound* whatever the parts are: each cell says what the initialiser says of its bytes.

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{Function, GlobalId, Op, Operand, Relocation, Target, Type};
use belay_linear::{Constraint, LinExpr, Rat};

use super::array::{ArrayRange, residue};
use super::bytes::of_type;
use super::knowledge::constant;
use super::machine::{Machine, Step};
use super::memory::MAX_GLOBAL_CELLS;
use super::segment::{Content, place_of};
use super::state::{AllocId, State, Value};

/// Structs of more bytes have no cells at the start.
const MAX_STRUCT: u64 = 64;
/// The same of structs whose parts are not known.
const MAX_BYTES: u64 = 24;

/// Tables of pointers that are known at the start at most.
const MAX_TABLES: usize = 8;

/// Words of a table that are looked at.
const MAX_WORDS: u64 = 4096;

/// Entries of a table of pointers that are looked at one by one where it is not known which is read, and those of them that it may be.
const MAX_PLACES: usize = 64;
const MAX_ENTRIES: usize = 16;

/// Offset, bytes, and whether it is a pointer.
type Part = (u64, u64, bool);

impl Machine<'_> {
    /// The states in which a pointer is read from one entry of a table of the program's own that nobody has written to, and what that is: one for each entry that may be meant. Of other reads the state
    /// as it is.
    ///
    /// *Sound*: the offset is a sum of integers times their factors, so that what it leaves when it is divided by the greatest common divisor of those is always the same; the places in the table that
    /// leave the same are looked at one by one.
    pub(super) fn entries(&mut self, state: State, ptr: Operand, ty: Type) -> Step<Vec<(State, Option<Value>)>> {
        let mut state = state;
        let Value::Pointer(AllocId::Global(id), offset) = self.value(&mut state, ptr) else {
            return Ok(vec![(state, None)]);
        };
        let is_table = ty == Type::Ptr && !offset.is_constant() && !self.probing() && !state.written.contains(&id);
        let places = if is_table { self.places(id, &offset) } else { Vec::new() };
        let mut parts = Vec::new();
        for at in &places {
            let mut part = state.clone();
            let apart = offset.minus(&constant(i128::from(*at)));
            if !part.knowledge.assume(apart.clone(), self.oracle)?
                || !part.knowledge.assume(apart.negated(), self.oracle)?
            {
                continue;
            }
            let value = self.initial(id, *at, self.program.layout.pointer_bytes(), true);
            let value = value.and_then(|value| of_type(value, ty));
            if value.is_none() || parts.len() >= MAX_ENTRIES {
                return Ok(vec![(state, None)]);
            }
            parts.push((part, value));
        }
        Ok(if places.is_empty() { vec![(state, None)] } else { parts })
    }

    /// The places in a table at which a pointer may be read with such an offset; none if they are many, or if the table is one of functions, which are told apart where they are called.
    fn places(&self, id: GlobalId, offset: &LinExpr) -> Vec<u64> {
        let global = &self.program.globals[id];
        let width = self.program.layout.pointer_bytes();
        let divisor = offset.terms().iter().fold(Rat::ZERO, |gcd, (_, factor)| gcd.gcd(factor)).to_i64();
        let (Some(size), Some(init), Some(step), Some(rest)) =
            (global.size, &global.init, divisor, offset.offset().to_i64())
        else {
            return Vec::new();
        };
        let leads = |relocation: &Relocation| matches!(relocation.target, Target::Global(_));
        if step < width as i64 || size < width || !init.relocations.iter().any(leads) {
            return Vec::new();
        }
        let places = (rest.rem_euclid(step) as u64..=size - width).step_by(step as usize);
        if places.clone().count() > MAX_PLACES { Vec::new() } else { places.collect() }
    }

    /// The parts of globals that instructions name.
    pub(super) fn direct_accesses(&self) -> BTreeMap<GlobalId, BTreeSet<Part>> {
        let mut found: BTreeMap<GlobalId, BTreeSet<Part>> = BTreeMap::new();
        for function in self.program.functions.iter() {
            for inst in function.insts.iter() {
                let (ptr, ty) = match &inst.op {
                    Op::Load { ptr, .. } => (*ptr, inst.ty),
                    Op::Store { ptr, value, .. } => (*ptr, function.operand_type(*value)),
                    _ => continue,
                };
                if let (Operand::Global { global, offset }, Some(ty)) = (ptr, ty)
                    && let Ok(offset) = u64::try_from(offset)
                {
                    let part = (offset, self.program.layout.store_size(ty), ty == Type::Ptr);
                    found.entry(global).or_default().insert(part);
                }
            }
        }
        found
    }

    /// Globals at whose elements pointers are read or written, or that a function is given.
    fn tables(&self) -> BTreeSet<GlobalId> {
        let mut found = BTreeSet::new();
        for function in self.program.functions.iter() {
            for inst in function.insts.iter() {
                let pointer = |ty: Option<Type>| ty == Some(Type::Ptr);
                match &inst.op {
                    Op::Load { ptr, .. } if pointer(inst.ty) => found.extend(table_of(function, *ptr)),
                    Op::Store { ptr, value, .. } if pointer(function.operand_type(*value)) => {
                        found.extend(table_of(function, *ptr));
                    }
                    Op::Call { args, .. } => found.extend(args.iter().filter_map(|arg| match arg {
                        Operand::Global { global, offset: 0 } => Some(*global),
                        _ => None,
                    })),
                    _ => {}
                }
            }
        }
        found
    }

    /// Notes that tables of pointers that are 0 at the start hold null pointers.
    pub(super) fn start_tables(&mut self, state: &mut State) {
        let width = self.program.layout.pointer_bytes();
        for id in self.tables() {
            let global = &self.program.globals[id];
            let (Some(size), Some(init)) = (global.size, &global.init) else { continue };
            let zeros = init.relocations.is_empty() && init.bytes.iter().all(|byte| *byte == 0);
            let is_table = size > width && size.is_multiple_of(width) && !global.constant;
            if !zeros || !is_table || self.probing() || state.ranges.len() >= MAX_TABLES {
                continue;
            }
            let (from, to) = (constant(0), constant(i128::from(size)));
            let content = Content::Same(Value::Null);
            state.ranges.push(ArrayRange { alloc: AllocId::Global(id), from, to, step: width, width, content });
        }
    }

    /// A number that is read at a place of a table which was not written to: it is between those that stand there at the start.
    ///
    /// *Sound*: the whole access is inside the global, and its offset is a number that differs from the constant part of the expression by a multiple of what divides all factors. All
    /// words of that width at such offsets are looked at; where one of them is no number nothing is said.
    pub(super) fn bounded_by_table(
        &self,
        state: &mut State,
        (alloc, offset, width): (AllocId, &LinExpr, u64),
        value: Value,
    ) -> Value {
        let (AllocId::Global(id), Value::Int(number)) = (alloc, &value) else { return value };
        if state.written.contains(&id) || offset.is_constant() || self.probing() {
            return value;
        }
        let Some((least, most)) = self.range_of_table(id, offset, width) else { return value };
        if least == most {
            return Value::Int(least);
        }
        state.knowledge.constraints.push(Constraint::ge(number.minus(&least)));
        state.knowledge.constraints.push(Constraint::ge(most.minus(number)));
        value
    }

    /// The least and the greatest number at such places of a global at the start.
    fn range_of_table(&self, id: GlobalId, offset: &LinExpr, width: u64) -> Option<(LinExpr, LinExpr)> {
        let mut step = Rat::ZERO;
        offset.terms().iter().for_each(|(_, factor)| step = step.gcd(factor));
        let whole = offset.terms().iter().all(|(_, factor)| factor.is_integer());
        let step = step.to_i64().and_then(|step| u64::try_from(step).ok()).filter(|step| *step > 0 && whole);
        let (step, size) = (step?, self.program.globals[id].size?);
        let start = residue(offset, step)?;
        if size / step > MAX_WORDS {
            return None;
        }
        let places = (start..size.saturating_sub(width - 1)).step_by(step as usize);
        let words: Option<Vec<LinExpr>> = places
            .map(|at| match self.initial(id, at, width, false) {
                Some(Value::Int(word)) if word.is_constant() => Some(word),
                _ => None,
            })
            .collect();
        let words = words?;
        let least = words.iter().min_by(|a, b| a.offset().cmp(b.offset()))?.clone();
        let most = words.iter().max_by(|a, b| a.offset().cmp(b.offset()))?.clone();
        Some((least, most))
    }

    /// What a global that was not written to holds between two constant places, from the first of them on, where no cell says so: its pointers, and
    /// numbers of four bytes or one.
    pub(super) fn initial_parts(
        &self,
        state: &State,
        alloc: AllocId,
        from: &LinExpr,
        len: &LinExpr,
    ) -> Vec<(LinExpr, u64, Value)> {
        let AllocId::Global(id) = alloc else { return Vec::new() };
        let (Some(start), Some(len)) = (place_of(from), place_of(len)) else { return Vec::new() };
        let told = state.cells.iter().any(|cell| cell.alloc == alloc && cell.width > 1);
        if state.written.contains(&id) || len > MAX_STRUCT || told {
            return Vec::new();
        }
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < len {
            let place = start + at;
            let pointer = self.program.layout.pointer_bytes();
            let ways = [(pointer, true), (4, false), (1, false)];
            let mut fitting = ways.into_iter().filter(|(width, _)| place % width == 0 && at + width <= len);
            let value = fitting.find_map(|(width, address)| {
                let value = self.initial(id, place, width, address)?;
                (!address || matches!(value, Value::Pointer(..) | Value::Function(_))).then_some((width, value))
            });
            let width = value.as_ref().map_or(1, |(width, _)| *width);
            parts.extend(value.map(|(width, value)| (constant(i128::from(at)), width, value)));
            at += width;
        }
        parts
    }

    /// Notes what the parts of a global hold at the start; false if it has none that are known.
    pub(super) fn start_parts(&mut self, state: &mut State, id: GlobalId, named: Option<&BTreeSet<Part>>) -> bool {
        let global = &self.program.globals[id];
        let size = global.size.filter(|size| *size <= MAX_STRUCT && !global.constant).unwrap_or(0);
        // Parts that instructions name, and byte by byte what is between them: pointers may lead there.
        let bytes = (0..size).filter(|_| size <= MAX_BYTES).map(|at| (at, 1, false));
        let is_named =
            |at: u64| named.iter().copied().flatten().any(|(from, width, _)| (*from..from + width).contains(&at));
        let mut parts: Vec<Part> = bytes.filter(|(at, _, _)| !is_named(*at)).collect();
        parts.extend(named.into_iter().flatten().copied());
        parts.sort_unstable();
        let mut end = 0;
        for (offset, width, pointer) in parts {
            let fits = offset >= end && offset.checked_add(width).is_some_and(|end| end <= size);
            if !fits || state.cells.len() >= MAX_GLOBAL_CELLS {
                continue;
            }
            if let Some(value) = self.initial(id, offset, width, pointer) {
                end = offset + width;
                self.note_cell(state, AllocId::Global(id), constant(i128::from(offset)), width, value);
            }
        }
        end > 0
    }
}

/// The global that a place is in at some distance from its start, if the code says so.
fn table_of(function: &Function, mut ptr: Operand) -> Option<GlobalId> {
    let mut moved = false;
    loop {
        match ptr {
            Operand::Global { global, .. } => return moved.then_some(global),
            Operand::Inst(inst) => match &function.insts[inst].op {
                Op::PtrAdd { base, .. } => (ptr, moved) = (*base, true),
                _ => return None,
            },
            _ => return None,
        }
    }
}
