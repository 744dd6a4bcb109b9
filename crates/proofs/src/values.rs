//! Maps of values.

use belay_values::{Base, Cell, Contents, FunctionValues, Link, Places, Pointer, Range, Segment, Value, ValueMap};
use serde_json::Value as Json;

use crate::names::Names;
use crate::stored::{Bad, Stored};

stored_struct!(ValueMap { functions, contents, freed, sizes, wild });
stored_struct!(FunctionValues { params, registers, results, returns, reached });
stored_struct!(Contents { segments, links });
stored_struct!(Segment { start, end, period, anything, cells });
stored_struct!(Cell { size, value });
stored_struct!(Link { to, base, from, grain });
stored_struct!(Places { first, last, step, size });
stored_struct!(Pointer { null, invalid, unknown, targets });
stored_enum!(Value { Nothing, Number(range), Pointer(pointer), Any });
stored_enum!(Base {
    Global(id),
    Function(id),
    Stack(function, inst),
    Copy(function, index),
    Heap(function, inst),
    Arguments
});

/// Width, both pairs of bounds, and the congruence.
impl Stored for Range {
    fn store(&self, names: &Names<'_>) -> Json {
        let (width, bounds, step, rest) = self.parts();
        ((u32::from(width), bounds.to_vec()), (step, rest)).store(names)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        let ((width, bounds), (step, rest)) = <((u32, Vec<i128>), (u64, i128))>::load(json, names)?;
        let bad = || Bad::new("no range");
        let bounds = <[i128; 4]>::try_from(bounds).map_err(|_| bad())?;
        let width = u16::try_from(width).map_err(|_| bad())?;
        Range::from_parts(width, bounds, step, rest).ok_or_else(bad)
    }
}
