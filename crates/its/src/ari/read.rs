//! Reading `.ari` text.

use std::fmt;

use belay_base::{Id, IdVec};

use super::formula::Scope;
use super::sexpr::{SExpr, parse};
use crate::poly::Poly;
use crate::system::{Its, LocId, Transition};

/// Why a text is not a system that we can read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The parentheses do not match.
    Syntax {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A declaration or rule is not of the expected form, or not supported.
    Item {
        /// Its position among the file's items, from 1.
        item: usize,
        /// What is wrong.
        reason: String,
    },
    /// There is no entry point.
    NoEntry,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Syntax { line, reason } => write!(f, "line {line}: {reason}"),
            ReadError::Item { item, reason } => write!(f, "item {item}: {reason}"),
            ReadError::NoEntry => f.write_str("no entry point"),
        }
    }
}

impl std::error::Error for ReadError {}

#[derive(Default)]
struct Reader {
    functions: Vec<(String, usize)>,
    entry: Option<usize>,
    names: Vec<String>,
    transitions: Vec<Transition>,
}

/// Reads a system in the `.ari` format.
pub fn read(text: &str) -> Result<Its, ReadError> {
    let items = parse(text).map_err(|(line, reason)| ReadError::Syntax { line, reason })?;
    let mut reader = Reader::default();
    for rules in [false, true] {
        for (index, item) in items.iter().enumerate() {
            let read = reader.item(item, rules);
            read.map_err(|reason| ReadError::Item { item: index + 1, reason })?;
        }
    }
    let start = LocId::new(reader.entry.ok_or(ReadError::NoEntry)?);
    Ok(Its {
        vars: reader.names,
        locations: reader.functions.into_iter().map(|(name, _)| name).collect(),
        start,
        transitions: reader.transitions.into_iter().collect::<IdVec<_, _>>(),
    })
}

impl Reader {
    /// Reads one item, if it belongs to this pass: declarations first, then rules.
    fn item(&mut self, item: &SExpr, rules: bool) -> Result<(), String> {
        let SExpr::List(list) = item else {
            return Err("an item is a list".to_owned());
        };
        let [SExpr::Symbol(keyword), rest @ ..] = list.as_slice() else {
            return Err("an item starts with a keyword".to_owned());
        };
        match (keyword.as_str(), rest, rules) {
            ("rule", [left, right, options @ ..], true) => self.rule(left, right, options),
            ("rule", [_, _, ..], false) | ("format" | "theory" | "meta-info", _, _) => Ok(()),
            ("fun", [SExpr::Symbol(name), sort], false) => self.function(name, sort),
            ("entrypoint", [SExpr::Symbol(name)], false) => {
                self.entry = Some(self.location(name)?.0);
                Ok(())
            }
            ("fun", [_, _], true) | ("entrypoint", [_], true) => Ok(()),
            (other, _, _) => Err(format!("unsupported item {other}")),
        }
    }

    fn function(&mut self, name: &str, sort: &SExpr) -> Result<(), String> {
        let sorts = match sort {
            SExpr::Symbol(_) => Vec::new(),
            SExpr::List(list) => match list.as_slice() {
                [SExpr::Symbol(arrow), arguments @ .., _] if arrow == "->" => arguments.to_vec(),
                _ => return Err("a function's sort is (-> Int … Int)".to_owned()),
            },
        };
        if sorts.iter().any(|sort| *sort != SExpr::Symbol("Int".to_owned())) {
            return Err("only arguments of sort Int are supported".to_owned());
        }
        while self.names.len() < sorts.len() {
            self.names.push(format!("x{}", self.names.len()));
        }
        self.functions.push((name.to_owned(), sorts.len()));
        Ok(())
    }

    fn location(&self, name: &str) -> Result<(usize, usize), String> {
        let found = self.functions.iter().position(|(known, _)| known == name);
        let index = found.ok_or_else(|| format!("{name} is not declared"))?;
        Ok((index, self.functions[index].1))
    }

    fn application<'a>(&self, term: &'a SExpr) -> Result<(LocId, &'a [SExpr]), String> {
        let (name, arguments) = match term {
            SExpr::Symbol(name) => (name, &[][..]),
            SExpr::List(list) => match list.as_slice() {
                [SExpr::Symbol(name), arguments @ ..] => (name, arguments),
                _ => return Err("a side of a rule applies a function".to_owned()),
            },
        };
        let (index, arity) = self.location(name)?;
        match arity == arguments.len() {
            true => Ok((LocId::new(index), arguments)),
            false => Err(format!("{name} takes {arity} arguments")),
        }
    }

    fn rule(&mut self, left: &SExpr, right: &SExpr, options: &[SExpr]) -> Result<(), String> {
        let (from, parameters) = self.application(left)?;
        let parameters = parameters.iter().map(|parameter| match parameter {
            SExpr::Symbol(name) => Ok(name.clone()),
            SExpr::List(_) => Err("a left-hand side takes variables".to_owned()),
        });
        let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
        if Some(from.index()) == self.entry {
            self.names.splice(..parameters.len(), parameters.iter().cloned());
        }
        let mut scope = Scope::new(self.names.len(), &parameters);
        let (to, arguments) = self.application(right)?;
        let mut update = arguments.iter().map(|term| scope.term(term)).collect::<Result<Vec<_>, _>>()?;
        update.resize(self.names.len(), Poly::constant(0));
        let guard = match option(options, ":guard") {
            Some(formula) => scope.formula(formula, false)?,
            None => vec![Vec::new()],
        };
        for conjunction in guard {
            self.transitions.push(Transition {
                from,
                to,
                guard: [conjunction, scope.definitions.clone()].concat(),
                update: update.clone(),
                extras: scope.extras,
            });
        }
        Ok(())
    }
}

fn option<'a>(options: &'a [SExpr], keyword: &str) -> Option<&'a SExpr> {
    let position = options.iter().position(|o| *o == SExpr::Symbol(keyword.to_owned()))?;
    options.get(position + 1)
}
