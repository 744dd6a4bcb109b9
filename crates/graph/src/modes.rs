//! Variables that say in which mode a program is: the state of a protocol, a flag, the kind of a token.
//!
//! *Idea.* `if (f->state == DATA) use(f->data[f->pos])` is safe because of what holds in that mode alone: no conjunction over all modes says so. Where a place has several
//! states ([`super::precision::Precision::CasesAndModes`]), those in which such a variable holds different constants are kept apart, so that each mode has bounds
//! of its own (the symbolic paths of the literature, with values of control variables as the key).
//!
//! *What is a mode.* A variable, or a member at the same place of its structure, that the program compares with constants by `==` or `switch`, while it holds one constant here and
//! another there, both of which the program stores or compares with. So a counter is none from the first number on with which nothing is compared.
//!
//! *Machines.* Where that does not do, states in different modes are never one, of however many modes there are ([`super::precision::Precision::Machine`]): the control flow is refined by the values
//! of all such variables together, as in explicit-state model checking, and what is no mode is generalised within each of them.
//! Where that does not do either, by how much variables differ is a mode as well ([`distances`]): `token == sent + 1` in one state, `token == sent + 2` in another.
//!
//! All of this is search: whichever states are kept, the checker sees whether they represent what arrives.

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{FuncId, Function, GlobalId, InstId, IntPredicate, Op, Operand, Program, Terminator, Type};
use belay_linear::LinExpr;
use belay_symbolic::{AllocId, AllocKind, Cell, State, Value};

use super::pairing::Paired;
use super::thresholds::number;

/// Numbers beyond which a program is a table of codes rather than a machine with modes.
const MAX_NUMBERS: usize = 64;

/// What has a name in every state at a place, and memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Owner {
    Global(GlobalId),
    /// An object of the frame at this depth.
    Local(usize, InstId),
}

/// A variable that has modes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Variable {
    Cell(Owner, i64),
    /// In the frame at this depth.
    Register(usize, InstId),
}

/// The numbers that variables with modes hold.
pub(super) type Mode = BTreeMap<Variable, i64>;

/// By how much variables differ.
pub(super) type Distances = BTreeMap<(Variable, Variable), i64>;

/// What may be modes, and the numbers that stand for them.
#[derive(Clone, Default, Debug)]
pub(super) struct Modes {
    /// Variables in registers.
    registers: BTreeSet<(FuncId, InstId)>,
    /// Where in its object a number is, and how many bytes it has.
    members: BTreeSet<(i64, u64)>,
    /// Numbers that are stored or compared with.
    numbers: BTreeSet<i64>,
}

impl Modes {
    /// Those of a program's own functions.
    pub(super) fn of(program: &Program) -> Modes {
        let mut found = Modes::default();
        for (id, function) in program.functions.iter_enumerated() {
            if function.is_defined() && !function.is_model {
                found.gather(program, (id, function));
            }
        }
        if found.numbers.len() > MAX_NUMBERS { Modes::default() } else { found }
    }

    fn gather(&mut self, program: &Program, (id, function): (FuncId, &Function)) {
        for inst in function.insts.iter() {
            match &inst.op {
                Op::Compare { op: IntPredicate::Eq | IntPredicate::Ne, lhs, rhs } => {
                    for (asked, with) in [(*lhs, number(*rhs)), (*rhs, number(*lhs))] {
                        self.ask(program, (id, function), asked, with);
                    }
                }
                Op::Store { value, .. } => self.numbers.extend(number(*value)),
                Op::Phi { incoming } => self.numbers.extend(incoming.iter().filter_map(|(_, value)| number(*value))),
                _ => {}
            }
        }
        for block in function.blocks.iter() {
            match &block.term {
                Terminator::Switch { value, cases, .. } => {
                    let width = function.operand_type(*value).and_then(Type::int_width).unwrap_or(64);
                    for (case, _) in cases {
                        self.ask(program, (id, function), *value, number(Operand::int(width, *case)));
                    }
                }
                Terminator::Branch { cond, .. } => self.ask(program, (id, function), *cond, Some(1)),
                _ => {}
            }
        }
        self.follow((id, function));
    }

