//! Entry states: what a function that a run starts at is given.
//!
//! The state is built in C, by a function that comes after the program's own text in the same translation unit: it takes the
//! arguments that stay arbitrary, declares an array for each parameter that points to one, returns if the precondition does not
//! hold, and calls the function. So every engine starts from the same states, and only from states that the user meant. A precondition that
//! does not hold ends the run like any other return. Arithmetic in it wraps; divisions and accesses to memory are checked like the program's.

use crate::expression;
use belay_clang::{Clang, Compilation, FrontendError};
use belay_ir::{DataModel, ENTRY_BUILDER};

/// What the entry function is given, beyond arbitrary numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EntryState {
    /// The function.
    pub function: String,
    /// Parameters that point to the start of an array, and its number of elements: a C expression over the other parameters.
    pub arrays: Vec<(String, String)>,
    /// Conditions over the parameters, in C.
    pub preconditions: Vec<String>,
}

/// A function's declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its type, as clang writes it.
    pub ty: String,
    /// The types and names of the parameters.
    pub params: Vec<(String, String)>,
    /// The types of the parameters without names of types.
    pub desugared: Vec<String>,
    /// Whether other files can't name it.
    pub is_static: bool,
}

/// Puts the function that builds the state after the text of the unit that defines the entry function. Gives the library functions that the
/// user's expressions call.
pub fn wrap(units: &mut [Compilation], model: DataModel, state: &EntryState) -> Result<Vec<String>, FrontendError> {
    let bad = |message: String| FrontendError::Entry { message };
    let clang = Clang::find()?;
    let mut refused = false;
    for unit in units.iter_mut() {
        if !unit.is_c() {
            continue;
        }
        let Some(dump) = clang.declarations(unit, model, &state.function)? else {
            refused = true;
            continue;
        };
        let Some(declared) = parse(&dump, &state.function) else { continue };
        let path = unit.full_path().map_err(|reason| bad(format!("{}: {reason}", unit.path.display())))?;
        let path = path.display().to_string();
        if path.contains(['"', '\n', '\\']) {
            return Err(bad(format!("the name of {path} can't be written in C")));
        }
        let wrapper = wrapper(&declared, state).map_err(bad)?;
        let holders = holders(&declared, state);
        unit.text = Some(format!("#include \"{path}\"\n#line 1 \"{PLACE}\"\n{holders}"));
        // An expression that clang refuses is refused with its words when all is compiled.
        let called = match clang.declarations(unit, model, expression::HOLDER)? {
            Some(dump) => examine(&dump, state).map_err(bad)?,
            None => Vec::new(),
        };
        // The expressions stand there once more, so that what is no expression by itself does not compile.
        unit.text = Some(format!("#include \"{path}\"\n{wrapper}#line 1 \"{PLACE}\"\n{holders}"));
        return Ok(called);
    }
    if refused {
        // What is wrong with the file is said when it is compiled.
        return Ok(Vec::new());
    }
    Err(bad(format!("no C file defines the function `{}`", state.function)))
}

/// What the user wrote in C, and with which option.
fn expressions(state: &EntryState) -> impl Iterator<Item = (&'static str, &String)> {
    let lengths = state.arrays.iter().map(|(_, length)| ("--array", length));
    lengths.chain(state.preconditions.iter().map(|condition| ("--precondition", condition)))
}

fn holders(declared: &Declared, state: &EntryState) -> String {
    let named: Vec<(String, String)> = declared.params.iter().enumerate().map(name_parameter).collect();
    let params: Vec<String> = named.iter().map(|(ty, name)| format!("__typeof__({ty}) {name}")).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let each = expressions(state).enumerate();
    each.map(|(index, (_, expression))| expression::holder(index, &params, expression)).collect()
}

/// The library functions that the expressions call, if all are only about states.
fn examine(dump: &str, state: &EntryState) -> Result<Vec<String>, String> {
    let mut called = Vec::new();
    for (index, (option, expression)) in expressions(state).enumerate() {
        let found = expression::examine(dump, index);
        called.extend(found.map_err(|why| format!("{option}: `{expression}` {why}"))?);
    }
    Ok(called)
}

/// The definition of `function` in clang's dump of its syntax tree.
pub fn parse(dump: &str, function: &str) -> Option<Declared> {
    parse_if(dump, function, |part| part.contains("-CompoundStmt "))
}

/// The first declaration of `function` there.
pub fn parse_declaration(dump: &str, function: &str) -> Option<Declared> {
    parse_if(dump, function, |_| true)
}

fn parse_if(dump: &str, function: &str, is_meant: impl Fn(&str) -> bool) -> Option<Declared> {
    let start = format!("Dumping {function}:");
    for part in dump.split("\n\n") {
        let mut lines = part.lines();
        let Some(first) = lines.by_ref().skip_while(|line| *line != start).nth(1) else { continue };
        if !first.starts_with("FunctionDecl ") || !is_meant(part) {
            continue;
        }
        let param = |line: &'_ str| line.get(2..).filter(|rest| rest.starts_with("ParmVarDecl ")).map(str::to_owned);
        let lines: Vec<String> = part.lines().filter_map(param).collect();
        let params = lines.iter().filter_map(|line| parse_typed(line)).collect();
        let desugared = lines.iter().filter_map(|line| desugared(line)).collect();
        let is_static = first.rsplit('\'').next().is_some_and(|rest| rest.contains("static"));
        return parse_typed(first).map(|(ty, _)| Declared { ty, params, desugared, is_static });
    }
    None
}

