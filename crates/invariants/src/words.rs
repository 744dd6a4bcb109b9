//! Rows of invariants in C's syntax and the program's own names, for people.

use belay_ir::{Cfg, Function, InstId, LiveValue, Liveness, Op, Operand, Program};

use belay_logic::bv::float::Format;

use crate::formula_text::for_all_text;
use crate::place::{CutPlace, ObjectKey, ObjectKind};
use crate::ranking_function::{Point, RankingFunction};
use crate::row::{Against, Atom, Bound, Cube, Elements, IndexRange, Literal, Relation, Row, Sum, Variable};

/// What a row says, if its bound is known.
pub fn condition(program: &Program, place: &CutPlace, row: &Row) -> Option<String> {
    let name = |atom: &Atom| atom_name(program, place, atom);
    let Bound::Constant(bound) = row.bound else { return None };
    Some(match &row.relation {
        Relation::AtMost(sum) => match sum.as_slice() {
            [(false, x)] => format!("{} <= {bound}", name(x)),
            [(true, x)] => format!("{} <= {}", -bound, name(x)),
            [(false, x), (true, y)] | [(true, y), (false, x)] => difference(&name(x), &name(y), bound),
            [(false, x), (false, y)] => format!("{} + {} <= {bound}", name(x), name(y)),
            [(true, x), (true, y)] => format!("{} <= {} + {}", -bound, name(x), name(y)),
            sum => format!("{} <= {bound}", sum_name(program, place, sum)),
        },
        Relation::Equal(x, y) => format!("{} == {}", name(x), name(y)),
        Relation::Differ(x, y) => format!("{} != {}", name(x), name(y)),
        Relation::Residue { atom, bits, value } => format!("({} & {}) == {value}", name(atom), (1u64 << bits) - 1),
        Relation::Float { variable, width, minus } => {
            let name = name(&Atom { variable: variable.clone(), signed: true });
            let bound = float(Format::of_width(*width)?, bound)?;
            match minus {
                false => format!("{name} <= {bound}"),
                true => format!("{} <= {name}", negated(&bound)),
            }
        }
        Relation::Each(elements) => each(program, place, elements, bound),
        Relation::ForAll(every) => for_all_text(program, place, every),
        Relation::BlockedCubes { sums, cubes } => never(&|sum| sum_name(program, place, sum), sums, cubes),
    })
}

/// Combinations that are written out.
const SHOWN_CUBES: usize = 8;

fn never(name: &dyn Fn(&Sum) -> String, sums: &[Sum], cubes: &[Cube]) -> String {
    let literal = |(sum, literal): &(usize, Literal)| {
        let name = sums.get(*sum).map(name).unwrap_or_default();
        match literal {
            Literal::Is(value) => format!("{name} == {value}"),
            Literal::IsNot(values) => {
                let differ: Vec<String> = values.iter().map(|value| format!("{name} != {value}")).collect();
                differ.join(" && ")
            }
        }
    };
    let excluded = |cube: &Cube| format!("!({})", cube.iter().map(literal).collect::<Vec<_>>().join(" && "));
    let mut shown: Vec<String> = cubes.iter().take(SHOWN_CUBES).map(excluded).collect();
    match cubes.len().saturating_sub(SHOWN_CUBES) {
        0 => {}
        more => shown.push(format!("{more} more combinations that never occur")),
    }
    shown.join(" && ")
}

/// What a row would bound from above, had it a bound.
pub fn bounded(program: &Program, place: &CutPlace, relation: &Relation) -> Option<String> {
    if let Relation::Float { variable, minus, .. } = relation {
        let name = atom_name(program, place, &Atom { variable: variable.clone(), signed: true });
        return Some(if *minus { format!("-{name}") } else { name });
    }
    let Relation::AtMost(sum) = relation else { return None };
    Some(sum_name(program, place, sum))
}

fn sum_name(program: &Program, place: &CutPlace, sum: &[(bool, Atom)]) -> String {
    let mut text = String::new();
    for (index, part) in sum.iter().enumerate().filter(|(index, part)| !sum[..*index].contains(part)) {
        let (minus, atom) = part;
        let sign = match (minus, text.is_empty()) {
            (true, true) => "-",
            (false, true) => "",
            (true, false) => " - ",
            (false, false) => " + ",
        };
        text += sign;
        match sum[index..].iter().filter(|other| *other == part).count() {
            1 => {}
            times => text += &format!("{times} * "),
        }
        text += &atom_name(program, place, atom);
    }
    text
}

/// A ranking_function, of mathematical integers but for the distance, which wraps.
pub fn ranking_function(program: &Program, place: &CutPlace, ranking_function: &RankingFunction) -> String {
    let name = |atom: &Atom| atom_name(program, place, atom);
    let names = |atoms: &[Atom]| atoms.iter().map(name).collect::<Vec<_>>().join(", ");
    let sign = |minus: &bool| if *minus { "-" } else { "" };
    match ranking_function {
        RankingFunction::Sum(sum) => linear(sum.iter().map(|(factor, atom)| (*factor, name(atom))).collect()),
        RankingFunction::Greatest(minus, atoms) => format!("{}max({})", sign(minus), names(atoms)),
        RankingFunction::Least(minus, atoms) => format!("{}min({})", sign(minus), names(atoms)),
        RankingFunction::Float(minus, atom) => format!("{}{}", sign(minus), name(atom)),
        RankingFunction::Distance(to, from) => {
            let point = |point: &Point| match point {
                Point::Atom(atom) => name(atom),
                Point::Number(number) => number.to_string(),
            };
            format!("(unsigned)({} - {})", point(to), point(from))
        }
    }
}

