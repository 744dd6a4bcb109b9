//! Abstract values: what a register or a place in memory may hold.

use std::collections::BTreeMap;

use belay_ir::{FuncId, GlobalId, InstId, Type};

use crate::range::{MAX_WIDTH, Range};

/// The objects that one name stands for: all that are made at one place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// A static object.
    Global(GlobalId),
    /// A function, as something that an address can be of.
    Function(FuncId),
    /// The stack objects of an `Alloca`, of all activations and lives.
    Stack(FuncId, InstId),
    /// The copies of a struct that is passed by value as this parameter.
    Copy(FuncId, u32),
    /// The blocks that a call of an allocating function makes.
    Heap(FuncId, InstId),
    /// What `main` gets: the vector and the strings.
    Arguments,
}

/// So many targets of a pointer are told apart.
const MAX_TARGETS: usize = 48;

/// Where a pointer may lead. With no flag and no target it is no pointer at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pointer {
    /// It may be null.
    pub null: bool,
    /// It may be one through which no access is valid: undefined.
    pub invalid: bool,
    /// It may be anything.
    pub unknown: bool,
    /// Objects, and the offsets in them.
    pub targets: BTreeMap<Base, Range>,
}

impl Pointer {
    /// Anything.
    pub fn unknown() -> Pointer {
        Pointer { null: true, invalid: true, unknown: true, targets: BTreeMap::new() }
    }

    /// Null.
    pub fn null() -> Pointer {
        Pointer { null: true, ..Pointer::default() }
    }

    /// A place in an object.
    pub fn to(base: Base, offset: Range) -> Pointer {
        Pointer { targets: BTreeMap::from([(base, offset)]), ..Pointer::default() }
    }

    /// True if there is no such pointer.
    pub fn is_nothing(&self) -> bool {
        !self.null && !self.invalid && !self.unknown && self.targets.is_empty()
    }

    fn covers(&self, other: &Pointer) -> bool {
        let has = |(base, offset): (&Base, &Range)| self.targets.get(base).is_some_and(|own| own.covers(offset));
        self.unknown
            || (!other.unknown
                && (self.null || !other.null)
                && (self.invalid || !other.invalid)
                && other.targets.iter().all(has))
    }

    fn meet(&self, other: &Pointer) -> Pointer {
        if self.unknown || other.unknown {
            return if self.unknown { other.clone() } else { self.clone() };
        }
        let common = |(base, offset): (&Base, &Range)| Some((*base, offset.meet(other.targets.get(base)?)?));
        Pointer {
            null: self.null && other.null,
            invalid: self.invalid && other.invalid,
            unknown: false,
            targets: self.targets.iter().filter_map(common).collect(),
        }
    }

    fn combine(&self, other: &Pointer, with: impl Fn(&Range, &Range) -> Range) -> Pointer {
        if self.unknown || other.unknown {
            return Pointer::unknown();
        }
        let mut joined = self.clone();
        joined.null |= other.null;
        joined.invalid |= other.invalid;
        for (base, offset) in &other.targets {
            joined.targets.entry(*base).and_modify(|own| *own = with(own, offset)).or_insert(*offset);
        }
        if joined.targets.len() > MAX_TARGETS { Pointer::unknown() } else { joined }
    }
}

/// What a register or a place may hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Value {
    /// Nothing: it is never computed.
    #[default]
    Nothing,
    /// An integer of at most 64 bits.
    Number(Range),
    /// A pointer.
    Pointer(Pointer),
    /// Any bits, those of pointers included.
    Any,
}

impl Value {
    /// All values of a type.
    pub fn any(ty: Type) -> Value {
        match ty {
            Type::Int(width) if width <= MAX_WIDTH => Value::Number(Range::any(width)),
            Type::Ptr => Value::Pointer(Pointer::unknown()),
            Type::Int(_) | Type::F32 | Type::F64 => Value::Any,
        }
    }

