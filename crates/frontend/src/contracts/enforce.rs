//! `--enforce F`: the entry that makes every state that F's contract lets it be called in, and asserts what it promises.

use belay_clang::{Clang, Compilation, FrontendError};
use belay_ir::{DataModel, ENTRY_BUILDER};

use super::lift::{Clause, ClauseKind, Contract};
use super::lower::{KEPT, Lowering, Mode, PRELUDE, declare_named, joined, refusal};
use super::olds::{declare_olds, set_olds};
use super::tokens::{Kind, bare, closing, split, tokens};
use super::{Stated, append, declaration, home, parameters};
use crate::entry::Declared;
use belay_contracts::blocks::makes_blocks;

/// What may be written, if a condition holds.
pub struct Target {
    /// In C.
    pub condition: String,
    /// Where it begins.
    pub pointer: String,
    /// Its bytes.
    pub size: String,
}

/// Puts the entry after the unit that has the contract, or after the one that defines the function.
pub fn enforce(
    units: &mut [Compilation],
    model: DataModel,
    contract: &Contract,
    (stated, holders): (Option<&Stated>, &[usize]),
) -> Result<(), FrontendError> {
    let name = &contract.function;
    let missing = || FrontendError::Entry { message: format!("no C file defines the function `{name}`") };
    let (index, declared, has_body) = declaration(units, model, name)?.ok_or_else(missing)?;
    if !has_body {
        return Err(missing());
    }
    let (index, declared) = home(units, model, name, (index, declared), holders)?;
    let variables = variables(&units[index], model, contract)?;
    append(&mut units[index], &entry(contract, &declared, stated, variables))
}

/// The variables of static storage that clauses begin an equation with.
fn variables(unit: &Compilation, model: DataModel, contract: &Contract) -> Result<Vec<String>, FrontendError> {
    let requires = contract.clauses.iter().filter(|clause| clause.kind == ClauseKind::Requires);
    let equations = requires.flat_map(|clause| split(&clause.text, "&&")).map(|part| split(bare(part), "=="));
    let first = |sides: Vec<&str>| match sides.as_slice() {
        [left, _] => tokens(left).first().filter(|word| word.kind == Kind::Word).map(|word| word.text.to_owned()),
        _ => None,
    };
    let mut names: Vec<String> = equations.filter_map(first).collect();
    names.sort();
    names.dedup();
    let clang = Clang::find()?;
    let mut all = Vec::new();
    for name in names {
        let dump = clang.declarations(unit, model, &name)?.unwrap_or_default();
        let start = format!("Dumping {name}:\nVarDecl ");
        let declared = dump.split("\n\n").filter(|part| part.contains(&start)).flat_map(str::lines).nth(1);
        let ty = declared.and_then(crate::entry::parse_typed).map(|(ty, _)| ty);
        if ty.is_some_and(|ty| !ty.contains('[') && !ty.starts_with("const ") && !ty.ends_with("const")) {
            all.push(name);
        }
    }
    Ok(all)
}

