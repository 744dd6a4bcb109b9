//! Modes: locations are split by the values of variables that only ever hold constants, as the state of a state machine does.
//!
//! *Idea.* A loop around a `switch` is, taken by itself, one component with all branches as cycles. If the variable that it switches on is set to constants (or
//! to another such variable) in all of them, then which branch can follow which is decided by the constants alone, and most of the cycles are none. The values of those variables
//! that a cell can be reached with are enumerated, as regions: single values that occur, and what is between them.
//!
//! *Why sound.* As for [`refine`](crate::refine): the regions of a cell are leaves of a decision tree, which the certificate carries, and the checker looks at every way from leaf to
//! leaf. A leaf that no value reaches has an invariant that never holds.
//!
//! *Where it gives up.* At [`MAX_LEAVES`] or [`MAX_BLOCKS`].

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted, IdVec};
use belay_linear::{LinExpr, Rat, Var};

use crate::evidence::{CellId, Partition};
use crate::poly::Poly;
use crate::preprocess::{Block, Component, Work, WorkCell};
use crate::refine::replace_leaves;
use crate::system::{Atom, Sign, VarExt};

const MAX_LEAVES: usize = 1500;
const MAX_BLOCKS: usize = 3000;
/// The first variable to split by is asked for at least so many values.
const MIN_VALUES: usize = 3;

/// Which region each mode variable is in: `2 i + 1` is the i-th value, `2 i` what lies before it; anywhere, if the variable does not matter.
type Mode = Vec<usize>;

/// Where a variable may be that does not matter.
const ANYWHERE: usize = usize::MAX;

/// The system with the components' cells split by modes; `None` if there are none, or too many. The variables that were split by before are `done`, to
/// which those of now are added.
pub(crate) fn refine_by_values(
    work: &Work,
    components: &[Component],
    done: &mut BTreeSet<usize>,
    budget: &Budget,
) -> Result<Option<Work>, Exhausted> {
    let mut splits: BTreeMap<CellId, BTreeMap<Mode, CellId>> = BTreeMap::new();
    let mut modes: Vec<(&BTreeSet<CellId>, Modes)> = Vec::new();
    // Where runs begin, they do so with any values.
    let begins = |cells: &BTreeSet<CellId>| cells.iter().any(|cell| work.cells[*cell].location == work.start);
    for (cells, _) in components.iter().filter(|(cells, _)| !begins(cells)) {
        // Those that are ranked already are walked as well.
        let stays = |block: &&Block| cells.contains(&block.from) && cells.contains(&block.to);
        let inside: Vec<&Block> = work.blocks.iter().filter(stays).collect();
        let Some(found) = Modes::of(work, cells, &inside, done) else { continue };
        let Some(reached) = found.find_reached(work, cells, &inside, budget)? else { continue };
        for (cell, mode) in reached {
            splits.entry(cell).or_default().insert(mode, CellId(0));
        }
        modes.push((cells, found));
    }
    if modes.is_empty() {
        return Ok(None);
    }
    done.extend(modes.iter().flat_map(|(_, modes)| modes.vars.iter().map(|var| var.index())));
    let of_cell = |cell: CellId| modes.iter().find(|(cells, _)| cells.contains(&cell)).map(|(_, modes)| modes);
    let mut cells: IdVec<CellId, WorkCell> = IdVec::new();
    let mut trees: IdVec<CellId, Partition> = IdVec::new();
    for (cell, old) in work.cells.iter_enumerated() {
        let tree = match (of_cell(cell), splits.get_mut(&cell)) {
            (Some(modes), Some(reached)) => modes.tree(old, reached, &mut cells),
            (_, _) => Partition::Cell(cells.push(old.clone())),
        };
        trees.push(tree);
    }
    if cells.len() > MAX_LEAVES {
        return Ok(None);
    }
    let whole = |cell: CellId| match &trees[cell] {
        Partition::Cell(cell) => *cell,
        Partition::Split { .. } => CellId(0),
    };
    let mut copies = Vec::new();
    for block in &work.blocks {
        budget.spend(1)?;
        let sources: Vec<(Option<&Mode>, CellId)> = match splits.get(&block.from) {
            Some(reached) => reached.iter().map(|(mode, cell)| (Some(mode), *cell)).collect(),
            None => vec![(None, whole(block.from))],
        };
        for (mode, from) in sources {
            let own = mode.zip(of_cell(block.from));
            if own.is_some_and(|(mode, modes)| !modes.allows(block, mode)) {
                continue;
            }
            let narrowed = own.map_or_else(Vec::new, |(mode, modes)| modes.region(mode));
            budget.spend((block.guard.len() + block.vars()) as u64)?;
            let Some(narrowed) = block.restrict(&narrowed) else { continue };
            let Some((reached, modes)) = splits.get(&block.to).zip(of_cell(block.to)) else {
                copies.push(Block { from, to: whole(block.to), ..narrowed });
                continue;
            };
            let same = of_cell(block.from).is_some_and(|own| std::ptr::eq(own, modes));
            let targets = modes.after(block, mode.filter(|_| same));
            for (mode, to) in
                reached.iter().filter(|(mode, _)| targets.iter().zip(*mode).all(|(of, at)| of.contains(at)))
            {
                budget.spend((block.guard.len() + block.vars()) as u64)?;
                let arrived: Vec<Atom> = modes.region(mode).iter().map(|atom| narrowed.after(atom)).collect();
                copies.extend(narrowed.restrict(&arrived).map(|copy| Block { from, to: *to, ..copy }));
            }
        }
        if copies.len() > MAX_BLOCKS {
            return Ok(None);
        }
    }
    let partitions = work.partitions.iter().map(|(at, tree)| (*at, replace_leaves(tree, &trees))).collect();
    Ok(Some(Work { partitions, cells, blocks: copies, ..work.clone() }))
}

