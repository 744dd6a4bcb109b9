//! The graph spelled out, for people to look at: the states that the execution between cut points passes, block by block, and the steps
//! between them. Nothing is concluded from it; what a graph shows is [`super::verify`]'s to say.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{IdVec, Span, id_type};
use belay_ir::{LiveValue, ObligationId, Op};

use super::activation::{is_entry, is_exit};
use super::instance::instance;
use super::machine::{Halt, Machine, Step};
use super::state::{Cases, Frame, Key, State, Value};
use super::variadic::is_area;

id_type!(
    /// A node of a graph.
    NodeId,
    "n"
);

/// A graph.
#[derive(Debug)]
pub struct Unfolded {
    /// The states, in the order in which they were found; the first is the start.
    pub nodes: IdVec<NodeId, Node>,
    /// The steps between them.
    pub edges: Vec<Edge>,
    /// True if there are more nodes than were asked for.
    pub cut_off: bool,
}

/// A state and what it is.
#[derive(Debug)]
pub struct Node {
    /// The state, without values that are not used any more.
    pub state: State,
    /// What it is in the graph.
    pub kind: NodeKind,
    /// The obligations that its block could not be shown to keep, with their places.
    pub doubts: Vec<(ObligationId, Span)>,
    /// How execution ends here, if it does.
    pub ending: Option<Ending>,
}

/// What a state is in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Where runs begin.
    Start,
    /// Reached by a step.
    Step,
    /// The state that is kept for a cut point.
    Kept,
}

/// How execution ends at a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// No run goes on from here: the program has returned or exited, or the next step is invalid in every run.
    Over,
    /// There is no rule for what stands here.
    Stopped(String, Span),
    /// The graph was cut off here.
    CutOff,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// From this state
    pub from: NodeId,
    /// to this one.
    pub to: NodeId,
    /// What it does.
    pub kind: EdgeKind,
}

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EdgeKind {
    /// Executes a block.
    Evaluation,
    /// Executes a block in one of several cases.
    Refinement,
    /// Enters a function.
    Call,
    /// Leaves a function.
    Return,
    /// Goes on from a more general state.
    Generalisation,
    /// Comes to a cut point whose state does not represent it: the graph is not finished.
    Open,
}

/// Executes from the start and from each of `states` to the next cut points, and keeps up to `most` states on the way. Where execution can't go on,
/// the node says why.
pub fn unfold(machine: &mut Machine<'_>, states: &Cases, most: usize) -> Step<Unfolded> {
    let mut graph = Unfolded { nodes: IdVec::new(), edges: Vec::new(), cut_off: false };
    let mut kept: BTreeMap<(Key, usize), NodeId> = BTreeMap::new();
    machine.know(states);
    let start = machine.start()?;
    let first = graph.add(machine.shown(&start), NodeKind::Start);
    let mut todo = vec![(first, start)];
    while let Some((id, state)) = todo.pop() {
        if graph.nodes.len() >= most {
            graph.cut_off = true;
            graph.nodes[id].ending = Some(Ending::CutOff);
            continue;
        }
        let depth = state.frames.len();
        let Some(arrived) = graph.execute(machine, id, state) else { continue };
        let several = arrived.iter().filter(|(_, is_beside)| !is_beside).count() > 1;
        let mut begun = Vec::new();
        for (mut state, is_beside) in arrived {
            let kind = kind_of_step(&state, depth, is_beside, several);
            let key = state.key();
            let to = graph.add(machine.shown(&state), NodeKind::Step);
            graph.edges.push(Edge { from: id, to, kind });
            let Some(cases) = states.get(&key).filter(|cases| !cases.is_empty()) else {
                if !is_beside {
                    begun.push((to, state));
                }
                continue;
            };
            if !is_exit(&key) {
                machine.trim(&mut state);
            }
            let (kind, case) = represented(machine, cases, &state);
            let target = *kept.entry((key, case)).or_insert_with(|| {
                let (target, next) = graph.keep(machine, &cases[case]);
                begun.extend(next.map(|next| (target, next)));
                target
            });
            graph.edges.push(Edge { from: to, to: target, kind });
        }
        todo.extend(begun.into_iter().rev());
    }
    Ok(graph)
}

