//! Straight chains of states become one box.

use belay_base::Id;
use belay_symbolic::{EdgeKind, Unfolded};

use super::Line;
use super::layout::Size;
use super::told::Told;

/// One box: a node, or a chain of them.
#[derive(Clone, Debug)]
pub struct Group {
    /// The nodes, in the order in which they are passed.
    pub nodes: Vec<usize>,
}

/// Shorter chains stay as they are.
const MIN_CHAIN: usize = 3;

/// The width of a character and the height of a line in a box, its margins, and the gap between boxes of an unfolded chain.
pub const CHARACTER: f64 = 6.7;
pub const LINE: f64 = 15.0;
pub const MARGIN: f64 = 8.0;
pub const GAP: f64 = 10.0;

impl Group {
    /// True if it stands for several nodes.
    pub fn is_chain(&self) -> bool {
        self.nodes.len() > 1
    }

    /// What a folded chain says.
    pub fn title(&self, nodes: &[Told]) -> String {
        let (Some(first), Some(last)) = (self.nodes.first(), self.nodes.last()) else { return String::new() };
        let (first, last) = (&nodes[*first].title, &nodes[*last].title);
        let places = if first == last { first.clone() } else { format!("{first} … {last}") };
        format!("▸ {} steps, {places}", self.nodes.len())
    }

    /// The size of its box as it is shown at first.
    pub fn size(&self, nodes: &[Told]) -> Size {
        match self.nodes.as_slice() {
            [node] => node_size(&nodes[*node]),
            _ => Size { width: text_width(self.title(nodes).chars().count()), height: LINE + 2.0 * MARGIN },
        }
    }

    /// The size of its box when a chain is unfolded.
    pub fn open_size(&self, nodes: &[Told]) -> Size {
        let sizes = self.nodes.iter().map(|node| node_size(&nodes[*node]));
        let start = Size { width: text_width(12), height: LINE + MARGIN };
        sizes.fold(start, |all, one| Size {
            width: all.width.max(one.width + 2.0 * MARGIN),
            height: all.height + one.height + GAP,
        })
    }
}

/// The size of a node's box.
pub fn node_size(node: &Told) -> Size {
    let longest = node.lines.iter().chain([&node.title]).map(|line| line.chars().count()).max().unwrap_or(0);
    Size { width: text_width(longest), height: LINE * (1 + node.lines.len()) as f64 + 2.0 * MARGIN }
}

fn text_width(characters: usize) -> f64 {
    CHARACTER * characters.max(6) as f64 + 2.0 * MARGIN
}

/// The boxes, and the lines between them.
pub fn fold(graph: &Unfolded, nodes: &[Told]) -> (Vec<Group>, Vec<Line>) {
    let count = graph.nodes.len();
    let (mut outgoing, mut incoming) = (vec![Vec::new(); count], vec![0usize; count]);
    for edge in &graph.edges {
        outgoing[edge.from.index()].push((edge.to.index(), edge.kind));
        incoming[edge.to.index()] += 1;
    }
    let goes_straight = |kind: EdgeKind| match kind {
        EdgeKind::Evaluation | EdgeKind::Call | EdgeKind::Return => true,
        EdgeKind::Refinement | EdgeKind::Generalisation | EdgeKind::Open => false,
    };
    let inner = |node: usize| nodes[node].plain && incoming[node] == 1 && outgoing[node].len() == 1;
    // The only node that a node leads to, if nothing else does and both may be hidden.
    let next = |node: usize| match outgoing[node].as_slice() {
        [(to, kind)] if goes_straight(*kind) && inner(node) && inner(*to) => Some(*to),
        _ => None,
    };
    let mut continues = vec![false; count];
    (0..count).filter_map(next).for_each(|to| continues[to] = true);
    let mut group_of = vec![usize::MAX; count];
    let mut groups: Vec<Group> = Vec::new();
    for node in (0..count).filter(|node| !continues[*node]) {
        let mut chain = vec![node];
        while let Some(to) = chain.last().and_then(|last| next(*last)) {
            chain.push(to);
        }
        let parts =
            if chain.len() >= MIN_CHAIN { vec![chain] } else { chain.into_iter().map(|one| vec![one]).collect() };
        for nodes in parts {
            nodes.iter().for_each(|node| group_of[*node] = groups.len());
            groups.push(Group { nodes });
        }
    }
    let mut lines: Vec<Line> = Vec::new();
    for edge in &graph.edges {
        let (from, to) = (group_of[edge.from.index()], group_of[edge.to.index()]);
        let chained = from == to && groups[from].is_chain();
        if !chained {
            lines.push(Line { from, to, kind: edge.kind, label: String::new() });
        }
    }
    (groups, lines)
}
