//! One path through a block: what must hold at its start, and what is known of the values at its end.

use belay_ir::{BinaryOp, BlockId, FuncId, Function, InstId, Op, Operand, OverflowOp, Type, ops};
use belay_its::{Atom, Poly, VarExt};
use belay_linear::Var;
use rustc_hash::FxHashMap;

use super::kind::{Kind, constant};
use super::readings::Readings;
use super::variables::Variables;

/// Where a path is.
pub(super) struct Scope<'s> {
    pub function: &'s Function,
    pub id: FuncId,
    pub block: BlockId,
    pub variables: &'s Variables,
    pub readings: &'s Readings,
}

impl Scope<'_> {
    /// The kind of an integer operand.
    pub(super) fn kind(&self, operand: Operand) -> Option<Kind> {
        self.readings.operand(self.function, self.id, operand)
    }

    /// True if the program form looks whether an operation overflows as signed: then C does not say what comes after that.
    fn is_checked(&self, op: &Op) -> bool {
        let Op::Binary { op, lhs, rhs } = op else { return false };
        let asks = |inst: &InstId| match &self.function.insts[*inst].op {
            Op::Overflows { op: asked, signed: true, lhs: left, rhs: right } => {
                let same = match asked {
                    OverflowOp::Add => *op == BinaryOp::Add,
                    OverflowOp::Sub => *op == BinaryOp::Sub,
                    OverflowOp::Mul => *op == BinaryOp::Mul,
                };
                let swapped = *asked != OverflowOp::Sub && (left, right) == (rhs, lhs);
                same && (swapped || (left, right) == (lhs, rhs))
            }
            ops!(values)
            | ops!(memory)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => false,
        };
        self.function.blocks[self.block].insts.iter().any(asks)
    }

    /// The kind of two operands that are read alike: a constant is read as the other one.
    pub(super) fn common_kind(&self, lhs: Operand, rhs: Operand) -> Option<Kind> {
        self.kind(if lhs.as_int().is_some() { rhs } else { lhs })
    }
}

/// A path.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub guard: Vec<Atom>,
    /// The values of the block's own instructions.
    pub values: FxHashMap<InstId, Poly>,
    /// The globals that were changed.
    pub globals: FxHashMap<usize, Poly>,
    pub extras: u32,
    /// The extra values that are inputs of the program, in the order in which it asks for them.
    pub inputs: Vec<u32>,
    /// The extra values that are those of variables which were not set, and their widths.
    pub undefined: Vec<(u32, u16)>,
    /// False once something was left open that the program itself decides, or a signed operation has overflowed.
    pub exact: bool,
    /// Whether the operation at hand is one that must not overflow.
    pub checked: bool,
    variables: usize,
}

impl Path {
    pub(super) fn new(variables: usize) -> Self {
        Self {
            guard: Vec::new(),
            values: FxHashMap::default(),
            globals: FxHashMap::default(),
            extras: 0,
            inputs: Vec::new(),
            undefined: Vec::new(),
            exact: true,
            checked: false,
            variables,
        }
    }

    /// A value that nothing is known of.
    pub(super) fn extra(&mut self) -> Poly {
        let index = self.variables + self.extras as usize;
        self.extras += 1;
        Poly::var(<Var as VarExt>::new(index))
    }

    /// A value of which only its type is known, whatever the program makes of it.
    pub(super) fn arbitrary(&mut self, kind: Kind) -> Poly {
        self.exact = false;
        self.any(kind)
    }

    /// An input: the program itself accepts any value of its type.
    pub(super) fn input(&mut self, kind: Kind) -> Poly {
        self.inputs.push(self.extras);
        self.any(kind)
    }

    /// The value of a variable that was not set: a run may have any.
    pub(super) fn undefined(&mut self, kind: Kind) -> Poly {
        self.undefined.push((self.extras, kind.width));
        self.any(kind)
    }

    fn any(&mut self, kind: Kind) -> Poly {
        let value = self.extra();
        self.guard.extend(kind.range(&value));
        value
    }

    /// The path, which may go on although the program does not.
    pub(super) fn inexact(mut self) -> Path {
        self.exact = false;
        self
    }

    /// The path, on which the operation at hand has left its range.
    pub(super) fn after_wrapping(mut self) -> Path {
        self.exact &= !self.checked;
        self
    }

    pub(super) fn global(&self, index: usize) -> Poly {
        self.globals.get(&index).cloned().unwrap_or_else(|| super::var(index))
    }

    /// The path where these hold as well.
    pub(super) fn with(mut self, atoms: impl IntoIterator<Item = Atom>) -> Path {
        self.guard.extend(atoms);
        self
    }

