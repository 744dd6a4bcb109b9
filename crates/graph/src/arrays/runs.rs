//! Parts of arrays that follow each other, and how those of two states are paired.

use belay_linear::LinExpr;
use belay_symbolic::{AllocId, Content, State};

use super::super::elements::is_at_least_zero;
use super::super::lists::Side;

/// Parts that a run may have before all of it is one.
const MAX_PARTS: usize = 3;

/// What the elements of an array are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Null,
    Owned,
    Shared,
    Mixed,
}

/// Elements that follow each other.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) from: LinExpr,
    pub(super) to: LinExpr,
    pub(super) contents: Vec<Content>,
    pub(super) class: Class,
    pub(super) ranges: Vec<usize>,
}

pub(super) type Run = Vec<Part>;

/// Parts of both states that become a range.
pub(super) struct Group {
    pub(super) left: (LinExpr, LinExpr),
    pub(super) right: (LinExpr, LinExpr),
    pub(super) contents: Vec<(Side, Content)>,
    pub(super) ranges: (Vec<usize>, Vec<usize>),
}

/// `expr`, a multiple of one expression plus a constant, with another in its place.
pub(super) fn in_terms_of(expr: &LinExpr, own: &LinExpr, other: &LinExpr) -> Option<LinExpr> {
    let ((var, many), (same, one)) = (expr.terms().first()?, own.terms().first()?);
    if var != same {
        return None;
    }
    let factor = many / one;
    let rest = expr.add_scaled(&-&factor, own);
    (rest.is_constant() && factor.is_integer()).then(|| other.scaled(&factor).plus_constant(rest.offset()))
}

/// What is before an element, and what is behind it.
pub(super) fn around(run: Run, gap: &LinExpr, step: u64) -> Vec<Run> {
    match run.as_slice() {
        [only] => {
            let before = Part { to: gap.clone(), ..only.clone() };
            let behind = Part { from: gap.plus(&LinExpr::constant(step as i64)), ..only.clone() };
            vec![vec![before], vec![behind]]
        }
        _ => vec![run],
    }
}

/// True if a number is not negative by its bounds, or by one of the constraints.
pub(in super::super) fn is_at_least(state: &State, expr: &LinExpr) -> bool {
    (expr.is_constant() && !expr.offset().is_negative()) || is_at_least_zero(state, expr)
}

/// True if a part is known to begin before two places and end behind them.
pub(super) fn covers(state: &State, part: &Part, from: &LinExpr, to: &LinExpr) -> bool {
    part.from == *from || holds(state, (&part.from, &part.to), (from, to))
}

/// True if elements are known to begin before two places and end behind them.
pub(super) fn holds(state: &State, part: (&LinExpr, &LinExpr), (from, to): (&LinExpr, &LinExpr)) -> bool {
    is_at_least(state, &from.minus(part.0)) && is_at_least(state, &part.1.minus(to))
}

/// Parts of shared elements that are known to meet as one.
pub(super) fn overlapped(state: &State, mut parts: Vec<Part>) -> Vec<Part> {
    let meet = |a: &Part, b: &Part| {
        let shared = a.class == Class::Shared && b.class == Class::Shared;
        shared && is_at_least(state, &b.from.minus(&a.from)) && is_at_least(state, &a.to.minus(&b.from))
    };
    let longer = |a: &Part, b: &Part| is_at_least(state, &b.to.minus(&a.to));
    loop {
        let count = parts.len();
        let one = |a: usize, b: usize| {
            let (a, b) = (&parts[a], &parts[b]);
            meet(a, b) && (longer(a, b) || longer(b, a))
        };
        let pairs: Vec<(usize, usize)> = (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).collect();
        let found = pairs.into_iter().find(|(a, b)| a != b && one(*a, *b));
        let Some((a, b)) = found else { return parts };
        let next = parts[b].clone();
        if longer(&parts[a], &next) {
            parts[a].to = next.to;
            parts[a].contents.extend(next.contents);
        }
        parts[a].ranges.extend(next.ranges);
        parts.remove(b);
    }
}

/// Parts that end where others begin.
pub(super) fn chained(mut parts: Vec<Part>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    while let Some(at) = parts.iter().position(|part| !parts.iter().any(|other| other.to == part.from)) {
        let mut run = vec![parts.remove(at)];
        while let Some(next) = run.last().and_then(|last| parts.iter().position(|part| part.from == last.to)) {
            run.push(parts.remove(next));
        }
        runs.push(joined(run));
    }
    runs
}

/// Neighbours of one class are one part.
pub(super) fn joined(run: Run) -> Run {
    let mut parts: Run = Vec::new();
    for part in run {
        match parts.last_mut() {
            Some(last) if last.class == part.class => {
                last.to = part.to;
                last.contents.extend(part.contents);
                last.ranges.extend(part.ranges);
            }
            _ => parts.push(part),
        }
    }
    parts
}

/// The parts of two runs in order; all of each as one if their classes do not follow each other alike.
pub(super) fn aligned(ids: (AllocId, AllocId), left: &Run, right: &Run) -> Vec<Group> {
    let classes = |run: &Run| run.iter().map(|part| part.class).collect::<Vec<_>>();
    let (a, b) = (classes(left), classes(right));
    let distinct = |all: &[Class]| all.iter().enumerate().all(|(at, class)| !all[..at].contains(class));
    let longest = if a.len() >= b.len() { &a } else { &b };
    let fits = longest.len() <= MAX_PARTS && distinct(longest) && !longest.contains(&Class::Mixed);
    if !fits || !(is_within(&a, &b) || is_within(&b, &a)) {
        return vec![group(ids, whole(left), whole(right))];
    }
    let full = longest.clone();
    full.iter().map(|class| group(ids, part_of(left, *class, &full), part_of(right, *class, &full))).collect()
}

/// True if the first classes are among the second, in their order.
fn is_within(some: &[Class], all: &[Class]) -> bool {
    let mut rest = all.iter();
    some.iter().all(|class| rest.any(|other| other == class))
}

/// All of a run as one part, an empty one if it has none.
fn whole(run: &Run) -> Part {
    let Some((first, rest)) = run.split_first() else { return part_of(run, Class::Mixed, &[]) };
    let mut all = first.clone();
    for part in rest {
        all.to = part.to.clone();
        all.contents.extend(part.contents.clone());
        all.ranges.extend(part.ranges.iter().copied());
    }
    all
}

/// The part of a class; an empty one between its neighbours if the run has none.
fn part_of(run: &Run, class: Class, all: &[Class]) -> Part {
    if let Some(part) = run.iter().find(|part| part.class == class) {
        return part.clone();
    }
    let at = all.iter().position(|other| *other == class).unwrap_or(0);
    let next = all[at..].iter().find_map(|class| run.iter().find(|part| part.class == *class)).map(|part| &part.from);
    let place = next.or_else(|| run.last().map(|part| &part.to)).cloned().unwrap_or_default();
    Part { from: place.clone(), to: place, contents: Vec::new(), class, ranges: Vec::new() }
}

fn group(ids: (AllocId, AllocId), left: Part, right: Part) -> Group {
    let of_left = left.contents.into_iter().map(|content| (Side::Left(ids.0), content));
    let of_right = right.contents.into_iter().map(|content| (Side::Right(ids.1), content));
    Group {
        left: (left.from, left.to),
        right: (right.from, right.to),
        contents: of_left.chain(of_right).collect(),
        ranges: (left.ranges, right.ranges),
    }
}
