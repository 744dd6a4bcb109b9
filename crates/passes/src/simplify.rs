//! Constants, copies and dead code: folds what is known, to a fixpoint.
//!
//! A work list holds what may have become simpler: at first everything in reverse postorder, then the users of what
//! changed. Replaced values are put in place at the end ([`Substitution`](super::substitution)). A branch on a
//! constant drops an edge, with the entries of phis that belong to it; blocks that lose their last edge lose their own edges
//! in turn. Cycles that became unreachable are dropped between rounds. At last, pure instructions whose values nobody
//! uses go.
//!
//! **Why it is sound.** Each rule in `constant`, `float` and `identity` is an equation of the integer model that the pass is
//! given, and says so where the models differ (what is read from constant objects: `constant_load`): in the unbounded one an operation on values that do not fit is
//! arbitrary, and putting one value in place of an arbitrary one would lose runs. Nothing undefined is made defined: an
//! `undef` operand is never taken to be equal to another, and a phi with an undefined entry stays. An obligation goes only
//! if its condition is the constant true, or the address called is a function's. The name of a stack object with lifetime
//! markers stays where it is used, since elsewhere it may mean another life.

mod constant;
mod constant_load;
mod dead;
mod float;
mod identity;
mod switch;

use belay_base::IdVec;
use smallvec::SmallVec;

use crate::remove_unreachable::remove_unreachable_blocks;
use crate::substitution::{Substitution, is_stable, same_value};
use belay_ir::{
    BlockId, Callee, Cfg, DataLayout, Dominators, FuncId, Function, Global, GlobalId, Inst, InstId, IntegerModel, Op,
    Operand, Program, Terminator,
};

/// Dropped cycles are looked for so many times at most, which keeps the pass nearly linear; more than two rounds are rare.
const MOST_ROUNDS: u32 = 8;

/// Simplifies every function for this model of integers.
pub fn simplify(program: &mut Program, integers: IntegerModel) {
    let layout = program.layout;
    let defined: IdVec<FuncId, bool> = program.functions.iter().map(Function::is_defined).collect();
    let Program { functions, globals, .. } = program;
    for function in functions.iter_mut().filter(|function| function.is_defined()) {
        remove_unreachable_blocks(function);
        for _ in 0..MOST_ROUNDS {
            let mut pass = Simplify::new(function, globals, layout, integers, &defined);
            pass.run();
            let Simplify { mut substitution, dropped_edge, .. } = pass;
            substitution.apply(function);
            if dropped_edge {
                remove_unreachable_blocks(function);
            }
            dead::remove_dead(function);
            if !dropped_edge {
                break;
            }
        }
    }
}

/// What may have become simpler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Inst(InstId),
    Term(BlockId),
}

/// What an instruction can be replaced with.
enum Simpler {
    /// Its value is this one.
    Value(Operand),
    /// It can be this operation.
    Op(Op),
}

struct Simplify<'a> {
    function: &'a mut Function,
    globals: &'a IdVec<GlobalId, Global>,
    layout: DataLayout,
    integers: IntegerModel,
    /// Which functions have a body.
    defined: &'a IdVec<FuncId, bool>,
    substitution: Substitution,
    users: IdVec<InstId, SmallVec<[Item; 2]>>,
    /// Where each instruction stood and what dominated what when the round began.
    homes: IdVec<InstId, Option<BlockId>>,
    dominators: Dominators,
    edges_in: IdVec<BlockId, u32>,
    work: Vec<Item>,
    queued: IdVec<InstId, bool>,
    dropped_edge: bool,
}