/// All functions that a dump of a whole file's syntax tree defines.
pub fn definitions(dump: &str) -> Vec<(String, Declared)> {
    let mut all: Vec<(String, Declared, bool)> = Vec::new();
    let mut is_inside = false;
    for line in dump.lines() {
        if line.get(..2).is_some_and(|start| start == "|-" || start == "`-") {
            let found = line
                .get(2..)
                .filter(|rest| rest.starts_with("FunctionDecl "))
                .and_then(|rest| Some((rest, parse_typed(rest)?)));
            is_inside = found.is_some();
            if let Some((rest, (ty, name))) = found {
                let is_static = rest.rsplit('\'').next().is_some_and(|rest| rest.contains("static"));
                all.push((name, Declared { ty, params: Vec::new(), desugared: Vec::new(), is_static }, false));
            }
        }
        let (Some(inner), Some((_, declared, has_body)), true) = (line.get(4..), all.last_mut(), is_inside) else {
            continue;
        };
        if inner.starts_with("ParmVarDecl ") {
            declared.params.extend(parse_typed(inner));
            declared.desugared.extend(desugared(inner));
        }
        *has_body |= inner.starts_with("CompoundStmt ");
    }
    all.into_iter().filter(|(.., has_body)| *has_body).map(|(name, declared, _)| (name, declared)).collect()
}

/// `… n 'size_t':'unsigned long'`: the last of the types.
fn desugared(line: &str) -> Option<String> {
    let (ty, _) = parse_typed(line)?;
    let behind = line.split_once(&format!("'{ty}':'")).and_then(|(_, rest)| rest.split('\'').next());
    Some(behind.map_or(ty, str::to_owned))
}

/// `… col:26 used str 'const char *'`: the type and the name.
pub fn parse_typed(line: &str) -> Option<(String, String)> {
    let (before, rest) = line.split_once('\'')?;
    let (ty, _) = rest.split_once('\'')?;
    let name = before.split_whitespace().last().filter(|word| !word.contains([':', '<', '>'])).unwrap_or_default();
    Some((ty.to_owned(), name.to_owned()))
}

fn wrapper(declared: &Declared, state: &EntryState) -> Result<String, String> {
    let has = |name: &str| declared.params.iter().any(|(_, param)| param == name);
    if let Some((name, _)) = state.arrays.iter().find(|(name, _)| !has(name)) {
        return Err(format!("{} has no parameter `{name}`", state.function));
    }
    if let Some((ty, _)) = declared.params.iter().find(|(ty, _)| ty.contains("unnamed ") || ty.contains("anonymous ")) {
        return Err(format!("{} has a parameter whose type has no name: {ty}", state.function));
    }
    let named: Vec<(String, String)> = declared.params.iter().enumerate().map(name_parameter).collect();
    let length = |name: &str| state.arrays.iter().find(|(array, _)| array == name).map(|(_, length)| length);
    let arguments: Vec<&str> = named.iter().map(|(_, name)| name.as_str()).collect();
    let samples: Vec<String> = named.iter().map(|(ty, _)| format!("*(__typeof__({ty}) *)0")).collect();
    let params: Vec<String> = named
        .iter()
        .filter(|(_, name)| length(name).is_none())
        .map(|(ty, name)| format!("__typeof__({ty}) {name}"))
        .collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let result = format!("__typeof__({}({}))", state.function, samples.join(", "));
    let leave = match declared.ty.starts_with("void (") {
        true => "return;".to_owned(),
        false => format!("{{ {result} __belay_none; return __belay_none; }}"),
    };
    let mut text =
        format!("#line 1 \"{PLACE}\"\n__attribute__((no_sanitize(\"all\")))\n{result} {ENTRY_BUILDER}({params}) {{\n");
    for (ty, name) in &named {
        let Some(length) = length(name) else { continue };
        let element = element(ty).ok_or_else(|| format!("`{name}` is no pointer but {ty}"))?;
        // The number is that of an array that exists: not negative, and within the address space.
        text.push_str(&format!(
            "if (({length}) < 0 || (unsigned long long)({length}) > (~0UL >> 1) / sizeof({element})) {leave}\n"
        ));
        text.push_str(&format!("{element} {name}[{length}];\n"));
    }
    for condition in &state.preconditions {
        text.push_str(&format!("#line 1 \"--precondition\"\nif (!(({condition}))) {leave}\n"));
    }
    text.push_str(&format!("#line 9 \"{PLACE}\"\nreturn {}({});\n}}\n", state.function, arguments.join(", ")));
    Ok(text)
}

/// What the places of the made-up function are called.
const PLACE: &str = "entry state";

/// A parameter without a name gets one.
fn name_parameter((index, (ty, name)): (usize, &(String, String))) -> (String, String) {
    let name = if name.is_empty() { format!("__belay_unused{index}") } else { name.clone() };
    (ty.clone(), name)
}

/// What a pointer type points to, as a type that arrays can have.
fn element(ty: &str) -> Option<String> {
    let base = ty.trim_end().trim_end_matches("restrict").trim_end().trim_end_matches("const").trim_end();
    let base = base.strip_suffix('*')?;
    Some(match base.replace("const", "").replace("volatile", "").trim() {
        "void" => "char".to_owned(),
        _ => format!("__typeof__(*(__typeof__({ty}))0)"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests;
