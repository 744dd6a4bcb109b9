//! A small builder of programs for tests.
#![allow(dead_code)]

use belay_base::{Budget, FileId, Span};
use belay_interpreter::{Interpreter, RunReport, Script};
use belay_ir::*;
use belay_rules::{Choice, Config};

pub const I1: Type = Type::Int(1);
pub const I8: Type = Type::Int(8);
pub const I32: Type = Type::Int(32);
pub const I64: Type = Type::Int(64);
pub const PTR: Type = Type::Ptr;

pub fn int(width: u16, value: i128) -> Operand {
    Operand::int(width, value as u128)
}

pub fn i32(value: i128) -> Operand {
    int(32, value)
}

pub fn i64(value: i128) -> Operand {
    int(64, value)
}

pub struct Prog {
    pub program: Program,
}

impl Prog {
    pub fn new() -> Self {
        Self::with_model(DataModel::Lp64)
    }

    pub fn with_model(model: DataModel) -> Self {
        Self { program: Program::new(DataLayout::new(model)) }
    }

    /// A function without a body: a built-in if its name is one.
    pub fn external(&mut self, name: &str, params: &[Type], variadic: bool, results: &[Type]) -> FuncId {
        let kind = Builtin::from_name(name).map_or(FuncKind::Extern, FuncKind::Builtin);
        self.add(name, kind, params, variadic, results)
    }

    fn add(&mut self, name: &str, kind: FuncKind, params: &[Type], variadic: bool, results: &[Type]) -> FuncId {
        let param = |(index, ty): (usize, &Type)| Param { name: format!("p{index}"), ty: *ty, byval: None };
        self.program.functions.push(Function {
            params: params.iter().enumerate().map(param).collect(),
            variadic,
            results: results.to_vec(),
            ..Function::empty(name, kind)
        })
    }

    /// A function that is to get a body.
    pub fn declare(&mut self, name: &str, params: &[Type], variadic: bool, results: &[Type]) -> FuncId {
        self.add(name, FuncKind::Defined, params, variadic, results)
    }

    /// Gives a declared function its body.
    pub fn define(&mut self, id: FuncId, body: impl FnOnce(&mut Body<'_>)) {
        let mut builder = Body { prog: self, id, block: BlockId(0) };
        let entry = builder.block();
        builder.at(entry);
        body(&mut builder);
    }

    pub fn main(&mut self, body: impl FnOnce(&mut Body<'_>)) -> FuncId {
        let id = self.declare("main", &[], false, &[I32]);
        self.define(id, body);
        id
    }

    pub fn global(&mut self, name: &str, bytes: &[u8], size: u64, constant: bool) -> GlobalId {
        self.program.globals.push(Global {
            name: name.into(),
            size: Some(size),
            align: 8,
            init: Some(GlobalInit { bytes: bytes.to_vec(), relocations: Vec::new() }),
            constant,
            literal: false,
            ctype: CType::Aggregate,
            span: Span::NONE,
        })
    }

    pub fn string(&mut self, text: &str) -> Operand {
        let bytes = [text.as_bytes(), &[0]].concat();
        let name = format!(".str{}", self.program.globals.len());
        let global = self.global(&name, &bytes, bytes.len() as u64, true);
        Operand::Global { global, offset: 0 }
    }

    pub fn config(&self) -> Config {
        Config::new(self.program.function_named("main").expect("main"))
    }

    pub fn run_with(&self, config: Config, choices: &[&str]) -> RunReport {
        let script = choices.iter().map(|text| text.parse::<Choice>().expect("a choice"));
        let interpreter = Interpreter::new(&self.program, config);
        interpreter.run(&mut Script::new(script), &Budget::steps(50_000_000))
    }

    pub fn run(&self, choices: &[&str]) -> RunReport {
        self.run_with(self.config(), choices)
    }

    pub fn unbounded(&self, choices: &[&str]) -> RunReport {
        self.run_with(Config { integers: IntegerModel::Unbounded, ..self.config() }, choices)
    }
}

pub struct Body<'b> {
    pub prog: &'b mut Prog,
    pub id: FuncId,
    block: BlockId,
}

impl Body<'_> {
    fn function(&mut self) -> &mut Function {
        // IdVec has no mutable get; indexing is by id.
        &mut self.prog.program.functions[self.id]
    }

    pub fn block(&mut self) -> BlockId {
        self.function().blocks.push(Block {
            name: String::new(),
            insts: Vec::new(),
            term: Terminator::UNREACHABLE,
            term_span: Span::NONE,
        })
    }

    pub fn at(&mut self, block: BlockId) {
        self.block = block;
    }

    pub fn here(&self) -> BlockId {
        self.block
    }

    fn next_span(&mut self) -> Span {
        let line = self.function().insts.len() as u32 + 1;
        Span { file: FileId(0), line, column: 1 }
    }

    pub fn inst(&mut self, op: Op, ty: Option<Type>) -> InstId {
        let (span, block) = (self.next_span(), self.block);
        let id = self.function().insts.push(Inst { op, ty, span });
        self.function().blocks[block].insts.push(id);
        id
    }

