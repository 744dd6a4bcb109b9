//! The program as an integer transition system: an over-approximation of its runs, for termination.
//!
//! A location is a block of a reachable function. The variables are the integer parameters, phis and values that are used outside
//! the block that defines them, and the scalar globals that are only ever loaded and stored by name. Each block becomes the
//! transitions of its paths: guards over the variables at its start, and the values of the variables at its end. What
//! is not an integer, or not followed (memory, floats, pointers), is an *extra* value, arbitrary within its type.
//!
//! A call of a function with a body gives two transitions: into the callee, with the arguments, and past the call, with an
//! arbitrary result and arbitrary values of the globals that the callee may change. An infinite run of the program either
//! comes back from a call or stays inside it for ever, so it is an infinite path here: **if the system has no
//! infinite run, the program has none.** The converse does not hold, but along *exact* transitions: what they leave open a run may choose. Passing
//! over a call is exact where neither its result nor what it changes matters and it can't end the run: either it comes
//! back, or the run stays inside for ever, and both go on.
//!
//! Machine integers are kept as signed or unsigned numbers within their range (`readings` chooses). An operation that may wrap gives one path for each way in
//! which it can, so that the prover sees linear facts only; where that would be too many, the result is arbitrary.
//! Gives up on systems that are too large, and on programs with constructs that are not covered (the caller checks that).

mod accesses;
mod arithmetic;
mod bounds;
mod calls;
mod distances;
mod formula;
mod kind;
mod part;
mod path;
mod readings;
mod relevance;
mod summaries;
mod variables;

use std::collections::BTreeMap;

use belay_base::{Id, IdVec};
use belay_ir::{
    BlockId, CallGraph, Cfg, FuncId, Function, IntegerModel, ObligationDetail, ObligationId, Op, Program, Property,
    Terminator, ops,
};
use belay_its::{Its, LocId, Poly, TransId, Transition, VarExt};
use belay_linear::Var;
use belay_passes::{inline_calls, pipeline};
use rustc_hash::FxHashMap;

pub use distances::{Origin, is_origin, measure};
pub use part::{Part, extract_part, inline_around};
use path::{Path, Scope};
use readings::Readings;
use relevance::Relevance;
pub use summaries::{Returns, Summaries, summarisable};
pub use variables::Source;
use variables::Variables;

/// A transition system and what it stands for.
#[derive(Debug)]
pub struct Extracted {
    /// The program that the system was made from: the one given, with calls inlined.
    pub program: Program,
    /// The system.
    pub its: Its,
    /// The block behind each location; none for the start.
    pub places: IdVec<LocId, Option<(FuncId, BlockId)>>,
    /// What each variable stands for.
    pub sources: Vec<Source>,
    /// The cast that says how each is read, where that is not as it is declared.
    pub casts: Vec<Option<&'static str>>,
    /// What each transition leaves open.
    pub openness: IdVec<TransId, Openness>,
    /// Where summarised functions return, as far as their results matter.
    pub returns: BTreeMap<FuncId, Returns>,
}

/// What a transition leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openness {
    /// True if every step of the system by this transition is one of the program: nothing that the program itself decides was
    /// left open. Infinite runs along exact transitions are runs of the program.
    pub exact: bool,
    /// Which of the extra variables are inputs, in the order in which the program asks for them.
    pub inputs: Vec<u32>,
    /// Which are values of variables that were not set, in the order in which they are declared, with their widths.
    pub undefined: Vec<(u32, u16)>,
}

/// More variables or transitions than the prover can handle.
const MAX_VARIABLES: usize = 160;
const MAX_TRANSITIONS: usize = 3000;
/// More paths through one block are not told apart.
const MAX_PATHS: usize = 96;
/// Functions grow to at most so many instructions by inlining.
const MAX_INLINED: usize = 2500;

/// The system of the program from `entry`, or why there is none. Calls are inlined first where the result stays small enough.
pub fn extract(program: &Program, entry: FuncId, integers: IntegerModel) -> Result<Extracted, String> {
    extract_with(program, entry, integers, &Summaries::new())
}

