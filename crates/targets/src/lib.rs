//! What C means on another machine (`--target`): the sizes, the alignment, the signedness and the macros that clang has for it.
//!
//! *Idea.* Belay executes programs of x86-64 and i386. A program for another machine is compiled for the one of these that has its width, with clang's own flags that give types
//! the other machine's sizes, and with its predefined macros. What it does then is what C says of it there, as far as C lets the types decide.
//!
//! *Why that is right.* Clang lays out a probe ([`probe.c`](../src/probe.c)) for the target itself and for the stand-in with these flags; unless both say the same of every type, member and
//! bit-field in it, the target is refused by the name of what differs. Machine code is never looked at: calling conventions do not matter to what C means.
//!
//! Bit-fields of no width are laid out by rules of their own: programs that have one are refused ([`Target::examine`]).
//!
//! *Where it gives up.* Other byte orders and widths, 64 bits other than x86-64; instructions in assembly and intrinsics that only the target has (clang refuses the file).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use belay_clang::{Clang, Compilation, FrontendError};
use belay_frontend::{Source, units_of};
use belay_ir::DataModel;

const PROBE: &str = include_str!("probe.c");

/// How programs for a target are compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The sizes of its types.
    pub model: DataModel,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// What blocks of the heap are aligned to at least: what C asks of `malloc`.
    pub block_align: u64,
}

/// Why a target can't be had.
#[derive(Debug)]
pub enum TargetError {
    /// There is no clang.
    Frontend(FrontendError),
    /// Clang knows no such target.
    Unknown(String),
    /// Something of it is like on no machine that is handled.
    Differs(String),
    /// The program has a bit-field of no width, behind which machines go on at different places.
    EmptyBitField(PathBuf),
    /// It has 64 bits. The headers of this machine's own library ask for x86-64 where they mean that.
    Wide,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::Frontend(error) => error.fmt(f),
            TargetError::Unknown(name) => write!(f, "clang knows no target `{name}`"),
            TargetError::Differs(what) => write!(f, "a target of this kind is not handled: {what}"),
            TargetError::EmptyBitField(file) => {
                write!(f, "{} has a bit-field of no width, which targets lay out in different ways", file.display())
            }
            TargetError::Wide => f.write_str(
                "targets of 64 bits other than x86-64 are not handled: the types are those of --data-model LP64, but for the sign of char (-- -funsigned-char) and long double",
            ),
        }
    }
}

impl From<FrontendError> for TargetError {
    fn from(error: FrontendError) -> Self {
        TargetError::Frontend(error)
    }
}

impl Target {
    /// Asks clang about a target by its triple, `arm-none-eabi`.
    pub fn named(triple: &str) -> Result<Target, TargetError> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
        let unknown = || TargetError::Unknown(triple.to_owned());
        if triple.is_empty() || triple.starts_with('-') || !triple.chars().all(is_plain) {
            return Err(unknown());
        }
        let clang = Clang::find()?;
        let wanted = [format!("--target={triple}")];
        let macros = macros(&clang, &wanted)?.ok_or_else(unknown)?;
        let layout = layout(&clang, &wanted)?.ok_or_else(unknown)?;
        let model = match macros.get("__SIZEOF_POINTER__").map(String::as_str) {
            Some("8") if macros.contains_key("__x86_64__") => DataModel::Lp64,
            Some("8") => return Err(TargetError::Wide),
            Some("4") => DataModel::Ilp32,
            other => {
                return Err(TargetError::Differs(format!("pointers of {} bytes", other.unwrap_or("unknown"))));
            }
        };
        let mut flags = type_flags(model, &layout, &macros);
        let own = match model {
            DataModel::Lp64 => "-m64",
            DataModel::Ilp32 => "-m32",
        };
        let stand_in: Vec<String> = std::iter::once(own.to_owned()).chain(flags.iter().cloned()).collect();
        let not_compiled = || TargetError::Differs("its types have no counterpart".to_owned());
        let ours = self::layout(&clang, &stand_in)?.ok_or_else(not_compiled)?;
        if let Some((name, is, would)) = layout.differs(&ours) {
            return Err(TargetError::Differs(format!("{name} is {is} there, and would be {would}")));
        }
        let ours = self::macros(&clang, &stand_in)?.ok_or_else(not_compiled)?;
        flags.extend(macro_flags(&ours, &macros));
        // Its own C library may do better; nothing says so.
        let block_align = layout.of("_Alignof(most)").and_then(|align| u64::try_from(align).ok()).unwrap_or(1);
        Ok(Target { model, flags, block_align })
    }
}

impl Target {
    /// Refuses programs with structures that the probe says nothing about.
    pub fn examine(&self, source: &Source) -> Result<(), TargetError> {
        let clang = Clang::find()?;
        for unit in units_of(source)?.into_iter().filter(Compilation::is_c) {
            // The offset of such a member is written `4:-`.
            let layouts = clang.layouts(&unit, source.model)?.unwrap_or_default();
            if layouts
                .lines()
                .any(|line| line.split(" | ").next().is_some_and(|offset| offset.trim_end().ends_with(":-")))
            {
                return Err(TargetError::EmptyBitField(unit.path));
            }
        }
        Ok(())
    }
}

