//! Memory as a map describes it: sizes of objects, what they start with, reads, writes and copies. The soundness argument is that of [`crate::eval`].

use std::cell::RefCell;
use std::collections::BTreeMap;

use belay_ir::{Callee, FuncId, FuncKind, GlobalId, InstId, Op, Target, Type};

use crate::contents::{Found, Link, Places};
use crate::eval::Evaluator;
use crate::map::{Update, ValueMap};
use crate::range::Range;
use crate::value::{Base, Pointer, Value};

/// So many elements of an initialiser are joined.
const MAX_ELEMENTS: u64 = 1 << 16;
/// Copies of copies are followed so far.
const MAX_COPIES: usize = 6;

/// What tables start with, by global, places and kind: read again and again.
pub(crate) type Tables = RefCell<BTreeMap<(GlobalId, u64, u64, u64, u64, bool), Value>>;

impl Evaluator<'_> {
    /// The size of all objects of a base, where the program gives it.
    pub fn fixed_size(&self, base: Base) -> Option<u64> {
        match base {
            Base::Global(id) => self.program.globals[id].size,
            Base::Stack(function, inst) => match &self.program.functions[function].insts[inst].op {
                Op::Alloca { size, .. } => size.as_int().and_then(|size| u64::try_from(size).ok()),
                _ => None,
            },
            Base::Copy(function, index) => {
                let param = self.program.functions[function].params.get(index as usize)?;
                param.byval.map(|(size, _)| size)
            }
            Base::Heap(..) | Base::Function(_) | Base::Arguments => None,
        }
    }

    /// The least and the greatest size of the objects of a base; nothing if nothing is valid in it.
    pub fn size(&self, map: &ValueMap, base: Base) -> Option<(u64, u64)> {
        match base {
            Base::Heap(..) => map.sizes.get(&base).copied(),
            Base::Stack(function, inst) => match self.fixed_size(base) {
                Some(size) => Some((size, size)),
                None => {
                    let Op::Alloca { size, .. } = &self.program.functions[function].insts[inst].op else { return None };
                    let range = self.plain(map, function, *size).number(self.address_width())?;
                    let (least, most) = range.unsigned_bounds();
                    Some((u64::try_from(least).ok()?, u64::try_from(most).ok()?))
                }
            },
            Base::Global(_) | Base::Copy(..) => self.fixed_size(base).map(|size| (size, size)),
            Base::Function(_) | Base::Arguments => None,
        }
    }

    /// Whether objects of a base hold what nobody knows, beyond bounds that nobody knows: what `main` gets, and variables of which the program gives no size. Valid accesses to
    /// them are not told from others, so that a read may go on with anything; nothing is kept of what is written there.
    fn is_open(&self, base: Base) -> bool {
        match base {
            Base::Arguments => true,
            Base::Global(id) => self.program.globals[id].size.is_none(),
            Base::Function(_) | Base::Stack(..) | Base::Copy(..) | Base::Heap(..) => false,
        }
    }

    /// What a base's objects start with at some places, as a value of this kind.
    pub fn start_value(&self, base: Base, places: &Places, like: &Value) -> Value {
        if places.first > places.last {
            return Value::Nothing;
        }
        let undefined = || match like {
            Value::Pointer(_) => Value::undefined(Type::Ptr),
            Value::Number(range) => Value::Number(Range::any(range.width())),
            Value::Any | Value::Nothing => Value::Any,
        };
        match base {
            Base::Global(id) => self.initial_value(id, places, like),
            Base::Stack(function, inst) => {
                let born = self.shape(function).and_then(|shape| shape.born.get(&inst));
                let is_within = |(start, end): &(u64, u64)| *start <= places.first && places.end() <= *end;
                if born.into_iter().flatten().any(is_within) { Value::Nothing } else { undefined() }
            }
            // The copy is made when the function is entered.
            Base::Copy(..) => Value::Nothing,
            Base::Heap(function, inst) => match self.allocates(function, inst) {
                Some(belay_ir::Builtin::Calloc) => zero_like(like),
                Some(belay_ir::Builtin::Malloc | belay_ir::Builtin::AlignedBlock) => undefined(),
                Some(_) | None => Value::Any,
            },
            Base::Arguments | Base::Function(_) => Value::Any,
        }
    }

    fn allocates(&self, function: FuncId, inst: InstId) -> Option<belay_ir::Builtin> {
        let Op::Call { callee: Callee::Direct(callee), .. } = &self.program.functions[function].insts[inst].op else {
            return None;
        };
        match self.program.functions[*callee].kind {
            FuncKind::Builtin(builtin) => Some(builtin),
            FuncKind::Defined | FuncKind::Extern => None,
        }
    }

    fn initial_value(&self, id: GlobalId, places: &Places, like: &Value) -> Value {
        let Some(init) = &self.program.globals[id].init else { return Value::Any };
        let is_pointer = matches!(like, Value::Pointer(_));
        let step = places.step.max(1);
        if *like == Value::Any || (places.last - places.first) / step >= MAX_ELEMENTS {
            return Value::Any;
        }
        let key = (id, places.first, places.last, step, places.size, is_pointer);
        if let Some(known) = self.tables.borrow().get(&key) {
            return known.clone();
        }
        let mut joined = Value::Nothing;
        let mut at = places.first;
        while at <= places.last {
            joined = joined.join(&self.initial_element(init, at, places.size, is_pointer));
            if joined == Value::Any {
                break;
            }
            at += step;
        }
        self.tables.borrow_mut().insert(key, joined.clone());
        joined
    }

    fn initial_element(&self, init: &belay_ir::GlobalInit, at: u64, size: u64, is_pointer: bool) -> Value {
        let address = self.program.layout.pointer_bytes();
        // Addresses are in the order of their offsets.
        let first = init.relocations.partition_point(|one| one.offset + address <= at);
        if let Some(found) = init.relocations.get(first).filter(|one| one.offset < at + size) {
            if !is_pointer || found.offset != at || size != address {
                return Value::Any;
            }
            let base = match found.target {
                Target::Global(id) => Base::Global(id),
                Target::Func(id) => Base::Function(id),
            };
            return Value::Pointer(Pointer::to(base, self.offset(found.addend.into())));
        }
        let byte =
            |place: u64| usize::try_from(place).ok().and_then(|place| init.bytes.get(place).copied()).unwrap_or(0);
        if size > 8 {
            return Value::Any;
        }
        let bits = (0..size).fold(0i128, |bits, index| bits | (i128::from(byte(at + index)) << (8 * index)));
        match (is_pointer, bits) {
            (true, 0) => Value::Pointer(Pointer::null()),
            (true, _) => Value::Any,
            (false, _) => Value::Number(Range::constant((8 * size) as u16, bits)),
        }
    }

    /// Whether contents hold what objects start with: part of what a map has to allow for.
    pub fn covers_starts(&self, map: &ValueMap) -> bool {
        map.contents
            .iter()
            .all(|(base, contents)| contents.covers_start(|places, like| self.start_value(*base, places, like)))
    }

    /// What may be read at some places of a base, as a type.
    pub fn read(&self, map: &ValueMap, base: Base, places: &Places, ty: Type) -> Value {
        let mut on_the_way = Vec::new();
        self.read_deep(map, base, places, ty, &mut on_the_way)
    }

    fn read_deep(&self, map: &ValueMap, base: Base, places: &Places, ty: Type, way: &mut Vec<(Base, Places)>) -> Value {
        // What comes back to where it was copied from is there already.
        if way.contains(&(base, *places)) {
            return Value::Nothing;
        }
        if way.len() >= MAX_COPIES {
            return Value::any(ty);
        }
        let like = Value::zero(ty);
        let Some(contents) = map.contents.get(&base) else {
            return self.start_value(base, places, &like).typed(ty);
        };
        let mut value = Value::Nothing;
        contents.read(places, |found| {
            let here = match found {
                Found::Cell(known) => known.clone().typed(ty),
                Found::Start(places) => self.start_value(base, &places, &like).typed(ty),
                Found::Anything => Value::any(ty),
            };
            value = value.join(&here);
        });
        way.push((base, *places));
        for link in &contents.links {
            let here = match (link.source(places), link.base) {
                (None, _) => continue,
                (Some(None), _) => Value::any(ty),
                (Some(Some(_)), None) => zero_like(&like).typed(ty),
                (Some(Some(from)), Some(source)) => self.read_deep(map, source, &from, ty, way),
            };
            value = value.join(&here);
        }
        way.pop();
        value
    }

    /// The places of an access through a pointer, by base: those that are valid as far as bounds go.
    pub fn places(&self, map: &ValueMap, pointer: &Pointer, size: u64) -> Vec<(Base, Places)> {
        let place = |(base, offset): (&Base, &Range)| {
            let (_, most) = self.size(map, *base)?;
            Some((*base, Places::within(offset, size, most)?))
        };
        pointer.targets.iter().filter_map(place).collect()
    }

    pub(crate) fn load(&self, map: &ValueMap, pointer: &Pointer, ty: Type, volatile: bool) -> Value {
        if pointer.is_nothing() {
            return Value::Nothing;
        }
        let is_open = |base: &Base| *base != Base::Arguments && self.is_open(*base);
        if map.wild || volatile || pointer.unknown || pointer.targets.keys().any(is_open) {
            return Value::any(ty);
        }
        let size = self.program.layout.store_size(ty);
        let mut value = Value::Nothing;
        if pointer.targets.contains_key(&Base::Arguments) {
            let vector = Pointer { null: true, ..Pointer::to(Base::Arguments, Range::any(self.address_width())) };
            value = if ty == Type::Ptr { Value::Pointer(vector) } else { Value::any(ty) };
        }
        for (base, places) in self.places(map, pointer, size) {
            value = value.join(&self.read(map, base, &places, ty));
        }
        value
    }

    /// Names what a write through a pointer does.
    pub fn write(&self, map: &ValueMap, pointer: &Pointer, size: u64, value: &Value, out: &mut Vec<Update>) {
        if pointer.unknown || pointer.targets.contains_key(&Base::Arguments) {
            out.push(Update::Wild);
        }
        let is_whole = match value {
            Value::Number(range) => u64::from(range.width()) == 8 * size,
            Value::Nothing | Value::Pointer(_) | Value::Any => true,
        };
        let value = if is_whole { value.clone() } else { Value::Any };
        for (base, places) in self.places(map, pointer, size) {
            if self.is_writable(base) {
                out.push(Update::Write(base, places, value.clone()));
            }
        }
    }

    fn is_writable(&self, base: Base) -> bool {
        match base {
            Base::Global(id) => !self.program.globals[id].constant,
            Base::Function(_) => false,
            Base::Stack(..) | Base::Copy(..) | Base::Heap(..) | Base::Arguments => true,
        }
    }

    /// Names what a copy, or a filling with zeros, does.
    pub fn copy(&self, map: &ValueMap, to: &Pointer, from: Option<&Pointer>, len: &Range, out: &mut Vec<Update>) {
        let (least, most) = len.unsigned_bounds();
        if most == 0 {
            return;
        }
        if to.unknown || to.targets.contains_key(&Base::Arguments) {
            out.push(Update::Wild);
        }
        let grain = if least == most { 0 } else { len.divisor() };
        let known = from.is_none_or(|from| !from.unknown && !from.targets.keys().any(|base| self.is_open(*base)));
        for (base, offset) in to.targets.iter().filter(|(base, _)| self.is_writable(**base)) {
            let Some((_, object)) = self.size(map, *base) else { continue };
            let Some(all) = Places::within(offset, u64::try_from(least.max(1)).unwrap_or(1).min(object.max(1)), object)
            else {
                continue;
            };
            let room = object - all.first;
            let longest = u64::try_from(most).unwrap_or(u64::MAX).min(room);
            let last = all.last.min(object - 1);
            let sources: Vec<(Base, Range)> = from
                .map(|from| from.targets.iter().map(|(base, offset)| (*base, *offset)).collect())
                .unwrap_or_default();
            let whole = Places { first: all.first, last, step: all.step, size: longest };
            let mut note = |link: Link| out.push(Update::Copy(*base, link));
            let blur = Link { to: whole, base: Some(Base::Arguments), from: whole, grain: 1 };
            if !known || map.wild {
                note(blur);
                continue;
            }
            if from.is_none() {
                note(Link { to: whole, base: None, from: Places { first: 0, last: 0, step: 0, size: longest }, grain });
            }
            for (source, offset) in sources {
                let Some((_, size)) = self.size(map, source) else { continue };
                let shortest = u64::try_from(least.max(1)).unwrap_or(1);
                let Some(places) = Places::within(&offset, shortest, size) else { continue };
                note(Link { to: whole, base: Some(source), from: Places { size: longest, ..places }, grain });
            }
        }
    }

    /// Anything may be written from where a pointer points to the end of the object.
    pub fn overwrite(&self, map: &ValueMap, pointer: &Pointer, out: &mut Vec<Update>) {
        self.copy(map, pointer, Some(&Pointer::unknown()), &Range::any(self.address_width()), out);
    }
}

/// All bits zero, as a value of this kind.
fn zero_like(like: &Value) -> Value {
    match like {
        Value::Pointer(_) => Value::Pointer(Pointer::null()),
        Value::Number(range) => Value::Number(Range::constant(range.width(), 0)),
        Value::Any | Value::Nothing => Value::Any,
    }
}
