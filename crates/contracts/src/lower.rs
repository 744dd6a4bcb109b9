//! A clause as C. What a contract adds to C's expressions is written out in C: implications, quantifiers over ranges, values from before,
//! what pointers lead to. Every execution then gives it the one meaning that C has, and no engine knows of contracts.
//!
//! - *Assumed* clauses end a run where they do not hold. `forall` is a loop that asks each element, `exists` takes an arbitrary one; `is_fresh(p, n)` makes
//!   a new block of `n` bytes and lets `p` point to it. Of a disjunction that makes blocks a run chooses the side that it fulfils.
//! - *Asserted* clauses are assertions. `forall` asserts for an arbitrary element, which is as good as for each; `exists` is a loop that looks for one.
//! - Inside of other expressions both quantifiers are loops.
//! - `old(e)` is a variable that was given the value of `e` before.
//! - A function that a clause calls may only look: what would change the state that it speaks of is refused, where its body is known.
//!
//! A pointer of which an assumed clause says nothing has an arbitrary value and leads nowhere: some caller passes such a pointer, and each access through it is a
//! violation, so that a proof makes no access through it. What would compare it with a valid pointer or ask whether it may be read is refused, because
//! there the callers that pass something valid would be left out.

pub use crate::prelude::PRELUDE;
pub use crate::text::{joined, plain};

use crate::blocks::{NODE, NUMBER, Named, SHAPES, makes_blocks};
use crate::lift::Clause;
use crate::predicates::is_truth;
use crate::text::{calls, is_divisor, mentions, premise_end, uses};
use crate::tokens::{bare, closing, split, tokens};

/// Whether a clause is taken for granted or has to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Runs that do not keep it are left out.
    Assume,
    /// It is an assertion.
    Assert,
}

/// The state of a translation to C.
pub struct Lowering {
    /// What is asserted, in words; begins each message.
    pub subject: String,
    /// Whether clauses are taken for granted.
    pub mode: Mode,
    /// Pointers of which nothing is known yet: names of parameters.
    pub undescribed: Vec<String>,
    /// What `is_fresh` made or found so far.
    pub fresh: Vec<Named>,
    /// The pointers that they were made for, as the contract writes them; of a disjunction those of all sides.
    pub places: Vec<Vec<String>>,
    /// How many variables hold what a part of an asserted condition has named, if whoever asks declares them ([`declare_named`]).
    pub named: Option<usize>,
    /// Whether blocks that are made stay reachable from static storage: in entry states, whose blocks the function need not keep.
    pub keeps: bool,
    /// Whether what `is_fresh` asserts has to be made by the function itself.
    pub is_made: bool,
    /// Whether a caller of a replaced function is asked: what it gives must not lie in static storage, which the function was checked to be apart from.
    pub asks_caller: bool,
    /// Pointers whose blocks need only be readable where they are asserted: names of parameters.
    pub reads: Vec<String>,
    /// Expressions whose value from before is needed.
    pub olds: Vec<String>,
    /// What variables of old values are called.
    pub prefix: &'static str,
    /// Places that a replaced function may have written, without blanks: an equation says what is there then.
    pub settable: Vec<String>,
    /// The places that equations have set.
    pub set: Vec<String>,
    /// Variables of static storage that have any value so far: what says that one has a value sets it.
    pub variables: Vec<String>,
    /// Whether these are promises of a function that is replaced. They were shown of blocks that have just the size that is required, and begin where the pointer is; a caller's
    /// may be larger, or no heap blocks.
    pub replaces: bool,
    /// Whether lists may be made: where nothing is said of what is written.
    pub lists: bool,
    /// What places were set to, without blanks.
    pub(crate) equated: Vec<String>,
    /// The clauses so far, without blanks.
    pub(crate) said: Vec<String>,
    pub(crate) quantified: Vec<String>,
}

pub(crate) type Lowered = Result<String, String>;

impl Lowering {
    /// A translation that begins.
    pub fn new(subject: String, mode: Mode, prefix: &'static str) -> Lowering {
        Lowering {
            subject,
            mode,
            undescribed: Vec::new(),
            fresh: Vec::new(),
            places: Vec::new(),
            named: None,
            keeps: false,
            is_made: false,
            asks_caller: false,
            reads: Vec::new(),
            olds: Vec::new(),
            prefix,
            settable: Vec::new(),
            set: Vec::new(),
            variables: Vec::new(),
            replaces: false,
            lists: false,
            equated: Vec::new(),
            said: Vec::new(),
            quantified: Vec::new(),
        }
    }