/// The mode variables of a component.
struct Modes {
    vars: Vec<Var>,
    /// The values that each is asked for or set to, in order.
    values: Vec<Vec<i64>>,
    /// Which of them may still be looked at from each cell on.
    live: BTreeMap<CellId, Vec<bool>>,
}

impl Modes {
    /// The variable that the blocks set to constants only and compare with most of them, with those that are copied to it.
    fn of(work: &Work, cells: &BTreeSet<CellId>, inside: &[&Block], done: &BTreeSet<usize>) -> Option<Modes> {
        let candidates = find_settled(work, inside);
        let mut values: BTreeMap<usize, BTreeSet<i64>> = BTreeMap::new();
        for atom in inside.iter().flat_map(|block| &block.guard) {
            if let Some((var, value)) = asked_for(atom).filter(|(var, _)| candidates.contains(var)) {
                values.entry(var).or_default().insert(value);
            }
        }
        let asked = |var: &usize| values.get(var).map_or(0, BTreeSet::len);
        // What never changes matters too, once it is clear what does.
        let least = if done.is_empty() { MIN_VALUES } else { 1 };
        let fits = |var: &&usize| asked(var) >= least && !done.contains(var);
        let changes = |var: &&usize| inside.iter().any(|block| Source::of(&block.update[**var]) != Source::Copy(**var));
        let mut seeds = candidates.iter().filter(fits);
        let seed = *if done.is_empty() { seeds.filter(changes).max_by_key(|var| asked(var)) } else { seeds.next() }?;
        let mut chosen = vec![seed];
        let mut at = 0;
        while let Some(var) = chosen.get(at).copied() {
            let sources = inside.iter().map(|block| Source::of(&block.update[var]));
            let copied: BTreeSet<usize> = sources.filter_map(Source::copied).collect();
            chosen.extend(copied.into_iter().filter(|other| !chosen.contains(other)).collect::<Vec<_>>());
            at += 1;
        }
        // A variable has the values that it is set to, and those of what is copied to it.
        let arriving: Vec<&Block> = work.blocks.iter().filter(|block| cells.contains(&block.to)).collect();
        loop {
            let mut grown = false;
            for (var, block) in chosen.iter().flat_map(|var| arriving.iter().map(move |block| (var, block))) {
                let new: BTreeSet<i64> = match Source::of(&block.update[*var]) {
                    Source::Constant(value) => [value].into(),
                    Source::Copy(other) => {
                        values.get(&other).filter(|_| chosen.contains(&other)).cloned().unwrap_or_default()
                    }
                    Source::Other => BTreeSet::new(),
                };
                let known = values.entry(*var).or_default();
                let before = known.len();
                known.extend(new);
                grown |= known.len() > before;
            }
            if !grown {
                break;
            }
        }
        let of_var = |var: &usize| values.get(var).into_iter().flatten().copied().collect();
        let live = live_variables(work);
        let live_at = |cell: &CellId| (*cell, chosen.iter().map(|var| live[*cell][*var]).collect());
        Some(Modes {
            live: cells.iter().map(live_at).collect(),
            values: chosen.iter().map(of_var).collect(),
            vars: chosen.into_iter().map(<Var as VarExt>::new).collect(),
        })
    }

