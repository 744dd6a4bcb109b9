//! Objects and free variables, by their place in the unrolling.
//!
//! Deepening executes the program anew. What is created on the way must be the same term again if it is created at the same place,
//! or nothing of the earlier translation could be used: so a place is named by the chain of calls, the block, the iterations of the
//! loops around it and the instruction, and the names are kept from one bound to the next.

use belay_base::{Span, id_type};
use belay_ir::{BlockId, FuncId, InstId};
use belay_logic::bv::{TermId, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::content::Start;
use belay_invariants::{ObjectKey, ObjectKind};

id_type!(
    /// An object of the unrolling.
    ObjectId,
    "obj"
);
id_type!(
    /// One execution of a block within one activation.
    InstanceId,
    "at"
);
id_type!(
    /// One activation of a function.
    ContextId,
    "call"
);

/// The iterations of the loops around a block, outermost first.
pub type Iterations = SmallVec<[u32; 4]>;

/// What does not change during an object's life.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its size in bytes, of address width; `None` if the program does not say.
    pub size: Option<TermId>,
    /// A power of two that divides its address.
    pub align: u64,
    /// True if it must not be written.
    pub constant: bool,
    /// Where it was made.
    pub span: Span,
}

/// A place of the unrolling at which something can be created.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// The execution of the block.
    pub instance: InstanceId,
    /// The instruction; past all for the terminator.
    pub inst: InstId,
}

/// Where a variable comes from: which question of the interpreter its value answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// An input.
    Input,
    /// An arbitrary result.
    Arbitrary,
    /// Undefined bytes.
    Undefined,
    /// Made up by the encoder.
    Internal,
}

/// Names of places, objects and variables, kept between bounds.
#[derive(Debug, Default)]
pub struct Names {
    contexts: FxHashMap<(Option<Site>, FuncId), ContextId>,
    instances: FxHashMap<(ContextId, BlockId, Iterations), InstanceId>,
    variables: FxHashMap<(Site, u32, u32), TermId>,
    bytes: FxHashMap<(ObjectId, u64), TermId>,
    objects: Vec<Object>,
    keys: FxHashMap<ObjectId, ObjectKey>,
    by_key: FxHashMap<ObjectKey, Vec<ObjectId>>,
    object_names: FxHashMap<(Site, u32, Option<TermId>), ObjectId>,
    addresses: FxHashMap<ObjectId, TermId>,
    lazy: FxHashMap<(Start, TermId, u32), TermId>,
    undefined: FxHashSet<TermId>,
    /// For each term whether an undefined variable is in it, as far as looked at.
    depends: Vec<bool>,
}

impl Names {
    /// The activation of `function` by a call.
    pub fn context(&mut self, call: Option<Site>, function: FuncId) -> ContextId {
        let next = ContextId(self.contexts.len() as u32);
        *self.contexts.entry((call, function)).or_insert(next)
    }

    /// The execution of a block.
    pub fn instance(&mut self, context: ContextId, block: BlockId, iterations: &Iterations) -> InstanceId {
        let next = InstanceId(self.instances.len() as u32);
        *self.instances.entry((context, block, iterations.clone())).or_insert(next)
    }

    /// The variable of this number at a place.
    pub fn variable(&mut self, terms: &mut TermStore, site: Site, number: u32, width: u32, origin: Origin) -> TermId {
        if let Some(known) = self.variables.get(&(site, number, width)) {
            return *known;
        }
        let name = format!("{}{}_{number}", site.instance, site.inst.0);
        let variable = terms.variable(name, width);
        self.variables.insert((site, number, width), variable);
        if origin == Origin::Undefined {
            self.undefined.insert(variable);
        }
        variable
    }

    /// The undefined byte at `offset` of an object.
    pub fn byte(&mut self, terms: &mut TermStore, object: ObjectId, offset: u64) -> TermId {
        if let Some(known) = self.bytes.get(&(object, offset)) {
            return *known;
        }
        let variable = terms.variable(format!("{object}[{offset}]"), 8);
        self.bytes.insert((object, offset), variable);
        self.undefined.insert(variable);
        variable
    }

    /// The bytes that a read at an unknown offset of first bytes finds.
    pub fn lazy(&mut self, terms: &mut TermStore, start: Start, offset: TermId, size: u32) -> TermId {
        if let Some(known) = self.lazy.get(&(start, offset, size)) {
            return *known;
        }
        let variable = terms.variable(format!("read{}", self.lazy.len()), 8 * size);
        self.lazy.insert((start, offset, size), variable);
        if let Start::Undefined(_) = start {
            self.undefined.insert(variable);
        }
        variable
    }

    /// True if an undefined variable is part of the term.
    pub fn depends_on_undefined(&mut self, terms: &TermStore, term: TermId) -> bool {
        use belay_base::Id;
        if self.undefined.is_empty() {
            return false;
        }
        for index in self.depends.len()..=term.index() {
            let id = TermId::new(index);
            let depends =
                self.undefined.contains(&id) || terms.term(id).operands().any(|operand| self.depends[operand.index()]);
            self.depends.push(depends);
        }
        self.depends[term.index()]
    }

    /// False if no undefined variable is part of the term, as far as that was looked at.
    pub fn may_depend_on_undefined(&self, term: TermId) -> bool {
        use belay_base::Id;
        self.depends.get(term.index()).copied().unwrap_or(true)
    }

    /// True if the term is an undefined variable.
    pub fn is_undefined(&self, term: TermId) -> bool {
        self.undefined.contains(&term)
    }

    /// Adds an object that is there from the start.
    pub fn add_object(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        let id = ObjectId(self.objects.len() as u32 - 1);
        match object.kind {
            ObjectKind::Stack | ObjectKind::Heap => {}
            ObjectKind::Global(_)
            | ObjectKind::Function(_)
            | ObjectKind::Arguments
            | ObjectKind::String(_)
            | ObjectKind::EntryBytes(_) => {
                let (calls, inst) = (Vec::new(), InstId(u32::MAX));
                self.set_key(id, ObjectKey { kind: object.kind, calls, inst, number: 0 });
            }
        }
        id
    }

    /// The object of this number made at a place. One of another size is another object.
    pub fn object_at(&mut self, site: Site, number: u32, object: Object) -> ObjectId {
        if let Some(known) = self.object_names.get(&(site, number, object.size)) {
            return *known;
        }
        let id = self.add_object(object);
        self.object_names.insert((site, number, object.size), id);
        id
    }

    /// Says where an object is made.
    pub fn set_key(&mut self, id: ObjectId, key: ObjectKey) {
        if !self.keys.contains_key(&id) {
            self.by_key.entry(key.clone()).or_default().push(id);
            self.keys.insert(id, key);
        }
    }

    /// Where an object is made, if that was said.
    pub fn key_of(&self, id: ObjectId) -> Option<&ObjectKey> {
        self.keys.get(&id)
    }

    /// The objects made at one place.
    pub fn objects_of(&self, key: &ObjectKey) -> &[ObjectId] {
        self.by_key.get(key).map_or(&[], Vec::as_slice)
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> Object {
        self.objects[id.0 as usize]
    }

    /// The number of the object's address, if it was asked for.
    pub fn known_address(&self, id: ObjectId) -> Option<TermId> {
        self.addresses.get(&id).copied()
    }

    /// Says what the object's address is.
    pub fn set_address(&mut self, id: ObjectId, address: TermId) {
        self.addresses.insert(id, address);
    }
}
