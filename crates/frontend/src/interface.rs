//! What the C files offer to others: functions, and the types that their parameters are made of, read from clang's dumps. Whoever describes a function's
//! parameters names members by it; nothing is proved from it.

use belay_clang::{Clang, FrontendError};
use std::collections::BTreeMap;

use crate::contracts::{self, Contracts};
use crate::entry::{self, parse_typed};
use crate::{Source, units_of};

/// A function that other files can call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The types of its parameters as declared, without names of types, and their names.
    pub params: Vec<EntryParam>,
    /// Whether it takes more arguments.
    pub is_variadic: bool,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryParam {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its type, as it is declared.
    pub ty: String,
    /// Its type without names of types.
    pub desugared: String,
}

/// All that the files offer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interface {
    /// The functions of external linkage, in their order.
    pub entries: Vec<Entry>,
    /// What their types are.
    pub types: Types,
}

/// A member of a structure or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Where it starts.
    pub offset: u64,
    /// How C selects it from the whole.
    pub path: String,
    /// Its type.
    pub ty: String,
}

/// A structure or union.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Its size in bytes.
    pub size: u64,
    /// Its members with those of members, without bit-fields.
    pub fields: Vec<Field>,
}

/// Names of types, structures, variables of static storage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Types {
    named: BTreeMap<String, String>,
    records: BTreeMap<String, Record>,
    variables: BTreeMap<String, String>,
}

/// The functions of external linkage that the C files define, in their order.
pub fn entries(source: &Source) -> Result<Vec<Entry>, FrontendError> {
    interface(source).map(|interface| interface.entries)
}

/// The functions of external linkage that the C files define, and the types of the files.
pub fn interface(source: &Source) -> Result<Interface, FrontendError> {
    let mut units = units_of(source)?;
    contracts::apply(&mut units, source.model, &Contracts::default(), true)?;
    let clang = Clang::find()?;
    let mut found = Interface::default();
    for unit in units.iter().filter(|unit| unit.is_c()) {
        let Some(dump) = clang.tree(unit, source.model)? else {
            // What is wrong with it is said by compiling it.
            clang.compile(unit, source.model)?;
            continue;
        };
        let layouts = clang.layouts(unit, source.model)?.unwrap_or_default();
        found.types.read(&dump, &layouts);
        for (name, declared) in entry::definitions(&dump) {
            if declared.is_static || name.starts_with("__") || name == "main" {
                continue;
            }
            let is_variadic = declared.ty.contains("...");
            let both = declared.params.into_iter().zip(declared.desugared);
            let params = both.map(|((ty, name), desugared)| EntryParam { name, ty, desugared }).collect();
            found.entries.push(Entry { name, params, is_variadic });
        }
    }
    Ok(found)
}

impl Types {
    fn read(&mut self, dump: &str, layouts: &str) {
        let layouts = parse_layouts(layouts);
        // The members of the structure whose definition was read last, if it has no name.
        let mut unnamed: Option<Vec<String>> = None;
        for line in dump.lines() {
            let (Some(start), Some(rest)) = (line.get(..2), line.get(2..)) else { continue };
            if (start == "| " || start == "  ")
                && let Some(fields) = &mut unnamed
                && let Some(field) = rest.get(2..).filter(|rest| rest.starts_with("FieldDecl "))
            {
                fields.extend(parse_typed(field).map(|(_, name)| name));
            }
            if start != "|-" && start != "`-" {
                continue;
            }
            if rest.starts_with("RecordDecl ") {
                unnamed = rest.ends_with(" struct definition").then(Vec::new);
            } else if let Some((ty, name)) = rest.strip_prefix("TypedefDecl ").and_then(parse_typed) {
                if let Some(fields) = unnamed.take()
                    && let Some((_, record)) = layouts.iter().find(|(name, record)| is_unnamed(name, record, &fields))
                {
                    self.records.insert(format!("struct {name}"), record.clone());
                }
                self.named.insert(name, ty);
            } else if let Some((ty, name)) = rest.strip_prefix("VarDecl ").and_then(parse_typed) {
                self.variables.insert(name, ty);
            }
        }
        self.records.extend(layouts.into_iter().filter(|(name, _)| !name.contains('(')));
    }

    /// A type without names that stand for it, and without qualifiers around it.
    pub fn plain(&self, ty: &str) -> String {
        let mut ty = unqualified(ty);
        for _ in 0..20 {
            match self.named.get(&ty) {
                Some(meant) if unqualified(meant) != ty => ty = unqualified(meant),
                _ => break,
            }
        }
        ty
    }

    /// What a pointer type points to; none if it is no pointer to objects.
    pub fn pointee(&self, ty: &str) -> Option<String> {
        let plain = self.plain(ty);
        let target = plain.strip_suffix('*').filter(|_| !plain.contains('('))?;
        Some(self.plain(target))
    }

    /// The structure of a type.
    pub fn record(&self, ty: &str) -> Option<&Record> {
        self.records.get(&self.plain(ty))
    }