    /// A clause as statements. What can't be said in C makes the answer unknown there.
    pub fn clause(&mut self, clause: &Clause) -> String {
        let known = (self.undescribed.clone(), self.fresh.clone(), self.olds.clone());
        let lowered = self.condition(&clause.text);
        self.said.push(joined(&clause.text));
        match lowered {
            Ok(text) => text,
            Err(why) => {
                (self.undescribed, self.fresh, self.olds) = known;
                refusal(clause, &why)
            }
        }
    }

    /// A condition as statements that assume or assert it.
    pub fn condition(&mut self, text: &str) -> Lowered {
        let text = bare(text);
        if split(text, "?").len() > 1 {
            return self.conditional(text);
        }
        let implied = split(text, "==>");
        if let [premise, ..] = implied.as_slice()
            && implied.len() > 1
        {
            let rest = text[text.find("==>").map_or(0, |_| premise_end(text))..].trim();
            let asks = self.undescribed.iter().find(|name| self.mode == Mode::Assume && uses(premise, name));
            if let Some(name) = asks.cloned() {
                // `p != 0 ==> …`: it is null, or the rest holds.
                self.refuse_undescribed(premise)?;
                let rest = self.condition(rest)?;
                self.undescribed.retain(|other| *other != name);
                return Ok(format!("if (__belay_choice()) {{ {name} = (void *)0; }} else {{ {rest} }} "));
            }
            let premise = self.expression(premise)?;
            return Ok(format!("if ({premise}) {{ {} }} ", self.condition(rest)?));
        }
        let alternatives = split(text, "||");
        if alternatives.len() > 1 {
            return self.alternatives(text, &alternatives);
        }
        let parts = split(text, "&&");
        if parts.len() > 1 {
            return parts.iter().map(|part| self.condition(part)).collect();
        }
        let parts = split(text, "&");
        if parts.len() > 1 && parts.iter().all(|part| is_truth(part)) {
            return parts.iter().map(|part| self.condition(part)).collect();
        }
        self.single(text)
    }

    /// `c ? a : b` with blocks to be made: whichever side `c` chooses. Else its parts are no conditions of their own.
    fn conditional(&mut self, text: &str) -> Lowered {
        let makes = self.mode == Mode::Assume && makes_blocks(text);
        let parts = split(text, "?");
        let sides = parts.get(1).map(|sides| split(sides, ":")).unwrap_or_default();
        let ([question, _], [yes, no]) = (parts.as_slice(), sides.as_slice()) else { return self.single(text) };
        if !makes || !is_truth(text) {
            return self.single(text);
        }
        self.refuse_undescribed(question)?;
        let question = self.expression(question)?;
        let known = (self.undescribed.clone(), self.fresh.clone());
        let yes = self.condition(yes)?;
        let (unknown, made) = (self.undescribed.clone(), self.fresh.clone());
        // Numbers of blocks are given in order: a side that makes none may be any side, two that make some would share them.
        let no = self.condition(no)?;
        if made.len() > known.1.len() && self.fresh.len() > made.len() {
            return Err("both sides of a conditional expression make blocks".to_owned());
        }
        // What one side leaves open stays open.
        self.undescribed =
            known.0.into_iter().filter(|name| unknown.contains(name) || self.undescribed.contains(name)).collect();
        Ok(format!("if ({question}) {{ {yes} }} else {{ {no} }} "))
    }