fn entry(contract: &Contract, declared: &Declared, stated: Option<&Stated>, variables: Vec<String>) -> String {
    let name = &contract.function;
    let params = parameters(contract, declared);
    let is_number = |index: usize| is_number(&declared.desugared[index]);
    let numbers: Vec<String> = (params.iter().enumerate())
        .filter(|(index, _)| is_number(*index))
        .map(|(_, (ty, name))| format!("__typeof__({ty}) {name}"))
        .collect();
    let numbers = if numbers.is_empty() { "void".to_owned() } else { numbers.join(", ") };
    let others = params.iter().enumerate().filter(|(index, _)| !is_number(*index));
    let others: Vec<&(String, String)> = others.map(|(_, param)| param).collect();
    let mut assumed = Lowering::new(String::new(), Mode::Assume, "__belay_old");
    assumed.keeps = true;
    assumed.lists = stated.is_some();
    assumed.variables = variables;
    assumed.variables.retain(|name| params.iter().all(|(_, param)| param != name));
    let is_pointer = |index: usize| declared.desugared[index].contains(['*', '(']);
    let pointers = params.iter().enumerate().filter(|(index, _)| is_pointer(*index));
    assumed.undescribed = pointers.map(|(_, (_, name))| name.clone()).collect();
    let mut requires = lower(contract, ClauseKind::Requires, &mut assumed);
    requires.push_str(&ask_again(contract, &assumed));
    let mut asserted = Lowering::new(format!("the contract of {name} is broken"), Mode::Assert, "__belay_old");
    asserted.fresh = assumed.fresh.clone();
    asserted.is_made = true;
    asserted.named = Some(0);
    let ensures = lower(contract, ClauseKind::Ensures, &mut asserted);
    let frame = match stated {
        None => Frame::of(contract, assumed.fresh.len()),
        Some(_) => Frame { declared: "static int __belay_frame_on;\n".to_owned(), set: String::new() },
    };
    let mut out = format!("#line 1 \"entry state\"\n{PRELUDE}static void *__belay_kept[{KEPT}];\n{}", frame.declared);
    out.push_str(&format!("__attribute__((no_sanitize(\"all\")))\nvoid {ENTRY_BUILDER}({numbers}) {{\n"));
    others.iter().for_each(|(ty, name)| out.push_str(&format!("__typeof_unqual__({ty}) {name};\n")));
    if stated.is_none_or(|stated| stated.any_globals) {
        out.push_str("__belay_any_globals();\n");
    }
    out.push_str(&requires);
    out.push_str(&format!(
        "{}{}\n",
        declare_olds("__belay_old", &asserted.olds),
        set_olds("__belay_old", &asserted.olds)
    ));
    out.push_str(&frame.set);
    let arguments: Vec<&str> = params.iter().map(|(_, name)| name.as_str()).collect();
    let keep = if declared.ty.starts_with("void (") { "" } else { "__auto_type __belay_result = " };
    out.push_str(&format!("#line 9 \"entry state\"\n{keep}{name}({});\n__belay_frame_on = 0;\n", arguments.join(", ")));
    if !keep.is_empty() {
        // A block that is returned is not lost.
        out.push_str("static __typeof__(__belay_result) __belay_returned;\n__belay_returned = __belay_result;\n");
    }
    out.push_str(&format!("{}\n", declare_named(asserted.named)));
    out.push_str(&ensures);
    let is_kept: &dyn Fn(&str) -> bool = match stated {
        None => &|place: &str| !freed(contract).contains(&place),
        Some(stated) => &|place: &str| stated.alive.iter().any(|name| name == place),
    };
    out.push_str(&alive(name, &assumed.places, is_kept));
    out.push_str("}\n");
    out
}

fn lower(contract: &Contract, kind: ClauseKind, lowering: &mut Lowering) -> String {
    let of = contract.clauses.iter().filter(|clause| clause.kind == kind);
    of.map(|clause| format!("#line {} {:?}\n{}\n", clause.line, clause.file, lowering.clause(clause))).collect()
}

/// What is said of pointers for which blocks are made later on is asked once more: it was said of what the pointers were before.
fn ask_again(contract: &Contract, assumed: &Lowering) -> String {
    let requires = contract.clauses.iter().filter(|clause| clause.kind == ClauseKind::Requires);
    let part = |clause: &Clause, text: &str| Clause { text: text.to_owned(), ..clause.clone() };
    let parts = requires.flat_map(|clause| conjuncts(&clause.text).into_iter().map(|text| part(clause, text)));
    let parts: Vec<Clause> = parts.collect();
    let mut again = Lowering::new(String::new(), Mode::Assume, "__belay_old");
    again.undescribed = assumed.undescribed.clone();
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let later: Vec<String> = parts[index + 1..].iter().flat_map(|later| made_places(&later.text)).collect();
        let text = match makes_blocks(&part.text) {
            false if later.iter().any(|place| may_speak_of(&part.text, place)) => again.clause(part),
            // Members of a union share their bytes: what sets one may change another.
            false if assumed.variables.iter().any(|name| joined(&part.text).starts_with(&format!("{name}."))) => {
                again.clause(part)
            }
            true if later.iter().any(|place| names(&part.text, place)) => {
                refusal(part, "a later clause makes a block for a pointer that it speaks of")
            }
            true | false => continue,
        };
        out.push_str(&format!("#line {} {:?}\n{text}\n", part.line, part.file));
    }
    out
}

