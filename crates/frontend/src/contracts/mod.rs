//! Contracts that people write, in CBMC's words (`belay.h` expands to them).
//!
//! A contract becomes C before clang sees the file, so that every engine, checker and run gives it one meaning:
//!
//! - `--enforce F`: a function of our own takes F's place as the entry. It gives all variables of static storage any value, makes what `requires` speaks of,
//!   keeps old values, calls F, and asserts what `ensures` says. Whatever F and what it calls write must be in `assigns`, or a local, or made after F was
//!   entered: each write is an assertion ([`crate::translate`] puts it there). What is not in `frees` is alive at the end.
//! - `--replace F`: F's body asserts `requires`, writes anything to what `assigns` names, and assumes `ensures`. The verdict is about the program in which F is
//!   any function that keeps its contract.
//! - Loop invariants are asserted whenever the condition is asked, once for the first time (*base*) and once for later ones (*step*); `decreases` says what
//!   must have become smaller then. They are never assumed, so that a wrong one is a violation and nothing rests on it.
//!
//! What can't be said in C is refused by its name at its line: a run that gets there has no verdict.

mod enforce;
mod replace;

pub use belay_contracts::annotate::annotate;
pub use belay_contracts::asked::Asked;

use belay_contracts::{lift, loops, lower, olds, predicates, text, tokens};
use belay_ir::DataModel;

use crate::clang::{Clang, Compilation};
use crate::entry::Declared;
use crate::error::FrontendError;
use lift::{Clause, ClauseKind, Contract, Lifted};

/// What to do with the contracts of functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contracts {
    /// The function whose body is checked against its contract.
    pub enforce: Option<String>,
    /// Functions that are replaced by their contracts.
    pub replace: Vec<String>,
    /// What is required of callers of the enforced function, instead of what its own contract says.
    pub stated: Option<Stated>,
    /// What is asked of callers where functions begin.
    pub asked: Vec<Asked>,
}

/// What somebody states of a function's callers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stated {
    /// Clauses, in CBMC's words.
    pub requires: Vec<String>,
    /// Whether variables of static storage have any value.
    pub any_globals: bool,
    /// Places of `requires` whose blocks have to be alive at the end: then the function has not freed them, and nothing need be known of where they come from.
    pub alive: Vec<String>,
}

impl Contracts {
    /// True if nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.enforce.is_none() && self.replace.is_empty() && self.asked.is_empty()
    }
}

/// What came of contracts.
pub struct Applied {
    /// What users should know.
    pub notes: Vec<String>,
    /// Whether clauses became assertions.
    pub has_clauses: bool,
}

/// Words by which a file is known that may hold a contract.
const SIGNS: &[&str] = &["__CPROVER_", "belay.h"];