impl<'a> Simplify<'a> {
    fn new(
        function: &'a mut Function,
        globals: &'a IdVec<GlobalId, Global>,
        layout: DataLayout,
        integers: IntegerModel,
        defined: &'a IdVec<FuncId, bool>,
    ) -> Self {
        let cfg = Cfg::new(function);
        let count = function.insts.len();
        let mut pass = Self {
            globals,
            layout,
            integers,
            defined,
            substitution: Substitution::new(function),
            users: IdVec::filled(SmallVec::new(), count),
            homes: IdVec::filled(None, count),
            dominators: Dominators::new(&cfg),
            edges_in: cfg_edges(function, &cfg),
            work: Vec::new(),
            queued: IdVec::filled(false, count),
            dropped_edge: false,
            function,
        };
        for block in cfg.reverse_postorder().iter().rev() {
            pass.push(Item::Term(*block));
            for index in (0..pass.function.blocks[*block].insts.len()).rev() {
                let inst = pass.function.blocks[*block].insts[index];
                pass.homes[inst] = Some(*block);
                pass.register(inst);
                pass.push(Item::Inst(inst));
            }
            let Self { function, users, .. } = &mut pass;
            function.blocks[*block].term.for_each_operand(|operand| add_user(users, *operand, Item::Term(*block)));
        }
        pass
    }

    fn run(&mut self) {
        while let Some(item) = self.work.pop() {
            match item {
                Item::Inst(inst) => {
                    self.queued[inst] = false;
                    self.visit(inst);
                }
                Item::Term(block) => self.visit_terminator(block),
            }
        }
    }

    fn push(&mut self, item: Item) {
        if let Item::Inst(inst) = item
            && std::mem::replace(&mut self.queued[inst], true)
        {
            return;
        }
        self.work.push(item);
    }

    /// Notes that `inst` uses its operands.
    fn register(&mut self, inst: InstId) {
        let Self { function, users, .. } = self;
        function.insts[inst].op.for_each_operand(|operand| add_user(users, *operand, Item::Inst(inst)));
    }

    fn push_users(&mut self, inst: InstId) {
        for index in 0..self.users[inst].len() {
            self.push(self.users[inst][index]);
        }
    }

    fn visit(&mut self, inst: InstId) {
        if self.substitution.replaces(inst) {
            return;
        }
        let Self { function, substitution, .. } = self;
        function.insts[inst].op.for_each_operand_mut(|operand| *operand = substitution.resolve(*operand));
        match self.simpler(inst) {
            None => {}
            Some(Simpler::Op(op)) => {
                self.function.insts[inst].op = op;
                self.register(inst);
                self.push_users(inst);
                self.push(Item::Inst(inst));
            }
            Some(Simpler::Value(value)) if !is_stable(self.function, value) => {}
            Some(Simpler::Value(value)) => {
                let value = self.substitution.resolve(value);
                debug_assert_ne!(value, Operand::Inst(inst), "definitions dominate uses, so none depends on itself");
                self.substitution.replace(inst, value);
                self.push_users(inst);
                // Who used this one uses the other now.
                if let Operand::Inst(heir) = value {
                    let users = std::mem::take(&mut self.users[inst]);
                    self.users[heir].extend(users);
                }
            }
        }
    }

    fn simpler(&mut self, inst: InstId) -> Option<Simpler> {
        let Inst { op, ty, .. } = &self.function.insts[inst];
        if let Op::Phi { incoming } = op {
            let value = phi_value(inst, incoming, &mut self.substitution)?;
            return self.stands_before(value, inst).then_some(Simpler::Value(value));
        }
        if let Op::Call { callee: Callee::Indirect(Operand::Func(target), _), .. } = op {
            return self.direct_call(inst, *target);
        }
        let ty = (*ty)?;
        let constant = constant::fold(op, ty, self.integers).or_else(|| float::fold(op, ty));
        let constant =
            constant.or_else(|| constant_load::constant_load(self.globals, self.layout, self.integers, op, ty));
        let rules = identity::Rules { function: self.function, layout: self.layout, integers: self.integers };
        constant.map(Simpler::Value).or_else(|| rules.simpler(op, ty))
    }

    /// True if `value` dominated `phi` when the round began. Edges dropped since can make it so, or can make the phi unreachable,
    /// and then values would come to depend on themselves: the next round knows which.
    fn stands_before(&self, value: Operand, phi: InstId) -> bool {
        let Operand::Inst(id) = value else { return true };
        match (self.homes[id], self.homes[phi]) {
            (Some(home), Some(block)) => home != block && self.dominators.dominates(home, block),
            (None, _) | (_, None) => false,
        }
    }

