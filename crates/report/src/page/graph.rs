//! The graph of a proof, drawn for the page.
//!
//! A certificate holds the states of the cut points only; what lies between them is executed anew. It is for people: nothing that is drawn is part of a proof.

use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_evidence::{GraphCertificate, Task, Verdict};
use belay_symbolic::{Certified, Key, Machine, NodeKind, unfold};

use crate::picture::{Drawn, Picture, render_svg};

/// States that are drawn; a larger graph is shown as far as this.
const MOST_STATES: usize = 300;
const STEPS: u64 = 5_000_000;
const TIME: Duration = Duration::from_secs(3);

/// A drawing, and which of its boxes are cut points.
pub struct Drawing {
    pub svg: String,
    cuts: Vec<(Key, usize)>,
}

impl Drawing {
    /// Draws the graph of a proof, if it can be executed once more within some steps.
    pub fn new(task: &Task<'_>, certificate: &GraphCertificate, verdict: &Verdict) -> Option<Drawing> {
        let budget = Budget::steps(STEPS).until(Instant::now() + TIME);
        let mut oracle = Certified::new(&budget);
        let mut machine = Machine::new(task.simplified, &task.config, &mut oracle, &budget);
        machine.splits_sums = certificate.splits_sums;
        let graph = unfold(&mut machine, &certificate.states, MOST_STATES).ok()?;
        let verdicts = std::slice::from_ref(verdict);
        let picture = Picture::new(Drawn { task, name: "graph", graph: &graph, verdicts, unfinished: None });
        let kept = graph.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Kept);
        let cuts = kept.map(|(number, node)| (node.state.key(), number)).collect();
        Some(Drawing { svg: render_svg(&picture), cuts })
    }

    /// The boxes of a cut point, one for each of its states.
    pub fn boxes(&self, key: &Key) -> Vec<usize> {
        self.cuts.iter().filter(|(of, _)| of == key).map(|(_, number)| *number).collect()
    }
}
