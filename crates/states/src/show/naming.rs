//! Looks for a C expression behind each symbolic integer.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::Budget;
use belay_expression::{Binary, Expr};
use belay_ir::{CType, IntegerModel, Pointee, Program};
use belay_linear::{LinExpr, Rat, Var};

use super::items::{Item, items, named};
use super::linear::{Atom, AtomKind};
use crate::knowledge::Certified;
use crate::state::{AllocId, Cell, State, Value};

/// C expressions for what a state speaks of.
pub struct Names<'s> {
    pub(crate) program: &'s Program,
    pub(crate) state: &'s State,
    integers: IntegerModel,
    /// Expressions of C.
    pub(crate) atoms: Vec<Atom>,
    /// Each symbolic integer over the atoms.
    pub(crate) image: BTreeMap<Var, LinExpr>,
    /// Expressions over the atoms that are 0.
    pub(crate) equations: Vec<Equation>,
    /// Other things to be said, with the atom that each is about.
    pub(crate) sentences: Vec<(Var, Expr)>,
    /// Names that the program does not have.
    pub ghosts: Vec<String>,
    /// The pointers into each object.
    pub(crate) anchors: Vec<Anchor>,
    bases: BTreeMap<AllocId, usize>,
    taken: BTreeSet<String>,
}

/// Something that is 0.
pub(crate) struct Equation {
    pub expr: LinExpr,
    pub about: About,
}

/// What an equation is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// Something that can be written where the state stands.
    Near,
    /// A variable of a calling function.
    Far,
    /// An object's size.
    Size,
}

/// A pointer that C can write.
#[derive(Clone)]
pub(crate) struct Anchor {
    pub atom: Var,
    pub object: AllocId,
    pub offset: LinExpr,
    pub pointee: Option<Pointee>,
    /// It is the name of the object itself.
    pub is_object: bool,
}

/// Questions about signs are small.
const STEPS: u64 = 20_000;