/// The same of the program as it is, whose functions and blocks are those of the system's places.
pub fn extract_without_inlining(program: &Program, entry: FuncId, integers: IntegerModel) -> Result<Extracted, String> {
    extract_plain(program, entry, integers, &Summaries::new()).map(|parts| parts.with(program.clone()))
}

/// The same with what is known of the results of calls. The functions' names are those of the program with inlined calls.
pub fn extract_with(
    program: &Program,
    entry: FuncId,
    integers: IntegerModel,
    summaries: &Summaries,
) -> Result<Extracted, String> {
    let mut inlined = program.clone();
    if inline_calls(&mut inlined, MAX_INLINED) && pipeline(&mut inlined, integers).is_ok() {
        let tried = extract_plain(&inlined, entry, integers, summaries);
        if let Ok(parts) = tried {
            return Ok(parts.with(inlined));
        }
    }
    extract_plain(program, entry, integers, summaries).map(|parts| parts.with(program.clone()))
}

/// The system of the program as it is.
fn extract_plain(
    program: &Program,
    entry: FuncId,
    integers: IntegerModel,
    summaries: &Summaries,
) -> Result<Parts, String> {
    let graph = CallGraph::new(program);
    let reachable: Vec<FuncId> =
        graph.reachable_in_run(program, entry).into_iter().filter(|id| program.functions[*id].is_defined()).collect();
    let relevance = Relevance::of(program, &graph, &reachable, summaries, |obligation| ends_run(program, obligation));
    let readings = Readings::of(program, &graph, &reachable, integers);
    let variables = Variables::of(program, (&reachable, &reachable), &relevance, &readings);
    let mut extractor = Extractor::new(program, &graph, summaries, readings, variables, relevance)?;
    extractor.locate(&reachable, |_| true);
    extractor.locate_returns();
    extractor.start(entry);
    for id in &reachable {
        extractor.function(*id)?;
    }
    Ok(extractor.finish())
}

struct Extractor<'p> {
    program: &'p Program,
    graph: &'p CallGraph,
    summaries: &'p Summaries,
    readings: Readings,
    variables: Variables,
    relevance: Relevance,
    its: Its,
    places: IdVec<LocId, Option<(FuncId, BlockId)>>,
    locations: FxHashMap<(FuncId, BlockId), LocId>,
    openness: IdVec<TransId, Openness>,
    returns: BTreeMap<FuncId, Returns>,
    /// Whether calls are entered, not only passed over.
    enters: bool,
}

impl<'p> Extractor<'p> {
    fn new(
        program: &'p Program,
        graph: &'p CallGraph,
        summaries: &'p Summaries,
        readings: Readings,
        variables: Variables,
        relevance: Relevance,
    ) -> Result<Self, String> {
        if variables.len() > MAX_VARIABLES {
            return Err(format!("{} integer variables are too many", variables.len()));
        }
        let its = Its {
            vars: variables.names(program),
            locations: IdVec::new(),
            start: LocId::new(0),
            transitions: IdVec::new(),
        };
        let (places, locations, openness) = (IdVec::new(), FxHashMap::default(), IdVec::new());
        let returns = BTreeMap::new();
        let enters = true;
        Ok(Self {
            program,
            graph,
            summaries,
            readings,
            variables,
            relevance,
            its,
            places,
            locations,
            openness,
            returns,
            enters,
        })
    }

    /// Makes a location of each block that matters and is wanted.
    fn locate(&mut self, reachable: &[FuncId], is_wanted: impl Fn(BlockId) -> bool) {
        self.its.locations.push("start".to_owned());
        self.places.push(None);
        for id in reachable {
            let function = &self.program.functions[*id];
            let cfg = Cfg::new(function);
            let matters = |block: &&BlockId| self.relevance.block(*id, **block) && is_wanted(**block);
            for block in cfg.reverse_postorder().iter().filter(matters) {
                let location = self.its.locations.push(format!("{}_{block}", function.name));
                self.places.push(Some((*id, *block)));
                self.locations.insert((*id, *block), location);
            }
        }
    }