    /// Notes the other names of the variables that are compared with numbers: a variable has one at each place where several of its values meet.
    fn follow(&mut self, (id, function): (FuncId, &Function)) {
        let is_phi = |inst: InstId| matches!(function.insts[inst].op, Op::Phi { .. });
        let mut beside: BTreeMap<InstId, Vec<InstId>> = BTreeMap::new();
        for (phi, inst) in function.insts.iter_enumerated() {
            let Op::Phi { incoming } = &inst.op else { continue };
            for (_, value) in incoming {
                if let Operand::Inst(value) = *value
                    && is_phi(value)
                {
                    beside.entry(phi).or_default().push(value);
                    beside.entry(value).or_default().push(phi);
                }
            }
        }
        let own = self.registers.iter().filter(|(of, _)| *of == id).map(|(_, inst)| *inst);
        let mut todo: Vec<InstId> = own.collect();
        while let Some(inst) = todo.pop() {
            let next = beside.get(&inst).into_iter().flatten();
            todo.extend(next.copied().filter(|other| self.registers.insert((id, *other))));
        }
    }

    /// Notes that a value is compared with a number: the variable that it is read from.
    fn ask(&mut self, program: &Program, (id, function): (FuncId, &Function), value: Operand, with: Option<i64>) {
        let (Operand::Inst(inst), Some(with)) = (value, with) else { return };
        match &function.insts[inst].op {
            Op::Cast { value, .. } => return self.ask(program, (id, function), *value, Some(with)),
            Op::Phi { .. } => drop(self.registers.insert((id, inst))),
            Op::Load { ptr, .. } => {
                let (Some(at), Some(ty)) = (place_in_object(function, *ptr), function.insts[inst].ty) else { return };
                self.members.insert((at, program.layout.store_size(ty)));
            }
            _ => return,
        }
        self.numbers.insert(with);
    }

    /// True if a variable may be in one mode in one state and in another one in the other, as far as that is seen without pairing them.
    pub(super) fn meet(&self, left: &State, right: &State) -> bool {
        let is_known = |number: &i64| self.numbers.contains(number);
        let number = |value: &Value| match value {
            Value::Int(expr) => constant(expr).filter(is_known),
            _ => None,
        };
        let differ = |a: &Value, b: &Value| number(a).zip(number(b)).is_some_and(|(a, b)| a != b);
        let members = left
            .cells
            .iter()
            .filter(|cell| constant(&cell.offset).is_some_and(|place| self.members.contains(&(place, cell.width))));
        let mut cells = members.flat_map(|cell| {
            let same = |other: &&Cell| {
                other.width == cell.width && other.offset == cell.offset && alike(cell.alloc, other.alloc)
            };
            right.cells.iter().filter(same).map(move |other| (&cell.value, &other.value))
        });
        let mut values = left.frames.iter().zip(&right.frames).flat_map(|(a, b)| {
            let known = a.values.iter().filter(|(inst, _)| self.registers.contains(&(a.function, **inst)));
            known.filter_map(|(inst, value)| Some((value, b.values.get(inst)?)))
        });
        cells.any(|(a, b)| differ(a, b)) || values.any(|(a, b)| differ(a, b)) || self.leaves_zero(left, right)
    }

    /// True if a variable of an object that is still 0 in one state may be in a mode that is not 0 in the other.
    fn leaves_zero(&self, left: &State, right: &State) -> bool {
        let zero = Value::Int(LinExpr::default());
        let is_mode = |cell: &&Cell| {
            let place = constant(&cell.offset).is_some_and(|place| self.members.contains(&(place, cell.width)));
            let Value::Int(expr) = &cell.value else { return false };
            place && cell.value != zero && constant(expr).is_some_and(|number| self.numbers.contains(&number))
        };
        let is_zero = |cell: &Cell| {
            let known = |other: &Cell| other.offset == cell.offset && alike(other.alloc, cell.alloc);
            matches!(cell.alloc, AllocId::Made(_)) && !left.cells.iter().any(known)
        };
        left.allocations.values().any(|known| known.zeroed) && right.cells.iter().filter(is_mode).any(is_zero)
    }

