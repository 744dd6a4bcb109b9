//! Symbolic execution graphs as pictures: SVG, and a page of HTML that needs nothing else.
//!
//! The nodes are told in C's syntax ([`told`]), straight chains of them are folded into one box ([`fold`]), the boxes are laid out in
//! layers ([`layout`]), and drawn ([`svg`]). The page ([`html`]) holds the same drawing; its script pans, zooms, unfolds, and shows a node's state.

mod fold;
mod html;
mod layout;
mod svg;
mod told;

use belay_evidence::{Answer, Task, Verdict};
use belay_symbolic::{EdgeKind, Unfolded};

use crate::expressions::because;

use fold::{Group, fold};
use layout::{Layout, Size, layout};
use told::{Told, tell_nodes};

pub use html::render_html;
pub use svg::render_svg;

/// What is to be drawn.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    /// The program.
    pub task: &'a Task<'a>,
    /// Its name, for the title.
    pub name: &'a str,
    /// The graph.
    pub graph: &'a Unfolded,
    /// What it shows.
    pub verdicts: &'a [Verdict],
    /// Why it is not finished, if it is not.
    pub unfinished: Option<&'a str>,
}

/// A graph that has been laid out.
pub struct Picture {
    title: String,
    summary: Vec<String>,
    nodes: Vec<Told>,
    groups: Vec<Group>,
    lines: Vec<Line>,
    layout: Layout,
}

/// A line between two boxes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    from: usize,
    to: usize,
    kind: EdgeKind,
    label: String,
}

impl Picture {
    /// Lays a graph out.
    pub fn new(drawn: Drawn<'_>) -> Picture {
        let nodes = tell_nodes(&drawn);
        let (groups, mut lines) = fold(drawn.graph, &nodes);
        for line in &mut lines {
            line.label = label(line, &groups, &nodes);
        }
        let sizes: Vec<Size> = groups.iter().map(|group| group.size(&nodes)).collect();
        let ends: Vec<(usize, usize)> = lines.iter().map(|line| (line.from, line.to)).collect();
        let layout = layout(&sizes, &ends);
        Picture { title: drawn.name.to_owned(), summary: summary(&drawn), nodes, groups, lines, layout }
    }

    /// How many states it shows.
    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// What the graph shows and what it does not, a line each.
    pub fn summary(&self) -> &[String] {
        &self.summary
    }

    /// How many boxes they are drawn as.
    pub fn boxes(&self) -> usize {
        self.groups.len()
    }
}

/// What a case adds to what was known before it.
fn label(line: &Line, groups: &[Group], nodes: &[Told]) -> String {
    if line.kind != EdgeKind::Refinement {
        return String::new();
    }
    let (Some(from), Some(to)) = (groups[line.from].nodes.last(), groups[line.to].nodes.first()) else {
        return String::new();
    };
    let before = &nodes[*from].facts;
    let new: Vec<&str> = nodes[*to].facts.iter().filter(|fact| !before.contains(fact)).map(String::as_str).collect();
    let room = groups[line.to].size(nodes).width / fold::CHARACTER;
    told::shorten(&new.into_iter().take(2).collect::<Vec<_>>().join(" && "), (room as usize).max(24))
}

/// What the graph shows and does not, a line each.
fn summary(drawn: &Drawn<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(reason) = drawn.unfinished {
        lines.push(format!("not finished: {reason}"));
    }
    if drawn.graph.cut_off {
        lines.push(format!("more states than are drawn ({})", drawn.graph.nodes.len()));
    }
    for verdict in drawn.verdicts {
        match verdict.answer() {
            Answer::True(_) => lines.push(format!("{}: true", verdict.property())),
            Answer::Unknown(unknown) if drawn.unfinished.is_none() => {
                lines.push(format!("{}: {}", verdict.property(), because(&unknown.reason)));
            }
            Answer::Unknown(_) | Answer::False(_) => {}
        }
    }
    lines
}
