//! Rows about many elements in words.

use belay_ir::{BinaryOp, IntPredicate, Program};

use crate::formula::{Array, Element, ForAll, Formula, Limit, Side};
use crate::place::CutPlace;
use crate::row::{Atom, Variable};
use crate::words::{atom_name, register_name};

/// Formulas of one row.
struct Writer<'p> {
    program: &'p Program,
    place: &'p CutPlace,
    /// How many indices there are.
    dimensions: u32,
}

/// What a row says of many elements.
pub(super) fn for_all_text(program: &Program, place: &CutPlace, every: &ForAll) -> String {
    let writer = Writer { program, place, dimensions: every.dimensions() };
    let condition = writer.text(&every.condition);
    if writer.dimensions == 0 {
        return condition;
    }
    let indices: Vec<String> = (0..writer.dimensions).map(|dimension| writer.index(dimension)).collect();
    let which = writer.which(every);
    match which.as_str() {
        "" => format!("{condition} for all {}", indices.join(", ")),
        which if writer.dimensions == 1 => format!("{condition} for all {which}"),
        which => format!("{condition} for all {} with {which}", indices.join(", ")),
    }
}

impl Writer<'_> {
    fn index(&self, dimension: u32) -> String {
        if self.dimensions > 1 { format!("j{}", dimension + 1) } else { "j".to_owned() }
    }

    /// Which indices a row is about.
    fn which(&self, every: &ForAll) -> String {
        let mut parts: Vec<String> = every.within.iter().map(|limit| self.limit(limit, false)).collect();
        let one = |limits: &Vec<Limit>| {
            let limits: Vec<String> = limits.iter().map(|limit| self.limit(limit, false)).collect();
            limits.join(" and ")
        };
        match (every.segments.as_slice(), every.rest) {
            ([], _) => {}
            ([only], false) => parts.push(one(only)),
            (segments, true) if segments.iter().all(|limits| limits.len() == 1) => {
                parts.extend(segments.iter().flatten().map(|limit| self.limit(limit, true)));
            }
            (segments, rest) => {
                let segments: Vec<String> = segments.iter().map(one).collect();
                let joined = segments.join(" or ");
                parts.push(match (rest, parts.is_empty()) {
                    (true, _) => format!("not ({joined})"),
                    (false, true) => joined,
                    (false, false) => format!("({joined})"),
                });
            }
        }
        parts.join(" and ")
    }

    fn limit(&self, limit: &Limit, opposite: bool) -> String {
        let relation = match (limit.side, opposite) {
            (Side::Below, false) | (Side::From, true) => "<",
            (Side::UpTo, false) | (Side::Above, true) => "<=",
            (Side::At, false) => "==",
            (Side::At, true) => "!=",
            (Side::From, false) | (Side::Below, true) => ">=",
            (Side::Above, false) | (Side::UpTo, true) => ">",
        };
        format!("{} {relation} {}", self.index(limit.dimension), self.text(&limit.end))
    }

    /// A formula as C writes it.
    fn text(&self, formula: &Formula) -> String {
        match formula {
            Formula::Number { width, value } => match *width {
                2..=127 => ((*value as i128) << (128 - width) >> (128 - width)).to_string(),
                _ => value.to_string(),
            },
            Formula::Index { dimension, .. } => self.index(*dimension),
            Formula::Element(element) => self.element(element),
            Formula::PrefixSum(total) => {
                format!("sum({} and so on, {} numbers)", self.text(&total.first), self.inner(&total.count))
            }
            Formula::Variable(variable) => {
                atom_name(self.program, self.place, &Atom { variable: variable.clone(), signed: true })
            }
            Formula::Binary(op, a, b) => format!("{} {} {}", self.inner(a), operator(*op), self.inner(b)),
            Formula::Compare(op, a, b) => {
                let sign = match op {
                    IntPredicate::Eq => "==",
                    IntPredicate::Ne => "!=",
                    IntPredicate::Ult | IntPredicate::Slt => "<",
                    IntPredicate::Ule | IntPredicate::Sle => "<=",
                    IntPredicate::Ugt | IntPredicate::Sgt => ">",
                    IntPredicate::Uge | IntPredicate::Sge => ">=",
                };
                format!("{} {sign} {}", self.inner(a), self.inner(b))
            }
            Formula::Cast(_, _, a) => self.inner(a),
            Formula::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                let yes = Formula::Number { width: 1, value: 1 };
                let (when, one, other) = (self.inner(condition), self.inner(then), self.inner(otherwise));
                match (*then == yes, *otherwise == yes) {
                    (true, _) => format!("{when} || {other}"),
                    (false, true) => format!("!{when} || {one}"),
                    (false, false) => format!("{when} ? {one} : {other}"),
                }
            }
        }
    }

    fn inner(&self, formula: &Formula) -> String {
        match formula {
            Formula::Binary(..) | Formula::Compare(..) | Formula::Select(_) => format!("({})", self.text(formula)),
            Formula::Number { .. }
            | Formula::Index { .. }
            | Formula::Element(_)
            | Formula::PrefixSum(_)
            | Formula::Variable(_)
            | Formula::Cast(..) => self.text(formula),
        }
    }

    fn element(&self, element: &Element) -> String {
        let function = &self.program.functions[self.place.function];
        let name = match element.array {
            Array::Register(inst) => {
                let local = function.local_of_object(inst);
                local.map_or_else(|| register_name(function, inst), |local| local.name.clone())
            }
            Array::Param(index) => {
                let param = Atom { variable: Variable::Param(index), signed: true };
                atom_name(self.program, self.place, &param)
            }
            Array::Global(global) => self.program.globals[global].name.clone(),
        };
        if element.strides.is_empty() && element.constant_base() == Some(0) {
            return format!("{name}[0]");
        }
        let falls = element.strides.is_sorted_by(|a, b| a.1 > b.1);
        let whole = element.strides.last().is_some_and(|(_, stride)| *stride == i64::from(element.size));
        if falls && whole && element.constant_base() == Some(0) {
            let indices = element.strides.iter().map(|(dimension, _)| format!("[{}]", self.index(*dimension)));
            return name + &indices.collect::<String>();
        }
        let mut offset: Vec<String> = element
            .strides
            .iter()
            .map(|(dimension, stride)| format!("{stride} * {}", self.index(*dimension)))
            .collect();
        if element.constant_base() != Some(0) {
            offset.push(self.inner(&element.base));
        }
        format!("*((char *){name} + {})", offset.join(" + "))
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::UDiv | BinaryOp::SDiv => "/",
        BinaryOp::URem | BinaryOp::SRem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::LShr | BinaryOp::AShr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}
