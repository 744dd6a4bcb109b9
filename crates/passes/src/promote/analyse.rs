//! Which stack objects can be promoted.

use belay_base::IdVec;
use rustc_hash::FxHashMap;

use belay_ir::{BlockId, CType, Cfg, DataLayout, Function, InstId, Op, Operand, Type};

use super::{Action, Event, Slot, Variable, lives};

/// Aggregates with more slots stay in memory: they are tables rather than records.
const MOST_SLOTS: usize = 64;

/// The objects that can be promoted, in the order of their allocation.
pub(super) fn promotable(function: &Function, cfg: &Cfg, layout: DataLayout) -> Vec<Variable> {
    let mut scan =
        Scan { function, layout, derived: IdVec::filled(None, function.insts.len()), candidates: Vec::new() };
    for block in cfg.reverse_postorder() {
        for inst in &function.blocks[*block].insts {
            scan.instruction(*block, *inst);
        }
        function.blocks[*block].term.for_each_operand(|operand| scan.escape(*operand));
    }
    scan.phis();
    let locals = locals_by_alloca(function);
    let variables = scan.candidates.into_iter().filter_map(|candidate| candidate.into_variable(function, &locals));
    variables
        .filter(|variable| lives::always_alive(variable, cfg) && lives::addresses_are_current(variable, cfg))
        .collect()
}

fn locals_by_alloca(function: &Function) -> FxHashMap<InstId, u32> {
    let mut locals = FxHashMap::default();
    for (index, local) in (0..).zip(&function.locals) {
        if let Some(alloca) = local.alloca {
            locals.entry(alloca).or_insert(index);
        }
    }
    locals
}

/// A stack object that nothing has ruled out yet.
struct Candidate {
    alloca: InstId,
    size: u64,
    escapes: bool,
    accesses: Vec<Slot>,
    events: Vec<Event>,
}

impl Candidate {
    fn into_variable(self, function: &Function, locals: &FxHashMap<InstId, u32>) -> Option<Variable> {
        if self.escapes {
            return None;
        }
        let slots = disjoint_slots(self.accesses, self.size)?;
        let fills_fit = self.events.iter().all(|event| match event.action {
            Action::Fill { from, to, byte } => {
                to <= self.size && slots.iter().all(|slot| fill_fits(*slot, from, to, byte))
            }
            Action::Begin | Action::End | Action::Address | Action::Load(_) | Action::Store(_) => true,
        });
        let local = locals.get(&self.alloca).copied();
        let is_value = local.is_some_and(|index| function.locals[index as usize].ctype != CType::Aggregate);
        let is_scalar = is_value && matches!(slots.as_slice(), [slot] if slot.size == self.size);
        let Candidate { alloca, events, .. } = self;
        fills_fit.then_some(Variable { alloca, local, is_scalar, slots, events })
    }
}

/// The slots in order, if they lie within the object and do not overlap.
fn disjoint_slots(mut accesses: Vec<Slot>, size: u64) -> Option<Vec<Slot>> {
    accesses.sort_by_key(|slot| (slot.offset, slot.size));
    accesses.dedup();
    let inside = accesses.iter().all(|slot| slot.offset.checked_add(slot.size).is_some_and(|end| end <= size));
    let disjoint = inside && accesses.windows(2).all(|pair| pair[0].end() <= pair[1].offset);
    (disjoint && accesses.len() <= MOST_SLOTS).then_some(accesses)
}

/// True if a fill covers the slot and gives it a value, or does not touch it.
fn fill_fits(slot: Slot, from: u64, to: u64, byte: u8) -> bool {
    let apart = slot.end() <= from || to <= slot.offset;
    let covers = from <= slot.offset && slot.end() <= to;
    apart || (covers && slot.fill(byte).is_some())
}

/// One walk over the function that collects what happens to each stack object. Blocks come in reverse postorder,
/// so that an address is known before its uses, those in phis excepted, which are looked at last.
struct Scan<'a> {
    function: &'a Function,
    layout: DataLayout,
    /// The candidate that an instruction's value points into, and the offset.
    derived: IdVec<InstId, Option<(usize, u64)>>,
    candidates: Vec<Candidate>,
}

