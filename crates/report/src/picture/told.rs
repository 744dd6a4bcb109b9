//! What is said about each node.

use belay_base::Span;
use belay_evidence::RankedLoop;
use belay_expression::in_c;
use belay_ir::{BlockId, FuncId, Program};
use belay_symbolic::{Ending, Names, Node, NodeKind, State, is_entry, is_exit};
use std::collections::HashMap;

use super::Drawn;
use crate::excerpt::source_line;
use crate::expressions::{describe_objects, write_all};
use crate::invariants::{call_span, loop_heads, whereabouts};
use crate::words::place;

/// A node in words.
#[derive(Clone, Debug)]
pub struct Told {
    /// Where it is: `line 8`.
    pub title: String,
    /// What is shown in its box below that.
    pub lines: Vec<String>,
    /// How it is coloured.
    pub class: &'static str,
    /// May be hidden in a chain.
    pub plain: bool,
    /// What holds at its place.
    pub facts: Vec<String>,
    /// The whole state, part by part.
    pub sections: Vec<(&'static str, Vec<String>)>,
}

/// Conditions of an invariant that stand in a box; the rest is shown when it is clicked.
const MAX_LINES: usize = 8;
/// Characters in a line of a box.
const MAX_WIDTH: usize = 56;

/// Says what each node is.
pub fn tell_nodes(drawn: &Drawn<'_>) -> Vec<Told> {
    let mut teller = Teller { drawn, heads: HashMap::default(), sources: HashMap::default() };
    drawn.graph.nodes.iter().map(|node| teller.tell(node)).collect()
}

struct Teller<'d> {
    drawn: &'d Drawn<'d>,
    heads: HashMap<FuncId, Vec<BlockId>>,
    sources: HashMap<Span, Option<String>>,
}

