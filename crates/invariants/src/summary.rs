//! Summaries: what is known of a loop or a function without looking inside again.
//!
//! **Meaning.** A summary is *valid* if for every state at the entry that satisfies `requires`, every run from there changes only what `frame` lists, keeps
//! `inside` whenever it comes back to the head, violates none of `discharged` on the way, and satisfies what `relation` says of the exit by which it leaves. It
//! speaks of runs that leave: a run may stay inside for ever unless `ends_if` has rankings, so that termination, lost blocks and endless
//! runs must ask for these.
//!
//! **Source.** Kroening, Sharygina, Tonetta, Tsitovich and Wintersteiger, *Loop summarization using state and transition invariants*, Algorithms 1 to 3.

use belay_ir::{BlockId, FuncId, ObligationId};

use crate::cut::Cut;
use crate::place::CutPlace;
use crate::ranking_function::RankingFunction;
use crate::row::Row;

/// What a summary is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// A loop in its activation.
    Loop(CutPlace),
    /// A function that calls itself, by its outermost activation.
    Recursion(CutPlace),
    /// A function.
    Function(FuncId),
}

/// A way out of a loop, and what holds there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The block that is left.
    pub from: BlockId,
    /// Where control goes; nowhere inside the function if it returns.
    pub to: Option<BlockId>,
    /// What holds of the state at the head in the round that leaves; the condition of the edge is the program's own.
    pub rows: Vec<Row>,
}

/// Under which condition a loop ends: the rankings descend every `stride` rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndsIf {
    /// What holds at the entry then; always if nothing is named.
    pub condition: Vec<Row>,
    /// What gets smaller, most significant first.
    pub rankings: Vec<RankingFunction>,
    /// After how many rounds.
    pub stride: u32,
}

/// What is known of a loop or a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Of what.
    pub scope: Scope,
    /// The family of invariants that it was searched in, if each loop has its own.
    pub domain: Option<&'static str>,
    /// What may change; everything else stays.
    pub frame: Cut,
    /// What must hold at the entry.
    pub requires: Vec<Row>,
    /// What holds at the head whenever it is reached again.
    pub inside: Vec<Row>,
    /// The obligations inside that are shown to hold.
    pub discharged: Vec<ObligationId>,
    /// What holds where it is left.
    pub relation: Vec<Exit>,
    /// When it ends, if that is known.
    pub ends_if: Option<EndsIf>,
}

impl Summary {
    /// The summary of a loop that is cut like this: its rows hold at the head whatever the entry, and so at each exit.
    pub fn of_loop(
        place: &CutPlace,
        cut: &Cut,
        domain: Option<&'static str>,
        exits: impl IntoIterator<Item = (BlockId, Option<BlockId>)>,
    ) -> Summary {
        let exit = |(from, to)| Exit { from, to, rows: cut.rows.clone() };
        let relation = exits.into_iter().map(exit).collect();
        Summary { relation, ..Self::of(Scope::Loop(place.clone()), cut, domain) }
    }

    /// The summary of a function that is cut like this: its rows hold of the arguments of each further call, its results where it returns.
    pub fn of_recursion(place: &CutPlace, cut: &Cut, domain: Option<&'static str>) -> Summary {
        let relation = vec![Exit { from: place.head, to: None, rows: cut.results.clone() }];
        Summary { relation, ..Self::of(Scope::Recursion(place.clone()), cut, domain) }
    }

    fn of(scope: Scope, cut: &Cut, domain: Option<&'static str>) -> Summary {
        Summary {
            scope,
            domain,
            frame: Cut { rows: Vec::new(), results: Vec::new(), ..cut.clone() },
            requires: Vec::new(),
            inside: cut.rows.clone(),
            discharged: Vec::new(),
            relation: Vec::new(),
            ends_if: None,
        }
    }

    /// What holds inside and where it is left, each thing once.
    pub fn rows(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.inside.iter().collect();
        for row in self.relation.iter().flat_map(|exit| &exit.rows) {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows
    }
}
