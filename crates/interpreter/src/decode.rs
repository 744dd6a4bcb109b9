//! Decoding: from a function of the program to [`Code`].

use belay_base::{Id, IdVec};
use belay_ir::{BlockId, Callee, FuncId, Function, InstId, Op, Operand, Program, Terminator, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{CallSite, Code, Edge, EdgeId, Inst, Origin, Reg, ResultSlot, Slot, Switch, Target};

/// Decodes a function that has a body.
pub(crate) fn decode(program: &Program, id: FuncId) -> Code {
    let function = &program.functions[id];
    let mut decoder = Decoder::new(function, id);
    for (block, _) in function.blocks.iter_enumerated() {
        decoder.block(block);
    }
    decoder.resolve_edges();
    decoder.code
}

struct Decoder<'p> {
    function: &'p Function,
    code: Code,
    small_ints: FxHashMap<(u16, u128), Slot>,
    /// The first decoded instruction and the cost of each block.
    starts: IdVec<BlockId, (u32, u32)>,
    /// The target of each edge, and whether it closes a cycle.
    targets: Vec<BlockId>,
    retreating: FxHashSet<(BlockId, BlockId)>,
    extracts: FxHashMap<InstId, Vec<ResultSlot>>,
    used: Vec<bool>,
}

impl<'p> Decoder<'p> {
    fn new(function: &'p Function, id: FuncId) -> Self {
        let mut registers = function.params.len() as u32;
        let mut register_of = vec![None; function.insts.len()];
        let mut extracts: FxHashMap<InstId, Vec<ResultSlot>> = FxHashMap::default();
        for (_, inst) in function.placed_insts() {
            let Some(ty) = function.insts[inst].ty else { continue };
            register_of[inst.index()] = Some(registers);
            if let Op::Extract { call, index } = function.insts[inst].op {
                extracts.entry(call).or_default().push(ResultSlot { index, dst: registers, ty });
            }
            registers += 1;
        }
        let code = Code::of(id, registers, register_of);
        Self {
            function,
            code,
            small_ints: FxHashMap::default(),
            starts: IdVec::new(),
            targets: Vec::new(),
            retreating: retreating_edges(function),
            extracts,
            used: find_used_values(function),
        }
    }

