//! Comparisons of the library (`strcmp`, `memcmp` and their kin): C promises the sign of what they return, no more.
//!
//! Where a program looks at the sign only, as nearly all do, the number that the model gives will do; so it does where a function returns it that is only called by its
//! name, and where each of these calls looks at the sign only. Anywhere else the number goes through the
//! model `__belay_of_sign`, which may make any other of the same sign of it; so does the result of a comparison whose address is taken.

use std::collections::BTreeSet;

use belay_ir::{BlockId, Callee, FuncId, Function, Inst, InstId, Op, Operand, Program, Terminator, Type};

use crate::models::{OF_SIGN, ORDERS};

/// Opens the results of comparisons beyond their sign.
pub fn open_results(program: &mut Program) {
    let Some(of_sign) = program.function_named(OF_SIGN) else { return };
    let is_order = |id: &FuncId| program.functions[*id].is_model;
    let orders: BTreeSet<FuncId> =
        ORDERS.iter().filter_map(|name| program.function_named(name)).filter(is_order).collect();
    let taken: Vec<FuncId> = orders.iter().copied().filter(|order| is_taken(program, *order)).collect();
    for order in &taken {
        open_returns(&mut program.functions[*order], of_sign);
    }
    let own = program.functions.iter_enumerated().filter(|(_, function)| !function.is_model);
    let is_open_order =
        |inst: &Inst| calls(&inst.op).is_some_and(|callee| orders.contains(&callee) && !taken.contains(&callee));
    let open: Vec<(FuncId, InstId)> = own
        .flat_map(|(id, function)| {
            let compared = function.insts.iter_enumerated().filter(|(_, inst)| is_open_order(inst));
            compared.map(move |(inst, _)| (id, inst))
        })
        .filter(|place| !signs_only(program, *place, &mut BTreeSet::new()))
        .collect();
    for (function, call) in open {
        open_call(&mut program.functions[function], call, of_sign);
    }
}

/// True only if a function is called by its name alone, and nothing but the sign of what it returns is looked at.
fn returns_sign(program: &Program, id: FuncId, seen: &mut BTreeSet<Place>) -> bool {
    let function = &program.functions[id];
    let is_plain = function.results.as_slice() == [Type::Int(32)] && !function.is_model && function.name != "main";
    if !is_plain || function.builds_entry() || is_taken(program, id) {
        return false;
    }
    program.functions.iter_enumerated().all(|(caller, function)| {
        let called = function.insts.iter_enumerated().filter(|(_, inst)| calls(&inst.op) == Some(id));
        called.into_iter().all(|(inst, _)| signs_only(program, (caller, inst), seen))
    })
}

/// A value of a function.
type Place = (FuncId, InstId);

fn calls(op: &Op) -> Option<FuncId> {
    match op {
        Op::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        _ => None,
    }
}

/// True if a function is named other than to be called.
fn is_taken(program: &Program, function: FuncId) -> bool {
    let mut taken = false;
    let mut look = |operand: &Operand| taken |= *operand == Operand::Func(function);
    for user in program.functions.iter() {
        user.insts.iter().for_each(|inst| inst.op.for_each_operand(&mut look));
        user.blocks.iter().for_each(|block| block.term.for_each_operand(&mut look));
    }
    let inits = program.globals.iter().filter_map(|global| global.init.as_ref());
    let named = |relocation: &belay_ir::Relocation| relocation.target == belay_ir::Target::Func(function);
    taken || inits.flat_map(|init| &init.relocations).any(named)
}

/// True only if nothing but the sign of a value is looked at. `seen` holds values and variables that are being looked at.
fn signs_only(program: &Program, (id, value): Place, seen: &mut BTreeSet<Place>) -> bool {
    if !seen.insert((id, value)) {
        return true;
    }
    let function = &program.functions[id];
    let uses = |found: &mut bool, operand: &Operand| *found |= *operand == Operand::Inst(value);
    let mut in_terminators = function.blocks.iter().filter(|block| {
        let mut found = false;
        block.term.for_each_operand(|operand| uses(&mut found, operand));
        found
    });
    in_terminators.all(|block| matches!(block.term, Terminator::Return(_)) && returns_sign(program, id, seen))
        && function.insts.iter_enumerated().all(|(user, inst)| {
            let mut found = false;
            inst.op.for_each_operand(|operand| uses(&mut found, operand));
            !found || shows_sign(program, (id, value), (user, &inst.op), seen)
        })
}

