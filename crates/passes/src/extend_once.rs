//! Extends an answer from outside once: `unsigned n = input_byte(); p = malloc(n * 8);` has one extension of the byte for `n` and one for the size, and what is
//! known of both together is known best where both are one value.
//!
//! Sound because an extension with zeros is a function of its operand in the machine's integers (in the unbounded model it may be arbitrary where the operand does not fit: there
//! the pass does nothing). Each extension is replaced by one to the least of their widths, which stands right behind the call and so dominates them all, and is extended
//! further where they are wider. The operand is one value wherever it is used, undefined or not, since it is chosen once.

use std::collections::BTreeMap;

use crate::substitution::Substitution;
use belay_ir::{BlockId, Callee, CastOp, FuncId, Function, Inst, InstId, IntegerModel, Op, Operand, Program, Type};

use belay_base::IdVec;

/// Extends what calls of functions without a body return once where nothing but extensions uses it.
pub fn extend_once(program: &mut Program, integers: IntegerModel) {
    if integers != IntegerModel::Machine {
        return;
    }
    let defined: IdVec<FuncId, bool> = program.functions.iter().map(Function::is_defined).collect();
    for function in program.functions.iter_mut().filter(|function| function.is_defined()) {
        extend_in(function, &defined);
    }
}

fn extend_in(function: &mut Function, defined: &IdVec<FuncId, bool>) {
    let answers = answers(function, defined);
    if answers.is_empty() {
        return;
    }
    let extensions = extensions(function, answers);
    let mut substitution = Substitution::new(function);
    for (answer, (block, extended)) in extensions {
        let width = |inst: InstId| function.insts[inst].ty.and_then(Type::int_width).unwrap_or(u16::MAX);
        let Some(least) = extended.iter().copied().map(width).min() else { continue };
        let (narrow, wide): (Vec<InstId>, Vec<InstId>) = extended.into_iter().partition(|inst| width(*inst) == least);
        if narrow.len() + wide.len() < 2 {
            continue;
        }
        let op = Op::Cast { op: CastOp::ZExt, value: Operand::Inst(answer) };
        let span = function.insts[answer].span;
        let first = function.insts.push(Inst { op, ty: Some(Type::Int(least)), span });
        substitution.grow(function);
        let body = &mut function.blocks[block].insts;
        let behind = body.iter().position(|inst| *inst == answer).map_or(body.len(), |at| at + 1);
        body.insert(behind, first);
        for inst in &wide {
            function.insts[*inst].op = Op::Cast { op: CastOp::ZExt, value: Operand::Inst(first) };
        }
        for inst in &narrow {
            substitution.replace(*inst, Operand::Inst(first));
        }
        function.blocks.iter_mut().for_each(|block| block.insts.retain(|inst| !narrow.contains(inst)));
    }
    substitution.apply(function);
}

/// What calls of functions without a body return, and where.
fn answers(function: &Function, defined: &IdVec<FuncId, bool>) -> BTreeMap<InstId, (BlockId, Vec<InstId>)> {
    let is_answer = |inst: &InstId| {
        let Inst { op: Op::Call { callee: Callee::Direct(callee), .. }, ty, .. } = &function.insts[*inst] else {
            return false;
        };
        !defined[*callee] && ty.and_then(Type::int_width).is_some_and(|width| width > 1)
    };
    let placed = function.placed_insts().filter(|(_, inst)| is_answer(inst));
    placed.map(|(block, inst)| (inst, (block, Vec::new()))).collect()
}

/// Those that nothing but extensions uses, with their extensions.
fn extensions(
    function: &Function,
    mut answers: BTreeMap<InstId, (BlockId, Vec<InstId>)>,
) -> BTreeMap<InstId, (BlockId, Vec<InstId>)> {
    for (_, inst) in function.placed_insts() {
        let op = &function.insts[inst].op;
        if let Op::Cast { op: CastOp::ZExt, value: Operand::Inst(value) } = op {
            answers.entry(*value).and_modify(|(_, extended)| extended.push(inst));
        } else {
            op.for_each_operand(|operand| forget(&mut answers, operand));
        }
    }
    function.blocks.iter().for_each(|block| block.term.for_each_operand(|operand| forget(&mut answers, operand)));
    answers
}

fn forget(answers: &mut BTreeMap<InstId, (BlockId, Vec<InstId>)>, operand: &Operand) {
    if let Operand::Inst(inst) = operand {
        answers.remove(inst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, I32};
    use belay_ir::{BinaryOp, FuncKind, print_program, verify_program};

    const I8: Type = Type::Int(8);
    const I64: Type = Type::Int(64);

    fn zext(b: &mut Builder, value: Operand, ty: Type) -> Operand {
        b.value(Op::Cast { op: CastOp::ZExt, value }, ty)
    }

    /// A byte from outside.
    fn answer(b: &mut Builder) -> Operand {
        let input = b.program.functions.push(Function::empty("input", FuncKind::Extern));
        b.program.functions[input].results = vec![I8];
        let callee = Callee::Direct(input);
        let call = Op::Call { callee, args: vec![], variadic: 0, byval_args: vec![], obligation: None };
        b.value(call, I8)
    }

    fn extended(b: Builder, integers: IntegerModel) -> String {
        let mut program = b.finish();
        extend_once(&mut program, integers);
        let text = print_program(&program);
        assert_eq!(verify_program(&program), Ok(()), "{text}");
        text
    }

    /// Extensions to 64 bits, in the entry, and to 32 bits behind a branch that need not be taken.
    fn two_extensions() -> Builder {
        let mut b = Builder::new(3, &[Type::BOOL]);
        let byte = answer(&mut b);
        let size = zext(&mut b, byte, I64);
        b.binary(BinaryOp::Mul, size, Operand::int(64, 8));
        b.branch(Operand::Param(0), 1, 2);
        b.at(1);
        let count = zext(&mut b, byte, I32);
        b.ret(count);
        b
    }

    #[test]
    fn the_least_extension_stands_behind_the_call() {
        let text = extended(two_extensions(), IntegerModel::Machine);
        assert!(text.contains("zext i8 %0 to i32"), "{text}");
        assert!(text.contains("zext i32 %4 to i64") && text.contains("return i32 %4"), "{text}");
        assert_eq!(text.matches("zext").count(), 2, "{text}");
    }

    #[test]
    fn unbounded_integers_are_left_alone() {
        let text = extended(two_extensions(), IntegerModel::Unbounded);
        assert!(text.contains("zext i8 %0 to i64"), "{text}");
    }

    #[test]
    fn what_is_used_as_it_is_stays() {
        let mut b = two_extensions();
        let doubled = b.binary(BinaryOp::Add, Operand::Inst(InstId(0)), Operand::Inst(InstId(0)));
        zext(&mut b, doubled, I32);
        let text = extended(b, IntegerModel::Machine);
        assert!(text.contains("zext i8 %0 to i64"), "{text}");
    }
}
