//! What `goto-cc` and `goto-instrument` write: the preprocessed text of each file, and what is to be done with it. A program is made of it by `cbmc` alone, so that
//! contracts, which are no C, survive until then; the sources themselves may be gone by that time.
//!
//! The form is a line of what it is, then fields: a name, a length, and so many bytes.

use std::path::Path;

const MAGIC: &str = "belay goto object 1\n";

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unit {
    /// Where it was.
    pub path: String,
    /// After preprocessing.
    pub text: String,
    /// Flags that still matter.
    pub flags: Vec<String>,
    /// Functions whose bodies are taken away.
    pub removed: Vec<String>,
}

/// A program in the making.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Object {
    /// Its files, in the order in which they count.
    pub units: Vec<Unit>,
    /// Where it starts.
    pub entry: Option<String>,
    /// Whether variables of static storage start with any value.
    pub nondet_static: bool,
    /// Functions whose contracts are checked.
    pub enforced: Vec<String>,
    /// Functions that are replaced by their contracts.
    pub replaced: Vec<String>,
    /// Bounds, which are hints.
    pub unwindset: Vec<String>,
}

impl Object {
    /// As bytes.
    pub fn write(&self) -> String {
        let mut out = MAGIC.to_owned();
        let mut field = |name: &str, value: &str| out.push_str(&format!("{name} {}\n{value}\n", value.len()));
        for unit in &self.units {
            field("unit", &unit.path);
            field("text", &unit.text);
            unit.flags.iter().for_each(|flag| field("flag", flag));
            unit.removed.iter().for_each(|function| field("removed", function));
        }
        self.entry.iter().for_each(|entry| field("entry", entry));
        if self.nondet_static {
            field("nondet-static", "");
        }
        self.enforced.iter().for_each(|function| field("enforced", function));
        self.replaced.iter().for_each(|function| field("replaced", function));
        self.unwindset.iter().for_each(|bound| field("unwindset", bound));
        out
    }

    /// What bytes say; none if they are no such object.
    pub fn read(text: &str) -> Option<Object> {
        let mut rest = text.strip_prefix(MAGIC)?;
        let mut object = Object::default();
        while !rest.is_empty() {
            let (head, more) = rest.split_once('\n')?;
            let (name, length) = head.split_once(' ')?;
            let length: usize = length.parse().ok()?;
            let value = more.get(..length)?.to_owned();
            rest = more.get(length..)?.strip_prefix('\n')?;
            match name {
                "unit" => object.units.push(Unit { path: value, ..Unit::default() }),
                "text" => object.units.last_mut()?.text = value,
                "flag" => object.units.last_mut()?.flags.push(value),
                "removed" => object.units.last_mut()?.removed.push(value),
                "entry" => object.entry = Some(value),
                "nondet-static" => object.nondet_static = true,
                "enforced" => object.enforced.push(value),
                "replaced" => object.replaced.push(value),
                "unwindset" => object.unwindset.push(value),
                _ => return None,
            }
        }
        Some(object)
    }

    /// The object in a file.
    pub fn load(file: &Path) -> Result<Object, String> {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Object::read(&text).ok_or_else(|| format!("{} is no object of belay-goto-cc", file.display()))
    }

    /// Puts the object into a file.
    pub fn store(&self, file: &Path) -> Result<(), String> {
        std::fs::write(file, self.write()).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Adds what another object has, after what is here.
    pub fn join(&mut self, other: Object) {
        self.units.extend(other.units);
        self.entry = self.entry.take().or(other.entry);
        self.nondet_static |= other.nondet_static;
        self.enforced.extend(other.enforced);
        self.replaced.extend(other.replaced);
        self.unwindset.extend(other.unwindset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_as_it_was_written() {
        let unit = Unit {
            path: "a.c".to_owned(),
            text: "int x;\nunit 3\n".to_owned(),
            flags: vec!["-ansi".to_owned()],
            removed: vec!["f".to_owned()],
        };
        let object =
            Object { units: vec![unit], nondet_static: true, entry: Some("h".to_owned()), ..Object::default() };
        assert_eq!(Object::read(&object.write()), Some(object.clone()));
        assert_eq!(Object::read(&object.write()[..60]), None);
        assert_eq!(Object::read("\u{7f}ELF"), None);
    }
}
