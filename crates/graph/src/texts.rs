//! Strings side by side: bytes before an end that both states know not to be 0.

use belay_symbolic::{AllocId, ArrayRange, Content};

use super::pairing::{Pairer, SlotKind};

/// True of the bytes of a string before its end.
pub(super) fn is_text(range: &ArrayRange) -> bool {
    range.content == Content::NonZero
}

impl Pairer<'_> {
    /// Keeps the strings that begin, or end, at the same place of an object in both states.
    pub(super) fn texts(&mut self) {
        let (left, right) = (self.left, self.right);
        let mut taken = vec![false; right.ranges.len()];
        for range in left.ranges.iter().filter(|range| is_text(range)) {
            let own = match range.alloc {
                AllocId::Global(_) => Some(range.alloc),
                AllocId::Made(_) => self.objects.get(&range.alloc).copied(),
            };
            let meets = |at: &usize| {
                let other = &right.ranges[*at];
                let same = |a, b| self.is_same_place(a, b);
                let fits = !taken[*at] && is_text(other) && Some(other.alloc) == own;
                fits && (same(&range.from, &other.from) || same(&range.to, &other.to))
            };
            let Some(at) = (0..right.ranges.len()).find(meets) else { continue };
            taken[at] = true;
            let other = &right.ranges[at];
            let Some(alloc) = self.object(range.alloc, other.alloc) else { continue };
            let number = self.state.ranges.len();
            let from = self.slot(&range.from, &other.from, SlotKind::CellOffset, format!("text{number}"));
            let to = self.slot(&range.to, &other.to, SlotKind::CellOffset, format!("end{number}"));
            self.state.ranges.push(ArrayRange { alloc, from, to, ..range.clone() });
        }
    }
}
