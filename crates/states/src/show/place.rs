//! Cells of memory as C reads them: `x`, `*p`, `a[i + 1]`, `list->next`.

use belay_expression::Expr;
use belay_ir::{CType, Member, Pointee};
use belay_linear::{LinExpr, Rat};

use super::items::{Item, Named, named};
use super::linear::{Atom, AtomKind, exact};
use super::naming::{Anchor, Names};
use crate::state::{Cell, Value};

/// How a cell is written, and how its value is shown.
struct Written {
    expr: Expr,
    ctype: CType,
    near: bool,
}

impl Names<'_> {
    /// Cells of objects that have a name where the state stands, at a known place, are variables themselves. Gives the others.
    pub(crate) fn plain_cells(&mut self) -> Vec<Cell> {
        let mut rest = Vec::new();
        for cell in self.state.cells.clone() {
            match self.plain(&cell).filter(|written| written.near) {
                Some(written) => self.hold(&cell, written),
                None => rest.push(cell),
            }
        }
        rest
    }

    fn plain(&self, cell: &Cell) -> Option<Written> {
        let (object, near) = named(self.program, self.state, cell.alloc)?;
        let offset = cell.offset.is_constant().then(|| cell.offset.offset().to_i64()).flatten()?;
        let offset = u64::try_from(offset).ok()?;
        let (expr, ctype) = match &object {
            Named::Local(local, _) if !local.members.is_empty() => {
                let (path, ctype) = member(&local.members, offset, cell.width)?;
                (part_of(path, |path| object.name().member(path)), ctype)
            }
            _ if object.ctype() != CType::Aggregate => (offset == 0).then(|| (object.name(), object.ctype()))?,
            _ => {
                let index = (offset % cell.width.max(1) == 0).then(|| offset / cell.width.max(1))?;
                (object.name().element(Expr::Integer(index.into())), CType::Signed)
            }
        };
        Some(Written { expr, ctype, near })
    }

    /// The cells that are reached through pointers; pointers that they hold may lead to more.
    pub(crate) fn cells(&mut self, mut rest: Vec<Cell>) {
        loop {
            let before = rest.len();
            let mut later = Vec::new();
            for cell in rest {
                let near = self.through_pointer(&cell).filter(|written| written.near);
                match near.or_else(|| self.plain(&cell)).or_else(|| self.through_pointer(&cell)) {
                    Some(written) => self.hold_late(&cell, written),
                    None => later.push(cell),
                }
            }
            rest = later;
            if rest.is_empty() || rest.len() == before {
                break;
            }
        }
        for cell in rest {
            self.choose_base(cell.alloc);
            if matches!(cell.value, Value::Int(_) | Value::Null | Value::Pointer(..))
                && let Some(atom) = self.made_up_pointer(&cell)
            {
                let Atom { expr, near, .. } = self.atoms[atom.index()].clone();
                let written = Written { expr: expr.target(), ctype: CType::Signed, near };
                self.hold_late(&cell, written);
            }
        }
    }

    /// Learns what a cell holds.
    fn hold(&mut self, cell: &Cell, written: Written) {
        let Written { expr, ctype, near } = written;
        let width = u16::try_from(8 * cell.width).unwrap_or(64);
        self.variable(&Item { expr, value: cell.value.clone(), ctype, width, pointee: None, near });
    }

    /// The same once the other pointers are known: one in memory is told from its object's base, or is that itself.
    fn hold_late(&mut self, cell: &Cell, written: Written) {
        let known = self.anchors.len();
        self.hold(cell, written);
        let Some(anchor) = self.anchors.get(known).cloned() else { return };
        self.choose_base(anchor.object);
        if let Some(distance) = self.distance(anchor.atom, anchor.object) {
            self.equate(&distance, &anchor.offset, self.about(anchor.atom));
        }
    }

    fn through_pointer(&self, cell: &Cell) -> Option<Written> {
        let pointers = || self.anchors.iter().filter(|anchor| anchor.object == cell.alloc);
        let fixed = |anchor: &Anchor| {
            let distance = cell.offset.minus(&anchor.offset);
            distance.is_constant().then(|| distance.offset().to_i64()).flatten()
        };
        let near = |anchor: &Anchor| self.atoms[anchor.atom.index()].near;
        let mut ordered: Vec<&Anchor> = pointers().collect();
        ordered.sort_by_key(|anchor| (!near(anchor), fixed(anchor).is_none_or(|distance| distance != 0)));
        let exactly = ordered.iter().find_map(|anchor| {
            let (expr, ctype) = self.at_distance(anchor, fixed(anchor)?, cell.width)?;
            Some(Written { expr, ctype, near: near(anchor) })
        });
        exactly.or_else(|| {
            ordered.iter().find_map(|anchor| {
                let expr = self.at_index(anchor, cell)?;
                Some(Written { expr, ctype: CType::Signed, near: near(anchor) })
            })
        })
    }

    /// So many bytes from a pointer.
    fn at_distance(&self, anchor: &Anchor, distance: i64, width: u64) -> Option<(Expr, CType)> {
        let pointer = || self.atoms[anchor.atom.index()].expr.clone();
        let Some(Pointee { size, ctype, members }) = &anchor.pointee else {
            return (distance == 0).then(|| (pointer().target(), CType::Signed));
        };
        if !members.is_empty() {
            let offset = u64::try_from(distance).ok()?;
            let (path, ctype) = member(members, offset, width)?;
            return Some((part_of(path, |path| pointer().member_of(path)), ctype));
        }
        let step = i64::try_from(*size).ok()?;
        match (*size == width, distance) {
            (true, 0) if !anchor.is_object => Some((pointer().target(), *ctype)),
            (true, _) if distance % step == 0 => {
                Some((pointer().element(Expr::Integer((distance / step).into())), *ctype))
            }
            _ => None,
        }
    }

    /// An element of an array by an index that C can write.
    fn at_index(&self, anchor: &Anchor, cell: &Cell) -> Option<Expr> {
        let size = anchor.pointee.as_ref().map(|pointee| pointee.size).filter(|size| *size == cell.width)?;
        let distance = self.over_atoms(&cell.offset)?.minus(&self.over_atoms(&anchor.offset)?);
        let element = Rat::from(i64::try_from(size).ok()?).recip()?;
        let index: LinExpr = distance.scaled(&element);
        let is_integer = |index: usize| matches!(self.atoms[index].kind, AtomKind::Int(_));
        if !index.terms().iter().all(|(var, _)| is_integer(var.index())) {
            return None;
        }
        Some(self.atoms[anchor.atom.index()].expr.clone().element(exact(&self.atoms, &index)?))
    }
}

/// A member by its path, or an element of one by its number.
type MemberPath = (String, Option<u64>);

/// What a path leads to in an object.
fn part_of((path, index): MemberPath, of: impl FnOnce(String) -> Expr) -> Expr {
    let member = of(path);
    match index {
        Some(index) => member.element(Expr::Integer(index.into())),
        None => member,
    }
}

/// The member, or element of one, that so many bytes at an offset are.
fn member(members: &[Member], offset: u64, width: u64) -> Option<(MemberPath, CType)> {
    let holds = |member: &&Member| {
        member.offset <= offset && offset.saturating_add(width) <= member.offset.saturating_add(member.size)
    };
    let found = members.iter().filter(holds).min_by_key(|member| member.size)?;
    let inside = offset - found.offset;
    match (found.size == width, inside.checked_rem(width)) {
        (true, _) => Some(((found.path.clone(), None), found.ctype)),
        (false, Some(0)) => Some(((found.path.clone(), Some(inside / width)), CType::Signed)),
        (false, _) => None,
    }
}