/// What is added first.
fn linear(mut sum: Vec<(i64, String)>) -> String {
    sum.sort_by_key(|(factor, _)| *factor < 0);
    let mut text = String::new();
    for (factor, name) in sum {
        let sign = match (factor < 0, text.is_empty()) {
            (true, true) => "-",
            (false, true) => "",
            (true, false) => " - ",
            (false, false) => " + ",
        };
        text += sign;
        if factor.abs() != 1 {
            text += &format!("{}*", factor.abs());
        }
        text += &name;
    }
    text
}

/// The number at a place, as C writes it.
fn float(format: Format, place: i128) -> Option<String> {
    let bits = format.encoding_at(i64::try_from(place).ok()?);
    let (text, finite) = match format == Format::SINGLE {
        true => {
            let number = f32::from_bits(bits as u32);
            (format!("{number:?}f"), number.is_finite())
        }
        false => {
            let number = f64::from_bits(bits as u64);
            (format!("{number:?}"), number.is_finite())
        }
    };
    Some(match (finite, place < 0) {
        (true, _) => text,
        (false, false) => "INFINITY".to_owned(),
        (false, true) => "-INFINITY".to_owned(),
    })
}

fn negated(number: &str) -> String {
    number.strip_prefix('-').map_or_else(|| format!("-{number}"), str::to_owned)
}

/// A condition of many elements of an array.
fn each(program: &Program, place: &CutPlace, elements: &Elements, bound: i128) -> String {
    let array = object_name(program, &elements.object);
    let element = format!("{array}[j]");
    let other = match &elements.against {
        Against::Nothing => None,
        Against::Index => Some("j".to_owned()),
        Against::Atom(atom) => Some(atom_name(program, place, atom)),
        Against::Object(object) => Some(format!("{}[j]", object_name(program, object))),
    };
    let condition = match (other, elements.minus) {
        (None, false) => format!("{element} <= {bound}"),
        (None, true) => format!("{} <= {element}", -bound),
        (Some(other), false) => difference(&element, &other, bound),
        (Some(other), true) => difference(&other, &element, bound),
    };
    match &elements.segment {
        None => format!("{condition} for all j"),
        Some((IndexRange::Below, atom)) => format!("{condition} for all j < {}", atom_name(program, place, atom)),
        Some((IndexRange::Above, atom)) => format!("{condition} for all j > {}", atom_name(program, place, atom)),
        Some((IndexRange::BelowOffset, atom)) => {
            let end = atom_name(program, place, atom);
            format!("{condition} for all j with {} * j < {end}", elements.size)
        }
    }
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

pub(super) fn atom_name(program: &Program, place: &CutPlace, atom: &Atom) -> String {
    let function = &program.functions[place.function];
    match &atom.variable {
        Variable::Register(inst) => register_name(function, *inst),
        Variable::Param(index) => {
            let name = function.params.get(*index as usize).map(|param| param.name.clone());
            let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("param{index}"));
            if is_past(function, place, *index) { format!("__CPROVER_old({name})") } else { name }
        }
        Variable::Offset(inst) => format!("__CPROVER_POINTER_OFFSET({})", register_name(function, *inst)),
        Variable::Result => "result".to_owned(),
        Variable::Positive(index) => {
            let param = Atom { variable: Variable::Param(*index), signed: true };
            format!("max({}, 0)", atom_name(program, place, &param))
        }
        Variable::Last(inst) => loaded_name(program, function, *inst).unwrap_or_else(|| register_name(function, *inst)),
        Variable::Cell { object, offset: 0, .. } => object_name(program, object),
        Variable::Cell { object, offset, .. } => format!("*((char *)&{} + {offset})", object_name(program, object)),
    }
}

/// True if a parameter is not needed any more at a loop: what its name stands for there is something else.
fn is_past(function: &Function, place: &CutPlace, index: u32) -> bool {
    let is_needed =
        || Liveness::new(function, &Cfg::new(function)).live_in(place.head).contains(&LiveValue::Param(index));
    place.head != Function::ENTRY && !is_needed()
}

/// What a value was read from.
fn loaded_name(program: &Program, function: &Function, inst: InstId) -> Option<String> {
    let Op::Load { ptr, .. } = &function.insts[inst].op else { return None };
    let base = |operand: &Operand| match operand {
        Operand::Global { global, .. } => Some(program.globals[*global].name.clone()),
        Operand::Param(index) => Some(function.params.get(*index as usize)?.name.clone()),
        Operand::Inst(inst) => function.local_of_value(*inst).map(|local| local.name.clone()),
        _ => None,
    };
    match ptr {
        Operand::Inst(address) => match &function.insts[*address].op {
            Op::PtrAdd { base: array, .. } => Some(format!("{}[]", base(array)?)),
            _ => Some(format!("*{}", base(ptr)?)),
        },
        _ => base(ptr),
    }
}

pub(super) fn register_name(function: &Function, inst: InstId) -> String {
    function.local_of_value(inst).map_or_else(|| format!("v{}", inst.0), |local| local.name.clone())
}

fn object_name(program: &Program, object: &ObjectKey) -> String {
    match object.kind {
        ObjectKind::Global(global) => program.globals[global].name.clone(),
        ObjectKind::Stack => {
            let function = object.calls.last().map(|(_, function)| &program.functions[*function]);
            let local = function.and_then(|body| body.local_of_object(object.inst));
            local.map_or_else(|| format!("local{}", object.inst.0), |local| local.name.clone())
        }
        ObjectKind::Heap => format!("block{}", object.inst.0),
        ObjectKind::Function(function) => program.functions[function].name.clone(),
        ObjectKind::Arguments => "argv".to_owned(),
        ObjectKind::String(index) => format!("argv[{index}]"),
        ObjectKind::EntryBytes(index) => format!("param{index}"),
    }
}
