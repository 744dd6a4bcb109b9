//! Output functions: they read what they print and succeed. What they return is left open. Those that print into memory are not
//! followed.

use belay_ir::{Builtin, Property, Type};

use super::call::Call;
use super::execution::Execution;
use super::state::State;
use super::value::{Base, PointerId, Value};
use super::{Res, Store};
use belay_invariants::ObjectKind;
use belay_rules::format::{Directive, directives};

impl Store<'_> {
    /// The bytes of a constant string before its end.
    fn constant_string(&self, pointer: PointerId) -> Option<Vec<u8>> {
        let cases = self.pointers.cases(pointer);
        let [case] = &*cases else { return None };
        let Base::Object(object) = case.base else { return None };
        let ObjectKind::Global(global) = self.names.object(object).kind else { return None };
        let start = u64::try_from(self.terms.as_const(case.offset)?.to_u128()?).ok()?;
        self.program.globals[global].constant_text(start)
    }
}

impl Execution<'_, '_> {
    /// A function of the output family.
    pub(crate) fn print(&mut self, state: &mut State, builtin: Builtin, call: &Call<'_>) -> Res<()> {
        match builtin {
            Builtin::Printf => self.encode_format(state, call, 0)?,
            Builtin::Fprintf => self.encode_format(state, call, 1)?,
            Builtin::Puts | Builtin::Fputs | Builtin::Perror => {
                if let Some(pointer) = self.pointer_arg(state, call, 0) {
                    self.scan_string(state, pointer, call)?;
                }
            }
            Builtin::Putchar => {}
            Builtin::Sprintf
            | Builtin::Snprintf
            | Builtin::Vprintf
            | Builtin::Vfprintf
            | Builtin::Vsprintf
            | Builtin::Vsnprintf => self.leave(state, "formatted output into memory or from a list is not followed"),
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
            | Builtin::Approximate => {}
        }
        if !self.is_dead(state) {
            self.give_printed(state, builtin, call);
        }
        Ok(())
    }

    /// The result of a function of the output family.
    fn give_printed(&mut self, state: &mut State, builtin: Builtin, call: &Call<'_>) {
        match (call.ty, builtin) {
            (Some(Type::Int(width)), Builtin::Putchar) => {
                let value = call.args.first().copied().unwrap_or(Value::Bits(self.here));
                let number = self.number_of(value);
                let byte = self.store.terms.extract(7.min(self.store.terms.width(number) - 1), 0, number);
                let byte = self.store.fit_width(byte, width.into());
                self.store.give(state, call, Value::Bits(byte));
            }
            (Some(ty), _) => {
                let value = self.open_number(ty);
                self.store.give(state, call, value);
            }
            (None, _) => {}
        }
    }

    /// `printf` and `fprintf`: the arguments of `%s` must be strings.
    fn encode_format(&mut self, state: &mut State, call: &Call<'_>, format: usize) -> Res<()> {
        let Some(pointer) = self.pointer_arg(state, call, format) else { return Ok(()) };
        let yes = self.store.terms.boolean(true);
        let Some(directives) = self.store.constant_string(pointer).and_then(|text| directives(&text)) else {
            self.note_undecided(Property::ValidDeref, yes, "a format that is not a known string");
            self.imprecise("a format that is not a known string");
            return Ok(());
        };
        for (next, directive) in (format + 1..).zip(directives) {
            match (directive, call.args.get(next)) {
                (Directive::Number, Some(value)) => {
                    if let Value::Bits(bits) = *value {
                        self.uses(bits);
                    }
                }
                (Directive::Text, Some(Value::Ptr(pointer))) => {
                    self.scan_string(state, *pointer, call)?;
                }
                (Directive::Other | Directive::Text, _) | (Directive::Number, None) => {
                    self.leave(state, "a format that is not followed");
                }
            }
            if self.is_dead(state) {
                return Ok(());
            }
        }
        Ok(())
    }
}
