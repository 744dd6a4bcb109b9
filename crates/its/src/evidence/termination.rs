//! Checks termination certificates.
//!
//! *Why sound.* An infinite run visits cut locations infinitely often, since all paths that avoid
//! them end or are contradictory; between two visits it follows one of the enumerated paths, and each visit is in exactly one
//! cell. So the run is an infinite walk along edges whose premises (invariant and region of the source,
//! guard, region of the target) hold. Contradictory edges are never walked. A step's strict edges are
//! walked only finitely often: from some point on the walk stays in one component of what is left, and
//! if that meets the step's cells then it lies
//! within them, where the functions' conditions forbid it (see [`RankingStep`](super::RankingStep)). Nor does a walk stay within the
//! cells of a transition invariant (see `size_change`). What is left at the end has no cycle.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, IdVec};
use belay_linear::{LinExpr, Rat, Var};

use super::path::{Path, between_cuts};
use super::premises::plainly_contradictory;
use super::{
    CellId, Change, Edge, Partition, Premises, RankingStep, Rejection, SizeChange, TerminationCertificate,
    TransitionInvariant,
};
use crate::poly::Poly;
use crate::system::{Atom, Its, LocId};

/// Checks that `certificate` proves that every run of `its` is finite.
pub fn check_termination(its: &Its, certificate: &TerminationCertificate, budget: &Budget) -> Result<(), Rejection> {
    its.validate().map_err(Rejection::Malformed)?;
    let regions = regions(its, certificate)?;
    let checker = Checker { its, certificate, regions, budget };
    checker.check_start()?;
    let mut left = checker.live_edges()?;
    for (number, step) in certificate.steps.iter().enumerate() {
        checker.check_step(number, step, &left)?;
        let strict: BTreeSet<&Edge> = step.strict.iter().collect();
        left.retain(|live| !strict.contains(&live.edge));
    }
    for (number, invariant) in certificate.transition_invariants.iter().enumerate() {
        checker.check_relations(number, invariant, &left)?;
        let inside = |edge: &Edge| invariant.cells.contains(&edge.from) && invariant.cells.contains(&edge.to);
        left.retain(|live| !inside(&live.edge));
    }
    let cyclic = left.iter().any(|live| reaches(&left, live.edge.to).contains(&live.edge.from));
    if cyclic { Err(Rejection::Cycle) } else { Ok(()) }
}

/// An edge that may be walked, with what holds when it is.
struct LiveEdge {
    edge: Edge,
    path: Path,
    premises: Vec<Atom>,
}

struct Checker<'a> {
    its: &'a Its,
    certificate: &'a TerminationCertificate,
    regions: IdVec<CellId, Vec<Atom>>,
    budget: &'a Budget,
}

/// The conjunction that defines each cell, from the decision trees.
fn regions(its: &Its, certificate: &TerminationCertificate) -> Result<IdVec<CellId, Vec<Atom>>, Rejection> {
    if !certificate.partitions.contains_key(&its.start) {
        return Err(Rejection::Partition(its.start));
    }
    let mut found: BTreeMap<CellId, Vec<Atom>> = BTreeMap::new();
    for (location, partition) in &certificate.partitions {
        let mut open = vec![(partition, Vec::new())];
        while let Some((partition, region)) = open.pop() {
            match partition {
                Partition::Cell(cell) => {
                    let known = certificate.cells.get(*cell);
                    let fits = known.is_some_and(|known| known.location == *location);
                    if !fits || found.insert(*cell, region).is_some() {
                        return Err(Rejection::Partition(*location));
                    }
                }
                Partition::Split { expr, non_negative, negative } => {
                    let (inside, outside) = sides(expr);
                    if !over_program(its, expr) || !integral(expr) {
                        return Err(Rejection::Partition(*location));
                    }
                    open.push((non_negative, [region.as_slice(), &[inside]].concat()));
                    open.push((negative, [region.as_slice(), &[outside]].concat()));
                }
            }
        }
    }
    let all = certificate.cells.ids().map(|cell| found.remove(&cell));
    all.collect::<Option<IdVec<_, _>>>().ok_or(Rejection::Partition(its.start))
}

fn sides(expr: &LinExpr) -> (Atom, Atom) {
    let poly = Poly::from(expr);
    let below = poly.scaled(&Rat::MINUS_ONE).minus(&Poly::constant(1));
    (Atom::non_negative(poly), Atom::non_negative(below))
}

fn over_program(its: &Its, expr: &LinExpr) -> bool {
    expr.terms().iter().all(|(var, _)| var.index() < its.vars.len())
}

