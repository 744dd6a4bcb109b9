//! Output. The functions of the `printf` family read what they print and succeed. What is printed influences the run
//! only through the count that they return and, for `sprintf` and its kin, through memory; otherwise a value that would take a
//! choice is printed as a placeholder and nothing is chosen.

use belay_ir::{Builtin, DataModel, ObligationId, Type};
use dashu::integer::IBig;

use crate::code::CallSite;
use crate::integers::Integers;
use crate::observer::Observer;
use crate::report::{Fault, ObjectKind};
use crate::run::{Res, Run};
use crate::value::{Pointer, Value};
use crate::varargs::ArgSource;
use belay_rules::format::{Count, Layout, Length, Part, Spec, parse};

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sink {
    Output,
    Errors,
    /// A buffer of the program, and how many bytes it may take.
    Memory(Option<Pointer>, Option<u64>),
}

/// A call of the `printf` family under way.
struct Printing {
    args: ArgSource,
    obligation: Option<ObligationId>,
    /// True if the exact text matters to the run.
    exact: bool,
    text: Vec<u8>,
    /// The strings that were read: where, and how many bytes.
    read: Vec<(Option<Pointer>, u64)>,
}

impl<'i, M: Integers, O: Observer> Run<'i, M, O> {
    /// A function of the output family.
    pub(crate) fn print(&mut self, builtin: Builtin, site: &'i CallSite) -> Res<Value<M::Int>> {
        match builtin {
            Builtin::Printf => self.print_format(site, Sink::Output, 0, false),
            Builtin::Vprintf => self.print_format(site, Sink::Output, 0, true),
            Builtin::Fprintf => self.print_format(site, self.stream(site, 0), 1, false),
            Builtin::Vfprintf => self.print_format(site, self.stream(site, 0), 1, true),
            Builtin::Sprintf | Builtin::Vsprintf => {
                let buffer = Sink::Memory(self.pointer_arg(site, 0)?, None);
                self.print_format(site, buffer, 1, builtin == Builtin::Vsprintf)
            }
            Builtin::Snprintf | Builtin::Vsnprintf => {
                let buffer = Sink::Memory(self.pointer_arg(site, 0)?, Some(self.size_arg(site, 1)?));
                self.print_format(site, buffer, 2, builtin == Builtin::Vsnprintf)
            }
            Builtin::Puts => self.print_string(site, Sink::Output, b"\n"),
            Builtin::Fputs => self.print_string(site, self.stream(site, 1), b""),
            Builtin::Perror => self.print_string(site, Sink::Errors, b"\n"),
            Builtin::Putchar => self.print_char(site),
            Builtin::Malloc
            | Builtin::Calloc
            | Builtin::Realloc
            | Builtin::AlignedBlock
            | Builtin::Free
            | Builtin::Strlen
            | Builtin::Abort
            | Builtin::Exit
            | Builtin::ExitNow
            | Builtin::AssertFail
            | Builtin::ErrorCall
            | Builtin::Assert
            | Builtin::Assume
            | Builtin::Nondet
            | Builtin::Sqrt
            | Builtin::Sqrtf
            | Builtin::Precondition
            | Builtin::SameObject
            | Builtin::Readable
            | Builtin::Writable
            | Builtin::WholeSize
            | Builtin::PointerOffset
            | Builtin::IsHeapBlock
            | Builtin::Foreign
            | Builtin::ObjectSize
            | Builtin::Approximate => self.unknown("not an output function"),
        }
    }

    /// The stream of an argument: the state of the standard error as its model defines it, or anything else.
    fn stream(&self, site: &CallSite, index: usize) -> Sink {
        let stream = site.args.get(index).map(|slot| self.get(*slot));
        let Some(Value::Ptr(Pointer::Object { id, .. })) = stream else { return Sink::Output };
        match self.memory.object(*id).kind {
            ObjectKind::Global(id) if self.program.globals[id].name == "standard_error" => Sink::Errors,
            _ => Sink::Output,
        }
    }

