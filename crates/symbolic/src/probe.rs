//! Probes: single paths executed from the start, without generalisation, in search of a violation.
//!
//! *Idea.* A probe notes each question that a run will ask (an input, memory that nobody has set, whether an allocation fails) as a symbolic integer, and
//! each state that seems to violate something as a [`Suspect`]. Numbers that satisfy what a suspect knows are guesses at a run's choices.
//!
//! *Nothing is concluded from a probe*: the interpreter makes the run, or there is no claim. So where the step has to cover all cases, a probe
//! rather takes one and stays exact: a result fits its type if it can, and an operand of an operation that is not linear is one of its values.

use belay_base::{Budget, Span};
use belay_ir::{BinaryOp, ObligationId, Op, Operand, OverflowOp, Program, Property, Type};
use belay_linear::{Answer, LinExpr, NumberDomain, Optimum, Rat, Simplex};
use belay_rules::Config;

use super::asked::{Asked, AskedFor};
use super::knowledge::{Entailment, as_constant};
use super::machine::{Machine, Step};
use super::state::{State, Value};

/// What a state seems to violate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Suspicion {
    /// An obligation.
    Obligation(ObligationId),
    /// A property of heap blocks that has no obligation.
    Leak(Property),
}

/// A state at what seems to be a violation.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// Of what.
    pub what: Suspicion,
    /// The state.
    pub state: State,
}

impl Suspicion {
    /// The property that would be violated, if somebody asks.
    pub fn property(self, program: &belay_ir::Program) -> Option<Property> {
        match self {
            Suspicion::Obligation(id) => program.obligations[id].judged(),
            Suspicion::Leak(property) => Some(property),
        }
    }
}

/// A machine that probes: it takes single cases, follows recursion, and keeps suspects. It is another type than the [`Machine`] that proofs are checked
/// with, which nobody outside this crate can make probe: what a prober has executed shows nothing, and can't be handed to who checks.
pub struct Prober<'m>(Machine<'m>);

impl<'m> Prober<'m> {
    /// Probes `program` under `config`.
    pub fn new(program: &'m Program, config: &'m Config, oracle: &'m mut dyn Entailment, budget: &'m Budget) -> Self {
        Prober(Machine { suspects: Some(Vec::new()), ..Machine::new(program, config, oracle, budget) })
    }

    /// The state in which the program starts.
    pub fn start(&mut self) -> Step<State> {
        self.0.start()
    }

    /// The suspects found since this was last asked.
    pub fn take_suspects(&mut self) -> Vec<Suspect> {
        self.0.suspects.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Executes the rest of the innermost frame's block; calls and returns end it too.
    pub fn follow(&mut self, state: State) -> Step<Vec<State>> {
        self.0.block(state)
    }
}

impl Machine<'_> {
    /// True in a [`Prober`].
    pub(super) fn probing(&self) -> bool {
        self.suspects.is_some()
    }

    /// Keeps a state as a suspect.
    pub(super) fn suspect(&mut self, what: Suspicion, state: &State) {
        if let Some(suspects) = &mut self.suspects {
            suspects.push(Suspect { what, state: state.clone() });
        }
    }

    /// Keeps the part of a state in which an expression is negative as a suspect.
    pub(super) fn suspect_negative(&mut self, what: Suspicion, state: &State, expr: &LinExpr) -> Step<()> {
        if self.probing() {
            let negative = expr.negated().plus_constant(&Rat::MINUS_ONE);
            if let Some(part) = state.clone().with_at_least(negative, self.oracle)? {
                self.suspect(what, &part);
            }
        }
        Ok(())
    }

    /// Keeps the parts of a state in which an access is before or beyond its object.
    pub(super) fn suspect_access(
        &mut self,
        state: &State,
        offset: &LinExpr,
        room: &LinExpr,
        len: &LinExpr,
        obligation: ObligationId,
    ) -> Step<()> {
        if !self.probing() {
            return Ok(());
        }
        let what = Suspicion::Obligation(obligation);
        let some = len.plus_constant(&Rat::MINUS_ONE);
        let Some(state) = state.clone().with_at_least(some, self.oracle)? else { return Ok(()) };
        self.suspect_negative(what, &state, room)?;
        self.suspect_negative(what, &state, offset)
    }

    /// Notes a question.
    pub(super) fn asks(&mut self, state: &mut State, what: AskedFor, span: Span, answer: &LinExpr) {
        if self.probing() {
            state.asked.push(Asked { what, span, answer: answer.clone() });
        }
    }

