//! One function: blocks, the values of LLVM instructions as leaves, phis, terminators.
//!
//! Blocks are visited in reverse postorder, so that a definition is translated before its uses; only phis refer
//! ahead and are filled in last. Blocks that control can't reach are left out.

use belay_base::{IdVec, Span};
use belay_ir::{
    Block, BlockId, Builtin, Callee, CastOp, FuncId, Function, Inst, InstId, Local, ObligationDetail, ObligationId, Op,
    Operand, Property, Terminator, Type,
};
use belay_scopes::{ConstantLocals, Lives, find_lives};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Translator;
use super::debug::Variable;
use super::leaves::{is_move_only, is_vector, leaves_of, move_only_name};
use crate::llvm::{Bb, LLVMOpcode, LLVMValueKind, Ty, Value};

/// The scalar parts of an LLVM value.
pub type Leaves = SmallVec<[Operand; 1]>;

/// `ERROR: goto ERROR;` is how older verification tasks write an error call.
const ERROR_LABEL: &str = "ERROR";

/// The state of a function's translation.
pub struct FunctionTranslator<'m, 'c> {
    pub(super) module: &'m mut Translator<'c>,
    pub(super) id: FuncId,
    pub(super) value: Value,
    pub(super) insts: IdVec<InstId, Inst>,
    pub(super) blocks: IdVec<BlockId, Block>,
    pub(super) values: FxHashMap<Value, Leaves>,
    pub(super) current: BlockId,
    pub(super) span: Span,
    pub(super) block_ids: FxHashMap<Bb, BlockId>,
    locals: Vec<Local>,
    phis: Vec<(Value, SmallVec<[InstId; 1]>)>,
    obligations: Vec<ObligationId>,
    pub(super) lives: Lives,
    /// What becomes of its constant locals.
    pub(super) constants: ConstantLocals,
    /// Blocks in which lives begin and end between two others.
    pub(super) between: FxHashMap<(Bb, Bb), BlockId>,
}

impl<'m, 'c> FunctionTranslator<'m, 'c> {
    pub(super) fn new(module: &'m mut Translator<'c>, id: FuncId, value: Value) -> Self {
        Self {
            module,
            id,
            value,
            insts: IdVec::new(),
            blocks: IdVec::new(),
            values: FxHashMap::default(),
            current: Function::ENTRY,
            span: Span::NONE,
            block_ids: FxHashMap::default(),
            locals: Vec::new(),
            phis: Vec::new(),
            obligations: Vec::new(),
            lives: Lives::default(),
            constants: ConstantLocals::default(),
            between: FxHashMap::default(),
        }
    }

    /// Translates the body.
    pub(super) fn translate(mut self) {
        self.bind_params();
        let order = self.value.reverse_postorder();
        self.make_blocks(&order);
        let is_compiled = !self.module.given_as_ir.contains(&self.value.name());
        self.lives = find_lives(self.module.context, self.value, is_compiled);
        if is_compiled {
            self.find_constants();
        }
        self.enter();
        for bb in order {
            self.current = self.block_ids[&bb];
            for inst in bb.instructions() {
                self.instruction(inst);
            }
        }
        self.fill_phis();
        self.finish();
    }

    /// A body for a library function whose address is taken: it calls the function with its own parameters.
    pub(super) fn wrap_library_function(mut self) {
        self.blocks.push(empty_block("entry".to_owned()));
        let args: Vec<Operand> =
            (0..self.module.program.functions[self.id].params.len() as u32).map(Operand::Param).collect();
        let results = self.library_call(self.value, args);
        self.terminate(Terminator::Return(results.to_vec()));
        self.finish();
    }

    /// A body that returns any numbers and does nothing else: what a clause asks for (`is_function`). Of a pointer that it might return, or of what it writes a structure to,
    /// the clause says nothing.
    pub(super) fn return_anything(mut self) {
        self.blocks.push(empty_block("entry".to_owned()));
        let function = &self.module.program.functions[self.id];
        let (types, name) = (function.results.clone(), function.name.clone());
        let is_said = types.iter().all(|ty| *ty != Type::Ptr) && !self.value.has_struct_return();
        if !is_said {
            self.emit_effect(Op::Unsupported { what: format!("what {name} returns is no number") });
        }
        let results: Vec<Operand> = types.into_iter().map(|ty| self.emit(Op::Arbitrary { uninit: None }, ty)).collect();
        self.terminate(Terminator::Return(results));
        self.finish();
    }

