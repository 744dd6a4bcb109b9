//! A map from offsets to what is special there. Most objects have none or one entry, a pointer variable its pointer: up to
//! a few stand in a sorted list in the object itself, more in a tree.

use std::collections::{BTreeMap, btree_map};

use smallvec::SmallVec;

use crate::contents::Special;

/// More entries than this go into a tree.
const FEW: usize = 16;

/// The entries, by offset.
#[derive(Clone, Debug)]
pub(crate) enum Sparse {
    /// Sorted.
    Few(SmallVec<[(u64, Special); 1]>),
    Many(BTreeMap<u64, Special>),
}

impl Default for Sparse {
    fn default() -> Self {
        Sparse::Few(SmallVec::new())
    }
}

/// Entries in order.
pub(crate) enum Entries<'s> {
    Few(std::slice::Iter<'s, (u64, Special)>),
    Many(btree_map::Range<'s, u64, Special>),
}

impl<'s> Iterator for Entries<'s> {
    type Item = (u64, &'s Special);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Entries::Few(entries) => entries.next().map(|(at, special)| (*at, special)),
            Entries::Many(entries) => entries.next().map(|(at, special)| (*at, special)),
        }
    }
}

impl Sparse {
    pub(crate) fn len(&self) -> usize {
        match self {
            Sparse::Few(entries) => entries.len(),
            Sparse::Many(entries) => entries.len(),
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Sparse::Few(entries) => entries.is_empty(),
            Sparse::Many(entries) => entries.is_empty(),
        }
    }

    /// The entry at `offset`.
    #[inline]
    pub(crate) fn get(&self, offset: u64) -> Option<&Special> {
        match self {
            Sparse::Few(entries) => entries.iter().find(|(at, _)| *at == offset).map(|(_, special)| special),
            Sparse::Many(entries) => entries.get(&offset),
        }
    }

    /// The entry at `offset`, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, offset: u64) -> Option<&mut Special> {
        match self {
            Sparse::Few(entries) => entries.iter_mut().find(|(at, _)| *at == offset).map(|(_, special)| special),
            Sparse::Many(entries) => entries.get_mut(&offset),
        }
    }

    /// The last entry that starts before `offset`.
    pub(crate) fn before(&self, offset: u64) -> Option<(u64, &Special)> {
        match self {
            Sparse::Few(entries) => {
                entries.iter().rev().find(|(at, _)| *at < offset).map(|(at, special)| (*at, special))
            }
            Sparse::Many(entries) => entries.range(..offset).next_back().map(|(at, special)| (*at, special)),
        }
    }

    /// The entries that start in a range.
    pub(crate) fn range(&self, start: u64, end: u64) -> Entries<'_> {
        match self {
            Sparse::Few(entries) => {
                let first = entries.partition_point(|(at, _)| *at < start);
                let last = entries.partition_point(|(at, _)| *at < end);
                Entries::Few(entries[first..last.max(first)].iter())
            }
            Sparse::Many(entries) => Entries::Many(entries.range(start..end.max(start))),
        }
    }

    /// All entries.
    pub(crate) fn iter(&self) -> Entries<'_> {
        match self {
            Sparse::Few(entries) => Entries::Few(entries.iter()),
            Sparse::Many(entries) => Entries::Many(entries.range(..)),
        }
    }

    /// Puts an entry at `offset`, in place of what stood there.
    pub(crate) fn insert(&mut self, offset: u64, special: Special) {
        match self {
            Sparse::Few(entries) => match entries.binary_search_by_key(&offset, |(at, _)| *at) {
                Ok(index) => entries[index].1 = special,
                Err(index) if entries.len() < FEW => entries.insert(index, (offset, special)),
                Err(_) => {
                    let mut many: BTreeMap<u64, Special> = entries.drain(..).collect();
                    many.insert(offset, special);
                    *self = Sparse::Many(many);
                }
            },
            Sparse::Many(entries) => {
                entries.insert(offset, special);
            }
        }
    }

    /// Takes the entry at `offset` out.
    pub(crate) fn remove(&mut self, offset: u64) -> Option<Special> {
        match self {
            Sparse::Few(entries) => {
                let index = entries.binary_search_by_key(&offset, |(at, _)| *at).ok()?;
                Some(entries.remove(index).1)
            }
            Sparse::Many(entries) => entries.remove(&offset),
        }
    }
}