    /// The least and the greatest number of a region, as far as there is one.
    fn bounds(&self, at: usize, region: usize) -> (Option<i64>, Option<i64>) {
        let (values, index) = (&self.values[at], region / 2);
        match region % 2 {
            _ if region == ANYWHERE => (None, None),
            1 => (Some(values[index]), Some(values[index])),
            _ => {
                let below = index.checked_sub(1).and_then(|before| values[before].checked_add(1));
                (below, values.get(index).and_then(|value| value.checked_sub(1)))
            }
        }
    }

    fn region_of(&self, at: usize, value: i64) -> Option<usize> {
        self.values[at].binary_search(&value).ok().map(|index| 2 * index + 1)
    }

    /// The regions that hold a number at all.
    fn all_regions(&self, at: usize) -> BTreeSet<usize> {
        let is_empty = |region: &usize| matches!(self.bounds(at, *region), (Some(low), Some(high)) if low > high);
        (0..=2 * self.values[at].len()).filter(|region| !is_empty(region)).collect()
    }

    /// The regions of a variable that have numbers within bounds.
    fn meeting(&self, at: usize, (low, high): (Option<i64>, Option<i64>)) -> BTreeSet<usize> {
        let above = |greatest: Option<i64>| low.zip(greatest).is_none_or(|(low, greatest)| greatest >= low);
        let below = |least: Option<i64>| high.zip(least).is_none_or(|(high, least)| least <= high);
        let meets = |region: &usize| {
            let (least, greatest) = self.bounds(at, *region);
            above(greatest) && below(least)
        };
        self.all_regions(at).into_iter().filter(meets).collect()
    }

    /// What holds in a mode.
    fn region(&self, mode: &Mode) -> Vec<Atom> {
        let mut atoms = Vec::new();
        for (at, (var, region)) in self.vars.iter().zip(mode).enumerate() {
            let value = Poly::var(*var);
            match self.bounds(at, *region) {
                (Some(low), Some(high)) if low == high => atoms.push(Atom::equal(&value, &Poly::constant(low))),
                (low, high) => {
                    atoms.extend(low.map(|low| Atom::at_least(&value, &Poly::constant(low))));
                    atoms.extend(high.map(|high| Atom::at_least(&Poly::constant(high), &value)));
                }
            }
        }
        atoms
    }

