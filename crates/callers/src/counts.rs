//! Which numbers may say how many elements a pointer leads to.

use belay_frontend::EntryParam;

use crate::descriptions::{Choice, Subject, is_character, is_length};
use crate::sizes::{Size, bytes_of};
use crate::usage::{Count, Origin, Scale, common};

/// How many elements are tried where nothing tells; the first before numbers that are only compared with something.
const ROOMS: [u64; 2] = [32, 1024];

/// How much further away a number is that says how much of an array is used.
const BEHIND: usize = 1 << 16;

/// How likely a number is a length, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It limits offsets.
    Limit,
    /// Constants limit all offsets.
    Constant,
    /// It is an offset, or nothing else limits some.
    Offset,
    /// Room for what is written at offsets that nothing limits.
    Room,
    /// It is compared with something, or says how much is copied.
    Compared,
    /// A member that is an offset: there are other members for lengths.
    Member,
}

impl Subject<'_> {
    /// The parameters that say how much there is where pointers lead.
    pub fn lengths_given(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (index, node) in self.usage.nodes.iter().enumerate().filter(|(_, node)| node.varies) {
            let counts = self.usage.counts.iter().filter(|_| matches!(node.origin, Origin::Param(_)));
            for count in counts.chain(self.limits(index)) {
                let Count::Param(given) = count else { continue };
                let name = &self.function.params[*given as usize].name;
                all.push(name.clone());
            }
        }
        all
    }

    /// Numbers that may be lengths, the likeliest first.
    pub(crate) fn counts(&self, node: usize, place: &str, choice: Choice) -> Vec<Size> {
        let mut found: Vec<((Rank, usize), Size)> = Vec::new();
        let own = self.entry.params.iter().position(|param| param.name == place);
        for count in self.usage.counts.iter().chain(self.limits(node)) {
            let rank = self.rank(node, count);
            let Some((at, size)) = self.number(node, (place, own), (count, rank)) else { continue };
            let size = size.at_most(self.usage.counters.get(count));
            let at = if self.is_fill_level(node, count) { at + BEHIND } else { at };
            match rank {
                Rank::Limit | Rank::Offset => {
                    let limits = self.scales(node, count, Rank::Limit).into_iter().filter(|_| rank == Rank::Limit);
                    found.extend(limits.map(|scale| ((rank, at), size.clone().scaled(scale))));
                    // `a[n] = 0` behind as many.
                    let spots = self.scales(node, count, Rank::Offset).into_iter();
                    let rank = if matches!(count, Count::Param(_)) { Rank::Offset } else { Rank::Member };
                    found.extend(spots.map(|scale| ((rank, at), size.clone().of_index().scaled(scale))));
                }
                Rank::Constant | Rank::Room | Rank::Compared | Rank::Member => found.push(((rank, at), size)),
            }
        }
        let unused = self.unused_lengths(node, place).into_iter();
        found.extend(unused.map(|(at, size)| ((Rank::Offset, at), size)));
        found.extend(self.all_of_type(node).map(|size| ((Rank::Limit, 0), size)));
        found.extend(self.reached(node).map(|size| ((Rank::Constant, 0), size)));
        let lengths = own.map(|_| self.lengths(node, place, choice)).into_iter().flatten();
        if self.counts_offsets(node) && self.usage.nodes[node].is_written {
            found.extend(lengths.map(|size| ((Rank::Room, 0), size)));
            let ranks = [Rank::Room, Rank::Member].into_iter();
            found.extend(ranks.zip(ROOMS).map(|(rank, room)| ((rank, room as usize), Size::constant(room))));
        } else {
            found.extend(lengths.map(|size| ((Rank::Compared, usize::MAX), size)));
        }
        found.sort();
        found.dedup();
        let mut all: Vec<Size> = found.into_iter().map(|(_, size)| size).collect();
        // What is written and of which no number tells how much: some room.
        if all.is_empty() && own.is_some() && self.usage.nodes[node].is_written {
            all.extend(ROOMS.map(Size::constant));
        }
        all
    }

    /// A number as C names it beside a pointer, and how far the two are from each other.
    fn number(
        &self,
        node: usize,
        (place, own): (&str, Option<usize>),
        (count, rank): (&Count, Rank),
    ) -> Option<(usize, Size)> {
        match count {
            Count::Param(index) => {
                let name = &self.function.params[*index as usize].name;
                let at = self.entry.params.iter().position(|param| param.name == *name)?;
                let ty = self.types.plain(&self.entry.params[at].ty);
                let is_meant = may_count(&ty, rank) && own.is_some();
                is_meant.then(|| (distance(own, at), Size::new(name.clone(), &ty)))
            }
            Count::Member(from, offset) => {
                let member = self.member_count((node, place), (*from, *offset), rank);
                member.or_else(|| self.pointed_count(own, (*from, *offset), rank))
            }
        }
    }

    /// How likely a number is a length of what a pointer leads to.
    fn rank(&self, node: usize, count: &Count) -> Rank {
        match self.usage.indices.get(&node) {
            Some(indices) if indices.bounds.contains(count) => Rank::Limit,
            Some(indices) if indices.spots.iter().any(|(_, spot)| spot == count) => Rank::Offset,
            Some(_) | None => Rank::Compared,
        }
    }

    /// True for a number that is the place of the next element, compared with another that limits places and is none: there is room for as many as that one says.
    fn is_fill_level(&self, node: usize, count: &Count) -> bool {
        let Some(indices) = self.usage.indices.get(&node) else { return false };
        let is_spot = |count: &Count| indices.spots.iter().any(|(_, spot)| spot == count);
        let compared = &self.usage.compared;
        let is_room = |other: &Count| {
            other != count
                && !is_spot(other)
                && (compared.contains(&(*count, *other)) || compared.contains(&(*other, *count)))
        };
        is_spot(count) && indices.bounds.iter().any(is_room)
    }

    /// So many elements for each of what a number counts, the largest first.
    fn scales(&self, node: usize, count: &Count, rank: Rank) -> Vec<Scale> {
        let size = self.target(node).and_then(|target| bytes_of(self.types, &target)).unwrap_or(1).max(1);
        let own = self.usage.indices.get(&node).into_iter();
        let own = own.flat_map(|indices| if rank == Rank::Limit { &indices.scaled } else { &indices.spots });
        let of_elements = |(times, part): Scale| {
            let part = part.checked_mul(size)?;
            let by = common(times, part).max(1);
            Some((times / by, part / by)).filter(|(times, part)| *times == 1 || *part == 1)
        };
        let own = own.filter(|(_, bound)| bound == count).filter_map(|(scale, _)| of_elements(*scale));
        let mut all: Vec<Scale> = own.filter(|(times, part)| *times <= 64 && *part <= 4096).collect();
        all.sort_by_key(|(times, part)| (std::cmp::Reverse(*times), *part));
        all.dedup();
        if all.is_empty() && rank == Rank::Limit { vec![(1, 1)] } else { all }
    }

    /// As many elements as constants of the program let offsets reach.
    fn reached(&self, node: usize) -> Option<Size> {
        let indices = self.usage.indices.get(&node)?;
        let uses = &self.usage.nodes[node];
        if indices.is_open || !indices.bounds.is_empty() || uses.roams {
            return None;
        }
        let size = bytes_of(self.types, &self.target(node)?)?.max(1);
        let inner = self.usage.inner.range((node, i64::MIN)..=(node, i64::MAX));
        let ends = inner.map(|((_, base), inner)| u64::try_from(*base).unwrap_or_default() + inner.reach + 1);
        let end = ends.max().unwrap_or_default().max(uses.end);
        Some(Size::constant(end.div_ceil(size)))
    }

    /// True if offsets are counted in loops and nothing limits them.
    fn counts_offsets(&self, node: usize) -> bool {
        self.usage.indices.get(&node).is_some_and(|indices| indices.is_counted && indices.bounds.is_empty())
    }

    /// The lengths of texts that are given as well, for what is written.
    fn lengths(&self, node: usize, place: &str, choice: Choice) -> Vec<Size> {
        let uses = &self.usage.nodes[node];
        let is_measured = |param: &&EntryParam| {
            let target = self.types.pointee(&param.ty);
            let node = self.node(param).map(|node| &self.usage.nodes[node]);
            let is_text = node.is_some_and(|node| node.is_zero_tested && node.varies && !node.is_written);
            let is_null = node.is_some_and(|node| node.is_null_tested && choice.nullable > 0);
            let is_limited = self.node(param).is_some_and(|node| self.limits(node).next().is_some());
            param.name != place
                && !is_limited
                && is_text
                && !is_null
                && target.is_some_and(|target| is_character(&target))
        };
        let texts = self.entry.params.iter().filter(is_measured).filter(|_| uses.is_written);
        let more = if uses.is_zero_tested { "" } else { " + 1" };
        texts.map(|param| Size::new(format!("__builtin_strlen({}){more}", param.name), "unsigned long")).collect()
    }

    /// A number that a parameter points to.
    fn pointed_count(&self, own: Option<usize>, (from, offset): (usize, u64), rank: Rank) -> Option<(usize, Size)> {
        let Origin::Param(index) = self.usage.nodes[from].origin else { return None };
        let name = &self.function.params[index as usize].name;
        let at = self.entry.params.iter().position(|param| param.name == *name)?;
        let ty = self.types.pointee(&self.entry.params[at].ty).map(|ty| self.types.plain(&ty))?;
        let is_meant =
            own.is_some_and(|own| own != at) && offset == 0 && may_count(&ty, rank) && !self.usage.nodes[from].varies;
        is_meant.then(|| (distance(own, at) + 1, Size::new(format!("*{name}"), &ty)))
    }

    /// A number that stands in the structure that the pointer itself was loaded from.
    fn member_count(
        &self,
        (node, place): (usize, &str),
        (from, offset): (usize, u64),
        rank: Rank,
    ) -> Option<(usize, Size)> {
        let (holder, _) = place.rsplit_once("->")?;
        let Origin::Loaded(loaded_from, _) = self.usage.nodes[node].origin else { return None };
        let ty = self.target(from)?;
        let record = self.types.record(&ty).filter(|_| loaded_from == from)?;
        let mut fields = record.fields.iter();
        let field = fields.find(|field| field.offset == offset && may_count(&self.types.plain(&field.ty), rank))?;
        let ty = self.types.plain(&field.ty);
        Some((offset as usize, Size::new(format!("{holder}->{}", field.path), &ty)))
    }
}

/// Bytes count only what they limit: elsewhere they are contents.
fn may_count(ty: &str, rank: Rank) -> bool {
    is_length(ty) || rank == Rank::Limit && ty == "unsigned char"
}

/// How far a parameter is from the one whose length it may be: what comes behind is likelier.
fn distance(own: Option<usize>, at: usize) -> usize {
    own.map_or(at, |own| if at > own { at - own } else { 8 + own - at })
}
