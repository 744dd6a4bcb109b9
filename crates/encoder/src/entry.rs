//! The program from its start to its end: constructors, the entry function's arguments, destructors.

use belay_base::Span;
use belay_ir::{BlockId, InstId, Type};
use belay_logic::bv::TermId;
use belay_rules::EntryPointer;

use rustc_hash::FxHashMap;

use super::execution::{Execution, Position};
use super::flow::Activation;
use super::guard::Guards;
use super::leak::End;
use super::object::{ContextId, InstanceId, Iterations, Object, ObjectId, Origin, Site};
use super::state::State;
use super::unrolling::{ArgumentString, RunQuestion};
use super::value::{Base, Value};
use super::{Res, Store};
use belay_invariants::ObjectKind;

/// So many of the program's arguments are followed.
pub const MAX_STRINGS: u32 = 6;

/// The objects that the program's arguments are in.
#[derive(Debug, Default)]
pub struct ArgumentObjects {
    vector: Option<ObjectId>,
    strings: Vec<Option<ObjectId>>,
}

impl ArgumentObjects {
    /// The object of a string, if it was looked at.
    pub fn string(&self, index: u32) -> Option<ObjectId> {
        self.strings.get(index as usize).copied().flatten()
    }
}

impl Store<'_> {
    /// A place outside all functions.
    fn outer_site(&mut self, index: u32) -> Site {
        let instance = self.names.instance(ContextId(u32::MAX), BlockId(index), &Iterations::new());
        Site { instance, inst: InstId(u32::MAX) }
    }

    /// `argc`: at least 1, or 0 where the user says so.
    fn count_of_arguments(&mut self) -> Value {
        let count = match self.argument_count {
            Some(count) => count,
            None => {
                let count = self.terms.variable("argc", 32);
                let least = self.terms.number(32, u128::from(self.config.least_arguments));
                let is_enough = self.terms.sle(least, count);
                self.require(is_enough);
                self.argument_count = Some(count);
                count
            }
        };
        Value::Bits(count)
    }

    fn argument_vector(&mut self) -> Value {
        let object = match self.argument_objects.vector {
            Some(object) => object,
            None => {
                let width = self.address_width();
                let zero = self.terms.number(32, 0);
                let count = self.argument_count.unwrap_or(zero);
                let count = self.terms.zext(count, width);
                let one = self.address_number(1);
                let entries = self.terms.add(count, one);
                let each = self.address_number(self.program.layout.pointer_bytes());
                let size = Some(self.terms.mul(entries, each));
                let (kind, align) = (ObjectKind::Arguments, self.program.layout.pointer_bytes());
                let object = Object { kind, size, align, constant: false, span: Span::NONE };
                let object = self.names.add_object(object);
                self.argument_objects.vector = Some(object);
                object
            }
        };
        Value::Ptr(self.pointer_to(object))
    }

    /// The object of a string among the program's arguments.
    pub(crate) fn argument_string(&mut self, index: u32) -> ObjectId {
        if let Some(known) = self.argument_objects.string(index) {
            return known;
        }
        let object = self.string_object(index);
        let strings = &mut self.argument_objects.strings;
        if strings.len() <= index as usize {
            strings.resize(index as usize + 1, None);
        }
        strings[index as usize] = Some(object);
        object
    }

    /// A string of any length below half of the address space, which may begin anywhere.
    fn string_object(&mut self, index: u32) -> ObjectId {
        let width = self.address_width();
        let len = self.terms.variable(format!("length of argument {index}"), width - 2);
        let len = self.terms.zext(len, width);
        let one = self.address_number(1);
        let size = Some(self.terms.add(len, one));
        let kind = ObjectKind::String(index);
        self.names.add_object(Object { kind, size, align: 1, constant: false, span: Span::NONE })
    }

    /// That neither the number of the program's arguments nor the length of one of them exceeds `limit`.
    pub fn small_arguments(&mut self, limit: u64) -> TermId {
        let mut small = self.terms.boolean(true);
        if let Some(count) = self.argument_count {
            let most = self.terms.number(32, limit.into());
            small = self.terms.ule(count, most);
        }
        let strings: Vec<ObjectId> = self.argument_objects.strings.iter().flatten().copied().collect();
        for string in strings {
            let Some(size) = self.names.object(string).size else { continue };
            let most = self.address_number(limit);
            let short = self.terms.ule(size, most);
            small = self.terms.and(small, short);
        }
        small
    }

    /// The variable of `argc`.
    pub fn argument_count(&self) -> Option<TermId> {
        self.argument_count
    }
}

impl Execution<'_, '_> {
    /// Executes the whole program.
    pub(crate) fn run_program(&mut self) -> Res<()> {
        let mut state = State { guard: Guards::TRUE, registers: Default::default(), memory: Default::default() };
        for (index, function) in (0..).zip(self.store.program.constructors.clone()) {
            let site = Some(self.store.outer_site(index));
            match self.run_function(Activation::plain(function, Vec::new(), site), state)? {
                Some(returned) => state = returned.state,
                None => return Ok(()),
            }
        }
        let args = self.entry_arguments(&mut state);
        if self.is_dead(&state) {
            return Ok(());
        }
        let Some(returned) = self.run_function(Activation::plain(self.store.config.entry, args, None), state)? else {
            return Ok(());
        };
        let (mut state, results) = (returned.state, returned.results);
        if !self.run_destructors(&mut state)? {
            return Ok(());
        }
        self.check_end(&state, End::Return, &results);
        Ok(())
    }