/// The parts of a conjunction.
fn conjuncts(text: &str) -> Vec<&str> {
    let text = bare(text);
    if ["?", "==>", "||"].iter().any(|sign| split(text, sign).len() > 1) {
        return vec![text];
    }
    match split(text, "&&") {
        parts if parts.len() > 1 => parts.into_iter().flat_map(conjuncts).collect(),
        _ => vec![text],
    }
}

/// The places that a clause makes blocks for, without blanks.
fn made_places(text: &str) -> Vec<String> {
    let all = tokens(text);
    let inside = |at: usize| {
        let close = all.get(at + 1).filter(|open| open.is("(")).and_then(|_| closing(&all, at + 1))?;
        split(&text[all[at + 1].end()..all[close].at], ",").first().map(|place| joined(place))
    };
    (0..all.len()).filter(|at| makes_blocks(all[*at].text)).filter_map(inside).collect()
}

/// True if a text may speak of a place, however it is written: it has all words that the place is made of.
fn may_speak_of(text: &str, place: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        tokens(text).iter().filter(|token| token.kind == Kind::Word).map(|word| word.text.to_owned()).collect()
    };
    let known = words(text);
    words(place).iter().all(|word| known.contains(word))
}

/// True if a place stands in a text as it is written; of a name alone, where it is no member. The size of its type is not what it holds.
fn names(text: &str, place: &str) -> bool {
    let (text, place) = (tokens(text), tokens(place));
    let sizes = (0..text.len().saturating_sub(1)).filter(|at| text[*at].is("sizeof") && text[*at + 1].is("("));
    let sizes: Vec<_> = sizes.filter_map(|at| Some(at + 1..=closing(&text, at + 1)?)).collect();
    let is_there = |at: &usize| {
        let is_member = *at > 0 && (text[*at - 1].is(".") || text[*at - 1].is("->"));
        let is_size = sizes.iter().any(|size| size.contains(at));
        !is_member && !is_size && place.iter().zip(&text[*at..]).all(|(one, other)| one.text == other.text)
    };
    (0..text.len().saturating_sub(place.len().saturating_sub(1))).any(|at| is_there(&at))
}

/// What the function may free.
fn freed(contract: &Contract) -> Vec<&str> {
    let frees = contract.clauses.iter().filter(|clause| clause.kind == ClauseKind::Frees);
    frees.flat_map(|clause| split(&clause.text, ",")).map(bare).collect()
}

/// Blocks that the function was given and must not free are alive at its end. A block may have several names, one for each side of a disjunction.
fn alive(function: &str, places: &[Vec<String>], is_kept: &dyn Fn(&str) -> bool) -> String {
    let each = |(index, names): (usize, &Vec<String>)| {
        if !names.iter().all(|name| is_kept(name)) {
            return format!(
                "if (__belay_kept[{index}]) __belay_unsupported(\"which of several blocks may be freed is not followed\");\n"
            );
        }
        let message = format!("the contract of {function} is broken: what it was given is freed");
        format!(
            "if (__belay_kept[{index}]) __belay_assert(__belay_w_ok(__belay_kept[{index}], __belay_whole(__belay_kept[{index}])), {message:?});\n"
        )
    };
    let others = places.iter().enumerate().filter(|(_, names)| names.iter().any(|name| is_kept(name)));
    others.map(each).collect()
}

/// What a function may write: C that says it, for the assertion before each write.
struct Frame {
    declared: String,
    set: String,
}

