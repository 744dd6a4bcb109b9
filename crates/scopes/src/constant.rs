//! Writes to locals that are declared `const`: undefined (C17 6.7.3p7), though a cast makes them possible and clang gives such a local memory like any other.
//!
//! A local's address is followed through everything that hands it on, also into the program's own functions. What fills it is where its declaration stands, up to the `;` in the text; every other write through its
//! address is one to a constant object. Where the address goes to where it is not followed (memory, a call through a pointer, functions without a body that promise nothing), that nothing
//! writes there is taken for granted, and said.
//!
//! *Known to be missed*: a write that a macro makes in the declaration itself, or the only one to a local that a macro declares; constant compound literals; members that are `const` in an object that is not.

use std::path::Path;

use belay_llvm::{Context, Declared, LLVMMetadataKind, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Meta, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::escape::{is_call_of, variable_of};
use crate::instructions;

/// What becomes of a function's constant locals.
#[derive(Default)]
pub struct ConstantLocals {
    /// Instructions that write to one.
    pub writes: FxHashSet<Value>,
    /// Instructions that may write to one, and what to say there.
    pub lent: FxHashMap<Value, String>,
    /// Those whose addresses go where they are not followed.
    pub kept: Vec<String>,
}

/// What is made of an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Use {
    /// It is read through.
    Read,
    /// It goes where it is not followed.
    Kept,
    /// It may be written through.
    MayBeWritten,
    /// It is written through.
    Written,
}

/// Finds what becomes of the locals of a function that are declared constant; `promises` says whether a function without a body promises not to write through its parameter of an index.
pub fn find_constant_locals(
    context: &Context,
    function: Value,
    promises: &dyn Fn(Value, usize) -> bool,
) -> ConstantLocals {
    let mut found = ConstantLocals::default();
    for declared in instructions(function).flat_map(Value::declared) {
        let storage = declared.storage;
        let is_alloca =
            storage.kind() == LLVMValueKind::LLVMInstructionValueKind && storage.opcode() == LLVMOpcode::LLVMAlloca;
        let parts = declared.variable.operands(context);
        let part = |at: usize| parts.get(at).copied().flatten();
        // The operands of a DILocalVariable: scope, name, file, type.
        let is_constant = part(3).and_then(Value::as_meta).is_some_and(|ty| is_constant(context, ty));
        // In C++ a member that is `mutable` may be written.
        if !is_alloca || !is_constant || !is_c(declared.variable) {
            continue;
        }
        let name = part(1).and_then(Value::md_string).unwrap_or_default();
        let ty = storage.allocated_type();
        let is_text = ty.kind() == LLVMTypeKind::LLVMArrayTypeKind
            && ty.element().kind() == LLVMTypeKind::LLVMIntegerTypeKind
            && ty.element().int_width() == 8;
        let search = Search { promises, filled: filled(&declared, &name), name, is_text };
        search.look(storage, &mut found);
    }
    found.kept.sort();
    found.kept.dedup();
    found
}

/// True of a type whose objects are constant: an array is if its elements are.
fn is_constant(context: &Context, mut ty: Meta) -> bool {
    const CONST: u16 = 0x26;
    const ARRAY: u16 = 0x01;
    const ALIASES: [u16; 4] = [0x16, 0x35, 0x37, 0x47];
    const BASE: usize = 5;
    for _ in 0..64 {
        let is_composite = matches!(ty.kind(), LLVMMetadataKind::LLVMDICompositeTypeMetadataKind);
        let is_derived = matches!(ty.kind(), LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind);
        if is_derived && ty.tag() == CONST {
            return true;
        }
        if !(is_derived && ALIASES.contains(&ty.tag()) || is_composite && ty.tag() == ARRAY) {
            return false;
        }
        let Some(base) = ty.operands(context).get(BASE).copied().flatten().and_then(Value::as_meta) else {
            return false;
        };
        ty = base;
    }
    false
}

type Position = (u32, u32);

/// True of a variable of a file that is not of C++ by its name.
fn is_c(variable: Meta) -> bool {
    let file = variable.variable_scope().and_then(Meta::scope_file).map(|file| file.file_name().1);
    let is_cpp = |name: &str| ["cc", "cpp", "cxx", "c++", "C", "hpp", "hh", "hxx", "ii"].contains(&name);
    let extension = file.as_deref().and_then(|file| Path::new(file).extension()?.to_str());
    !extension.is_some_and(is_cpp)
}

