//! Conditions on numbers, learned from runs (as PIE does; Padhi, Sharma, Millstein 2016): runs with drawn numbers are good or bad, and of the comparisons of
//! parameters with constants and with each other, and disjunctions of two of these, the fewest are taken that hold in all good runs and together exclude all bad
//! ones. What is found is a candidate: that it suffices has to be proved, and a violation that it lets through is one more bad run.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_frontend::Entry;
use belay_interpreter::{Inputs, Interpreter, RunEnd};
use belay_ir::{Program, Property};
use belay_rules::Config;
use dashu::integer::IBig;

/// Steps of a run; one that is longer tells nothing.
const STEPS: u64 = 20_000;
/// Runs at most.
const RUNS: usize = 400;
/// Bad runs around which a boundary is looked for, at most.
const BOUNDARIES: usize = 60;
/// Time for that.
const REFINING: Duration = Duration::from_secs(2);

/// A parameter that is a number.
#[derive(Clone, Debug)]
struct Number {
    name: String,
    least: i128,
    greatest: i128,
    ty: String,
}

/// A comparison of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Atom {
    /// At most the constant.
    AtMost(usize, i128),
    /// At least the constant.
    AtLeast(usize, i128),
    /// Not the constant.
    Not(usize, i128),
    /// The first is less than the second.
    Less(usize, usize),
    /// The first is at most the second.
    NotMore(usize, usize),
}

/// Some atom holds.
type Clause = Vec<Atom>;

/// All clauses hold: each the atoms of which some holds, in C.
pub struct Condition {
    clauses: Vec<Vec<String>>,
}

impl Condition {
    /// Its clauses, in C.
    pub fn clauses(&self) -> Vec<String> {
        self.clauses.iter().map(|atoms| atoms.join(" || ")).collect()
    }

    /// True if it leaves nothing of one of these numbers but 0, 1 and what is less: where they are lengths, that is no condition that callers keep.
    pub fn confines(&self, lengths: &[String]) -> bool {
        let least = ["< 0", "<= 0", "<= 1", "== 0", "== 1", "<= -1"];
        let is_least = |atom: &String| {
            let plain = atom.trim_end_matches(['u', 'l']);
            lengths.iter().any(|name| least.iter().any(|most| plain == format!("{name} {most}")))
        };
        self.clauses.iter().any(|atoms| atoms.iter().all(is_least))
    }

    /// Conjunctions, of which one holds wherever the condition does.
    pub fn cases(&self) -> Vec<Vec<String>> {
        let mut all: Vec<Vec<String>> = vec![Vec::new()];
        for atoms in &self.clauses {
            all = all
                .iter()
                .flat_map(|start| atoms.iter().map(move |atom| [start.as_slice(), std::slice::from_ref(atom)].concat()))
                .collect();
        }
        all
    }
}

/// What makes runs.
pub struct Prober<'p> {
    interpreter: Interpreter<'p>,
    properties: &'p [Property],
}

impl<'p> Prober<'p> {
    /// Runs of a program, judged by these properties.
    pub fn new(program: &'p Program, config: &Config, properties: &'p [Property]) -> Prober<'p> {
        let mut config = config.clone();
        config.recurrence = properties.contains(&Property::Termination);
        config.memory_limit = config.memory_limit.min(64 << 20);
        Prober { interpreter: Interpreter::new(program, config), properties }
    }

    /// Whether the run with these numbers violates nothing; none if that does not show.
    fn run(&self, values: &[i128]) -> Option<bool> {
        let inputs = values.iter().map(|value| IBig::from(*value));
        let report = self.interpreter.run(&mut Inputs::new(inputs, 1), &Budget::steps(STEPS));
        let is_bad = report.violations.iter().any(|violation| self.properties.contains(&violation.property));
        match (is_bad, &report.end) {
            (true, _) | (false, RunEnd::Recurs { .. }) => Some(false),
            (false, RunEnd::Returned(_) | RunEnd::Exited(_)) => Some(true),
            (false, _) => None,
        }
    }
}

/// Runs, by the numbers that they were given.
pub struct Samples {
    numbers: Vec<Number>,
    good: Vec<Vec<i128>>,
    bad: Vec<Vec<i128>>,
}