    fn emit(&mut self, sink: Sink, text: &[u8], obligation: Option<ObligationId>) -> Res<()> {
        let limit = self.config.output_limit;
        let keep = |kept: &mut Vec<u8>| {
            let room = limit.saturating_sub(kept.len());
            kept.extend_from_slice(&text[..text.len().min(room)]);
        };
        match sink {
            Sink::Output => keep(&mut self.output),
            Sink::Errors => keep(&mut self.errors),
            Sink::Memory(buffer, size) => {
                let mut written = text.to_vec();
                match size {
                    Some(0) => return Ok(()),
                    Some(size) => written.truncate(usize::try_from(size - 1).unwrap_or(usize::MAX)),
                    None => {}
                }
                written.push(0);
                let (id, offset) = self.access(buffer, written.len() as u64, true, obligation)?;
                let stored = self.memory.store_slice(id, offset, &written);
                self.fits(stored)?;
            }
        }
        Ok(())
    }

    fn print_string(&mut self, site: &CallSite, sink: Sink, end: &[u8]) -> Res<Value<M::Int>> {
        let pointer = self.pointer_arg(site, 0)?;
        let mut text = self.read_string(pointer, None, site.obligation)?;
        text.extend_from_slice(end);
        self.emit(sink, &text, site.obligation)?;
        Ok(self.int_result(site, 1))
    }

    fn print_char(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        self.expect_type(site, 0, Type::Int(32))?;
        let known = matches!(self.get(site.args[0]), Value::Int(_));
        if !known && !site.result_used {
            self.emit(Sink::Output, b"?", None)?;
            return Ok(self.int_result(site, 0));
        }
        let int = self.int(site.args[0], 32)?;
        let byte = M::bits(32, &int).unwrap_or_default() as u8;
        self.emit(Sink::Output, &[byte], None)?;
        Ok(self.int_result(site, byte.into()))
    }

    /// A call with a format at argument `format`, followed by its arguments or a `va_list`.
    fn print_format(&mut self, site: &CallSite, sink: Sink, format: usize, list: bool) -> Res<Value<M::Int>> {
        let obligation = site.obligation;
        let pointer = self.pointer_arg(site, format)?;
        let format_text = self.read_string(pointer, None, obligation)?;
        let Some(parts) = parse(&format_text) else {
            return self.unknown("a format that C does not define");
        };
        let args = if !list {
            ArgSource::Call(format + 1)
        } else {
            let list = self.pointer_arg(site, format + 1)?;
            match self.program.layout.model {
                DataModel::Lp64 => ArgSource::List(list),
                DataModel::Ilp32 => ArgSource::Area(list),
            }
        };
        let counts = parts.iter().any(|part| matches!(part, Part::Spec(Spec { conversion: b'n', .. })));
        let exact = site.result_used || counts || matches!(sink, Sink::Memory(..));
        let read = vec![(pointer, format_text.len() as u64 + 1)];
        let mut printing = Printing { args, obligation, exact, text: Vec::new(), read };
        for part in parts {
            match part {
                Part::Text(text) => printing.text.extend_from_slice(text),
                Part::Spec(spec) => self.conversion(site, &mut printing, spec)?,
            }
        }
        self.keeps_apart(sink, &printing)?;
        self.emit(sink, &printing.text, obligation)?;
        Ok(self.int_result(site, printing.text.len() as u64))
    }

    /// What is written must not overlap what is read (C17 7.21.6.5p2, 7.21.6.6p2).
    fn keeps_apart(&mut self, sink: Sink, printing: &Printing) -> Res<()> {
        let Sink::Memory(Some(Pointer::Object { id, offset: to }), size) = sink else { return Ok(()) };
        let written = size.unwrap_or(u64::MAX).min(printing.text.len() as u64 + 1);
        for (source, len) in &printing.read {
            let Some(Pointer::Object { id: read, offset: from }) = source else { continue };
            let apart = if to < *from { from.abs_diff(to) >= written } else { from.abs_diff(to) >= *len };
            if *read == id && written > 0 && *len > 0 && !apart {
                let fault = Fault::Overlap { object: self.describe(id), offsets: (to, *from), len: written };
                return self.violate(printing.obligation, fault);
            }
        }
        Ok(())
    }