    /// The strings among the program's arguments, and the bytes of them that were looked at.
    pub(super) fn strings_looked_at(&self) -> FxHashMap<u32, ArgumentString> {
        let strings = self.store.argument_objects.strings.iter().zip(0..);
        let known = strings.filter_map(|(object, index)| {
            let object = (*object)?;
            let size = self.store.names.object(object).size?;
            let reads = self.contents.lazy.get(&super::content::Start::String(object)).into_iter().flatten();
            let reads = reads.map(|(offset, _, byte)| (*offset, *byte)).collect();
            Some((index, ArgumentString { size, reads }))
        });
        known.collect()
    }

    /// False if a destructor never returns.
    fn run_destructors(&mut self, state: &mut State) -> Res<bool> {
        for (index, function) in (1000..).zip(self.store.program.destructors.clone()) {
            let site = match self.at.site.instance {
                InstanceId(u32::MAX) => self.store.outer_site(index),
                _ => self.at.site,
            };
            let entry = State { guard: state.guard, registers: Default::default(), memory: state.memory.clone() };
            match self.run_function(Activation::plain(function, Vec::new(), Some(site)), entry)? {
                Some(returned) => {
                    state.guard = returned.state.guard;
                    state.memory = returned.state.memory;
                    self.here = self.guards.term(state.guard);
                }
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Ends the run.
    pub(crate) fn end_run(&mut self, state: &mut State, end: End) -> Res<()> {
        let at = self.at;
        let goes_on = end != End::Exit || self.run_destructors(state)?;
        self.at = at;
        if goes_on {
            self.check_end(state, end, &[]);
        }
        let no = self.store.terms.boolean(false);
        self.assume(state, no);
        Ok(())
    }

    fn entry_arguments(&mut self, state: &mut State) -> Vec<Value> {
        self.at = Position::new(self.store.outer_site(u32::MAX), Span::NONE);
        self.here = self.guards.term(state.guard);
        let function = &self.store.program.functions[self.store.config.entry];
        let types: Vec<Type> = function.params.iter().map(|param| param.ty).collect();
        match (function.name.as_str(), types.as_slice()) {
            ("main", []) => Vec::new(),
            ("main", [Type::Int(32)]) => vec![self.store.count_of_arguments()],
            ("main", [Type::Int(32), Type::Ptr]) => {
                let count = self.store.count_of_arguments();
                vec![count, self.store.argument_vector()]
            }
            ("main", [Type::Int(32), Type::Ptr, Type::Ptr]) => {
                let count = self.store.count_of_arguments();
                let vector = self.store.argument_vector();
                let object = Object {
                    kind: ObjectKind::Arguments,
                    size: None,
                    align: self.store.program.layout.pointer_bytes(),
                    constant: false,
                    span: Span::NONE,
                };
                let environment = self.store.names.object_at(self.at.site, u32::MAX, object);
                vec![count, vector, Value::Ptr(self.store.pointer_to(environment))]
            }
            _ => (0..types.len()).map(|index| self.entry_argument(state, index)).collect(),
        }
    }

    fn entry_argument(&mut self, state: &mut State, index: usize) -> Value {
        let param = &self.store.program.functions[self.store.config.entry].params[index];
        if param.ty != Type::Ptr && param.byval.is_none() {
            let width = u32::from(self.store.bits_of(param.ty));
            let term = self.fresh(width, Origin::Input);
            self.out.note_event(self.here, RunQuestion::Input { term, ty: param.ty, span: self.at.span });
            return Value::Bits(term);
        }
        let given =
            self.store.config.entry_pointers.iter().find(|(at, _)| *at as usize == index).map(|(_, what)| *what);
        match given {
            Some(EntryPointer::String) if param.byval.is_none() => {
                let object = self.store.argument_string(index as u32);
                Value::Ptr(self.store.pointer_to(object))
            }
            Some(EntryPointer::Bytes(size)) if param.byval.is_none() => {
                let size = Some(self.store.address_number(size));
                let kind = ObjectKind::EntryBytes(index as u32);
                let align = self.store.program.layout.block_align;
                let object = Object { kind, size, align, constant: false, span: Span::NONE };
                let object = self.store.names.object_at(self.at.site, index as u32, object);
                Value::Ptr(self.store.pointer_to(object))
            }
            Some(_) | None => {
                let missing = if param.byval.is_some() { "is" } else { "points to" };
                self.leave(
                    state,
                    format!("what the entry function's parameter {} {missing}, is not given", param.name),
                );
                let zero = self.store.address_number(0);
                Value::Ptr(self.store.pointers.single(&mut self.store.terms, Base::Bare, zero))
            }
        }
    }
}