/// Where the text of a declaration begins, at its name, and ends, if it is found: not where a macro makes it, or the text is another one.
fn filled(declared: &Declared, name: &str) -> Option<(Position, Position)> {
    let (folder, file) = declared.variable.variable_scope()?.scope_file()?.file_name();
    let place = declared.place?;
    let text = std::fs::read(Path::new(&folder).join(file)).ok()?;
    let from = (place.line(), place.column());
    Some((from, end_of_declaration(&String::from_utf8_lossy(&text), from, name)?))
}

/// Where the declaration ends that has its name at a place: before the `;`, or the bracket around it.
fn end_of_declaration(text: &str, (line, column): Position, name: &str) -> Option<Position> {
    let at = column.checked_sub(1)? as usize;
    let behind = text.lines().nth(line.checked_sub(1)? as usize)?.get(at..)?.strip_prefix(name)?;
    if behind.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
        return None;
    }
    let (mut depth, mut quote, mut comment) = (0i32, None, None);
    let mut position = (line, 0);
    let lines = text.lines().zip(1u32..).skip(line as usize - 1);
    for (text, number) in lines {
        let from = if number == line { at } else { 0 };
        let mut previous = ' ';
        if comment == Some('/') {
            comment = None;
        }
        for (column, letter) in text.char_indices().filter(|(column, _)| *column >= from) {
            position = (number, column as u32 + 1);
            match (comment, quote) {
                (Some('*'), _) if previous == '*' && letter == '/' => comment = None,
                (Some(_), _) => {}
                (None, Some(_)) if previous == '\\' => {
                    previous = ' ';
                    continue;
                }
                (None, Some(open)) if letter == open => quote = None,
                (None, Some(_)) => {}
                (None, None) if previous == '/' && (letter == '*' || letter == '/') => comment = Some(letter),
                (None, None) => match letter {
                    '"' | '\'' => quote = Some(letter),
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' if depth == 0 => return Some(position),
                    ')' | ']' | '}' => depth -= 1,
                    ';' if depth == 0 => return Some(position),
                    _ => {}
                },
            }
            previous = letter;
        }
    }
    Some(position)
}

/// A local whose address is followed.
struct Search<'p> {
    promises: &'p dyn Fn(Value, usize) -> bool,
    filled: Option<(Position, Position)>,
    name: String,
    /// Whether it is an array of `char`.
    is_text: bool,
}