impl<'s> Names<'s> {
    /// Finds names for `state`.
    pub fn new(program: &'s Program, integers: IntegerModel, state: &'s State) -> Names<'s> {
        let mut names = Names {
            program,
            state,
            integers,
            atoms: Vec::new(),
            image: BTreeMap::new(),
            equations: Vec::new(),
            sentences: Vec::new(),
            ghosts: Vec::new(),
            anchors: Vec::new(),
            bases: BTreeMap::new(),
            taken: taken(program, state),
        };
        let variables = items(program, state);
        for near in [true, false] {
            names.named_objects(near);
            variables.iter().filter(|item| item.near == near).for_each(|item| names.variable(item));
        }
        let rest = names.plain_cells();
        names.choose_bases();
        names.pointers();
        names.cells(rest);
        names.sizes();
        names
    }

    /// Objects with a name of their own are pointers to their start.
    fn named_objects(&mut self, near: bool) {
        let globals = self.state.cells.iter().map(|cell| cell.alloc).filter(|id| matches!(id, AllocId::Global(_)));
        let ids: BTreeSet<AllocId> =
            self.state.allocations.keys().copied().chain(globals).chain(self.pointed_to()).collect();
        for id in ids {
            let Some((object, is_near)) = named(self.program, self.state, id) else { continue };
            if is_near != near {
                continue;
            }
            let is_array = object.ctype() == CType::Aggregate;
            let expr = if is_array { object.name() } else { object.name().address() };
            let step = self.element_size(id);
            let kind = AtomKind::Pointer { object: id, step, base: false };
            let atom = self.atom(Atom { expr, kind, near });
            let pointee = Some(Pointee { size: step, ctype: CType::Signed, members: Vec::new() });
            let offset = LinExpr::constant(Rat::ZERO);
            self.anchors.push(Anchor { atom, object: id, offset, pointee, is_object: true });
        }
    }

    /// Globals that a variable points to.
    fn pointed_to(&self) -> impl Iterator<Item = AllocId> + 's {
        let state = self.state;
        let values = state.frames.iter().flat_map(|frame| frame.values.values().chain(&frame.params));
        values.chain(state.cells.iter().map(|cell| &cell.value)).filter_map(|value| match value {
            Value::Pointer(id @ AllocId::Global(_), _) => Some(*id),
            _ => None,
        })
    }

    /// The width of an object's cells, which is that of its elements if it is an array.
    fn element_size(&self, id: AllocId) -> u64 {
        self.state.cells.iter().find(|cell| cell.alloc == id).map_or(1, |cell| cell.width.max(1))
    }

    /// A variable or a cell with a name.
    pub(crate) fn variable(&mut self, item: &Item) {
        match &item.value {
            Value::Int(expr) => self.integer(item, expr),
            Value::Pointer(object, offset) => {
                let step = item.pointee.as_ref().map_or(1, |pointee| pointee.size);
                let kind = AtomKind::Pointer { object: *object, step, base: false };
                let atom = self.atom(Atom { expr: item.expr.clone(), kind, near: item.near });
                let (object, offset, pointee) = (*object, offset.clone(), item.pointee.clone());
                self.anchors.push(Anchor { atom, object, offset, pointee, is_object: false });
            }
            Value::Null => {
                let kind = AtomKind::Int(None);
                let atom = self.atom(Atom { expr: item.expr.clone(), kind, near: item.near });
                let is_null = Expr::binary(Binary::Equal, item.expr.clone(), Expr::name("NULL"));
                self.sentences.push((atom, is_null));
            }
            Value::Truth(_) | Value::Address(..) | Value::Function(_) | Value::Top => {}
        }
    }

    fn integer(&mut self, item: &Item, expr: &LinExpr) {
        let unsigned = matches!(item.ctype, CType::Unsigned);
        let range = self.range(item.width);
        let (known, range) = match (unsigned, unsigned && self.is_non_negative(expr)) {
            (false, _) => (item.expr.clone(), range),
            (true, true) => (item.expr.clone(), range.map(|(_, high)| (0, 2 * high + 1))),
            (true, false) => (Expr::cast(signed_type(item.width), item.expr.clone()), range),
        };
        let kind = AtomKind::Int(range);
        let atom = self.atom(Atom { expr: known, kind, near: item.near });
        self.equate(&LinExpr::var(atom), expr, if item.near { About::Near } else { About::Far });
    }

    fn range(&self, width: u16) -> Option<(i128, i128)> {
        match (width, self.integers) {
            (1, _) => Some((0, 1)),
            (2..=64, IntegerModel::Machine) => Some((-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)),
            (_, IntegerModel::Machine | IntegerModel::Unbounded) => None,
        }
    }

    fn is_non_negative(&self, expr: &LinExpr) -> bool {
        let budget = Budget::steps(STEPS);
        let mut oracle = Certified::new(&budget);
        self.state.knowledge.non_negative(expr, &mut oracle).unwrap_or(false)
    }

    /// Learns from `known`, over atoms, being `expr`, over symbolic integers: the value of one that had none, or an equation.
    pub(crate) fn equate(&mut self, known: &LinExpr, expr: &LinExpr, about: About) {
        let open: Vec<&(Var, Rat)> = expr.terms().iter().filter(|(var, _)| !self.image.contains_key(var)).collect();
        match open.as_slice() {
            [] => {
                if let Some(image) = self.over_atoms(expr) {
                    self.equations.push(Equation { expr: known.minus(&image), about });
                }
            }
            [(var, factor)] => {
                let var = *var;
                let rest = LinExpr::new(
                    expr.terms().iter().filter(|(other, _)| *other != var).cloned(),
                    expr.offset().clone(),
                );
                let (Some(rest), Some(inverse)) = (self.over_atoms(&rest), factor.recip()) else { return };
                self.image.insert(var, known.minus(&rest).scaled(&inverse));
            }
            _ => {}
        }
    }

    /// Decides from which pointer the places of each object are told: one that lies at a known distance from its start, or one that is made up.
    fn choose_bases(&mut self) {
        let objects: BTreeSet<AllocId> = self.anchors.iter().map(|anchor| anchor.object).collect();
        for object in objects {
            self.choose_base(object);
        }
    }

    /// Decides it for one object, once.
    pub(crate) fn choose_base(&mut self, object: AllocId) {
        if !self.bases.contains_key(&object) {
            let fixed = |anchor: &Anchor| anchor.object == object && anchor.offset.is_constant();
            let near = |at: &usize| self.atoms[self.anchors[*at].atom.index()].near;
            let candidates: Vec<usize> = (0..self.anchors.len()).filter(|at| fixed(&self.anchors[*at])).collect();
            let best = candidates.iter().find(|at| near(at)).or(candidates.first()).copied();
            let at = best.unwrap_or_else(|| self.made_up_base(object));
            self.bases.insert(object, at);
            if let AtomKind::Pointer { base, .. } = &mut self.atoms[self.anchors[at].atom.index()].kind {
                *base = true;
            }
        }
    }

    fn made_up_base(&mut self, object: AllocId) -> usize {
        let step = self.step_of(object);
        let name = self.made_up_name("start");
        self.ghosts.push(name.clone());
        let kind = AtomKind::Pointer { object, step, base: true };
        let atom = self.atom(Atom { expr: Expr::Name(name), kind, near: false });
        let pointee = Some(Pointee { size: step, ctype: CType::Signed, members: Vec::new() });
        self.anchors.push(Anchor { atom, object, offset: LinExpr::constant(Rat::ZERO), pointee, is_object: false });
        self.anchors.len() - 1
    }

    /// The size of what pointers into an object point to.
    pub(crate) fn step_of(&self, object: AllocId) -> u64 {
        let pointee =
            self.anchors.iter().filter(|anchor| anchor.object == object).find_map(|anchor| anchor.pointee.as_ref());
        pointee.map_or_else(|| self.element_size(object), |pointee| pointee.size)
    }

    /// A name that nothing has.
    pub(crate) fn made_up_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while self.taken.contains(&name) {
            number += 1;
            name = format!("{wanted}{number}");
        }
        self.taken.insert(name.clone());
        name
    }

    /// Where an atom can be written.
    pub(crate) fn about(&self, atom: Var) -> About {
        if self.atoms[atom.index()].near { About::Near } else { About::Far }
    }

    /// The offset of a pointer from its object's start, over atoms.
    pub(crate) fn distance(&self, atom: Var, object: AllocId) -> Option<LinExpr> {
        let base = &self.anchors[*self.bases.get(&object)?];
        Some(LinExpr::var(atom).minus(&LinExpr::var(base.atom)).plus(&base.offset))
    }

    fn pointers(&mut self) {
        for at in 0..self.anchors.len() {
            let anchor = self.anchors[at].clone();
            if self.bases.get(&anchor.object) != Some(&at)
                && let Some(known) = self.distance(anchor.atom, anchor.object)
            {
                self.equate(&known, &anchor.offset, self.about(anchor.atom));
            }
        }
    }

    fn sizes(&mut self) {
        for (id, allocation) in &self.state.allocations {
            let Some(base) = self.bases.get(id).map(|at| self.anchors[*at].clone()) else { continue };
            // A C object's size is known from its declaration.
            if named(self.program, self.state, *id).is_some() && allocation.size.is_constant() {
                continue;
            }
            let Atom { expr, near, .. } = self.atoms[base.atom.index()].clone();
            let expr = Expr::call("__CPROVER_OBJECT_SIZE", vec![expr]);
            let atom = self.atom(Atom { expr, kind: AtomKind::Int(Some((0, i128::from(i64::MAX)))), near });
            self.equate(&LinExpr::var(atom), &allocation.size, About::Size);
        }
    }

    /// A cell that nothing in C reaches gets a pointer of its own.
    pub(crate) fn made_up_pointer(&mut self, cell: &Cell) -> Option<Var> {
        let terminates = cell.width == 1 && cell.value == Value::Int(LinExpr::constant(Rat::ZERO));
        let name = self.made_up_name(if terminates { "end" } else { "place" });
        let kind = AtomKind::Pointer { object: cell.alloc, step: cell.width.max(1), base: false };
        let near =
            self.anchors.iter().any(|anchor| anchor.object == cell.alloc && self.atoms[anchor.atom.index()].near);
        let atom = self.atom(Atom { expr: Expr::name(&name), kind, near });
        let known = self.distance(atom, cell.alloc)?;
        self.ghosts.push(name);
        self.equate(&known, &cell.offset, About::Near);
        Some(atom)
    }
}

fn signed_type(width: u16) -> &'static str {
    match width {
        0..=8 => "signed char",
        9..=16 => "short",
        17..=32 => "int",
        33..=64 => "long",
        _ => "__int128",
    }
}

/// The names that the program has where the state stands.
fn taken(program: &Program, state: &State) -> BTreeSet<String> {
    let globals = program.globals.iter().map(|global| global.name.clone());
    let function = state.frames.last().map(|frame| &program.functions[frame.function]);
    let locals = function.into_iter().flat_map(|function| {
        let locals = function.locals.iter().map(|local| local.name.clone());
        locals.chain(function.params.iter().map(|param| param.name.clone()))
    });
    globals.chain(locals).collect()
}
