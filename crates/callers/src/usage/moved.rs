//! How far a pointer was moved from where it came from.

/// A distance in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moved {
    /// So many.
    By(i64),
    /// So many, and any number of steps of so many each.
    Steps(i64, u64),
    /// That is not known.
    Freely,
}

impl Moved {
    /// The distance if it is known.
    pub fn exact(self) -> Option<i64> {
        match self {
            Moved::By(by) => Some(by),
            Moved::Steps(..) | Moved::Freely => None,
        }
    }

    /// Where steps begin, or the place itself.
    pub fn base(self) -> Option<i64> {
        match self {
            Moved::By(by) | Moved::Steps(by, _) => Some(by),
            Moved::Freely => None,
        }
    }

    /// One distance after the other.
    pub fn then(self, other: Moved) -> Moved {
        match (self, other) {
            (Moved::Freely, _) | (_, Moved::Freely) => Moved::Freely,
            (Moved::By(one), Moved::By(other)) => Moved::By(one.saturating_add(other)),
            (Moved::Steps(one, step), Moved::By(other)) | (Moved::By(one), Moved::Steps(other, step)) => {
                Moved::Steps(one.saturating_add(other), step)
            }
            // The rows of a table matter more than the columns.
            (Moved::Steps(one, step), Moved::Steps(other, small)) => {
                Moved::Steps(one.saturating_add(other), step.max(small))
            }
        }
    }

    /// True if a place is among those that steps come to.
    pub fn covers(self, other: Moved) -> bool {
        match (self, other) {
            (Moved::Freely, _) => true,
            (Moved::Steps(base, step), Moved::By(at)) => at >= base && is_stepped(base, at, step),
            (Moved::Steps(base, step), Moved::Steps(at, other)) => {
                at >= base && is_stepped(base, at, step) && other.is_multiple_of(step.max(1))
            }
            (one, other) => one == other,
        }
    }
}

/// True if steps lead from one place to another.
fn is_stepped(from: i64, to: i64, step: u64) -> bool {
    to.abs_diff(from).is_multiple_of(step.max(1))
}

/// The greatest common divisor.
pub fn common(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common(other, one % other) }
}