/// Clang's flags that give types of the stand-in the sizes and signs that the target's have.
fn type_flags(model: DataModel, layout: &Layout, macros: &BTreeMap<String, String>) -> Vec<String> {
    let is = |name: &str, value: i64| layout.of(name) == Some(value);
    let mut flags = Vec::new();
    let char_sign = if is("(char)-1 < 0", 1) { "-fsigned-char" } else { "-funsigned-char" };
    flags.push(char_sign.to_owned());
    if model == DataModel::Ilp32 && is("_Alignof(double)", 8) {
        flags.push("-malign-double".to_owned());
    }
    match (layout.of("sizeof(long double)"), layout.of("__LDBL_MANT_DIG__")) {
        (Some(8), Some(53)) => flags.push("-mlong-double-64".to_owned()),
        (Some(16), Some(113)) => flags.push("-mlong-double-128".to_owned()),
        _ => {}
    }
    if is("sizeof(enum small)", 1) {
        flags.push("-fshort-enums".to_owned());
    }
    let wide = match macros.get("__WCHAR_TYPE__").map(String::as_str) {
        Some("unsigned int" | "long unsigned int") => Some(("int", false)),
        Some("unsigned short") => Some(("short", false)),
        _ => None,
    };
    if let Some((width, signed)) = wide {
        let sign = if signed { "-fsigned-wchar" } else { "-fno-signed-wchar" };
        let to_compiler = [format!("-fwchar-type={width}"), sign.to_owned()];
        flags.extend(to_compiler.into_iter().flat_map(|flag| ["-Xclang".to_owned(), flag]));
    }
    flags
}

/// Flags that make `from`, the macros that the compiler predefines, those of the target.
fn macro_flags(from: &BTreeMap<String, String>, to: &BTreeMap<String, String>) -> Vec<String> {
    let name = |key: &str| key.split('(').next().unwrap_or(key).to_owned();
    let kept: BTreeSet<String> = to.keys().map(|key| name(key)).collect();
    let gone = from.keys().map(|key| name(key)).filter(|known| !kept.contains(known));
    let gone = gone.map(|known| format!("-U{known}"));
    let made = to.iter().filter(|(key, value)| from.get(*key) != Some(value));
    gone.chain(made.map(|(key, value)| format!("-D{key}={value}"))).collect()
}

/// The macros that clang predefines, with their parameters; `None` if it refuses the flags.
fn macros(clang: &Clang, flags: &[String]) -> Result<Option<BTreeMap<String, String>>, FrontendError> {
    let Some(text) = clang.ask(&[flags, &["-dM".to_owned(), "-E".to_owned()]].concat(), "")? else { return Ok(None) };
    let define = |line: &str| {
        let rest = line.strip_prefix("#define ")?;
        // The name ends at a blank outside its parameters.
        let end = match (rest.find('('), rest.find(' ')) {
            (Some(open), Some(blank)) if open < blank => rest.find(')')? + 1,
            (_, blank) => blank.unwrap_or(rest.len()),
        };
        let (name, value) = rest.split_at(end);
        Some((name.to_owned(), value.trim_start().to_owned()))
    };
    Ok(Some(text.lines().filter_map(define).collect()))
}

/// What the probe says.
#[derive(PartialEq, Eq, Debug)]
struct Layout(Vec<i64>);

/// The probe's lines: what each number is.
fn questions() -> impl Iterator<Item = &'static str> {
    let (_, table) = PROBE.split_once("probe[] = {").unwrap_or_default();
    table.lines().map(|line| line.trim().trim_end_matches(',')).filter(|line| !line.is_empty() && *line != "};")
}

impl Layout {
    fn of(&self, question: &str) -> Option<i64> {
        questions().zip(&self.0).find(|(name, _)| *name == question).map(|(_, value)| *value)
    }

    /// The first question with another answer, and both answers.
    fn differs(&self, other: &Layout) -> Option<(&'static str, i64, i64)> {
        let answers = questions().zip(self.0.iter().zip(&other.0));
        answers.filter(|(_, (one, two))| one != two).map(|(name, (one, two))| (name, *one, *two)).next()
    }
}

/// How clang lays out the probe; `None` if it refuses it, or does not answer each question.
fn layout(clang: &Clang, flags: &[String]) -> Result<Option<Layout>, FrontendError> {
    let making = ["-ffreestanding", "-S", "-emit-llvm", "-o", "-"].map(str::to_owned);
    let Some(text) = clang.ask(&[flags, &making].concat(), PROBE)? else { return Ok(None) };
    let numbers = text.lines().find_map(|line| {
        let (_, list) = line.strip_prefix("@probe")?.split_once("] [")?;
        let (list, _) = list.split_once(']')?;
        list.split(',').map(|entry| entry.split_whitespace().last()?.parse().ok()).collect::<Option<Vec<i64>>>()
    });
    Ok(numbers.filter(|numbers| numbers.len() == questions().count()).map(Layout))
}

#[cfg(test)]
mod tests;