    fn bind_params(&mut self) {
        let mut next = 0u32;
        for param in self.value.params() {
            let count = self.module.types(param.ty()).len() as u32;
            self.values.insert(param, (next..next + count).map(Operand::Param).collect());
            next += count;
        }
    }

    /// Ids follow the order in the source, which reads better than the order of translation.
    fn make_blocks(&mut self, reachable: &[Bb]) {
        let reachable: rustc_hash::FxHashSet<Bb> = reachable.iter().copied().collect();
        for bb in self.value.blocks().into_iter().filter(|bb| reachable.contains(bb)) {
            let id = self.blocks.push(empty_block(bb.name()));
            self.block_ids.insert(bb, id);
        }
    }

    /// An error function that has a body is a violation as soon as it is entered.
    fn enter(&mut self) {
        let name = self.module.program.functions[self.id].name.clone();
        if matches!(name.as_str(), "reach_error" | "__VERIFIER_error") {
            self.span = self.module.program.functions[self.id].span;
            self.report_error_reached(format!("error function {name} is called"));
        }
    }

    /// A violation of `unreach-call`; all other properties see the code that comes after it, an endless loop for instance, unless runs are said to
    /// end there.
    fn report_error_reached(&mut self, what: String) {
        let obligation = self.obligation(Property::UnreachCall, ObligationDetail::ErrorReached(what));
        self.emit_effect(Op::Check { cond: Operand::bool(false), obligation });
        if self.module.errors_end_runs {
            self.call_abort();
        }
    }

    fn finish(self) {
        let program = &mut self.module.program;
        program.number_obligations(&self.obligations);
        let function = &mut program.functions[self.id];
        function.insts = self.insts;
        function.blocks = self.blocks;
        function.locals = self.locals;
    }

    // Building.

    /// Adds an instruction that has a value.
    pub(super) fn emit(&mut self, op: Op, ty: Type) -> Operand {
        Operand::Inst(self.place(op, Some(ty)))
    }

    /// Adds an instruction that has none.
    pub(super) fn emit_effect(&mut self, op: Op) {
        self.place(op, None);
    }

    pub(super) fn place(&mut self, op: Op, ty: Option<Type>) -> InstId {
        self.check_direction(&op, ty);
        let id = self.insts.push(Inst { op, ty, span: self.span });
        self.blocks[self.current].insts.push(id);
        id
    }

    pub(super) fn terminate(&mut self, term: Terminator) {
        let block = &mut self.blocks[self.current];
        block.term = term;
        block.term_span = self.span;
    }

    pub(super) fn obligation(&mut self, property: Property, detail: ObligationDetail) -> ObligationId {
        let id = self.module.program.add_obligation(property, self.id, self.span, detail, 0);
        self.obligations.push(id);
        id
    }

    /// Marks the place as not handled; the result stands for the value that will never be.
    pub(super) fn unsupported(&mut self, what: String, ty: Ty) -> Leaves {
        self.emit_effect(Op::Unsupported { what });
        self.undefined(ty)
    }

    /// An instruction that is not handled, and that touches no memory and always comes to an end: its result is any. Proofs cover every result; a run
    /// ends there without a verdict, so that no violation rests on it. Where a result is a pointer nothing is known of what it leads to.
    pub(super) fn unhandled(&mut self, what: String, ty: Ty) -> Leaves {
        let types = self.module.types(ty);
        if types.contains(&Type::Ptr) {
            return self.unsupported(what, ty);
        }
        self.approximate(&format!("{what} is not followed"));
        types.into_iter().map(|ty| self.emit(Op::Arbitrary { uninit: None }, ty)).collect()
    }