    /// A call of a known function with a body is a call by name. Built-in functions may have an obligation that
    /// only calls by name carry, so calls of those stay.
    fn direct_call(&self, inst: InstId, target: FuncId) -> Option<Simpler> {
        let Op::Call { args, variadic, byval_args, obligation, .. } = &self.function.insts[inst].op else {
            return None;
        };
        self.defined.get(target).copied().unwrap_or(false).then(|| {
            Simpler::Op(Op::Call {
                callee: Callee::Direct(target),
                args: args.clone(),
                variadic: *variadic,
                byval_args: byval_args.clone(),
                obligation: *obligation,
            })
        })
    }

    fn visit_terminator(&mut self, block: BlockId) {
        let Self { function, substitution, .. } = self;
        let term = &mut function.blocks[block].term;
        term.for_each_operand_mut(|operand| *operand = substitution.resolve(*operand));
        if let Some(simpler) = simpler_terminator(function, block) {
            self.change_terminator(block, simpler);
            self.push(Item::Term(block));
        }
    }

    fn change_terminator(&mut self, block: BlockId, term: Terminator) {
        let left = term.successors();
        let old = std::mem::replace(&mut self.function.blocks[block].term, term);
        let Self { function, users, .. } = self;
        function.blocks[block].term.for_each_operand(|operand| add_user(users, *operand, Item::Term(block)));
        let mut lost = old.successors();
        lost.sort();
        lost.dedup();
        for target in lost.into_iter().filter(|target| !left.contains(target)) {
            self.drop_edge(block, target);
        }
    }

    fn drop_edge(&mut self, from: BlockId, to: BlockId) {
        self.dropped_edge = true;
        for index in 0..self.function.blocks[to].insts.len() {
            let inst = self.function.blocks[to].insts[index];
            let Op::Phi { incoming } = &mut self.function.insts[inst].op else { break };
            incoming.retain(|(block, _)| *block != from);
            self.push(Item::Inst(inst));
        }
        self.edges_in[to] -= 1;
        if self.edges_in[to] == 0 {
            self.change_terminator(to, Terminator::UNREACHABLE);
        }
    }
}

fn add_user(users: &mut IdVec<InstId, SmallVec<[Item; 2]>>, operand: Operand, user: Item) {
    if let Operand::Inst(used) = operand {
        users[used].push(user);
    }
}

fn cfg_edges(function: &Function, cfg: &Cfg) -> IdVec<BlockId, u32> {
    function.blocks.ids().map(|block| cfg.predecessors(block).len() as u32).collect()
}

/// The one value that a phi can have, other than its own.
fn phi_value(phi: InstId, incoming: &[(BlockId, Operand)], substitution: &mut Substitution) -> Option<Operand> {
    let mut only = None;
    for (_, value) in incoming {
        let value = substitution.resolve(*value);
        match only {
            _ if value == Operand::Inst(phi) => {}
            None => only = Some(value),
            Some(known) if same_value(known, value) => {}
            Some(_) => return None,
        }
    }
    only.filter(|value| !matches!(value, Operand::Undef(_)))
}

/// A terminator that does the same with less.
fn simpler_terminator(function: &Function, block: BlockId) -> Option<Terminator> {
    let term = &function.blocks[block].term;
    let mut successors = term.successors().into_iter();
    let first = successors.next()?;
    if !matches!(term, Terminator::Jump(_)) && successors.all(|other| other == first) {
        return Some(Terminator::Jump(first));
    }
    match term {
        Terminator::Branch { cond, then, otherwise } => {
            if let Some(value) = cond.as_int() {
                return Some(Terminator::Jump(if value != 0 { *then } else { *otherwise }));
            }
            let cond = identity::negated(function, *cond)?;
            Some(Terminator::Branch { cond, then: *otherwise, otherwise: *then })
        }
        Terminator::Switch { value, cases, default } => {
            let Some(constant) = value.as_int() else { return switch::narrow(function, *value, cases, *default) };
            let case = cases.iter().find(|(case, _)| *case == constant);
            Some(Terminator::Jump(case.map_or(*default, |(_, target)| *target)))
        }
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable { .. } => None,
    }
}

#[cfg(test)]
mod tests;
