//! Combinations of values that never occur: invariants of state machines.
//!
//! In a loop that runs a state machine, each variable holds few values, and what keeps the machine safe is which combinations of them occur. No
//! template with bounds says that. Here combinations ([`Cube`]s) are learned from what the solver shows: some combinations are reached for
//! certain (positive examples, found by following the loop forwards for a while); if a state that is none of them leads to a violation or into a combination
//! that was excluded before, the part of it that no reached one shares is excluded too. If a reached one leads into an excluded
//! combination, that was excluded wrongly: it is taken back, and there is one more reached one. This ends with an invariant, or with a violation that
//! reached combinations lead to: then the combinations do not suffice.
//!
//! **Source.** Learning from examples and implications as in Garg, Löding, Madhusudan and Neider, *ICE*; the generalisation of a state to what no
//! reached one shares is that of Bradley's *IC3*, by examples instead of solver calls. **Soundness** rests on nothing here: the
//! combinations are rows of the invariant, which the checker asks about like others.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

use belay_base::Budget;
use belay_encoder::cut::Looked;
use belay_encoder::{Stop, Store};
use belay_invariants::{Cube, Literal, Sum};
use belay_logic::bv::TermId;

use super::synthesis::Found;

/// Reached combinations that are looked for before anything is excluded.
const EXAMPLES: usize = 150;
/// Questions to the solver at most.
const MAX_QUESTIONS: usize = 3000;
/// A value is told apart from at most so many others.
const MAX_OTHERS: usize = 3;
/// Variables with many values whose differences are looked at.
const MAX_WIDE: usize = 4;

/// A state that is looked at: the term of each sum.
#[derive(Clone, Debug)]
struct View {
    arrives: bool,
    when: TermId,
    sums: Vec<TermId>,
}

/// What is known of one loop.
#[derive(Clone, Debug)]
pub struct Head {
    /// The number of its row.
    pub number: u32,
    /// What the combinations are about.
    pub sums: Vec<Sum>,
    /// Combinations that do not occur.
    pub excluded: Vec<Cube>,
    /// Combinations that do.
    reached: Vec<Vec<i128>>,
    views: Vec<View>,
    /// Sums that have many values.
    wide: Vec<bool>,
    /// Sums that only count by their differences.
    unused: Vec<bool>,
    /// How many bits a difference wraps around in.
    wraps: Vec<Option<u32>>,
    /// The program's constants, in order.
    constants: Rc<[i128]>,
}

impl Head {
    /// A loop of which nothing is known; `None` if some state has no value of some sum.
    pub fn new(number: u32, sums: &[Sum], looked: &[Looked], constants: &Rc<[i128]>) -> Option<Self> {
        let of_row = looked.iter().filter(|looked| looked.number == number);
        let view =
            |looked: &Looked| Some(View { arrives: looked.arrives, when: looked.when, sums: looked.sums.clone()? });
        let views = of_row.map(view).collect::<Option<Vec<View>>>()?;
        Some(Self {
            number,
            sums: sums.to_vec(),
            excluded: Vec::new(),
            reached: Vec::new(),
            views,
            wide: vec![false; sums.len()],
            unused: vec![false; sums.len()],
            wraps: vec![None; sums.len()],
            constants: Rc::clone(constants),
        })
    }

    fn views(&self, arriving: bool) -> impl Iterator<Item = (usize, &View)> {
        self.views.iter().enumerate().filter(move |(_, view)| view.arrives == arriving)
    }

    fn is_excluded(&self, view: &View, store: &mut Store<'_>) -> TermId {
        let cubes: Vec<TermId> = self.excluded.iter().map(|cube| store.is_in(&view.sums, cube)).collect();
        store.terms.or_all(cubes)
    }

    /// Whether a state is a reached one, or for one that arrives, as good as one: whatever its wide sums are.
    fn is_reached(&self, view: &View, store: &mut Store<'_>) -> TermId {
        let cube = |values: &Vec<i128>| {
            let literals = values.iter().map(|value| Literal::Is(*value)).enumerate();
            literals.filter(|(sum, _)| !view.arrives || !self.wide[*sum]).collect::<Cube>()
        };
        let cubes: Vec<TermId> = self.reached.iter().map(|values| store.is_in(&view.sums, &cube(values))).collect();
        store.terms.or_all(cubes)
    }

    /// That no round begins in an excluded combination.
    pub fn assumptions(&self, store: &mut Store<'_>) -> Vec<TermId> {
        let one = |view: &View| {
            let excluded = self.is_excluded(view, store);
            let other = store.terms.not(excluded);
            store.terms.implies(view.when, other)
        };
        self.views(false).map(|(_, view)| view).map(one).collect()
    }

