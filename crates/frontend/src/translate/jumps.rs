//! `setjmp` and `longjmp` as ordinary control flow, so that every execution follows them.
//!
//! *Idea.* A jump back is a return from each function in between. `longjmp` writes into three variables where it goes to and with what value, and
//! its function returns; behind each call that may end so stands a question whether a jump is under way. The function that called `setjmp` knows itself by
//! the address of a stack object of its own, the *token*, which `setjmp` writes into the buffer together with the number of the call;
//! where the two agree control goes on behind that call, with the value as its result.
//!
//! *Why it is the meaning of C (7.13).* The token lives exactly as long as the activation, so "the function that called `setjmp` has returned"
//! (undefined) is a read of a dead object: `longjmp` reads the token. A buffer without a token is a read of undefined bytes or
//! of null. As the token is alive, some function on the stack has it, and all above it return; their stack objects end with that, as C says. In the function
//! that goes on, objects of inner blocks that were entered since end where control comes back.
//! A local that is not volatile and was written since `setjmp` is indeterminate: a flag for each such local and call of `setjmp` says whether it was. One whose address
//! went elsewhere might have been written by anybody: nothing is known of it, and a run that reads it has no verdict. A local that is a buffer and nothing else (by its
//! size) keeps what it holds: only `setjmp` writes one.
//!
//! *Where it gives up.* Arrays of variable length and `alloca` beside `setjmp`; an object whose block may or may not be entered at
//! `setjmp`; values in registers that live across the call, as C allows it to stand in a few places only; jumps out of functions that `exit` runs;
//! a `setjmp` in a loop that fills one buffer after the other, where locals are written.

use belay_base::{Id, Span};
use belay_ir::{
    Block, BlockId, Builtin, CType, Callee, Cfg, Dominators, FuncId, FuncKind, Function, Global, GlobalId, GlobalInit,
    Inst, InstId, IntPredicate, Obligation, ObligationDetail, ObligationId, Op, Operand, Program, Property, Terminator,
    Type,
};
use rustc_hash::FxHashMap;

use super::function::empty_block;

mod calls;
mod changes;

use calls::Calls;
use changes::{Changes, find_changes};

/// True for what remembers a place.
pub fn is_setjmp(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp")
}

/// True for what goes back to a `setjmp`.
pub fn is_longjmp(name: &str) -> bool {
    matches!(name, "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk")
}

/// Puts ordinary control flow in place of all calls of `setjmp` and `longjmp`.
pub fn lower_jumps(program: &mut Program) {
    let calls = Calls::find(program);
    if calls.longjmp.is_empty() {
        return;
    }
    let jump = Jump::declare(program);
    let foreign = foreign_id(program);
    for id in program.functions.ids().collect::<Vec<_>>() {
        if !program.functions[id].is_defined() || !calls.concern(&program.functions[id]) {
            continue;
        }
        let lowered = Lowering::new(program, id, &calls, jump, foreign).run(true);
        let lowered = lowered.filter(is_well_formed);
        let lowered = lowered.or_else(|| Lowering::new(program, id, &calls, jump, foreign).run(false));
        if let Some(function) = lowered {
            program.functions[id] = function;
        }
    }
}

/// The variables that say which jump is under way: the token it goes to (null: none), the call of `setjmp`, the value.
#[derive(Clone, Copy)]
struct Jump {
    token: GlobalId,
    site: GlobalId,
    value: GlobalId,
}

impl Jump {
    fn declare(program: &mut Program) -> Self {
        let bytes = program.layout.pointer_bytes();
        let mut variable = |name: &str, size: u64, ctype| {
            program.globals.push(Global {
                name: format!("__belay_jump_{name}"),
                size: Some(size),
                align: size as u32,
                init: Some(GlobalInit { bytes: Vec::new(), relocations: Vec::new() }),
                constant: false,
                literal: false,
                ctype,
                span: Span::NONE,
            })
        };
        Jump {
            token: variable("token", bytes, CType::Pointer),
            site: variable("site", 4, CType::Signed),
            value: variable("value", 4, CType::Signed),
        }
    }
}

fn foreign_id(program: &mut Program) -> FuncId {
    const NAME: &str = "__belay_foreign";
    if let Some(id) = program.function_named(NAME) {
        return id;
    }
    let params = vec![belay_ir::Param { name: "object".to_owned(), ty: Type::Ptr, byval: None }];
    let kind = FuncKind::Builtin(Builtin::Foreign);
    program.functions.push(Function { params, ..Function::empty(NAME, kind) })
}

