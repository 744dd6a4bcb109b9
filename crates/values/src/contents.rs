//! What the objects of a base hold, at any time of any run.
//!
//! **Meaning.** An object of the base is cut into segments. Within a segment, places are told apart by their distance from its start modulo its period; a
//! cell says what the bytes at such places hold, read as one value of the cell's size, whenever a run looks at them. Bytes that are in no cell hold what
//! the object started with. In a segment of *anything*, and where a value is [`Value::Any`], nothing is said, pointers included.
//!
//! **Soundness.** A write is covered ([`Contents::covers_write`]) if each place where it may be is exactly that of a cell which has its value, or lies in cells
//! or segments of which nothing is said. So by induction over the writes of a run the cells' meaning holds. A read gives the cell's value where every
//! place that it may look at is exactly the cell's, what the object starts with where it may look at bytes of no cell, and anything where it cuts
//! through a cell. Accesses beyond the object end the run and are left out on both sides.

use std::collections::BTreeMap;

use crate::range::Range;
use crate::value::{Base, Value};

/// Places of one size that an access may touch: offsets and the number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// The distance between two of them.
    pub step: u64,
    /// How many bytes.
    pub size: u64,
}

impl Places {
    /// The valid places of an access in an object of this size; `None` if there are none.
    pub fn within(offset: &Range, size: u64, object: u64) -> Option<Places> {
        let room = i128::from(object.checked_sub(size)?);
        let (low, high) = offset.signed_bounds();
        let step = i128::from(offset.step().max(1));
        let first = if low >= 0 { low } else { low.rem_euclid(step) };
        let last = first + (high.min(room) - first).div_euclid(step) * step;
        if first > last {
            return None;
        }
        let (first, last) = (u64::try_from(first).ok()?, u64::try_from(last).ok()?);
        Some(Places { first, last, step: if first == last { 0 } else { step as u64 }, size })
    }

    /// The byte after the last; the greatest number where there is none that says it, as of a copy of any length.
    pub fn end(&self) -> u64 {
        self.last.saturating_add(self.size)
    }

    /// Those that lie between two bytes: of a stride that is longer than the period of a segment only its own places, wherever the segment begins.
    fn between(&self, start: u64, end: u64) -> Option<Places> {
        let step = self.step.max(1);
        // So many steps are needed to get there; where no number says how far that is, it is beyond all places.
        let way = |bytes: u64| bytes.div_ceil(step).checked_mul(step);
        let first = self.first.checked_add(way(start.saturating_sub(self.first))?)?;
        let last = self.last.checked_sub(way(self.end().saturating_sub(end))?).filter(|last| first <= *last)?;
        Some(Places { first, last, step: if first == last { 0 } else { self.step }, size: self.size })
    }

    fn covers(&self, other: &Places) -> bool {
        let on_grid = |place: u64| match self.step {
            0 => place == self.first,
            step => place >= self.first && (place - self.first).is_multiple_of(step),
        };
        let steps = if self.step == 0 { other.step == 0 } else { other.step.is_multiple_of(self.step) };
        self.size == other.size && on_grid(other.first) && other.last <= self.last && steps
    }

    fn join(&self, other: &Places) -> Places {
        let step = gcd(gcd(self.step, other.step), self.first.abs_diff(other.first));
        Places { first: self.first.min(other.first), last: self.last.max(other.last), step, size: self.size }
    }
}

/// A value at places of a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// How many bytes.
    pub size: u64,
    /// What they hold.
    pub value: Value,
}

/// Part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// The first byte.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
    /// Places at this distance are one.
    pub period: u64,
    /// Nothing is said of any byte.
    pub anything: bool,
    /// What is known, by the distance from the start modulo the period.
    pub cells: BTreeMap<u64, Cell>,
}

/// How accesses at some places stand to a segment.
enum Fit {
    /// They are apart.
    Apart,
    /// Each is at this residue, wholly inside or wholly outside.
    At(u64),
    /// They cut through.
    Across,
}

impl Segment {
    fn fit(&self, places: &Places) -> Fit {
        if places.end() <= self.start || self.end <= places.first {
            return Fit::Apart;
        }
        if self.anything || !places.step.is_multiple_of(self.period) || places.size > self.period {
            return Fit::Across;
        }
        let residue = (i128::from(places.first) - i128::from(self.start)).rem_euclid(i128::from(self.period)) as u64;
        let tail = (self.end - self.start) % self.period;
        let fits = residue + places.size <= self.period;
        let ends_well = tail == 0 || residue + places.size <= tail || residue >= tail;
        if fits && ends_well { Fit::At(residue) } else { Fit::Across }
    }

