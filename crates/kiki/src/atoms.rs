//! The variables of a loop: what it changes and what that may be compared with, as integers; and the constants that bounds are
//! tried with.

use std::collections::{BTreeMap, BTreeSet};

use belay_encoder::NumberRead;
use belay_invariants::ForAll;
use belay_invariants::ObjectKind;
use belay_invariants::{Atom, Cut, CutPlace, Cutting, Havoc, IndexRange, ObjectKey, Variable};
use belay_ir::{
    BinaryOp, CType, Cfg, Dominators, FuncId, Function, InstId, IntPredicate, LiveValue, Liveness, LoopNest, Op,
    Operand, OverflowOp, Program, Type,
};

use super::candidates;
use super::steps::{Step, steps_of};

/// Unchanged variables at most.
const MAX_FIXED: usize = 12;
/// Numbers in memory at most that are read and not changed.
const MAX_READ: usize = 4;
/// Constants at most.
const MAX_CONSTANTS: usize = 48;

/// Numbers in memory that the activations of cut loops read.
pub type Reads = BTreeMap<CutPlace, Vec<NumberRead>>;

/// The variables of one loop.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    /// Those that the loop changes.
    pub changed: Vec<Atom>,
    /// Floats that the loop changes, and their bits.
    pub floats: Vec<(Variable, u32)>,
    /// Others that are still needed.
    pub fixed: Vec<Atom>,
    /// Those that move by the same number each time.
    pub steps: Vec<Step>,
    /// Counters: where the elements end that the loop has been at.
    pub ends: Vec<(IndexRange, Atom)>,
    /// Arrays that loops change.
    pub arrays: Vec<Array>,
    /// Conditions of the program about elements.
    pub every: Vec<ForAll>,
}

/// An array that some loop changes.
#[derive(Clone, Debug)]
pub struct Array {
    /// The object.
    pub object: ObjectKey,
    /// The size of its elements.
    pub size: u32,
    /// Whether this loop changes it.
    pub changed: bool,
}

/// Arrays at most.
const MAX_ARRAYS: usize = 6;

impl Atoms {
    /// The variables of the loop at `place`.
    pub fn new(program: &Program, cutting: &Cutting, read: &Reads, place: &CutPlace, cut: &Cut) -> Self {
        let function = &program.functions[place.function];
        let mut atoms = Self::default();
        if place.head == Function::ENTRY {
            atoms.changed = params(function);
            atoms.add_globals(program, place.function, cut);
            atoms.fixed.truncate(MAX_FIXED);
            return atoms;
        }
        for (inst, havoc) in &cut.registers {
            match (havoc, function.insts[*inst].ty) {
                (Havoc::Number, Some(Type::Int(width))) if (2..=64).contains(&width) => {
                    atoms
                        .changed
                        .push(Atom { variable: Variable::Register(*inst), signed: is_signed(function, *inst) });
                }
                (Havoc::Pointer { .. }, _) => {
                    atoms.changed.push(Atom { variable: Variable::Offset(*inst), signed: true });
                }
                (Havoc::Number, Some(Type::F32)) => atoms.floats.push((Variable::Register(*inst), 32)),
                (Havoc::Number, Some(Type::F64)) => atoms.floats.push((Variable::Register(*inst), 64)),
                (Havoc::Number, _) => {}
            }
        }
        for ((object, offset), (size, havoc)) in &cut.cells {
            if *havoc == Havoc::Number && *size <= 8 {
                let variable = Variable::Cell { object: object.clone(), offset: *offset, size: *size };
                if cell_type(program, object) == Some(CType::Float) {
                    atoms.floats.extend(matches!(size, 4 | 8).then_some((variable, 8 * size)));
                    continue;
                }
                atoms.changed.push(Atom { variable, signed: cell_is_signed(program, object) });
            }
        }
        atoms.add_live(function, place, cut);
        atoms.add_read(program, read.get(place).map_or(&[], Vec::as_slice), cut);
        atoms.add_globals(program, place.function, cut);
        atoms.fixed.truncate(MAX_FIXED);
        atoms.add_ends(function);
        atoms.steps = steps_of(function, place.head, (&atoms.changed, &atoms.fixed));
        let sizes = element_sizes(program, function);
        let objects: BTreeSet<&ObjectKey> = cutting.cuts.values().flat_map(|cut| &cut.objects).collect();
        for object in objects {
            let changed = cut.objects.contains(object);
            atoms.arrays.extend(sizes.iter().map(|size| Array { object: object.clone(), size: *size, changed }));
        }
        atoms.every = candidates::candidates(program, place, cut);
        atoms.arrays.sort_by_key(|array| !array.changed);
        atoms.arrays.truncate(MAX_ARRAYS);
        atoms
    }

