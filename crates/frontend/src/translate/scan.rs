//! `scanf` from a stream with a constant format: a call for each conversion instead of a walk over the format at run time, which most
//! engines could not follow. Formats with anything unusual keep the general model, as do calls whose arguments do not fit the format.

use belay_ir::{Callee, DataModel, Op, Operand, Type};

use super::function::{FunctionTranslator, Leaves};
use crate::llvm::{LLVMValueKind, Value};

/// The models of the steps. They are linked whenever a function of [`stream_at`] is.
pub const STEPS: &[&str] = &[
    "__belay_scan_stdin",
    "__belay_scan_literal",
    "__belay_scan_i8",
    "__belay_scan_i16",
    "__belay_scan_i32",
    "__belay_scan_i64",
    "__belay_scan_f32",
    "__belay_scan_f64",
    "__belay_scan_text",
    "__belay_scan_end",
];

/// For a function of the `scanf` family that reads a stream: the index of the stream's argument; `None` inside for standard input.
pub fn stream_at(name: &str) -> Option<Option<usize>> {
    match name {
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => Some(None),
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => Some(Some(0)),
        _ => None,
    }
}

/// One step of a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Text to be met, or a conversion that is dropped.
    Literal,
    /// A number of so many bits, from `low` to `high` before it is cut.
    Integer { bits: u32, low: i64, high: i64 },
    /// A float of so many bits.
    Float { bits: u32 },
    /// At most so many bytes; with a NUL unless `raw`.
    Text { most: u64, raw: bool },
}

/// The steps of a format; `None` if some of it is left to the general model.
fn steps(format: &[u8], model: DataModel) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b' ' | b'\t'..=b'\r' => {}
            b'%' => found.push(conversion(&mut rest, model)?),
            _ => found.push(Step::Literal),
        }
    }
    Some(found)
}

fn conversion(rest: &mut &[u8], model: DataModel) -> Option<Step> {
    let mut next = || {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        Some(byte)
    };
    let mut byte = next()?;
    let dropped = byte == b'*';
    if dropped {
        byte = next()?;
    }
    let mut width: Option<u32> = None;
    while byte.is_ascii_digit() {
        width = Some(width.unwrap_or(0).checked_mul(10)?.checked_add(u32::from(byte - b'0'))?);
        byte = next()?;
    }
    // C has no width of zero; glibc takes it for none.
    let width = width.filter(|width| *width > 0);
    let mut length = Vec::new();
    while matches!(byte, b'h' | b'l' | b'j' | b'z' | b't') {
        length.push(byte);
        byte = next()?;
    }
    let step = match byte {
        b'%' if length.is_empty() && width.is_none() => return Some(Step::Literal),
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => integer(byte, width, integer_bits(&length, model)?),
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => match length.as_slice() {
            [] => Step::Float { bits: 32 },
            b"l" => Step::Float { bits: 64 },
            _ => return None,
        },
        b's' if length.is_empty() => Step::Text { most: width.map_or(i32::MAX as u64, u64::from), raw: false },
        b'c' if length.is_empty() => Step::Text { most: width.unwrap_or(1).into(), raw: true },
        _ => return None,
    };
    Some(if dropped { Step::Literal } else { step })
}

fn integer_bits(length: &[u8], model: DataModel) -> Option<u32> {
    let word = if model == DataModel::Lp64 { 64 } else { 32 };
    match length {
        [] => Some(32),
        b"hh" => Some(8),
        b"h" => Some(16),
        b"l" | b"z" | b"t" => Some(word),
        b"ll" | b"j" => Some(64),
        _ => None,
    }
}

/// The numbers that `width` characters can say, a sign among them; any without a width, as what is too large is cut. An unsigned conversion
/// whose width reaches beyond the signed numbers gives any as well: the greatest ones have the bits of negative ones.
fn integer(kind: u8, width: Option<u32>, bits: u32) -> Step {
    let any = Step::Integer { bits, low: i64::MIN, high: i64::MAX };
    let Some(width) = width else { return any };
    let greatest = |base: i64, digits: u32| base.checked_pow(digits).map_or(i64::MAX, |power| power - 1);
    let most = |width: u32| match kind {
        b'd' | b'u' => greatest(10, width),
        b'o' => greatest(8, width),
        b'i' => greatest(10, width).max(greatest(16, width.saturating_sub(2))),
        _ => greatest(16, width),
    };
    if most(width) == i64::MAX && !matches!(kind, b'd' | b'i') {
        return any;
    }
    let least = most(width - 1);
    Step::Integer { bits, low: if least == i64::MAX { i64::MIN } else { -least }, high: most(width) }
}