impl Samples {
    /// Makes runs; none if no parameter is a whole number.
    pub fn draw(program: &Program, config: &Config, entry: &Entry, properties: &[Property]) -> Option<Samples> {
        let is_float =
            |param: &&belay_frontend::EntryParam| is_number(&param.desugared) && !is_integer(&param.desugared);
        if entry.params.iter().any(|param| is_float(&param)) {
            return None;
        }
        let integers = entry.params.iter().filter(|param| is_integer(&param.desugared));
        let numbers: Vec<Number> = integers
            .map(|param| {
                let (least, greatest) = range(&param.desugared);
                Number {
                    name: param.name.clone(),
                    least,
                    greatest,
                    ty: param.desugared.replace("const", "").trim().to_owned(),
                }
            })
            .collect();
        if numbers.is_empty() || numbers.len() > 4 {
            return None;
        }
        let mut samples = Samples { good: Vec::new(), bad: Vec::new(), numbers };
        let prober = Prober::new(program, config, properties);
        for values in samples.values() {
            samples.add(&prober, values);
        }
        samples.refine(&prober);
        Some(samples)
    }

    /// Makes a run; whether it is good, if that shows.
    fn add(&mut self, prober: &Prober<'_>, values: Vec<i128>) -> Option<bool> {
        let is_good = prober.run(&values)?;
        let runs = if is_good { &mut self.good } else { &mut self.bad };
        if !runs.contains(&values) {
            runs.push(values);
        }
        Some(is_good)
    }

    /// Makes runs where good ones turn into bad ones: between two that differ in one number.
    pub fn refine(&mut self, prober: &Prober<'_>) {
        let start = Instant::now();
        for bad in self.bad.clone().into_iter().rev().take(BOUNDARIES) {
            for index in 0..self.numbers.len() {
                let others = |good: &&Vec<i128>| (0..good.len()).all(|at| at == index || good[at] == bad[at]);
                let beside: Vec<i128> = self.good.iter().filter(others).map(|good| good[index]).collect();
                let below = beside.iter().copied().filter(|value| *value < bad[index]).max();
                let above = beside.iter().copied().filter(|value| *value > bad[index]).min();
                for good in [below, above].into_iter().flatten() {
                    if start.elapsed() < REFINING {
                        self.bisect(prober, &bad, (index, good));
                    }
                }
            }
        }
    }

    fn bisect(&mut self, prober: &Prober<'_>, bad: &[i128], (index, mut good): (usize, i128)) {
        let mut at = bad[index];
        while (good - at).abs() > 1 {
            let middle = good + (at - good) / 2;
            let mut values = bad.to_vec();
            values[index] = middle;
            match self.add(prober, values) {
                Some(true) => good = middle,
                Some(false) => at = middle,
                None => return,
            }
        }
    }

    /// A run of which is known that it violates something.
    pub fn add_violating(&mut self, mut numbers: Vec<i128>) {
        numbers.truncate(self.numbers.len());
        if numbers.len() < self.numbers.len() {
            return;
        }
        for (value, number) in numbers.iter_mut().zip(&self.numbers) {
            *value = read_as(&number.ty, *value);
        }
        self.good.retain(|good| *good != numbers);
        self.bad.push(numbers);
    }

    fn values(&self) -> Vec<Vec<i128>> {
        let each: Vec<Vec<i128>> = self.numbers.iter().map(|number| interesting(number, self.numbers.len())).collect();
        let mut all: Vec<Vec<i128>> = vec![Vec::new()];
        for values in &each {
            all = all
                .iter()
                .flat_map(|start| values.iter().map(move |value| [start.as_slice(), &[*value]].concat()))
                .collect();
        }
        let step = all.len().div_ceil(RUNS).max(1);
        all.into_iter().step_by(step).collect()
    }

