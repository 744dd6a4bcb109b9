//! Puts the bodies of functions that are not recursive in place of their calls, callees first, as long as the result stays small.
//!
//! A call becomes a jump to a copy of the callee's blocks, its parameters the arguments, its returns jumps to the rest of the
//! block, its result a phi there. Stack objects of the callee stay where they were made: each execution makes a new one.
//!
//! Keeps which runs end, which inputs they ask for, and which obligations they violate up to the first invalid access. Not kept: where the
//! lives of the callee's locals end (now with the caller), so that an access to one after its function has returned is no longer seen,
//! what counts as lost, and the numbers of obligations: each copy has its own. It is meant for transition systems, where an access never ends a run, and is not part of
//! [`pipeline`](super::pipeline). A call that does not fit its callee, and one of a variadic function or with structs by value, stays.

use rustc_hash::FxHashMap;

use crate::remove_unreachable::remove_unreachable_blocks;
use crate::substitution::{Substitution, capture, is_stable, sort_names};
use belay_ir::{
    Block, BlockId, CallGraph, Callee, DataLayout, FuncId, Function, Inst, InstId, Local, Obligation, Op, Operand,
    Program, Terminator, has_called_type,
};

/// Inlines calls in every function that stays below `most` instructions by it. True if a call was inlined.
pub fn inline_calls(program: &mut Program, most: usize) -> bool {
    let graph = CallGraph::new(program);
    let mut changed = false;
    for id in graph.components().iter().flatten().copied() {
        if !program.functions[id].is_defined() {
            continue;
        }
        let mut function = program.functions[id].clone();
        while let Some((block, position, callee)) = next_call(program, &graph, &function, most) {
            let first = function.insts.next_id();
            inline_one(&mut function, &program.functions[callee], (block, position), program.layout);
            adopt_obligations(program, id, &mut function, first);
            changed = true;
        }
        remove_unreachable_blocks(&mut function);
        program.functions[id] = function;
    }
    changed
}

fn size(function: &Function) -> usize {
    function.placed_insts().count() + function.blocks.len()
}

/// The first call that can be inlined: its block, its position there, and the callee.
fn next_call(
    program: &Program,
    graph: &CallGraph,
    function: &Function,
    most: usize,
) -> Option<(BlockId, usize, FuncId)> {
    let own = size(function);
    for (block, body) in function.blocks.iter_enumerated() {
        for (position, inst) in body.insts.iter().enumerate() {
            if let Op::Call { callee: Callee::Direct(callee), args, variadic: 0, byval_args, .. } =
                &function.insts[*inst].op
                && byval_args.is_empty()
                && !graph.is_recursive(*callee)
                && fits(function, &program.functions[*callee], args, *inst)
                && has_called_type(&program.functions[*callee], function, *inst, program.layout)
                && own + size(&program.functions[*callee]) <= most
            {
                return Some((block, position, *callee));
            }
        }
    }
    None
}

/// True if the callee has a body, and the call the arguments and results that it expects.
fn fits(caller: &Function, callee: &Function, args: &[Operand], call: InstId) -> bool {
    let typed = callee.params.iter().zip(args).all(|(param, arg)| caller.operand_type(*arg) == Some(param.ty));
    let by_value = callee.params.iter().any(|param| param.byval.is_some());
    let results = match callee.results.as_slice() {
        [only] => caller.insts[call].ty.is_none_or(|ty| ty == *only),
        [] | [_, _, ..] => caller.insts[call].ty.is_none(),
    };
    callee.is_defined() && !callee.variadic && !by_value && typed && results && args.len() >= callee.params.len()
}

