//! Source places and C names from the debug information.

use std::path::Path;

use belay_base::{FileId, SourceMap, Span};
use belay_ir::{CType, Member, Pointee};
use rustc_hash::FxHashMap;

use crate::llvm::{Context, LLVMMetadataKind, Meta, Value};

/// Looks up places and names; remembers which file is which.
pub struct DebugInfo<'c> {
    context: &'c Context,
    files: FxHashMap<Meta, FileId>,
}

/// A C variable.
pub struct Variable {
    pub name: String,
    pub ctype: CType,
    pub span: Span,
    /// The named parts of a struct or union.
    pub members: Vec<Member>,
    /// What a pointer points to.
    pub pointee: Option<Pointee>,
}

/// The operands of a type in LLVM 22: file, scope, name, size, offset, base type, then the elements of a composite one.
const BASE: usize = 5;
const ELEMENTS: usize = 6;

/// Structs nest at most this deep here, and have this many parts: what lies beyond is shown by its place.
const MAX_NESTING: u32 = 8;
const MAX_MEMBERS: usize = 256;

impl<'c> DebugInfo<'c> {
    pub fn new(context: &'c Context) -> Self {
        Self { context, files: FxHashMap::default() }
    }

    /// Where an instruction comes from.
    pub fn span(&mut self, map: &mut SourceMap, inst: Value) -> Span {
        let Some(location) = inst.debug_location() else { return Span::NONE };
        let Some(file) = location.scope().and_then(Meta::scope_file) else { return Span::NONE };
        Span { file: self.file(map, file), line: location.line(), column: location.column() }
    }

    /// Where a function is defined.
    pub fn function_span(&mut self, map: &mut SourceMap, function: Value) -> Span {
        let Some(subprogram) = function.subprogram() else { return Span::NONE };
        let Some(file) = subprogram.scope_file() else { return Span::NONE };
        Span { file: self.file(map, file), line: subprogram.subprogram_line(), column: 0 }
    }

    /// Where a variable of static storage is declared; none for literals and what else has no declaration.
    pub fn global_span(&mut self, map: &mut SourceMap, global: crate::llvm::Value) -> Span {
        // The operands of a DIGlobalVariableExpression: variable, expression; of a DIGlobalVariable: scope, name, file, type.
        const FILE: usize = 2;
        let Some(variable) = global.attached().into_iter().find_map(|meta| self.part(meta, 0)) else {
            return Span::NONE;
        };
        let Some(file) = self.part(variable, FILE) else { return Span::NONE };
        Span { file: self.file(map, file), line: variable.variable_line(), column: 0 }
    }

    fn file(&mut self, map: &mut SourceMap, file: Meta) -> FileId {
        *self.files.entry(file).or_insert_with(|| map.intern(&display_path(file.file_name())))
    }

    /// The variable behind a declaration.
    pub fn variable(&mut self, map: &mut SourceMap, variable: Meta) -> Option<Variable> {
        // The operands of a DILocalVariable: scope, name, file, type, annotations.
        let operands = variable.operands(self.context);
        let name = operands.get(1).copied().flatten()?.md_string()?;
        let scope = variable.variable_scope();
        let ty = operands.get(3).copied().flatten().and_then(Value::as_meta);
        let mut members = Vec::new();
        if let Some(ty) = ty {
            self.members(ty, "", 0, MAX_NESTING, &mut members);
        }
        let file = scope.and_then(Meta::scope_file).map_or(Span::NONE.file, |file| self.file(map, file));
        Some(Variable {
            name,
            ctype: ty.map_or(CType::Aggregate, |ty| self.ctype(ty)),
            span: Span { file, line: variable.variable_line(), column: 0 },
            members,
            pointee: ty.and_then(|ty| self.pointee(ty)),
        })
    }

    /// What a pointer type points to; as in GNU C, `void` counts as one byte.
    fn pointee(&self, ty: Meta) -> Option<Pointee> {
        const POINTER: u16 = 0x0f;
        let ty = self.plain(ty)?;
        if !is_derived(ty) || ty.tag() != POINTER {
            return None;
        }
        let base = ty.operands(self.context).get(BASE).copied().flatten().and_then(Value::as_meta);
        let Some(base) = base.and_then(|base| self.plain(base)) else {
            return Some(Pointee { size: 1, ctype: CType::Signed, members: Vec::new() });
        };
        let mut members = Vec::new();
        self.members(base, "", 0, MAX_NESTING, &mut members);
        let size = base.type_size_in_bits() / 8;
        (size > 0).then(|| Pointee { size, ctype: self.ctype(base), members })
    }