    /// The simplest condition that holds in all good runs and in no bad one.
    pub fn separate(&self) -> Option<Condition> {
        if self.good.is_empty() || self.bad.is_empty() {
            return None;
        }
        let atoms = self.atoms();
        let mut clauses: Vec<Clause> = atoms.iter().map(|atom| vec![*atom]).collect();
        for (index, one) in atoms.iter().enumerate() {
            let others = atoms[index + 1..].iter().filter(|other| parameters(one) != parameters(other));
            clauses.extend(others.map(|other| vec![*one, *other]));
        }
        clauses.retain(|clause| self.good.iter().all(|good| holds(clause, good)));
        let mut left: Vec<&Vec<i128>> = self.bad.iter().collect();
        let mut chosen: Vec<Clause> = Vec::new();
        while !left.is_empty() {
            let excluded = |clause: &Clause| left.iter().filter(|bad| !holds(clause, bad)).count();
            // Many bad runs first, then few words.
            let best = clauses.iter().rev().max_by_key(|clause| (excluded(clause), usize::MAX - clause.len()))?;
            if excluded(best) == 0 {
                return None;
            }
            let best = best.clone();
            left.retain(|bad| holds(&best, bad));
            chosen.push(best);
        }
        let atoms = |clause: &Clause| clause.iter().map(|atom| self.atom_text(*atom)).collect();
        Some(Condition { clauses: chosen.iter().map(atoms).collect() })
    }

    fn atoms(&self) -> Vec<Atom> {
        let mut all = Vec::new();
        for (index, number) in self.numbers.iter().enumerate() {
            // Constants between which good and bad runs lie, the plainest first.
            let mut constants: Vec<i128> = self.boundaries(index);
            constants.extend([0, 1, -1]);
            constants.retain(|value| (number.least..=number.greatest).contains(value));
            constants.sort_by_key(|value| (value.abs(), *value < 0));
            constants.dedup();
            for constant in constants.into_iter().take(32) {
                all.push(Atom::Not(index, constant));
                if constant > number.least {
                    all.push(Atom::AtMost(index, constant - 1));
                }
                if constant < number.greatest {
                    all.push(Atom::AtLeast(index, constant + 1));
                }
            }
            for (other, second) in self.numbers.iter().enumerate() {
                if other != index && second.ty == number.ty {
                    all.extend([Atom::Less(index, other), Atom::NotMore(index, other)]);
                }
            }
        }
        all
    }

    /// Numbers of bad runs beside which there is a good one; of all bad runs if there are none such.
    fn boundaries(&self, index: usize) -> Vec<i128> {
        let good: BTreeSet<&Vec<i128>> = self.good.iter().collect();
        let is_beside = |bad: &&Vec<i128>| {
            [-1, 1].iter().any(|by| {
                let mut beside = (*bad).clone();
                beside[index] += by;
                good.contains(&beside)
            })
        };
        let beside: Vec<i128> = self.bad.iter().filter(is_beside).map(|bad| bad[index]).collect();
        if beside.is_empty() { self.bad.iter().map(|bad| bad[index]).collect() } else { beside }
    }

    fn atom_text(&self, atom: Atom) -> String {
        let name = |index: usize| self.numbers[index].name.as_str();
        let constant = |index: usize, value: i128| constant(value, &self.numbers[index]);
        match atom {
            Atom::AtMost(index, value) if value == self.numbers[index].least => {
                format!("{} == {}", name(index), constant(index, value))
            }
            Atom::AtMost(index, -1) => format!("{} < 0", name(index)),
            Atom::AtLeast(index, 1) => format!("{} > 0", name(index)),
            Atom::AtMost(index, value) => format!("{} <= {}", name(index), constant(index, value)),
            Atom::AtLeast(index, value) => format!("{} >= {}", name(index), constant(index, value)),
            Atom::Not(index, value) => format!("{} != {}", name(index), constant(index, value)),
            Atom::Less(one, other) => format!("{} < {}", name(one), name(other)),
            Atom::NotMore(one, other) => format!("{} <= {}", name(one), name(other)),
        }
    }
}

fn parameters(atom: &Atom) -> (usize, Option<usize>) {
    match atom {
        Atom::AtMost(index, _) | Atom::AtLeast(index, _) | Atom::Not(index, _) => (*index, None),
        Atom::Less(one, other) | Atom::NotMore(one, other) => (*one, Some(*other)),
    }
}

fn holds(clause: &Clause, values: &[i128]) -> bool {
    clause.iter().any(|atom| match atom {
        Atom::AtMost(index, value) => values[*index] <= *value,
        Atom::AtLeast(index, value) => values[*index] >= *value,
        Atom::Not(index, value) => values[*index] != *value,
        Atom::Less(one, other) => values[*one] < values[*other],
        Atom::NotMore(one, other) => values[*one] <= values[*other],
    })
}

