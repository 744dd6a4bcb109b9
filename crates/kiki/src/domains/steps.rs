//! How far variables are moved: where each round adds to one and takes from another, the first does not get beyond what the other has to give. What all of them have in common, the number of
//! rounds, is part of the state at a cut head ([`belay_ir::steps`]), so that no row has to say it. With these and what the loop leaves alone as bounds there are fewer rows than in zones.

use belay_invariants::{Atom, Cutting, Relation};

use super::TemplateDomain;
use super::intervals::intervals;
use crate::atoms::Atoms;
use crate::steps::{Begins, Step};

/// A variable is taken so many times at most.
const MOST_TIMES: u64 = 8;

pub(super) struct Steps;

impl TemplateDomain for Steps {
    fn name(&self) -> &'static str {
        "steps"
    }

    fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations = intervals(atoms, &atoms.changed);
        for step in &atoms.steps {
            if let Begins::With(start) = &step.start {
                relations.push(apart(step.step < 0, &step.atom, start));
            }
            let others = atoms.steps.iter().filter(|other| (other.step > 0) != (step.step > 0));
            relations.extend(others.filter_map(|other| within(step, other)));
            let each = |fixed| [true, false].map(|is_above| apart(is_above, &step.atom, fixed));
            relations.extend(atoms.fixed.iter().flat_map(each));
        }
        let mut said: Vec<Relation> = Vec::new();
        relations.into_iter().for_each(|relation| {
            if !said.contains(&relation) {
                said.push(relation);
            }
        });
        said
    }

    fn is_of_use(&self, _given: &Cutting, rows: &Cutting) -> bool {
        let mut rows = rows.cuts.values().flat_map(|cut| &cut.rows);
        rows.any(|row| matches!(&row.relation, Relation::AtMost(sum) if sum.len() > 1))
    }
}

/// `atom - other`, or the reverse, is bounded from above.
fn apart(is_above: bool, atom: &Atom, other: &Atom) -> Relation {
    Relation::AtMost(vec![(!is_above, atom.clone()), (is_above, other.clone())])
}

/// One variable grows by no more than what another, which gets smaller, was at the start.
fn within(one: &Step, other: &Step) -> Option<Relation> {
    if one.step < 0 {
        return None;
    }
    let Begins::With(start) = &other.start else { return None };
    let (a, b) = (one.step.unsigned_abs(), other.step.unsigned_abs());
    let divisor = gcd(a, b);
    let (times, others) = (b / divisor, a / divisor);
    if times > MOST_TIMES || others > MOST_TIMES {
        return None;
    }
    let mut grown = vec![(false, one.atom.clone())];
    match &one.start {
        Begins::Constant => {}
        Begins::With(from) => grown.push((true, from.clone())),
        Begins::Unnamed => return None,
    }
    let mut sum: Vec<(bool, Atom)> = grown.into_iter().flat_map(|part| vec![part; times as usize]).collect();
    sum.extend(vec![(true, start.clone()); others as usize]);
    Some(Relation::AtMost(sum))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}