/// What leads from a state with `depth` frames to the next one, which may be noted beside the path, where an activation begins or ends.
fn kind_of_step(next: &State, depth: usize, is_beside: bool, several: bool) -> EdgeKind {
    match next.frames.len() {
        _ if is_beside && is_exit(&next.key()) => EdgeKind::Return,
        _ if is_beside => EdgeKind::Call,
        now if now > depth => EdgeKind::Call,
        now if now < depth => EdgeKind::Return,
        _ if several => EdgeKind::Refinement,
        _ => EdgeKind::Evaluation,
    }
}

/// The kept state that represents one that arrives; the first of them where none does.
fn represented(machine: &mut Machine<'_>, cases: &[State], state: &State) -> (EdgeKind, usize) {
    let mut represents =
        |general: &State| instance(general, state, machine.config.integers, machine.oracle).unwrap_or(None).is_some();
    match cases.iter().position(&mut represents) {
        Some(case) => (EdgeKind::Generalisation, case),
        None => (EdgeKind::Open, 0),
    }
}

impl Unfolded {
    fn add(&mut self, state: State, kind: NodeKind) -> NodeId {
        self.nodes.push(Node { state, kind, doubts: Vec::new(), ending: None })
    }

    /// Executes a block: the states after it, those first that are noted beside the path. Where that ends, the node says how.
    fn execute(&mut self, machine: &mut Machine<'_>, id: NodeId, state: State) -> Option<Vec<(State, bool)>> {
        let doubts = std::mem::take(&mut machine.doubts);
        let next = machine.block(state);
        let found = std::mem::replace(&mut machine.doubts, doubts);
        let node = &mut self.nodes[id];
        node.doubts = found.into_iter().collect();
        match next {
            Ok(next) => {
                let beside = std::mem::take(&mut machine.aside);
                if next.is_empty() && beside.is_empty() {
                    node.ending = Some(Ending::Over);
                }
                let beside = beside.into_iter().map(|state| (state, true));
                Some(beside.chain(next.into_iter().map(|state| (state, false))).collect())
            }
            Err(Halt::Unable(reason, span)) => {
                node.ending = Some(Ending::Stopped(reason, span));
                None
            }
            Err(halt @ (Halt::Exhausted(_) | Halt::Unrepresented | Halt::TooManyPaths | Halt::WritesAnywhere)) => {
                node.ending = Some(Ending::Stopped(halt.to_string(), Span::NONE));
                None
            }
        }
    }

    /// A node for a state that is kept, and where execution goes on from it.
    fn keep(&mut self, machine: &Machine<'_>, general: &State) -> (NodeId, Option<State>) {
        let target = self.add(general.clone(), NodeKind::Kept);
        let next = if is_entry(machine.config, &general.key()) {
            Some(general.clone().begun())
        } else {
            (!is_exit(&general.key())).then(|| general.clone())
        };
        (target, next)
    }
}

impl Machine<'_> {
    /// The state without what its frames do not use any more, so that each variable has the value that it has now.
    fn shown(&mut self, state: &State) -> State {
        let mut shown = state.clone();
        let Some(mut last) = shown.frames.pop() else { return shown };
        for frame in &mut shown.frames {
            let call = frame.index;
            self.keep_live(frame, call);
        }
        let function = &self.program.functions[last.function];
        let insts = &function.blocks[last.block].insts;
        let phis = insts.iter().take_while(|inst| matches!(function.insts[**inst].op, Op::Phi { .. })).count();
        if last.index > phis {
            let before = last.index - 1;
            self.keep_live(&mut last, before);
            shown.frames.push(last);
        } else {
            shown.frames.push(last);
            self.trim(&mut shown);
        }
        shown
    }

    /// Keeps the values that are used after the instruction at `index`.
    fn keep_live(&mut self, frame: &mut Frame, index: usize) {
        let function = &self.program.functions[frame.function];
        let lives = self.prepared.liveness(frame.function, function);
        let live: BTreeSet<LiveValue> = lives.live_after(function, frame.block, index).into_iter().collect();
        frame.values.retain(|inst, _| {
            live.contains(&LiveValue::Inst(*inst)) || matches!(function.insts[*inst].op, Op::Alloca { .. })
        });
        for (index, param) in frame.params.iter_mut().enumerate() {
            if !live.contains(&LiveValue::Param(index as u32)) && !is_area(function, index) {
                *param = Value::Top;
            }
        }
    }
}
