//! Functions with a built-in meaning.

use belay_base::Span;
use belay_ir::{Builtin, FuncId, InstId, ObligationId, Operand, Type};
use belay_rules::gives_truth;

use super::arithmetic::note;
use super::asked::AskedFor;
use super::condition::Truth;
use super::knowledge::constant;
use super::machine::{Machine, Step};
use super::memory::{Accessed, Validity};
use super::probe::Suspicion;
use super::state::{State, Value};
use super::values::{lookup, set};

/// A call of a built-in function.
pub(super) struct Site<'a> {
    pub(super) id: InstId,
    pub(super) args: &'a [Operand],
    pub(super) ty: Option<Type>,
    pub(super) obligation: Option<ObligationId>,
    pub(super) span: Span,
}

impl<'m> Machine<'m> {
    // A table: one arm a built-in.
    pub(super) fn builtin(
        &mut self,
        mut state: State,
        builtin: Builtin,
        target: FuncId,
        site: &Site<'_>,
    ) -> Step<Vec<State>> {
        match builtin {
            Builtin::Malloc => self.malloc(state, site),
            Builtin::Calloc => self.calloc(state, site),
            Builtin::Realloc => self.realloc(state, site),
            Builtin::AlignedBlock => self.aligned_block(state, site),
            Builtin::Free => {
                let pointer = self.argument(&mut state, site, 0);
                let freed = self.free(state, &pointer, site)?;
                Ok(freed.into_iter().collect())
            }
            Builtin::Strlen => {
                let pointer = self.argument(&mut state, site, 0);
                let length = self.string_length(&mut state, &pointer, site.obligation, site.span)?;
                let width = site.ty.and_then(Type::int_width).unwrap_or(64);
                let length = self.fitted(&mut state, length, width)?;
                set(&mut state, site.id, Value::Int(length));
                Ok(vec![state])
            }
            Builtin::Abort | Builtin::ExitNow | Builtin::Exit => {
                self.ended(&state, site.span)?;
                Ok(Vec::new())
            }
            Builtin::AssertFail | Builtin::ErrorCall => {
                // Whether what ends by another violation has to be cleaned up is not for a proof to decide.
                self.doubt_call(&state, site);
                self.ended(&state, site.span)?;
                Ok(Vec::new())
            }
            Builtin::Assert | Builtin::Precondition => {
                let truth = self.not_null(&mut state, site)?;
                let failed = state.clone().assuming(&truth, false, true, self.oracle)?;
                if !failed.is_empty() {
                    if let Some(id) = site.obligation {
                        self.doubt(id, site.span);
                        self.lacks(id, &state, std::slice::from_ref(&truth))?;
                    }
                    self.ended(&state, site.span)?;
                }
                if let Some(id) = site.obligation {
                    failed.iter().for_each(|state| self.suspect(Suspicion::Obligation(id), state));
                }
                // What a library function does when it is called against its rules is not known; here it goes on.
                if self.goes_on && builtin == Builtin::Precondition {
                    return Ok(vec![state]);
                }
                Ok(state.assuming(&truth, true, true, self.oracle)?)
            }
            Builtin::Assume => {
                let truth = self.not_null(&mut state, site)?;
                for failed in state.clone().assuming(&truth, false, true, self.oracle)? {
                    self.judge_reachable(&failed, site.span)?;
                }
                Ok(state.assuming(&truth, true, true, self.oracle)?)
            }
            Builtin::Nondet => {
                if let Some(ty) = site.ty {
                    let value = self.asked_for(&mut state, AskedFor::Input(ty), ty, site.span);
                    set(&mut state, site.id, value);
                }
                let name = &self.program.functions[target].name;
                if gives_truth(name)
                    && let Some(Value::Int(expr)) = lookup(&state, site.id)
                {
                    note(&mut state, expr.clone());
                    note(&mut state, constant(1).minus(&expr));
                }
                Ok(vec![state])
            }
            Builtin::Printf => self.print(state, (0, false), site),
            Builtin::Fprintf => self.print(state, (1, false), site),
            Builtin::Vprintf => self.print(state, (0, true), site),
            Builtin::Vfprintf => self.print(state, (1, true), site),
            Builtin::Puts | Builtin::Fputs | Builtin::Perror => {
                let pointer = self.argument(&mut state, site, 0);
                self.string_length(&mut state, &pointer, site.obligation, site.span)?;
                self.give_anything(&mut state, site.id, site.ty);
                Ok(vec![state])
            }
            Builtin::Sprintf => self.print_into(state, (1, false), site),
            Builtin::Snprintf => self.print_into(state, (2, false), site),
            Builtin::Vsprintf => self.print_into(state, (1, true), site),
            Builtin::Vsnprintf => self.print_into(state, (2, true), site),
            Builtin::Putchar | Builtin::Sqrt | Builtin::Sqrtf => {
                self.give_anything(&mut state, site.id, site.ty);
                Ok(vec![state])
            }
            Builtin::Readable
            | Builtin::Writable
            | Builtin::WholeSize
            | Builtin::PointerOffset
            | Builtin::IsHeapBlock => self.ask_about_pointer(builtin, state, site),
            // What was written is anything by then.
            Builtin::Approximate | Builtin::Foreign => Ok(vec![state]),
            Builtin::SameObject => {
                let (a, b) = (self.argument(&mut state, site, 0), self.argument(&mut state, site, 1));
                match (a, b) {
                    (Value::Pointer(a, _), Value::Pointer(b, _)) => {
                        set(&mut state, site.id, Value::Int(constant(i128::from(a == b))));
                    }
                    (_, _) => self.give_anything(&mut state, site.id, site.ty),
                }
                Ok(vec![state])
            }
            Builtin::ObjectSize => {
                let pointer = self.argument(&mut state, site, 0);
                let width = site.ty.and_then(Type::int_width).unwrap_or(64);
                let Some(obligation) = site.obligation else {
                    self.give_anything(&mut state, site.id, site.ty);
                    return Ok(vec![state]);
                };
                let next = self.access(state, &pointer, &constant(0), false, obligation, site.span)?;
                let Some(Accessed { mut state, validity }) = next else { return Ok(Vec::new()) };
                let size = match &pointer {
                    _ if validity == Validity::Open => None,
                    Value::Pointer(alloc, offset) => self.extent(&state, *alloc).map(|(size, _)| size.minus(offset)),
                    _ => None,
                };
                match size {
                    Some(size) => {
                        let size = self.fitted(&mut state, size, width)?;
                        set(&mut state, site.id, Value::Int(size));
                    }
                    None => self.give_anything(&mut state, site.id, site.ty),
                }
                Ok(vec![state])
            }
        }
    }

    /// Notes that what a call asks for was not shown.
    pub(super) fn doubt_call(&mut self, state: &State, site: &Site<'_>) {
        if let Some(id) = site.obligation {
            self.doubt(id, site.span);
            self.suspect(Suspicion::Obligation(id), state);
        }
    }

    pub(super) fn argument(&mut self, state: &mut State, site: &Site<'_>, index: usize) -> Value {
        match site.args.get(index) {
            Some(operand) => self.value(state, *operand),
            None => Value::Top,
        }
    }

    /// Whether the first argument is not zero.
    pub(super) fn not_null(&mut self, state: &mut State, site: &Site<'_>) -> Step<Truth> {
        Ok(match self.argument(state, site, 0) {
            Value::Int(expr) => Truth::equal(&expr, &constant(0)).negated(true),
            Value::Truth(truth) => truth,
            Value::Null => Truth::Known(false),
            Value::Function(_) => Truth::Known(true),
            Value::Pointer(..) | Value::Address(..) | Value::Top => Truth::Unknown,
        })
    }
}