/// One function while its jumps are put into the control flow.
struct Lowering<'p> {
    program: &'p mut Program,
    id: FuncId,
    /// How many obligations of valid access it has.
    obligations: u32,
    function: Function,
    calls: &'p Calls,
    jump: Jump,
    foreign: FuncId,
    /// Where control goes when a jump is under way.
    unwind: BlockId,
    /// Where control comes back to, by the number of the `setjmp`: the landing block.
    landings: Vec<BlockId>,
    token: Option<InstId>,
    changes: FxHashMap<InstId, Changes>,
    span: Span,
}

const I32: Type = Type::Int(32);

impl<'p> Lowering<'p> {
    fn new(program: &'p mut Program, id: FuncId, calls: &'p Calls, jump: Jump, foreign: FuncId) -> Self {
        let mut function = program.functions[id].clone();
        let unwind = function.blocks.push(empty_block("jump".to_owned()));
        let is_own = |one: &&Obligation| one.function == id && one.property == Property::ValidDeref;
        let obligations = program.obligations.iter().filter(is_own).count() as u32;
        Lowering {
            program,
            id,
            function,
            calls,
            jump,
            foreign,
            unwind,
            landings: Vec::new(),
            token: None,
            changes: FxHashMap::default(),
            obligations,
            span: Span::NONE,
        }
    }

    /// The function with its jumps; `None` if control can't come back here in a way that is followed. Without `returns` each `setjmp` is refused.
    fn run(mut self, returns: bool) -> Option<Function> {
        let sites = self.placed(|calls, op| calls.is_setjmp(op));
        if returns && !sites.is_empty() {
            self.changes = find_changes(&self.function, &sites, |op| self.calls.is_setjmp(op))?;
            self.make_token();
            self.note_changes();
        }
        let mut block = Function::ENTRY;
        while block.index() < self.function.blocks.len() {
            self.lower_first_call(block, returns)?;
            block = BlockId(block.0 + 1);
        }
        self.fill_unwind();
        Some(self.function)
    }

    fn placed(&self, wanted: impl Fn(&Calls, &Op) -> bool) -> Vec<InstId> {
        let placed = self.function.placed_insts().map(|(_, inst)| inst);
        placed.filter(|inst| wanted(self.calls, &self.function.insts[*inst].op)).collect()
    }

    // Building.

    fn make(&mut self, op: Op, ty: Option<Type>) -> InstId {
        self.function.insts.push(Inst { op, ty, span: self.span })
    }

    fn push(&mut self, block: BlockId, op: Op, ty: Option<Type>) -> Operand {
        let id = self.make(op, ty);
        self.function.blocks[block].insts.push(id);
        Operand::Inst(id)
    }

    fn obligation(&mut self, detail: ObligationDetail) -> ObligationId {
        self.obligations += 1;
        self.program.add_obligation(Property::ValidDeref, self.id, self.span, detail, self.obligations)
    }

    fn load(&mut self, block: BlockId, ptr: Operand, ty: Type, detail: ObligationDetail) -> Operand {
        let obligation = self.obligation(detail);
        self.push(block, Op::Load { ptr, align: 1, volatile: false, obligation }, Some(ty))
    }

    fn store(&mut self, block: BlockId, ptr: Operand, value: Operand, detail: ObligationDetail) {
        let obligation = self.obligation(detail);
        self.push(block, Op::Store { ptr, value, align: 1, volatile: false, obligation }, None);
    }

    fn number(&self, value: u64) -> Operand {
        Operand::int(self.program.layout.pointer_bits(), value.into())
    }

    fn behind(&mut self, block: BlockId, base: Operand) -> Operand {
        let offset = self.number(self.program.layout.pointer_bytes());
        self.push(block, Op::PtrAdd { base, offset }, Some(Type::Ptr))
    }

    fn end(&mut self, block: BlockId, term: Terminator) {
        self.function.blocks[block].term = term;
        self.function.blocks[block].term_span = self.span;
    }

    /// A stack object of the whole function that starts as 0.
    fn make_slot(&mut self, bytes: u64) -> InstId {
        let size = self.number(bytes);
        let slot = self.make(Op::Alloca { size, align: bytes as u32, scoped: false, dynamic: false }, Some(Type::Ptr));
        let obligation = self.obligation(ObligationDetail::Store);
        let value = Operand::int(8 * bytes as u16, 0);
        let ptr = Operand::Inst(slot);
        let zero = self.make(Op::Store { ptr, value, align: 1, volatile: false, obligation }, None);
        self.function.blocks[Function::ENTRY].insts.splice(0..0, [slot, zero]);
        slot
    }

