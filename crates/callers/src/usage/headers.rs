//! What is read and written before a pointer: the header of what it leads to. Which header it is may be said by a tag that stands there as well.

use std::collections::BTreeSet;

use belay_ir::{BinaryOp, BlockId, CastOp, InstId, IntPredicate, Op, Operand, Terminator, Type};

use super::walk::{Walk, bytes_of};
use super::{Moved, Usage, Value};

/// Bytes of headers that are described, at most.
const LONGEST: i64 = 256;

/// A number before a pointer that tells headers apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tag {
    /// Where it stands.
    pub at: i64,
    /// Its bytes.
    pub size: u64,
    /// The bits that are looked at.
    pub mask: u64,
}

/// An access before a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Before {
    /// Where it begins.
    pub at: i64,
    /// Its bytes.
    pub size: u64,
    /// Whether it is one of a number, and by how many bits that is shifted before it is used.
    pub number: Option<u32>,
    /// The value that a tag has where it is made.
    pub case: Option<(Tag, u64)>,
}

impl Before {
    /// The same of a pointer that is moved.
    fn moved(self, by: i64) -> Before {
        let case = self.case.map(|(tag, value)| (Tag { at: tag.at + by, ..tag }, value));
        Before { at: self.at + by, case, ..self }
    }
}

impl Usage {
    fn accessed_before(&mut self, node: usize, before: Before) {
        if (-LONGEST..0).contains(&before.at) {
            self.headers.entry(node).or_default().insert(before);
        }
    }
}

impl Walk<'_, '_> {
    /// Notes an access if it is one before a pointer.
    pub(super) fn note_header(&mut self, ptr: Operand, ty: Option<Type>) {
        let Some(ty) = ty else { return };
        let number = matches!(ty, Type::Int(8 | 16 | 32 | 64)).then_some(0);
        for value in self.values(ptr) {
            if let Value::Pointer(node, Moved::By(at)) = value
                && at < 0
            {
                let case = self.case(node);
                self.found.accessed_before(node, Before { at, size: bytes_of(ty), number, case });
            }
        }
    }

    /// Notes that a part of a number is used that stands before a pointer.
    pub(super) fn note_shifted(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) {
        let is_right = matches!(op, BinaryOp::LShr | BinaryOp::AShr);
        let by = rhs.as_int().and_then(|by| u32::try_from(by).ok()).filter(|by| is_right && (1..64).contains(by));
        let Some(by) = by else { return };
        if let Some((node, Tag { at, size, .. })) = self.tag(lhs) {
            let case = self.case(node);
            self.found.accessed_before(node, Before { at, size, number: Some(by), case });
        }
    }

    /// What a callee accesses before its pointers is accessed before these.
    pub(super) fn apply_headers(&mut self, usage: &Usage, stand_for: &[Vec<(usize, Moved)>]) {
        for (node, all) in &usage.headers {
            for (mine, moved) in &stand_for[*node] {
                let Moved::By(by) = *moved else { continue };
                let here = self.case(*mine);
                for before in all {
                    let before = before.moved(by);
                    self.found.accessed_before(*mine, Before { case: before.case.or(here), ..before });
                }
            }
        }
    }

    /// The value that a tag before a pointer has where the walk is.
    fn case(&mut self, node: usize) -> Option<(Tag, u64)> {
        let mut at = self.here.0;
        while let Some(up) = self.dominators.immediate(at) {
            if self.cfg.predecessors(at) == [up]
                && let Some((value, case, is_equal)) = self.compared_with(up, at)
                && let Some((of, tag)) = self.tag(value)
                && of == node
                // A single bit that is not 0 is 1.
                && (is_equal || case == 0 && tag.mask.is_power_of_two())
            {
                return Some((tag, if is_equal { case } else { tag.mask }));
            }
            at = up;
        }
        None
    }

    /// What has one value only where a block goes on at another, or has any other there.
    fn compared_with(&self, from: BlockId, to: BlockId) -> Option<(Operand, u64, bool)> {
        let number = |value: u128| u64::try_from(value).ok();
        match &self.function.blocks[from].term {
            Terminator::Switch { value, cases, default } if *default != to => {
                let mut here = cases.iter().filter(|(_, target)| *target == to);
                let (case, _) = here.next().filter(|_| here.next().is_none())?;
                Some((*value, number(*case)?, true))
            }
            Terminator::Branch { cond: Operand::Inst(cond), then, otherwise } if then != otherwise => {
                let Op::Compare { op, lhs, rhs } = &self.function.insts[*cond].op else { return None };
                let is_equal = (*op == IntPredicate::Eq) == (*then == to);
                let is_meant = matches!(op, IntPredicate::Eq | IntPredicate::Ne);
                Some((*lhs, number(rhs.as_int()?)?, is_equal)).filter(|_| is_meant)
            }
            Terminator::Switch { .. }
            | Terminator::Branch { .. }
            | Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::Unreachable { .. } => None,
        }
    }

    /// A number that stands before one pointer only, and the bits of it that are looked at.
    fn tag(&mut self, value: Operand) -> Option<(usize, Tag)> {
        let (mut value, mut mask) = (value, u64::MAX);
        for _ in 0..8 {
            let Operand::Inst(inst) = value else { return None };
            match &self.function.insts[inst].op {
                Op::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, value: from }
                | Op::Freeze { value: from } => value = *from,
                Op::Binary { op: BinaryOp::And, lhs, rhs } => {
                    mask &= rhs.as_int().and_then(|bits| u64::try_from(bits).ok())?;
                    value = *lhs;
                }
                Op::Load { ptr, .. } => return self.tag_at(inst, *ptr, mask),
                _ => return None,
            }
        }
        None
    }

    fn tag_at(&mut self, load: InstId, ptr: Operand, mask: u64) -> Option<(usize, Tag)> {
        let Some(Type::Int(bits @ (8 | 16 | 32 | 64))) = self.function.insts[load].ty else { return None };
        let places = self.values(ptr);
        let [Value::Pointer(node, Moved::By(at))] = places.as_slice() else { return None };
        let mask = if bits == 64 { mask } else { mask & ((1 << bits) - 1) };
        (*at < 0).then_some((*node, Tag { at: *at, size: u64::from(bits / 8), mask }))
    }
}

/// What is accessed before a pointer, by different functions.
pub type Headers = BTreeSet<Before>;