    /// False if what a block compares mode variables with excludes the mode.
    fn allows(&self, block: &Block, mode: &Mode) -> bool {
        block.guard.iter().all(|atom| {
            let Some(expr) = atom.poly.to_linear() else { return true };
            let [(var, factor)] = expr.terms() else { return true };
            let Some(at) = self.vars.iter().position(|own| own == var) else { return true };
            let (low, high) = self.bounds(at, mode[at]);
            let value = |bound: i64| &(factor * &Rat::from(bound)) + expr.offset();
            let (least, greatest) = if factor.is_positive() {
                (low.map(value), high.map(value))
            } else {
                (high.map(value), low.map(value))
            };
            let not_below = greatest.is_none_or(|greatest| !greatest.is_negative());
            match atom.sign {
                Sign::NonNegative => not_below,
                Sign::Zero => not_below && least.is_none_or(|least| !least.is_positive()),
            }
        })
    }

    /// The regions that each variable may be in after a block, from a mode or from anything.
    fn after(&self, block: &Block, mode: Option<&Mode>) -> Vec<BTreeSet<usize>> {
        let all = |at| self.all_regions(at);
        let live = |at: usize| self.live.get(&block.to).is_some_and(|live| live[at]);
        let set = |at: usize, var: &Var| match (Source::of(&block.update[var.index()]), mode) {
            _ if !live(at) => [ANYWHERE].into(),
            (Source::Constant(value), _) => self.region_of(at, value).map_or_else(|| all(at), |region| [region].into()),
            (Source::Copy(other), Some(mode)) => {
                let from = self.vars.iter().position(|own| own.index() == other);
                from.map_or_else(|| all(at), |from| self.meeting(at, self.bounds(from, mode[from])))
            }
            (Source::Copy(_) | Source::Other, _) => all(at),
        };
        self.vars.iter().enumerate().map(|(at, var)| set(at, var)).collect()
    }

    /// The modes that each cell may be reached in; none if there are too many.
    fn find_reached(
        &self,
        work: &Work,
        cells: &BTreeSet<CellId>,
        inside: &[&Block],
        budget: &Budget,
    ) -> Result<Option<BTreeSet<(CellId, Mode)>>, Exhausted> {
        let mut seen: BTreeSet<(CellId, Mode)> = BTreeSet::new();
        let mut open: Vec<(CellId, Mode)> = Vec::new();
        let enters = |block: &&Block| !cells.contains(&block.from) && cells.contains(&block.to);
        let mut arrive = |to: CellId, regions: Vec<BTreeSet<usize>>, open: &mut Vec<(CellId, Mode)>| {
            for mode in combinations(&regions) {
                if seen.insert((to, mode.clone())) {
                    open.push((to, mode));
                }
                if seen.len() > MAX_LEAVES {
                    return None;
                }
            }
            Some(())
        };
        let starts: Vec<&Block> = work.blocks.iter().filter(enters).collect();
        for block in starts {
            if arrive(block.to, self.after(block, None), &mut open).is_none() {
                return Ok(None);
            }
        }
        while let Some((cell, mode)) = open.pop() {
            for block in inside.iter().filter(|block| block.from == cell) {
                budget.spend(1)?;
                if self.allows(block, &mode) && arrive(block.to, self.after(block, Some(&mode)), &mut open).is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(seen))
    }

    /// A decision tree over the variables. Each reached mode gets a cell of its own.
    fn tree(
        &self,
        old: &WorkCell,
        reached: &mut BTreeMap<Mode, CellId>,
        cells: &mut IdVec<CellId, WorkCell>,
    ) -> Partition {
        let modes: Vec<Mode> = reached.keys().cloned().collect();
        self.subtree(old, 0, (0, 2 * self.values.first().map_or(0, Vec::len)), &modes, reached, cells)
    }

    /// The part of the tree where variable `at` is in one of the regions from `low` to `high`.
    fn subtree(
        &self,
        old: &WorkCell,
        at: usize,
        (low, high): (usize, usize),
        modes: &[Mode],
        reached: &mut BTreeMap<Mode, CellId>,
        cells: &mut IdVec<CellId, WorkCell>,
    ) -> Partition {
        let Some(first) = modes.first() else {
            let never = Atom::non_negative(Poly::constant(-1));
            return Partition::Cell(cells.push(WorkCell { location: old.location, inherited: vec![never] }));
        };
        if at == self.vars.len() {
            let cell = cells.push(old.clone());
            reached.insert(first.clone(), cell);
            return Partition::Cell(cell);
        }
        if low == high || first[at] == ANYWHERE {
            let next = self.values.get(at + 1).map_or(0, Vec::len);
            return self.subtree(old, at + 1, (0, 2 * next), modes, reached, cells);
        }
        // From the middle region up, and below it.
        let middle = (low + high).div_ceil(2);
        let bound = self.bounds(at, middle).0.unwrap_or(i64::MAX);
        let (above, below): (Vec<Mode>, Vec<Mode>) = modes.iter().cloned().partition(|mode| mode[at] >= middle);
        let expr = LinExpr::var(self.vars[at]).plus_constant(&Rat::from(-bound));
        let non_negative = Box::new(self.subtree(old, at, (middle, high), &above, reached, cells));
        let negative = Box::new(self.subtree(old, at, (low, middle - 1), &below, reached, cells));
        Partition::Split { expr, non_negative, negative }
    }
}

/// What a variable is set to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Constant(i64),
    /// Another variable, or itself.
    Copy(usize),
    Other,
}