    fn slot(&mut self, operand: Operand) -> Slot {
        match operand {
            Operand::Param(index) => return Slot::register(index),
            Operand::Inst(inst) => {
                // The verifier sees to it that a used instruction has a value and stands in a block.
                let register = self.code.register_of.get(inst.index()).copied().flatten();
                return register.map_or_else(|| self.constant(Operand::Undef(Type::BOOL)), Slot::register);
            }
            Operand::Int { width, value } => {
                if let Some(slot) = self.small_ints.get(&(width, value)) {
                    return *slot;
                }
                let slot = self.constant(operand);
                self.small_ints.insert((width, value), slot);
                return slot;
            }
            Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_)
            | Operand::Undef(_) => {}
        }
        self.constant(operand)
    }

    fn constant(&mut self, operand: Operand) -> Slot {
        self.code.constants.push(operand);
        Slot::constant(self.code.constants.len() - 1)
    }

    fn type_of(&self, operand: Operand) -> Type {
        self.function.operand_type(operand).unwrap_or(Type::BOOL)
    }

    fn width_of(&self, operand: Operand) -> u16 {
        self.type_of(operand).int_width().unwrap_or(1)
    }

    fn block(&mut self, id: BlockId) {
        let block = &self.function.blocks[id];
        let start = self.code.insts.len() as u32;
        for (index, inst) in block.insts.iter().enumerate() {
            if let Some(decoded) = self.inst(id, *inst) {
                let span = self.function.insts[*inst].span;
                self.code.insts.push(decoded);
                self.code.origins.push(Origin { block: id, index: index as u32, inst: Some(*inst), span });
            }
        }
        let decoded = self.terminator(id, &block.term);
        self.code.insts.push(decoded);
        let index = block.insts.len() as u32;
        self.code.origins.push(Origin { block: id, index, inst: None, span: block.term_span });
        let cost = self.code.insts.len() as u32 - start;
        self.starts.push((start, cost));
        if id == Function::ENTRY {
            self.code.entry_cost = cost;
        }
    }

    fn edge(&mut self, from: BlockId, to: BlockId) -> EdgeId {
        let first = self.code.moves.len() as u32;
        for inst in &self.function.blocks[to].insts {
            let Op::Phi { incoming } = &self.function.insts[*inst].op else { break };
            let value = incoming.iter().find(|(block, _)| *block == from).map(|(_, value)| *value);
            let dst = self.code.register_of[inst.index()];
            if let (Some(value), Some(dst)) = (value, dst) {
                let slot = self.slot(value);
                self.code.moves.push((dst, slot));
            }
        }
        let moves = (first, self.code.moves.len() as u32);
        let back = self.retreating.contains(&(from, to));
        let tangled = is_tangled(&self.code.moves[first as usize..]);
        self.code.edges.push(Edge { pc: 0, cost: 0, moves, tangled, back });
        self.targets.push(to);
        self.code.edges.len() as u32 - 1
    }

    fn resolve_edges(&mut self) {
        for (edge, target) in self.code.edges.iter_mut().zip(&self.targets) {
            (edge.pc, edge.cost) = self.starts[*target];
        }
    }

    fn terminator(&mut self, from: BlockId, term: &Terminator) -> Inst {
        match term {
            Terminator::Jump(target) => Inst::Jump { edge: self.edge(from, *target) },
            Terminator::Branch { cond, then, otherwise } => Inst::Branch {
                cond: self.slot(*cond),
                then: self.edge(from, *then),
                otherwise: self.edge(from, *otherwise),
            },
            Terminator::Switch { value, cases, default } => {
                let mut edges: Vec<_> = cases.iter().map(|(case, target)| (*case, self.edge(from, *target))).collect();
                edges.sort_by_key(|(case, _)| *case);
                let switch = Switch {
                    value: self.slot(*value),
                    width: self.width_of(*value),
                    cases: edges.into(),
                    default: self.edge(from, *default),
                };
                self.code.switches.push(switch);
                Inst::Switch { index: self.code.switches.len() as u32 - 1 }
            }
            Terminator::Return(values) => {
                let first = self.code.returned.len() as u32;
                for value in values {
                    let entry = (self.slot(*value), self.type_of(*value));
                    self.code.returned.push(entry);
                }
                Inst::Return { first, count: values.len() as u32 }
            }
            Terminator::Unreachable { .. } => Inst::Unreachable,
        }
    }

    fn call(&mut self, inst: InstId, op: &Op, ty: Option<Type>, dst: Reg) -> Option<Inst> {
        let Op::Call { callee, args, byval_args, obligation, variadic } = op else { return None };
        let target = match callee {
            Callee::Direct(function) => Target::Direct(*function),
            Callee::Indirect(pointer, obligation) => Target::Indirect(self.slot(*pointer), *obligation),
        };
        let mut results: Vec<ResultSlot> = ty.map(|ty| ResultSlot { index: 0, dst, ty }).into_iter().collect();
        let extracts = self.extracts.remove(&inst).unwrap_or_default();
        let result_used = self.used[inst.index()] || !extracts.is_empty();
        results.extend(extracts);
        let site = CallSite {
            target,
            args: args.iter().map(|arg| self.slot(*arg)).collect(),
            types: args.iter().map(|arg| self.type_of(*arg)).collect(),
            variadic: *variadic,
            byval: byval_args.as_slice().into(),
            obligation: *obligation,
            expected: results.iter().map(|result| (result.index, result.ty)).collect(),
            results: results.into(),
            result_used,
        };
        self.code.calls.push(site);
        Some(Inst::Call { site: self.code.calls.len() as u32 - 1 })
    }

    /// The decoded instruction; none for what needs none.
    // A table: one arm an instruction.
    fn inst(&mut self, block: BlockId, id: InstId) -> Option<Inst> {
        let function = self.function;
        let inst = &function.insts[id];
        let ty = inst.ty.unwrap_or(Type::BOOL);
        let dst = self.code.register_of[id.index()].unwrap_or_default();
        Some(match &inst.op {
            Op::Binary { op, lhs, rhs } => {
                Inst::Binary { op: *op, width: self.width_of(*lhs), dst, a: self.slot(*lhs), b: self.slot(*rhs) }
            }
            Op::Overflows { op, signed, lhs, rhs } => {
                let (a, b) = (self.slot(*lhs), self.slot(*rhs));
                Inst::Overflows { op: *op, signed: *signed, width: self.width_of(*lhs), dst, a, b }
            }
            Op::Unary { op, value } => {
                Inst::Unary { op: *op, width: self.width_of(*value), dst, value: self.slot(*value) }
            }
            Op::Compare { op, lhs, rhs } => {
                let (a, b) = (self.slot(*lhs), self.slot(*rhs));
                match self.type_of(*lhs) {
                    Type::Ptr => Inst::ComparePtr { op: *op, dst, a, b },
                    Type::Int(width) => Inst::CompareInt { op: *op, width, dst, a, b },
                    Type::F32 | Type::F64 => Inst::Unsupported,
                }
            }
            Op::FloatBinary { op, lhs, rhs } => {
                Inst::FloatBinary { op: *op, ty, dst, a: self.slot(*lhs), b: self.slot(*rhs) }
            }
            Op::FloatUnary { op, value } => Inst::FloatUnary { op: *op, ty, dst, value: self.slot(*value) },
            Op::FloatFma { a, b, c } => {
                Inst::FloatFma { ty, dst, operands: [self.slot(*a), self.slot(*b), self.slot(*c)] }
            }
            Op::FloatCompare { op, lhs, rhs } => {
                let ty = self.type_of(*lhs);
                Inst::FloatCompare { op: *op, ty, dst, a: self.slot(*lhs), b: self.slot(*rhs) }
            }
            Op::Cast { op, value } => {
                Inst::Cast { op: *op, from: self.type_of(*value), to: ty, dst, value: self.slot(*value) }
            }
            Op::PtrAdd { base, offset } => Inst::PtrAdd { dst, base: self.slot(*base), offset: self.slot(*offset) },
            Op::Select { cond, then, otherwise } => {
                let (cond, then, otherwise) = (self.slot(*cond), self.slot(*then), self.slot(*otherwise));
                Inst::Select { dst, cond, then, otherwise }
            }
            Op::Phi { .. } | Op::Extract { .. } => return None,
            Op::Arbitrary { uninit } => Inst::Arbitrary { dst, ty, uninit: uninit.is_some() },
            Op::Freeze { value } => Inst::Freeze { dst, value: self.slot(*value) },
            Op::Alloca { size, align, scoped, dynamic } => {
                let entry = block == Function::ENTRY && !dynamic;
                if entry {
                    self.code.entry_allocas.push(dst);
                }
                let size = self.slot(*size);
                Inst::Alloca { dst, size, align: *align, scoped: *scoped, dynamic: *dynamic, entry }
            }
            Op::LifetimeStart { object } => {
                Inst::LifetimeStart { object: self.code.register_of[object.index()].unwrap_or_default() }
            }
            Op::LifetimeEnd { object } => {
                Inst::LifetimeEnd { object: self.code.register_of[object.index()].unwrap_or_default() }
            }
            Op::StackSave => Inst::StackSave { dst },
            Op::StackRestore { mark } => Inst::StackRestore { mark: self.slot(*mark) },
            Op::Load { ptr, obligation, align: _, volatile: _ } => {
                Inst::Load { dst, ty, ptr: self.slot(*ptr), obligation: *obligation }
            }
            Op::Store { ptr, value, obligation, align: _, volatile: _ } => {
                let ty = self.type_of(*value);
                Inst::Store { ptr: self.slot(*ptr), value: self.slot(*value), ty, obligation: *obligation }
            }
            Op::MemCopy { dst, src, len, overlap, obligation } => {
                let (dst, src, len) = (self.slot(*dst), self.slot(*src), self.slot(*len));
                Inst::MemCopy { dst, src, len, overlap: *overlap, obligation: *obligation }
            }
            Op::MemSet { dst, byte, len, obligation } => {
                let (dst, byte, len) = (self.slot(*dst), self.slot(*byte), self.slot(*len));
                Inst::MemSet { dst, byte, len, obligation: *obligation }
            }
            Op::Call { .. } => return self.call(id, &inst.op, inst.ty, dst),
            Op::VaStart { list, obligation } => Inst::VaStart { list: self.slot(*list), obligation: *obligation },
            Op::VaCopy { dst, src, obligation } => {
                Inst::VaCopy { dst: self.slot(*dst), src: self.slot(*src), obligation: *obligation }
            }
            Op::VaEnd { .. } => Inst::VaEnd,
            Op::Check { cond, obligation } => Inst::Check { cond: self.slot(*cond), obligation: *obligation },
            Op::Unsupported { .. } => Inst::Unsupported,
        })
    }
}

