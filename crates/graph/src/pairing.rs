//! Two states side by side: what both have becomes a *slot*, an expression of each; what only one has is forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_ir::{InstId, Program, Type};
use belay_linear::{LinExpr, Rat, Var};
use belay_symbolic::{AllocId, AllocKind, Allocation, Cell, Frame, Life, Product, State, Truth, Value};

use super::arrays::Arrays;
use super::lists::Lists;
use super::partners::ends_string;
pub use folding::{Folding, Phases, Plan, Remains, Style};
pub use given::{GivenLists, GivenPlaces, was_given_lists};
pub use roots::leads_into_lists;
use roots::{InFrame, Inner};

mod folding;
mod given;
mod roots;

/// What a slot stands for.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its value in both states.
    pub sides: (LinExpr, LinExpr),
    /// What kind of number it is.
    pub kind: SlotKind,
    /// Its name, for people.
    pub name: String,
}

/// Kinds of numbers, those that others should be expressed by first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SlotKind {
    /// What a recursive function was given.
    Given,
    /// A value of this width in a register.
    Register(u16),
    /// A value of this width in memory.
    Content(u16),
    /// A pointer's offset.
    Offset,
    /// A cell's offset.
    CellOffset,
    /// An object's size.
    Size,
    /// How many blocks a list has.
    Length,
}

/// The common part of two states, with slots as variables.
pub struct Paired {
    /// The state; its expressions are variables that number the slots.
    pub state: State,
    /// The slots.
    pub slots: Vec<Slot>,
    /// Pointers to live blocks that were forgotten, or may be so, and blocks.
    pub lost: usize,
    /// Of those the ones that were given and looked at last.
    pub lost_given: usize,
    /// Pointers that are null in one state and lead in the other to something that is no list, or to objects of different kinds, or to different links.
    pub optional: usize,
    /// Numbers that stand in memory of which only one of the states says something.
    pub found: Vec<Found>,
    /// Products that both states know, over slots.
    pub products: Vec<Product>,
    /// Cells of both states that hold pointers which have no common generalisation.
    pub unlike: Vec<(Cell, Cell)>,
}

/// A number that a state says nothing of.
#[derive(Clone, Debug)]
pub struct Found {
    /// A variable that the state does not have.
    pub number: LinExpr,
    /// Which state.
    pub side: usize,
    /// In which of its objects the number stands.
    pub alloc: AllocId,
    /// Where.
    pub place: LinExpr,
    /// Its bytes in memory.
    pub width: u64,
}

#[derive(Clone)]
pub(super) struct Pairer<'s> {
    pub(super) program: &'s Program,
    pub(super) left: &'s State,
    pub(super) right: &'s State,
    pub(super) slots: Vec<Slot>,
    pub(super) objects: BTreeMap<AllocId, AllocId>,
    /// The objects of the right state that are paired.
    pub(super) taken: BTreeSet<AllocId>,
    pub(super) cells_of: Rc<CellsOf>,
    made: BTreeMap<AllocId, AllocId>,
    pub(super) state: State,
    pub(super) folding: Folding,
    pub(super) phases: Phases,
    pub(super) remains: Remains,
    pub(super) lists: Lists,
    pub(super) arrays: Arrays,
    lost: usize,
    lost_given: usize,
    /// Which values that were given are looked at last.
    deferred: BTreeSet<usize>,
    /// What is looked at after the beginnings of lists.
    inner: Inner,
    /// Contents that own blocks, of which the common part says nothing.
    pub(super) loses_owned: usize,
    pub(super) optional: usize,
    pub(super) found: Vec<Found>,
    unlike: Vec<(Cell, Cell)>,
}

/// Which numbers in memory are kept that only one of two states speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Curiosity {
    /// None.
    None,
    /// Those of the left one.
    Kept,
    /// Those of either.
    Both,
}

/// Which cells belong to which object.
pub(super) struct CellsOf {
    /// The objects of the left state that have any.
    left: BTreeSet<AllocId>,
    /// Those of each object of the right state.
    pub(super) right: BTreeMap<AllocId, Vec<usize>>,
}

fn cells_of(left: &State, right: &State) -> CellsOf {
    let mut found: BTreeMap<AllocId, Vec<usize>> = BTreeMap::new();
    for (at, cell) in right.cells.iter().enumerate() {
        found.entry(cell.alloc).or_default().push(at);
    }
    CellsOf { left: left.cells.iter().map(|cell| cell.alloc).collect(), right: found }
}