fn integral(expr: &LinExpr) -> bool {
    expr.offset().is_integer() && expr.terms().iter().all(|(_, a)| a.is_integer())
}

/// The cells that can be reached from `start` along `edges`, with `start` itself.
fn reaches(edges: &[LiveEdge], start: CellId) -> BTreeSet<CellId> {
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(cell) = open.pop() {
        for live in edges.iter().filter(|live| live.edge.from == cell) {
            if seen.insert(live.edge.to) {
                open.push(live.edge.to);
            }
        }
    }
    seen
}

impl Checker<'_> {
    /// The start's invariants hold for all initial values.
    fn check_start(&self) -> Result<(), Rejection> {
        let vars = self.its.vars.len();
        for (id, cell) in self.certificate.cells.iter_enumerated() {
            if cell.invariant.iter().any(|atom| atom.poly.vars().any(|var| var.index() >= vars)) {
                return Err(Rejection::Invariant(id));
            }
            if cell.location != self.its.start {
                continue;
            }
            let mut premises = Premises::new(vars, &self.regions[id], &[]);
            for atom in &cell.invariant {
                if !premises.entail(atom, self.budget)? {
                    return Err(Rejection::Invariant(id));
                }
            }
        }
        Ok(())
    }

    /// The edges whose premises are not contradictory; checks that they keep the invariants.
    fn live_edges(&self) -> Result<Vec<LiveEdge>, Rejection> {
        let cuts: BTreeSet<LocId> = self.certificate.partitions.keys().copied().collect();
        let mut live = Vec::new();
        for path in between_cuts(self.its, &cuts, self.budget)? {
            for (from, known) in self.leaves_at(path.from, &path.guard, |atom| atom)? {
                let source = [known, self.certificate.cells[from].invariant.clone()].concat();
                for (to, premises) in self.leaves_at(path.to, &source, |atom| path.after(&atom))? {
                    live.extend(self.live_edge(&path, (from, to), premises)?);
                }
            }
        }
        Ok(live)
    }

    /// The cells of a location that may be met where `known` holds, with what holds then. The others contradict it plainly.
    fn leaves_at(
        &self,
        location: LocId,
        known: &[Atom],
        image: impl Fn(Atom) -> Atom,
    ) -> Result<Vec<(CellId, Vec<Atom>)>, Rejection> {
        let mut found = Vec::new();
        let partition = self.certificate.partitions.get(&location).ok_or(Rejection::Partition(location))?;
        let mut open = vec![(partition, known.to_vec())];
        while let Some((partition, known)) = open.pop() {
            if plainly_contradictory(&known) {
                continue;
            }
            match partition {
                Partition::Cell(cell) => found.push((*cell, known)),
                Partition::Split { expr, non_negative, negative } => {
                    let (inside, outside) = sides(expr);
                    open.push((non_negative, [known.as_slice(), &[image(inside)]].concat()));
                    open.push((negative, [known.as_slice(), &[image(outside)]].concat()));
                }
            }
        }
        Ok(found)
    }

    fn live_edge(
        &self,
        path: &Path,
        (from, to): (CellId, CellId),
        premises: Vec<Atom>,
    ) -> Result<Option<LiveEdge>, Rejection> {
        let goals: Vec<Atom> = self.certificate.cells[to].invariant.iter().map(|atom| path.after(atom)).collect();
        let hints: Vec<Poly> = goals.iter().map(|goal| goal.poly.clone()).collect();
        let mut known = Premises::new(path.width(), &premises, &hints);
        if known.contradictory(self.budget)? {
            return Ok(None);
        }
        for goal in &goals {
            if !known.entail(goal, self.budget)? {
                return Err(Rejection::Invariant(to));
            }
        }
        let edge = Edge { path: path.transitions.clone(), from, to };
        Ok(Some(LiveEdge { edge, path: path.clone(), premises }))
    }

    fn check_step(&self, number: usize, step: &RankingStep, left: &[LiveEdge]) -> Result<(), Rejection> {
        let cells: BTreeSet<CellId> = step.functions.keys().copied().collect();
        if cells.is_empty() || self.left_and_entered(&cells, left) {
            return Err(Rejection::Component(number));
        }
        let depth = step.functions.values().map(Vec::len).max().unwrap_or(0);
        let shaped =
            |functions: &Vec<LinExpr>| functions.len() == depth && functions.iter().all(|f| over_program(self.its, f));
        if depth == 0 || !step.functions.values().all(shaped) {
            return Err(Rejection::Function(number));
        }
        let inside = |live: &&LiveEdge| cells.contains(&live.edge.from) && cells.contains(&live.edge.to);
        for live in left.iter().filter(inside) {
            if !self.is_ranked(step, live)? {
                return Err(Rejection::Function(number));
            }
        }
        // A strict edge outside the component would be removed without a reason.
        let removable = |edge: &Edge| cells.contains(&edge.from) && cells.contains(&edge.to);
        if step.strict.iter().all(removable) { Ok(()) } else { Err(Rejection::Function(number)) }
    }

    /// Every edge between the cells has one of the relations, which no walk can follow for ever.
    fn check_relations(
        &self,
        number: usize,
        invariant: &TransitionInvariant,
        left: &[LiveEdge],
    ) -> Result<(), Rejection> {
        let cells = &invariant.cells;
        if self.left_and_entered(cells, left) {
            return Err(Rejection::Relation(number));
        }
        if !invariant.forms.iter().all(|form| over_program(self.its, form)) || !invariant.is_well_founded() {
            return Err(Rejection::Relation(number));
        }
        let inside = |live: &&LiveEdge| cells.contains(&live.edge.from) && cells.contains(&live.edge.to);
        for live in left.iter().filter(inside) {
            let ends = |relation: &&SizeChange| (relation.from, relation.to) == (live.edge.from, live.edge.to);
            let mut covered = false;
            for relation in invariant.relations.iter().filter(ends) {
                covered = covered || self.has_relation(&invariant.forms, relation, live)?;
            }
            if !covered {
                return Err(Rejection::Relation(number));
            }
        }
        Ok(())
    }

    fn has_relation(&self, forms: &[LinExpr], relation: &SizeChange, live: &LiveEdge) -> Result<bool, Rejection> {
        let before: Vec<Poly> = forms.iter().map(Poly::from).collect();
        let value_after = |var: Var| live.path.update[var.index()].clone();
        let after: Vec<Poly> = before.iter().map(|form| form.substitute(value_after)).collect();
        let bounded =
            before.iter().zip(&relation.bounded).filter(|(_, bounded)| **bounded).map(|(form, _)| form.clone());
        let mut goals: Vec<Poly> = bounded.collect();
        for (form, row) in before.iter().zip(&relation.changes) {
            for (later, change) in after.iter().zip(row) {
                match change {
                    Change::Any => {}
                    Change::AtMost => goals.push(form.minus(later)),
                    Change::Less => goals.push(form.minus(later).minus(&Poly::constant(1))),
                }
            }
        }
        let mut premises = Premises::new(live.path.width(), &live.premises, &goals);
        for goal in &goals {
            if !premises.entail_non_negative(goal, self.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if some walk leaves `cells` and comes back.
    fn left_and_entered(&self, cells: &BTreeSet<CellId>, left: &[LiveEdge]) -> bool {
        let exits = left.iter().filter(|live| cells.contains(&live.edge.from));
        let outside: BTreeSet<CellId> = exits.map(|live| live.edge.to).filter(|cell| !cells.contains(cell)).collect();
        outside.iter().any(|cell| !reaches(left, *cell).is_disjoint(cells))
    }

    /// The functions' conditions along one edge.
    fn is_ranked(&self, step: &RankingStep, live: &LiveEdge) -> Result<bool, Rejection> {
        let before = step.functions[&live.edge.from].iter().map(Poly::from).collect::<Vec<_>>();
        let value_after = |var: Var| live.path.update[var.index()].clone();
        let after = step.functions[&live.edge.to].iter();
        let after: Vec<Poly> = after.map(|f| Poly::from(f).substitute(value_after)).collect();
        let drop: Vec<Poly> = before.iter().zip(&after).map(|(b, a)| b.minus(a)).collect();
        let goals = match step.strict.contains(&live.edge) {
            false => drop,
            true => strict_goals(&before, drop),
        };
        let mut premises = Premises::new(live.path.width(), &live.premises, &goals);
        for goal in &goals {
            if !premises.entail_non_negative(goal, self.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The conditions of a strict edge, from the functions' values before it and how much they fall.
fn strict_goals(before: &[Poly], drop: Vec<Poly>) -> Vec<Poly> {
    let one = Poly::constant(1);
    let previous = std::iter::once(Poly::default()).chain(before.iter().cloned());
    let nested = drop.iter().zip(previous).map(|(drop, previous)| drop.plus(&previous).minus(&one));
    nested.chain(before.last().cloned()).collect()
}
