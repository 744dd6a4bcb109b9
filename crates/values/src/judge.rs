//! Which obligations hold in every state that a map describes.

use std::collections::BTreeSet;

use belay_ir::{Builtin, Callee, FuncId, FuncKind, InstId, ObligationId, Op, Operand, Program, has_called_type};
use belay_rules::Config;

use crate::eval::{At, Evaluator, Flow};
use crate::lives::Lives;
use crate::map::{Update, ValueMap};
use crate::range::Range;
use crate::value::{Base, Pointer, Value};

/// What a map that describes every state says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judged {
    /// Obligations that may be violated. All others are not.
    pub doubts: BTreeSet<ObligationId>,
    /// Whether a heap block may be made.
    pub makes_blocks: bool,
    /// A read that a run may come to and that is invalid whenever it does: what is behind it is not looked at, which says nothing of the program.
    pub never_valid: Option<ObligationId>,
}

/// Why a map says nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// A run that gets here has no verdict.
    NoVerdict(FuncId, InstId, String),
    /// The map does not allow for this step.
    NotDescribed(Box<Update>),
}

/// Checks that a map describes every state of every run, and says which obligations may be violated.
pub fn judge(program: &Program, config: &Config, map: &ValueMap) -> Result<Judged, Gap> {
    let evaluator = Evaluator::new(program, config.clone());
    check(&evaluator, map)?;
    let lives = Lives::new(&evaluator, map);
    let mut judged = Judged::default();
    for (id, function) in program.functions.iter_enumerated() {
        for (block, body) in function.blocks.iter_enumerated() {
            if !map.is_reached(id, block) {
                continue;
            }
            for (at, inst) in body.insts.iter().enumerate() {
                evaluator.judge_inst(map, &lives, At { function: id, block, at }, *inst, &mut judged);
                let mut ignored = Vec::new();
                if evaluator.step(map, At { function: id, block, at }, *inst, &mut ignored) == Flow::Ends {
                    break;
                }
            }
        }
    }
    Ok(judged)
}

/// Checks that a map describes every state of every run.
pub(crate) fn check(evaluator: &Evaluator<'_>, map: &ValueMap) -> Result<(), Gap> {
    let mut updates = Vec::new();
    evaluator.start(&mut updates);
    allow(map, &mut updates)?;
    let is_formed = map.contents.values().all(|contents| contents.is_well_formed());
    if !is_formed || (!map.wild && !evaluator.covers_starts(map)) {
        return Err(Gap::NotDescribed(Box::new(Update::Wild)));
    }
    for (id, function) in evaluator.program.functions.iter_enumerated() {
        if map.function(id).is_none() {
            continue;
        }
        updates.push(Update::Reach(id, belay_ir::Function::ENTRY));
        allow(map, &mut updates)?;
        for (block, body) in function.blocks.iter_enumerated().filter(|(block, _)| map.is_reached(id, *block)) {
            let mut flow = Flow::GoesOn;
            for (at, inst) in body.insts.iter().enumerate() {
                flow = evaluator.step(map, At { function: id, block, at }, *inst, &mut updates);
                allow(map, &mut updates)?;
                if flow == Flow::Ends {
                    break;
                }
            }
            if flow == Flow::GoesOn {
                evaluator.leave(map, id, block, &mut updates);
                allow(map, &mut updates)?;
            }
        }
    }
    Ok(())
}

fn allow(map: &ValueMap, updates: &mut Vec<Update>) -> Result<(), Gap> {
    for update in updates.drain(..) {
        if let Update::NoVerdict(function, inst, why) = update {
            return Err(Gap::NoVerdict(function, inst, why));
        }
        if !map.covers(&update) {
            return Err(Gap::NotDescribed(Box::new(update)));
        }
    }
    Ok(())
}