impl Source {
    fn copied(self) -> Option<usize> {
        if let Source::Copy(var) = self { Some(var) } else { None }
    }

    fn of(update: &Poly) -> Source {
        let Some(expr) = update.to_linear() else { return Source::Other };
        match expr.terms() {
            [] => expr.offset().to_i64().map_or(Source::Other, Source::Constant),
            [(var, factor)] if factor.is_one() && expr.offset().is_zero() => Source::Copy(var.index()),
            _ => Source::Other,
        }
    }
}

/// The variables that the blocks set to constants and to one another only.
fn find_settled(work: &Work, inside: &[&Block]) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> = (0..work.vars).filter(|var| work.relevant[*var]).collect();
    loop {
        let fits = |var: &usize| {
            inside.iter().all(|block| match Source::of(&block.update[*var]) {
                Source::Constant(_) => true,
                Source::Copy(other) => found.contains(&other),
                Source::Other => false,
            })
        };
        let kept: BTreeSet<usize> = found.iter().copied().filter(fits).collect();
        if kept.len() == found.len() {
            return found;
        }
        found = kept;
    }
}

/// Which variables may be looked at from each cell on, before they are set.
fn live_variables(work: &Work) -> IdVec<CellId, Vec<bool>> {
    let mut live = IdVec::<CellId, Vec<bool>>::filled(vec![false; work.vars], work.cells.len());
    loop {
        let mut grown = false;
        for block in &work.blocks {
            let later: Vec<usize> = (0..work.vars).filter(|var| live[block.to][*var]).collect();
            let read = block.guard.iter().map(|atom| &atom.poly).chain(later.iter().map(|var| &block.update[*var]));
            for var in read.flat_map(Poly::vars).filter(|var| var.index() < work.vars) {
                grown |= !std::mem::replace(&mut live[block.from][var.index()], true);
            }
        }
        if !grown {
            return live;
        }
    }
}

/// The variable that an atom says to have a certain value.
fn asked_for(atom: &Atom) -> Option<(usize, i64)> {
    let expr = atom.poly.to_linear()?;
    let [(var, factor)] = expr.terms() else { return None };
    let value = (&-expr.offset() * &factor.recip()?).to_i64()?;
    (atom.sign == Sign::Zero).then_some((var.index(), value))
}

/// One of each.
fn combinations(regions: &[BTreeSet<usize>]) -> Vec<Mode> {
    let mut found: Vec<Mode> = vec![Vec::new()];
    for own in regions {
        found = found.iter().flat_map(|mode| own.iter().map(|region| [mode.as_slice(), &[*region]].concat())).collect();
        if found.len() > MAX_LEAVES {
            break;
        }
    }
    found
}