/// What both states have.
pub fn pair(program: &Program, (left, right): (&State, &State), plan: Plan, curiosity: Curiosity) -> Paired {
    let mut pairer = Pairer::new(program, (left, right), plan);
    let (mut done, mut taken) = (vec![false; left.cells.len()], vec![false; right.cells.len()]);
    pairer.given();
    if plan.order == GivenLists::MemoryFirst {
        pairer.cells(&mut done, &mut taken);
    }
    pairer.frames();
    pairer.cells(&mut done, &mut taken);
    if plan.folding.begins() {
        pairer.postponed();
        pairer.cells(&mut done, &mut taken);
    }
    if !pairer.deferred.is_empty() {
        pairer.given_lists();
        pairer.cells(&mut done, &mut taken);
    }
    pairer.texts();
    pairer.figures();
    match curiosity {
        Curiosity::None => {}
        Curiosity::Kept => pairer.numbers(0, &done),
        Curiosity::Both => {
            pairer.numbers(0, &done);
            pairer.numbers(1, &taken);
        }
    }
    pairer.zeros();
    pairer.optional += pairer.lost_elements([&done, &taken]) + pairer.null_by_any_link();
    let products = pairer.products();
    pairer.renew_vague();
    pairer.drop_unused_ends();
    pairer.lost += pairer.vague_ends();
    pairer.finish();
    Paired {
        state: pairer.state,
        slots: pairer.slots,
        lost: pairer.lost,
        lost_given: pairer.lost_given,
        optional: pairer.optional,
        found: pairer.found,
        products,
        unlike: pairer.unlike,
    }
}

impl<'s> Pairer<'s> {
    /// Nothing is paired yet.
    fn new(program: &'s Program, (left, right): (&'s State, &'s State), plan: Plan) -> Self {
        let deferred = given::deferred(left, right, plan.order);
        Pairer {
            program,
            left,
            right,
            slots: Vec::new(),
            objects: BTreeMap::new(),
            taken: BTreeSet::new(),
            cells_of: Rc::new(cells_of(left, right)),
            made: BTreeMap::new(),
            state: State::default(),
            folding: plan.folding,
            phases: plan.phases,
            remains: plan.remains,
            lists: Lists::without_deferred(left, right, &deferred),
            arrays: Arrays::new(left, right),
            lost: 0,
            lost_given: 0,
            deferred,
            inner: if plan.folding.begins() { Inner::new(left, right) } else { Inner::default() },
            loses_owned: 0,
            optional: 0,
            found: Vec::new(),
            unlike: Vec::new(),
        }
    }
}