fn inline_one(caller: &mut Function, callee: &Function, (block, position): (BlockId, usize), layout: DataLayout) {
    let call = caller.blocks[block].insts[position];
    let span = caller.insts[call].span;
    let Op::Call { args, .. } = caller.insts[call].op.clone() else { return };
    let rest = split(caller, block, position);
    let args = callee.params.iter().zip(args).map(|(param, arg)| {
        // A use of an undefined value is arbitrary each time, the name of a stack object is its present life: the callee sees
        // what the argument is now.
        let op = match arg {
            Operand::Undef(_) => Op::Freeze { value: arg },
            Operand::Inst(_) if !is_stable(caller, arg) => capture(arg, layout),
            Operand::Inst(_)
            | Operand::Param(_)
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_) => return arg,
        };
        let fixed = caller.insts.push(Inst { op, ty: Some(param.ty), span });
        caller.blocks[block].insts.push(fixed);
        Operand::Inst(fixed)
    });
    let args: Vec<Operand> = args.collect();
    let returns = copy_body(caller, callee, &args, (block, rest));
    receive(caller, callee, call, rest, &returns);
}

/// Gives the instructions from `first` on, copies of another function's, obligations of `owner`'s own.
fn adopt_obligations(program: &mut Program, owner: FuncId, function: &mut Function, first: InstId) {
    for inst in function.insts.ids().filter(|inst| *inst >= first) {
        function.insts[inst].op.for_each_obligation_mut(|id| {
            let copy = Obligation { function: owner, ..program.obligations[*id].clone() };
            *id = program.obligations.push(copy);
        });
    }
}

/// Cuts a block before and after the call at `position`; the block that holds the rest.
fn split(caller: &mut Function, block: BlockId, position: usize) -> BlockId {
    let tail = caller.blocks[block].insts.split_off(position + 1);
    caller.blocks[block].insts.truncate(position);
    let term = std::mem::replace(&mut caller.blocks[block].term, Terminator::UNREACHABLE);
    let rest =
        Block { name: caller.blocks[block].name.clone(), insts: tail, term, term_span: caller.blocks[block].term_span };
    let rest = caller.blocks.push(rest);
    for successor in caller.blocks[rest].term.successors() {
        for inst in caller.blocks[successor].insts.clone() {
            let Op::Phi { incoming } = &mut caller.insts[inst].op else { break };
            incoming.iter_mut().filter(|(from, _)| *from == block).for_each(|(from, _)| *from = rest);
        }
    }
    rest
}

/// Copies the callee's blocks behind `block`, with jumps to `rest` for its returns; the blocks that return, and what.
fn copy_body(
    caller: &mut Function,
    callee: &Function,
    args: &[Operand],
    (block, rest): (BlockId, BlockId),
) -> Vec<(BlockId, Vec<Operand>)> {
    let first_local = u32::try_from(caller.locals.len()).unwrap_or(u32::MAX);
    let mut insts: FxHashMap<InstId, InstId> = FxHashMap::default();
    for (_, old) in callee.placed_insts() {
        insts.insert(old, caller.insts.push(callee.insts[old].clone()));
    }
    let first = caller.blocks.len();
    let moved_block = |old: BlockId| BlockId(old.0 + u32::try_from(first).unwrap_or(u32::MAX));
    let moved = |operand: Operand| match operand {
        Operand::Param(index) => args.get(index as usize).copied().unwrap_or(operand),
        Operand::Inst(old) => insts.get(&old).map_or(operand, |new| Operand::Inst(*new)),
        Operand::Int { .. }
        | Operand::F32(_)
        | Operand::F64(_)
        | Operand::Null
        | Operand::Global { .. }
        | Operand::Func(_)
        | Operand::Undef(_) => operand,
    };
    for new in insts.values() {
        let op = &mut caller.insts[*new].op;
        op.for_each_operand_mut(|operand| *operand = moved(*operand));
        if let Op::Phi { incoming } = op {
            incoming.iter_mut().for_each(|(from, _)| *from = moved_block(*from));
        }
        if let Op::LifetimeStart { object: named }
        | Op::LifetimeEnd { object: named }
        | Op::Extract { call: named, .. } = op
        {
            *named = insts.get(named).copied().unwrap_or(*named);
        }
        if let Op::Arbitrary { uninit: Some(local) } = op {
            *local += first_local;
        }
    }
    let mut returns = Vec::new();
    for (old, body) in callee.blocks.iter_enumerated() {
        let mut term = body.term.clone();
        term.for_each_successor_mut(|target| *target = moved_block(*target));
        term.for_each_operand_mut(|operand| *operand = moved(*operand));
        if let Terminator::Return(values) = term {
            returns.push((moved_block(old), values));
            term = Terminator::Jump(rest);
        }
        let own = body.insts.iter().map(|inst| insts[inst]).collect();
        caller.blocks.push(Block { name: body.name.clone(), insts: own, term, term_span: body.term_span });
    }
    caller.blocks[block].term = Terminator::Jump(moved_block(Function::ENTRY));
    copy_variables(caller, callee, &insts);
    returns
}