    /// The next argument, of a type.
    fn next_arg(&mut self, site: &CallSite, printing: &mut Printing, ty: Type) -> Res<Value<M::Int>> {
        let ArgSource::Call(index) = &mut printing.args else {
            return self.next_of_list(&mut printing.args, ty, printing.obligation);
        };
        let at = *index;
        *index += 1;
        let (Some(slot), Some(given)) = (site.args.get(at), site.types.get(at)) else {
            return self.unknown("a format asks for more arguments than there are");
        };
        let value = self.take(*slot);
        match (*given, ty) {
            (given, ty) if given == ty => Ok(value),
            (Type::Ptr, Type::Int(width)) if width == self.address_width() => match value {
                Value::Ptr(pointer) => Ok(self.address_int(pointer)),
                value => Ok(value),
            },
            (Type::Int(width), Type::Ptr) if width == self.address_width() => match value {
                Value::Addr(pointer) => Ok(Value::Ptr(pointer)),
                Value::Int(int) => Ok(Value::Ptr(self.place_at(M::bits(width, &int).unwrap_or_default() as u64))),
                value => Ok(value),
            },
            // A wider integer in a register: its low half is read.
            (Type::Int(64), Type::Int(32)) if self.program.layout.model == DataModel::Lp64 => match value {
                Value::Int(int) => match M::trunc(64, 32, &int) {
                    Some(int) => Ok(Value::Int(int)),
                    None => self.arbitrary(ty, None),
                },
                value => Ok(value),
            },
            (Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr, _) => {
                self.unknown("a format asks for an argument of another type than it is given")
            }
        }
    }

    /// An argument of type `int`, for a width or precision.
    fn count_arg(&mut self, site: &CallSite, printing: &mut Printing) -> Res<i64> {
        let value = self.next_arg(site, printing, Type::Int(32))?;
        let int = self.force_int(value, 32)?;
        match i64::try_from(&M::signed(32, &int)) {
            Ok(count) if count.unsigned_abs() < 1 << 24 => Ok(count),
            Ok(_) | Err(_) => self.unknown("a width or precision beyond all measure"),
        }
    }

    fn layout(&mut self, site: &CallSite, printing: &mut Printing, mut spec: Spec) -> Res<Layout> {
        let width = match spec.width {
            None => 0,
            Some(Count::Given(width)) => width as i64,
            Some(Count::Argument) => self.count_arg(site, printing)?,
        };
        spec.left |= width < 0;
        let precision = match spec.precision {
            None => None,
            Some(Count::Given(precision)) => Some(precision as i64),
            Some(Count::Argument) => Some(self.count_arg(site, printing)?),
        };
        let precision = precision.and_then(|precision| usize::try_from(precision).ok());
        Ok(Layout { spec, width: width.unsigned_abs() as usize, precision })
    }

    fn conversion(&mut self, site: &CallSite, printing: &mut Printing, spec: Spec) -> Res<()> {
        let layout = self.layout(site, printing, spec)?;
        let text = match spec.conversion {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => self.int_conversion(site, printing, &layout)?,
            b'c' if spec.length == Length::Int => {
                let value = self.next_arg(site, printing, Type::Int(32))?;
                match self.printable_int(printing, value, 32)? {
                    Some(int) => layout.text(&[M::bits(32, &int).unwrap_or_default() as u8]),
                    None => layout.text(b"?"),
                }
            }
            b's' if spec.length == Length::Int => {
                let value = self.next_arg(site, printing, Type::Ptr)?;
                let pointer = self.force_pointer(value)?;
                let limit = layout.precision.map(|precision| precision as u64);
                let bytes = self.read_string(pointer, limit, printing.obligation)?;
                let read = bytes.len() as u64 + 1;
                printing.read.push((pointer, limit.unwrap_or(read).min(read)));
                layout.text(&bytes)
            }
            b'p' => {
                let value = self.next_arg(site, printing, Type::Ptr)?;
                let text = self.address_text(printing, value)?;
                layout.text(text.as_bytes())
            }
            b'n' => {
                self.store_count(site, printing, spec.length)?;
                Vec::new()
            }
            b'c' | b's' => return self.unknown("wide characters in a format"),
            _ if spec.length == Length::LongDouble => return self.unknown("a long double in a format"),
            _ => {
                let value = self.next_arg(site, printing, Type::F64)?;
                match value {
                    Value::F64(value) => layout.float(value),
                    _ if !printing.exact => layout.text(b"?"),
                    value => layout.float(f64::from_bits(self.raw_bits(value, Type::F64)? as u64)),
                }
            }
        };
        printing.text.extend(text);
        Ok(())
    }