impl Evaluator<'_> {
    // A table: one arm an instruction.
    fn judge_inst(&self, map: &ValueMap, lives: &Lives<'_, '_>, at: At, inst: InstId, judged: &mut Judged) {
        let value = |operand: Operand| self.value(map, at, operand);
        let mut doubt = |id: ObligationId, holds: bool| {
            if !holds {
                judged.doubts.insert(id);
            }
        };
        let valid = |pointer: Operand, size: u64, write: bool| self.is_valid(map, lives, &value(pointer), size, write);
        let function = &self.program.functions[at.function];
        match &function.insts[inst].op {
            Op::Check { cond, obligation } => {
                let truth = match value(*cond) {
                    Value::Nothing => Some(true),
                    known => known.number(1).and_then(|truth| truth.as_truth()),
                };
                doubt(*obligation, truth == Some(true));
            }
            Op::Load { ptr, obligation, volatile, .. } => {
                let ty = function.insts[inst].ty;
                let size = ty.map_or(u64::MAX, |ty| self.program.layout.store_size(ty));
                doubt(*obligation, valid(*ptr, size, false));
                let pointer = value(*ptr);
                let reads = ty.is_some_and(|ty| !self.load(map, &pointer.pointer(), ty, *volatile).is_nothing());
                if !pointer.is_nothing() && !reads {
                    judged.never_valid = Some(*obligation);
                }
            }
            Op::Store { ptr, value: stored, obligation, .. } => {
                let size = function.operand_type(*stored).map_or(u64::MAX, |ty| self.program.layout.store_size(ty));
                doubt(*obligation, valid(*ptr, size, true));
            }
            Op::MemCopy { dst, src, len, overlap, obligation } => {
                let size = self.most(&value(*len));
                let apart = *overlap || self.are_apart(&value(*dst).pointer(), &value(*src).pointer());
                doubt(*obligation, apart && valid(*dst, size, true) && valid(*src, size, false));
            }
            Op::MemSet { dst, len, obligation, .. } => {
                doubt(*obligation, valid(*dst, self.most(&value(*len)), true));
            }
            Op::VaStart { obligation, .. } | Op::VaCopy { obligation, .. } => doubt(*obligation, false),
            Op::Call { callee, args, byval_args, obligation, .. } => {
                if let Callee::Indirect(pointer, id) = callee {
                    doubt(*id, self.is_callable(&value(*pointer).pointer(), at, inst));
                }
                let structs = byval_args
                    .iter()
                    .all(|(index, size, _)| args.get(*index as usize).is_some_and(|arg| valid(*arg, *size, false)));
                let (targets, _) = self.targets(map, at, inst);
                let blocks = |id: &FuncId| matches!(self.program.functions[*id].kind, FuncKind::Builtin(builtin) if builtin.makes_block());
                judged.makes_blocks |= targets.iter().any(blocks);
                if let Some(id) = obligation {
                    let kept = structs && targets.iter().all(|target| self.keeps(map, at, *target, args));
                    if !kept {
                        judged.doubts.insert(*id);
                    }
                }
            }
            belay_ir::ops!(values)
            | belay_ir::ops!(lives)
            | Op::VaEnd { .. }
            | Op::Extract { .. }
            | Op::Unsupported { .. } => {}
        }
    }

    fn most(&self, len: &Value) -> u64 {
        let width = self.address_width();
        let (_, most) = len.number(width).unwrap_or(Range::constant(width, 0)).unsigned_bounds();
        u64::try_from(most).unwrap_or(u64::MAX)
    }

    /// Whether an access of so many bytes is valid, wherever the pointer leads.
    fn is_valid(&self, map: &ValueMap, lives: &Lives<'_, '_>, value: &Value, size: u64, write: bool) -> bool {
        let pointer = value.pointer();
        let is_inside = |(base, offset): (&Base, &Range)| {
            let Some((least, _)) = self.size(map, *base) else { return false };
            let (low, high) = offset.signed_bounds();
            let is_writable = match base {
                Base::Global(id) => !write || !self.program.globals[*id].constant,
                Base::Stack(..) | Base::Copy(..) | Base::Heap(..) => true,
                Base::Function(_) | Base::Arguments => false,
            };
            is_writable && low >= 0 && high + i128::from(size) <= i128::from(least) && lives.holds(*base)
        };
        !pointer.null && !pointer.invalid && !pointer.unknown && pointer.targets.iter().all(is_inside)
    }

    /// Whether two pointers lead to different objects.
    fn are_apart(&self, a: &Pointer, b: &Pointer) -> bool {
        !a.unknown && !b.unknown && a.targets.keys().all(|base| !b.targets.contains_key(base))
    }

    fn is_callable(&self, pointer: &Pointer, at: At, inst: InstId) -> bool {
        let caller = &self.program.functions[at.function];
        let fits = |(base, offset): (&Base, &Range)| match base {
            Base::Function(id) => {
                let callee = &self.program.functions[*id];
                offset.single() == Some(0)
                    && callee.is_defined()
                    && has_called_type(callee, caller, inst, self.program.layout)
            }
            Base::Global(_) | Base::Stack(..) | Base::Copy(..) | Base::Heap(..) | Base::Arguments => false,
        };
        !pointer.null && !pointer.invalid && !pointer.unknown && pointer.targets.iter().all(fits)
    }

    /// Whether a function's own obligation at a call is kept.
    fn keeps(&self, map: &ValueMap, at: At, target: FuncId, args: &[Operand]) -> bool {
        let FuncKind::Builtin(builtin) = self.program.functions[target].kind else {
            // The copying of structs, looked at already.
            return self.program.functions[target].is_defined();
        };
        let value = |index: usize| args.get(index).map(|arg| self.value(map, at, *arg)).unwrap_or(Value::Any);
        match builtin {
            Builtin::Assert | Builtin::Precondition => match value(0) {
                Value::Number(range) => range.as_truth() == Some(true),
                Value::Nothing => true,
                Value::Pointer(_) | Value::Any => false,
            },
            Builtin::Free => value(0).pointer() == Pointer::null(),
            Builtin::Strlen | Builtin::Puts | Builtin::Perror => args.first().is_some_and(|text| self.is_text(*text)),
            Builtin::Printf => self.is_plain_format(args, 0),
            Builtin::Malloc
            | Builtin::Calloc
            | Builtin::Realloc
            | Builtin::AlignedBlock
            | Builtin::Abort
            | Builtin::Exit
            | Builtin::ExitNow
            | Builtin::AssertFail
            | Builtin::ErrorCall
            | Builtin::Assume
            | Builtin::Nondet
            | Builtin::Fprintf
            | Builtin::Sprintf
            | Builtin::Snprintf
            | Builtin::Vprintf
            | Builtin::Vfprintf
            | Builtin::Vsprintf
            | Builtin::Vsnprintf
            | Builtin::Fputs
            | Builtin::Putchar
            | Builtin::Sqrt
            | Builtin::Sqrtf
            | Builtin::SameObject
            | Builtin::ObjectSize
            | Builtin::Readable
            | Builtin::Writable
            | Builtin::WholeSize
            | Builtin::PointerOffset
            | Builtin::IsHeapBlock
            | Builtin::Foreign
            | Builtin::Approximate => false,
        }
    }

    /// A constant string.
    fn is_text(&self, operand: Operand) -> bool {
        match operand {
            Operand::Global { global, offset } => {
                let text = u64::try_from(offset).ok().and_then(|at| self.program.globals[global].constant_text(at));
                text.is_some()
            }
            _ => false,
        }
    }

    /// A constant format without conversions: others look at arguments.
    fn is_plain_format(&self, args: &[Operand], index: usize) -> bool {
        let Some(Operand::Global { global, offset }) = args.get(index) else { return false };
        let text = u64::try_from(*offset).ok().and_then(|at| self.program.globals[*global].constant_text(at));
        text.is_some_and(|text| !text.contains(&b'%'))
    }
}