impl Scan<'_> {
    fn instruction(&mut self, block: BlockId, inst: InstId) {
        match &self.function.insts[inst].op {
            Op::Alloca { size, dynamic, scoped, .. } => {
                let action = if *scoped { Action::End } else { Action::Begin };
                if let Some(size) = size.as_int().and_then(|size| u64::try_from(size).ok()).filter(|_| !dynamic) {
                    self.begin_candidate(Event { block, inst, action, via: None }, size);
                }
            }
            Op::LifetimeStart { object } => {
                self.event(*object, Event { block, inst, action: Action::Begin, via: None })
            }
            Op::LifetimeEnd { object } => self.event(*object, Event { block, inst, action: Action::End, via: None }),
            Op::PtrAdd { base, offset } => self.address(block, inst, *base, *offset),
            Op::Load { ptr, .. } => {
                if let Some(ty) = self.function.insts[inst].ty {
                    self.access(block, inst, *ptr, ty, Action::Load);
                }
            }
            Op::Store { ptr, value, .. } => {
                self.escape(*value);
                match self.function.operand_type(*value) {
                    Some(ty) => self.access(block, inst, *ptr, ty, Action::Store),
                    None => self.escape(*ptr),
                }
            }
            Op::MemSet { dst, byte, len, .. } => self.fill(block, inst, *dst, byte.as_int(), len.as_int()),
            Op::Phi { .. } => {}
            op @ (Op::Binary { .. }
            | Op::Overflows { .. }
            | Op::Unary { .. }
            | Op::Compare { .. }
            | Op::FloatBinary { .. }
            | Op::FloatUnary { .. }
            | Op::FloatFma { .. }
            | Op::FloatCompare { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::Arbitrary { .. }
            | Op::Freeze { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | Op::MemCopy { .. }
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::VaStart { .. }
            | Op::VaCopy { .. }
            | Op::VaEnd { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. }) => op.for_each_operand(|operand| self.escape(*operand)),
        }
    }

    /// An address that flows through a phi is not followed.
    fn phis(&mut self) {
        for (_, inst) in self.function.placed_insts() {
            if let Op::Phi { incoming } = &self.function.insts[inst].op {
                incoming.iter().for_each(|(_, operand)| self.escape(*operand));
            }
        }
    }

    fn begin_candidate(&mut self, event: Event, size: u64) {
        self.derived[event.inst] = Some((self.candidates.len(), 0));
        self.candidates.push(Candidate {
            alloca: event.inst,
            size,
            escapes: false,
            accesses: Vec::new(),
            events: vec![event],
        });
    }

    /// The candidate and offset that an operand points to.
    fn target(&self, operand: Operand) -> Option<(usize, u64)> {
        if let Operand::Inst(id) = operand { self.derived[id] } else { None }
    }

    /// The instruction behind an address, unless it is the allocation itself.
    fn via(&self, address: Operand) -> Option<InstId> {
        let Operand::Inst(id) = address else { return None };
        (!matches!(self.function.insts[id].op, Op::Alloca { .. })).then_some(id)
    }

    fn event(&mut self, object: InstId, event: Event) {
        if let Some((candidate, _)) = self.derived[object] {
            self.candidates[candidate].events.push(event);
        }
    }

    fn escape(&mut self, operand: Operand) {
        if let Some((candidate, _)) = self.target(operand) {
            self.candidates[candidate].escapes = true;
        }
    }

    fn address(&mut self, block: BlockId, inst: InstId, base: Operand, offset: Operand) {
        let Some((candidate, start)) = self.target(base) else { return };
        let Some(offset) = offset.as_int() else { return self.escape(base) };
        let sum = Operand::int(self.layout.pointer_bits(), u128::from(start).wrapping_add(offset));
        let sum = sum.as_int().and_then(|sum| u64::try_from(sum).ok());
        self.derived[inst] = Some((candidate, sum.expect("an address has at most 64 bits")));
        let event = Event { block, inst, action: Action::Address, via: self.via(base) };
        self.candidates[candidate].events.push(event);
    }

    fn access(&mut self, block: BlockId, inst: InstId, ptr: Operand, ty: Type, action: fn(u64) -> Action) {
        if let Some((candidate, offset)) = self.target(ptr) {
            let via = self.via(ptr);
            let candidate = &mut self.candidates[candidate];
            candidate.accesses.push(Slot { offset, size: self.layout.store_size(ty), ty });
            candidate.events.push(Event { block, inst, action: action(offset), via });
        }
    }

    fn fill(&mut self, block: BlockId, inst: InstId, dst: Operand, byte: Option<u128>, len: Option<u128>) {
        let Some((candidate, from)) = self.target(dst) else { return };
        let byte = byte.and_then(|byte| u8::try_from(byte).ok());
        let to = len.and_then(|len| u64::try_from(len).ok()).and_then(|len| from.checked_add(len));
        match (byte, to) {
            (Some(byte), Some(to)) => {
                let action = Action::Fill { from, to, byte };
                let via = self.via(dst);
                self.candidates[candidate].events.push(Event { block, inst, action, via });
            }
            (None, _) | (_, None) => self.escape(dst),
        }
    }
}