    /// The cells that share bytes with these.
    fn overlapping(&self, residue: u64, size: u64) -> impl Iterator<Item = (&u64, &Cell)> {
        self.cells.range(..residue + size).filter(move |(at, cell)| **at + cell.size > residue)
    }

    /// Whether these bytes are exactly a cell's; nothing if they are no cell's.
    fn has_exactly(&self, residue: u64, size: u64) -> Option<bool> {
        let mut around = self.overlapping(residue, size);
        match (around.next(), around.next()) {
            (None, _) => None,
            (Some((at, cell)), None) => Some(*at == residue && cell.size == size),
            (Some(_), Some(_)) => Some(false),
        }
    }

    /// Where the segment has places of this residue.
    fn places_of(&self, residue: u64, size: u64) -> Places {
        let first = self.start + residue;
        let rounds = (self.end.saturating_sub(first + size)) / self.period;
        let step = if rounds == 0 { 0 } else { self.period };
        Places { first, last: first + rounds * self.period, step, size }
    }
}

/// Bytes that were copied from elsewhere, or filled with zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Where to: `size` is the number of bytes.
    pub to: Places,
    /// From which objects; zeros if from none.
    pub base: Option<Base>,
    /// From where in them: as many bytes.
    pub from: Places,
    /// Copies begin and end at multiples of this from their start; 0 if they are always whole.
    pub grain: u64,
}

impl Link {
    /// Where a read of these places looks in the source: `None` if the copy is elsewhere, no places if it cannot be said.
    pub fn source(&self, read: &Places) -> Option<Option<Places>> {
        if read.end() <= self.to.first || self.to.end() <= read.first {
            return None;
        }
        let grain_fits = self.grain == 0
            || (read.size <= self.grain
                && read.step.is_multiple_of(self.grain)
                && self.to.step.is_multiple_of(self.grain)
                && (i128::from(read.first) - i128::from(self.to.first)).rem_euclid(i128::from(self.grain)) == 0);
        // Copies that overlap each other hold bytes of different distances.
        if !grain_fits || (self.to.step != 0 && self.to.size > self.to.step) {
            return Some(None);
        }
        let distance = i128::from(read.first) - i128::from(self.to.first);
        let into = if self.to.step == 0 {
            // One copy: every place that is read has to be in it.
            let is_inside = self.to.first <= read.first && read.end() <= self.to.end();
            if !is_inside {
                return Some(None);
            }
            distance as u64
        } else if read.step.is_multiple_of(self.to.step) {
            distance.rem_euclid(i128::from(self.to.step)) as u64
        } else {
            return Some(None);
        };
        if into + read.size > self.to.size {
            // Between copies, or across the end of one.
            let is_between = self.to.step != 0 && into >= self.to.size && into + read.size <= self.to.step;
            return if is_between { None } else { Some(None) };
        }
        let spread = if self.to.step == 0 { read.last - read.first } else { 0 };
        let step = gcd(self.from.step, if spread == 0 { 0 } else { read.step });
        let first = self.from.first + into;
        let last = self.from.last + into + spread;
        Some(Some(Places { first, last, step: if first == last { 0 } else { step }, size: read.size }))
    }

    /// Every byte that may be written, one by one.
    fn bytes(&self) -> Places {
        let (first, end) = (self.to.first, self.to.end());
        Places { first, last: end - 1, step: u64::from(end - 1 > first), size: 1 }
    }

    fn covers(&self, other: &Link) -> bool {
        self.base == other.base
            && self.to.size == other.to.size
            && (self.grain == other.grain || self.grain == 1)
            && self.to.covers(&other.to)
            && (self.base.is_none() || self.from.covers(&other.from))
    }
}

/// What is read at some places.
pub enum Found<'c> {
    /// What a cell says.
    Cell(&'c Value),
    /// What the object started with at these places.
    Start(Places),
    /// Anything.
    Anything,
}

/// What the objects of a base hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// In order, apart.
    pub segments: Vec<Segment>,
    /// What was copied into it as a whole: bytes there may be those of the source at any time.
    pub links: Vec<Link>,
}

/// So many copies into one base are told apart.
const MAX_LINKS: usize = 12;