    /// What a function's declaration promises of where the parameter of this index points. What is not understood promises nothing.
    pub fn points_to_const(&self, function: crate::llvm::Value, index: usize) -> Promise {
        // The operands of a DISubprogram: file, scope, name, linkage name, type; of a DISubroutineType: file, scope, name, size, offset, types;
        // of the types: the result, then the parameters.
        const TYPE: usize = 4;
        const TYPES: usize = 5;
        let types = function.subprogram().and_then(|meta| self.part(meta, TYPE)).and_then(|ty| self.part(ty, TYPES));
        let Some(types) = types else { return Promise::Nothing };
        // Structs that are passed or returned would shift the numbers.
        let count = types.operands(self.context).len();
        let has_structs = (0..count).filter_map(|at| self.part(types, at)).any(|ty| !self.is_scalar(ty));
        if count != function.params().len() + 1 || has_structs {
            return Promise::Nothing;
        }
        let pointer = self.part(types, index + 1).and_then(|ty| self.plain(ty)).filter(|ty| is_pointer(*ty));
        let Some(pointer) = pointer else { return Promise::Nothing };
        let Some(target) = self.part(pointer, BASE).filter(|target| self.is_const(*target)) else {
            return Promise::Nothing;
        };
        if self.is_made_of_numbers(target, MAX_NESTING) { Promise::ConstNumbers } else { Promise::Const }
    }

    /// True only if a variable is declared with a type that holds numbers only.
    pub fn holds_numbers(&self, global: crate::llvm::Value) -> bool {
        // The operands of a DIGlobalVariableExpression: variable, expression; of a DIGlobalVariable: scope, name, file, type.
        const TYPE: usize = 3;
        let declared = global.attached().into_iter().filter_map(|meta| self.part(meta, 0));
        let types: Vec<Option<Meta>> = declared.map(|variable| self.part(variable, TYPE)).collect();
        let is_number = |ty: &Option<Meta>| ty.is_some_and(|ty| self.is_made_of_numbers(ty, MAX_NESTING));
        !types.is_empty() && types.iter().all(is_number)
    }

    fn part(&self, meta: Meta, at: usize) -> Option<Meta> {
        meta.operands(self.context).get(at).copied().flatten().and_then(Value::as_meta)
    }

    /// True if one of the qualifiers of a type is `const`.
    fn is_const(&self, mut ty: Meta) -> bool {
        const CONST: u16 = 0x26;
        for _ in 0..64 {
            if !is_derived(ty) || is_pointer(ty) {
                return false;
            }
            if ty.tag() == CONST {
                return true;
            }
            let Some(base) = self.part(ty, BASE) else { return false };
            ty = base;
        }
        false
    }

    /// True for numbers and pointers, which take one argument each.
    fn is_scalar(&self, ty: Meta) -> bool {
        self.plain(ty).is_some_and(|ty| is_pointer(ty) || is_number(ty))
    }

    /// True only if no pointer stands in a value of this type.
    fn is_made_of_numbers(&self, ty: Meta, nesting: u32) -> bool {
        const MEMBER: u16 = 0x0d;
        const ARRAY: u16 = 0x01;
        const STRUCT: u16 = 0x13;
        let Some(ty) = self.plain(ty).filter(|_| nesting > 0) else { return false };
        if is_number(ty) {
            return true;
        }
        if is_derived(ty) {
            let base = self.part(ty, BASE).filter(|_| ty.tag() == MEMBER);
            return base.is_some_and(|base| self.is_made_of_numbers(base, nesting - 1));
        }
        match ty.tag() {
            ARRAY => self.part(ty, BASE).is_some_and(|base| self.is_made_of_numbers(base, nesting - 1)),
            // One that is declared only has no members.
            STRUCT => self.part(ty, ELEMENTS).is_some_and(|members| {
                let members = members.operands(self.context);
                !members.is_empty()
                    && members.into_iter().all(|member| {
                        let member = member.and_then(Value::as_meta);
                        member.is_some_and(|member| self.is_made_of_numbers(member, nesting - 1))
                    })
            }),
            _ => false,
        }
    }