/// Takes contracts out of the files, and puts what is asked of them in. `must` says that clang has refused the files as they are.
pub fn apply(
    units: &mut [Compilation],
    model: DataModel,
    asked: &Contracts,
    must: bool,
) -> Result<Applied, FrontendError> {
    let mut notes = Vec::new();
    let mut lifted = Vec::new();
    for (index, unit) in units.iter_mut().enumerate() {
        let may_hold = must || !asked.is_empty() || mentions_contracts(unit);
        if !unit.is_c() || unit.text.is_some() || !may_hold {
            continue;
        }
        let clang = Clang::find()?;
        let Some(text) = clang.preprocess(unit, model)? else {
            // What is wrong with it (a header that is not found) is said by compiling it.
            clang.compile(unit, model)?;
            continue;
        };
        let found = lift::lift(&text).map_err(|message| FrontendError::Entry { message })?;
        if found.contracts.is_empty() && found.loops.is_empty() && found.statements.is_empty() && asked.is_empty() {
            continue;
        }
        let (text, more) = loops::write(&found);
        notes.extend(more);
        unit.text = Some(text);
        lifted.push((index, found));
    }
    write_out_predicates(&mut lifted);
    let all = gather(&lifted)?;
    notes.extend(unasked(&all, asked));
    if let Some(name) = asked.enforce.as_ref().filter(|name| asked.replace.contains(name)) {
        let message = format!("`{name}` can't be checked against its contract and be replaced by it at once");
        return Err(FrontendError::Entry { message });
    }
    let holders = |name: &String| -> Vec<usize> {
        let has = |found: &Lifted| found.contracts.iter().any(|contract| contract.function == *name);
        lifted.iter().filter(|(_, found)| has(found)).map(|(index, _)| *index).collect()
    };
    for name in &asked.replace {
        replace::replace(units, model, contract(&all, name)?, &holders(name))?;
    }
    for question in &asked.asked {
        let units = units.iter_mut().filter_map(|unit| Some((question.put_into(unit.text.as_deref()?)?, unit)));
        let [(text, unit)] = &mut units.collect::<Vec<_>>()[..] else {
            let message = format!("what `{}` requires can't be asked of its callers", question.function);
            return Err(FrontendError::Entry { message });
        };
        unit.text = Some(std::mem::take(text));
    }
    match (&asked.enforce, &asked.stated) {
        (Some(name), None) => enforce::enforce(units, model, contract(&all, name)?, (None, &holders(name)))?,
        (Some(name), Some(stated)) => enforce::enforce(units, model, &state(name, stated), (Some(stated), &[]))?,
        (None, _) => {}
    }
    let enforces = asked.enforce.is_some() && asked.stated.as_ref().is_none_or(|stated| !stated.alive.is_empty());
    let has_loops = lifted.iter().any(|(_, found)| !found.loops.is_empty());
    Ok(Applied { notes, has_clauses: enforces || has_loops || !asked.replace.is_empty() || !asked.asked.is_empty() })
}

/// Each file's clauses say what the predicates that it sees say.
fn write_out_predicates(lifted: &mut [(usize, Lifted)]) {
    let texts: Vec<String> = lifted.iter().map(|(_, found)| found.text.clone()).collect();
    for (number, (_, found)) in lifted.iter_mut().enumerate() {
        let others: Vec<&str> =
            texts.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, text)| text.as_str()).collect();
        let seen = predicates::find_visible(&texts[number], &others);
        for contract in &mut found.contracts {
            for clause in &mut contract.clauses {
                clause.text = predicates::expand(&clause.text, &seen, &contract.params);
            }
        }
    }
}

fn mentions_contracts(unit: &Compilation) -> bool {
    let text = unit.full_path().ok().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    SIGNS.iter().any(|sign| text.contains(sign))
        && [
            "__CPROVER_requires",
            "__CPROVER_ensures",
            "__CPROVER_assigns",
            "__CPROVER_loop_invariant",
            "__CPROVER_decreases",
            "__CPROVER_frees",
            "__CPROVER_forall",
            "__CPROVER_exists",
            "belay.h",
        ]
        .iter()
        .any(|sign| text.contains(sign))
}

/// One contract for each function; what several files say of one has to be the same.
fn gather(lifted: &[(usize, Lifted)]) -> Result<Vec<Contract>, FrontendError> {
    let mut all: Vec<Contract> = Vec::new();
    for contract in lifted.iter().flat_map(|(_, lifted)| &lifted.contracts) {
        match all.iter().find(|known| known.function == contract.function) {
            Some(known) if same(known, contract) => {}
            Some(_) => {
                let message = format!("the contracts of `{}` in different files differ", contract.function);
                return Err(FrontendError::Entry { message });
            }
            None => all.push(contract.clone()),
        }
    }
    Ok(all)
}

fn same(one: &Contract, other: &Contract) -> bool {
    let clauses = |contract: &Contract| -> Vec<(ClauseKind, String)> {
        contract.clauses.iter().map(|clause| (clause.kind, text::canonical(&clause.text))).collect()
    };
    one.params == other.params && clauses(one) == clauses(other)
}