    /// The type of a variable of static storage.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// The bytes of a type on a 64-bit machine, as far as that is simple.
    pub fn size(&self, ty: &str) -> Option<u64> {
        let plain = self.plain(ty);
        if plain.ends_with('*') {
            return Some(8);
        }
        let has = |word: &str| plain.split_whitespace().any(|other| other == word);
        match () {
            () if self.records.contains_key(&plain) => self.record(&plain).map(|record| record.size),
            () if plain.contains(['[', '(']) || has("struct") || has("union") || has("void") => None,
            () if has("char") || has("_Bool") => Some(1),
            () if has("short") => Some(2),
            () if has("long") => Some(8),
            () if has("double") => Some(8),
            () if has("int") || has("float") || has("unsigned") || has("enum") => Some(4),
            () => None,
        }
    }
}

fn is_unnamed(name: &str, record: &Record, fields: &[String]) -> bool {
    let own = record.fields.iter().map(|field| field.path.as_str()).filter(|path| !path.contains('.'));
    name.contains("(unnamed") && own.eq(fields.iter().map(String::as_str))
}

fn unqualified(ty: &str) -> String {
    let mut ty = ty.trim();
    for _ in 0..6 {
        for word in ["const", "volatile", "restrict", "__restrict", "_Nonnull"] {
            let before = ty.strip_suffix(word).filter(|rest| rest.ends_with([' ', '*']));
            ty = before.unwrap_or(ty).trim_end();
            // Of a pointer the words before are about what it points to.
            if !ty.ends_with('*') {
                ty = ty.strip_prefix(word).filter(|rest| rest.starts_with(' ')).unwrap_or(ty).trim_start();
            }
        }
    }
    ty.to_owned()
}

/// `-fdump-record-layouts`: offsets, types and names of members, indented by nesting.
fn parse_layouts(dump: &str) -> Vec<(String, Record)> {
    let mut all: Vec<(String, Record)> = Vec::new();
    for part in dump.split("*** Dumping AST Record Layout").skip(1) {
        let mut lines = part.lines().filter_map(|line| line.split_once(" | "));
        let Some((_, name)) = lines.next() else { continue };
        let mut record = Record::default();
        let mut outer: Vec<String> = Vec::new();
        for (offset, text) in lines {
            if let Some(size) = text.trim().strip_prefix("[sizeof=") {
                record.size = size.split(',').next().and_then(|size| size.parse().ok()).unwrap_or_default();
                break;
            }
            let inner = text.trim_start();
            let depth = (text.len() - inner.len()) / 2;
            let (Ok(offset), Some((ty, name))) = (offset.trim().parse(), inner.rsplit_once(' ')) else { continue };
            outer.truncate(depth.saturating_sub(1));
            outer.push(name.to_owned());
            // Members of what has no name are named as if they were its holder's.
            let path: Vec<&str> = outer.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
            if !name.is_empty() {
                record.fields.push(Field { offset, path: path.join("."), ty: ty.to_owned() });
            }
        }
        all.push((name.trim().to_owned(), record));
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;

    const LAYOUTS: &str = "\n*** Dumping AST Record Layout\n         0 | struct node\n         0 |   struct node * next\n        \
        8 |   struct node::(unnamed at t.c:2:67) in\n         8 |     int x\n        16 |     char * y\n    24:0-2 |   unsigned int f\n        \
        24 |   union node::(anonymous at t.c:4:5) \n        24 |     void * v\n           \
        | [sizeof=32, align=8]\n\n*** Dumping AST Record Layout\n         0 | struct (unnamed at t.c:3:29)\n         0 |   char * p\n         \
        8 |   size_t len\n           | [sizeof=16, align=8]\n";
    const DUMP: &str = "TranslationUnitDecl 0x1\n|-TypedefDecl 0x2 <a> col:1 node_t 'struct node'\n\
        |-RecordDecl 0x3 <a> col:29 struct definition\n| |-FieldDecl 0x4 <a> col:1 p 'char *'\n| `-FieldDecl 0x5 <a> col:1 len 'size_t'\n\
        |-TypedefDecl 0x6 <a> col:1 referenced buf 'struct buf'\n`-VarDecl 0x7 <a> col:43 used hooks 'buf':'struct buf' static cinit\n";

    #[test]
    fn members_have_places_and_names() {
        let mut types = Types::default();
        types.read(DUMP, LAYOUTS);
        let target = types.pointee("const node_t *const").unwrap();
        assert_eq!(target, "struct node");
        let record = types.record(&target).unwrap();
        let paths: Vec<(u64, &str)> = record.fields.iter().map(|field| (field.offset, field.path.as_str())).collect();
        assert_eq!(paths, [(0, "next"), (8, "in"), (8, "in.x"), (16, "in.y"), (24, "v")]);
        assert_eq!(record.size, 32);
        assert_eq!(types.record(types.variable("hooks").unwrap()).unwrap().fields[1].path, "len");
        assert_eq!(types.pointee("void (*)(int)"), None);
        assert_eq!(types.pointee("char *restrict"), Some("char".to_owned()));
        assert_eq!(types.pointee("const char **"), Some("const char *".to_owned()));
    }
}
