//! `--replace F`: a body for F that knows nothing but its contract.

use belay_clang::{Compilation, FrontendError};
use belay_ir::DataModel;

use super::enforce::{Target, targets};
use super::lift::{Clause, ClauseKind, Contract};
use super::lower::{Lowering, Mode, PRELUDE, declare_named, joined, refusal};
use super::olds::{declare_olds, set_olds};
use super::tokens::{closing, split, tokens};
use super::{append, declaration, home, parameters};
use crate::entry::Declared;
use belay_contracts::blocks::makes_blocks;

/// Gives a function the body that its contract describes, instead of its own if it has one.
pub fn replace(
    units: &mut [Compilation],
    model: DataModel,
    contract: &Contract,
    holders: &[usize],
) -> Result<(), FrontendError> {
    let name = &contract.function;
    let missing = || FrontendError::Entry { message: format!("no file declares the function `{name}`") };
    let (index, declared, has_body) = declaration(units, model, name)?.ok_or_else(missing)?;
    let unit = &mut units[index];
    if has_body {
        let text = unit.text.take().unwrap_or_default();
        let unclear =
            || FrontendError::Entry { message: format!("the definition of `{name}` is not found in the text") };
        unit.text = Some(without_body(&text, name).ok_or_else(unclear)?);
    }
    let (index, declared) = home(units, model, name, (index, declared), holders)?;
    append(&mut units[index], &body(contract, &declared))
}

/// The definition turned into a declaration.
fn without_body(text: &str, name: &str) -> Option<String> {
    let all = tokens(text);
    for at in 0..all.len() {
        let is_head = all[at].is(name) && all.get(at + 1).is_some_and(|next| next.is("("));
        let Some(mut close) = is_head.then(|| closing(&all, at + 1)).flatten() else { continue };
        while all.get(close + 1).is_some_and(|next| next.is("__attribute__")) {
            close = closing(&all, close + 2)?;
        }
        if !all.get(close + 1).is_some_and(|next| next.is("{")) {
            continue;
        }
        let end = closing(&all, close + 1)?;
        let (from, to) = (all[close + 1].at, all[end].end());
        let blank: String = text[from..to].chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
        return Some(format!("{};{}{}", &text[..from], &blank[1..], &text[to..]));
    }
    None
}

fn body(contract: &Contract, declared: &Declared) -> String {
    let name = &contract.function;
    let params = parameters(contract, declared);
    let list: Vec<String> = params.iter().map(|(ty, name)| format!("__typeof__({ty}) {name}")).collect();
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    let samples: Vec<String> = params.iter().map(|(ty, _)| format!("*(__typeof__({ty}) *)0")).collect();
    let result = format!("__typeof__({name}({}))", samples.join(", "));
    let is_void = declared.ty.starts_with("void (");
    let of = |kind: ClauseKind| contract.clauses.iter().filter(move |clause| clause.kind == kind);
    let lined = |clause: &Clause, text: &str| format!("#line {} {:?}\n{text}\n", clause.line, clause.file);
    let mut out = format!("#line 1 \"contract of {name}\"\n{PRELUDE}");
    let linkage = if declared.is_static { "static " } else { "" };
    out.push_str(&format!("__attribute__((no_sanitize(\"all\")))\n{linkage}{result} {name}({list}) {{\n"));
    let mut lowering = Lowering::new(format!("the call of {name} breaks its contract"), Mode::Assert, "__belay_old");
    lowering.asks_caller = true;
    lowering.named = Some(0);
    let asked: String = of(ClauseKind::Requires).map(|clause| lined(clause, &lowering.clause(clause))).collect();
    out.push_str(&format!("{}\n", declare_named(lowering.named.take())));
    out.push_str(&asked);
    let mut ensured = Lowering::new(String::new(), Mode::Assume, "__belay_old");
    ensured.replaces = true;
    let mut assumed = Vec::new();
    for clause in of(ClauseKind::Ensures) {
        let makes = makes_blocks(&clause.text);
        ensured.settable = if makes { Vec::new() } else { settable(contract) };
        assumed.push(lined(clause, &ensured.clause(clause)));
    }
    ensured.settable.clear();
    if !ensured.set.is_empty() {
        let asked_again = |clause: &&Clause| !makes_blocks(&clause.text);
        assumed
            .extend(of(ClauseKind::Ensures).filter(asked_again).map(|clause| lined(clause, &ensured.clause(clause))));
    }
    out.push_str(&format!(
        "{}{}\n",
        declare_olds("__belay_old", &ensured.olds),
        set_olds("__belay_old", &ensured.olds)
    ));
    // All targets are found before the first is written: one may lead to the next.
    let mut writes = String::new();
    for (index, clause) in of(ClauseKind::Assigns).enumerate() {
        let (found, written) = havoc(index, clause, &mut lowering);
        out.push_str(&lined(clause, &found));
        writes.push_str(&lined(clause, &written));
    }
    out.push_str(&writes);
    for clause in of(ClauseKind::Frees).filter(|clause| !clause.text.is_empty()) {
        out.push_str(&lined(clause, &refusal(clause, "what a replaced function frees is not followed")));
    }
    if !is_void {
        out.push_str(&format!("{result} __belay_result;\n"));
    }
    out.extend(assumed);
    out.push_str(if is_void { "}\n" } else { "return __belay_result;\n}\n" });
    out
}