    /// While probing: assumes that an expression is not negative, if it can be.
    pub(super) fn prefer(&mut self, state: &mut State, exprs: &[LinExpr]) -> Step<bool> {
        if !self.probing() {
            return Ok(false);
        }
        let mut knowledge = state.knowledge.clone();
        for expr in exprs {
            if !knowledge.assume(expr.clone(), self.oracle)? {
                return Ok(false);
            }
        }
        state.knowledge = knowledge;
        Ok(true)
    }

    /// While probing: the operands of an operation that is not linear become constants, as many as it takes. Gives several cases.
    pub(super) fn made_linear(&mut self, state: State, op: &Op) -> Step<Vec<State>> {
        let mut states = vec![state];
        for operand in not_linear(op) {
            let mut next = Vec::new();
            for state in states {
                next.extend(self.settled_on(state, op, operand)?);
            }
            states = next;
        }
        Ok(states)
    }

    /// The state with an operand at one of its values, at its greatest and at its least.
    fn settled_on(&mut self, mut state: State, op: &Op, operand: Operand) -> Step<Vec<State>> {
        let Value::Int(expr) = self.value(&mut state, operand) else { return Ok(vec![state]) };
        if expr.is_constant() || self.stays_linear(&mut state, op, operand) {
            return Ok(vec![state]);
        }
        let mut simplex = Simplex::new(NumberDomain::Integer);
        state.knowledge.constraints.iter().for_each(|known| simplex.assert(known.clone()));
        let mut values = Vec::new();
        if let Answer::Sat(model) = simplex.check(self.budget)? {
            values.push(expr.evaluate(|var| model.get(var.index()).cloned().unwrap_or_default()));
        }
        for optimum in [simplex.maximise(&expr, self.budget)?, simplex.minimise(&expr, self.budget)?] {
            if let Optimum::Value { value, .. } = optimum {
                values.push(value.floor());
            }
        }
        values.sort();
        values.dedup();
        let mut states = Vec::new();
        for value in values {
            states.extend(state.clone().with_zero(expr.plus_constant(&-&value), self.oracle)?);
        }
        Ok(states)
    }

    /// True if an operation is linear in an operand because of what the other one is.
    fn stays_linear(&mut self, state: &mut State, op: &Op, operand: Operand) -> bool {
        let (Op::Binary { lhs, rhs, .. } | Op::Overflows { lhs, rhs, .. }) = op else { return false };
        let other = if operand == *lhs { *rhs } else { *lhs };
        let Value::Int(expr) = self.value(state, other) else { return false };
        let Some(number) = as_constant(&expr) else { return false };
        match op {
            Op::Overflows { .. } | Op::Binary { op: BinaryOp::Mul, .. } => true,
            Op::Binary { op: BinaryOp::And, .. } => is_mask(number),
            Op::Binary { op: BinaryOp::Xor, .. } => number == -1,
            _ => false,
        }
    }

    /// Anything of a type, for which a run asks.
    pub(super) fn asked_for(&mut self, state: &mut State, what: AskedFor, ty: Type, span: Span) -> Value {
        match (self.anything(state, ty), self.probing()) {
            (Value::Int(answer), true) => {
                self.asks(state, what, span, &answer);
                Value::Int(answer)
            }
            (Value::Truth(_), true) => {
                let answer = self.arbitrary(state, 1);
                self.asks(state, what, span, &answer);
                Value::Int(answer)
            }
            (value, _) => value,
        }
    }
}

/// True of numbers whose bits are ones from the lowest on.
pub(super) fn is_mask(number: i128) -> bool {
    (1..1 << 62).contains(&number) && (number & (number + 1)) == 0
}

/// The operands in which an operation is not linear; of a product it is enough to know one.
fn not_linear(op: &Op) -> Vec<Operand> {
    match op {
        Op::Overflows { op: OverflowOp::Mul, rhs, .. } => vec![*rhs],
        Op::Overflows { op: OverflowOp::Add | OverflowOp::Sub, .. } => Vec::new(),
        Op::Binary { op, lhs, rhs } => match op {
            BinaryOp::Add | BinaryOp::Sub => Vec::new(),
            BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr => vec![*rhs],
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => vec![*rhs, *lhs],
        },
        _ => Vec::new(),
    }
}
