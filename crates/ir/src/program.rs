//! The program as a whole: functions, blocks, globals.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Id, IdVec, SourceMap, Span, id_type};

use crate::builtin::Builtin;
use crate::inst::{Inst, Op, Terminator};
use crate::obligation::{Obligation, ObligationDetail, ObligationId, Property, Standing};
use crate::types::{DataLayout, Type};

id_type!(
    /// A function of the program.
    FuncId,
    "f"
);
id_type!(
    /// A global variable, string literal or other static object.
    GlobalId,
    "g"
);
id_type!(
    /// A block of a function.
    BlockId,
    "bb"
);
id_type!(
    /// An instruction of a function, and its value.
    InstId,
    "%"
);

/// A use of a value.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// The value of an instruction.
    Inst(InstId),
    /// The function's parameter of this index.
    Param(u32),
    /// An integer constant: its low `width` bits, the others 0.
    Int { width: u16, value: u128 },
    /// A `float` constant.
    F32(f32),
    /// A `double` constant.
    F64(f64),
    /// The null pointer.
    Null,
    /// An address within (or just outside) a global object.
    Global { global: GlobalId, offset: i64 },
    /// The address of a function.
    Func(FuncId),
    /// An undefined value of this type: an invalid pointer, or an arbitrary number.
    Undef(Type),
}

impl Operand {
    /// The constant `value` as an integer of `width` bits, cut to it.
    pub fn int(width: u16, value: u128) -> Self {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        Operand::Int { width, value: value & mask }
    }

    /// A truth value.
    pub fn bool(value: bool) -> Self {
        Operand::Int { width: 1, value: u128::from(value) }
    }

    /// The value if it is an integer constant.
    pub fn as_int(self) -> Option<u128> {
        match self {
            Operand::Int { value, .. } => Some(value),
            Operand::Inst(_)
            | Operand::Param(_)
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_)
            | Operand::Undef(_) => None,
        }
    }
}

/// How a C variable's value is to be shown to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum CType {
    Signed,
    Unsigned,
    Char,
    Bool,
    Float,
    Pointer,
    /// A struct, union, array or anything else that has no one value.
    Aggregate,
}

/// A local variable or parameter of the C source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Its C name.
    pub name: String,
    /// How to show it.
    pub ctype: CType,
    /// Where it is declared.
    pub span: Span,
    /// The stack object that holds it, while it has one (promotion takes it away).
    pub alloca: Option<InstId>,
    /// For a struct or union, the members with what they consist of in turn, as far as the debug information gives them.
    pub members: Vec<Member>,
    /// For a pointer to a type of known size, that type.
    pub pointee: Option<Pointee>,
}

/// What a pointer's type says it points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointee {
    /// Its size in bytes, not 0: what adding 1 to the pointer adds to the address.
    pub size: u64,
    /// How to show it.
    pub ctype: CType,
    /// The members of a struct or union.
    pub members: Vec<Member>,
}

/// A part of a struct with a name of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// How C selects it from the whole: `next`, `position.x`.
    pub path: String,
    /// Where it starts, in bytes from the start of the whole.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// How to show it.
    pub ctype: CType,
}

/// A parameter as the calling convention passes it; a struct by value may be several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its C name, or what the compiler called it.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// For a struct passed by reference to a copy of its own (`byval`): the size of the copy and its alignment. The
    /// callee gets a fresh stack object with the bytes of the caller's.
    pub byval: Option<(u64, u32)>,
}

/// A straight run of instructions and how it ends.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Its name, for people.
    pub name: String,
    /// The instructions, phis first.
    pub insts: Vec<InstId>,
    /// How it ends.
    pub term: Terminator,
    /// Where its terminator comes from.
    pub term_span: Span,
}

/// What stands behind a function's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FuncKind {
    /// It has a body: the blocks.
    Defined,
    /// A library function whose meaning is built in.
    Builtin(Builtin),
    /// No body and no model: an input.
    Extern,
}

/// What may rest on the model of a library function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mark {
    /// It does what C, POSIX and the library's documentation say, or says itself (`__belay_approximate`) where it goes beyond that.
    #[default]
    Exact,
    /// It picks one of several behaviours: no proof may rest on it.
    Fewer,
    /// What it gives is no input that somebody could choose for ever (`rand`, `clock`): no endless run may rest on it.
    Chance,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its C name (made unique by the linker if static).
    pub name: String,
    /// What stands behind it.
    pub kind: FuncKind,
    /// True for a model of a library function that came with Belay.
    pub is_model: bool,
    /// What may rest on it, if it is a model.
    pub mark: Mark,
    /// The parameters.
    pub params: Vec<Param>,
    /// True if more arguments may follow.
    pub variadic: bool,
    /// The types of the results: none for `void`, several for a struct in registers.
    pub results: Vec<Type>,
    /// The blocks; the first is the entry, which has no predecessors.
    pub blocks: IdVec<BlockId, Block>,
    /// The instructions, those that no block lists included (passes leave them behind).
    pub insts: IdVec<InstId, Inst>,
    /// The C variables.
    pub locals: Vec<Local>,
    /// Which local an instruction's value is the value of, once promotion has made it so: sorted by instruction.
    pub value_names: Vec<(InstId, u32)>,
    /// Where it is defined.
    pub span: Span,
}