    pub fn value(&mut self, op: Op, ty: Type) -> Operand {
        Operand::Inst(self.inst(op, Some(ty)))
    }

    pub fn unused(&mut self, op: Op) {
        self.inst(op, None);
    }

    pub fn term(&mut self, term: Terminator) {
        let (block, span) = (self.block, self.next_span());
        self.function().blocks[block].term = term;
        self.function().blocks[block].term_span = span;
    }

    pub fn obligation(&mut self, property: Property, detail: ObligationDetail) -> ObligationId {
        let (id, span) = (self.id, self.next_span());
        let number = self.prog.program.obligations.len() as u32 + 1;
        self.prog.program.add_obligation(property, id, span, detail, number)
    }

    pub fn local(&mut self, name: &str, ctype: CType, alloca: InstId) {
        let local = Local {
            name: name.into(),
            ctype,
            span: Span::NONE,
            alloca: Some(alloca),
            members: Vec::new(),
            pointee: None,
        };
        self.function().locals.push(local);
    }

    pub fn alloca(&mut self, size: u64) -> Operand {
        Operand::Inst(self.alloca_inst(size, false))
    }

    pub fn alloca_inst(&mut self, size: u64, scoped: bool) -> InstId {
        let size = self.size(size);
        self.inst(Op::Alloca { size, align: 8, scoped, dynamic: false }, Some(PTR))
    }

    pub fn size(&mut self, size: u64) -> Operand {
        int(self.prog.program.layout.pointer_bits(), size.into())
    }

    pub fn load(&mut self, ty: Type, ptr: Operand) -> Operand {
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Load);
        self.value(Op::Load { ptr, align: 1, volatile: false, obligation }, ty)
    }

    pub fn store(&mut self, ptr: Operand, value: Operand) {
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Store);
        self.inst(Op::Store { ptr, value, align: 1, volatile: false, obligation }, None);
    }

    pub fn copy(&mut self, dst: Operand, src: Operand, len: u64, overlap: bool) {
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::MemCopy);
        let len = self.size(len);
        self.inst(Op::MemCopy { dst, src, len, overlap, obligation }, None);
    }

    pub fn set(&mut self, dst: Operand, byte: Operand, len: u64) {
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::MemSet);
        let len = self.size(len);
        self.inst(Op::MemSet { dst, byte, len, obligation }, None);
    }

    pub fn binary(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) -> Operand {
        let ty = self.function().operand_type(lhs).expect("a type");
        self.value(Op::Binary { op, lhs, rhs }, ty)
    }

    pub fn compare(&mut self, op: IntPredicate, lhs: Operand, rhs: Operand) -> Operand {
        self.value(Op::Compare { op, lhs, rhs }, I1)
    }

    pub fn cast(&mut self, op: CastOp, value: Operand, ty: Type) -> Operand {
        self.value(Op::Cast { op, value }, ty)
    }

    pub fn add_ptr(&mut self, base: Operand, offset: i128) -> Operand {
        let offset = int(self.prog.program.layout.pointer_bits(), offset);
        self.value(Op::PtrAdd { base, offset }, PTR)
    }

    pub fn check(&mut self, property: Property, detail: ObligationDetail, cond: Operand) -> ObligationId {
        let obligation = self.obligation(property, detail);
        self.inst(Op::Check { cond, obligation }, None);
        obligation
    }

    /// Signed addition with its check.
    pub fn checked_add(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        let overflows = self.value(Op::Overflows { op: OverflowOp::Add, signed: true, lhs, rhs }, I1);
        let cond = self.binary(BinaryOp::Xor, overflows, Operand::bool(true));
        self.check(Property::NoOverflow, ObligationDetail::SignedAdd, cond);
        self.binary(BinaryOp::Add, lhs, rhs)
    }

    pub fn call(&mut self, callee: FuncId, args: &[Operand]) -> Operand {
        Operand::Inst(self.call_inst(callee, args))
    }

    pub fn call_inst(&mut self, callee: FuncId, args: &[Operand]) -> InstId {
        let function = &self.prog.program.functions[callee];
        let (name, fixed) = (function.name.clone(), function.params.len());
        let ty = if let [ty] = function.results[..] { Some(ty) } else { None };
        let property = match function.kind {
            FuncKind::Builtin(builtin) => builtin.property(),
            FuncKind::Defined | FuncKind::Extern => None,
        };
        let obligation = property.map(|property| self.obligation(property, ObligationDetail::LibraryCall(name)));
        let variadic = args.len().saturating_sub(fixed) as u32;
        let op = Op::Call {
            callee: Callee::Direct(callee),
            args: args.to_vec(),
            variadic,
            byval_args: Vec::new(),
            obligation,
        };
        self.inst(op, ty)
    }

    pub fn ret(&mut self, values: &[Operand]) {
        self.term(Terminator::Return(values.to_vec()));
    }

    pub fn jump(&mut self, target: BlockId) {
        self.term(Terminator::Jump(target));
    }

    pub fn branch(&mut self, cond: Operand, then: BlockId, otherwise: BlockId) {
        self.term(Terminator::Branch { cond, then, otherwise });
    }
}