    /// What a type holds that nobody has set.
    pub fn undefined(ty: Type) -> Value {
        match ty {
            Type::Ptr => Value::Pointer(Pointer { invalid: true, ..Pointer::default() }),
            Type::Int(_) | Type::F32 | Type::F64 => Value::any(ty),
        }
    }

    /// All bits zero.
    pub fn zero(ty: Type) -> Value {
        match ty {
            Type::Int(width) if width <= MAX_WIDTH => Value::Number(Range::constant(width, 0)),
            Type::Ptr => Value::Pointer(Pointer::null()),
            Type::Int(_) | Type::F32 | Type::F64 => Value::Any,
        }
    }

    /// True if there is no such value.
    pub fn is_nothing(&self) -> bool {
        match self {
            Value::Nothing => true,
            Value::Pointer(pointer) => pointer.is_nothing(),
            Value::Number(_) | Value::Any => false,
        }
    }

    /// As an integer of this width; nothing if there is no value.
    pub fn number(&self, width: u16) -> Option<Range> {
        match self {
            Value::Number(range) if range.width() == width => Some(*range),
            Value::Nothing => None,
            Value::Number(_) | Value::Pointer(_) | Value::Any => Some(Range::any(width)),
        }
    }

    /// As a pointer.
    pub fn pointer(&self) -> Pointer {
        match self {
            Value::Pointer(pointer) => pointer.clone(),
            Value::Nothing => Pointer::default(),
            Value::Number(_) | Value::Any => Pointer::unknown(),
        }
    }

    /// As a value of a type.
    pub fn typed(self, ty: Type) -> Value {
        match (&self, ty) {
            (Value::Nothing, _) => self,
            (Value::Number(range), Type::Int(width)) if range.width() == width => self,
            (Value::Pointer(_), Type::Ptr) => self,
            (Value::Number(_) | Value::Pointer(_) | Value::Any, _) => Value::any(ty),
        }
    }

    /// True if every value of `other` is one.
    pub fn covers(&self, other: &Value) -> bool {
        match (self, other) {
            (_, Value::Nothing) | (Value::Any, _) => true,
            (Value::Number(own), Value::Number(range)) => own.covers(range),
            (Value::Pointer(own), Value::Pointer(pointer)) => own.covers(pointer),
            (Value::Nothing, Value::Pointer(pointer)) => pointer.is_nothing(),
            (Value::Nothing, _) | (Value::Number(_), _) | (Value::Pointer(_), _) => false,
        }
    }

    /// The values of both.
    pub fn join(&self, other: &Value) -> Value {
        self.combine(other, |a, b| a.join(b))
    }

    /// The values of both, bounds moved on to the next threshold.
    pub fn widen(&self, other: &Value, thresholds: &[i128]) -> Value {
        self.combine(other, |a, b| a.widen(b, thresholds))
    }

    fn combine(&self, other: &Value, with: impl Fn(&Range, &Range) -> Range) -> Value {
        match (self, other) {
            (Value::Nothing, known) | (known, Value::Nothing) => known.clone(),
            (Value::Number(a), Value::Number(b)) if a.width() == b.width() => Value::Number(with(a, b)),
            (Value::Pointer(a), Value::Pointer(b)) => Value::Pointer(a.combine(b, with)),
            (Value::Number(_) | Value::Pointer(_) | Value::Any, _) => Value::Any,
        }
    }

    /// The values of both sides at once, as far as that can be said.
    pub fn meet(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Nothing, _) | (_, Value::Nothing) => Value::Nothing,
            (Value::Number(a), Value::Number(b)) if a.width() == b.width() => {
                a.meet(b).map_or(Value::Nothing, Value::Number)
            }
            (Value::Pointer(a), Value::Pointer(b)) => Value::Pointer(a.meet(b)),
            (Value::Any, known) => known.clone(),
            (known, _) => known.clone(),
        }
    }
}