/// Gives the caller the callee's variables.
fn copy_variables(caller: &mut Function, callee: &Function, insts: &FxHashMap<InstId, InstId>) {
    let first_local = u32::try_from(caller.locals.len()).unwrap_or(u32::MAX);
    let local =
        |local: &Local| Local { alloca: local.alloca.and_then(|alloca| insts.get(&alloca).copied()), ..local.clone() };
    caller.locals.extend(callee.locals.iter().map(local));
    let names = callee.value_names.iter();
    caller.value_names.extend(names.filter_map(|(old, local)| Some((*insts.get(old)?, local + first_local))));
    sort_names(&mut caller.value_names);
}

/// Makes the results of the call phis at the start of `rest`.
fn receive(caller: &mut Function, callee: &Function, call: InstId, rest: BlockId, returns: &[(BlockId, Vec<Operand>)]) {
    if returns.is_empty() {
        // `rest` cannot be reached any more; what it uses goes with it.
        return;
    }
    let span = caller.insts[call].span;
    let phi = |index: usize| {
        let value = |values: &Vec<Operand>| values.get(index).copied().unwrap_or(Operand::Undef(callee.results[index]));
        Op::Phi { incoming: returns.iter().map(|(from, values)| (*from, value(values))).collect() }
    };
    if let ([only], Some(_)) = (callee.results.as_slice(), caller.insts[call].ty) {
        caller.insts[call] = Inst { op: phi(0), ty: Some(*only), span };
        caller.blocks[rest].insts.insert(0, call);
        return;
    }
    let results = callee.results.iter().enumerate();
    let phis: Vec<InstId> =
        results.map(|(index, ty)| caller.insts.push(Inst { op: phi(index), ty: Some(*ty), span })).collect();
    caller.blocks[rest].insts.splice(0..0, phis.iter().copied());
    let mut substitution = Substitution::new(caller);
    let extract = |inst: InstId| match caller.insts[inst].op {
        Op::Extract { call: of, index } => (of == call).then_some((inst, index as usize)),
        belay_ir::ops!(values)
        | belay_ir::ops!(memory)
        | Op::Call { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => None,
    };
    let extracts: Vec<(InstId, usize)> = caller.placed_insts().filter_map(|(_, inst)| extract(inst)).collect();
    for (extract, index) in &extracts {
        if let Some(phi) = phis.get(*index) {
            substitution.replace(*extract, Operand::Inst(*phi));
        }
    }
    for body in caller.blocks.iter_mut() {
        body.insts.retain(|inst| !extracts.iter().any(|(extract, _)| extract == inst));
    }
    substitution.apply(caller);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline;
    use crate::testing::{Builder, I32};
    use belay_ir::{BinaryOp, IntPredicate, IntegerModel, Type, print_program, verify_program};

    /// `main` (function 0) that is still to be given its callee (function 1).
    fn with_callee(b: Builder, callee: Builder) -> Program {
        let mut function = callee.function;
        function.name = "callee".to_owned();
        let mut program = b.finish();
        let first = program.obligations.len() as u32;
        for inst in function.insts.iter_mut() {
            inst.op.for_each_obligation_mut(|id| id.0 += first);
        }
        for obligation in callee.program.obligations.iter() {
            program.obligations.push(Obligation { function: FuncId(1), ..obligation.clone() });
        }
        program.functions.push(function);
        program
    }

    fn call(b: &mut Builder, args: Vec<Operand>) -> Operand {
        let callee = Callee::Direct(FuncId(1));
        b.value(Op::Call { callee, args, variadic: 0, byval_args: vec![], obligation: None }, I32)
    }

    fn check(mut program: Program, calls_left: usize) -> Program {
        assert_eq!(verify_program(&program), Ok(()), "{}", print_program(&program));
        inline_calls(&mut program, 1000);
        assert_eq!(verify_program(&program), Ok(()), "{}", print_program(&program));
        assert_eq!(pipeline(&mut program, IntegerModel::Machine), Ok(()));
        let main = &program.functions[FuncId(0)];
        let is_call = |inst: InstId| matches!(main.insts[inst].op, Op::Call { .. });
        assert_eq!(main.placed_insts().filter(|(_, inst)| is_call(*inst)).count(), calls_left);
        program
    }

    #[test]
    fn a_branching_callee_becomes_part_of_the_loop_that_calls_it() {
        let mut callee = Builder::new(3, &[I32]);
        let small = callee.compare(IntPredicate::Slt, Operand::Param(0), Operand::int(32, 5));
        callee.branch(small, 1, 2);
        let more = callee.at(1).binary(BinaryOp::Add, Operand::Param(0), Operand::int(32, 1));
        callee.ret(more);
        callee.at(2).ret(Operand::int(32, 7));
        let mut b = Builder::new(3, &[I32]);
        b.jump(1);
        b.at(1);
        let phi = b.push(Op::Phi { incoming: vec![] }, Some(I32));
        let next = call(&mut b, vec![Operand::Inst(phi)]);
        b.function.insts[phi].op = Op::Phi { incoming: vec![(BlockId(0), Operand::Param(0)), (BlockId(1), next)] };
        let done = b.compare(IntPredicate::Eq, next, Operand::int(32, 7));
        b.branch(done, 2, 1);
        b.at(2).ret(next);
        let program = check(with_callee(b, callee), 0);
        assert!(print_program(&program).contains("phi"), "{}", print_program(&program));
    }

    #[test]
    fn an_object_behind_a_pointer_argument_can_be_promoted() {
        let mut callee = Builder::new(1, &[Type::Ptr]);
        let old = callee.load(Operand::Param(0), I32);
        let new = callee.binary(BinaryOp::Add, old, Operand::int(32, 1));
        callee.store(Operand::Param(0), new);
        callee.ret(new);
        let mut b = Builder::new(1, &[I32]);
        let x = b.local("x", 4, true);
        b.push(Op::LifetimeStart { object: x }, None);
        b.store(Operand::Inst(x), Operand::Param(0));
        call(&mut b, vec![Operand::Inst(x)]);
        let result = b.load(Operand::Inst(x), I32);
        b.ret(result);
        let program = check(with_callee(b, callee), 0);
        assert!(!print_program(&program).contains("alloca"), "{}", print_program(&program));
    }

    #[test]
    fn recursion_stays_and_what_follows_an_endless_callee_goes() {
        let mut callee = Builder::new(1, &[I32]);
        let again = call(&mut callee, vec![Operand::Param(0)]);
        callee.ret(again);
        let mut b = Builder::new(1, &[I32]);
        let result = call(&mut b, vec![Operand::Param(0)]);
        b.ret(result);
        check(with_callee(b, callee), 1);
        let mut callee = Builder::new(2, &[I32]);
        callee.jump(1);
        callee.at(1).jump(1);
        let mut b = Builder::new(1, &[I32]);
        let result = call(&mut b, vec![Operand::Param(0)]);
        b.ret(result);
        check(with_callee(b, callee), 0);
    }
}
