//! Where objects lie. That is not decided until it matters; then any address is allowed that is aligned, not null, and apart from
//! all objects that lived at the same time and have an address already.

use belay_base::Id;

use crate::memory::{Life, Memory, Object};
use crate::value::{ObjectId, Pointer};

impl Memory {
    /// The bits of a pointer's type: how far offsets go before they wrap.
    fn address_bits(&self) -> u32 {
        self.pointer_bytes as u32 * 8
    }

    /// The greatest address.
    pub(crate) fn last_address(&self) -> u64 {
        u64::MAX >> (64 - self.address_bits())
    }

    /// An address or offset, cut to the width of an address.
    #[inline]
    pub(crate) fn wrap(&self, value: u64) -> u64 {
        value & self.last_address()
    }

    /// An offset, wrapped to the width of an address and read as signed.
    #[inline]
    pub(crate) fn wrap_offset(&self, offset: i64) -> i64 {
        if self.pointer_bytes == 8 { offset } else { i64::from(offset as i32) }
    }

    /// The live object at an address that was chosen, and the place in it.
    pub(crate) fn find(&self, address: u64) -> Option<Pointer> {
        let (start, id) = self.placed.range(..=address).next_back()?;
        let offset = address - start;
        (offset < self.object(*id).extent()).then_some(Pointer::Object { id: *id, offset: offset as i64 })
    }

    /// Whether an object may lie at `address`: aligned, not at 0, not reaching the last address (so that the place after its end
    /// is an address too), not across the middle (so that signed and unsigned comparison agree within it), and apart from
    /// objects that it lived with.
    pub(crate) fn may_lie_at(&self, id: ObjectId, address: u64) -> bool {
        let object = self.object(id);
        let Some(end) = address.checked_add(object.extent()) else { return false };
        let middle = self.last_address() / 2 + 1;
        if address == 0
            || !address.is_multiple_of(object.align)
            || end > self.last_address()
            || (address < middle && end > middle)
        {
            return false;
        }
        let below = self.placed.range(..end).next_back();
        let overlaps = |start: u64, other: &Object| start < end && address < start + other.extent();
        if below.is_some_and(|(start, other)| {
            overlaps(*start, self.object(*other)) && object.coexisted(self.object(*other))
        }) {
            return false;
        }
        // A dead object may lie over several live ones, and the other way round: look at all that it met.
        let meets = |other: &ObjectId| {
            let other = self.object(*other);
            other.address.is_some_and(|start| overlaps(start, other)) && object.coexisted(other)
        };
        !(self.placed_dead.iter().any(meets)
            || (object.life == Life::Dead && self.placed.range(..end).any(|(_, other)| meets(other)))
            || (object.life != Life::Dead && self.placed.range(address..end).any(|(_, other)| meets(other))))
    }

    /// An address that is allowed, if one is easily found: above all others.
    pub(crate) fn fresh_address(&self, id: ObjectId) -> Option<u64> {
        let address = self.top.checked_next_multiple_of(self.object(id).align.max(16))?;
        let upper = self.last_address() / 2 + 1;
        [address, upper].into_iter().find(|address| self.may_lie_at(id, *address))
    }

    /// The address of a dead object, if this one may lie there.
    pub(crate) fn reusable_address(&self, id: ObjectId) -> Option<u64> {
        let address = self.placed_dead.iter().rev().find_map(|dead| self.object(*dead).address)?;
        self.may_lie_at(id, address).then_some(address)
    }

    /// Puts an object at an allowed address.
    pub(crate) fn place(&mut self, id: ObjectId, address: u64) {
        self.top = self.top.max(address + self.object(id).extent());
        self.objects[id.index()].address = Some(address);
        if self.objects[id.index()].life == Life::Dead {
            self.placed_dead.push(id);
        } else {
            self.placed.insert(address, id);
        }
    }
}