impl Function {
    /// The entry block.
    pub const ENTRY: BlockId = BlockId(0);

    /// A function without parameters, results and body, of no place in a file.
    pub fn empty(name: impl Into<String>, kind: FuncKind) -> Function {
        Function {
            name: name.into(),
            kind,
            is_model: false,
            mark: Mark::default(),
            params: Vec::new(),
            variadic: false,
            results: Vec::new(),
            blocks: IdVec::new(),
            insts: IdVec::new(),
            locals: Vec::new(),
            value_names: Vec::new(),
            span: Span::NONE,
        }
    }

    /// The type of an operand in this function.
    pub fn operand_type(&self, operand: Operand) -> Option<Type> {
        match operand {
            Operand::Inst(id) => self.insts.get(id).and_then(|inst| inst.ty),
            Operand::Param(index) => self.params.get(index as usize).map(|param| param.ty),
            Operand::Int { width, .. } => Some(Type::Int(width)),
            Operand::F32(_) => Some(Type::F32),
            Operand::F64(_) => Some(Type::F64),
            Operand::Null | Operand::Global { .. } | Operand::Func(_) => Some(Type::Ptr),
            Operand::Undef(ty) => Some(ty),
        }
    }

    /// The instructions that stand in blocks, with their block, in order.
    pub fn placed_insts(&self) -> impl Iterator<Item = (BlockId, InstId)> + '_ {
        self.blocks.iter_enumerated().flat_map(|(block, body)| body.insts.iter().map(move |inst| (block, *inst)))
    }

    /// True if it looks at one of its parameters.
    pub fn uses_param(&self, param: u32) -> bool {
        let mut used = false;
        let mut look = |operand: &Operand| used |= *operand == Operand::Param(param);
        self.placed_insts().for_each(|(_, inst)| self.insts[inst].op.for_each_operand(&mut look));
        self.blocks.iter().for_each(|block| block.term.for_each_operand(&mut look));
        used
    }

    /// True if it only builds the state that the function of interest starts in.
    pub fn builds_entry(&self) -> bool {
        self.name == ENTRY_BUILDER || self.name == START_WITH_ARGUMENTS
    }

    /// True if it has a body.
    pub fn is_defined(&self) -> bool {
        self.kind == FuncKind::Defined
    }

    /// The local that lives in the stack object which `inst` makes: an `Alloca`, or the start of a life of one.
    pub fn local_of_object(&self, inst: InstId) -> Option<&Local> {
        let alloca = match self.insts.get(inst)?.op {
            Op::LifetimeStart { object } => object,
            _ => inst,
        };
        self.locals.iter().find(|local| local.alloca == Some(alloca))
    }

    /// The local that holds or names the value of `inst`.
    pub fn local_of_value(&self, inst: InstId) -> Option<&Local> {
        let found = self.value_names.binary_search_by_key(&inst, |(id, _)| *id).ok()?;
        self.locals.get(self.value_names[found].1 as usize)
    }
}

/// The function that builds the state that another one starts in, where a program has such a function.
pub const ENTRY_BUILDER: &str = "__belay_entry";

/// The function that calls `main` with the arguments of the command line, where they are fixed.
pub const START_WITH_ARGUMENTS: &str = "__belay_start";

/// What an address in an initialiser refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A global object.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
}

/// An address within an initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Where in the object it stands.
    pub offset: u64,
    /// What it points into.
    pub target: Target,
    /// How many bytes past the target's start.
    pub addend: i64,
}

/// A global's value when the program starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalInit {
    /// The first bytes; those that follow, up to the object's size, are zero.
    pub bytes: Vec<u8>,
    /// The addresses among them, in order of their offsets.
    pub relocations: Vec<Relocation>,
}

/// A static object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its C name, or what the compiler called it.
    pub name: String,
    /// Its size; `None` if only an incomplete type was declared.
    pub size: Option<u64>,
    /// Its alignment.
    pub align: u32,
    /// Its initial value; `None` for one that is declared but not defined: arbitrary.
    pub init: Option<GlobalInit>,
    /// True if it must not be written.
    pub constant: bool,
    /// True for a string literal, or what else has no name of its own: it may be one object with others, or part of one, as far as
    /// the bytes agree (C17 6.4.5p7).
    pub literal: bool,
    /// How to show it.
    pub ctype: CType,
    /// Where it is declared.
    pub span: Span,
}

