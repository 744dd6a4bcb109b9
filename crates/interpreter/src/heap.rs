//! Heap blocks: `malloc` and its kin.

use belay_ir::{ObligationId, Type};

use crate::code::CallSite;
use crate::integers::Integers;
use crate::memory::{Birth, Life};
use crate::observer::{Event, Observer};
use crate::report::{EndedBy, Fault, ObjectKind};
use crate::run::{Res, Run};
use crate::value::{ObjectId, Pointer, Value};
use belay_rules::{Choice, RequestKind};

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// A size argument, of address width.
    pub(crate) fn size_arg(&mut self, site: &CallSite, index: usize) -> Res<u64> {
        if site.types.get(index) != Some(&self.program.layout.address_type()) {
            return self.unknown("a library function is called with other arguments than it is declared with");
        }
        self.size(site.args[index])
    }

    /// A pointer argument; `None` inside if it is undefined.
    pub(crate) fn pointer_arg(&mut self, site: &CallSite, index: usize) -> Res<Option<Pointer>> {
        if site.types.get(index) != Some(&Type::Ptr) {
            return self.unknown("a library function is called with other arguments than it is declared with");
        }
        self.pointer(site.args[index])
    }

    /// No object is larger than the greatest distance of two pointers, so that no allocator gives more at once.
    fn is_too_large(&self, size: u64) -> bool {
        let greatest = self.memory.last_address() / 2;
        let largest = self.config.largest_block.map_or(greatest, |largest| largest.min(greatest));
        !self.config.huge_allocations_succeed && size > largest
    }

    /// A new block, or `None` if the allocation fails.
    fn allocate(&mut self, size: u64, align: u64) -> Res<Option<ObjectId>> {
        if self.is_too_large(size) {
            return Ok(None);
        }
        if self.config.malloc_may_fail
            && self.choose(RequestKind::AllocFails { size }, None)? == Choice::AllocFails(true)
        {
            return Ok(None);
        }
        self.fits_beside_others(size)?;
        self.memory.heap_blocks += 1;
        let birth = Birth {
            kind: ObjectKind::Heap(self.memory.heap_blocks),
            size,
            align,
            life: Life::Live,
            made_at: self.span(),
            made_in: self.function(),
        };
        let id = self.memory.make(birth);
        if O::EVENTS {
            let info = self.describe(id);
            self.tell(Event::Alloc(info));
        }
        Ok(Some(id))
    }

    /// Blocks that are alive at once lie apart: a run in which they take more than there are addresses is nobody's.
    fn fits_beside_others(&mut self, size: u64) -> Res<()> {
        let all = self.memory.heap_bytes + u128::from(size);
        if !self.config.huge_allocations_succeed && all > u128::from(self.memory.last_address()) {
            return self.unknown("the live heap blocks together exceed the address space");
        }
        self.memory.heap_bytes = all;
        Ok(())
    }

    fn block_value(block: Option<ObjectId>) -> Value<M::Int> {
        Value::Ptr(block.map_or(Pointer::NULL, |id| Pointer::Object { id, offset: 0 }))
    }

    pub(crate) fn malloc(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        let size = self.size_arg(site, 0)?;
        Ok(Self::block_value(self.allocate(size, self.program.layout.block_align)?))
    }

    /// A block that is aligned as it is asked for, and no better: what a caller hands over is made so. An alignment that is no power of two promises nothing.
    pub(crate) fn aligned_block(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        let (align, size) = (self.size_arg(site, 0)?, self.size_arg(site, 1)?);
        let align = if align.is_power_of_two() { align } else { 1 };
        Ok(Self::block_value(self.allocate(size, align)?))
    }

    /// A product that is no size cannot be allocated.
    pub(crate) fn calloc(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        let (count, each) = (self.size_arg(site, 0)?, self.size_arg(site, 1)?);
        let size = count.checked_mul(each).filter(|size| *size <= self.memory.last_address());
        let Some(size) = size else { return Ok(Value::Ptr(Pointer::NULL)) };
        let block = self.allocate(size, self.program.layout.block_align)?;
        if let Some(id) = block {
            self.memory.zero(id);
        }
        Ok(Self::block_value(block))
    }

    /// The block that may be freed through a pointer; `None` for null.
    fn block_to_free(&mut self, pointer: Option<Pointer>, obligation: Option<ObligationId>) -> Res<Option<ObjectId>> {
        let pointer = match pointer {
            Some(Pointer::Bare(0)) => return Ok(None),
            Some(Pointer::Bare(address)) => Some(self.place_at(address)),
            Some(Pointer::Object { .. } | Pointer::Mark(_)) | None => pointer,
        };
        let Some(Pointer::Object { id, offset }) = pointer else {
            return self.violate(obligation, Fault::BadFree { object: None, offset: 0 });
        };
        let object = self.memory.object(id);
        let heap = matches!(object.kind, ObjectKind::Heap(_));
        match object.life {
            Life::Live if heap && offset == 0 => Ok(Some(id)),
            Life::Dead if heap && offset == 0 => {
                let info = self.describe(id);
                self.violate(obligation, Fault::DoubleFree(info))
            }
            Life::Live | Life::Dead | Life::Unborn | Life::Lazy | Life::Sizeless | Life::Foreign => {
                let object = Some(self.describe(id));
                self.violate(obligation, Fault::BadFree { object, offset })
            }
        }
    }

    fn end_block(&mut self, id: ObjectId) {
        if O::EVENTS {
            let info = self.describe(id);
            self.tell(Event::Free(info));
        }
        let span = self.span();
        let size = u128::from(self.memory.object(id).contents.size());
        self.memory.heap_bytes = self.memory.heap_bytes.saturating_sub(size);
        self.memory.end(id, EndedBy::Free, span);
    }

    pub(crate) fn free(&mut self, site: &CallSite) -> Res<()> {
        let pointer = self.pointer_arg(site, 0)?;
        if let Some(id) = self.block_to_free(pointer, site.obligation)? {
            self.end_block(id);
        }
        Ok(())
    }

    /// The new block is another object, whose life begins when the old one's has ended: it may lie where the old one lay (C17
    /// 7.22.3.5), so that what the old pointer is compared with the new one gives is a choice. `realloc(p, 0)` frees and gives null,
    /// as glibc does.
    pub(crate) fn realloc(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        let pointer = self.pointer_arg(site, 0)?;
        let size = self.size_arg(site, 1)?;
        let Some(old) = self.block_to_free(pointer, site.obligation)? else {
            return Ok(Self::block_value(self.allocate(size, self.program.layout.block_align)?));
        };
        if size == 0 {
            self.end_block(old);
            return Ok(Value::Ptr(Pointer::NULL));
        }
        // A run that is cut off here has either block, not one that nothing points to yet.
        let kept = self.memory.object(old).contents.size().min(size);
        self.count(kept / 16)?;
        let Some(new) = self.allocate(size, self.program.layout.block_align)? else {
            return Ok(Value::Ptr(Pointer::NULL));
        };
        if kept > 0 {
            let copied = self.memory.copy((new, 0), (old, 0), kept);
            if let Err(stop) = self.fits(copied) {
                self.end_block(new);
                return Err(stop);
            }
        }
        self.end_block(old);
        self.memory.bear(new);
        Ok(Self::block_value(Some(new)))
    }
}
