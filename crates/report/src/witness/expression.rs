//! Conditions that a validator can read: C over variables that are in scope, with casts so wide that nothing wraps. Our own conditions are over
//! mathematical integers and may speak of sizes and blocks; what is no C expression is left out.

use belay_ir::{CType, FuncId, Op, Program};

/// The condition in C, if it is one over variables of the function and globals that hold integers.
pub fn c_condition(program: &Program, function: FuncId, condition: &str) -> Option<String> {
    rewrite(condition, |name| widen(program, function, name))
}

/// The same expression over the values at an earlier visit.
pub fn at_previous(program: &Program, function: FuncId, expression: &str) -> Option<String> {
    rewrite(expression, |name| {
        let cast = cast_of(program, function, name)?;
        Some(format!("({cast})\\at({name}, AnyPrev)"))
    })
}

fn widen(program: &Program, function: FuncId, name: &str) -> Option<String> {
    Some(format!("({}){name}", cast_of(program, function, name)?))
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

/// The expression with its names replaced, if it consists of names, whole numbers and operators of arithmetic and comparison.
fn rewrite(text: &str, name_of: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        // Two operands without an operator between them are words, not C.
        if is_part(first) && out.trim_end().ends_with(|c| is_part(c) || c == ')') {
            return None;
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            // Calls and elements of arrays are more than a variable.
            if after.trim_start().starts_with(['(', '[', '.']) || after.starts_with("->") {
                return None;
            }
            out.push_str(&name_of(name)?);
            rest = after;
        } else if first.is_ascii_digit() {
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let (number, after) = rest.split_at(end);
            number.parse::<i64>().ok()?;
            out.push_str(&format!("{number}LL"));
            rest = after;
        } else if " ()+-*<>=!&|".contains(first) {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            return None;
        }
    }
    let is_dereference = |at: usize| !out[..at].trim_end().ends_with(|c: char| c.is_ascii_alphanumeric() || c == ')');
    let is_plain = out.match_indices('*').all(|(at, _)| !is_dereference(at));
    let is_address = |at: usize| !out[at..].starts_with("&&") && !out[..at].ends_with('&') && is_dereference(at);
    (is_plain && !out.match_indices('&').any(|(at, _)| is_address(at))).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_arithmetic_is_rewritten() {
        let wide = |text| rewrite(text, |name| Some(format!("(T){name}")));
        assert_eq!(wide("x + 1 <= y").as_deref(), Some("(T)x + 1LL <= (T)y"));
        assert_eq!(wide("!(a == 1 && b != -2)").as_deref(), Some("!((T)a == 1LL && (T)b != -2LL)"));
        assert_eq!(wide("2*x <= 7").as_deref(), Some("2LL*(T)x <= 7LL"));
        for text in ["*p == 0", "a[0] <= 1", "f(x)", "x == &y", "s.n == 1", "p->n == 1", "x <= 1.5", "for all i"] {
            assert_eq!(wide(text), None, "{text}");
        }
    }
}