    fn make_token(&mut self) {
        self.span = self.function.span;
        self.token = Some(self.make_slot(4));
    }

    /// A flag for each local that may be written after each `setjmp`, set behind each write.
    fn note_changes(&mut self) {
        let mut flags: FxHashMap<InstId, Vec<InstId>> = FxHashMap::default();
        let mut sites: Vec<InstId> = self.changes.keys().copied().collect();
        sites.sort();
        for site in sites {
            for index in 0..self.changes[&site].written.len() {
                let flag = self.make_slot(1);
                let written = self.changes.get_mut(&site).map(|changes| &mut changes.written[index]);
                let Some(written) = written else { continue };
                written.flag = Some(flag);
                for write in &written.writes {
                    flags.entry(*write).or_default().push(flag);
                }
            }
        }
        for block in self.function.blocks.ids() {
            let mut insts = Vec::new();
            for inst in std::mem::take(&mut self.function.blocks[block].insts) {
                insts.push(inst);
                for flag in flags.get(&inst).into_iter().flatten() {
                    self.span = self.function.insts[inst].span;
                    let obligation = self.obligation(ObligationDetail::Store);
                    let (ptr, value) = (Operand::Inst(*flag), Operand::int(8, 1));
                    insts.push(self.make(Op::Store { ptr, value, align: 1, volatile: false, obligation }, None));
                }
            }
            self.function.blocks[block].insts = insts;
        }
    }

    // Calls.

    /// Treats the first call of a block that matters; what stands behind it becomes a block of its own, which is looked at later.
    fn lower_first_call(&mut self, block: BlockId, returns: bool) -> Option<()> {
        let insts = &self.function.blocks[block].insts;
        let matters = |inst: &InstId| {
            let op = &self.function.insts[*inst].op;
            self.calls.may_jump(op) || self.calls.is_setjmp(op)
        };
        let Some(position) = insts.iter().position(matters) else { return Some(()) };
        let call = insts[position];
        self.span = self.function.insts[call].span;
        let rest = self.split_after(block, position);
        let op = self.function.insts[call].op.clone();
        if self.calls.is_setjmp(&op) {
            self.function.blocks[block].insts.pop();
            return if returns { self.set_jump(block, call, rest) } else { self.refuse(block, call, rest) };
        }
        if self.calls.is_longjmp(&op) {
            self.function.blocks[block].insts.pop();
            return self.jump_back(block, &op);
        }
        // The results of the call are taken before anything else.
        let extracts = self.function.blocks[rest].insts.iter().take_while(|inst| self.is_extract(**inst)).count();
        let results: Vec<InstId> = self.function.blocks[rest].insts.drain(..extracts).collect();
        self.function.blocks[block].insts.extend(results);
        let variable = Operand::Global { global: self.jump.token, offset: 0 };
        let token = self.load(block, variable, Type::Ptr, ObligationDetail::Load);
        let cond =
            self.push(block, Op::Compare { op: IntPredicate::Ne, lhs: token, rhs: Operand::Null }, Some(Type::Int(1)));
        self.end(block, Terminator::Branch { cond, then: self.unwind, otherwise: rest });
        Some(())
    }

    fn is_extract(&self, inst: InstId) -> bool {
        matches!(self.function.insts[inst].op, Op::Extract { .. })
    }

    fn refuse(&mut self, block: BlockId, call: InstId, rest: BlockId) -> Option<()> {
        self.push(block, Op::Unsupported { what: "call of setjmp here".to_owned() }, None);
        if self.function.insts[call].ty.is_some() {
            self.function.insts[call].op = Op::Arbitrary { uninit: None };
            self.function.blocks[block].insts.push(call);
        }
        self.end(block, Terminator::Jump(rest));
        Some(())
    }