    /// A run ends here without a verdict; a proof goes on.
    pub(super) fn approximate(&mut self, why: &str) {
        let text = self.module.text(why);
        let id = self.module.builtin_id("__belay_approximate", Builtin::Approximate, &[Type::Ptr], None);
        let (callee, args) = (Callee::Direct(id), vec![Operand::Global { global: text, offset: 0 }]);
        self.emit_effect(Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None });
    }

    pub(super) fn undefined(&mut self, ty: Ty) -> Leaves {
        self.module.types(ty).into_iter().map(Operand::Undef).collect()
    }

    /// The parts of a value.
    pub(super) fn leaves(&mut self, value: Value) -> Leaves {
        match value.kind() {
            LLVMValueKind::LLVMArgumentValueKind | LLVMValueKind::LLVMInstructionValueKind => {
                self.values.get(&value).cloned().unwrap_or_else(|| self.undefined(value.ty()))
            }
            _ => self.constant(value),
        }
    }

    /// The one part of a scalar value.
    pub(super) fn scalar(&mut self, value: Value) -> Operand {
        let leaves = self.leaves(value);
        leaves.first().copied().unwrap_or(Operand::Undef(Type::BYTE))
    }

    pub(super) fn operand_type(&self, operand: Operand) -> Type {
        let known = match operand {
            Operand::Inst(id) => self.insts[id].ty,
            Operand::Param(index) => {
                self.module.program.functions[self.id].params.get(index as usize).map(|param| param.ty)
            }
            Operand::Int { width, .. } => Some(Type::Int(width)),
            Operand::F32(_) => Some(Type::F32),
            Operand::F64(_) => Some(Type::F64),
            Operand::Null | Operand::Global { .. } | Operand::Func(_) => Some(Type::Ptr),
            Operand::Undef(ty) => Some(ty),
        };
        known.expect("operands have values")
    }

    pub(super) fn address_constant(&self, value: i64) -> Operand {
        Operand::int(self.module.program.layout.pointer_bits(), value as u128)
    }

    /// An integer brought to address width, as signed.
    pub(super) fn sign_extended_to_address(&mut self, value: Operand) -> Operand {
        let address = self.module.program.layout.address_type();
        let (Type::Int(from), Type::Int(to)) = (self.operand_type(value), address) else { return value };
        if let Some(bits) = value.as_int() {
            let shift = 128 - u32::from(from);
            return Operand::int(to, (((bits << shift) as i128) >> shift) as u128);
        }
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => self.emit(Op::Cast { op: CastOp::SExt, value }, address),
            std::cmp::Ordering::Greater => self.emit(Op::Cast { op: CastOp::Trunc, value }, address),
        }
    }

    // Instructions.

    fn instruction(&mut self, inst: Value) {
        self.declare_locals(inst);
        let span = self.module.debug.span(&mut self.module.program.files, inst);
        if span.is_known() || inst.debug_location().is_some() {
            self.span = span;
        }
        self.change_lives(inst);
        self.check_constants(inst);
        let leaves = self.computation(inst);
        self.values.insert(inst, leaves);
    }

    fn declare_locals(&mut self, inst: Value) {
        for declared in inst.declared() {
            let Some(Operand::Inst(alloca)) =
                self.values.get(&declared.storage).and_then(|leaves| leaves.first()).copied()
            else {
                continue;
            };
            if let Some(variable) = self.module.debug.variable(&mut self.module.program.files, declared.variable) {
                let Variable { name, ctype, span, members, pointee, .. } = variable;
                self.locals.push(Local { name, ctype, span, alloca: Some(alloca), members, pointee });
            }
        }
    }

    /// What an instruction (or the constant expression of the same opcode) computes.
    pub(super) fn computation(&mut self, inst: Value) -> Leaves {
        use LLVMOpcode::*;
        match inst.opcode() {
            LLVMRet | LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable => self.terminator(inst),
            LLVMFNeg | LLVMAdd | LLVMFAdd | LLVMSub | LLVMFSub | LLVMMul | LLVMFMul | LLVMUDiv | LLVMSDiv
            | LLVMFDiv | LLVMURem | LLVMSRem | LLVMFRem | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr
            | LLVMXor | LLVMICmp | LLVMFCmp => self.arithmetic(inst),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc
            | LLVMFPExt | LLVMPtrToInt | LLVMPtrToAddr | LLVMIntToPtr | LLVMBitCast => self.cast(inst),
            LLVMAlloca => self.alloca(inst),
            LLVMLoad => self.load(inst),
            LLVMStore => self.store(inst),
            LLVMGetElementPtr => self.element_pointer(inst),
            LLVMPHI => self.phi(inst),
            LLVMCall => self.call(inst),
            LLVMSelect => self.select(inst),
            LLVMExtractValue => self.extract_value(inst),
            LLVMInsertValue => self.insert_value(inst),
            LLVMFreeze => self.freeze(inst),
            LLVMFence => Leaves::new(),
            LLVMAtomicRMW => self.atomic_update(inst),
            LLVMAtomicCmpXchg => self.atomic_exchange(inst),
            LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector if is_move_only(inst.operand(0).ty()) => {
                self.unhandled(move_only_name(inst.operand(0).ty()), inst.ty())
            }
            LLVMExtractElement => self.extract_element(inst),
            LLVMInsertElement => self.insert_element(inst),
            LLVMShuffleVector => self.shuffle(inst),
            LLVMVAArg => self.unsupported("va_arg instruction".to_owned(), inst.ty()),
            LLVMAddrSpaceCast => self.unsupported("address space".to_owned(), inst.ty()),
            LLVMInvoke | LLVMCallBr | LLVMResume | LLVMLandingPad | LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad
            | LLVMCleanupPad | LLVMCatchSwitch | LLVMUserOp1 | LLVMUserOp2 => {
                self.unsupported(format!("exceptions, or control flow of their kind ({:?})", inst.opcode()), inst.ty())
            }
        }
    }

    fn terminator(&mut self, inst: Value) -> Leaves {
        let targets: Vec<BlockId> = inst.successors().into_iter().map(|bb| self.way_to(inst.parent(), bb)).collect();
        let term = match inst.opcode() {
            LLVMOpcode::LLVMRet if inst.operand_count() == 0 => Terminator::Return(Vec::new()),
            LLVMOpcode::LLVMRet => Terminator::Return(self.leaves(inst.operand(0)).to_vec()),
            LLVMOpcode::LLVMBr if targets == [self.current] && self.blocks[self.current].name == ERROR_LABEL => {
                self.report_error_reached("error label ERROR is reached".to_owned());
                Terminator::Jump(targets[0])
            }
            LLVMOpcode::LLVMBr if targets.len() == 1 => Terminator::Jump(targets[0]),
            LLVMOpcode::LLVMBr => {
                let cond = self.scalar(inst.condition());
                Terminator::Branch { cond, then: targets[0], otherwise: targets[1] }
            }
            LLVMOpcode::LLVMSwitch => self.switch(inst, &targets),
            LLVMOpcode::LLVMIndirectBr => self.computed_goto(inst, &inst.successors(), &targets),
            _ => {
                self.unreachable(inst);
                Terminator::UNREACHABLE
            }
        };
        self.terminate(term);
        Leaves::new()
    }

    /// Code that the compiler takes for unreachable: behind a call that does not return it is; elsewhere the program promises so
    /// (`__builtin_unreachable`, the end of a function that is declared not to return), which is an obligation.
    fn unreachable(&mut self, inst: Value) {
        let last = self.blocks[self.current].insts.last().map(|last| &self.insts[*last].op);
        let gave_up = matches!(last, Some(Op::Unsupported { .. }));
        if gave_up || inst.previous().is_some_and(|call| self.does_not_return(call)) {
            return;
        }
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Promise("__builtin_unreachable"));
        self.emit_effect(Op::Check { cond: Operand::bool(false), obligation });
    }

    /// True for a call that does not return by what is known of the function, or of a function without a body that is declared so. One with a body
    /// that is declared so has no `ret`: that its end is not reached is an obligation there.
    fn does_not_return(&self, call: Value) -> bool {
        if call.opcode() != LLVMOpcode::LLVMCall || call.callee().kind() != LLVMValueKind::LLVMFunctionValueKind {
            return false;
        }
        let callee = call.callee();
        if callee.is_declaration() {
            let is_trap = callee.intrinsic_name().is_some_and(|name| name.contains("trap"));
            let ends_run = belay_ir::Builtin::from_name(&callee.name()).is_some_and(|builtin| builtin.ends_run());
            return is_trap || ends_run || callee.is_noreturn();
        }
        let returns = |bb: Bb| bb.instructions().into_iter().any(|inst| inst.opcode() == LLVMOpcode::LLVMRet);
        !callee.blocks().into_iter().any(returns)
    }

    fn switch(&mut self, inst: Value, targets: &[BlockId]) -> Terminator {
        let value = self.scalar(inst.operand(0));
        let case =
            |index: usize| super::constant::wide_int(inst.case_value(index as u32)).map(|bits| (bits, targets[index]));
        match (1..targets.len()).map(case).collect::<Result<Vec<_>, _>>() {
            Ok(cases) => Terminator::Switch { value, cases, default: targets[0] },
            Err(what) => {
                self.emit_effect(Op::Unsupported { what });
                Terminator::UNREACHABLE
            }
        }
    }

    fn phi(&mut self, inst: Value) -> Leaves {
        let types = match leaves_of(self.module.layout, inst.ty()) {
            Ok(leaves) => leaves,
            Err(what) => return self.unsupported(what, inst.ty()),
        };
        let ids: SmallVec<[InstId; 1]> =
            types.iter().map(|leaf| self.place(Op::Phi { incoming: Vec::new() }, Some(leaf.ty))).collect();
        let leaves = ids.iter().map(|id| Operand::Inst(*id)).collect();
        self.phis.push((inst, ids));
        leaves
    }

    fn fill_phis(&mut self) {
        for (inst, ids) in std::mem::take(&mut self.phis) {
            let mut seen = rustc_hash::FxHashSet::default();
            for (value, bb) in inst.incoming() {
                let Some(block) = self.block_ids.get(&bb).copied() else { continue };
                if !seen.insert(block) {
                    continue;
                }
                let block = self.between.get(&(bb, inst.parent())).copied().unwrap_or(block);
                // A constant that needs instructions is computed at the end of the block it comes from.
                self.current = block;
                let leaves = self.leaves(value);
                for (id, leaf) in ids.iter().zip(leaves) {
                    if let Op::Phi { incoming } = &mut self.insts[*id].op {
                        incoming.push((block, leaf));
                    }
                }
            }
        }
    }

    fn select(&mut self, inst: Value) -> Leaves {
        if is_vector(inst.operand(0).ty()) {
            let operands = [inst.operand(0), inst.operand(1), inst.operand(2)];
            return self.elementwise(inst, &operands, |this, args| {
                let ty = this.operand_type(args[1]);
                Some(this.emit(Op::Select { cond: args[0], then: args[1], otherwise: args[2] }, ty))
            });
        }
        let cond = self.scalar(inst.operand(0));
        let (then, otherwise) = (self.leaves(inst.operand(1)), self.leaves(inst.operand(2)));
        let pairs = then.into_iter().zip(otherwise);
        pairs
            .map(|(then, otherwise)| {
                let ty = self.operand_type(then);
                self.emit(Op::Select { cond, then, otherwise }, ty)
            })
            .collect()
    }

    fn freeze(&mut self, inst: Value) -> Leaves {
        let leaves = self.leaves(inst.operand(0));
        let frozen = leaves.into_iter().map(|value| {
            let ty = self.operand_type(value);
            self.emit(Op::Freeze { value }, ty)
        });
        frozen.collect()
    }

    fn extract_value(&mut self, inst: Value) -> Leaves {
        let whole = self.leaves(inst.operand(0));
        let (start, count) = self.part(inst.operand(0).ty(), &inst.indices());
        whole.get(start..start + count).map(Leaves::from_slice).unwrap_or_else(|| self.undefined(inst.ty()))
    }

    fn insert_value(&mut self, inst: Value) -> Leaves {
        let mut whole = self.leaves(inst.operand(0));
        let part = self.leaves(inst.operand(1));
        let (start, _) = self.part(inst.operand(0).ty(), &inst.indices());
        for (index, leaf) in part.into_iter().enumerate() {
            if let Some(slot) = whole.get_mut(start + index) {
                *slot = leaf;
            }
        }
        whole
    }

    /// Which leaves of `ty` the member at `path` covers: the first and how many.
    fn part(&self, mut ty: Ty, path: &[u32]) -> (usize, usize) {
        use crate::llvm::LLVMTypeKind::LLVMStructTypeKind;
        let mut start = 0;
        for index in path {
            if ty.kind() == LLVMStructTypeKind {
                start += (0..*index).map(|before| self.module.types(ty.field(before)).len()).sum::<usize>();
                ty = ty.field(*index);
            } else {
                ty = ty.element();
                start += *index as usize * self.module.types(ty).len();
            }
        }
        (start, self.module.types(ty).len())
    }
}

pub(super) fn empty_block(name: String) -> Block {
    Block { name, insts: Vec::new(), term: Terminator::UNREACHABLE, term_span: Span::NONE }
}
