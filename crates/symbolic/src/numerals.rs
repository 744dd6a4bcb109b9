//! Numbers that the library reads from strings: `strtol`, `strtod`, `atoi` and their kind.
//!
//! *Idea.* The models are exact, and an abstract state can tell nothing of what they compute: bodies that are entered cost loops over digits, and where they say what is not
//! modelled, the answer. So a call is not entered where the string is shown to end inside a live object and there is room for the end that is stored.
//!
//! *Sound*, since then the call has one of these effects and no other (C17 7.22.1.2 to 7.22.1.4, and `models/integer.h`, `models/float.h`): it reads bytes of the string
//! up to its end, stores a place between its start and its end where a place for that is given (not for an invalid base, which is left to the body), may set `errno`,
//! and gives some number of its type. It ends with the string. No obligation of the body can fail, since the body reads the string up to its end only and
//! stores the end where there is room; whatever `errno` and the result are is covered, in every direction of rounding.

use belay_ir::{Function, GlobalId};
use belay_linear::LinExpr;

use super::arithmetic::note;
use super::builtins::Site;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::state::{AllocId, State, Value};
use super::strings::ShownString;

/// What the models keep `errno` in: the number, and whether a call may have changed it since it was last written.
const ERRNO: [&str; 2] = ["__errno_location.number", "__belay_errno_open"];

/// Where the models find it.
const ERRNO_LOCATION: &str = "__errno_location";

/// What a function is given besides the string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    End,
    EndAndBase,
}

fn takes(name: &str) -> Option<Takes> {
    match name {
        "atoi" | "atol" | "atoll" | "atof" => Some(Takes::Nothing),
        "strtod" | "strtof" => Some(Takes::End),
        "strtol" | "strtoll" | "strtoul" | "strtoull" => Some(Takes::EndAndBase),
        _ => None,
    }
}

impl Machine<'_> {
    /// What the model of such a function does, if all that it touches is shown to be valid.
    pub(super) fn numeral(&mut self, state: &State, function: &Function, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let (Some(takes), Some(errno)) = (takes(&function.name), self.errno()) else { return Ok(None) };
        let mut state = state.clone();
        let pointer = self.argument(&mut state, site, 0);
        let Some(string) = self.shown_string(&state, &pointer)? else { return Ok(None) };
        if takes == Takes::EndAndBase {
            let base = match self.argument(&mut state, site, 2) {
                Value::Int(base) => as_constant(&base),
                Value::Truth(_) | Value::Pointer(..) | Value::Address(..) | Value::Null => None,
                Value::Function(_) | Value::Top => None,
            };
            if !matches!(base, Some(0 | 2..=36)) {
                return Ok(None);
            }
        }
        if takes != Takes::Nothing && !self.store_end(&mut state, &string, site)? {
            return Ok(None);
        }
        for (id, size) in errno {
            let start = Value::Pointer(AllocId::Global(id), constant(0));
            self.erase(&mut state, &start, &constant(i128::from(size)))?;
        }
        self.give_anything(&mut state, site.id, site.ty);
        Ok(Some(vec![state]))
    }

    /// The objects that `errno` is kept in; none where a program has an `errno` of its own.
    fn errno(&self) -> Option<Vec<(GlobalId, u64)>> {
        let is_own =
            self.program.functions.iter().any(|function| function.name == ERRNO_LOCATION && !function.is_model);
        let named = self.program.globals.iter_enumerated().filter(|(_, global)| ERRNO.contains(&global.name.as_str()));
        let sizes = named.map(|(id, global)| global.size.map(|size| (id, size)));
        sizes.collect::<Option<Vec<_>>>().filter(|_| !is_own)
    }

    /// Stores where the number ends, if that is asked for; false where it is not shown that there is room for it outside the string.
    fn store_end(&mut self, state: &mut State, string: &ShownString, site: &Site<'_>) -> Step<bool> {
        let place = self.argument(state, site, 1);
        let (target, offset) = match place {
            Value::Null => return Ok(true),
            Value::Pointer(target, offset) if target != string.alloc => (target, offset),
            Value::Pointer(..) | Value::Int(_) | Value::Truth(_) | Value::Address(..) => return Ok(false),
            Value::Function(_) | Value::Top => return Ok(false),
        };
        let width = self.program.layout.pointer_bytes();
        let bytes: LinExpr = constant(i128::from(width));
        if !self.is_room(state, target, &offset, &bytes)? {
            return Ok(false);
        }
        let distance = state.fresh();
        let end = string.start.plus(&distance);
        note(state, distance);
        note(state, string.end.minus(&end));
        self.erase(state, &Value::Pointer(target, offset.clone()), &bytes)?;
        self.note_cell(state, target, offset, width, Value::Pointer(string.alloc, end));
        Ok(true)
    }
}
