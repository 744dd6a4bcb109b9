//! Sorting and searching with a comparison that changes nothing: such a call goes to a model of its own, which knows more of the result.
//!
//! A comparison that is not named in the call may be any function, and keeps the model that expects everything.

use belay_ir::{Callee, FuncId, Op, Operand, Program, changes_nothing};

use crate::models::PURE_SORTS;

/// Directs calls of sorting functions of the library to the models that fit their comparison.
pub fn choose_models(program: &mut Program) {
    for (name, pure, index) in PURE_SORTS {
        let (Some(general), Some(pure)) = (program.function_named(name), program.function_named(pure)) else {
            continue;
        };
        // One that the program defines is not the library's.
        if !program.functions[general].is_model {
            continue;
        }
        let calls: Vec<_> = program
            .functions
            .iter_enumerated()
            .flat_map(|(id, function)| function.insts.iter_enumerated().map(move |(inst, found)| (id, inst, &found.op)))
            .filter(|(_, _, op)| {
                comparison(op, general, *index).is_some_and(|compare| changes_nothing(program, compare))
            })
            .map(|(id, inst, _)| (id, inst))
            .collect();
        for (id, inst) in calls {
            if let Op::Call { callee, .. } = &mut program.functions[id].insts[inst].op {
                *callee = Callee::Direct(pure);
            }
        }
    }
}

/// The comparison that a call of `sort` names.
fn comparison(op: &Op, sort: FuncId, index: usize) -> Option<FuncId> {
    let Op::Call { callee: Callee::Direct(callee), args, .. } = op else { return None };
    match args.get(index) {
        Some(Operand::Func(function)) if *callee == sort => Some(*function),
        Some(_) | None => None,
    }
}
