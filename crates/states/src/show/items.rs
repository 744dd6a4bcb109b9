//! What of a state has a name in C: variables and their values.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use belay_expression::Expr;
use belay_ir::{CType, Function, Global, InstId, Local, Op, Pointee, Program, Type};

use crate::state::{AllocId, AllocKind, Frame, State, Value};

/// A C expression and its value.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub expr: Expr,
    pub value: Value,
    pub ctype: CType,
    /// Bits of an integer.
    pub width: u16,
    pub pointee: Option<Pointee>,
    /// It can be written where the state stands.
    pub near: bool,
}

/// Variables of all frames that are in registers, those of the innermost one first.
pub(crate) fn items(program: &Program, state: &State) -> Vec<Item> {
    let last = state.frames.len().saturating_sub(1);
    let mut found = Vec::new();
    for (depth, frame) in state.frames.iter().enumerate().rev().filter(|(_, frame)| !frame.is_exit()) {
        let function = &program.functions[frame.function];
        let near = depth == last;
        let own = |(name, item): (String, Item)| Item { expr: far_name(function, near, name), near, ..item };
        found.extend(registers(function, frame).into_iter().map(own));
    }
    found
}

/// The variables of one frame, by the value that each was given last; earlier values that are still used by another name.
fn registers(function: &Function, frame: &Frame) -> Vec<(String, Item)> {
    let order = OnceCell::new();
    let place_of = |inst: &InstId| {
        let places = || function.placed_insts().enumerate().map(|(place, (_, inst))| (inst, place)).collect();
        let order: &BTreeMap<InstId, usize> = order.get_or_init(places);
        order.get(inst).copied()
    };
    let here: BTreeSet<InstId> = function.blocks[frame.block].insts.iter().take(frame.index).copied().collect();
    let mut by_name: BTreeMap<&str, Vec<(InstId, &Local)>> = BTreeMap::new();
    for inst in frame.values.keys() {
        if matches!(function.insts[*inst].op, Op::Alloca { .. }) {
            continue;
        }
        if let Some(local) = function.local_of_value(*inst) {
            by_name.entry(&local.name).or_default().push((*inst, local));
        }
    }
    let mut found = Vec::new();
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for (name, mut values) in by_name {
        if values.len() > 1 {
            values.sort_by_key(|(inst, _)| std::cmp::Reverse((here.contains(inst), place_of(inst))));
        }
        taken.insert(name);
        for (number, (inst, local)) in values.into_iter().enumerate() {
            let width = width_of(function.insts[inst].ty);
            let value = frame.values[&inst].clone();
            found.push(item(before(name, number), value, local.ctype, width, local.pointee.clone()));
        }
    }
    // A variable that is changed in the loop is not its parameter any more.
    let changed = |name: &str| {
        let insts = function.blocks[frame.block].insts.iter();
        let mut phis = insts.take_while(|inst| matches!(function.insts[**inst].op, Op::Phi { .. }));
        phis.any(|inst| function.local_of_value(*inst).is_some_and(|local| local.name == name))
    };
    for (index, value) in frame.params.iter().enumerate() {
        let Some(param) = function.params.get(index).filter(|param| !param.name.is_empty()) else { continue };
        let local = function.locals.iter().find(|local| local.name == param.name);
        let (ctype, pointee) = local.map_or((CType::Signed, None), |local| (local.ctype, local.pointee.clone()));
        let number = usize::from(taken.contains(param.name.as_str()) || changed(&param.name));
        found.push(item(before(&param.name, number), value.clone(), ctype, width_of(Some(param.ty)), pointee));
    }
    found
}

/// A variable of a calling function as debuggers name it; what the entry function was given as CBMC's contracts do.
fn far_name(function: &Function, near: bool, name: String) -> Expr {
    match (near, function.builds_entry()) {
        (true, _) => Expr::Name(name),
        (false, true) => Expr::old(name),
        (false, false) => Expr::Name(format!("{}::{name}", function.name)),
    }
}

fn item(name: String, value: Value, ctype: CType, width: u16, pointee: Option<Pointee>) -> (String, Item) {
    let expr = Expr::name(&name);
    (name, Item { expr, value, ctype, width, pointee, near: true })
}

fn before(name: &str, number: usize) -> String {
    match number {
        0 => name.to_owned(),
        1 => format!("{name}_before"),
        number => format!("{name}_before{number}"),
    }
}

fn width_of(ty: Option<Type>) -> u16 {
    ty.and_then(Type::int_width).unwrap_or(64)
}

/// An object that has a name in C.
pub(crate) enum Named<'p> {
    Global(&'p Global),
    /// And how it is called where the state stands.
    Local(&'p Local, Expr),
}

impl Named<'_> {
    /// Its name.
    pub fn name(&self) -> Expr {
        match self {
            Named::Global(global) => Expr::name(&global.name),
            Named::Local(_, name) => name.clone(),
        }
    }

    /// How its value is shown.
    pub fn ctype(&self) -> CType {
        match self {
            Named::Global(global) => global.ctype,
            Named::Local(local, _) => local.ctype,
        }
    }
}

/// Whether what an object holds goes without saying: constants, and what the library remembers, which nothing in the program declares.
fn is_background(program: &Program, global: &Global) -> bool {
    let is_of_library = |path: &str| path.starts_with("models/");
    global.constant || program.files.path(global.span.file).is_none_or(is_of_library)
}

/// The C object behind an allocation, and whether it can be named where the state stands.
pub(crate) fn named<'p>(program: &'p Program, state: &State, id: AllocId) -> Option<(Named<'p>, bool)> {
    let number = match id {
        AllocId::Global(global) => {
            let known = &program.globals[global];
            return Some((Named::Global(known), !is_background(program, known)));
        }
        AllocId::Made(_) => state.allocations.get(&id)?,
    };
    let AllocKind::Stack { depth, inst, .. } = number.kind else { return None };
    let function = &program.functions[state.frames.get(depth)?.function];
    let local = function.locals.iter().find(|local| local.alloca == Some(inst))?;
    let near = depth + 1 == state.frames.len();
    Some((Named::Local(local, far_name(function, near, local.name.clone())), near))
}
