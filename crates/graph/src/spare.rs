//! Cells that tell little: somewhere in an object, who knows where, some number stands, or one that stands at a better known place too.
//!
//! `while (*s) s++;` leaves behind that there is a 0 where `s` was. When `s` is gone, and the object is known to end with a 0 anyway, that place is
//! a variable of its own in every state that follows. Such cells are forgotten, so that states do not grow with the loops that a run has
//! passed; what is forgotten need not be shown. A cell of which neither the place nor the number is known is hard to find in another
//! state, and says nothing. A place that is compared with something outside the object stays: that the string ends before another buffer does. So does one that is
//! known to be below a number: `if (strlen(s) < sizeof b)` says how long the string is, whoever measured it and is gone.

use belay_linear::{LinExpr, Var};
use belay_symbolic::{Cell, State, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state without such cells; none if it has none.
pub(super) fn without_spare_cells(state: &State) -> Option<State> {
    let mut state = state.clone();
    state.origin = Vec::new();
    let mut count: FxHashMap<Var, usize> = FxHashMap::default();
    state.for_each_expr_mut(|expr| expr.terms().iter().for_each(|(var, _)| *count.entry(*var).or_default() += 1));
    let own = |expr: &LinExpr| expr.terms().iter().any(|(var, _)| count.get(var) == Some(&1));
    let says = |other: &Cell, cell: &Cell| {
        other.alloc == cell.alloc && other.width == cell.width && other.value == cell.value && !own(&other.offset)
    };
    let by_itself = |cell: &Cell| {
        let size = state.allocations.get(&cell.alloc).map(|known| &known.size);
        let places = state.cells.iter().filter(|other| other.alloc == cell.alloc).map(|other| &other.offset);
        let object: FxHashSet<Var> = size.into_iter().chain(places).flat_map(vars).collect();
        let inside = |expr: &LinExpr| vars(expr).all(|var| object.contains(&var));
        let meets = |expr: &LinExpr| vars(expr).any(|var| !cell.offset.coefficient(var).is_zero());
        let mut met = state.knowledge.constraints.iter().filter(|known| meets(&known.expr));
        met.all(|known| inside(&known.expr) && !bounds_above(&known.expr, &cell.offset))
    };
    let tells_nothing = |cell: &Cell| match &cell.value {
        Value::Int(number) if number.is_constant() => {
            by_itself(cell) && state.cells.iter().any(|other| says(other, cell))
        }
        Value::Int(number) => own(number),
        Value::Truth(_) | Value::Pointer(..) | Value::Address(..) | Value::Null | Value::Function(_) | Value::Top => {
            false
        }
    };
    let is_spare = |cell: &Cell| own(&cell.offset) && tells_nothing(cell);
    let spare: Vec<bool> = state.cells.iter().map(is_spare).collect();
    if !spare.contains(&true) {
        return None;
    }
    let mut spare = spare.into_iter();
    state.cells.retain(|_| !spare.next().unwrap_or(false));
    Some(state)
}

fn vars(expr: &LinExpr) -> impl Iterator<Item = Var> + '_ {
    expr.terms().iter().map(|(var, _)| *var)
}

/// Numbers above this are bounds of types, which say nothing of a string.
const GREATEST: i64 = 1 << 31;

/// True if that `expr` is not negative says that `place` is at most some number.
fn bounds_above(expr: &LinExpr, place: &LinExpr) -> bool {
    let opposed = |var: Var| expr.coefficient(var).signum() == -place.coefficient(var).signum();
    let is_number = expr.offset().to_i64().is_some_and(|number| (0..GREATEST).contains(&number));
    is_number && !expr.is_constant() && vars(expr).all(opposed)
}