    /// What a type is once typedefs and qualifiers are taken away.
    fn plain(&self, mut ty: Meta) -> Option<Meta> {
        const ALIASES: [u16; 5] = [0x16, 0x26, 0x35, 0x37, 0x47];
        for _ in 0..64 {
            if !is_derived(ty) || !ALIASES.contains(&ty.tag()) {
                return Some(ty);
            }
            ty = ty.operands(self.context).get(BASE).copied().flatten().and_then(Value::as_meta)?;
        }
        None
    }

    /// Adds the members of a struct or union, and theirs. Bit-fields have no place in bytes and are left out.
    fn members(&self, ty: Meta, path: &str, offset: u64, nesting: u32, found: &mut Vec<Member>) {
        const STRUCT: u16 = 0x13;
        const UNION: u16 = 0x17;
        let Some(ty) = self.plain(ty) else { return };
        let composite = matches!(ty.kind(), LLVMMetadataKind::LLVMDICompositeTypeMetadataKind);
        if !composite || ![STRUCT, UNION].contains(&ty.tag()) || nesting == 0 {
            return;
        }
        let elements = ty.operands(self.context).get(ELEMENTS).copied().flatten().and_then(Value::as_meta);
        let elements = elements.map(|elements| elements.operands(self.context)).unwrap_or_default();
        for member in elements.into_iter().flatten().filter_map(Value::as_meta) {
            if !is_derived(member) {
                continue;
            }
            let base = member.operands(self.context).get(BASE).copied().flatten().and_then(Value::as_meta);
            let Some(base) = base else { continue };
            let (start, size) = (member.type_offset_in_bits(), member.type_size_in_bits());
            if start % 8 != 0 || size % 8 != 0 || found.len() >= MAX_MEMBERS {
                continue;
            }
            let name = member.type_name();
            let path = if path.is_empty() { name } else { format!("{path}.{name}") };
            let offset = offset.saturating_add(start / 8);
            found.push(Member { path: path.clone(), offset, size: size / 8, ctype: self.ctype(base) });
            self.members(base, &path, offset, nesting - 1, found);
        }
    }

    fn ctype(&self, mut ty: Meta) -> CType {
        const POINTER: u16 = 0x0f;
        const ENUMERATION: u16 = 0x04;
        // Typedefs and qualifiers nest; a bound keeps damaged input from looping.
        for _ in 0..64 {
            match ty.kind() {
                LLVMMetadataKind::LLVMDIBasicTypeMetadataKind => return basic(&ty.type_name()),
                LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind if ty.tag() == POINTER => return CType::Pointer,
                LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind => {
                    let base = ty.operands(self.context).get(BASE).copied().flatten().and_then(Value::as_meta);
                    let Some(base) = base else { return CType::Aggregate };
                    ty = base;
                }
                LLVMMetadataKind::LLVMDICompositeTypeMetadataKind if ty.tag() == ENUMERATION => return CType::Signed,
                _ => return CType::Aggregate,
            }
        }
        CType::Aggregate
    }
}

/// What a declaration says of where a pointer that is passed leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    /// Nothing: it may be written to.
    Nothing,
    /// It is not written to; but there may be pointers, which lead on.
    Const,
    /// It is not written to, and holds numbers only.
    ConstNumbers,
}

fn is_pointer(ty: Meta) -> bool {
    const POINTER: u16 = 0x0f;
    is_derived(ty) && ty.tag() == POINTER
}

/// True for a basic type or an enumeration; `_Complex` is not one number.
fn is_number(ty: Meta) -> bool {
    const ENUMERATION: u16 = 0x04;
    match ty.kind() {
        LLVMMetadataKind::LLVMDIBasicTypeMetadataKind => !ty.type_name().contains("omplex"),
        LLVMMetadataKind::LLVMDICompositeTypeMetadataKind => ty.tag() == ENUMERATION,
        _ => false,
    }
}

fn is_derived(ty: Meta) -> bool {
    matches!(ty.kind(), LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind)
}

/// A path as a person here would write it: relative to this folder where that is shorter.
fn display_path((folder, name): (String, String)) -> String {
    let full = Path::new(&folder).join(&name);
    let here = std::env::current_dir().unwrap_or_default();
    let path = full.strip_prefix(&here).unwrap_or(&full);
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

fn basic(name: &str) -> CType {
    match name {
        "_Bool" | "bool" => CType::Bool,
        "char" => CType::Char,
        "float" | "double" => CType::Float,
        _ if name.contains("unsigned") => CType::Unsigned,
        _ if name.contains("double") || name.contains("complex") || name.contains("Float") => CType::Aggregate,
        _ => CType::Signed,
    }
}