    /// The width of an integer argument, and that of the value it is cut to.
    fn int_widths(&self, length: Length) -> Option<(u16, u16)> {
        let long = self.program.layout.pointer_bits();
        Some(match length {
            Length::Char => (32, 8),
            Length::Short => (32, 16),
            Length::Int => (32, 32),
            Length::Long | Length::Size => (long, long),
            Length::LongLong | Length::Max => (64, 64),
            Length::LongDouble => return None,
        })
    }

    /// An integer to print; `None` for a placeholder.
    fn printable_int(&mut self, printing: &Printing, value: Value<M::Int>, width: u16) -> Res<Option<M::Int>> {
        match value {
            Value::Int(int) => Ok(Some(int)),
            value if printing.exact => Ok(Some(self.force_int(value, width)?)),
            Value::F32(_)
            | Value::F64(_)
            | Value::Ptr(_)
            | Value::Addr(_)
            | Value::Raw(_)
            | Value::Bits(_)
            | Value::Undef(_) => Ok(None),
        }
    }

    fn int_conversion(&mut self, site: &CallSite, printing: &mut Printing, layout: &Layout) -> Res<Vec<u8>> {
        let Some((passed, width)) = self.int_widths(layout.spec.length) else {
            return self.unknown("a format that C does not define");
        };
        let value = self.next_arg(site, printing, Type::Int(passed))?;
        let Some(mut int) = self.printable_int(printing, value, passed)? else { return Ok(layout.text(b"?")) };
        if width < passed {
            int = match M::trunc(passed, width, &int) {
                Some(int) => int,
                None => return self.unknown("an integer that does not fit is printed as a narrower one"),
            };
        }
        let signed = matches!(layout.spec.conversion, b'd' | b'i');
        let number: IBig = if signed {
            M::signed(width, &int)
        } else {
            M::unsigned(width, &int).unwrap_or_else(|| M::signed(width, &int))
        };
        Ok(layout.int(&number))
    }

    /// `%p`. An address that is not chosen has no number: it is named.
    fn address_text(&mut self, printing: &Printing, value: Value<M::Int>) -> Res<String> {
        let Some(pointer) = self.force_pointer(value)? else { return Ok("0x?".into()) };
        let address = match pointer {
            Pointer::Bare(0) => return Ok("(nil)".into()),
            Pointer::Bare(address) => Some(address),
            Pointer::Object { id, offset } if !printing.exact => {
                let base = self.memory.object(id).address;
                base.map(|base| self.memory.wrap(base.wrapping_add(offset as u64)))
            }
            Pointer::Object { .. } => Some(self.address_value(pointer)?),
            Pointer::Mark(_) => None,
        };
        Ok(match (address, pointer) {
            (Some(address), _) => format!("{address:#x}"),
            (None, Pointer::Object { id, offset }) => {
                let info = self.describe(id);
                let name = match (info.name, info.kind) {
                    (Some(name), _) => name,
                    (None, ObjectKind::Heap(number)) => format!("heap#{number}"),
                    (None, _) => "?".into(),
                };
                if offset == 0 { format!("0x({name})") } else { format!("0x({name}{offset:+})") }
            }
            (None, Pointer::Bare(_) | Pointer::Mark(_)) => "0x?".into(),
        })
    }

    fn store_count(&mut self, site: &CallSite, printing: &mut Printing, length: Length) -> Res<()> {
        let Some((_, width)) = self.int_widths(length) else {
            return self.unknown("a format that C does not define");
        };
        let value = self.next_arg(site, printing, Type::Ptr)?;
        let pointer = self.force_pointer(value)?;
        let (id, offset) = self.access(pointer, u64::from(width) / 8, true, printing.obligation)?;
        let count = Value::Int(M::from_bits(width, printing.text.len() as u128));
        self.store_at(id, offset, count, Type::Int(width))
    }
}
