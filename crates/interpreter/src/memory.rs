//! The objects of a run and their lives. Each allocation and each life of a local has an id of its own. A dead
//! object keeps what reports need and loses its bytes; its id is used again only when nothing refers to it any more,
//! which a sweep finds out from time to time.

use std::collections::BTreeMap;

use belay_base::{Id, Span};
use belay_ir::{FuncId, Type};
use rustc_hash::FxHashMap;

use crate::contents::{Contents, Piece, Special};
use crate::report::{EndedBy, ObjectKind};
use crate::value::{Byte, ObjectId, Pointer, Token};

/// Where an object is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Life {
    /// A scoped local whose scope was not entered yet.
    Unborn,
    Live,
    Dead,
    /// Alive, but its size and content are still to be chosen.
    Lazy,
    /// Alive, but the program does not say how large it is.
    Sizeless,
    /// Alive, but what functions without a body left there is not known: a run that reads it has no verdict. What the program itself
    /// writes to all of it ends this.
    Foreign,
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) contents: Contents,
    pub(crate) life: Life,
    pub(crate) kind: ObjectKind,
    pub(crate) align: u64,
    pub(crate) constant: bool,
    /// True once the integer value of its address was used.
    pub(crate) exposed: bool,
    pub(crate) address: Option<u64>,
    /// When its life began and ended, by [`Memory::clock`].
    pub(crate) born: u64,
    pub(crate) died: u64,
    pub(crate) made_at: Span,
    pub(crate) made_in: Option<FuncId>,
    pub(crate) ended: Option<(EndedBy, Span)>,
    /// When it was last written.
    pub(crate) written: u64,
}

impl Object {
    /// The bytes that it takes at its address: an object of size 0 has an address of its own too.
    pub(crate) fn extent(&self) -> u64 {
        self.contents.size().max(1)
    }

    /// True if the lives of both met.
    pub(crate) fn coexisted(&self, other: &Object) -> bool {
        self.born < other.died && other.born < self.died
    }
}

/// What a new object is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    pub(crate) kind: ObjectKind,
    pub(crate) size: u64,
    pub(crate) align: u64,
    pub(crate) life: Life,
    pub(crate) made_at: Span,
    pub(crate) made_in: Option<FuncId>,
}

/// The run needs more memory than it may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMuchMemory;

/// What a load finds.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Loaded {
    Plain(u128),
    /// A whole pointer.
    Ptr(Pointer),
    /// An unbounded integer of this width.
    Cell(dashu::integer::IBig, u16),
    Bytes(Box<[Byte]>),
}

/// The memory of a run.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) objects: Vec<Object>,
    free: Vec<ObjectId>,
    dead: usize,
    sweep_at: usize,
    /// Counts births and deaths.
    clock: u64,
    next_token: Token,
    /// The undefined bytes that were chosen.
    pub(crate) chosen: FxHashMap<Token, u8>,
    /// Undefined pointers that were moved on: the bytes of the pointer, and how far; by the first of the new tokens.
    derived: BTreeMap<Token, (Box<[Byte]>, i64)>,
    /// Live objects whose address was chosen, by address.
    pub(crate) placed: BTreeMap<u64, ObjectId>,
    /// Dead ones.
    pub(crate) placed_dead: Vec<ObjectId>,
    /// Above all addresses that were chosen.
    pub(crate) top: u64,
    used: u64,
    limit: u64,
    pub(crate) pointer_bytes: u64,
    pub(crate) heap_blocks: u64,
    /// The sizes of the live heap blocks together.
    pub(crate) heap_bytes: u128,
    /// Counts writes; objects note when they were last written.
    pub(crate) writes: u64,
}

/// Where fresh addresses begin.
const LOWEST_ADDRESS: u64 = 0x10000;

/// Sweeps are not worth it below this many dead objects.
const FIRST_SWEEP: usize = 4096;

impl Memory {
    pub(crate) fn new(pointer_bytes: u64, limit: u64) -> Self {
        Self {
            objects: Vec::new(),
            free: Vec::new(),
            dead: 0,
            sweep_at: FIRST_SWEEP,
            clock: 0,
            next_token: 0,
            chosen: FxHashMap::default(),
            derived: BTreeMap::new(),
            placed: BTreeMap::new(),
            placed_dead: Vec::new(),
            top: LOWEST_ADDRESS,
            used: 0,
            limit,
            pointer_bytes,
            heap_blocks: 0,
            heap_bytes: 0,
            writes: 0,
        }
    }