    fn alternatives(&mut self, text: &str, parts: &[&str]) -> Lowered {
        let makes = parts.iter().any(|part| makes_blocks(part));
        if !makes || self.mode == Mode::Assert {
            self.refuse_undescribed(text)?;
            let expression = if makes { self.sides(parts)? } else { self.expression(text)? };
            return Ok(self.demand(&expression, text));
        }
        let known = (self.undescribed.clone(), self.fresh.clone());
        let mut out = String::new();
        let mut made = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            (self.undescribed, self.fresh) = known.clone();
            let lowered = match self.null_side(part, parts) {
                Some(nulled) => nulled,
                None => self.null_and_more(part, parts)?,
            };
            made.push(self.fresh.clone());
            out.push_str(&match index + 1 == parts.len() {
                true => format!("{{ {lowered} }} "),
                false => format!("if (__belay_choice()) {{ {lowered} }} else "),
            });
        }
        // A pointer that one side describes is described: the other sides say all that is known there.
        self.fresh = made.into_iter().max_by_key(Vec::len).unwrap_or_default();
        self.undescribed = known.0.into_iter().filter(|name| !mentions(text, name)).collect();
        Ok(out)
    }

    /// A disjunction that is asserted. What a side names before it fails is not named, and no side has to be apart from what another one names.
    fn sides(&mut self, parts: &[&str]) -> Lowered {
        let known = self.fresh.clone();
        let (mut all, mut sides) = (known.clone(), Vec::new());
        for part in parts {
            self.fresh.clone_from(&known);
            let first = self.named;
            let side = self.expression(part)?;
            let forgotten = first.unwrap_or(0)..self.named.unwrap_or(0);
            let forget: String = forgotten.map(|index| format!("__belay_named{index} = 0, ")).collect();
            sides.push(if forget.is_empty() { format!("({side})") } else { format!("(({side}) || ({forget}0))") });
            all.extend(self.fresh.drain(known.len()..));
        }
        self.fresh = all;
        Ok(sides.join(" || "))
    }

    fn single(&mut self, text: &str) -> Lowered {
        let all = tokens(text);
        let whole =
            |name: &str| all.first().is_some_and(|first| first.is(name)) && closing(&all, 1) == Some(all.len() - 1);
        if whole("__CPROVER_is_fresh") {
            return self.fresh_pointer(&text[all[1].end()..text.len() - 1]);
        }
        if self.mode == Mode::Assume
            && let Some(made) = SHAPES.iter().find(|name| whole(name))
        {
            return self.make_shape(made, &text[all[1].end()..text.len() - 1]);
        }
        if whole("__CPROVER_forall") || whole("__CPROVER_exists") {
            return self.quantifier(text, all[0].is("__CPROVER_forall"));
        }
        if self.mode == Mode::Assume
            && let Some(set) = self.equation(text)?
        {
            return Ok(set);
        }
        self.refuse_undescribed(text)?;
        let expression = self.expression(text)?;
        Ok(self.demand(&expression, text))
    }

    /// Assumes or asserts an expression.
    pub(crate) fn demand(&self, expression: &str, said: &str) -> String {
        match self.mode {
            Mode::Assume => format!("__belay_assume(!!({expression})); "),
            Mode::Assert => {
                let message = format!("{}: {}", self.subject, plain(said));
                format!("__belay_assert(!!({expression}), {message:?}); ")
            }
        }
    }

    /// An expression in C.
    pub fn expression(&mut self, text: &str) -> Lowered {
        let parts = split(text, ",");
        if parts.len() > 1 {
            let parts = parts.iter().map(|part| self.expression(part)).collect::<Result<Vec<_>, _>>()?;
            return Ok(parts.join(", "));
        }
        let implied = split(text, "==>");
        if let [premise, _, ..] = implied.as_slice() {
            let (premise, rest) = (self.expression(premise)?, &text[premise_end(text)..]);
            return Ok(format!("(!({premise}) || ({}))", self.expression(rest)?));
        }
        let alternatives = split(text, "||");
        if self.mode == Mode::Assert && alternatives.len() > 1 && split(text, "?").len() == 1 && makes_blocks(text) {
            return self.sides(&alternatives);
        }
        self.words(text)
    }

    fn words(&mut self, text: &str) -> Lowered {
        let all = tokens(text);
        let (mut out, mut at) = (String::new(), 0);
        while at < all.len() {
            let token = all[at];
            let inside =
                || closing(&all, at + 1).filter(|_| all.get(at + 1).is_some_and(|next| next.is("(") || next.is("{")));
            match token.text {
                "(" | "[" | "{" => {
                    let close = closing(&all, at).ok_or("brackets do not match")?;
                    let inner = self.expression(&text[token.end()..all[close].at])?;
                    out.push_str(&format!("{}{inner}{} ", token.text, all[close].text));
                    at = close + 1;
                }
                "<==>" => return Err("`<==>` is not understood".to_owned()),
                "=" | "++" | "--" | "+=" | "-=" | "*=" | "/=" | "|=" | "&=" | "^=" => {
                    return Err(format!("`{}` changes what it speaks of", token.text));
                }
                "/" | "%" if !is_divisor(&all[at + 1..]) => return Err("it may divide by zero".to_owned()),
                name if name.starts_with("__CPROVER_") || name.starts_with("__BELAY_") => {
                    let close = inside();
                    let body = close.map(|close| &text[all[at + 1].end()..all[close].at]);
                    let whole = close.map(|close| &text[token.at..all[close].end()]);
                    out.push_str(&self.named(name, body, whole)?);
                    let takes = body.is_some()
                        && !matches!(name, "__CPROVER_return_value" | "__CPROVER_bool" | "__CPROVER_size_t" | NODE);
                    at = if takes { close.map_or(at, |close| close) + 1 } else { at + 1 };
                }
                word => {
                    match calls(&all, at)? {
                        true => out.push_str(&format!("(__belay_only_looks((void *){word}), {word}) ")),
                        false => out.push_str(&format!("{word} ")),
                    }
                    at += 1;
                }
            }
        }
        Ok(out.trim_end().to_owned())
    }

    /// What a name of CBMC's stands for.
    fn named(&mut self, name: &str, body: Option<&str>, whole: Option<&str>) -> Lowered {
        let arguments = || body.map(|body| split(body, ",")).unwrap_or_default();
        match (name, arguments().as_slice()) {
            ("__CPROVER_return_value", _) => Ok("__belay_result ".to_owned()),
            ("__CPROVER_bool", _) => Ok("_Bool ".to_owned()),
            ("__CPROVER_size_t", _) => Ok("__SIZE_TYPE__ ".to_owned()),
            ("__CPROVER_old" | "__CPROVER_loop_entry", [value]) => self.old(value),
            (
                "__CPROVER_OBJECT_SIZE"
                | "__CPROVER_POINTER_OFFSET"
                | "__CPROVER_DYNAMIC_OBJECT"
                | "__CPROVER_same_object",
                _,
            ) if self.replaces => Err(format!("`{name}` of what a caller gives may differ from what is required")),
            ("__CPROVER_r_ok", [pointer, rest @ ..]) => self.asked("__belay_r_ok", pointer, rest),
            ("__CPROVER_w_ok" | "__CPROVER_rw_ok", [pointer, rest @ ..]) => self.asked("__belay_w_ok", pointer, rest),
            ("__CPROVER_OBJECT_SIZE", [pointer]) => Ok(format!("__belay_whole({})", self.described(pointer)?)),
            ("__CPROVER_POINTER_OFFSET", [pointer]) => Ok(format!("__belay_offset({})", self.described(pointer)?)),
            ("__CPROVER_DYNAMIC_OBJECT", [pointer]) => Ok(format!("__belay_is_heap({})", self.described(pointer)?)),
            ("__CPROVER_same_object", [p, q]) => {
                Ok(format!("__belay_same({}, {})", self.described(p)?, self.described(q)?))
            }
            (NODE, _) if self.quantified.iter().any(|name| name == NODE) => Ok("__belay_node ".to_owned()),
            ("__CPROVER_is_fresh", [pointer, size]) if self.mode == Mode::Assert => {
                self.refuse_elements()?;
                let (pointer, size) = (self.expression(pointer)?, self.expression(size)?);
                let found = self.is_fresh(&pointer, &size);
                Ok(self.remember(found, pointer, Some(size)))
            }
            (NUMBER, [pointer, bytes]) => self.number(pointer, bytes),
            (name, arguments) if self.mode == Mode::Assert && SHAPES.contains(&name) => self.shape(name, arguments),
            ("__CPROVER_forall" | "__CPROVER_exists", _) => {
                let is_forall = name == "__CPROVER_forall";
                let range = self.range(whole.unwrap_or_default(), is_forall)?;
                self.quantified.push(range.variable.clone());
                let found = self.looked_for(&range, is_forall);
                self.quantified.pop();
                found
            }
            _ => Err(format!("`{name}` is not understood here")),
        }
    }

    /// A pointer of which is asked what it leads to.
    fn described(&mut self, pointer: &str) -> Lowered {
        if let Some(name) = self.undescribed.iter().find(|name| self.mode == Mode::Assume && mentions(pointer, name)) {
            return Err(format!("it is not said which object `{name}` points to (is_fresh says it)"));
        }
        let is_loaded = tokens(bare(pointer)).iter().any(|token| matches!(token.text, "*" | "->" | "." | "["));
        let is_set = self.set.iter().any(|place| place == bare(pointer));
        if self.mode == Mode::Assume && !self.settable.is_empty() && is_loaded && !is_set {
            return Err(format!("it is not said where `{}` leads (an equation says it)", plain(pointer)));
        }
        self.expression(pointer)
    }

    fn asked(&mut self, function: &str, pointer: &str, rest: &[&str]) -> Lowered {
        let pointer = self.described(pointer)?;
        let size = match rest {
            [] => format!("sizeof(*({pointer}))"),
            [size] => self.expression(size)?,
            _ => return Err("too many arguments".to_owned()),
        };
        Ok(format!("{function}({pointer}, {size})"))
    }

    fn old(&mut self, value: &str) -> Lowered {
        if let Some(variable) = self.quantified.iter().find(|variable| mentions(value, variable)) {
            return Err(format!("the value of `{value}` from before depends on `{variable}`"));
        }
        let value = self.expression(value)?;
        let known = self.olds.iter().position(|known| *known == value);
        let index = known.unwrap_or_else(|| {
            self.olds.push(value);
            self.olds.len() - 1
        });
        Ok(format!("{}{index} ", self.prefix))
    }
}