impl Frame {
    fn of(contract: &Contract, blocks: usize) -> Frame {
        let (mut set, mut within) = (String::new(), String::new());
        let mut declared = "static int __belay_frame_on;\n".to_owned();
        let mut lowering = Lowering::new(String::new(), Mode::Assert, "__belay_old");
        let mut count = 0;
        for clause in contract.clauses.iter().filter(|clause| clause.kind == ClauseKind::Assigns) {
            set.push_str(&format!("#line {} {:?}\n", clause.line, clause.file));
            let all = match targets(clause, &mut lowering) {
                Ok(all) => all,
                Err(why) => {
                    set.push_str(&refusal(clause, &why));
                    continue;
                }
            };
            for Target { condition, pointer, size } in all {
                declared.push_str(&format!(
                    "static const void *__belay_target{count};\nstatic __SIZE_TYPE__ __belay_size{count};\n"
                ));
                set.push_str(&format!(
                    "if ({condition}) {{ __belay_target{count} = ({pointer}); __belay_size{count} = {size}; }}\n"
                ));
                within.push_str(&format!(
                    "if (__belay_size{count} && __belay_same(p, __belay_target{count}) && __belay_offset(p) >= __belay_offset(__belay_target{count}) && __belay_offset(p) - __belay_offset(__belay_target{count}) <= __belay_size{count} && n <= __belay_size{count} - (__belay_offset(p) - __belay_offset(__belay_target{count}))) return;\n"
                ));
                count += 1;
            }
        }
        let others: String = (0..blocks)
            .map(|index| format!(" && !(__belay_kept[{index}] && __belay_same(p, __belay_kept[{index}]))"))
            .collect();
        let message =
            format!("the contract of {} is broken: a write that its assigns clause does not allow", contract.function);
        declared.push_str(&format!(
            "__attribute__((no_sanitize(\"all\")))\nvoid __belay_frame(const void *p, __SIZE_TYPE__ n) {{\nif (!__belay_frame_on || !n) return;\n{within}__belay_assert(!__belay_is_static(p){others}, {message:?});\n}}\n"
        ));
        set.push_str("__belay_frame_on = 1;\n");
        Frame { declared, set }
    }
}

/// The targets of an `assigns` clause.
pub fn targets(clause: &Clause, lowering: &mut Lowering) -> Result<Vec<Target>, String> {
    let mut all = Vec::new();
    for group in split(&clause.text, ";").into_iter().filter(|group| !group.is_empty()) {
        let (condition, list) = match split(group, ":").as_slice() {
            [list] => ("1".to_owned(), (*list).to_owned()),
            [condition, list] => (lowering.expression(condition)?, (*list).to_owned()),
            _ => return Err(format!("`{group}` is not understood")),
        };
        for target in split(&list, ",").into_iter().filter(|target| !target.is_empty()) {
            let (pointer, size) = target_of(target, lowering)?;
            all.push(Target { condition: condition.clone(), pointer, size });
        }
    }
    Ok(all)
}

fn target_of(target: &str, lowering: &mut Lowering) -> Result<(String, String), String> {
    let target = bare(target);
    let tokens = tokens(target);
    let name = tokens.first().map(|first| first.text).unwrap_or_default();
    if !name.starts_with("__CPROVER_") {
        let place = lowering.expression(target)?;
        return Ok((format!("&({place})"), format!("sizeof({place})")));
    }
    if closing(&tokens, 1) != Some(tokens.len() - 1) {
        return Err(format!("`{target}` is not understood"));
    }
    let inside = split(&target[tokens[1].end()..target.len() - 1], ",");
    match (name, inside.as_slice()) {
        ("__CPROVER_object_whole", [pointer]) => {
            let pointer = lowering.expression(pointer)?;
            Ok((format!("(const char *)({pointer}) - __belay_offset({pointer})"), format!("__belay_whole({pointer})")))
        }
        ("__CPROVER_object_from", [pointer]) => {
            let pointer = lowering.expression(pointer)?;
            Ok((pointer.clone(), format!("__belay_whole({pointer}) - __belay_offset({pointer})")))
        }
        ("__CPROVER_object_upto", [pointer, size]) => Ok((lowering.expression(pointer)?, lowering.expression(size)?)),
        ("__CPROVER_typed_target", [place]) => {
            let place = lowering.expression(place)?;
            Ok((format!("&({place})"), format!("sizeof({place})")))
        }
        _ => Err(format!("`{name}` is not understood in an assigns clause")),
    }
}

/// True for an arithmetic type.
fn is_number(desugared: &str) -> bool {
    const WORDS: &str = "char short int long unsigned signed float double _Bool const volatile enum";
    let mut words = desugared.split_whitespace().peekable();
    let is_enum = desugared.split_whitespace().any(|word| word == "enum");
    is_enum && !desugared.contains(['*', '(']) || words.all(|word| WORDS.split(' ').any(|known| known == word))
}