    /// `setjmp(buffer)`: the buffer holds the token and the number of this call; the result is 0, or what a jump brings.
    fn set_jump(&mut self, block: BlockId, call: InstId, rest: BlockId) -> Option<()> {
        let Op::Call { args, .. } = self.function.insts[call].op.clone() else { return None };
        let (buffer, token) = (*args.first()?, self.token?);
        if self.function.insts[call].ty != Some(I32) || self.function.operand_type(buffer) != Some(Type::Ptr) {
            return None;
        }
        let landing = self.function.blocks.push(empty_block("landing".to_owned()));
        let site = Operand::int(32, self.landings.len() as u128);
        self.landings.push(landing);
        let detail = || ObligationDetail::LibraryCall("setjmp".to_owned());
        // sizeof(jmp_buf) without the mask of signals that only some variants save.
        let len = self.number(if self.program.layout.pointer_bytes() == 8 { 64 } else { 24 });
        let obligation = self.obligation(detail());
        self.push(block, Op::MemSet { dst: buffer, byte: Operand::Undef(Type::BYTE), len, obligation }, None);
        self.store(block, buffer, Operand::Inst(token), detail());
        let behind = self.behind(block, buffer);
        self.store(block, behind, site, detail());
        for flag in self.flags(call) {
            self.store(block, Operand::Inst(flag), Operand::int(8, 0), ObligationDetail::Store);
        }
        self.end(block, Terminator::Jump(rest));
        let (last, value) = self.fill_landing(landing, call);
        self.end(last, Terminator::Jump(rest));
        self.function.insts[call].op = Op::Phi { incoming: vec![(block, Operand::int(32, 0)), (last, value)] };
        self.function.blocks[rest].insts.insert(0, call);
        Some(())
    }

    fn flags(&self, call: InstId) -> Vec<InstId> {
        self.changes.get(&call).into_iter().flat_map(|changes| &changes.written).filter_map(|one| one.flag).collect()
    }

    /// What happens where a jump arrives; the block that it ends in, and the value that it brings.
    fn fill_landing(&mut self, landing: BlockId, call: InstId) -> (BlockId, Operand) {
        let variable = |global| Operand::Global { global, offset: 0 };
        let value = self.load(landing, variable(self.jump.value), I32, ObligationDetail::Load);
        self.store(landing, variable(self.jump.token), Operand::Null, ObligationDetail::Store);
        let Some(changes) = self.changes.remove(&call) else { return (landing, value) };
        for object in &changes.ended {
            self.push(landing, Op::LifetimeEnd { object: *object }, None);
        }
        for object in &changes.open {
            self.forget(landing, *object);
            let args = vec![Operand::Inst(*object)];
            let callee = Callee::Direct(self.foreign);
            self.push(landing, Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None }, None);
        }
        let mut block = landing;
        for written in &changes.written {
            let Some(flag) = written.flag else { continue };
            let flag = self.load(block, Operand::Inst(flag), Type::BYTE, ObligationDetail::Load);
            let op = Op::Compare { op: IntPredicate::Ne, lhs: flag, rhs: Operand::int(8, 0) };
            let cond = self.push(block, op, Some(Type::Int(1)));
            let lost = self.function.blocks.push(empty_block("changed".to_owned()));
            let next = self.function.blocks.push(empty_block("landing".to_owned()));
            self.end(block, Terminator::Branch { cond, then: lost, otherwise: next });
            self.forget(lost, written.object);
            self.end(lost, Terminator::Jump(next));
            block = next;
        }
        (block, value)
    }

    /// The bytes of a stack object become indeterminate.
    fn forget(&mut self, block: BlockId, object: InstId) {
        let Op::Alloca { size, .. } = self.function.insts[object].op else { return };
        let obligation = self.obligation(ObligationDetail::MemSet);
        let (dst, byte) = (Operand::Inst(object), Operand::Undef(Type::BYTE));
        self.push(block, Op::MemSet { dst, byte, len: size, obligation }, None);
    }

    /// `longjmp(buffer, value)`: the activation that the buffer names is alive, and control leaves this one.
    fn jump_back(&mut self, block: BlockId, op: &Op) -> Option<()> {
        let Op::Call { args, .. } = op else { return None };
        let detail = || ObligationDetail::LibraryCall("longjmp".to_owned());
        match args.as_slice() {
            [buffer, value] if self.function.operand_type(*value) == Some(I32) => {
                let token = self.load(block, *buffer, Type::Ptr, detail());
                let behind = self.behind(block, *buffer);
                let site = self.load(block, behind, I32, detail());
                self.load(block, token, I32, detail());
                let zero = Op::Compare { op: IntPredicate::Eq, lhs: *value, rhs: Operand::int(32, 0) };
                let cond = self.push(block, zero, Some(Type::Int(1)));
                let one = Op::Select { cond, then: Operand::int(32, 1), otherwise: *value };
                let value = self.push(block, one, Some(I32));
                let jump = self.jump;
                for (global, value) in [(jump.site, site), (jump.value, value), (jump.token, token)] {
                    self.store(block, Operand::Global { global, offset: 0 }, value, ObligationDetail::Store);
                }
                self.end(block, Terminator::Jump(self.unwind));
            }
            _ => {
                self.push(block, Op::Unsupported { what: "call of longjmp with unusual arguments".to_owned() }, None);
                self.end(block, Terminator::UNREACHABLE);
            }
        }
        Some(())
    }

    /// Where a jump is under way: it arrives here, or this function returns too.
    fn fill_unwind(&mut self) {
        self.span = self.function.span;
        let leave = self.function.blocks.push(empty_block("leave".to_owned()));
        let Some(own) = self.token else {
            self.end(self.unwind, Terminator::Jump(leave));
            return self.fill_leave(leave);
        };
        let variable = |global| Operand::Global { global, offset: 0 };
        let token = self.load(self.unwind, variable(self.jump.token), Type::Ptr, ObligationDetail::Load);
        let op = Op::Compare { op: IntPredicate::Eq, lhs: token, rhs: Operand::Inst(own) };
        let cond = self.push(self.unwind, op, Some(Type::Int(1)));
        let arrive = self.function.blocks.push(empty_block("arrive".to_owned()));
        self.end(self.unwind, Terminator::Branch { cond, then: arrive, otherwise: leave });
        let value = self.load(arrive, variable(self.jump.site), I32, ObligationDetail::Load);
        let cases = self.landings.iter().enumerate().map(|(site, landing)| (site as u128, *landing)).collect();
        self.end(arrive, Terminator::Switch { value, cases, default: leave });
        self.fill_leave(leave);
    }

    fn fill_leave(&mut self, leave: BlockId) {
        let program = &self.program;
        let is_run_by_exit = program.destructors.contains(&self.id) || program.constructors.contains(&self.id);
        if is_run_by_exit || self.function.name == "main" {
            // The token is alive, so that nobody but the functions that `exit` runs comes here.
            self.push(leave, Op::Unsupported { what: "longjmp out of a function that exit runs".to_owned() }, None);
            return self.end(leave, Terminator::UNREACHABLE);
        }
        let values = self.function.results.iter().map(|ty| Operand::Undef(*ty)).collect();
        self.end(leave, Terminator::Return(values));
    }

    /// Cuts a block behind an instruction; the block that holds the rest.
    fn split_after(&mut self, block: BlockId, position: usize) -> BlockId {
        let function = &mut self.function;
        let insts = function.blocks[block].insts.split_off(position + 1);
        let term = std::mem::replace(&mut function.blocks[block].term, Terminator::UNREACHABLE);
        let (name, term_span) = (function.blocks[block].name.clone(), function.blocks[block].term_span);
        let rest = function.blocks.push(Block { name, insts, term, term_span });
        for successor in function.blocks[rest].term.successors() {
            for inst in function.blocks[successor].insts.clone() {
                let Op::Phi { incoming } = &mut function.insts[inst].op else { break };
                incoming.iter_mut().filter(|(from, _)| *from == block).for_each(|(from, _)| *from = rest);
            }
        }
        rest
    }
}

