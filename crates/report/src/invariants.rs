//! Invariants of loops, in C's syntax and the program's own names.

use belay_evidence::Induction;
use belay_ir::{BlockId, FuncId, Function, InstId, Program};
use belay_semantics::encode::cut::{Atom, Bound, CutPlace, ObjectKey, Relation, Row, Variable};
use belay_semantics::encode::object::ObjectKind;

/// What holds whenever a loop's head is reached again.
pub struct LoopInvariant {
    /// The function.
    pub function: FuncId,
    /// The head.
    pub head: BlockId,
    /// The conditions.
    pub conditions: Vec<String>,
}

/// The invariants of an induction, by loop; a loop that is called from several places has several.
pub fn invariants(program: &Program, induction: &Induction) -> Vec<LoopInvariant> {
    let mut found = Vec::new();
    for (place, cut) in &induction.cutting.cuts {
        let conditions: Vec<String> = cut.rows.iter().filter_map(|row| condition(program, place, row)).collect();
        if !conditions.is_empty() {
            found.push(LoopInvariant { function: place.function, head: place.head, conditions });
        }
    }
    found
}

fn condition(program: &Program, place: &CutPlace, row: &Row) -> Option<String> {
    let name = |atom: &Atom| atom_name(program, place, atom);
    let Bound::Constant(bound) = row.bound else { return None };
    Some(match &row.relation {
        Relation::AtMost(sum) => match sum.as_slice() {
            [(false, x)] => format!("{} <= {bound}", name(x)),
            [(true, x)] => format!("{} <= {}", -bound, name(x)),
            [(false, x), (true, y)] | [(true, y), (false, x)] => difference(&name(x), &name(y), bound),
            [(false, x), (false, y)] => format!("{} + {} <= {bound}", name(x), name(y)),
            [(true, x), (true, y)] => format!("{} <= {} + {}", -bound, name(x), name(y)),
            _ => return None,
        },
        Relation::Equal(x, y) => format!("{} == {}", name(x), name(y)),
        Relation::Differ(x, y) => format!("{} != {}", name(x), name(y)),
        Relation::Residue { atom, bits, value } => format!("({} & {}) == {value}", name(atom), (1u64 << bits) - 1),
    })
}

/// `x - y <= bound`.
fn difference(x: &str, y: &str, bound: i128) -> String {
    match bound {
        0 => format!("{x} <= {y}"),
        -1 => format!("{x} < {y}"),
        bound if bound < 0 => format!("{x} + {} <= {y}", -bound),
        bound => format!("{x} <= {y} + {bound}"),
    }
}

fn atom_name(program: &Program, place: &CutPlace, atom: &Atom) -> String {
    let function = &program.functions[place.function];
    match &atom.variable {
        Variable::Register(inst) => register_name(function, *inst),
        Variable::Param(index) => {
            let name = function.params.get(*index as usize).map(|param| param.name.clone());
            name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("param{index}"))
        }
        Variable::Offset(inst) => format!("__CPROVER_POINTER_OFFSET({})", register_name(function, *inst)),
        Variable::Cell { object, offset: 0, .. } => object_name(program, object),
        Variable::Cell { object, offset, .. } => format!("*((char *)&{} + {offset})", object_name(program, object)),
    }
}

fn register_name(function: &Function, inst: InstId) -> String {
    function.local_of_value(inst).map_or_else(|| format!("v{}", inst.0), |local| local.name.clone())
}

fn object_name(program: &Program, object: &ObjectKey) -> String {
    match object.kind {
        ObjectKind::Global(global) => program.globals[global].name.clone(),
        ObjectKind::Stack => {
            let function = object.calls.last().map(|(_, function)| &program.functions[*function]);
            let local = function.and_then(|body| body.locals.iter().find(|local| local.alloca == Some(object.inst)));
            local.map_or_else(|| format!("local{}", object.inst.0), |local| local.name.clone())
        }
        ObjectKind::Heap => format!("block{}", object.inst.0),
        ObjectKind::Function(function) => program.functions[function].name.clone(),
        ObjectKind::Arguments => "argv".to_owned(),
        ObjectKind::String(index) => format!("argv[{index}]"),
        ObjectKind::EntryBytes(index) => format!("param{index}"),
    }
}