impl Global {
    /// Whether a place in this object may be a place in another: both are literals, and where they would overlap their bytes agree. Of one with
    /// addresses in it anything is possible.
    pub fn may_share(&self, offset: i64, other: &Global, place: i64) -> bool {
        let (Some(mine), Some(theirs)) = (&self.init, &other.init) else { return self.literal && other.literal };
        if !self.literal || !other.literal {
            return false;
        }
        if !mine.relocations.is_empty() || !theirs.relocations.is_empty() {
            return true;
        }
        let byte = |init: &GlobalInit, at: i128| {
            usize::try_from(at).ok().and_then(|at| init.bytes.get(at).copied()).unwrap_or(0)
        };
        let distance = i128::from(place) - i128::from(offset);
        let (size, extent) = (i128::from(self.size.unwrap_or(0)), i128::from(other.size.unwrap_or(0)));
        // What follows the bytes of an initialiser is zero, up to sizes that nobody writes down.
        let first = 0.max(-distance);
        let last = i128::min(size, extent - distance).min(first + (1 << 20));
        (first..last).all(|at| byte(mine, at) == byte(theirs, at + distance))
    }

    /// The text before the first NUL from an offset on, of an object that never changes.
    pub fn constant_text(&self, offset: u64) -> Option<Vec<u8>> {
        let init = self.init.as_ref().filter(|init| self.constant && init.relocations.is_empty())?;
        let start = usize::try_from(offset).ok()?;
        let room = usize::try_from(self.size?).ok()?.checked_sub(start)?;
        let text: Vec<u8> = init.bytes.get(start..)?.iter().copied().take_while(|byte| *byte != 0).collect();
        // What an initialiser does not say is zero.
        (text.len() < room).then_some(text)
    }
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Sizes.
    pub layout: DataLayout,
    /// The functions, library models that are used included.
    pub functions: IdVec<FuncId, Function>,
    /// The static objects.
    pub globals: IdVec<GlobalId, Global>,
    /// The obligations. Passes drop the instruction that carries one only if it is discharged.
    pub obligations: IdVec<ObligationId, Obligation>,
    /// The source files.
    pub files: SourceMap,
    /// Functions to run before the entry, in order.
    pub constructors: Vec<FuncId>,
    /// Functions to run when the program returns from the entry or exits, in order.
    pub destructors: Vec<FuncId>,
    /// Warnings that users should see.
    pub notes: Vec<String>,
    /// True if assertions stand for clauses of contracts: where one fails the user's own program does not end.
    pub checks_contracts: bool,
    /// Functions whose bodies are what their contracts say.
    pub replaced: Vec<String>,
    /// True if the library keeps state between its functions that the program can see: `errno`, streams.
    pub sees_library_state: bool,
    /// Where runs start as if others had run before: the variables of the library (streams) that are as at the start of a program all the same; `errno` is any number.
    pub untouched_library: Vec<GlobalId>,
    /// Locals that are declared constant, and whose addresses go where it is not followed whether something is written there.
    pub kept_constants: Vec<String>,
}

impl Program {
    /// An empty program.
    pub fn new(layout: DataLayout) -> Self {
        Self {
            layout,
            functions: IdVec::new(),
            globals: IdVec::new(),
            obligations: IdVec::new(),
            files: SourceMap::default(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            notes: Vec::new(),
            checks_contracts: false,
            replaced: Vec::new(),
            sees_library_state: false,
            untouched_library: Vec::new(),
            kept_constants: Vec::new(),
        }
    }

    /// The function of this name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.iter_enumerated().find(|(_, function)| function.name == name).map(|(id, _)| id)
    }

    /// Adds an obligation; its number is the next of its function and property.
    pub fn add_obligation(
        &mut self,
        property: Property,
        function: FuncId,
        span: Span,
        detail: ObligationDetail,
        number: u32,
    ) -> ObligationId {
        self.obligations.push(Obligation { property, function, number, span, detail, standing: Standing::Asked })
    }

    /// Numbers a function's obligations by property in source order, so that ids are stable and read naturally.
    pub fn number_obligations(&mut self, ids: &[ObligationId]) {
        let mut sorted = ids.to_vec();
        sorted.sort_by_key(|id| {
            let span = self.obligations[*id].span;
            (span.line, span.column, id.index())
        });
        let mut counters: BTreeMap<Property, u32> = BTreeMap::new();
        for id in sorted {
            let obligation = &mut self.obligations[id];
            let counter = counters.entry(obligation.property).or_default();
            *counter += 1;
            obligation.number = *counter;
        }
    }

    /// A copy that asks about these obligations only. What runs do, and where they end, is the same.
    pub fn asking_only(&self, asked: &BTreeSet<ObligationId>) -> Program {
        let standing = |id| if asked.contains(&id) { Standing::Asked } else { Standing::Unasked };
        self.asking(|id, _| standing(id))
    }

    /// A copy that asks about each obligation as said, given what this one asks. What runs do, and where they end, is the same.
    pub fn asking(&self, standing: impl Fn(ObligationId, Standing) -> Standing) -> Program {
        let mut copy = self.clone();
        for (id, obligation) in self.obligations.iter_enumerated() {
            copy.obligations[id].standing = standing(id, obligation.standing);
        }
        copy
    }

    /// The stable id that people see: `main.valid-deref.3`.
    pub fn obligation_name(&self, id: ObligationId) -> String {
        let obligation = &self.obligations[id];
        let function = self.functions.get(obligation.function).map_or("?", |function| function.name.as_str());
        format!("{function}.{}.{}", obligation.property, obligation.number)
    }
}
