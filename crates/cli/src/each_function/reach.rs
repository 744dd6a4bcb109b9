//! Which functions a call may reach: by name, and through pointers all whose address is taken anywhere.

use std::collections::BTreeSet;

use belay_ir::{Builtin, Callee, FuncId, FuncKind, Op, Operand, Program, Target};

/// True if `start`, or what it may call, frees or moves blocks. A function without body may.
pub fn may_free(program: &Program, start: FuncId) -> bool {
    let frees = |id: &FuncId| match program.functions[*id].kind {
        FuncKind::Builtin(builtin) => matches!(builtin, Builtin::Free | Builtin::Realloc),
        FuncKind::Extern => true,
        FuncKind::Defined => false,
    };
    reachable(program, start).iter().any(frees)
}

fn reachable(program: &Program, start: FuncId) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::from([start]);
    let mut open = vec![start];
    let mut is_any_called = false;
    while let Some(id) = open.pop() {
        let mut next: Vec<FuncId> = Vec::new();
        for (_, inst) in program.functions[id].placed_insts() {
            match &program.functions[id].insts[inst].op {
                Op::Call { callee: Callee::Direct(callee), .. } => next.push(*callee),
                Op::Call { callee: Callee::Indirect(..), .. } if !is_any_called => {
                    is_any_called = true;
                    next.extend(with_address(program));
                }
                _ => {}
            }
        }
        open.extend(next.into_iter().filter(|callee| found.insert(*callee)));
    }
    found
}

fn with_address(program: &Program) -> BTreeSet<FuncId> {
    let mut taken = BTreeSet::new();
    for function in program.functions.iter() {
        for (_, inst) in function.placed_insts() {
            function.insts[inst].op.for_each_operand(|operand| {
                if let Operand::Func(callee) = operand {
                    taken.insert(*callee);
                }
            });
        }
        for block in function.blocks.iter() {
            block.term.for_each_operand(|operand| {
                if let Operand::Func(callee) = operand {
                    taken.insert(*callee);
                }
            });
        }
    }
    let relocations = program.globals.iter().filter_map(|global| global.init.as_ref());
    for relocation in relocations.flat_map(|init| &init.relocations) {
        if let Target::Func(callee) = relocation.target {
            taken.insert(callee);
        }
    }
    taken
}
