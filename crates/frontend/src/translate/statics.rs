//! Variables of static storage duration that start with any value (CBMC's `--nondet-static`): before all constructors, every variable of the program that is not
//! constant is filled with arbitrary bytes, by the model that all input goes through. A pointer among them points to nothing. Variables of the models keep
//! their values, and those that the program does not use do not matter.

use belay_ir::{Block, Callee, FuncId, FuncKind, Function, Inst, Op, Operand, Terminator, Type};

use rustc_hash::FxHashSet;

use super::{Translator, is_stream};
use crate::llvm::{Module, Value};
use crate::models::FILL;

impl Translator<'_> {
    /// The function that fills the program's variables.
    pub(super) fn fill_statics(&mut self, module: &Module, of_program: &FxHashSet<String>) -> FuncId {
        let span = belay_base::Span::NONE;
        let mut function = Function { is_model: true, ..Function::empty("__belay_fill_statics", FuncKind::Defined) };
        let fill = self.program.function_named(FILL);
        let mut insts = Vec::new();
        for global in module.globals().into_iter().filter(|global| is_variable(*global, of_program)) {
            let target = Operand::Global { global: self.global_id(global), offset: 0 };
            let op = match (fill, self.global_size(global), self.program.layout.address_type()) {
                (Some(fill), Some(size), Type::Int(width)) => Op::Call {
                    callee: Callee::Direct(fill),
                    args: vec![target, Operand::int(width, size.into())],
                    variadic: 0,
                    byval_args: Vec::new(),
                    obligation: None,
                },
                _ => Op::Unsupported { what: "a variable of unknown size starts with any value".to_owned() },
            };
            insts.push(function.insts.push(Inst { op, ty: None, span }));
        }
        let (name, term) = ("entry".to_owned(), Terminator::Return(Vec::new()));
        function.blocks.push(Block { name, insts, term, term_span: span });
        self.program.functions.push(function)
    }
}

fn is_variable(global: Value, of_program: &FxHashSet<String>) -> bool {
    let is_changing = !global.is_constant_global() && !global.is_declaration();
    is_changing && of_program.contains(&global.name()) && !global.name().starts_with("llvm.") && !is_stream(global)
}
