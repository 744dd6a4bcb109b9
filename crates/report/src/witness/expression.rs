//! Conditions that a validator can read: C over variables that are in scope, with casts so wide that nothing wraps. Our own conditions are over
//! mathematical integers and may speak of sizes and blocks; what is no C over integer variables is left out.

use belay_expression::{Binary, Expr, Unary, in_c};
use belay_ir::{CType, FuncId, Op, Program};

/// The condition in C, if it is one over variables of the function and globals that hold integers.
pub fn c_condition(program: &Program, function: FuncId, condition: &Expr) -> Option<String> {
    let wide = |name: &str| Some(Expr::cast(cast_of(program, function, name)?, Expr::name(name)));
    rewrite(condition, &wide).as_ref().map(in_c)
}

/// The same expression over the values at an earlier visit.
pub fn at_previous(program: &Program, function: FuncId, expression: &Expr) -> Option<String> {
    let before = |name: &str| {
        let value = Expr::call("\\at", vec![Expr::name(name), Expr::name("AnyPrev")]);
        Some(Expr::cast(cast_of(program, function, name)?, value))
    };
    rewrite(expression, &before).as_ref().map(in_c)
}

/// A type that holds twice what the variable does, so that sums and differences with it do not wrap.
fn cast_of(program: &Program, function: FuncId, name: &str) -> Option<&'static str> {
    match size_of(program, function, name)? {
        1..=4 => Some("long long"),
        5..=8 => Some("__int128"),
        _ => None,
    }
}

fn is_integer(ctype: CType) -> bool {
    match ctype {
        CType::Signed | CType::Unsigned | CType::Char | CType::Bool => true,
        CType::Float | CType::Pointer | CType::Aggregate => false,
    }
}

/// The bytes of the integer variable that the function knows by this name. A name that several locals have is refused: which one is meant
/// depends on the place.
fn size_of(program: &Program, function: FuncId, name: &str) -> Option<u64> {
    let body = &program.functions[function];
    let locals: Vec<_> = body.locals.iter().filter(|local| local.name == name).collect();
    match locals.as_slice() {
        [local] if is_integer(local.ctype) => match body.insts.get(local.alloca?)?.op {
            Op::Alloca { size, .. } => size.as_int().and_then(|size| u64::try_from(size).ok()),
            _ => None,
        },
        [] => {
            let global = program.globals.iter().find(|global| global.name == name)?;
            global.size.filter(|_| is_integer(global.ctype))
        }
        _ => None,
    }
}

/// The expression with its names replaced, if it consists of names, whole numbers and operators of arithmetic, comparison and logic.
fn rewrite(expr: &Expr, name_of: &dyn Fn(&str) -> Option<Expr>) -> Option<Expr> {
    match expr {
        Expr::Name(name) => name_of(name),
        // Long enough for what is computed with it.
        Expr::Integer(number) => {
            let size = i64::try_from(number.unsigned_abs()).ok()?;
            let literal = Expr::Name(format!("{size}LL"));
            Some(if *number < 0 { literal.minus() } else { literal })
        }
        Expr::Unary(op @ (Unary::Minus | Unary::Not), inner) => Some(Expr::unary(*op, rewrite(inner, name_of)?)),
        Expr::Binary(op, parts) => match op {
            Binary::Add
            | Binary::Sub
            | Binary::Mul
            | Binary::Less
            | Binary::AtMost
            | Binary::Greater
            | Binary::AtLeast
            | Binary::Equal
            | Binary::Differs
            | Binary::And
            | Binary::Or => Some(Expr::binary(*op, rewrite(&parts[0], name_of)?, rewrite(&parts[1], name_of)?)),
            Binary::Div
            | Binary::Rem
            | Binary::ShiftLeft
            | Binary::ShiftRight
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor => None,
        },
        Expr::Float(..)
        | Expr::Unary(Unary::AddressOf | Unary::Target, _)
        | Expr::Cast(..)
        | Expr::Member(..)
        | Expr::MemberOf(..)
        | Expr::Element(_)
        | Expr::SomeElement(_)
        | Expr::Call(..)
        | Expr::Select(_)
        | Expr::ForAll(_)
        | Expr::SumOf(_)
        | Expr::MoreCombinations(_)
        | Expr::SomeDistance => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(expr: &Expr) -> Option<String> {
        rewrite(expr, &|name| Some(Expr::cast("T", Expr::name(name)))).as_ref().map(in_c)
    }

    fn over(op: Binary, left: Expr, right: Expr) -> Expr {
        Expr::binary(op, left, right)
    }

    #[test]
    fn only_plain_arithmetic_is_rewritten() {
        let x = || Expr::name("x");
        let next = over(Binary::Add, x(), Expr::Integer(1));
        assert_eq!(wide(&over(Binary::AtMost, next, Expr::name("y"))).as_deref(), Some("(T)x + 1LL <= (T)y"));
        let both = over(
            Binary::And,
            over(Binary::Equal, Expr::name("a"), Expr::Integer(1)),
            over(Binary::Differs, Expr::name("b"), Expr::Integer(-2)),
        );
        assert_eq!(wide(&both.negated()).as_deref(), Some("!((T)a == 1LL && (T)b != -2LL)"));
        let double = over(Binary::Mul, Expr::Integer(2), x());
        assert_eq!(wide(&over(Binary::AtMost, double, Expr::Integer(7))).as_deref(), Some("2LL * (T)x <= 7LL"));
        let others = [
            x().target(),
            x().address(),
            x().element(Expr::Integer(0)),
            x().member("n"),
            x().member_of("n"),
            Expr::call("f", vec![x()]),
            Expr::double(1.5),
            Expr::SomeDistance,
        ];
        for other in others {
            let compared = over(Binary::Equal, other, Expr::Integer(0));
            assert_eq!(wide(&compared), None, "{compared:?}");
        }
    }
}