    /// Runs begin with the globals' initial values, in each constructor and in the entry function.
    fn start(&mut self, entry: FuncId) {
        let roots = self.program.constructors.iter().chain([&entry]).chain(&self.program.destructors);
        for root in roots.copied().collect::<Vec<_>>() {
            let Some(to) = self.locations.get(&(root, Function::ENTRY)).copied() else { continue };
            let mut update = self.variables.unchanged();
            // What constructors leave behind is not followed.
            if self.program.constructors.is_empty() && root == entry {
                for (index, value) in self.variables.initial_globals(self.program) {
                    update[index] = Poly::constant(value);
                }
            }
            let from = self.its.start;
            self.its.transitions.push(Transition { from, to, guard: Vec::new(), update, extras: 0 });
            let exact = root == entry && self.program.constructors.is_empty();
            self.openness.push(Openness { exact, inputs: Vec::new(), undefined: Vec::new() });
        }
    }

    fn function(&mut self, id: FuncId) -> Result<(), String> {
        let function = &self.program.functions[id];
        let cfg = Cfg::new(function);
        for block in cfg.reverse_postorder() {
            if self.location(id, *block).is_none() {
                continue;
            }
            self.block(id, function, *block);
            if self.its.transitions.len() > MAX_TRANSITIONS {
                return Err("the program has too many transitions".to_owned());
            }
        }
        Ok(())
    }

    fn block(&mut self, id: FuncId, function: &'p Function, block: BlockId) {
        let body = &function.blocks[block];
        let mut paths = vec![Path::new(self.variables.len())];
        for inst in &body.insts {
            let instruction = &function.insts[*inst];
            match &instruction.op {
                Op::Phi { .. } => {}
                Op::Call { callee, args, .. } => {
                    paths = self.call(id, function, (block, *inst), callee, args, paths);
                }
                Op::Check { cond, obligation } if ends_run(self.program, *obligation) => {
                    let scope = self.scope(id, function, block);
                    paths = paths.into_iter().flat_map(|path| path.assume(&scope, *cond, true)).collect();
                }
                Op::Load { ptr, .. } => self.load(id, function, *inst, *ptr, &mut paths),
                Op::Store { ptr, value, .. } => self.store(id, function, block, *ptr, *value, &mut paths),
                // What does not matter is not looked at.
                _ if !self.relevance.value(Source::Inst(id, *inst))
                    && instruction.ty.and_then(belay_ir::Type::int_width).is_some() => {}
                _ if instruction.ty.and_then(belay_ir::Type::int_width).is_some() => {
                    let scope = self.scope(id, function, block);
                    let coarse = paths.len() > MAX_PATHS;
                    paths = paths.into_iter().flat_map(|path| path.define(&scope, *inst, coarse)).collect();
                }
                // An invalid access would end the run.
                Op::MemCopy { .. }
                | Op::MemSet { .. }
                | Op::VaStart { .. }
                | Op::VaCopy { .. }
                | Op::Unsupported { .. } => {
                    paths.iter_mut().for_each(|path| path.exact = false);
                }
                // What else has no integer value neither changes a variable nor ends the run.
                ops!(arithmetic)
                | ops!(floats)
                | ops!(lives)
                | Op::Cast { .. }
                | Op::PtrAdd { .. }
                | Op::Select { .. }
                | Op::Arbitrary { .. }
                | Op::Freeze { .. }
                | Op::Extract { .. }
                | Op::VaEnd { .. }
                | Op::Check { .. } => {}
            }
            if paths.is_empty() {
                return;
            }
        }
        self.leave(id, function, block, paths);
    }

    fn scope<'s>(&'s self, id: FuncId, function: &'s Function, block: BlockId) -> Scope<'s> {
        Scope { function, id, block, variables: &self.variables, readings: &self.readings }
    }

