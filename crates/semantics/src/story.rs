//! The run as a story: what a person wants to see of it, with C names and values. Data only.

use belay_base::Span;
use belay_ir::{CType, FuncId, Program};

use crate::choice::{Choice, RequestKind};
use crate::observer::{Event, Observer, Shown, Target};
use crate::report::{ObjectInfo, ObjectKind};

/// A step of the story.
#[derive(Clone, PartialEq, Debug)]
pub struct StoryEvent {
    /// Where.
    pub span: Span,
    /// How many calls deep; 1 in the entry function.
    pub depth: usize,
    /// What.
    pub what: StoryStep,
}

/// What happened in a step.
#[derive(Clone, PartialEq, Debug)]
pub enum StoryStep {
    /// An input: the function that gave it, and its value as text.
    Input {
        /// The function or parameter.
        name: String,
        /// The value.
        value: String,
    },
    /// Another choice, as its text form.
    Choice(String),
    /// A variable was assigned.
    Assign {
        /// Its C name; for a part of an array or struct with the offset.
        name: String,
        /// Its new value.
        value: String,
    },
    /// A function was called.
    Call {
        /// The function.
        function: FuncId,
        /// Its parameters' names and values.
        args: Vec<(String, String)>,
    },
    /// A function returned.
    Return {
        /// The function.
        function: FuncId,
        /// Its result.
        value: Option<String>,
    },
    /// A block was allocated.
    Alloc(ObjectInfo),
    /// A block was freed.
    Free(ObjectInfo),
}

/// Collects the first and the last events of a run.
#[derive(Clone, Debug)]
pub struct Story<'p> {
    program: &'p Program,
    first: Vec<StoryEvent>,
    last: std::collections::VecDeque<StoryEvent>,
    limit: usize,
    /// How many events between the two were dropped.
    dropped: u64,
}

impl<'p> Story<'p> {
    /// A story of at most about `limit` events.
    pub fn new(program: &'p Program, limit: usize) -> Self {
        Self { program, first: Vec::new(), last: Default::default(), limit: limit.max(2), dropped: 0 }
    }

    /// The first events, how many were dropped after them, and the last.
    pub fn into_parts(self) -> (Vec<StoryEvent>, u64, Vec<StoryEvent>) {
        (self.first, self.dropped, self.last.into())
    }

    fn push(&mut self, event: StoryEvent) {
        if self.first.len() < self.limit / 2 {
            self.first.push(event);
            return;
        }
        if self.last.len() >= self.limit / 2 {
            self.last.pop_front();
            self.dropped += 1;
        }
        self.last.push_back(event);
    }

    /// Library models and what the compiler made up are not part of the story.
    fn is_hidden(&self, function: FuncId) -> bool {
        self.program.functions[function].is_model
    }

    fn call(&self, function: FuncId, args: &[Shown]) -> Option<StoryStep> {
        if self.is_hidden(function) {
            return None;
        }
        let body = &self.program.functions[function];
        let named = |(param, arg): (&belay_ir::Param, &Shown)| {
            let local = body.locals.iter().find(|local| local.name == param.name);
            let ctype = local.map_or(CType::Signed, |local| local.ctype);
            (param.name.clone(), self.text(arg, ctype))
        };
        Some(StoryStep::Call { function, args: body.params.iter().zip(args).map(named).collect() })
    }

    fn assign(&self, target: &Target, value: &Shown) -> Option<StoryStep> {
        let (name, ctype) = match target.object.kind {
            ObjectKind::Global(id) => {
                let global = &self.program.globals[id];
                (global.name.clone(), global.ctype)
            }
            ObjectKind::Stack(function, inst) if !self.is_hidden(function) => {
                let local = self.program.functions[function].locals.iter().find(|local| local.alloca == Some(inst))?;
                (local.name.clone(), local.ctype)
            }
            ObjectKind::Stack(..)
            | ObjectKind::Function(_)
            | ObjectKind::ByValue(..)
            | ObjectKind::Variadic(_)
            | ObjectKind::Heap(_)
            | ObjectKind::Arguments
            | ObjectKind::ArgumentString(_)
            | ObjectKind::EntryArgument(_) => return None,
        };
        let name = match (ctype, target.offset) {
            (CType::Aggregate, offset) => format!("{name} at byte {offset}"),
            (_, 0) => name,
            (_, offset) => format!("{name} at byte {offset}"),
        };
        Some(StoryStep::Assign { name, value: self.text(value, ctype) })
    }

    /// A value as a C programmer would write it.
    fn text(&self, value: &Shown, ctype: CType) -> String {
        match value {
            Shown::Int(width, int) => int_text(*width, int, ctype),
            Shown::F32(value) => format!("{value:?}"),
            Shown::F64(value) => format!("{value:?}"),
            Shown::Null => "NULL".into(),
            Shown::Address(address) => format!("{address:#x}"),
            Shown::Place(object, offset) => self.place(object, *offset),
            Shown::Undefined => "undefined".into(),
        }
    }

    fn place(&self, object: &ObjectInfo, offset: i64) -> String {
        let base = match (object.kind, &object.name) {
            (ObjectKind::Heap(number), _) => {
                let size = object.size.map_or("?".into(), |size| size.to_string());
                format!("heap block #{number} ({size} bytes, allocated at line {})", object.made_at.line)
            }
            (ObjectKind::Function(_), Some(name)) => name.clone(),
            (_, Some(name)) => format!("&{name}"),
            (_, None) => "an unnamed object".into(),
        };
        match offset {
            0 => base,
            offset if offset > 0 => format!("{base} + {offset}"),
            offset => format!("{base} - {}", offset.unsigned_abs()),
        }
    }
}

fn int_text(width: u16, int: &dashu::integer::IBig, ctype: CType) -> String {
    use dashu::base::Sign;
    match ctype {
        CType::Unsigned if int.sign() == Sign::Negative => {
            (int + (dashu::integer::IBig::from(1) << usize::from(width))).to_string()
        }
        CType::Char => match u8::try_from(int) {
            Ok(byte) if (b' '..=b'~').contains(&byte) => format!("{int} '{}'", char::from(byte)),
            Ok(_) | Err(_) => int.to_string(),
        },
        CType::Signed | CType::Unsigned | CType::Bool | CType::Float | CType::Pointer | CType::Aggregate => {
            int.to_string()
        }
    }
}

impl Observer for Story<'_> {
    fn event(&mut self, span: Span, depth: usize, event: Event) {
        let what = match event {
            Event::Call { function, args } => self.call(function, &args),
            Event::Return { function, .. } if self.is_hidden(function) => None,
            Event::Return { function, results } => {
                let value = results.first().map(|value| self.text(value, CType::Signed));
                Some(StoryStep::Return { function, value })
            }
            Event::Store { target, value } => self.assign(&target, &value),
            Event::Branch { .. } => None,
            Event::Choice { request, choice } => Some(match (&request.kind, &choice, request.name) {
                (RequestKind::Input { .. }, Choice::Input(value), Some(name)) => {
                    let value = value.to_string();
                    let value = value.split_once(' ').map_or(value.as_str(), |(_, number)| number).to_owned();
                    StoryStep::Input { name, value }
                }
                (_, choice, _) => StoryStep::Choice(choice.to_string()),
            }),
            Event::Alloc(info) => Some(StoryStep::Alloc(info)),
            Event::Free(info) => Some(StoryStep::Free(info)),
        };
        if let Some(what) = what {
            self.push(StoryEvent { span, depth, what });
        }
    }
}
