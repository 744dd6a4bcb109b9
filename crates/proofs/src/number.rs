//! Numbers and expressions as people write them: `3/2*x4 - x0 + 7`. Products of variables: `x1*x2`.

use belay_its::{Monomial, Poly};
use belay_linear::{LinExpr, Rat, Var};
use serde_json::Value as Json;

use crate::names::Names;
use crate::stored::{Bad, Stored};

/// Variables have smaller numbers: a checker that needs fresh ones counts on, and has a list of all.
const MAX_VAR: u32 = 1 << 20;
/// Digits of a number at most.
const MAX_DIGITS: usize = 4000;

impl Stored for Rat {
    fn store(&self, _: &Names<'_>) -> Json {
        self.to_string().into()
    }
    fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
        parse_number(json.as_str().ok_or_else(|| Bad::new("a number is expected"))?)
    }
}

fn parse_number(text: &str) -> Result<Rat, Bad> {
    let bad = || Bad::new(format!("`{}` is no number", text.chars().take(40).collect::<String>()));
    let part = |text: &str| {
        let is_plain =
            text.len() <= MAX_DIGITS && text.strip_prefix('-').unwrap_or(text).bytes().all(|c| c.is_ascii_digit());
        if is_plain { Rat::parse_integer(text).ok_or_else(bad) } else { Err(bad()) }
    };
    match text.split_once('/') {
        None => part(text),
        Some((over, under)) => {
            let inverse = part(under)?.recip().ok_or_else(bad)?;
            Ok(&part(over)? * &inverse)
        }
    }
}

impl Stored for LinExpr {
    fn store(&self, _: &Names<'_>) -> Json {
        let terms = self.terms().iter().map(|(var, factor)| (vec![*var], factor));
        print_sum(terms, self.offset()).into()
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        Poly::load(json, names)?.to_linear().ok_or_else(|| Bad::new("a linear expression is expected"))
    }
}

impl Stored for Poly {
    fn store(&self, _: &Names<'_>) -> Json {
        let is_constant = |monomial: &Monomial| monomial.factors().is_empty();
        let terms = self.terms().iter().filter(|(monomial, _)| !is_constant(monomial));
        print_sum(terms.map(|(monomial, factor)| (monomial.factors().to_vec(), factor)), &self.offset()).into()
    }
    fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
        let text = json.as_str().ok_or_else(|| Bad::new("an expression is expected"))?;
        let mut sum = Poly::default();
        for (minus, term) in signed_terms(text) {
            let term = parse_term(term)?;
            sum = if minus { sum.minus(&term) } else { sum.plus(&term) };
        }
        Ok(sum)
    }
}

fn print_sum<'a>(terms: impl Iterator<Item = (Vec<Var>, &'a Rat)>, offset: &'a Rat) -> String {
    let mut text = String::new();
    let constant = (!offset.is_zero()).then(|| (Vec::new(), offset));
    for (vars, factor) in terms.chain(constant) {
        text.push_str(match (text.is_empty(), factor.is_negative()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        let size = factor.abs();
        let mut factors: Vec<String> = vars.iter().map(|var| format!("x{}", var.0)).collect();
        if factors.is_empty() || !size.is_one() {
            factors.insert(0, size.to_string());
        }
        text.push_str(&factors.join("*"));
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// The terms of a sum, and whether each is taken away.
fn signed_terms(text: &str) -> Vec<(bool, &str)> {
    let mut terms = Vec::new();
    let (mut minus, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    while let Some(at) = rest.find(" + ").into_iter().chain(rest.find(" - ")).min() {
        terms.push((minus, &rest[..at]));
        minus = rest[at..].starts_with(" - ");
        rest = &rest[at + 3..];
    }
    terms.push((minus, rest));
    terms
}

fn parse_term(text: &str) -> Result<Poly, Bad> {
    let mut product = Poly::constant(1);
    for (count, factor) in text.split('*').enumerate() {
        if count > 16 {
            return Err(Bad::new("a product has too many factors"));
        }
        let factor = match factor.strip_prefix('x') {
            Some(number) => {
                let number = number.parse().ok().filter(|number| *number < MAX_VAR);
                Poly::var(Var(number.ok_or_else(|| Bad::new(format!("`{factor}` is no variable")))?))
            }
            None => Poly::constant(parse_number(factor)?),
        };
        product = product.times(&factor);
    }
    Ok(product)
}