fn contract<'c>(all: &'c [Contract], name: &str) -> Result<&'c Contract, FrontendError> {
    let missing = || FrontendError::Entry { message: format!("no file has a contract of the function `{name}`") };
    all.iter().find(|contract| contract.function == name).ok_or_else(missing)
}

fn state(name: &str, stated: &Stated) -> Contract {
    let clause = |text: &String| Clause {
        kind: ClauseKind::Requires,
        text: text.clone(),
        file: "precondition".to_owned(),
        line: 1,
    };
    Contract { function: name.to_owned(), params: Vec::new(), clauses: stated.requires.iter().map(clause).collect() }
}

/// What is there but was not asked for is said.
fn unasked(all: &[Contract], asked: &Contracts) -> Option<String> {
    let is_asked = |name: &String| asked.replace.contains(name) || asked.enforce.as_ref() == Some(name);
    let names: Vec<&str> = all.iter().filter(|one| !is_asked(&one.function)).map(|one| one.function.as_str()).collect();
    let shown = names.iter().take(5).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > 5 { format!(" and {} more", names.len() - 5) } else { String::new() };
    let text = || format!("contracts that are not looked at (see --enforce, --replace): {shown}{more}");
    (!names.is_empty() && asked.is_empty()).then(text)
}

/// The unit that what a contract becomes is put into, and how the function is declared there: one that has the contract, since it may speak of what only that declares,
/// unless the function is static.
fn home(
    units: &[Compilation],
    model: DataModel,
    function: &str,
    defined: (usize, Declared),
    holders: &[usize],
) -> Result<(usize, Declared), FrontendError> {
    if defined.1.is_static || holders.contains(&defined.0) {
        return Ok(defined);
    }
    for holder in holders {
        let dump = Clang::find()?.declarations(&units[*holder], model, function)?;
        if let Some(declared) = dump.and_then(|dump| crate::entry::parse_declaration(&dump, function)) {
            return Ok((*holder, declared));
        }
    }
    Ok(defined)
}

/// The unit that defines a function, or the first that declares it, and how it is declared there.
fn declaration(
    units: &[Compilation],
    model: DataModel,
    function: &str,
) -> Result<Option<(usize, Declared, bool)>, FrontendError> {
    let clang = Clang::find()?;
    let mut declared = None;
    for (index, unit) in units.iter().enumerate().filter(|(_, unit)| unit.is_c()) {
        let Some(dump) = clang.declarations(unit, model, function)? else {
            // What is wrong with it is said by compiling it.
            clang.compile(unit, model)?;
            continue;
        };
        if let Some(found) = crate::entry::parse(&dump, function) {
            return Ok(Some((index, found, true)));
        }
        if declared.is_none() {
            declared = crate::entry::parse_declaration(&dump, function).map(|found| (index, found, false));
        }
    }
    Ok(declared)
}

/// The parameters of a contract: types as clang knows them, names as the contract has them.
fn parameters(contract: &Contract, declared: &Declared) -> Vec<(String, String)> {
    let name = |index: usize, own: &String| {
        let said = contract.params.get(index).filter(|name| !name.is_empty());
        said.cloned().unwrap_or_else(|| if own.is_empty() { format!("__belay_unused{index}") } else { own.clone() })
    };
    declared.params.iter().enumerate().map(|(index, (ty, own))| (ty.clone(), name(index, own))).collect()
}

/// Puts text after a unit's own.
fn append(unit: &mut Compilation, more: &str) -> Result<(), FrontendError> {
    let text = match unit.text.take() {
        Some(text) => text,
        None => {
            let bad =
                |reason: std::io::Error| FrontendError::Entry { message: format!("{}: {reason}", unit.path.display()) };
            format!("#include \"{}\"\n", unit.full_path().map_err(bad)?.display())
        }
    };
    unit.text = Some(format!("{text}\n{more}"));
    Ok(())
}