impl Contents {
    /// True if segments and cells are in order and apart, and no number is beyond an object.
    pub fn is_well_formed(&self) -> bool {
        const MOST: u64 = 1 << 62;
        let places = |places: &Places| {
            places.first <= places.last
                && places.last < MOST
                && (1..MOST).contains(&places.size)
                && (places.step == 0) == (places.first == places.last)
        };
        let mut end = 0;
        self.segments.iter().all(|segment| {
            let mut reached = 0;
            let in_order =
                segment.start >= end && segment.start < segment.end && segment.end < MOST && segment.period > 0;
            end = segment.end;
            in_order
                && segment.cells.iter().all(|(at, cell)| {
                    let is_apart = *at >= reached && cell.size > 0 && cell.size <= segment.period;
                    reached = at.saturating_add(cell.size);
                    is_apart && reached <= segment.period
                })
        }) && self.links.iter().all(|link| places(&link.to) && (link.base.is_none() || places(&link.from)))
    }

    /// Calls `take` with each thing that a read of these places may find.
    pub fn read<'c>(&'c self, places: &Places, mut take: impl FnMut(Found<'c>)) {
        let mut inside = 0;
        for segment in &self.segments {
            let residue = match segment.fit(places) {
                Fit::Apart => continue,
                Fit::Across => return take(Found::Anything),
                Fit::At(residue) => residue,
            };
            inside += segment.end.min(places.end()) - segment.start.max(places.first);
            let mut cells = segment.overlapping(residue, places.size);
            match (cells.next(), cells.next()) {
                (None, _) => {
                    if let Some(within) = places.between(segment.start, segment.end) {
                        take(Found::Start(within));
                    }
                }
                (Some((at, cell)), None) if *at == residue && cell.size == places.size => {
                    take(Found::Cell(&cell.value));
                }
                (Some(_), _) => take(Found::Anything),
            }
        }
        if inside < places.end() - places.first {
            take(Found::Start(*places));
        }
    }

    /// Whether what is said allows for this write.
    pub fn covers_write(&self, places: &Places, value: &Value) -> bool {
        let mut reached = places.first;
        for segment in &self.segments {
            let is_covered = match segment.fit(places) {
                Fit::Apart => continue,
                Fit::Across => segment.anything,
                Fit::At(residue) => segment.covers(residue, places.size, value),
            };
            if !is_covered || segment.start > reached {
                return false;
            }
            reached = segment.end;
        }
        reached >= places.end()
    }

    /// True if the cells say what the object starts with; `start` gives that for some places, as a value of the kind that is given.
    pub fn covers_start(&self, start: impl Fn(&Places, &Value) -> Value) -> bool {
        self.segments.iter().all(|segment| {
            let says = |(residue, cell): (&u64, &Cell)| {
                cell.value.covers(&start(&segment.places_of(*residue, cell.size), &cell.value))
            };
            segment.cells.iter().all(says)
        })
    }

    /// Makes room for a write and joins its value; `start` as in [`Contents::covers_start`]. True if something changed.
    pub fn write(
        &mut self,
        places: &Places,
        value: &Value,
        start: impl Fn(&Places, &Value) -> Value,
        combine: impl Fn(&Value, &Value) -> Value,
    ) -> bool {
        if self.covers_write(places, value) {
            return false;
        }
        let at = self.make_room(places, &start);
        let segment = &mut self.segments[at];
        if segment.anything {
            return true;
        }
        let Fit::At(residue) = segment.fit(places) else {
            segment.forget();
            return true;
        };
        match segment.has_exactly(residue, places.size) {
            None => {
                let initial = start(&segment.places_of(residue, places.size), value);
                let value = initial.join(value);
                segment.cells.insert(residue, Cell { size: places.size, value });
            }
            Some(true) => {
                if let Some(cell) = segment.cells.get_mut(&residue) {
                    cell.value = combine(&cell.value, value);
                }
            }
            Some(false) => segment.blur(residue, places.size),
        }
        true
    }

    /// Whether what is said allows for this copy.
    pub fn covers_link(&self, link: &Link) -> bool {
        self.links.iter().any(|own| own.covers(link)) || self.covers_write(&link.bytes(), &Value::Any)
    }