    /// What counts of a value: of a sum with many values, whether it is one of the program's constants and which.
    fn class(&self, sum: usize, value: i128) -> Option<i128> {
        let value = match self.wraps[sum] {
            Some(width) => value << (128 - width) >> (128 - width),
            None => value,
        };
        (!self.wide[sum] || self.constants.binary_search(&value).is_ok()).then_some(value)
    }

    /// Notes an example, and which sums are none of the program's constants in it.
    fn add_example(&mut self, values: Vec<i128>) {
        for (wide, value) in self.wide.iter_mut().zip(&values) {
            *wide |= self.constants.binary_search(value).is_err();
        }
        self.reached.push(values);
    }

    /// Adds the differences of variables with many values that are always small constants.
    fn add_differences(&mut self, store: &mut Store<'_>) {
        let wide: Vec<usize> = (0..self.sums.len()).filter(|sum| self.wide[*sum]).take(MAX_WIDE).collect();
        for (index, a) in wide.iter().enumerate() {
            for b in &wide[index + 1..] {
                let differences: BTreeSet<i128> = self.reached.iter().map(|values| values[*a] - values[*b]).collect();
                let known = differences.iter().filter(|value| self.constants.binary_search(value).is_ok()).count();
                if 2 * known > differences.len() && differences.len() <= self.distinct(*a).min(self.distinct(*b)) {
                    self.add_difference(*a, *b, store);
                    (self.unused[*a], self.unused[*b]) = (true, true);
                }
            }
        }
    }

    /// The number of values that a sum was seen with.
    fn distinct(&self, sum: usize) -> usize {
        self.reached.iter().map(|reached| reached[sum]).collect::<BTreeSet<i128>>().len()
    }

    fn add_difference(&mut self, a: usize, b: usize, store: &mut Store<'_>) {
        let negated = self.sums[b].iter().map(|(minus, atom)| (!minus, atom.clone()));
        let sum: Sum = self.sums[a].iter().cloned().chain(negated).collect();
        self.sums.push(sum);
        self.wide.push(true);
        self.unused.push(false);
        let width = self.views.first().map(|view| {
            let widths = [a, b].map(|sum| store.terms.width(view.sums[sum]));
            widths[0].max(widths[1]).saturating_sub(2).max(1)
        });
        self.wraps.push(width);
        for values in &mut self.reached {
            values.push(values[a] - values[b]);
        }
        for view in &mut self.views {
            let (x, y) = (view.sums[a], view.sums[b]);
            let width = store.terms.width(x).max(store.terms.width(y)) + 1;
            let (x, y) = (store.terms.sext(x, width), store.terms.sext(y, width));
            view.sums.push(store.terms.sub(x, y));
        }
    }

    /// The largest combination around `values` that no reached one is in: says as little as possible, and least of what has many values.
    ///
    /// `None` if nothing tells `values` from a reached one.
    fn generalise(&self, values: &[i128]) -> Option<Cube> {
        let mut order: Vec<usize> = (0..self.sums.len()).collect();
        // What has many values says little of itself; of the others, the one with the most values tells states apart best.
        order.sort_by_key(|sum| match self.wide[*sum] {
            true => (0, Reverse(self.distinct(*sum))),
            false => (1 + self.distinct(*sum), Reverse(0)),
        });
        let mut kept: BTreeSet<usize> = order.iter().copied().filter(|sum| !self.unused[*sum]).collect();
        if !self.is_apart(values, &kept) {
            return None;
        }
        for sum in order {
            if kept.remove(&sum) && !self.is_apart(values, &kept) {
                kept.insert(sum);
            }
        }
        // Without examples it is the one of all states: the loop does not go on.
        Some(kept.iter().map(|sum| (*sum, self.literal(values, &kept, *sum))).collect())
    }

    /// Whether no reached combination is in that of the kept sums.
    fn is_apart(&self, values: &[i128], kept: &BTreeSet<usize>) -> bool {
        let differs = |reached: &Vec<i128>, sum: usize| self.class(sum, reached[sum]) != self.class(sum, values[sum]);
        self.reached.iter().all(|reached| kept.iter().any(|sum| differs(reached, *sum)))
    }

    /// What tells a sum's value from those of the reached combinations that only it tells apart.
    fn literal(&self, values: &[i128], kept: &BTreeSet<usize>, sum: usize) -> Literal {
        let own = self.class(sum, values[sum]);
        if !self.wide[sum] {
            return Literal::Is(values[sum]);
        }
        let agrees = |reached: &&Vec<i128>| {
            let mut others = kept.iter().filter(|other| **other != sum);
            others.all(|other| self.class(*other, reached[*other]) == self.class(*other, values[*other]))
        };
        let classes: BTreeSet<Option<i128>> =
            self.reached.iter().filter(agrees).map(|reached| self.class(sum, reached[sum])).collect();
        let others: Vec<i128> = classes.iter().copied().flatten().collect();
        match own {
            Some(_) if classes.contains(&None) || others.len() > MAX_OTHERS => Literal::Is(values[sum]),
            Some(_) | None => Literal::IsNot(others.iter().flat_map(|value| self.members(sum, *value)).collect()),
        }
    }