    #[inline]
    pub(crate) fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    #[inline]
    pub(crate) fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.objects[id.index()]
    }

    /// All objects that are alive.
    pub(crate) fn live(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        let objects = self.objects.iter().enumerate().map(|(index, object)| (ObjectId::new(index), object));
        objects.filter(|(_, object)| matches!(object.life, Life::Live | Life::Lazy | Life::Sizeless | Life::Foreign))
    }

    pub(crate) fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// The interpreter's memory that objects take.
    pub(crate) fn used(&self) -> u64 {
        self.used + (self.objects.len() * size_of::<Object>()) as u64
    }

    /// So many new undefined bytes, with successive tokens.
    pub(crate) fn fresh_tokens(&mut self, count: u64) -> Token {
        let first = self.next_token;
        // A block may be as large as the address space: the last tokens are shared by all such blocks' ends, which
        // no run can touch.
        self.next_token = first.saturating_add(count.min(1 << 48));
        first
    }

    /// The bytes of an undefined pointer moved by `offset` bytes: undefined too, but no longer once the pointer is chosen.
    pub(crate) fn derive(&mut self, pointer: Box<[Byte]>, offset: i64) -> Box<[Byte]> {
        let (pointer, offset) = match self.derivation(&pointer) {
            Some((base, before)) => (base, before.wrapping_add(offset)),
            None => (pointer, offset),
        };
        let first = self.fresh_tokens(pointer.len() as u64);
        let bytes = (0..pointer.len() as u64).map(|at| Byte::Undef(first + at)).collect();
        self.derived.insert(first, (pointer, offset));
        bytes
    }

    /// Where a pointer was moved from, if it is one whole moved pointer.
    fn derivation(&self, pointer: &[Byte]) -> Option<(Box<[Byte]>, i64)> {
        let Some(Byte::Undef(first)) = pointer.first() else { return None };
        let successive = pointer.iter().zip(*first..).all(|(byte, token)| *byte == Byte::Undef(token));
        successive.then(|| self.derived.get(first).cloned()).flatten()
    }

    /// What a token of a moved pointer belongs to: the first token, the pointer's bytes and the distance.
    pub(crate) fn derived(&self, token: Token) -> Option<(Token, Box<[Byte]>, i64)> {
        let (first, (bytes, offset)) = self.derived.range(..=token).next_back()?;
        (token < first + bytes.len() as u64).then(|| (*first, bytes.clone(), *offset))
    }

    /// Makes an object, with undefined bytes.
    pub(crate) fn make(&mut self, birth: Birth) -> ObjectId {
        self.clock += 1;
        let first_token = self.fresh_tokens(birth.size);
        let object = Object {
            contents: Contents::undefined(birth.size, first_token),
            life: birth.life,
            kind: birth.kind,
            align: birth.align.max(1),
            constant: false,
            exposed: false,
            address: None,
            born: self.clock,
            died: u64::MAX,
            made_at: birth.made_at,
            made_in: birth.made_in,
            ended: None,
            written: self.writes,
        };
        match self.free.pop() {
            Some(id) => {
                self.objects[id.index()] = object;
                id
            }
            None => {
                self.objects.push(object);
                ObjectId::new(self.objects.len() - 1)
            }
        }
    }

    /// Makes the whole object zero.
    pub(crate) fn zero(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.index()];
        object.contents = Contents::zeroed(object.contents.size(), object.contents.first_token());
    }

    /// Gives an object whose size was open its size.
    pub(crate) fn resize_lazy(&mut self, id: ObjectId, size: u64) {
        let first_token = self.fresh_tokens(size);
        let object = &mut self.objects[id.index()];
        object.contents = Contents::undefined(size, first_token);
        object.life = Life::Live;
    }

    /// Begins the life of an object now: the first one of a scoped object, or that of a block which takes another's place.
    pub(crate) fn bear(&mut self, id: ObjectId) {
        self.clock += 1;
        let object = &mut self.objects[id.index()];
        object.life = Life::Live;
        object.born = self.clock;
    }

    /// Ends an object's life.
    pub(crate) fn end(&mut self, id: ObjectId, how: EndedBy, span: Span) {
        self.clock += 1;
        let object = &mut self.objects[id.index()];
        if object.life == Life::Dead {
            return;
        }
        self.used -= object.contents.footprint().min(self.used);
        object.contents.drop_bytes();
        object.life = Life::Dead;
        object.died = self.clock;
        object.ended = Some((how, span));
        self.dead += 1;
        if let Some(address) = object.address {
            self.placed.remove(&address);
            self.placed_dead.push(id);
        }
    }

    /// True if it is time to look for dead objects that nothing refers to.
    #[inline]
    pub(crate) fn wants_sweep(&self) -> bool {
        self.dead >= self.sweep_at
    }

    /// Frees the ids of dead objects that are neither in `kept` (by index) nor referred to by live ones.
    pub(crate) fn sweep(&mut self, mut kept: Vec<bool>, registers: usize) {
        kept.resize(self.objects.len(), false);
        for object in &self.objects {
            for (_, special) in object.contents.specials() {
                if let Special::Ptr(Pointer::Object { id, .. }, _) | Special::Frag(Pointer::Object { id, .. }, _) =
                    special
                {
                    kept[id.index()] = true;
                }
            }
        }
        for (bytes, _) in self.derived.values() {
            for byte in bytes {
                if let Byte::Frag(Pointer::Object { id, .. }, _) = byte {
                    kept[id.index()] = true;
                }
            }
        }
        self.placed_dead.retain(|id| kept[id.index()]);
        let was_free: Vec<bool> = {
            let mut marks = vec![false; self.objects.len()];
            self.free.iter().for_each(|id| marks[id.index()] = true);
            marks
        };
        self.dead = 0;
        for index in 0..self.objects.len() {
            if self.objects[index].life == Life::Dead && !was_free[index] {
                if kept[index] {
                    self.dead += 1;
                } else {
                    self.free.push(ObjectId::new(index));
                }
            }
        }
        let live = self.objects.len() - self.free.len();
        self.sweep_at = self.dead + FIRST_SWEEP.max(live).max(registers / 8);
    }

    /// Sets bytes aside for an object that is about to be written.
    #[inline]
    fn prepare(&mut self, id: ObjectId) -> Result<&mut Contents, TooMuchMemory> {
        self.writes += 1;
        let object = &mut self.objects[id.index()];
        object.written = self.writes;
        if !object.contents.has_bytes() {
            let size = object.contents.size();
            // Twice: the mask and the map take room as well.
            if size > self.limit / 2 || self.used > self.limit - size {
                return Err(TooMuchMemory);
            }
            self.used += size;
            object.contents.allocate();
        }
        Ok(&mut object.contents)
    }

    /// Reads `len` (at most 16) valid bytes.
    #[inline]
    pub(crate) fn load(&self, id: ObjectId, offset: u64, len: u64) -> Loaded {
        let contents = &self.objects[id.index()].contents;
        if contents.is_plain(offset, len) {
            return Loaded::Plain(contents.read_plain(offset, len));
        }
        match contents.special_at(offset) {
            Some(Special::Ptr(pointer, size)) if u64::from(*size) == len => Loaded::Ptr(*pointer),
            Some(Special::Cell(cell, size)) if u64::from(*size) == len => Loaded::Cell(cell.0.clone(), cell.1),
            Some(_) | None => Loaded::Bytes((0..len).map(|at| contents.byte_at(offset + at)).collect()),
        }
    }

    /// Writes the low bytes of a number to a valid place.
    #[inline]
    pub(crate) fn store(&mut self, id: ObjectId, offset: u64, len: u64, bits: u128) -> Result<(), TooMuchMemory> {
        self.prepare(id)?.write_plain(offset, len, bits);
        Ok(())
    }

    /// Writes a pointer, an undefined run or a cell to a valid place.
    pub(crate) fn store_special(&mut self, id: ObjectId, offset: u64, special: Special) -> Result<(), TooMuchMemory> {
        self.write_specials(id, |contents| contents.write_special(offset, special))
    }

    /// Writes bytes of any kind to a valid place.
    pub(crate) fn store_bytes(&mut self, id: ObjectId, offset: u64, bytes: &[Byte]) -> Result<(), TooMuchMemory> {
        self.write_specials(id, |contents| {
            for (at, byte) in bytes.iter().enumerate() {
                contents.write_byte(offset + at as u64, *byte);
            }
        })
    }

    /// Writes, and keeps account of what the map of specials takes.
    fn write_specials(&mut self, id: ObjectId, write: impl FnOnce(&mut Contents)) -> Result<(), TooMuchMemory> {
        if self.used > self.limit {
            return Err(TooMuchMemory);
        }
        let contents = self.prepare(id)?;
        let before = contents.footprint();
        write(contents);
        let after = contents.footprint();
        self.used = (self.used + after).saturating_sub(before);
        Ok(())
    }

    /// Writes plain bytes to a valid place.
    pub(crate) fn store_slice(&mut self, id: ObjectId, offset: u64, bytes: &[u8]) -> Result<(), TooMuchMemory> {
        self.prepare(id)?.write_bytes(offset, bytes);
        Ok(())
    }

    /// Fills a valid range.
    pub(crate) fn fill(&mut self, id: ObjectId, offset: u64, len: u64, byte: u8) -> Result<(), TooMuchMemory> {
        self.prepare(id)?.fill(offset, len, byte);
        Ok(())
    }

    /// Copies between valid ranges, which may overlap.
    pub(crate) fn copy(&mut self, to: (ObjectId, u64), from: (ObjectId, u64), len: u64) -> Result<(), TooMuchMemory> {
        let pieces = self.objects[from.0.index()].contents.pieces(from.1, len);
        self.put(to, pieces)
    }

    /// Puts pieces at a valid place.
    pub(crate) fn put(&mut self, to: (ObjectId, u64), pieces: Vec<(u64, Piece)>) -> Result<(), TooMuchMemory> {
        self.write_specials(to.0, |contents| contents.put(to.1, pieces))
    }

    /// How many bytes a value of a type takes.
    #[inline]
    pub(crate) fn store_size(&self, ty: Type) -> u64 {
        match ty {
            Type::Int(width) => u64::from(width).div_ceil(8),
            Type::F32 => 4,
            Type::F64 => 8,
            Type::Ptr => self.pointer_bytes,
        }
    }
}
