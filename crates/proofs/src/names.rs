//! What the program's things are called in a file: functions, static objects and obligations by their names, so that what stands elsewhere in the program may
//! change; instructions, blocks and loops by their numbers within a function.

use std::collections::BTreeMap;

use belay_base::Id;
use belay_ir::{BlockId, FuncId, GlobalId, InstId, LoopId, ObligationId, Program, Property};
use belay_its::evidence::CellId;
use belay_its::{LocId, TransId};
use belay_logic::bv::VarId;
use serde_json::Value as Json;

use crate::stored::{Bad, MAX_ID, Stored};

/// The names of one program.
pub struct Names<'p> {
    program: &'p Program,
    functions: BTreeMap<String, FuncId>,
    globals: BTreeMap<String, GlobalId>,
    obligations: BTreeMap<String, ObligationId>,
}

impl<'p> Names<'p> {
    /// Those of this program.
    pub fn new(program: &'p Program) -> Names<'p> {
        let functions = program.functions.iter_enumerated().map(|(id, function)| (function.name.clone(), id));
        let globals = program.globals.iter_enumerated().map(|(id, global)| (global.name.clone(), id));
        let obligations = program.obligations.ids().map(|id| (program.obligation_name(id), id));
        Names {
            program,
            functions: functions.collect(),
            globals: globals.collect(),
            obligations: obligations.collect(),
        }
    }

    /// True if the function has such a block.
    pub(crate) fn has_block(&self, function: FuncId, block: BlockId) -> bool {
        self.program.functions[function].blocks.get(block).is_some()
    }
}

/// A name that stands for one thing only, else `#` and the number.
fn store_name<I: Id>(id: I, name: String, known: &BTreeMap<String, I>) -> Json {
    let is_own = known.get(&name) == Some(&id) && !name.starts_with('#');
    if is_own { name.into() } else { format!("#{}", id.index()).into() }
}

fn load_name<I: Id>(json: &Json, known: &BTreeMap<String, I>, count: usize, what: &str) -> Result<I, Bad> {
    let name = json.as_str().ok_or_else(|| Bad::new(format!("the name of {what} is expected")))?;
    let numbered = || name.strip_prefix('#')?.parse().ok().filter(|index| *index < count).map(I::new);
    let found = known.get(name).copied().or_else(numbered);
    found.ok_or_else(|| Bad::new(format!("the program has no {what} `{name}`")))
}

impl Stored for FuncId {
    fn store(&self, names: &Names<'_>) -> Json {
        store_name(*self, names.program.functions[*self].name.clone(), &names.functions)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        load_name(json, &names.functions, names.program.functions.len(), "function")
    }
}

impl Stored for GlobalId {
    fn store(&self, names: &Names<'_>) -> Json {
        store_name(*self, names.program.globals[*self].name.clone(), &names.globals)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        load_name(json, &names.globals, names.program.globals.len(), "static object")
    }
}

impl Stored for ObligationId {
    fn store(&self, names: &Names<'_>) -> Json {
        store_name(*self, names.program.obligation_name(*self), &names.obligations)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        load_name(json, &names.obligations, names.program.obligations.len(), "obligation")
    }
}

impl Stored for Property {
    fn store(&self, _: &Names<'_>) -> Json {
        self.name().into()
    }
    fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
        let found = Property::ALL.into_iter().find(|property| json.as_str() == Some(property.name()));
        found.ok_or_else(|| Bad::new("the name of a property is expected"))
    }
}

/// Numbers within a function, a system or a formula; the greatest of all stands for none. Whether there is such a thing is for the checker to see.
macro_rules! stored_ids {
    ($($id:ident),*) => {$(
        impl Stored for $id {
            fn store(&self, _: &Names<'_>) -> Json {
                (self.0 != u32::MAX).then_some(self.0).into()
            }
            fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
                if json.is_null() {
                    return Ok($id(u32::MAX));
                }
                let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
                let number = number.filter(|number| *number < MAX_ID);
                number.map($id).ok_or_else(|| Bad::new("the number of something is expected"))
            }
        }
    )*};
}
stored_ids!(InstId, BlockId, LoopId, LocId, TransId, CellId, VarId);