    /// The mode of a state: which of the variables that have modes hold which numbers. Blocks of the heap have no names by which one would be found again in another state.
    pub(super) fn mode(&self, state: &State) -> Mode {
        let number = |value: &Value| match value {
            Value::Int(expr) => constant(expr).filter(|number| self.numbers.contains(number)),
            _ => None,
        };
        let cells = state.cells.iter().filter_map(|cell| {
            let place = constant(&cell.offset).filter(|place| self.members.contains(&(*place, cell.width)))?;
            Some((Variable::Cell(owner_of(state, cell)?, place), number(&cell.value)?))
        });
        let registers = state.frames.iter().enumerate().flat_map(|(depth, frame)| {
            let known = frame.values.iter().filter(|(inst, _)| self.registers.contains(&(frame.function, **inst)));
            known.filter_map(move |(inst, value)| Some((Variable::Register(depth, *inst), number(value)?)))
        });
        cells.chain(registers).collect()
    }

    /// In how many variables two states are in different modes.
    pub(super) fn differ(&self, paired: &Paired) -> usize {
        let sides = |expr: &LinExpr| match expr.terms() {
            [(var, _)] => paired.slots.get(var.index()).map(|slot| &slot.sides),
            _ => None,
        };
        let is_known = |number: &i64| self.numbers.contains(number);
        let differs = |value: &Value| {
            let Value::Int(expr) = value else { return false };
            let Some((left, right)) = sides(expr) else { return false };
            let (Some(left), Some(right)) = (constant(left), constant(right)) else { return false };
            left != right && is_known(&left) && is_known(&right)
        };
        let is_member = |offset: &LinExpr, width: u64| {
            let place = sides(offset).and_then(|(left, right)| constant(left).filter(|_| left == right));
            place.is_some_and(|place| self.members.contains(&(place, width)))
        };
        let cells =
            paired.state.cells.iter().filter(|cell| is_member(&cell.offset, cell.width) && differs(&cell.value));
        let frames = paired.state.frames.iter().flat_map(|frame| {
            frame
                .values
                .iter()
                .filter(|(inst, value)| self.registers.contains(&(frame.function, **inst)) && differs(value))
        });
        cells.count() + frames.count()
    }
}

/// The name of the object that a cell is in, if it has one in every state.
fn owner_of(state: &State, cell: &Cell) -> Option<Owner> {
    match (cell.alloc, state.allocations.get(&cell.alloc).map(|known| known.kind)) {
        (AllocId::Global(global), _) => Some(Owner::Global(global)),
        (_, Some(AllocKind::Stack { depth, inst, dynamic: false })) => Some(Owner::Local(depth, inst)),
        _ => None,
    }
}

/// Differences beyond which two variables are thought to be two counters.
const FAR: i64 = 16;

/// By how much variables in memory that are no constants differ from the first that they differ from by a constant.
pub(super) fn distances(state: &State) -> Distances {
    let wide = state.cells.iter().filter_map(|cell| match &cell.value {
        Value::Int(expr) if !expr.is_constant() => {
            Some((Variable::Cell(owner_of(state, cell)?, constant(&cell.offset)?), expr))
        }
        _ => None,
    });
    let wide: BTreeMap<Variable, &LinExpr> = wide.collect();
    let apart = wide.iter().filter_map(|(variable, expr)| {
        let (first, known) = wide.iter().find(|(_, known)| known.terms() == expr.terms())?;
        let number = constant(&expr.minus(known)).filter(|number| number.abs() <= FAR && first != variable)?;
        Some(((*first, *variable), number))
    });
    apart.collect()
}

fn constant(expr: &LinExpr) -> Option<i64> {
    if expr.is_constant() { expr.offset().to_i64() } else { None }
}

/// True of objects that may be one and the same in two states.
fn alike(left: AllocId, right: AllocId) -> bool {
    match (left, right) {
        (AllocId::Made(_), AllocId::Made(_)) => true,
        (left, right) => left == right,
    }
}

/// How far behind the beginning of what a pointer leads to a place is, as far as the code says.
fn place_in_object(function: &Function, ptr: Operand) -> Option<i64> {
    match ptr {
        Operand::Global { offset, .. } => Some(offset),
        Operand::Param(_) => Some(0),
        Operand::Inst(inst) => match &function.insts[inst].op {
            Op::PtrAdd { base, offset } => place_in_object(function, *base)?.checked_add(number(*offset)?),
            _ => Some(0),
        },
        _ => None,
    }
}
