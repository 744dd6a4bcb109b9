//! What is looked at of a program for one of its loops: the loop or its function, calls inlined or not, pointers measured or not.

use std::borrow::Cow;

use belay_ir::{Function, IntegerModel, Program};
use belay_its::Its;
use belay_transitions::{Extracted, Origin, Part, extract_part, inline_around, is_origin, measure};

use crate::alone::{Others, alone};
use crate::loops::LoopPlace;
use crate::task::Task;

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The loop, or all of its function.
    pub part: Part,
    /// Whether calls are inlined.
    pub inlined: bool,
    /// The pointer, of the function with its calls inlined if they are, from which others are measured.
    pub origin: Option<Origin>,
}

/// An excerpt of one program.
#[derive(Debug)]
pub struct Excerpted<'p> {
    program: Cow<'p, Program>,
    /// The loop in that program.
    pub place: LoopPlace,
    excerpt: Excerpt,
}

impl Excerpt {
    /// What it is of a program, if the loop is found there.
    pub fn of<'p>(&self, program: &'p Program, place: LoopPlace) -> Result<Excerpted<'p>, String> {
        if !self.inlined {
            return Ok(Excerpted { program: Cow::Borrowed(program), place, excerpt: *self });
        }
        let inlined = inline_around(program, place.function, place.head);
        let (program, head) = inlined.ok_or("the loop is not found where calls are inlined")?;
        Ok(Excerpted { program: Cow::Owned(program), place: LoopPlace { head, ..place }, excerpt: *self })
    }
}

impl Excerpted<'_> {
    /// The function of the loop.
    pub fn function(&self) -> &Function {
        &self.program.functions[self.place.function]
    }

    /// The same with another origin, or another part.
    pub fn look(&self, part: Part, origin: Option<Origin>) -> Excerpted<'_> {
        let excerpt = Excerpt { part, origin, ..self.excerpt };
        Excerpted { program: Cow::Borrowed(self.program.as_ref()), place: self.place, excerpt }
    }

    /// What it is.
    pub fn excerpt(&self) -> Excerpt {
        self.excerpt
    }

    /// The system in which only the loop can go round for ever.
    pub fn system(&self, task: &Task<'_>, others: Others) -> Result<(Extracted, Its), String> {
        let Excerpt { part, origin, .. } = self.excerpt;
        let (entry, integers, place) = (task.config.entry, task.integers(), self.place);
        let wanted = (part, place.function, place.head);
        let extracted = match origin {
            None => extract_part(&self.program, entry, wanted, integers)?,
            Some(_) if integers != IntegerModel::Machine => {
                return Err("distances are machine integers".to_owned());
            }
            Some(origin) if !is_origin(self.function(), (part, place.head), origin) => {
                return Err("the pointer that distances are measured from may change".to_owned());
            }
            Some(origin) => extract_part(&measure(&self.program, place.function, origin), entry, wanted, integers)?,
        };
        let system = alone(&extracted, place, others)?;
        Ok((extracted, system))
    }
}