    fn leave(&mut self, id: FuncId, function: &'p Function, block: BlockId, paths: Vec<Path>) {
        match &function.blocks[block].term {
            Terminator::Jump(target) => {
                paths.into_iter().for_each(|path| self.edge(id, function, block, *target, path))
            }
            Terminator::Branch { cond, then, otherwise } => {
                for path in paths {
                    for (target, want) in [(*then, true), (*otherwise, false)] {
                        let taken = path.clone().assume(&self.scope(id, function, block), *cond, want);
                        taken.into_iter().for_each(|path| self.edge(id, function, block, target, path));
                    }
                }
            }
            Terminator::Switch { value, cases, default } => {
                for path in paths {
                    let taken = path.switch(&self.scope(id, function, block), *value, cases, *default);
                    taken.into_iter().for_each(|(path, target)| self.edge(id, function, block, target, path));
                }
            }
            Terminator::Return(values) => {
                let value = values.first().copied();
                paths.into_iter().for_each(|path| self.returned(id, function, block, value, path));
            }
            Terminator::Unreachable { .. } => {}
        }
    }

    fn edge(&mut self, id: FuncId, function: &Function, block: BlockId, target: BlockId, mut path: Path) {
        let (Some(from), Some(to)) = (self.location(id, block), self.location(id, target)) else { return };
        let mut update = self.variables.unchanged();
        for (index, value) in &path.globals {
            update[*index] = value.clone();
        }
        for (inst, value) in &path.values {
            if let Some((index, _)) = self.variables.inst(id, *inst) {
                update[index] = value.clone();
            }
        }
        for inst in &function.blocks[target].insts {
            let Op::Phi { incoming } = &function.insts[*inst].op else { break };
            let Some((index, kind)) = self.variables.inst(id, *inst) else { continue };
            let incoming = incoming.iter().find(|(from, _)| *from == block).map(|(_, value)| *value);
            let value = incoming.and_then(|value| path.operand(&self.scope(id, function, block), value, kind));
            update[index] = value.unwrap_or_else(|| path.arbitrary(kind));
        }
        self.push(from, to, path, update);
    }

    /// The location of a block; none if it does not matter.
    fn location(&self, id: FuncId, block: BlockId) -> Option<LocId> {
        self.locations.get(&(id, block)).copied()
    }

    fn push(&mut self, from: LocId, to: LocId, path: Path, update: Vec<Poly>) {
        let mut guard = path.guard;
        // What is only handed on has its range where it is used.
        let changed = update.iter().enumerate().filter(|(index, value)| **value != var(*index)).map(|(_, value)| value);
        let mentioned = guard.iter().map(|atom| &atom.poly).chain(changed).flat_map(|poly| poly.vars());
        let mut used: Vec<Var> = mentioned.filter(|var| var.index() < self.variables.len()).collect();
        used.sort();
        used.dedup();
        for var in used {
            guard.extend(self.variables.kind(var.index()).range(&Poly::var(var)));
        }
        self.its.transitions.push(Transition { from, to, guard, update, extras: path.extras });
        self.openness.push(Openness { exact: path.exact, inputs: path.inputs, undefined: path.undefined });
    }

    fn finish(self) -> Parts {
        let casts = self.variables.casts(self.program);
        let sources = self.variables.into_sources();
        Parts { its: self.its, places: self.places, sources, casts, openness: self.openness, returns: self.returns }
    }
}

/// An [`Extracted`] without its program.
struct Parts {
    its: Its,
    places: IdVec<LocId, Option<(FuncId, BlockId)>>,
    sources: Vec<Source>,
    casts: Vec<Option<&'static str>>,
    openness: IdVec<TransId, Openness>,
    returns: BTreeMap<FuncId, Returns>,
}

impl Parts {
    fn with(self, program: Program) -> Extracted {
        let Parts { its, places, sources, casts, openness, returns } = self;
        Extracted { program, its, places, sources, casts, openness, returns }
    }
}

/// True if the run goes on past this obligation only if it holds.
fn ends_run(program: &Program, obligation: ObligationId) -> bool {
    let obligation = &program.obligations[obligation];
    let is_division = obligation.detail == ObligationDetail::DivisionByZero;
    is_division || obligation.property == Property::UnreachCall && obligation.detail.ends_run()
}

/// The variable of this index.
fn var(index: usize) -> Poly {
    Poly::var(<Var as VarExt>::new(index))
}