/// True if a move reads what one before it writes.
fn is_tangled(moves: &[(Reg, Slot)]) -> bool {
    let written: FxHashSet<Reg> = moves.iter().map(|(dst, _)| *dst).collect();
    let reads = |slot: &Slot| !slot.is_constant() && written.contains(&(slot.index() as Reg));
    // A phi that keeps its value is no hindrance.
    moves.iter().any(|(dst, src)| reads(src) && src.index() != *dst as usize)
}

/// Which values some placed instruction or terminator uses.
fn find_used_values(function: &Function) -> Vec<bool> {
    let mut used = vec![false; function.insts.len()];
    let mut mark = |operand: &Operand| {
        if let Operand::Inst(id) = operand {
            used[id.index()] = true;
        }
    };
    for (_, inst) in function.placed_insts() {
        function.insts[inst].op.for_each_operand(&mut mark);
    }
    for block in function.blocks.iter() {
        block.term.for_each_operand(&mut mark);
    }
    used
}

/// The edges to a block that a depth-first walk has not left yet: each cycle has one.
fn retreating_edges(function: &Function) -> FxHashSet<(BlockId, BlockId)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = IdVec::filled(Visit::New, function.blocks.len());
    let mut edges = FxHashSet::default();
    let mut path = Vec::new();
    if !function.blocks.is_empty() {
        visits[Function::ENTRY] = Visit::Open;
        path.push((Function::ENTRY, function.blocks[Function::ENTRY].term.successors(), 0));
    }
    while let Some((block, successors, next)) = path.last_mut() {
        let Some(target) = successors.get(*next).copied() else {
            visits[*block] = Visit::Done;
            path.pop();
            continue;
        };
        *next += 1;
        match visits[target] {
            Visit::New => {
                visits[target] = Visit::Open;
                path.push((target, function.blocks[target].term.successors(), 0));
            }
            Visit::Open => {
                edges.insert((*block, target));
            }
            Visit::Done => {}
        }
    }
    edges
}