/// A constant as C writes it; the least of a type is no literal.
fn constant(value: i128, number: &Number) -> String {
    let suffix = match (number.least == 0, number.greatest > i128::from(u32::MAX)) {
        (true, true) => "ul",
        (true, false) if value > i128::from(i32::MAX) => "u",
        (false, true) => "l",
        (_, false) => "",
    };
    if value < 0 && value == number.least { format!("({}{suffix} - 1)", value + 1) } else { format!("{value}{suffix}") }
}

/// Numbers at which functions change what they do, where one parameter is tried.
#[rustfmt::skip]
const MANY: [i128; 28] = [
    -46341, -46340, -1000, -3, 3, 4, 5, 7, 8, 9, 10, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 1000, 46340, 46341, 65535, 65536,
];
/// The same, where two are tried together.
const SOME: [i128; 11] = [-46341, -5, 3, 4, 7, 8, 31, 32, 33, 100, 46341];

/// Values at which functions change what they do.
fn interesting(number: &Number, count: usize) -> Vec<i128> {
    let (least, greatest) = (number.least, number.greatest);
    let numbers: &[i128] = match count {
        1 => &MANY,
        2 => &SOME,
        _ => &[-5, 3, 4, 100],
    };
    let mut values = vec![least, greatest];
    if matches!(count, 1 | 2) {
        values.extend([least + 1, greatest / 2 + 1, greatest - 1]);
    }
    if count == 1 {
        values.extend([least / 2 - 1, least / 2, greatest / 2]);
    }
    values.extend(numbers);
    values.extend([-2, -1, 0, 1, 2]);
    values.retain(|value| (least..=greatest).contains(value));
    values.sort_unstable();
    values.dedup();
    values
}

/// True for the type of a whole number.
pub fn is_integer(desugared: &str) -> bool {
    is_number(desugared) && !desugared.contains("float") && !desugared.contains("double")
}

/// True for an arithmetic type.
pub fn is_number(desugared: &str) -> bool {
    const WORDS: &str = "char short int long unsigned signed float double _Bool const volatile";
    desugared.split_whitespace().all(|word| WORDS.split(' ').any(|known| known == word))
}

/// The same bits as a value of a type.
pub fn read_as(desugared: &str, value: i128) -> i128 {
    if !is_integer(desugared) {
        return value;
    }
    let (least, greatest) = range(desugared);
    (value - least).rem_euclid(greatest - least + 1) + least
}

fn range(desugared: &str) -> (i128, i128) {
    let has = |word: &str| desugared.split_whitespace().any(|other| other == word);
    let bits = match () {
        () if has("_Bool") => return (0, 1),
        () if has("char") => 8,
        () if has("short") => 16,
        () if has("long") => 64,
        () => 32,
    };
    if has("unsigned") { (0, (1 << bits) - 1) } else { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_not_confined() {
        let name = |name: &str| name.to_owned();
        let condition =
            |atoms: &[&str]| Condition { clauses: vec![atoms.iter().map(|atom| (*atom).to_owned()).collect()] };
        assert!(condition(&["n == 0ul"]).confines(&[name("n")]) && condition(&["n <= 1ul"]).confines(&[name("n")]));
        assert!(!condition(&["n == 0ul"]).confines(&[name("m")]) && !condition(&["n <= 16"]).confines(&[name("n")]));
        assert!(!condition(&["n <= 0", "m > 2"]).confines(&[name("n")]));
    }

    #[test]
    fn two_parameters_are_separated() {
        let number = |name: &str| Number {
            name: name.to_owned(),
            least: -(1 << 31),
            greatest: (1 << 31) - 1,
            ty: "int".to_owned(),
        };
        let mut samples = Samples { numbers: vec![number("x"), number("y")], good: Vec::new(), bad: Vec::new() };
        for x in -3..4 {
            for y in -3..4 {
                let runs = if x <= 0 || y > 0 { &mut samples.good } else { &mut samples.bad };
                runs.push(vec![x, y]);
            }
        }
        assert_eq!(samples.separate().unwrap().clauses(), ["x <= 0 || y > 0"]);
    }
}
