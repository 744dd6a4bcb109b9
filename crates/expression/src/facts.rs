//! Conditions that hold together, and what was missing where one did not follow.

use crate::Expr;

/// What holds at a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Conditions.
    pub conditions: Vec<Expr>,
    /// Names in them that the program does not have: there is a place or a number for each.
    pub ghosts: Vec<String>,
}

impl Facts {
    /// What holds where one of several facts does: what they have in common, and one or the other of the rest. A name that the program
    /// does not have stands for something in each of them, and so in what is made of them.
    pub fn any_of(cases: Vec<Facts>) -> Facts {
        let shared = |condition: &Expr| cases.iter().all(|case| case.conditions.contains(condition));
        let first = cases.first().into_iter().flat_map(|case| &case.conditions);
        let mut conditions: Vec<Expr> = first.filter(|condition| shared(condition)).cloned().collect();
        let own = |case: &Facts| Expr::all_of(case.conditions.iter().filter(|condition| !shared(condition)).cloned());
        let mut rests: Vec<Option<Expr>> = cases.iter().map(own).collect();
        rests.dedup();
        // A case that says no more than all do leaves nothing to choose between.
        if let Some(rests) = rests.into_iter().collect::<Option<Vec<Expr>>>() {
            conditions.extend(Expr::any_of(rests));
        }
        let mut ghosts: Vec<String> = cases.into_iter().flat_map(|case| case.ghosts).collect();
        ghosts.sort();
        ghosts.dedup();
        Facts { conditions, ghosts }
    }

    /// Only what speaks of something that `condition` speaks of.
    pub fn about(mut self, condition: &Expr) -> Facts {
        let names = condition.names();
        self.conditions.retain(|fact| fact.names().iter().any(|name| names.contains(name)));
        self
    }
}

/// What was missing where something was not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// Nothing says where a pointer leads.
    Pointer,
    /// A condition did not follow; this was known of the same variables.
    Condition(Expr, Facts),
    /// Nothing bounds these from above.
    Bounds(Vec<Expr>),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(names: &[&str]) -> Facts {
        Facts { conditions: names.iter().map(|name| Expr::name(*name)).collect(), ghosts: Vec::new() }
    }

    #[test]
    fn one_of_several_cases_holds() {
        let either = Facts::any_of(vec![facts(&["a", "b"]), facts(&["a", "c"])]);
        let rest = Expr::any_of([Expr::name("b"), Expr::name("c")]).into_iter();
        assert_eq!(either.conditions, [Expr::name("a")].into_iter().chain(rest).collect::<Vec<_>>());
        assert_eq!(Facts::any_of(vec![facts(&["a"]), facts(&["a", "c"])]), facts(&["a"]));
    }
}