    /// Which changed variables say how far an array was gone through.
    fn add_ends(&mut self, function: &Function) {
        for atom in &self.changed {
            match atom.variable {
                Variable::Offset(_) => self.ends.push((IndexRange::BelowOffset, atom.clone())),
                Variable::Register(phi) => {
                    self.ends.extend(segment_of(function, phi, phi, 3).map(|segment| (segment, atom.clone())));
                }
                Variable::Param(_)
                | Variable::Cell { .. }
                | Variable::Result
                | Variable::Positive(_)
                | Variable::Last(_) => {}
            }
        }
    }

    /// The result of a function that is cut, and its arguments.
    pub fn of_results(program: &Program, place: &CutPlace) -> Self {
        let mut atoms = Self::default();
        let function = &program.functions[place.function];
        if place.head == Function::ENTRY
            && let [Type::Int(2..=64)] = function.results.as_slice()
        {
            atoms.changed.push(Atom { variable: Variable::Result, signed: true });
            atoms.fixed = params(function);
            let signed = |atom: &Atom| match atom.variable {
                Variable::Param(index) if atom.signed => Some(Variable::Positive(index)),
                _ => None,
            };
            let positive: Vec<Variable> = atoms.fixed.iter().filter_map(signed).collect();
            atoms.fixed.extend(positive.into_iter().map(|variable| Atom { variable, signed: true }));
        }
        atoms
    }

    fn add_live(&mut self, function: &Function, place: &CutPlace, cut: &Cut) {
        let liveness = Liveness::new(function, &Cfg::new(function));
        for value in liveness.live_in(place.head) {
            let (variable, ty, signed) = match value {
                LiveValue::Param(index) => {
                    let Some(param) = function.params.get(*index as usize) else { continue };
                    (Variable::Param(*index), Some(param.ty), param_is_signed(function, *index))
                }
                LiveValue::Inst(inst) if cut.registers.contains_key(inst) => continue,
                LiveValue::Inst(inst) => {
                    (Variable::Register(*inst), function.insts[*inst].ty, is_signed(function, *inst))
                }
            };
            if matches!(ty, Some(Type::Int(width)) if (2..=64).contains(&width)) {
                self.fixed.push(Atom { variable, signed });
            }
        }
    }

    /// Numbers in blocks and locals that the loop's activation reads, itself or by what it calls, and that the loop leaves alone.
    fn add_read(&mut self, program: &Program, read: &[NumberRead], cut: &Cut) {
        let mut found: Vec<(Variable, bool)> = Vec::new();
        for read in read {
            let NumberRead { object, offset, size, .. } = read;
            let touches = |(of, at): &(ObjectKey, u32), bytes: u32| {
                of == object && *at < offset.saturating_add(*size) && *offset < at.saturating_add(bytes)
            };
            let is_changed =
                cut.objects.contains(object) || cut.cells.iter().any(|(cell, (bytes, _))| touches(cell, *bytes));
            if is_changed || matches!(object.kind, ObjectKind::Global(_) | ObjectKind::Function(_)) {
                continue;
            }
            let reader = read.calls.last().map(|(_, function)| &program.functions[*function]);
            let signed = reader.is_none_or(|reader| read_is_signed(program, reader, read));
            let variable = Variable::Cell { object: object.clone(), offset: *offset, size: *size };
            match found.iter_mut().find(|(known, _)| *known == variable) {
                Some((_, known)) => *known &= signed,
                None => found.push((variable, signed)),
            }
        }
        found.truncate(MAX_READ);
        self.fixed.extend(found.into_iter().map(|(variable, signed)| Atom { variable, signed }));
    }

    /// Scalar globals that the function reads and the loop leaves alone.
    fn add_globals(&mut self, program: &Program, function: FuncId, cut: &Cut) {
        let body = &program.functions[function];
        for (_, inst) in body.placed_insts() {
            let Op::Load { ptr: Operand::Global { global, offset: 0 }, .. } = &body.insts[inst].op else { continue };
            let Some(Type::Int(width)) = body.insts[inst].ty else { continue };
            let object =
                ObjectKey { kind: ObjectKind::Global(*global), calls: Vec::new(), inst: InstId(u32::MAX), number: 0 };
            let size = u32::from(width) / 8;
            let touched = cut.objects.contains(&object) || cut.cells.contains_key(&(object.clone(), 0));
            if touched || !matches!(size, 1 | 2 | 4 | 8) || program.globals[*global].size != Some(size.into()) {
                continue;
            }
            let signed = cell_is_signed(program, &object);
            let atom = Atom { variable: Variable::Cell { object, offset: 0, size }, signed };
            if !self.fixed.contains(&atom) {
                self.fixed.push(atom);
            }
        }
    }
}