    /// Notes a copy. True if something changed.
    pub fn link(&mut self, link: &Link) -> bool {
        if self.covers_link(link) {
            return false;
        }
        let alike = |own: &Link| own.base == link.base && own.to.size == link.to.size && own.grain == link.grain;
        if self.links.len() < MAX_LINKS && self.links.iter().filter(|own| alike(own)).count() < 3 {
            self.links.push(*link);
            return true;
        }
        match self.links.iter_mut().find(|own| alike(own)) {
            Some(own) => {
                (own.to, own.from) = (own.to.join(&link.to), own.from.join(&link.from));
                true
            }
            None => self.write(&link.bytes(), &Value::Any, |_, _| Value::Any, |_, _| Value::Any),
        }
    }

    /// One segment around all places; those that it touches become part of it.
    fn make_room(&mut self, places: &Places, start_of: impl Fn(&Places, &Value) -> Value) -> usize {
        let touched: Vec<usize> =
            (0..self.segments.len()).filter(|at| !matches!(self.segments[*at].fit(places), Fit::Apart)).collect();
        if let [at] = touched.as_slice() {
            let own = &self.segments[*at];
            let is_inside = own.start <= places.first && places.end() <= own.end;
            if is_inside && (own.anything || matches!(own.fit(places), Fit::At(_))) {
                return *at;
            }
        }
        let (mut start, mut end) = (places.first, places.end());
        let mut period = places.step;
        for at in &touched {
            let segment = &self.segments[*at];
            let is_one = segment.end - segment.start <= segment.period;
            period = gcd(period, if is_one { 0 } else { segment.period });
            (start, end) = (start.min(segment.start), end.max(segment.end));
        }
        let mut anything = touched.iter().any(|at| self.segments[*at].anything);
        let period = if period == 0 { end - start } else { period };
        let mut merged = Segment { start, end, period, anything: false, cells: BTreeMap::new() };
        anything |= places.size > period;
        for at in &touched {
            let segment = &self.segments[*at];
            for (residue, cell) in &segment.cells {
                let place = (segment.start + residue - start) % period;
                anything |= place + cell.size > period;
                // Cells of one residue have to be the same at all their places.
                anything |= !segment.period.is_multiple_of(period) && segment.end - segment.start > segment.period;
                if !anything {
                    merged.add_cell(place, cell);
                }
            }
        }
        if anything {
            merged.forget();
        }
        // A cell that stands for more places than before holds what these started with.
        let starts: Vec<(u64, Value)> = merged
            .cells
            .iter()
            .map(|(residue, cell)| (*residue, start_of(&merged.places_of(*residue, cell.size), &cell.value)))
            .collect();
        for (residue, value) in starts {
            if let Some(cell) = merged.cells.get_mut(&residue) {
                cell.value = cell.value.join(&value);
            }
        }
        let first = touched.first().copied().unwrap_or_else(|| self.segments.partition_point(|one| one.end <= start));
        self.segments.splice(first..first + touched.len(), [merged]);
        first
    }
}

impl Segment {
    fn covers(&self, residue: u64, size: u64, value: &Value) -> bool {
        let mut covered = residue;
        for (at, cell) in self.overlapping(residue, size) {
            let is_exact = *at == residue && cell.size == size && cell.value.covers(value);
            if *at > covered || !(is_exact || cell.value == Value::Any) {
                return false;
            }
            covered = at + cell.size;
        }
        covered >= residue + size
    }

    /// Nothing is known of it.
    fn forget(&mut self) {
        self.anything = true;
        self.cells.clear();
    }

    fn add_cell(&mut self, residue: u64, cell: &Cell) {
        match self.has_exactly(residue, cell.size) {
            None => {
                self.cells.insert(residue, cell.clone());
            }
            Some(true) => {
                if let Some(own) = self.cells.get_mut(&residue) {
                    own.value = own.value.join(&cell.value);
                }
            }
            Some(false) => self.blur(residue, cell.size),
        }
    }

    /// One cell of anything over these bytes and all cells that they touch.
    fn blur(&mut self, residue: u64, size: u64) {
        let around: Vec<(u64, u64)> =
            self.overlapping(residue, size).map(|(at, cell)| (*at, *at + cell.size)).collect();
        let start = around.iter().map(|(at, _)| *at).min().unwrap_or(residue).min(residue);
        let end = around.iter().map(|(_, end)| *end).max().unwrap_or(residue).max(residue + size);
        around.iter().for_each(|(at, _)| drop(self.cells.remove(at)));
        self.cells.insert(start, Cell { size: end - start, value: Value::Any });
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