impl FunctionTranslator<'_, '_> {
    /// The call as steps; `None` if the general model must do.
    pub(super) fn scan(&mut self, callee: Value, inst: Value) -> Option<Leaves> {
        let stream_at = stream_at(&callee.name())?;
        let id = self.module.function_id(callee);
        if !self.module.program.functions[id].is_model {
            return None;
        }
        let arguments = inst.arguments();
        let format_at = stream_at.map_or(0, |at| at + 1);
        let steps = steps(&constant_text(*arguments.get(format_at)?)?, self.module.program.layout.model)?;
        let targets: Vec<Operand> = arguments[format_at + 1..].iter().flat_map(|target| self.leaves(*target)).collect();
        let stored = steps.iter().filter(|step| **step != Step::Literal).count();
        let fit = targets.len() >= stored && targets.iter().all(|target| self.operand_type(*target) == Type::Ptr);
        if steps.is_empty() || !fit || self.module.types(inst.ty()).as_slice() != [Type::Int(32)] {
            return None;
        }
        let known = STEPS.iter().all(|name| self.module.program.function_named(name).is_some());
        if !known {
            return None;
        }
        let stream = match stream_at {
            Some(at) => self.scalar(arguments[at]),
            None => self.step("__belay_scan_stdin", Vec::new(), Type::Ptr)?,
        };
        let mut done = Operand::int(32, 0);
        let mut targets = targets.into_iter();
        for step in steps {
            let mut args = vec![stream, done];
            if step != Step::Literal {
                args.push(targets.next()?);
            }
            let name = match step {
                Step::Literal => "__belay_scan_literal".to_owned(),
                Step::Integer { bits, low, high } => {
                    args.extend([low, high].map(|bound| Operand::int(64, bound as u64 as u128)));
                    format!("__belay_scan_i{bits}")
                }
                Step::Float { bits } => format!("__belay_scan_f{bits}"),
                Step::Text { most, raw } => {
                    let size = self.module.program.layout.address_type().int_width().unwrap_or(64);
                    args.extend([Operand::int(size, most.into()), Operand::int(32, raw.into())]);
                    "__belay_scan_text".to_owned()
                }
            };
            done = self.step(&name, args, Type::Int(32))?;
        }
        let result = self.step("__belay_scan_end", vec![done], Type::Int(32))?;
        Some(Leaves::from_elem(result, 1))
    }

    fn step(&mut self, name: &str, args: Vec<Operand>, ty: Type) -> Option<Operand> {
        let callee = Callee::Direct(self.module.program.function_named(name)?);
        Some(self.emit(Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None }, ty))
    }
}

/// The text of a string literal before its NUL.
fn constant_text(argument: Value) -> Option<Vec<u8>> {
    let is_global = argument.kind() == LLVMValueKind::LLVMGlobalVariableValueKind && argument.is_constant_global();
    let mut bytes = is_global.then(|| argument.initializer())??.string()?;
    let end = bytes.iter().position(|byte| *byte == 0)?;
    bytes.truncate(end);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(format: &str) -> Option<Vec<Step>> {
        steps(format.as_bytes(), DataModel::Lp64)
    }

    #[test]
    fn formats_become_steps() {
        let any = |bits| Step::Integer { bits, low: i64::MIN, high: i64::MAX };
        assert_eq!(of("%d , %hhu%ld"), Some(vec![any(32), Step::Literal, any(8), any(64)]));
        assert_eq!(of(" %*d%%"), Some(vec![Step::Literal, Step::Literal]));
        assert_eq!(of("%2d"), Some(vec![Step::Integer { bits: 32, low: -9, high: 99 }]));
        assert_eq!(of("%1x"), Some(vec![Step::Integer { bits: 32, low: 0, high: 15 }]));
        assert_eq!(of("%4i"), Some(vec![Step::Integer { bits: 32, low: -999, high: 9999 }]));
        assert_eq!(of("%30llu"), Some(vec![any(64)]));
        assert_eq!(of("%19llu%16llx%22llo"), Some(vec![any(64), any(64), any(64)]));
        assert_eq!(of("%19lld"), Some(vec![Step::Integer { bits: 64, low: -999_999_999_999_999_999, high: i64::MAX }]));
        assert_eq!(of("%0d%0c"), Some(vec![any(32), Step::Text { most: 1, raw: true }]));
        assert_eq!(of("%9s%lf"), Some(vec![Step::Text { most: 9, raw: false }, Step::Float { bits: 64 }]));
        assert_eq!(of("%c"), Some(vec![Step::Text { most: 1, raw: true }]));
        assert_eq!(steps(b"%ld", DataModel::Ilp32), Some(vec![any(32)]));
    }

    #[test]
    fn what_is_unusual_is_left_to_the_model() {
        for format in ["%", "%n", "%p", "%[a-z]", "%ls", "%Lf", "%1$d", "%ms", "%hlld", "%99999999999d", "%hs"] {
            assert_eq!(of(format), None, "{format}");
        }
    }
}
