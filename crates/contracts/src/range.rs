//! Quantifiers over ranges, as loops or as one arbitrary element.

use crate::lower::{Lowered, Lowering, Mode};
use crate::text::{
    binds_loosely, compares_sizes, is_cast, is_small, is_wide, mentions, mirrored, parts_of, premise_end,
};
use crate::tokens::{Kind, bare, closing, split, tokens};

/// A range of a quantified variable.
pub(crate) struct Range {
    ty: String,
    pub(crate) variable: String,
    from: String,
    within: String,
    last: String,
    guard: String,
    body: String,
}

impl Lowering {
    /// A quantifier that stands by itself.
    pub(crate) fn quantifier(&mut self, text: &str, is_forall: bool) -> Lowered {
        let range = self.range(text, is_forall)?;
        self.quantified.push(range.variable.clone());
        let body = self.condition_inside(&range, is_forall);
        self.quantified.pop();
        body
    }

    fn condition_inside(&mut self, range: &Range, is_forall: bool) -> Lowered {
        let Range { ty, variable, from, within, last, guard, body } = range;
        match (self.mode, is_forall) {
            (Mode::Assert, true) => {
                let body = self.condition(body)?;
                Ok(format!(
                    "{{ {ty} {variable}; if ({variable} >= ({from}) && ({within}) && ({guard})) {{ {body} }} }} "
                ))
            }
            (Mode::Assume, true) => {
                let body = self.condition(body)?;
                Ok(format!(
                    "for ({ty} {variable} = {from}; {within}; {variable}++) {{ if ({guard}) {{ {body} }} {last}}} "
                ))
            }
            (Mode::Assume, false) => {
                let body = self.condition(body)?;
                Ok(format!(
                    "{{ {ty} {variable}; __belay_assume({variable} >= ({from}) && ({within}) && ({guard})); {body} }} "
                ))
            }
            (Mode::Assert, false) => {
                let found = self.looked_for(range, false)?;
                Ok(self.demand(&found, &format!("exists {variable}: {body}")))
            }
        }
    }

    /// A quantifier as an expression: a loop.
    pub(crate) fn looked_for(&mut self, range: &Range, is_forall: bool) -> Lowered {
        let Range { ty, variable, from, within, last, guard, body } = range;
        let body = self.expression(body)?;
        let (start, test) = if is_forall { (1, format!("!({body})")) } else { (0, body) };
        let end = 1 - start;
        Ok(format!(
            "({{ int __belay_all = {start}; for ({ty} {variable} = {from}; {within}; {variable}++) {{ if (({guard}) && ({test})) {{ __belay_all = {end}; break; }} {last}}} __belay_all; }})"
        ))
    }

    /// `__CPROVER_forall { T v; a <= v && v < b ==> body }`.
    pub(crate) fn range(&mut self, text: &str, is_forall: bool) -> Result<Range, String> {
        let all = tokens(text);
        let unclear = || format!("the range of a quantifier is not understood: {text}");
        let open = all.iter().position(|token| token.is("{")).ok_or_else(unclear)?;
        let close = closing(&all, open).ok_or_else(unclear)?;
        let inside = &text[all[open].end()..all[close].at];
        let (declared, formula) = inside.split_once(';').ok_or_else(unclear)?;
        let variable = tokens(declared).last().filter(|last| last.kind == Kind::Word).map(|last| last.text);
        let variable = variable.ok_or_else(unclear)?.to_owned();
        let ty = declared.trim().strip_suffix(variable.as_str()).ok_or_else(unclear)?.trim().to_owned();
        let formula = bare(formula.trim().trim_end_matches(';'));
        // A range is a conjunction, and so is what `exists` says.
        let whole = if is_forall { split(formula, "==>").first().copied().unwrap_or_default() } else { formula };
        if ["||", "?", ","].iter().any(|sign| split(bare(whole), sign).len() > 1) {
            return Err(unclear());
        }
        let (ranges, body) = match is_forall {
            true => {
                let premise = split(formula, "==>");
                let [premise, _, ..] = premise.as_slice() else { return Err(unclear()) };
                (
                    split(bare(premise), "&&").into_iter().map(str::to_owned).collect(),
                    formula[premise_end(formula)..].to_owned(),
                )
            }
            false => parts_of(formula),
        };
        self.quantified.push(variable.clone());
        let range = self.bounds(&variable, ty, ranges, body);
        self.quantified.pop();
        range?.ok_or_else(unclear)
    }

