//! One path through a block: what must hold at its start, and what is known of the values at its end.

use belay_ir::{BlockId, FuncId, Function, InstId, IntegerModel, Op, Operand, Type};
use belay_its::{Atom, Poly, VarExt};
use belay_logic::simplex::{Rat, Var};
use rustc_hash::FxHashMap;

use super::variables::Variables;

/// Where a path is.
pub(super) struct Scope<'s> {
    pub function: &'s Function,
    pub id: FuncId,
    pub block: BlockId,
    pub variables: &'s Variables,
    pub integers: IntegerModel,
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
    /// False once something was left open that the program itself decides.
    pub exact: bool,
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
            exact: true,
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
    pub(super) fn arbitrary(&mut self, width: u16, integers: IntegerModel) -> Poly {
        self.exact = false;
        self.any(width, integers)
    }

    /// An input: the program itself accepts any value of its type.
    pub(super) fn input(&mut self, width: u16, integers: IntegerModel) -> Poly {
        self.inputs.push(self.extras);
        self.any(width, integers)
    }

    fn any(&mut self, width: u16, integers: IntegerModel) -> Poly {
        let value = self.extra();
        self.guard.extend(range(&value, width, integers));
        value
    }

    /// The path, which may go on although the program does not.
    pub(super) fn inexact(mut self) -> Path {
        self.exact = false;
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

    /// The value of an integer operand, if it is followed.
    pub(super) fn operand(&mut self, scope: &Scope<'_>, operand: Operand) -> Option<Poly> {
        match operand {
            Operand::Int { width, value } => Some(Poly::constant(rational(signed(value, width)))),
            Operand::Param(param) => scope.variables.param(scope.id, param).map(|(index, _)| super::var(index)),
            Operand::Inst(inst) => {
                if let Some(value) = self.values.get(&inst) {
                    return Some(value.clone());
                }
                scope.variables.inst(scope.id, inst).map(|(index, _)| super::var(index))
            }
            Operand::Undef(Type::Int(width)) => Some(self.arbitrary(width, scope.integers)),
            Operand::Undef(_)
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_) => None,
        }
    }

    /// The path split by the value of an integer instruction that is not a phi, load or call.
    pub(super) fn define(mut self, scope: &Scope<'_>, inst: InstId, coarse: bool) -> Vec<Path> {
        let instruction = &scope.function.insts[inst];
        let Some(width) = instruction.ty.and_then(Type::int_width) else { return vec![self] };
        if width == 1 {
            return self.define_truth(scope, inst, coarse);
        }
        if coarse {
            let value = self.arbitrary(width, scope.integers);
            self.values.insert(inst, value);
            return vec![self];
        }
        let cases = self.cases(scope, &instruction.op, width);
        let finish = |(mut path, value): (Path, Poly)| {
            path.values.insert(inst, value);
            path
        };
        cases.into_iter().map(finish).collect()
    }

    /// A truth value that is only tested here is looked at where it is tested; one that is used as a number splits the path.
    fn define_truth(mut self, scope: &Scope<'_>, inst: InstId, coarse: bool) -> Vec<Path> {
        if scope.variables.inst(scope.id, inst).is_none() && !is_counted(scope, inst) {
            return vec![self];
        }
        if coarse {
            let value = self.arbitrary(1, scope.integers);
            self.values.insert(inst, value);
            return vec![self];
        }
        let mut paths = Vec::new();
        for want in [true, false] {
            for mut path in self.clone().assume_inst(scope, inst, want) {
                path.values.insert(inst, Poly::constant(rational(i128::from(want))));
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
        let width = scope.function.operand_type(value).and_then(Type::int_width).unwrap_or(32);
        let Some(subject) = self.operand(scope, value) else {
            self.exact = false;
            return cases
                .iter()
                .map(|(_, target)| *target)
                .chain([default])
                .map(|target| (self.clone(), target))
                .collect();
        };
        let mut sorted: Vec<(i128, BlockId)> =
            cases.iter().map(|(bits, target)| (signed(*bits, width), *target)).collect();
        sorted.sort_by_key(|(number, _)| *number);
        let constant = |number: i128| Poly::constant(rational(number));
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

/// The bounds of a value of this width: a machine integer as a signed number, a truth value as 0 or 1.
pub(super) fn range(value: &Poly, width: u16, integers: IntegerModel) -> Vec<Atom> {
    let bounds = match (width, integers) {
        (1, _) => Some((0, 1)),
        (_, IntegerModel::Unbounded) => None,
        (2..=126, IntegerModel::Machine) => Some((least(width), greatest(width))),
        (_, IntegerModel::Machine) => None,
    };
    let Some((low, high)) = bounds else { return Vec::new() };
    vec![Atom::at_least(value, &Poly::constant(rational(low))), Atom::at_least(&Poly::constant(rational(high)), value)]
}

pub(super) fn least(width: u16) -> i128 {
    -(1i128 << (width - 1))
}

pub(super) fn greatest(width: u16) -> i128 {
    (1i128 << (width - 1)) - 1
}

pub(super) fn signed(bits: u128, width: u16) -> i128 {
    if width == 1 {
        return i128::from(bits != 0);
    }
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

pub(super) fn rational(number: i128) -> Rat {
    Rat::parse_integer(&number.to_string()).expect("an integer's digits")
}
