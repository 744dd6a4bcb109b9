//! Rows of invariants over C expressions, with the program's own names.

use belay_expression::{Addend, Binary, Expr, ForAll as AllElements, add_up};
use belay_ir::{Cfg, Function, InstId, LiveValue, Liveness, Op, Operand, Program};
use belay_logic::bv::float::Format;

use crate::formula_expression::for_all;
use crate::place::{CutPlace, ObjectKey, ObjectKind};
use crate::ranking_function::{Point, RankingFunction};
use crate::row::{Against, Atom, Bound, Cube, Elements, IndexRange, Literal, Relation, Row, Sum, Variable};

/// What a row says, if its bound is known.
pub fn condition(program: &Program, place: &CutPlace, row: &Row) -> Option<Expr> {
    let name = |atom: &Atom| atom_name(program, place, atom);
    let Bound::Constant(bound) = row.bound else { return None };
    let at_most = |left, right| Expr::binary(Binary::AtMost, left, right);
    Some(match &row.relation {
        Relation::AtMost(sum) => match sum.as_slice() {
            [(false, x)] => at_most(name(x), Expr::Integer(bound)),
            [(true, x)] => at_most(Expr::Integer(-bound), name(x)),
            [(false, x), (true, y)] | [(true, y), (false, x)] => difference(name(x), name(y), bound),
            [(true, x), (true, y)] => at_most(Expr::Integer(-bound), Expr::binary(Binary::Add, name(x), name(y))),
            sum => at_most(sum_of(program, place, sum), Expr::Integer(bound)),
        },
        Relation::Equal(x, y) => Expr::binary(Binary::Equal, name(x), name(y)),
        Relation::Differ(x, y) => Expr::binary(Binary::Differs, name(x), name(y)),
        Relation::Residue { atom, bits, value } => {
            let low = Expr::binary(Binary::BitAnd, name(atom), Expr::Integer(((1u64 << bits) - 1).into()));
            Expr::binary(Binary::Equal, low, Expr::Integer((*value).into()))
        }
        Relation::Float { variable, width, minus } => {
            let name = name(&Atom { variable: variable.clone(), signed: true });
            let bound = float(Format::of_width(*width)?, bound)?;
            match minus {
                false => at_most(name, bound),
                true => at_most(bound.minus(), name),
            }
        }
        Relation::Each(elements) => each(program, place, elements, bound),
        Relation::ForAll(every) => for_all(program, place, every),
        Relation::BlockedCubes { sums, cubes } => never(&|sum| sum_of(program, place, sum), sums, cubes)?,
    })
}

/// Combinations that are written out.
const SHOWN_CUBES: usize = 8;

fn never(expr_of: &dyn Fn(&Sum) -> Expr, sums: &[Sum], cubes: &[Cube]) -> Option<Expr> {
    let literal = |(sum, literal): &(usize, Literal)| {
        let compare = |op, value: i128| Some(Expr::binary(op, expr_of(sums.get(*sum)?), Expr::Integer(value)));
        match literal {
            Literal::Is(value) => compare(Binary::Equal, *value),
            Literal::IsNot(values) => Expr::all_of(values.iter().filter_map(|value| compare(Binary::Differs, *value))),
        }
    };
    let excluded = |cube: &Cube| Some(Expr::all_of(cube.iter().filter_map(literal))?.negated());
    let shown = cubes.iter().take(SHOWN_CUBES).filter_map(excluded);
    let more = cubes.len().checked_sub(SHOWN_CUBES).filter(|more| *more > 0);
    Expr::all_of(shown.chain(more.map(Expr::MoreCombinations)))
}

/// What a row would bound from above, had it a bound.
pub fn bounded(program: &Program, place: &CutPlace, relation: &Relation) -> Option<Expr> {
    if let Relation::Float { variable, minus, .. } = relation {
        let name = atom_name(program, place, &Atom { variable: variable.clone(), signed: true });
        return Some(if *minus { name.minus() } else { name });
    }
    let Relation::AtMost(sum) = relation else { return None };
    Some(sum_of(program, place, sum))
}

fn sum_of(program: &Program, place: &CutPlace, sum: &[(bool, Atom)]) -> Expr {
    let part = |(index, part): (usize, &(bool, Atom))| {
        let times = sum[index..].iter().filter(|other| *other == part).count() as i128;
        (if part.0 { -times } else { times }, atom_name(program, place, &part.1))
    };
    let first = sum.iter().enumerate().filter(|(index, part)| !sum[..*index].contains(part));
    add_up(&first.map(part).collect::<Vec<Addend>>(), 0)
}

/// A ranking function, of mathematical integers but for the distance, which wraps.
pub fn ranking_function(program: &Program, place: &CutPlace, ranking_function: &RankingFunction) -> Expr {
    let name = |atom: &Atom| atom_name(program, place, atom);
    let signed = |minus: &bool, expr: Expr| if *minus { expr.minus() } else { expr };
    let call = |function: &str, atoms: &[Atom]| Expr::call(function, atoms.iter().map(name).collect());
    match ranking_function {
        RankingFunction::Sum(sum) => {
            let mut parts: Vec<Addend> = sum.iter().map(|(factor, atom)| ((*factor).into(), name(atom))).collect();
            parts.sort_by_key(|(factor, _)| *factor < 0);
            add_up(&parts, 0)
        }
        RankingFunction::Greatest(minus, atoms) => signed(minus, call("max", atoms)),
        RankingFunction::Least(minus, atoms) => signed(minus, call("min", atoms)),
        RankingFunction::Float(minus, atom) => signed(minus, name(atom)),
        RankingFunction::Distance(to, from) => {
            let point = |point: &Point| match point {
                Point::Atom(atom) => name(atom),
                Point::Number(number) => Expr::Integer((*number).into()),
            };
            Expr::cast("unsigned", Expr::binary(Binary::Sub, point(to), point(from)))
        }
    }
}

