//! What lasts from one unrolling to the next.
//!
//! Deepening executes the program anew, and a solver that learned from the terms of one bound is asked about the next: so terms, the names of what is created on
//! the way ([`object`](super::object)), and what is required of the variables are kept here. Everything else belongs to one unrolling, and to its
//! [`Execution`](super::execution::Execution).

use belay_invariants::ObjectKind;
use belay_ir::{FuncId, GlobalId, Program};
use belay_logic::bv::{Term, TermId, TermStore};
use belay_rules::Config;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Goal;
use super::entry::ArgumentObjects;
use super::function_flow::FunctionFlows;
use super::object::{Names, Object, ObjectId};
use super::value::Pointers;

/// The terms of one program, and what they stand for.
#[derive(Debug)]
pub struct Store<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    /// The terms.
    pub terms: TermStore,
    pub(crate) names: Names,
    pub(crate) pointers: Pointers,
    pub(crate) flows: FunctionFlows<'p>,
    /// What holds of the variables in every run; grows with every unrolling.
    pub constraints: Vec<TermId>,
    pub(crate) argument_count: Option<TermId>,
    pub(crate) argument_objects: ArgumentObjects,
    /// The variables of bounds that are to be found.
    pub(crate) parameters: FxHashMap<u32, TermId>,
    /// How many first contents are arbitrary.
    pub(crate) havocs: u32,
}

impl<'p> Store<'p> {
    /// A store for `program`, which starts as `config` says.
    pub(crate) fn new(program: &'p Program, config: Config) -> Self {
        let mut store = Self {
            program,
            config,
            terms: TermStore::new(),
            names: Names::default(),
            pointers: Pointers::default(),
            flows: FunctionFlows::new(program),
            constraints: Vec::new(),
            argument_count: None,
            argument_objects: ArgumentObjects::default(),
            parameters: FxHashMap::default(),
            havocs: 0,
        };
        store.add_static_objects();
        store
    }

    /// The variables of undefined bytes that a term depends on under a model, in the order of their making: of a choice only what is
    /// chosen counts.
    pub fn undefined_in(&self, root: TermId, mut holds: impl FnMut(TermId) -> bool) -> Vec<TermId> {
        let (mut stack, mut seen) = (vec![root], FxHashSet::default());
        let mut found = Vec::new();
        while let Some(term) = stack.pop() {
            if !self.names.may_depend_on_undefined(term) || !seen.insert(term) {
                continue;
            }
            if self.names.is_undefined(term) {
                found.push(term);
            }
            match self.terms.term(term) {
                Term::Ite(condition, then, otherwise) => {
                    stack.extend([condition, if holds(condition) { then } else { otherwise }]);
                }
                other => stack.extend(other.operands()),
            }
        }
        found.sort_unstable();
        found
    }

    fn add_static_objects(&mut self) {
        let width = self.address_width();
        for (id, global) in self.program.globals.iter_enumerated() {
            let size = global.size.map(|size| self.terms.number(width, size.into()));
            let kind = ObjectKind::Global(id);
            let align = u64::from(global.align.max(1));
            self.names.add_object(Object { kind, size, align, constant: global.constant, span: global.span });
        }
        let none = self.terms.number(width, 0);
        for (id, function) in self.program.functions.iter_enumerated() {
            let kind = ObjectKind::Function(id);
            let object = Object { kind, size: Some(none), align: 1, constant: true, span: function.span };
            self.names.add_object(object);
        }
    }

    pub(crate) fn global_object(&self, global: GlobalId) -> ObjectId {
        ObjectId(global.0)
    }

    pub(crate) fn function_object(&self, function: FuncId) -> ObjectId {
        ObjectId(self.program.globals.len() as u32 + function.0)
    }

    pub(crate) fn address_width(&self) -> u32 {
        self.program.layout.pointer_bits().into()
    }

    /// A constant of address width.
    pub(crate) fn address_number(&mut self, value: u64) -> TermId {
        let width = self.address_width();
        self.terms.number(width, value.into())
    }

    /// Requires something of the variables that every run satisfies.
    pub(crate) fn require(&mut self, condition: TermId) {
        if !self.terms.is_true(condition) {
            self.constraints.push(condition);
        }
    }

    pub(super) fn is_of_memory(&self, goal: Goal) -> bool {
        match goal {
            Goal::Obligation(id) => self.program.obligations[id].property.is_of_memory(),
            Goal::Lost | Goal::NotFreed => false,
        }
    }

    /// The low bits of a number, or the number with zeros above.
    pub(crate) fn fit_width(&mut self, bits: TermId, width: u32) -> TermId {
        let has = self.terms.width(bits);
        if has > width { self.terms.extract(width - 1, 0, bits) } else { self.terms.zext(bits, width) }
    }
}