impl Teller<'_> {
    fn simplified(&self) -> &Program {
        self.drawn.task.simplified
    }

    fn tell(&mut self, node: &Node) -> Told {
        let names = Names::new(self.drawn.task.simplified, self.drawn.task.integers(), &node.state);
        let (near, all) = (write_all(&names.facts().conditions), names.all_facts());
        let (span, within) = self.place_of(&node.state);
        let at = place(self.simplified(), span).unwrap_or_else(|| self.function_name(&node.state));
        let within = within.map(|id| format!(" in {}", self.simplified().functions[id].name)).unwrap_or_default();
        let key = node.state.key();
        let is_entry = node.kind == NodeKind::Kept && is_entry(&self.drawn.task.config, &key);
        let is_head = is_entry || (node.kind == NodeKind::Kept && self.is_loop_head(&node.state));
        let mut lines = Vec::new();
        let code = self.source(span);
        lines.extend(code.clone().map(|code| shorten(code.trim(), MAX_WIDTH)));
        if is_head {
            lines.extend(near.iter().take(MAX_LINES).map(|fact| shorten(fact, MAX_WIDTH)));
            if near.len() > MAX_LINES {
                lines.push("…".to_owned());
            }
        }
        let ranks: Vec<String> = if is_head { self.ranks(span) } else { Vec::new() };
        lines.extend(ranks.iter().map(|rank| shorten(&format!("↓ {rank}"), MAX_WIDTH)));
        let doubts: Vec<String> = node.doubts.iter().map(|(id, _)| self.simplified().obligation_name(*id)).collect();
        lines.extend(doubts.iter().map(|doubt| format!("? {doubt}")));
        let ending = node.ending.as_ref().map(|ending| self.ending(node, ending));
        lines.extend(ending.iter().map(|text| shorten(text, MAX_WIDTH)));
        let what = match (node.kind, is_head) {
            (NodeKind::Start, _) => "start, ",
            (NodeKind::Kept, _) if is_entry => "all calls, ",
            (NodeKind::Kept, _) if is_exit(&key) => "all returns, ",
            (NodeKind::Kept, true) => "loop, ",
            (NodeKind::Kept, false) => "join, ",
            (NodeKind::Step, _) => "",
        };
        let facts_title = if all.ghosts.is_empty() { "facts" } else { "facts (some names are made up, see below)" };
        let mut sections = vec![
            ("source", code.into_iter().collect()),
            ("calls", self.calls(&node.state)),
            (facts_title, write_all(&all.conditions)),
            ("made up: there is such a place", all.ghosts),
            ("objects", describe_objects(&names)),
            ("gets smaller", ranks),
            ("not shown", doubts),
            ("execution ends here", ending.into_iter().collect()),
        ];
        sections.retain(|(_, lines)| !lines.is_empty());
        let class = class(node, is_head);
        let plain = node.kind == NodeKind::Step && class == "step";
        Told { title: format!("{what}{at}{within}"), lines, class, plain, facts: near, sections }
    }

    /// Where a state stands in the user's own code, and in which library function.
    fn place_of(&self, state: &State) -> (Span, Option<FuncId>) {
        let program = self.simplified();
        let (span, within, _) = whereabouts(program, &state.key());
        let Some(frame) = state.frames.last().filter(|_| within.is_none()) else { return (span, within) };
        let function = &program.functions[frame.function];
        let block = &function.blocks[frame.block];
        let rest = block.insts.iter().skip(frame.index).map(|inst| function.insts[*inst].span);
        let here = rest.chain([block.term_span]).find(|span| span.is_known());
        (here.unwrap_or(span), None)
    }

    fn function_name(&self, state: &State) -> String {
        state.frames.last().map_or_else(String::new, |frame| self.simplified().functions[frame.function].name.clone())
    }

    fn is_loop_head(&mut self, state: &State) -> bool {
        let Some(frame) = state.frames.last() else { return false };
        let function = &self.drawn.task.simplified.functions[frame.function];
        self.heads.entry(frame.function).or_insert_with(|| loop_heads(function)).contains(&frame.block)
    }

    fn source(&mut self, span: Span) -> Option<String> {
        let program = self.drawn.task.simplified;
        let line = Span { column: 0, ..span };
        let read = || span.is_known().then(|| source_line(program, line)).flatten();
        self.sources.entry(line).or_insert_with(read).clone().filter(|text| !text.trim().is_empty())
    }

    fn ranks(&self, span: Span) -> Vec<String> {
        let of_loop = |ranked: &&RankedLoop| ranked.span.line == span.line && ranked.span.file == span.file;
        let all = self.drawn.verdicts.iter().flat_map(|verdict| verdict.ranks());
        all.filter(of_loop).flat_map(|ranked| ranked.functions.iter().chain(&ranked.one_of).map(in_c)).collect()
    }

    fn calls(&self, state: &State) -> Vec<String> {
        let key = state.key();
        let frame = |depth: usize| {
            let (span, _, _) = whereabouts(self.simplified(), &key[..=depth].to_vec());
            let function = &self.simplified().functions[key[depth].0];
            let at = if depth + 1 == key.len() { span } else { call_span(self.simplified(), &key[depth]) };
            let at = place(self.simplified(), at).map(|place| format!(", {place}")).unwrap_or_default();
            format!("{}{at}", function.name)
        };
        let told = |depth: &usize| !self.simplified().functions[key[*depth].0].builds_entry();
        (0..key.len()).rev().filter(told).map(frame).collect()
    }

    fn ending(&self, node: &Node, ending: &Ending) -> String {
        match ending {
            Ending::Over if !node.doubts.is_empty() => "no run is known to go on".to_owned(),
            Ending::Over => "the run is over".to_owned(),
            Ending::Stopped(reason, span) => {
                let at = place(self.simplified(), *span).map(|place| format!(" ({place})")).unwrap_or_default();
                format!("stops: {reason}{at}")
            }
            Ending::CutOff => "not drawn further".to_owned(),
        }
    }
}

fn class(node: &Node, is_head: bool) -> &'static str {
    match (&node.ending, node.kind) {
        (Some(Ending::Stopped(..) | Ending::CutOff), _) => "stopped",
        _ if !node.doubts.is_empty() => "doubt",
        (_, NodeKind::Start) => "start",
        (_, NodeKind::Kept) if is_head => "loop",
        (_, NodeKind::Kept) => "join",
        (Some(Ending::Over), NodeKind::Step) => "over",
        (None, NodeKind::Step) => "step",
    }
}

/// The text, cut off after so many characters.
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
