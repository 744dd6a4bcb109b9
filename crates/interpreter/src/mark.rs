//! Which heap blocks can still be reached. A block that has become unreachable stays so, so that one look at the end of a run
//! decides `valid-memtrack` for all its states.

use belay_base::Id;
use belay_ir::{Cfg, FuncId, LiveValue, Liveness, Op, Property};
use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::contents::Special;
use crate::integers::Integers;
use crate::memory::Life;
use crate::observer::Observer;
use crate::report::{Fault, ObjectInfo, ObjectKind, RunEnd};
use crate::run::{Res, Run};
use crate::value::{Byte, ObjectId, Pointer, Value};

/// How many blocks are reported.
const REPORTED: usize = 16;

/// The blocks found so far.
struct Marks {
    reached: Vec<bool>,
    work: Vec<ObjectId>,
}

impl Marks {
    fn pointer(&mut self, pointer: Pointer) {
        if let Pointer::Object { id, .. } = pointer
            && !std::mem::replace(&mut self.reached[id.index()], true)
        {
            self.work.push(id);
        }
    }

    fn value<Int>(&mut self, value: &Value<Int>) {
        match value {
            Value::Ptr(pointer) | Value::Addr(pointer) => self.pointer(*pointer),
            Value::Raw(bytes) => {
                for byte in bytes {
                    if let Byte::Frag(pointer, _) = byte {
                        self.pointer(*pointer);
                    }
                }
            }
            Value::Int(_) | Value::F32(_) | Value::F64(_) | Value::Bits(_) | Value::Undef(_) => {}
        }
    }
}

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// Records the blocks that are lost and those that were not freed, at the end of the run.
    pub(crate) fn check_heap(&mut self, end: &RunEnd, maybe_lost: &mut Vec<ObjectInfo>) {
        if !self.memory.live().any(|(_, object)| matches!(object.kind, ObjectKind::Heap(_))) {
            return;
        }
        let (ends, judged) = match end {
            RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Aborted => (true, true),
            RunEnd::Violated => (self.violations.iter().any(|found| found.fault.is_failed_assertion()), true),
            RunEnd::BadChoice { .. } => (false, false),
            // What was lost before a false assumption was lost in a state that was reached.
            RunEnd::AssumptionFailed
            | RunEnd::NeedsChoice { .. }
            | RunEnd::Unknown { .. }
            | RunEnd::Exhausted(_)
            | RunEnd::Recurs { .. } => (false, true),
        };
        if !judged {
            return;
        }
        let mut reported = 0;
        for id in self.lost_blocks() {
            let info = self.describe(id);
            if self.memory.object(id).exposed {
                maybe_lost.push(info);
            } else if reported < REPORTED {
                reported += 1;
                self.record(Property::ValidMemtrack, None, Fault::Lost(info));
            }
        }
        if ends {
            for id in self.live_blocks().into_iter().take(REPORTED) {
                let info = self.describe(id);
                self.record(Property::MemCleanup, None, Fault::NotFreed(info));
            }
        }
    }

    /// The live heap blocks, in the order of their allocation.
    fn live_blocks(&self) -> Vec<ObjectId> {
        let number = |object: &crate::memory::Object| match object.kind {
            ObjectKind::Heap(number) => Some(number),
            ObjectKind::Global(_)
            | ObjectKind::Function(_)
            | ObjectKind::Stack(..)
            | ObjectKind::ByValue(..)
            | ObjectKind::Variadic(_)
            | ObjectKind::Arguments
            | ObjectKind::ArgumentString(_)
            | ObjectKind::EntryArgument(_) => None,
        };
        let mut blocks: Vec<_> = self.memory.live().filter_map(|(id, object)| Some((number(object)?, id))).collect();
        blocks.sort_unstable_by_key(|(number, _)| *number);
        blocks.into_iter().map(|(_, id)| id).collect()
    }

    /// The live heap blocks that cannot be reached from globals, live stack objects, values that frames will still use,
    /// or the value being returned.
    pub(crate) fn lost_blocks(&self) -> Vec<ObjectId> {
        let mut marks = Marks { reached: vec![false; self.memory.object_count()], work: Vec::new() };
        for (id, object) in self.memory.live() {
            if !matches!(object.kind, ObjectKind::Heap(_)) {
                marks.pointer(Pointer::Object { id, offset: 0 });
            }
        }
        self.returned.iter().for_each(|(value, _)| marks.value(value));
        self.mark_frames(&mut marks);
        while let Some(id) = marks.work.pop() {
            if self.memory.object(id).life == Life::Dead {
                continue;
            }
            for (_, special) in self.memory.object(id).contents.specials() {
                if let Special::Ptr(pointer, _) | Special::Frag(pointer, _) = special {
                    marks.pointer(*pointer);
                }
            }
        }
        self.live_blocks().into_iter().filter(|id| !marks.reached[id.index()]).collect()
    }

    fn mark_frames(&self, marks: &mut Marks) {
        let mut liveness: FxHashMap<FuncId, Liveness> = FxHashMap::default();
        let mut live_at: FxHashMap<(FuncId, usize), Vec<u32>> = FxHashMap::default();
        for (index, frame) in self.frames.iter().enumerate() {
            let innermost = index + 1 == self.frames.len();
            let pc = if innermost { self.pc } else { frame.pc };
            let function = frame.code.function;
            let registers = live_at.entry((function, pc)).or_insert_with(|| {
                let body = &self.program.functions[function];
                let liveness = liveness.entry(function).or_insert_with(|| Liveness::new(body, &Cfg::new(body)));
                self.live_registers(frame.code, pc, liveness)
            });
            for register in registers.iter() {
                marks.value(&self.registers[frame.base + *register as usize]);
            }
            if innermost {
                self.mark_operands(frame.code, pc, marks);
            }
            for arg in frame.variadic.iter().flat_map(|variadic| &variadic.args) {
                marks.value(&arg.value);
            }
        }
    }

    /// The registers that are still needed after an instruction.
    fn live_registers(&self, code: &Code, pc: usize, liveness: &Liveness) -> Vec<u32> {
        let function = &self.program.functions[code.function];
        let Some(origin) = code.origins.get(pc) else { return Vec::new() };
        let live = liveness.live_after(function, origin.block, origin.index as usize);
        let mut registers = Vec::new();
        for value in live {
            match value {
                LiveValue::Param(index) => registers.push(index),
                LiveValue::Inst(inst) => match code.register_of[inst.index()] {
                    Some(register) => registers.push(register),
                    None => registers.extend(function.placed_insts().filter_map(|(_, id)| {
                        let Op::Extract { call, .. } = function.insts[id].op else { return None };
                        (call == inst).then(|| code.register_of[id.index()]).flatten()
                    })),
                },
            }
        }
        registers
    }

    /// What the instruction at hand uses, which has not been executed.
    fn mark_operands(&self, code: &Code, pc: usize, marks: &mut Marks) {
        let function = &self.program.functions[code.function];
        let Some(origin) = code.origins.get(pc) else { return };
        let base = self.base;
        let mut mark = |operand: &belay_ir::Operand| {
            let register = match LiveValue::of(*operand) {
                Some(LiveValue::Param(index)) => Some(index),
                Some(LiveValue::Inst(inst)) => code.register_of[inst.index()],
                None => None,
            };
            if let Some(value) = register.and_then(|register| self.registers.get(base + register as usize)) {
                marks.value(value);
            }
        };
        match origin.inst {
            Some(inst) => function.insts[inst].op.for_each_operand(&mut mark),
            None => function.blocks[origin.block].term.for_each_operand(&mut mark),
        }
    }

    /// Runs, and says whether the heap block of this number is lost where the run stops; and where that is.
    pub(crate) fn run_and_look(mut self, block: u64) -> (bool, Vec<crate::report::StackEntry>) {
        let ended: Res<RunEnd> = self.execute();
        if let Err(stop) = ended {
            self.finish(*stop);
        }
        let lost = self.lost_blocks();
        let lost = lost.iter().any(|id| self.memory.object(*id).kind == ObjectKind::Heap(block));
        (lost, self.stack())
    }
}