/// True only if a use of a value shows its sign and no more.
fn shows_sign(program: &Program, (id, value): Place, (user, op): (InstId, &Op), seen: &mut BTreeSet<Place>) -> bool {
    let is_zero = |operand: &Operand| matches!(operand, Operand::Int { value: 0, .. });
    match op {
        Op::Compare { lhs, rhs, .. } => is_zero(lhs) || is_zero(rhs),
        Op::Store { ptr: Operand::Inst(variable), value: stored, volatile: false, .. }
            if *stored == Operand::Inst(value) =>
        {
            *variable != value && variable_shows_sign(program, (id, *variable), seen)
        }
        Op::Phi { .. } => signs_only(program, (id, user), seen),
        _ => false,
    }
}

/// True only if a local variable is read and written whole by its name, and what is read shows its sign only.
fn variable_shows_sign(program: &Program, (id, variable): Place, seen: &mut BTreeSet<Place>) -> bool {
    let function = &program.functions[id];
    if !matches!(function.insts[variable].op, Op::Alloca { .. }) {
        return false;
    }
    if !seen.insert((id, variable)) {
        return true;
    }
    let name = Operand::Inst(variable);
    function.insts.iter_enumerated().all(|(user, inst)| match &inst.op {
        Op::Load { ptr, .. } if *ptr == name => inst.ty == Some(Type::Int(32)) && signs_only(program, (id, user), seen),
        Op::Store { ptr, value, .. } if *ptr == name => *value != name,
        op => {
            let mut found = false;
            op.for_each_operand(|operand| found |= *operand == name);
            !found
        }
    }) && function.blocks.iter().all(|block| {
        let mut found = false;
        block.term.for_each_operand(|operand| found |= *operand == name);
        !found
    })
}

fn open_order(of_sign: FuncId, order: Operand, span: belay_base::Span) -> Inst {
    let callee = Callee::Direct(of_sign);
    let op = Op::Call { callee, args: vec![order], variadic: 0, byval_args: Vec::new(), obligation: None };
    Inst { op, ty: Some(Type::Int(32)), span }
}

/// Replaces the result of a call in all its uses.
fn open_call(function: &mut Function, call: InstId, of_sign: FuncId) {
    let home = function.blocks.ids().find_map(|block| place_in(function, block, call));
    let (Some((block, at)), Some(Type::Int(32))) = (home, function.insts[call].ty) else { return };
    let replace = |operand: &mut Operand, by: InstId| {
        if *operand == Operand::Inst(call) {
            *operand = Operand::Inst(by);
        }
    };
    let next = InstId(function.insts.len() as u32);
    function.insts.iter_mut().for_each(|inst| inst.op.for_each_operand_mut(|operand| replace(operand, next)));
    function.blocks.iter_mut().for_each(|block| block.term.for_each_operand_mut(|operand| replace(operand, next)));
    let span = function.insts[call].span;
    function.insts.push(open_order(of_sign, Operand::Inst(call), span));
    function.blocks[block].insts.insert(at + 1, next);
}

fn place_in(function: &Function, block: BlockId, inst: InstId) -> Option<(BlockId, usize)> {
    let at = function.blocks[block].insts.iter().position(|found| *found == inst)?;
    Some((block, at))
}

/// Opens what a function returns.
fn open_returns(function: &mut Function, of_sign: FuncId) {
    for block in function.blocks.ids() {
        let Terminator::Return(values) = &function.blocks[block].term else { continue };
        let [order] = values[..] else { continue };
        let next = InstId(function.insts.len() as u32);
        function.insts.push(open_order(of_sign, order, function.span));
        function.blocks[block].insts.push(next);
        function.blocks[block].term = Terminator::Return(vec![Operand::Inst(next)]);
    }
}