    /// The values of a class.
    fn members(&self, sum: usize, class: i128) -> Vec<i128> {
        match self.wraps[sum] {
            Some(width) if width < 100 => vec![class, class - (1 << width), class + (1 << width)],
            Some(_) | None => vec![class],
        }
    }

    /// Notes a reached combination and takes back what excluded it.
    fn reach(&mut self, values: Vec<i128>) {
        let holds = |(sum, literal): &(usize, Literal)| match literal {
            Literal::Is(value) => values[*sum] == *value,
            Literal::IsNot(others) => !others.contains(&values[*sum]),
        };
        self.excluded.retain(|cube| !cube.iter().all(holds));
        self.reached.push(values);
    }
}

impl Found<'_> {
    fn values_at(&mut self, head: usize, view: usize) -> Option<Vec<i128>> {
        let sums = self.heads[head].views[view].sums.clone();
        sums.into_iter().map(|sum| self.value(sum)?.to_i128()).collect()
    }

    /// Follows the loops forwards for some combinations that are reached.
    fn look_for_examples(&mut self, budget: &Budget) -> Result<(), Stop> {
        for _ in 0..EXAMPLES {
            let mut assumed = self.bounds();
            let mut arriving = Vec::new();
            for (index, head) in self.heads.iter().enumerate() {
                for (number, view) in head.views.iter().enumerate() {
                    let reached = head.is_reached(view, &mut self.store);
                    if view.arrives {
                        let other = self.store.terms.not(reached);
                        arriving.push((index, number, self.store.terms.and(view.when, other)));
                    } else {
                        assumed.push(self.store.terms.implies(view.when, reached));
                    }
                }
            }
            let conditions: Vec<TermId> = arriving.iter().map(|(_, _, condition)| *condition).collect();
            if !self.possible_under(&conditions, &assumed, budget)? {
                return Ok(());
            }
            for (head, view, condition) in arriving {
                if self.holds(condition)
                    && let Some(values) = self.values_at(head, view)
                    && !self.heads[head].reached.contains(&values)
                {
                    self.heads[head].add_example(values);
                }
            }
        }
        Ok(())
    }

    /// Learns combinations under which the bad conditions are impossible; false, and nothing is excluded, if there are none or it takes too long.
    pub fn learn(&mut self, bad: &[TermId], budget: &Budget) -> Result<bool, Stop> {
        let learned = self.search(bad, budget)?;
        if !learned {
            self.heads.iter_mut().for_each(|head| head.excluded.clear());
        }
        Ok(learned)
    }

    fn search(&mut self, bad: &[TermId], budget: &Budget) -> Result<bool, Stop> {
        if self.heads.is_empty() {
            return Ok(false);
        }
        self.look_for_examples(budget)?;
        for head in &mut self.heads {
            head.add_differences(&mut self.store);
        }
        for _ in 0..MAX_QUESTIONS {
            let mut arriving = Vec::new();
            for (index, head) in self.heads.iter().enumerate() {
                for (number, view) in head.views(true) {
                    let excluded = head.is_excluded(view, &mut self.store);
                    arriving.push((index, number, self.store.terms.and(view.when, excluded)));
                }
            }
            let mut conditions: Vec<TermId> = arriving.iter().map(|(_, _, condition)| *condition).collect();
            conditions.extend(bad);
            let mut assumed = self.bounds();
            assumed.extend(self.collect_not_excluded());
            if !self.possible_under(&conditions, &assumed, budget)? {
                return Ok(true);
            }
            if !self.learn_one(&arriving) {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Draws the conclusion from a model; false if there is none.
    fn learn_one(&mut self, arriving: &[(usize, usize, TermId)]) -> bool {
        let mut excluded = None;
        for head in 0..self.heads.len() {
            let beginning: Vec<(usize, TermId)> =
                self.heads[head].views(false).map(|(view, at)| (view, at.when)).collect();
            for (view, when) in beginning {
                if self.holds(when) {
                    let Some(values) = self.values_at(head, view) else { return false };
                    excluded = self.heads[head].generalise(&values).map(|cube| (head, cube)).or(excluded);
                }
            }
        }
        if let Some((head, cube)) = excluded {
            self.heads[head].excluded.push(cube);
            return true;
        }
        let target = arriving.iter().find(|(_, _, condition)| self.holds(*condition)).copied();
        let Some((head, view, _)) = target else { return false };
        let Some(values) = self.values_at(head, view) else { return false };
        self.heads[head].reach(values);
        true
    }
}