/// The places that the function may write and that its contract names: objects that are named whole as `*p`.
fn settable(contract: &Contract) -> Vec<String> {
    const WHOLE: [&str; 2] = ["__CPROVER_object_whole(", "__CPROVER_object_from("];
    let mut places = vec!["__CPROVER_return_value".to_owned()];
    for clause in contract.clauses.iter().filter(|clause| clause.kind == ClauseKind::Assigns) {
        for group in split(&clause.text, ";") {
            let list = split(group, ":").last().copied().unwrap_or_default();
            places.extend(split(list, ",").into_iter().map(|target| {
                let target = joined(target);
                let object = WHOLE.iter().find_map(|start| target.strip_prefix(start)?.strip_suffix(')'));
                object.map(|pointer| format!("*{pointer}")).unwrap_or(target)
            }));
        }
    }
    places
}

/// C that writes any number to a target that is one number, and goes on with `else`.
///
/// A number of so many bits is any combination of so many bytes, which is what a loop over the bytes would write; as one value it is a variable that invariants of
/// loops can speak about.
fn number(name: &str, pointer: &str) -> String {
    let class = format!("__builtin_classify_type(*({pointer}))");
    let is_number = format!("({class} == 1 || {class} == 3 || {class} == 4)");
    let store = |(ty, call): (&str, &str)| {
        format!(
            "if ({is_number} && sizeof(*({pointer})) == sizeof({ty}) && __belay_extent{name} == sizeof({ty})) *({ty} *)__belay_place{name} = {call}(); else "
        )
    };
    NUMBERS.into_iter().map(store).collect()
}

/// Types of numbers by size, and what gives any of them.
const NUMBERS: [(&str, &str); 4] = [
    ("unsigned long long", "__belay_any_ulonglong"),
    ("unsigned int", "__belay_any_uint"),
    ("unsigned short", "__belay_any_ushort"),
    ("unsigned char", "__belay_any_uchar"),
];

/// C that finds what an `assigns` clause names, and C that writes anything there.
///
/// A pointer gets the bytes of a new block, which are not set. Any bytes that are set would be a pointer that leads nowhere: a clause that says where
/// it leads would then leave out all runs, those in which it leads there too. Of a pointer that is not set nobody is told anything. (Pointers in structures do get
/// such bytes: there [`Lowering`] refuses clauses that ask where they lead, unless an equation has set them.)
fn havoc(clause_index: usize, clause: &Clause, lowering: &mut Lowering) -> (String, String) {
    let all = match targets(clause, lowering) {
        Ok(all) => all,
        Err(why) => return (refusal(clause, &why), String::new()),
    };
    let (mut found, mut written) = (String::new(), String::new());
    for (index, Target { condition, pointer, size }) in all.into_iter().enumerate() {
        let name = format!("{clause_index}_{index}");
        found.push_str(&format!(
            "void *__belay_place{name} = 0; __SIZE_TYPE__ __belay_extent{name} = 0; if ({condition}) {{ __belay_place{name} = (void *)({pointer}); __belay_extent{name} = {size}; }} "
        ));
        written.push_str(&format!(
            "if (__belay_place{name}) {{ {} if (__builtin_classify_type(*({pointer})) != 5) __belay_havoc(__belay_place{name}, __belay_extent{name}); \
             else {{ void *__belay_unset = __belay_block(1, __belay_extent{name}); __belay_assume(__belay_unset != 0); \
             __builtin_memcpy(__belay_place{name}, __belay_unset, __belay_extent{name}); __belay_release(__belay_unset); }} }} ",
            number(&name, &pointer)
        ));
    }
    (found, written)
}