/// Which elements a counter leaves behind, if some round moves it by a constant: looks through so many choices between values.
pub(super) fn segment_of(function: &Function, phi: InstId, value: InstId, depth: u32) -> Option<IndexRange> {
    let inner = |operand: &Operand| match operand {
        Operand::Inst(inst) if depth > 0 => segment_of(function, phi, *inst, depth - 1),
        _ => None,
    };
    match &function.insts[value].op {
        Op::Phi { incoming } => incoming.iter().find_map(|(_, operand)| inner(operand)),
        Op::Select { then, otherwise, .. } => inner(then).or_else(|| inner(otherwise)),
        Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs: Operand::Int { width, value } }
            if *lhs == Operand::Inst(phi) =>
        {
            let negative = value >> (width - 1) & 1 == 1;
            Some(if negative == (*op == BinaryOp::Sub) { IndexRange::Below } else { IndexRange::Above })
        }
        _ => None,
    }
}

/// The sizes of numbers that a function reads or writes through pointers.
fn element_sizes(program: &Program, function: &Function) -> BTreeSet<u32> {
    let accessed = function.placed_insts().filter_map(|(_, inst)| match &function.insts[inst].op {
        Op::Store { value, .. } => function.operand_type(*value),
        Op::Load { .. } => function.insts[inst].ty,
        _ => None,
    });
    let sizes = accessed.filter(|ty| matches!(ty, Type::Int(_))).map(|ty| program.layout.store_size(ty) as u32);
    sizes.filter(|size| matches!(size, 1 | 2 | 4 | 8)).collect()
}

/// The numbers among a function's parameters.
fn params(function: &Function) -> Vec<Atom> {
    let numbers = (0..).zip(&function.params).filter(|(_, param)| matches!(param.ty, Type::Int(2..=64)));
    let atom = |index| Atom { variable: Variable::Param(index), signed: param_is_signed(function, index) };
    numbers.map(|(index, _)| atom(index)).collect()
}

fn of_ctype(ctype: CType) -> Option<bool> {
    match ctype {
        CType::Signed | CType::Char => Some(true),
        CType::Unsigned | CType::Bool => Some(false),
        CType::Float | CType::Pointer | CType::Aggregate => None,
    }
}

/// Whether a value is meant as a signed number: by its declaration, or by what is done with it.
fn is_signed(function: &Function, inst: InstId) -> bool {
    let declared = function.local_of_value(inst).and_then(|local| of_ctype(local.ctype));
    declared.unwrap_or_else(|| used_as_signed(function, Operand::Inst(inst)))
}

/// Whether a number that was read is meant as signed: by the declaration of where it is, by what is done with it, or by the variables that begin with it.
fn read_is_signed(program: &Program, reader: &Function, read: &NumberRead) -> bool {
    if let Some(declared) = cell_type(program, &read.object).and_then(of_ctype) {
        return declared;
    }
    let value = Operand::Inst(read.inst);
    let begins = |inst: InstId| match &reader.insts[inst].op {
        Op::Phi { incoming } => incoming.iter().any(|(_, operand)| *operand == value),
        _ => false,
    };
    let mut variables = reader.placed_insts().map(|(_, inst)| inst).filter(|inst| begins(*inst)).peekable();
    if variables.peek().is_some() {
        return variables.all(|variable| is_signed(reader, variable));
    }
    reader.insts.get(read.inst).is_none_or(|_| is_signed(reader, read.inst))
}

fn param_is_signed(function: &Function, index: u32) -> bool {
    let name = function.params.get(index as usize).map(|param| param.name.as_str());
    let declared = function.locals.iter().find(|local| Some(local.name.as_str()) == name);
    declared.and_then(|local| of_ctype(local.ctype)).unwrap_or_else(|| used_as_signed(function, Operand::Param(index)))
}

fn cell_is_signed(program: &Program, object: &ObjectKey) -> bool {
    cell_type(program, object).and_then(of_ctype).unwrap_or(true)
}

/// The declared type of an object.
fn cell_type(program: &Program, object: &ObjectKey) -> Option<CType> {
    match object.kind {
        ObjectKind::Global(global) => Some(program.globals[global].ctype),
        ObjectKind::Stack => {
            let function = object.calls.last().map(|(_, function)| &program.functions[*function]);
            let local = function.and_then(|body| body.local_of_object(object.inst));
            local.map(|local| local.ctype)
        }
        ObjectKind::Function(_)
        | ObjectKind::Heap
        | ObjectKind::Arguments
        | ObjectKind::String(_)
        | ObjectKind::EntryBytes(_) => None,
    }
}