/// The number at a place.
fn float(format: Format, place: i128) -> Option<Expr> {
    let bits = format.encoding_at(i64::try_from(place).ok()?);
    Some(match format == Format::SINGLE {
        true => Expr::single(f32::from_bits(bits as u32)),
        false => Expr::double(f64::from_bits(bits as u64)),
    })
}

/// A condition of many elements of an array.
fn each(program: &Program, place: &CutPlace, elements: &Elements, bound: i128) -> Expr {
    let index = || Expr::name("j");
    let element = object_name(program, &elements.object).element(index());
    let other = match &elements.against {
        Against::Nothing => None,
        Against::Index => Some(index()),
        Against::Atom(atom) => Some(atom_name(program, place, atom)),
        Against::Object(object) => Some(object_name(program, object).element(index())),
    };
    let condition = match (other, elements.minus) {
        (None, false) => Expr::binary(Binary::AtMost, element, Expr::Integer(bound)),
        (None, true) => Expr::binary(Binary::AtMost, Expr::Integer(-bound), element),
        (Some(other), false) => difference(element, other, bound),
        (Some(other), true) => difference(other, element, bound),
    };
    let which = elements.segment.as_ref().map(|(range, atom)| {
        let end = atom_name(program, place, atom);
        match range {
            IndexRange::Below => Expr::binary(Binary::Less, index(), end),
            IndexRange::Above => Expr::binary(Binary::Greater, index(), end),
            IndexRange::BelowOffset => {
                let offset = Expr::binary(Binary::Mul, Expr::Integer(elements.size.into()), index());
                Expr::binary(Binary::Less, offset, end)
            }
        }
    });
    Expr::ForAll(Box::new(AllElements { condition, indices: vec!["j".to_owned()], which }))
}

/// `x - y <= bound`.
fn difference(x: Expr, y: Expr, bound: i128) -> Expr {
    let plus = |expr, number| Expr::binary(Binary::Add, expr, Expr::Integer(number));
    match bound {
        0 => Expr::binary(Binary::AtMost, x, y),
        -1 => Expr::binary(Binary::Less, x, y),
        bound if bound < 0 => Expr::binary(Binary::AtMost, plus(x, -bound), y),
        bound => Expr::binary(Binary::AtMost, x, plus(y, bound)),
    }
}

pub(super) fn atom_name(program: &Program, place: &CutPlace, atom: &Atom) -> Expr {
    let function = &program.functions[place.function];
    match &atom.variable {
        Variable::Register(inst) => Expr::Name(register_name(function, *inst)),
        Variable::Param(index) => {
            let name = function.params.get(*index as usize).map(|param| param.name.clone());
            let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("param{index}"));
            if is_past(function, place, *index) { Expr::old(name) } else { Expr::Name(name) }
        }
        Variable::Offset(inst) => {
            Expr::call("__CPROVER_POINTER_OFFSET", vec![Expr::Name(register_name(function, *inst))])
        }
        Variable::Result => Expr::name("result"),
        Variable::Positive(index) => {
            let param = Atom { variable: Variable::Param(*index), signed: true };
            Expr::call("max", vec![atom_name(program, place, &param), Expr::Integer(0)])
        }
        Variable::Last(inst) => {
            loaded_name(program, function, *inst).unwrap_or_else(|| Expr::Name(register_name(function, *inst)))
        }
        Variable::Cell { object, offset: 0, .. } => object_name(program, object),
        Variable::Cell { object, offset, .. } => {
            let start = Expr::cast("char *", object_name(program, object).address());
            Expr::binary(Binary::Add, start, Expr::Integer((*offset).into())).target()
        }
    }
}

/// True if a parameter is not needed any more at a loop: what its name stands for there is something else.
fn is_past(function: &Function, place: &CutPlace, index: u32) -> bool {
    let is_needed =
        || Liveness::new(function, &Cfg::new(function)).live_in(place.head).contains(&LiveValue::Param(index));
    place.head != Function::ENTRY && !is_needed()
}

/// What a value was read from.
fn loaded_name(program: &Program, function: &Function, inst: InstId) -> Option<Expr> {
    let Op::Load { ptr, .. } = &function.insts[inst].op else { return None };
    let base = |operand: &Operand| match operand {
        Operand::Global { global, .. } => Some(Expr::name(&program.globals[*global].name)),
        Operand::Param(index) => Some(Expr::name(&function.params.get(*index as usize)?.name)),
        Operand::Inst(inst) => function.local_of_value(*inst).map(|local| Expr::name(&local.name)),
        _ => None,
    };
    match ptr {
        Operand::Inst(address) => match &function.insts[*address].op {
            Op::PtrAdd { base: array, .. } => Some(Expr::SomeElement(Box::new(base(array)?))),
            _ => Some(base(ptr)?.target()),
        },
        _ => base(ptr),
    }
}

pub(super) fn register_name(function: &Function, inst: InstId) -> String {
    function.local_of_value(inst).map_or_else(|| format!("v{}", inst.0), |local| local.name.clone())
}

fn object_name(program: &Program, object: &ObjectKey) -> Expr {
    Expr::Name(match object.kind {
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
    })
}