impl Pairer<'_> {
    pub(super) fn slot(&mut self, left: &LinExpr, right: &LinExpr, kind: SlotKind, name: String) -> LinExpr {
        self.slots.push(Slot { sides: (left.clone(), right.clone()), kind, name });
        LinExpr::var(Var(self.slots.len() as u32 - 1))
    }

    fn frames(&mut self) {
        for (depth, (left, right)) in self.left.frames.iter().zip(&self.right.frames).enumerate() {
            let function = &self.program.functions[left.function];
            let mut params = Vec::new();
            for (index, (a, b)) in left.params.iter().zip(&right.params).enumerate() {
                let (kind, name) = self.param_of(left, index);
                params.push(self.value_in_frame((a, b), (depth, InFrame::Param(index)), kind, &name));
            }
            let mut values = BTreeMap::new();
            for (inst, a) in &left.values {
                let Some(b) = right.values.get(inst) else { continue };
                let kind = width_of(function.insts[*inst].ty);
                let name = name_of(function, *inst);
                values.insert(*inst, self.value_in_frame((a, b), (depth, InFrame::Inst(*inst)), kind, &name));
            }
            self.state.frames.push(Frame { params, values, ..left.clone() });
        }
    }

    /// What is known of a parameter, or of a result.
    fn param_of(&self, frame: &Frame, index: usize) -> (SlotKind, String) {
        let function = &self.program.functions[frame.function];
        let param = function.params.get(index).filter(|_| !frame.is_exit());
        let kind = width_of(param.map_or(function.results.get(index).copied(), |param| Some(param.ty)));
        (kind, param.map_or_else(|| "result".to_owned(), |param| param.name.clone()))
    }

    /// A value of a frame, unless it is looked at later.
    fn value_in_frame(
        &mut self,
        (left, right): (&Value, &Value),
        place: (usize, InFrame),
        kind: SlotKind,
        name: &str,
    ) -> Value {
        if self.inner.has(left, right) {
            self.inner.postponed.push(place);
            return Value::Top;
        }
        self.value(left, right, kind, name)
    }

    pub(super) fn value(&mut self, left: &Value, right: &Value, kind: SlotKind, name: &str) -> Value {
        // Zero bytes beside a pointer are a null pointer.
        let leads = |value: &Value| matches!(value, Value::Pointer(..) | Value::Null);
        if is_zero(left) && leads(right) {
            return self.value(&Value::Null, right, kind, name);
        }
        if leads(left) && is_zero(right) {
            return self.value(left, &Value::Null, kind, name);
        }
        if let (Some(a), Some(b)) = (number(left), number(right)) {
            return Value::Int(self.slot(&a, &b, kind, name.to_owned()));
        }
        match (left, right) {
            (Value::Pointer(..), Value::Pointer(..) | Value::Null) | (Value::Null, Value::Pointer(..)) => {
                self.place(left, right, name)
            }
            (Value::Address(a, x), Value::Address(b, y)) => match self.object(*a, *b) {
                Some(made) => Value::Address(made, self.slot(x, y, SlotKind::Offset, name.to_owned())),
                None => Value::Top,
            },
            (Value::Null, Value::Null) => Value::Null,
            (Value::Function(a), Value::Function(b)) => Value::Function(a.union(b).copied().collect()),
            (_, _) => Value::Top,
        }
    }

    /// Two places, one of which may be null.
    fn place(&mut self, left: &Value, right: &Value, name: &str) -> Value {
        if let Some(end) = self.end(left, right) {
            return end;
        }
        let place = self.common_place(left, right, name);
        let meets_null = (*left == Value::Null) != (*right == Value::Null);
        let is_list = |id: &AllocId| self.state.segments.get(id).is_some_and(|list| list.node.link.is_some());
        self.optional += usize::from(meets_null && !matches!(&place, Value::Pointer(id, _) if is_list(id)));
        place
    }

    fn common_place(&mut self, left: &Value, right: &Value, name: &str) -> Value {
        let foldable = self.foldable(left, right);
        if self.folding.grows()
            && foldable
            && let Some(tree) = self.tree(left, right)
        {
            return tree;
        }
        if self.folding != Folding::Blocks
            && foldable
            && let Some(list) = self.segment(left, right)
        {
            return list;
        }
        if let (Value::Pointer(a, x), Value::Pointer(b, y)) = (left, right)
            && let Some(made) = self.object(*a, *b)
        {
            self.optional += usize::from(self.at_other_links((*a, x), (*b, y)));
            return Value::Pointer(made, self.slot(x, y, SlotKind::Offset, name.to_owned()));
        }
        if self.folding == Folding::Blocks
            && foldable
            && let Some(list) = self.segment(left, right)
        {
            return list;
        }
        // Whoever holds a pointer to what has ended can do nothing with it.
        if dangles(self.left, left) || dangles(self.right, right) {
            return Value::Top;
        }
        self.lost += usize::from(foldable);
        // A pointer that leads to a variable in one state and into a list in the other, as `struct node **` does.
        self.optional += usize::from(!foldable);
        Value::Top
    }

    /// The object that stands for one of the left state.
    pub(super) fn made_of(&self, left: AllocId) -> Option<AllocId> {
        self.made.get(&left).copied()
    }

    pub(super) fn object(&mut self, left: AllocId, right: AllocId) -> Option<AllocId> {
        let (AllocId::Made(_), AllocId::Made(_)) = (left, right) else { return (left == right).then_some(left) };
        match self.objects.get(&left) {
            Some(known) if *known == right => return self.made.get(&left).copied(),
            Some(_) => return None,
            None => {}
        }
        if self.taken.contains(&right) || self.lists.has(left, right) {
            return None;
        }
        let (a, b) = (self.left.allocations.get(&left)?, self.right.allocations.get(&right)?);
        let calls = self.left.is_call() && self.right.is_call();
        let kind = match (a.kind, b.kind) {
            (left, right) if left == right => left,
            (left, right) if calls && left.is_within(AllocKind::Either) && right.is_within(AllocKind::Either) => {
                AllocKind::Either
            }
            (_, _) => return None,
        };
        let number = self.state.next_alloc;
        let bare = !self.cells_of.left.contains(&left) && !self.cells_of.right.contains_key(&right);
        let zeroed = a.zeroed && b.zeroed && bare;
        let life = if a.life == b.life { a.life } else { Life::Maybe };
        // A block that was freed in one state only: what tells the states apart, a flag for instance, also says whether it may be used.
        self.optional += usize::from(a.life != b.life);
        let align = a.align.min(b.align);
        let sizes = (a.size.clone(), b.size.clone());
        self.objects.insert(left, right);
        self.taken.insert(right);
        let size = self.slot(&sizes.0, &sizes.1, SlotKind::Size, format!("size{number}"));
        let id = self.state.allocate(Allocation { kind, size, life, zeroed, align });
        self.made.insert(left, id);
        self.note_array(left, right);
        Some(id)
    }

    /// Pairs cells until no more are found: a pointer in a cell may lead to objects with cells. The ends of strings come last, since other cells may say where they are.
    fn cells(&mut self, done: &mut [bool], taken: &mut [bool]) {
        loop {
            let found = self.cells_where(done, taken, |cell| !ends_string(cell))
                || self.cells_where(done, taken, ends_string)
                || self.cells_beside_bytes(done, taken);
            if !found && !self.arrays() {
                return;
            }
        }
    }

    /// Pairs cells of a kind; false if none is found.
    fn cells_where(&mut self, done: &mut [bool], taken: &mut [bool], is_asked: impl Fn(&Cell) -> bool) -> bool {
        let mut found = false;
        for (at, cell) in self.left.cells.iter().enumerate() {
            if done[at] || !is_asked(cell) || self.is_element(0, cell) {
                continue;
            }
            let Some(other) = self.partner(cell, taken) else { continue };
            if self.inner.has(&cell.value, &self.right.cells[other].value) {
                continue;
            }
            (done[at], taken[other], found) = (true, true, true);
            self.cell(cell, &self.right.cells[other]);
        }
        found
    }

    pub(super) fn cell(&mut self, cell: &Cell, right: &Cell) {
        let Some(alloc) = self.object(cell.alloc, right.alloc) else { return };
        let kind = SlotKind::Content((8 * cell.width) as u16);
        let number = self.state.cells.len();
        let value = self.value(&cell.value, &right.value, kind, &format!("cell{number}"));
        if value == Value::Top {
            if matches!((&cell.value, &right.value), (Value::Pointer(..), Value::Pointer(..))) {
                self.unlike.push((cell.clone(), right.clone()));
            }
            return;
        }
        let offset = self.slot(&cell.offset, &right.offset, SlotKind::CellOffset, format!("at{number}"));
        self.state.cells.push(Cell { alloc, offset, width: cell.width, value });
    }

    fn finish(&mut self) {
        let lost = |state: &State, kept: &dyn Fn(&AllocId) -> bool, used: &BTreeSet<AllocId>| {
            let blocks = state.allocations.iter().filter(|(_, known)| known.kind.may_be_heap());
            let live = blocks.filter(|(_, known)| known.life != Life::Dead).map(|(id, _)| id);
            let blocks = live.filter(|id| !kept(id) && !used.contains(id)).count();
            blocks + state.segments.keys().filter(|id| !used.contains(id)).count()
        };
        let left = lost(self.left, &|id| self.objects.contains_key(id), &self.lists.used.0);
        let right = lost(self.right, &|id| self.taken.contains(id), &self.lists.used.1);
        let forgot = self.left.forgot_block || self.right.forgot_block || left + right > 0;
        let elements = self.arrays.lost_heap(self.left, 0) || self.arrays.lost_heap(self.right, 1);
        self.state.forgot_block = forgot || elements;
        let left = left + self.arrays.lost(self.left, 0);
        let right = right + self.arrays.lost(self.right, 1) + self.loses_owned;
        self.lost += left.max(right);
        self.state.unknown_write = self.left.unknown_write || self.right.unknown_write;
        self.state.written = self.left.written.union(&self.right.written).copied().collect();
    }
}

/// True of a pointer to an object that has ended.
fn dangles(state: &State, value: &Value) -> bool {
    let ended = |id| state.allocations.get(id).is_some_and(|known| known.life == Life::Dead);
    matches!(value, Value::Pointer(id, _) if ended(id))
}

/// True of the number 0.
pub(super) fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Int(expr) if expr.is_constant() && expr.offset().is_zero())
}

fn number(value: &Value) -> Option<LinExpr> {
    match value {
        Value::Int(expr) => Some(expr.clone()),
        Value::Truth(Truth::Known(known)) => Some(LinExpr::constant(if *known { Rat::ONE } else { Rat::ZERO })),
        Value::Truth(_) | Value::Pointer(..) | Value::Address(..) | Value::Null | Value::Function(_) | Value::Top => {
            None
        }
    }
}

fn width_of(ty: Option<Type>) -> SlotKind {
    SlotKind::Register(ty.and_then(Type::int_width).unwrap_or(64))
}

fn name_of(function: &belay_ir::Function, inst: InstId) -> String {
    function.local_of_value(inst).map_or_else(|| format!("v{}", inst.0), |local| local.name.clone())
}
