//! The state in which a program starts: what `main` or another entry function is given.

use std::collections::BTreeMap;

use belay_base::Span;
use belay_ir::{Function, IntegerModel, Type};
use belay_linear::Constraint;
use belay_rules::EntryPointer;

use super::arithmetic::scaled;
use super::array::ArrayRange;
use super::asked::AskedFor;
use super::element::OwnBlock;
use super::heap::MOST_BYTES;
use super::knowledge::constant;
use super::machine::{Halt, Machine, Step};
use super::segment::{Content, at};
use super::state::{AllocKind, Allocation, Frame, State, Value};

impl Machine<'_> {
    /// The states in which a run begins.
    pub fn start(&mut self) -> Step<State> {
        let entry = self.config.entry;
        let function = &self.program.functions[entry];
        let beside = !self.program.constructors.is_empty() || !self.program.destructors.is_empty();
        // A probe leaves them out; its run does not.
        if beside && !self.probing() {
            return Err(Halt::Unable("constructors and destructors are not followed".to_owned(), Span::NONE));
        }
        let mut state = State::default();
        self.start_globals(&mut state);
        let mut params = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let value = match (param.ty, function.name.as_str(), index) {
                (Type::Int(width), "main", 0) => {
                    let argc = self.arbitrary(&mut state, width);
                    let least = constant(i128::from(self.config.least_arguments));
                    state.knowledge.constraints.push(Constraint::ge(argc.minus(&least)));
                    self.asks(&mut state, AskedFor::Count, Span::NONE, &argc);
                    Value::Int(argc)
                }
                (Type::Ptr, "main", 1) => self.argument_strings(&mut state, params.first()),
                (Type::Ptr, "main", _) => Value::Top,
                (Type::Ptr, _, _) => self.entry_pointer(&mut state, index as u32)?,
                (ty, _, _) => self.asked_for(&mut state, AskedFor::Input(ty), ty, Span::NONE),
            };
            if param.byval.is_some() {
                return Err(Halt::Unable("a struct as argument of the entry function".to_owned(), function.span));
            }
            params.push(value);
        }
        let frame = Frame { function: entry, block: Function::ENTRY, index: 0, params, values: BTreeMap::new() };
        state.frames.push(frame);
        Ok(state)
    }

    /// `argv`: `argc` strings, each an object of its own, and a null pointer behind them.
    ///
    /// *Sound*: this is what a run begins with (see the interpreter's `entry`), with strings of any length and content, writable, that share no byte.
    /// They are elements of a range, so that they become objects where they are looked at. A probe has to say which strings a run is given,
    /// and knows nothing of them.
    fn argument_strings(&mut self, state: &mut State, count: Option<&Value>) -> Value {
        let function = &self.program.functions[self.config.entry];
        let usual = matches!(function.params.first(), Some(param) if param.ty == Type::Int(32));
        let (Some(Value::Int(count)), false, true) = (count, self.probing(), usual && function.uses_param(1)) else {
            return Value::Top;
        };
        let width = self.program.layout.pointer_bytes();
        let end = scaled(count, i128::from(width));
        let size = end.plus(&at(width));
        let array = Allocation { kind: AllocKind::Argument, align: width, ..Allocation::block(size, false) };
        let alloc = state.allocate(array);
        let number = |number: i128| Value::Int(constant(number));
        let most = (self.config.integers == IntegerModel::Machine).then(|| number(MOST_BYTES));
        let content = Content::Block(OwnBlock {
            least: number(1),
            most,
            null: false,
            terminated: true,
            given: true,
            fields: Vec::new(),
        });
        self.note_cell(state, alloc, end.clone(), width, Value::Null);
        state.ranges.push(ArrayRange { alloc, from: constant(0), to: end, step: width, width, content });
        Value::Pointer(alloc, constant(0))
    }

    fn entry_pointer(&mut self, state: &mut State, index: u32) -> Step<Value> {
        let given = self.config.entry_pointers.iter().find(|(at, _)| *at == index).map(|(_, given)| *given);
        let kind = AllocKind::Argument;
        match given {
            Some(EntryPointer::Bytes(size)) => {
                let size = constant(i128::from(size));
                let id = state.allocate(Allocation { kind, ..Allocation::block(size, false) });
                Ok(Value::Pointer(id, constant(0)))
            }
            Some(EntryPointer::String) => {
                let length = state.fresh();
                state.knowledge.constraints.push(Constraint::ge(length.clone()));
                if self.config.integers == IntegerModel::Machine {
                    let most = constant(MOST_BYTES - 1);
                    state.knowledge.constraints.push(Constraint::ge(most.minus(&length)));
                }
                let size = length.plus(&constant(1));
                let id = state.allocate(Allocation { kind, align: 1, ..Allocation::block(size, false) });
                self.asks(state, AskedFor::Length(index, id), Span::NONE, &length);
                self.note_cell(state, id, length, 1, Value::Int(constant(0)));
                Ok(Value::Pointer(id, constant(0)))
            }
            None => Err(Halt::Unable("what an entry argument points to is not given".to_owned(), Span::NONE)),
        }
    }
}
