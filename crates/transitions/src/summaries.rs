//! What is known of the results of calls that are not inlined.
//!
//! A *summary* relates a function's result to its arguments: atoms that hold whenever the function returns. A call is passed over with
//! a result of which the summary holds. The system then has a location for each summarised function where its returns
//! end, so that the summary is an invariant of that location. **An invariant of it that contains the summary proves the summary**, although
//! the system assumes it at the calls: a call that has returned did so before the return that is looked at, so that by induction on the length of the run
//! what was assumed of it holds. (The rule for recursive procedures, Hoare 1971.)

use std::collections::BTreeMap;

use belay_ir::{CallGraph, Callee, FuncId, Function, Op, Operand, Program};
use belay_its::{Atom, LocId, Poly, VarExt};
use belay_linear::Var;

use super::Extractor;
use super::kind::Kind;
use super::path::{Path, Scope};
use super::variables::Source;

/// By function: what holds whenever it returns. `Var(i)` is the `i`-th parameter, the next one after the parameters is the result.
pub type Summaries = BTreeMap<FuncId, Vec<Atom>>;

/// Where the returns of a summarised function end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returns {
    /// The location.
    pub location: LocId,
    /// The system's variables for the parameters and the result, with their names in summaries.
    pub variables: Vec<(Var, Var)>,
}

impl Returns {
    /// The summary's atoms over the system's variables; `None` if one mentions what the system does not have.
    pub fn in_system(&self, summary: &[Atom]) -> Option<Vec<Atom>> {
        let image = |name: Var| self.variables.iter().find(|(_, known)| *known == name).map(|(var, _)| *var);
        rename(summary, image)
    }

    /// The system's atoms as a summary; those that mention other variables are left out.
    pub fn in_summary(&self, atoms: &[Atom]) -> Vec<Atom> {
        let image = |var: Var| self.variables.iter().find(|(known, _)| *known == var).map(|(_, name)| *name);
        atoms.iter().filter_map(|atom| rename(std::slice::from_ref(atom), image)).flatten().collect()
    }
}

fn rename(atoms: &[Atom], image: impl Fn(Var) -> Option<Var>) -> Option<Vec<Atom>> {
    let known = atoms.iter().flat_map(|atom| atom.poly.vars()).all(|var| image(var).is_some());
    let rename = |atom: &Atom| atom.substitute(|var| Poly::var(image(var).unwrap_or(var)));
    known.then(|| atoms.iter().map(rename).collect())
}

/// The functions that may have a summary: they have a body and an integer result, and are called by name.
pub fn summarisable(program: &Program, entry: FuncId) -> Vec<FuncId> {
    let graph = CallGraph::new(program);
    let mut found: Vec<FuncId> = Vec::new();
    for id in graph.reachable_in_run(program, entry) {
        let function = &program.functions[id];
        for (_, inst) in function.placed_insts() {
            let Op::Call { callee: Callee::Direct(callee), .. } = &function.insts[inst].op else { continue };
            let called = &program.functions[*callee];
            if called.is_defined() && result_width(called).is_some() {
                found.push(*callee);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The width of a function's result, if it is one integer.
pub(super) fn result_width(function: &Function) -> Option<u16> {
    match function.results.as_slice() {
        [result] => result.int_width(),
        _ => None,
    }
}

impl Extractor<'_> {
    /// Makes a location for the returns of each summarised function.
    pub(super) fn locate_returns(&mut self) {
        for id in self.summaries.keys() {
            let function = &self.program.functions[*id];
            let Some((result, _)) = self.variables.result(*id) else { continue };
            let location = self.its.locations.push(format!("{}_returned", function.name));
            self.places.push(None);
            let params = (0..function.params.len()).filter_map(|param| {
                let (index, _) = self.variables.param(*id, param as u32)?;
                Some((Var::new(index), Var::new(param)))
            });
            let variables = params.chain([(Var::new(result), Var::new(function.params.len()))]).collect();
            self.returns.insert(*id, Returns { location, variables });
        }
    }

    /// A return of a summarised function.
    pub(super) fn returned(
        &mut self,
        id: FuncId,
        function: &Function,
        block: belay_ir::BlockId,
        value: Option<Operand>,
        mut path: Path,
    ) {
        let (Some(returns), Some((index, kind))) = (self.returns.get(&id), self.variables.result(id)) else { return };
        let (Some(from), to) = (self.location(id, block), returns.location) else { return };
        let mut update = self.variables.unchanged();
        let value = value.and_then(|value| path.operand(&self.scope(id, function, block), value, kind));
        update[index] = value.unwrap_or_else(|| path.arbitrary(kind));
        self.push(from, to, path, update);
    }

    /// What a summary says of a call's result.
    pub(super) fn apply_summary(
        &self,
        scope: &Scope<'_>,
        callee: FuncId,
        args: &[Operand],
        path: &mut Path,
        (result, kind): (&Poly, Kind),
    ) {
        // Only what is shown where the function returns may be used.
        let same = self.variables.result(callee).is_some_and(|(_, own)| own == kind);
        let known = self.summaries.get(&callee).filter(|_| same && self.returns.contains_key(&callee));
        let Some(summary) = known else { return };
        let params = self.program.functions[callee].params.len();
        let mut values: Vec<Option<Poly>> = Vec::with_capacity(params + 1);
        for param in 0..params {
            let kind = self.variables.param(callee, param as u32).map(|(_, kind)| kind);
            let value = args.get(param).zip(kind).and_then(|(arg, kind)| path.operand(scope, *arg, kind));
            values.push(value);
        }
        values.push(Some(result.clone()));
        let known = |atom: &&Atom| atom.poly.vars().all(|var| values.get(var.index()).is_some_and(Option::is_some));
        let image = |var: Var| values[var.index()].clone().unwrap_or_default();
        path.guard.extend(summary.iter().filter(known).map(|atom| atom.substitute(image)));
    }
}

impl super::variables::Variables {
    /// The variable for a summarised function's result.
    pub(super) fn result(&self, function: FuncId) -> Option<(usize, Kind)> {
        self.find(Source::Result(function))
    }
}
