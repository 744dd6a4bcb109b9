//! Rows about many elements over C expressions.

use belay_expression::{Binary, Expr, ForAll as AllElements};
use belay_ir::{BinaryOp, IntPredicate, Program};

use crate::expressions::{atom_name, register_name};
use crate::formula::{Array, Element, ForAll, Formula, Limit, Side};
use crate::place::CutPlace;
use crate::row::{Atom, Variable};

/// Formulas of one row.
struct Reader<'p> {
    program: &'p Program,
    place: &'p CutPlace,
    /// How many indices there are.
    dimensions: u32,
}

/// What a row says of many elements.
pub(super) fn for_all(program: &Program, place: &CutPlace, every: &ForAll) -> Expr {
    let reader = Reader { program, place, dimensions: every.dimensions() };
    let condition = reader.expr(&every.condition);
    if reader.dimensions == 0 {
        return condition;
    }
    let indices = (0..reader.dimensions).map(|dimension| reader.index_name(dimension)).collect();
    Expr::ForAll(Box::new(AllElements { condition, indices, which: reader.which(every) }))
}

impl Reader<'_> {
    fn index_name(&self, dimension: u32) -> String {
        if self.dimensions > 1 { format!("j{}", dimension + 1) } else { "j".to_owned() }
    }

    fn index(&self, dimension: u32) -> Expr {
        Expr::Name(self.index_name(dimension))
    }

    /// Which indices a row is about.
    fn which(&self, every: &ForAll) -> Option<Expr> {
        let mut parts: Vec<Expr> = every.within.iter().map(|limit| self.limit(limit, false)).collect();
        let one = |limits: &Vec<Limit>| Expr::all_of(limits.iter().map(|limit| self.limit(limit, false)));
        match (every.segments.as_slice(), every.rest) {
            ([], _) => {}
            ([only], false) => parts.extend(one(only)),
            (segments, true) if segments.iter().all(|limits| limits.len() == 1) => {
                parts.extend(segments.iter().flatten().map(|limit| self.limit(limit, true)));
            }
            (segments, rest) => {
                let any = Expr::any_of(segments.iter().filter_map(one));
                parts.extend(any.map(|any| if rest { any.negated() } else { any }));
            }
        }
        Expr::all_of(parts)
    }

    fn limit(&self, limit: &Limit, opposite: bool) -> Expr {
        let relation = match (limit.side, opposite) {
            (Side::Below, false) | (Side::From, true) => Binary::Less,
            (Side::UpTo, false) | (Side::Above, true) => Binary::AtMost,
            (Side::At, false) => Binary::Equal,
            (Side::At, true) => Binary::Differs,
            (Side::From, false) | (Side::Below, true) => Binary::AtLeast,
            (Side::Above, false) | (Side::UpTo, true) => Binary::Greater,
        };
        Expr::binary(relation, self.index(limit.dimension), self.expr(&limit.end))
    }

    fn expr(&self, formula: &Formula) -> Expr {
        match formula {
            Formula::Number { width, value } => Expr::Integer(match *width {
                2..=127 => (*value as i128) << (128 - width) >> (128 - width),
                _ => *value as i128,
            }),
            Formula::Index { dimension, .. } => self.index(*dimension),
            Formula::Element(element) => self.element(element),
            Formula::PrefixSum(total) => Expr::SumOf(Box::new([self.expr(&total.first), self.expr(&total.count)])),
            Formula::Variable(variable) => {
                atom_name(self.program, self.place, &Atom { variable: variable.clone(), signed: true })
            }
            Formula::Binary(op, a, b) => Expr::binary(operator(*op), self.expr(a), self.expr(b)),
            Formula::Compare(op, a, b) => {
                let op = match op {
                    IntPredicate::Eq => Binary::Equal,
                    IntPredicate::Ne => Binary::Differs,
                    IntPredicate::Ult | IntPredicate::Slt => Binary::Less,
                    IntPredicate::Ule | IntPredicate::Sle => Binary::AtMost,
                    IntPredicate::Ugt | IntPredicate::Sgt => Binary::Greater,
                    IntPredicate::Uge | IntPredicate::Sge => Binary::AtLeast,
                };
                Expr::binary(op, self.expr(a), self.expr(b))
            }
            Formula::Cast(_, _, a) => self.expr(a),
            Formula::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                let yes = Formula::Number { width: 1, value: 1 };
                let (when, one, other) = (self.expr(condition), self.expr(then), self.expr(otherwise));
                match (*then == yes, *otherwise == yes) {
                    (true, _) => Expr::binary(Binary::Or, when, other),
                    (false, true) => Expr::binary(Binary::Or, when.negated(), one),
                    (false, false) => Expr::Select(Box::new([when, one, other])),
                }
            }
        }
    }

    fn element(&self, element: &Element) -> Expr {
        let function = &self.program.functions[self.place.function];
        let array = match element.array {
            Array::Register(inst) => {
                let local = function.local_of_object(inst);
                Expr::Name(local.map_or_else(|| register_name(function, inst), |local| local.name.clone()))
            }
            Array::Param(index) => {
                let param = Atom { variable: Variable::Param(index), signed: true };
                atom_name(self.program, self.place, &param)
            }
            Array::Global(global) => Expr::name(&self.program.globals[global].name),
        };
        if element.strides.is_empty() && element.constant_base() == Some(0) {
            return array.element(Expr::Integer(0));
        }
        let falls = element.strides.is_sorted_by(|a, b| a.1 > b.1);
        let whole = element.strides.last().is_some_and(|(_, stride)| *stride == i64::from(element.size));
        if falls && whole && element.constant_base() == Some(0) {
            let indices = element.strides.iter().map(|(dimension, _)| self.index(*dimension));
            return indices.fold(array, Expr::element);
        }
        let stride = |(dimension, stride): &(u32, i64)| {
            Expr::binary(Binary::Mul, Expr::Integer((*stride).into()), self.index(*dimension))
        };
        let base = (element.constant_base() != Some(0)).then(|| self.expr(&element.base));
        let offset = element.strides.iter().map(stride).chain(base);
        let start = Expr::cast("char *", array);
        offset.fold(start, |place, part| Expr::binary(Binary::Add, place, part)).target()
    }
}

fn operator(op: BinaryOp) -> Binary {
    match op {
        BinaryOp::Add => Binary::Add,
        BinaryOp::Sub => Binary::Sub,
        BinaryOp::Mul => Binary::Mul,
        BinaryOp::UDiv | BinaryOp::SDiv => Binary::Div,
        BinaryOp::URem | BinaryOp::SRem => Binary::Rem,
        BinaryOp::Shl => Binary::ShiftLeft,
        BinaryOp::LShr | BinaryOp::AShr => Binary::ShiftRight,
        BinaryOp::And => Binary::BitAnd,
        BinaryOp::Or => Binary::BitOr,
        BinaryOp::Xor => Binary::BitXor,
    }
}