/// True if every value is defined before it is used, on each way.
fn is_well_formed(function: &Function) -> bool {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut places = FxHashMap::default();
    for (block, body) in function.blocks.iter_enumerated() {
        places.extend(body.insts.iter().enumerate().map(|(position, inst)| (*inst, (block, position))));
    }
    let is_before = |operand: &Operand, block: BlockId, position: usize| match operand {
        Operand::Inst(inst) => places
            .get(inst)
            .is_some_and(|(at, index)| if *at == block { *index < position } else { dominators.dominates(*at, block) }),
        Operand::Param(_)
        | Operand::Int { .. }
        | Operand::F32(_)
        | Operand::F64(_)
        | Operand::Null
        | Operand::Global { .. }
        | Operand::Func(_)
        | Operand::Undef(_) => true,
    };
    let mut holds = true;
    for (block, body) in function.blocks.iter_enumerated().filter(|(block, _)| cfg.is_reachable(*block)) {
        for (position, inst) in body.insts.iter().enumerate() {
            match &function.insts[*inst].op {
                Op::Phi { incoming } => incoming
                    .iter()
                    .filter(|(from, _)| cfg.is_reachable(*from))
                    .for_each(|(from, value)| holds &= is_before(value, *from, usize::MAX)),
                op => op.for_each_operand(|operand| holds &= is_before(operand, block, position)),
            }
        }
        body.term.for_each_operand(|operand| holds &= is_before(operand, block, usize::MAX));
    }
    holds
}