/// How many blocks a contract may speak of.
pub const KEPT: usize = 32;

/// Declares the variables that hold what conditions have named: nothing at first.
pub fn declare_named(named: Option<usize>) -> String {
    (0..named.unwrap_or(0)).map(|index| format!("const void *__belay_named{index} = 0; ")).collect()
}

/// What ends a run without an answer, where a clause is not understood.
pub fn refusal(clause: &Clause, why: &str) -> String {
    let message = format!("the {} clause of line {}: {}", clause.kind.name(), clause.line, plain(why));
    format!("__belay_unsupported({message:?}); ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;
    use crate::text::is_place;

    fn lowered(mode: Mode, text: &str) -> Result<String, String> {
        let mut lowering = Lowering::new("f".to_owned(), mode, "__belay_old");
        lowering.keeps = true;
        lowering.undescribed.push("p".to_owned());
        lowering.condition(text).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn pointers_get_blocks() {
        let text = lowered(Mode::Assume, "p == 0 || __CPROVER_is_fresh(p, n)").unwrap();
        assert!(
            text.starts_with(
                "if (__belay_choice()) { p = (void *)(0); } else { p = __belay_block(__alignof__(*(p)), n);"
            ),
            "{text}"
        );
        assert!(lowered(Mode::Assume, "__CPROVER_r_ok(p, n)").is_err());
        assert!(lowered(Mode::Assume, "*p > 3").is_err() && lowered(Mode::Assume, "p < q").is_err());
        let implied = lowered(Mode::Assume, "p != 0 ==> __CPROVER_is_fresh(p, n)").unwrap();
        assert!(
            implied.starts_with(
                "if (__belay_choice()) { p = (void *)0; } else { p = __belay_block(__alignof__(*(p)), n);"
            ),
            "{implied}"
        );
        assert!(lowered(Mode::Assume, "p != 0 && n > sizeof(*p)").is_ok());
    }

    #[test]
    fn quantifiers_over_ranges() {
        let text = "__CPROVER_forall { unsigned k; (0 <= k && k < n) ==> a[k] == __CPROVER_old(*b).c[k] }";
        let assumed = lowered(Mode::Assume, text).unwrap();
        assert_eq!(
            assumed,
            "for (unsigned k = 0; k < (n); k++) { if (1) { __belay_assume(!!(a [k] == __belay_old0 . c [k])); } if (!((unsigned)(k + 1) > k)) break; }"
        );
        assert!(lowered(Mode::Assert, text).unwrap().contains("{ unsigned k; if (k >= (0) && (k < (n)) && (1)) {"));
        assert!(lowered(Mode::Assert, "__CPROVER_forall { int k; a[k] > 0 ==> b[k] > 0 }").is_err());
        assert!(
            lowered(Mode::Assert, "__CPROVER_forall { int k; 0 <= k && k < 3 ==> a[k] == __CPROVER_old(a[k]) }")
                .is_err()
        );
    }

    #[test]
    fn unknown_names_are_refused() {
        assert!(lowered(Mode::Assert, "__CPROVER_obeys_contract(f, g)").is_err());
        assert!(lowered(Mode::Assert, "x = 1").is_err() && lowered(Mode::Assert, "x++ > 1").is_err());
        assert!(lowered(Mode::Assume, "10 / x > 1").is_err() && lowered(Mode::Assume, "x / 10 > 1").is_ok());
        assert_eq!(lowered(Mode::Assert, "a ==> b").unwrap(), "if (a) { __belay_assert(!!(b), \"f: b\"); }");
    }

    #[test]
    fn places_are_told_from_values() {
        assert!(is_place("*p") && is_place("p->a[i + 1].b") && is_place("*(int (*)[4])(a)"));
        assert!(is_place("*(int (*)[4])a") && is_place("*(int *)a->b") && !is_place("*(int *)a + 1"));
        assert!(!is_place("a + b") && !is_place("f(x)") && !is_place("*p + 1"));
    }
}