impl Search<'_> {
    fn look(&self, storage: Value, found: &mut ConstantLocals) {
        let mut uses = Vec::new();
        self.follow(storage, &mut uses, None);
        // Where the text does not tell, the only write is what fills it.
        let writes = uses.iter().filter(|(_, made)| matches!(made, Use::MayBeWritten | Use::Written)).count();
        let is_filled_once = self.filled.is_none() && writes == 1;
        uses.retain(|(_, made)| !(is_filled_once && *made == Use::Written));
        for (inst, made) in uses {
            match made {
                Use::Read => {}
                Use::Kept => found.kept.push(self.name.clone()),
                Use::MayBeWritten | Use::Written if self.is_filling(inst) => {}
                Use::MayBeWritten | Use::Written if self.filled.is_none() => found.kept.push(self.name.clone()),
                Use::MayBeWritten => {
                    let what = format!("`{}`, which is declared const, may be written here", self.name);
                    found.lent.insert(inst, what);
                }
                Use::Written => drop(found.writes.insert(inst)),
            }
        }
    }

    /// True of what stands in the declaration, or nowhere, as what clang does for itself.
    fn is_filling(&self, inst: Value) -> bool {
        let Some(location) = inst.debug_location() else { return true };
        let place = (location.line(), location.column());
        self.filled.is_some_and(|(from, to)| from <= place && place <= to)
    }

    /// The instructions that make something of an address, or of what is made from it. `seen` are the parameters that are looked at already for the call which is judged: what is made of them is
    /// found there, and joined. Where nothing is judged as a whole (`None`: the local's own function) each call has to be judged by itself.
    fn follow(&self, address: Value, found: &mut Vec<(Value, Use)>, mut seen: Option<&mut FxHashSet<(Value, usize)>>) {
        // Beside each whether it is one of this object whenever it is used.
        let mut work = vec![(address, true)];
        let mut done = FxHashSet::default();
        while let Some((address, is_certain)) = work.pop() {
            if !done.insert((address, is_certain)) {
                continue;
            }
            for user in address.users() {
                if user.kind() != LLVMValueKind::LLVMInstructionValueKind {
                    found.push((user, Use::Kept));
                    continue;
                }
                match user.opcode() {
                    LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp => {}
                    LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast => work.push((user, is_certain)),
                    LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMSelect => work.push((user, false)),
                    LLVMOpcode::LLVMStore if user.operand(0) != address => {
                        found.push((user, if is_certain { Use::Written } else { Use::MayBeWritten }));
                    }
                    LLVMOpcode::LLVMStore => match variable_of(user.operand(1)) {
                        Some(loads) => work.extend(loads.into_iter().map(|load| (load, false))),
                        None => found.push((user, Use::Kept)),
                    },
                    LLVMOpcode::LLVMPtrToInt
                        if user.users().into_iter().all(|call| is_call_of(call, "__ubsan_handle_")) => {}
                    LLVMOpcode::LLVMCall => {
                        let mut own = FxHashSet::default();
                        let made = self.given(user, address, seen.as_deref_mut().unwrap_or(&mut own));
                        found.push((user, if is_certain { made } else { made.min(Use::MayBeWritten) }));
                        // What it returns may be the address.
                        work.extend(is_pointer(user).then_some((user, false)));
                    }
                    _ => found.push((user, Use::Kept)),
                }
            }
        }
    }

    /// What a call makes of an address that it is given.
    fn given(&self, call: Value, address: Value, seen: &mut FxHashSet<(Value, usize)>) -> Use {
        let callee = call.callee();
        if callee.kind() != LLVMValueKind::LLVMFunctionValueKind || callee == address {
            return Use::Kept;
        }
        let arguments = call.arguments().into_iter().enumerate().filter(|(_, argument)| *argument == address);
        let given = arguments.filter(|(index, _)| call.byval_argument(*index as u32).is_none());
        if callee.intrinsic_name().is_some() {
            let is_target = call.arguments().first() == Some(&address);
            let writes = is_target && is_call_of(call, "llvm.mem");
            return if writes { Use::Written } else { Use::Read };
        }
        let made = given.map(|(index, _)| self.passed(callee, index, seen)).max().unwrap_or(Use::Read);
        made.min(Use::MayBeWritten)
    }

    /// What a function makes of its parameter of an index.
    fn passed(&self, callee: Value, index: usize, seen: &mut FxHashSet<(Value, usize)>) -> Use {
        // What C++ constructs and destroys is written.
        if callee.name().starts_with("_Z") {
            return Use::Kept;
        }
        if callee.is_declaration() {
            let (name, is_variadic) = (callee.name(), callee.value_type().is_variadic());
            return match (self.promises)(callee, index) {
                true => Use::Read,
                false if is_variadic && index > 0 && name.contains("printf") && self.is_text => Use::Read,
                false if is_variadic && !name.contains("scanf") => Use::Kept,
                false => Use::MayBeWritten,
            };
        }
        let Some(param) = callee.params().get(index).copied() else {
            // The models of `scanf` and its kin have a body; what they are given is written.
            return if callee.name().contains("scanf") { Use::MayBeWritten } else { Use::Kept };
        };
        if !seen.insert((callee, index)) {
            return Use::Read;
        }
        let mut found = Vec::new();
        self.follow(param, &mut found, Some(seen));
        // To give it back is to hand it on.
        let returns = |(user, _): &(Value, Use)| {
            user.kind() == LLVMValueKind::LLVMInstructionValueKind && user.opcode() == LLVMOpcode::LLVMRet
        };
        found.iter().filter(|one| !returns(one)).map(|(_, made)| *made).max().unwrap_or(Use::Read)
    }
}

fn is_pointer(value: Value) -> bool {
    value.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_end_at_their_semicolon() {
        let end = |text: &str, column: u32| end_of_declaration(text, (1, column), "x").expect("the declaration ends");
        assert_eq!(end("const int x = f(1; 2), y = ';';", 11), (1, 31));
        assert_eq!(end("int xx; const int x[2] = { f(\";}\"), /* ; */\n 3 }; x", 19), (2, 5));
        assert_eq!(end("void f(const int x) { }", 18), (1, 19));
        assert_eq!(end_of_declaration("const int xx = 1;", (1, 11), "x"), None);
    }
}
