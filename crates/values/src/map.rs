//! What a program's values may be, for all runs at once: a value for each register, parameter and result, and contents for each base.
//!
//! **Meaning.** The map *describes* a state if each function on the stack is one that is entered and stands in a block that is reached, each register and parameter
//! has a value that the map gives it, and each object's bytes are as the contents of its base say. Context is not told apart: all calls of a
//! function share its parameters and its results, as all objects of a base share their contents. So each function is looked at once.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::IdVec;
use belay_ir::{BlockId, FuncId, InstId, Program};

use crate::contents::{Contents, Link, Places};
use crate::value::{Base, Value};

/// What is known of a function that is entered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionValues {
    /// Its parameters, of all calls.
    pub params: Vec<Value>,
    /// Its registers.
    pub registers: Vec<Value>,
    /// Its results.
    pub results: Vec<Value>,
    /// Whether it may return.
    pub returns: bool,
    /// Which of its blocks may be reached.
    pub reached: Vec<bool>,
}

/// What a program's values may be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValueMap {
    /// By function; nothing of one that is never entered.
    pub functions: IdVec<FuncId, Option<Box<FunctionValues>>>,
    /// By base; nothing of one that is never written.
    pub contents: BTreeMap<Base, Contents>,
    /// What may have been given back to the heap.
    pub freed: BTreeSet<Option<Base>>,
    /// The least and the greatest size of the blocks of a call.
    pub sizes: BTreeMap<Base, (u64, u64)>,
    /// Something may have been written anywhere: nothing is known of any memory.
    pub wild: bool,
}

/// What a step says of the state after it: the map has to allow for it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Update {
    /// A function is entered.
    Enter(FuncId),
    /// A block is reached.
    Reach(FuncId, BlockId),
    /// A function returns.
    Return(FuncId),
    Register(FuncId, InstId, Value),
    Param(FuncId, u32, Value),
    Result(FuncId, u32, Value),
    /// A value is written at some places of a base.
    Write(Base, Places, Value),
    /// Bytes are copied to some places of a base.
    Copy(Base, Link),
    /// A block of a base may have been given back; of any, if none is named.
    Free(Option<Base>),
    /// A block of a size between these is made.
    Size(Base, u64, u64),
    /// Something is written, nobody knows where.
    Wild,
    /// A run that gets here has no verdict, for this reason.
    NoVerdict(FuncId, InstId, String),
}

impl ValueMap {
    /// A map that describes nothing.
    pub fn new(program: &Program) -> ValueMap {
        ValueMap { functions: IdVec::filled(None, program.functions.len()), ..ValueMap::default() }
    }

    /// The values of a function that is entered.
    pub fn function(&self, id: FuncId) -> Option<&FunctionValues> {
        self.functions.get(id).and_then(|values| values.as_deref())
    }

    /// Whether a block may be reached.
    pub fn is_reached(&self, function: FuncId, block: BlockId) -> bool {
        self.function(function).is_some_and(|values| values.reached.get(block.0 as usize) == Some(&true))
    }

    /// Whether the map allows for a step.
    pub fn covers(&self, update: &Update) -> bool {
        let holds = |known: Option<&Value>, value: &Value| known.unwrap_or(&Value::Nothing).covers(value);
        match update {
            Update::Enter(id) => self.function(*id).is_some(),
            Update::Reach(id, block) => self.is_reached(*id, *block),
            Update::Return(id) => self.function(*id).is_some_and(|values| values.returns),
            Update::Register(id, inst, value) => {
                holds(self.function(*id).and_then(|values| values.registers.get(inst.0 as usize)), value)
            }
            Update::Param(id, index, value) => {
                holds(self.function(*id).and_then(|values| values.params.get(*index as usize)), value)
            }
            Update::Result(id, index, value) => {
                holds(self.function(*id).and_then(|values| values.results.get(*index as usize)), value)
            }
            Update::Write(base, places, value) => {
                self.wild || self.contents.get(base).is_some_and(|contents| contents.covers_write(places, value))
            }
            Update::Copy(base, link) => {
                self.wild || self.contents.get(base).is_some_and(|contents| contents.covers_link(link))
            }
            Update::Free(base) => self.freed.contains(base),
            Update::Size(base, least, most) => {
                self.sizes.get(base).is_some_and(|(low, high)| low <= least && most <= high)
            }
            Update::Wild => self.wild,
            Update::NoVerdict(..) => false,
        }
    }
}