    fn bounds(
        &mut self,
        variable: &str,
        ty: String,
        ranges: Vec<String>,
        body: String,
    ) -> Result<Option<Range>, String> {
        let (mut from, mut within, mut guards) = (None, None, Vec::new());
        // What binds less tightly is no side of the comparison.
        let is_side = |side: &str| !binds_loosely(side) && !compares_sizes(side);
        for part in &ranges {
            let sides = ["<=", ">=", "<", ">"].iter().find_map(|sign| match split(bare(part), sign).as_slice() {
                [left, right] if is_side(left) && is_side(right) => {
                    Some((bare(left).to_owned(), *sign, bare(right).to_owned()))
                }
                _ => None,
            });
            match sides {
                Some((left, sign, right)) if left == variable && !mentions(&right, variable) => {
                    let right = self.expression(&right)?;
                    self.bound(sign, right, part, (&mut from, &mut within, &mut guards))?;
                }
                Some((left, sign, right)) if right == variable && !mentions(&left, variable) => {
                    let left = self.expression(&left)?;
                    let sign = mirrored(sign);
                    self.bound(sign, left, part, (&mut from, &mut within, &mut guards))?;
                }
                Some(_) | None => guards.push(part.clone()),
            }
        }
        let unsigned = ["unsigned", "size_t", "uint", "__SIZE_TYPE__"].iter().any(|word| ty.contains(word));
        let from = from.or_else(|| unsigned.then(|| "0".to_owned()));
        let (Some(from), Some((sign, bound))) = (from, within) else { return Ok(None) };
        // A counter that reaches the greatest value of its type would begin anew. What the type of the bound is, only C can tell.
        let stop = format!("if (!(({ty})({variable} + 1) > {variable})) break; ");
        let last = if is_small(&bound, &ty) || sign == "<" && is_cast(&bound, &ty) {
            String::new()
        } else if sign == "<" && is_wide(&ty) {
            format!("if (sizeof({bound}) > sizeof({variable}) || __builtin_classify_type({bound}) == 8) {{ {stop}}} ")
        } else {
            stop
        };
        let within = format!("{variable} {sign} ({bound})");
        let guard = guards.iter().map(|guard| self.expression(guard)).collect::<Result<Vec<_>, _>>()?;
        let guard = if guard.is_empty() { "1".to_owned() } else { guard.join(" && ") };
        Ok(Some(Range { ty, variable: variable.to_owned(), from, within, last, guard, body }))
    }

    #[allow(clippy::type_complexity, reason = "what a range is made of so far")]
    fn bound(
        &mut self,
        sign: &'static str,
        value: String,
        part: &str,
        (from, within, guards): (&mut Option<String>, &mut Option<(&'static str, String)>, &mut Vec<String>),
    ) -> Result<(), String> {
        match sign {
            ">=" | ">" if from.is_none() => {
                // A bound that is no value of the variable's type, or is the type's last, is another one where the loop begins.
                let is_literal = sign == ">=" && is_small(&value, "char");
                guards.extend((!is_literal).then(|| part.to_owned()));
                *from = Some(if sign == ">" { format!("({value}) + 1") } else { value });
            }
            "<" | "<=" if within.is_none() => *within = Some((sign, value)),
            _ => guards.push(part.to_owned()),
        }
        Ok(())
    }
}