fn used_as_signed(function: &Function, value: Operand) -> bool {
    let unsigned = function.placed_insts().any(|(_, inst)| match &function.insts[inst].op {
        Op::Compare { op, lhs, rhs } if *lhs == value || *rhs == value => {
            matches!(op, IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Ugt | IntPredicate::Uge)
        }
        _ => false,
    });
    let signed = function.placed_insts().any(|(_, inst)| match &function.insts[inst].op {
        Op::Overflows { op: OverflowOp::Add | OverflowOp::Sub | OverflowOp::Mul, signed: true, lhs, rhs } => {
            *lhs == value || *rhs == value
        }
        _ => false,
    });
    signed || !unsigned
}

/// The numbers that a function mentions, as signed and their neighbours, in both signs.
pub fn constants(program: &Program, functions: impl IntoIterator<Item = FuncId>) -> Vec<i128> {
    let mut found = BTreeSet::new();
    for function in functions {
        let body = &program.functions[function];
        body.placed_insts().for_each(|(_, inst)| add_constants(&body.insts[inst].op, &mut found));
    }
    thresholds(found)
}

/// Numbers to try as bounds of one loop: those in the outermost loop of the function around it, and those that the calls on the way hand over.
pub fn constants_around(program: &Program, place: &CutPlace) -> Vec<i128> {
    let mut found = BTreeSet::new();
    let mut caller: Option<FuncId> = None;
    for (call, callee) in &place.calls {
        if let Some(inst) = caller.and_then(|caller| program.functions[caller].insts.get(*call)) {
            add_constants(&inst.op, &mut found);
        }
        caller = Some(*callee);
    }
    let body = &program.functions[place.function];
    let cfg = Cfg::new(body);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let mut around = nest.headed_by(place.head);
    while let Some(parent) = around.and_then(|id| nest.get(id).parent) {
        around = Some(parent);
    }
    let blocks = around.map(|id| nest.get(id).blocks.clone());
    let blocks = blocks.into_iter().flatten().map(|block| &body.blocks[block]);
    blocks.flat_map(|block| &block.insts).for_each(|inst| add_constants(&body.insts[*inst].op, &mut found));
    thresholds(found)
}

fn add_constants(op: &Op, found: &mut BTreeSet<i128>) {
    let mut add = |operand: &Operand| {
        if let Operand::Int { width, value } = operand
            && *width > 1
        {
            let signed = if *width < 128 { (*value as i128) << (128 - width) >> (128 - width) } else { 0 };
            found.extend([signed, *value as i128].into_iter().filter(|value| value.abs() < 1 << 40));
        }
    };
    match op {
        Op::Load { .. } | Op::Store { .. } | Op::Alloca { .. } => {}
        op => op.for_each_operand(&mut add),
    }
}

/// The smallest of some numbers and their neighbours, in both signs.
fn thresholds(mut found: BTreeSet<i128>) -> Vec<i128> {
    found.extend([0, 1]);
    let mut kept: Vec<i128> = found.into_iter().collect();
    kept.sort_by_key(|value| value.abs());
    kept.truncate(MAX_CONSTANTS);
    let around = kept.iter().flat_map(|value| [value - 1, *value, value + 1]);
    let both: BTreeSet<i128> = around.flat_map(|value| [value, -value]).collect();
    both.into_iter().collect()
}

/// Floats at most that bounds are tried with.
const MAX_FLOATS: usize = 48;

/// The numbers that a function mentions, as floats, in both signs and in order.
pub fn float_constants(program: &Program, functions: impl IntoIterator<Item = FuncId>) -> Vec<f64> {
    let mut found = vec![0.0, 1.0];
    for function in functions {
        let body = &program.functions[function];
        let mut add = |operand: &Operand| match operand {
            Operand::F32(number) => found.push(f64::from(number.abs())),
            Operand::F64(number) => found.push(number.abs()),
            Operand::Int { width, value } if *width > 1 && *value < 1 << 31 => found.push(*value as f64),
            _ => {}
        };
        for (_, inst) in body.placed_insts() {
            match &body.insts[inst].op {
                Op::Alloca { .. } => {}
                op => op.for_each_operand(&mut add),
            }
        }
    }
    found.retain(|number| number.is_finite());
    found.sort_by(f64::total_cmp);
    found.dedup();
    found.truncate(MAX_FLOATS);
    let mut both: Vec<f64> = found.iter().flat_map(|number| [-number, *number]).collect();
    both.sort_by(f64::total_cmp);
    both
}
