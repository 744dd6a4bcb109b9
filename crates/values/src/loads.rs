//! Reads of what was read or written just before: `if (n < 10) a[n] = 0` reads a global twice.
//!
//! **Claim.** Where a load is paired with an operand, the value that it reads is the operand's, each time that it is executed.
//!
//! **Soundness.** Control comes to a block with one predecessor from there alone; so upwards from a load there is one way, as far as such blocks reach and no further than the first that was seen.
//! On this way the last load or store of the same type at the same address is looked for: the same register (which is not computed anew on the way, for it would have
//! to be between) or the same constant. Between the two nothing writes memory there: no other store but to another named object or a distance of at least its
//! size away in the same one, no copy, no call but of built-in functions and of those that change nothing ([`belay_ir::changes_nothing`]), and no end or start of a life. So the bytes are
//! those that were read or written. Volatile accesses are left out. The operand is a register that is computed at the earlier load, or one that dominates the store, and is
//! not computed anew between, since the way does not come by its place again.

use std::collections::BTreeMap;

use belay_ir::{
    BlockId, Builtin, Callee, Cfg, FuncId, FuncKind, Function, InstId, Op, Operand, Program, Type, changes_nothing,
};

/// What is known to stand where: address, type and value.
#[derive(Clone, Copy)]
struct Known {
    address: Operand,
    ty: Type,
    value: Operand,
}

/// The loads whose value is an operand's.
pub(crate) fn find_known(program: &Program, function: &Function, cfg: &Cfg) -> BTreeMap<InstId, Operand> {
    let mut found = BTreeMap::new();
    let mut pure: BTreeMap<FuncId, bool> = BTreeMap::new();
    // What is known at the end of each block, filled in an order in which a single predecessor comes first.
    let mut at_end: BTreeMap<BlockId, Vec<Known>> = BTreeMap::new();
    for block in cfg.reverse_postorder() {
        let mut known = match cfg.predecessors(*block) {
            [before] if cfg.position(*before) < cfg.position(*block) => at_end.get(before).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        for inst in &function.blocks[*block].insts {
            step(program, function, *inst, &mut known, &mut found, &mut pure);
        }
        at_end.insert(*block, known);
    }
    found
}

/// So much is remembered at once: the last.
const MAX_KNOWN: usize = 24;

fn step(
    program: &Program,
    function: &Function,
    inst: InstId,
    known: &mut Vec<Known>,
    found: &mut BTreeMap<InstId, Operand>,
    pure: &mut BTreeMap<FuncId, bool>,
) {
    // A register that is computed now is not the one of which something was known.
    let is_own = |operand: Operand| operand == Operand::Inst(inst);
    known.retain(|one| !is_own(one.address) && !is_own(one.value));
    match &function.insts[inst].op {
        Op::Load { ptr, volatile: false, .. } => {
            let Some(ty) = function.insts[inst].ty else { return };
            match known.iter_mut().find(|one| one.address == *ptr && one.ty == ty) {
                // Facts are about the last one that was read.
                Some(one) => drop(found.insert(inst, std::mem::replace(&mut one.value, Operand::Inst(inst)))),
                None => remember(known, Known { address: *ptr, ty, value: Operand::Inst(inst) }),
            }
        }
        Op::Store { ptr, value, volatile: false, .. } => {
            let Some(ty) = function.operand_type(*value) else { return known.clear() };
            known.retain(|one| are_apart(program, function, (one.address, one.ty), (*ptr, ty)));
            remember(known, Known { address: *ptr, ty, value: *value });
        }
        Op::Call { callee: Callee::Direct(callee), .. } => {
            let keeps = match program.functions[*callee].kind {
                FuncKind::Builtin(Builtin::Nondet | Builtin::Assert | Builtin::Assume | Builtin::Precondition) => true,
                FuncKind::Defined => *pure.entry(*callee).or_insert_with(|| changes_nothing(program, *callee)),
                FuncKind::Builtin(_) | FuncKind::Extern => false,
            };
            if !keeps {
                known.clear();
            }
        }
        Op::Store { .. }
        | Op::MemCopy { .. }
        | Op::MemSet { .. }
        | Op::Call { .. }
        | belay_ir::ops!(lives)
        | belay_ir::ops!(variadic)
        | Op::Unsupported { .. } => known.clear(),
        belay_ir::ops!(values) | Op::Load { .. } | Op::Extract { .. } | Op::Check { .. } => {}
    }
}

fn remember(known: &mut Vec<Known>, one: Known) {
    if known.len() >= MAX_KNOWN {
        known.remove(0);
    }
    known.push(one);
}

/// Whether two accesses touch no common byte: of different variables, or far enough apart in one.
fn are_apart(program: &Program, function: &Function, (a, of_a): (Operand, Type), (b, of_b): (Operand, Type)) -> bool {
    if let (Some(x), Some(y)) = (object_of(function, a), object_of(function, b))
        && x != y
    {
        // Literals may share bytes, but are not written. An access that leaves its object ends the run.
        return true;
    }
    let (Operand::Global { global: x, offset: i }, Operand::Global { global: y, offset: j }) = (a, b) else {
        return false;
    };
    if x != y {
        return true;
    }
    let size = |ty: Type| program.layout.store_size(ty) as i64;
    i.saturating_add(size(of_a)) <= j || j.saturating_add(size(of_b)) <= i
}

/// The variable that an address is made from by adding to it: a static object, or a stack object of this activation.
pub(crate) fn object_of(function: &Function, address: Operand) -> Option<Operand> {
    match address {
        Operand::Global { global, .. } => Some(Operand::Global { global, offset: 0 }),
        Operand::Inst(id) => match &function.insts[id].op {
            Op::Alloca { .. } => Some(address),
            Op::PtrAdd { base, .. } => object_of(function, *base),
            _ => None,
        },
        Operand::Param(_)
        | Operand::Int { .. }
        | Operand::F32(_)
        | Operand::F64(_)
        | Operand::Null
        | Operand::Func(_)
        | Operand::Undef(_) => None,
    }
}