    /// The value of an integer operand of this kind, if it is followed.
    pub(super) fn operand(&mut self, scope: &Scope<'_>, operand: Operand, kind: Kind) -> Option<Poly> {
        let value = match operand {
            Operand::Int { value, .. } => return Some(constant(kind.number(value))),
            Operand::Param(param) => scope.variables.param(scope.id, param).map(|(index, _)| super::var(index)),
            Operand::Inst(inst) => match self.values.get(&inst) {
                Some(value) => Some(value.clone()),
                None => scope.variables.inst(scope.id, inst).map(|(index, _)| super::var(index)),
            },
            Operand::Undef(Type::Int(_)) => return Some(self.arbitrary(kind)),
            Operand::Undef(_)
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_) => None,
        };
        match scope.kind(operand) {
            Some(own) if own == kind => value,
            // What meets belongs to one class, so that this is a call with arguments of other types.
            Some(_) => value.map(|_| self.arbitrary(kind)),
            None => None,
        }
    }

    /// The path split by the value of an integer instruction that is not a phi, load or call.
    pub(super) fn define(mut self, scope: &Scope<'_>, inst: InstId, coarse: bool) -> Vec<Path> {
        let instruction = &scope.function.insts[inst];
        let Some(width) = instruction.ty.and_then(Type::int_width) else { return vec![self] };
        let kind = scope.readings.inst(scope.id, inst, width);
        if width == 1 {
            return self.define_truth(scope, inst, kind, coarse);
        }
        if coarse {
            let value = self.arbitrary(kind);
            self.values.insert(inst, value);
            return vec![self];
        }
        self.checked = scope.is_checked(&instruction.op);
        let cases = self.cases(scope, &instruction.op, kind);
        let finish = |(mut path, value): (Path, Poly)| {
            path.checked = false;
            path.values.insert(inst, value);
            path
        };
        cases.into_iter().map(finish).collect()
    }

    /// A truth value that is only tested here is looked at where it is tested; one that is used as a number splits the path.
    fn define_truth(mut self, scope: &Scope<'_>, inst: InstId, kind: Kind, coarse: bool) -> Vec<Path> {
        if scope.variables.inst(scope.id, inst).is_none() && !is_counted(scope, inst) {
            return vec![self];
        }
        if coarse {
            let value = self.arbitrary(kind);
            self.values.insert(inst, value);
            return vec![self];
        }
        let mut paths = Vec::new();
        for want in [true, false] {
            for mut path in self.clone().assume_inst(scope, inst, want) {
                path.values.insert(inst, constant(i128::from(want)));
                paths.push(path);
            }
        }
        paths
    }

    /// The targets of a switch, each with the path on which it is taken.
    pub(super) fn switch(
        mut self,
        scope: &Scope<'_>,
        value: Operand,
        cases: &[(u128, BlockId)],
        default: BlockId,
    ) -> Vec<(Path, BlockId)> {
        let kind = scope.kind(value);
        let subject = kind.and_then(|kind| Some((kind, self.operand(scope, value, kind)?)));
        let Some((kind, subject)) = subject else {
            self.exact = false;
            return cases
                .iter()
                .map(|(_, target)| *target)
                .chain([default])
                .map(|target| (self.clone(), target))
                .collect();
        };
        let mut sorted: Vec<(i128, BlockId)> =
            cases.iter().map(|(bits, target)| (kind.number(*bits), *target)).collect();
        sorted.sort_by_key(|(number, _)| *number);
        let mut taken: Vec<(Path, BlockId)> = sorted
            .iter()
            .map(|(number, target)| (self.clone().with([Atom::equal(&subject, &constant(*number))]), *target))
            .collect();
        // The default is taken between, below and above the cases.
        let mut below: Option<i128> = None;
        for (number, _) in &sorted {
            if below.is_none_or(|below| below + 1 < *number) {
                let low = below.map(|below| Atom::greater(&subject, &constant(below)));
                let high = Atom::greater(&constant(*number), &subject);
                taken.push((self.clone().with(low.into_iter().chain([high])), default));
            }
            below = Some(*number);
        }
        let above = below.map(|below| Atom::greater(&subject, &constant(below)));
        taken.push((self.with(above), default));
        taken
    }
}

/// True if a truth value is used as a number: extended, stored or passed in its own block, or merged in the next.
fn is_counted(scope: &Scope<'_>, inst: InstId) -> bool {
    let body = &scope.function.blocks[scope.block];
    let uses = |user: &InstId| {
        let mut uses = false;
        scope.function.insts[*user].op.for_each_operand(|operand| uses |= *operand == Operand::Inst(inst));
        uses
    };
    let counts = |user: &InstId| {
        matches!(scope.function.insts[*user].op, Op::Cast { .. } | Op::Store { .. } | Op::Call { .. }) && uses(user)
    };
    let is_phi = |user: &&InstId| matches!(scope.function.insts[**user].op, Op::Phi { .. });
    let merges = |block: BlockId| scope.function.blocks[block].insts.iter().take_while(is_phi).any(uses);
    body.insts.iter().any(counts) || body.term.successors().into_iter().any(merges)
}
