//! What is known of a function, in words, as JSON, and on its way from the child that found it.

use belay_report::{NamedAnswer, NamedCaller, render_functions};

use super::calls::Callers;

/// What is known of a function.
pub enum Answered {
    /// Whoever calls it, as far as the proofs take nothing for granted but these lines.
    Safe(Vec<String>),
    /// Its callers have to keep this; what shows that something is needed; and what the proofs take for granted.
    SafeIf(Vec<String>, Option<String>, Vec<String>),
    /// Some caller makes it violate a property, in these words.
    Violated(String),
    /// Nothing.
    Unknown(String),
}

impl Answered {
    /// The kind, as JSON names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Answered::Safe(_) => "safe",
            Answered::SafeIf(..) => "safe-if",
            Answered::Violated(_) => "violated",
            Answered::Unknown(_) => "unknown",
        }
    }

    /// What its proofs take for granted, a line each.
    pub fn assumptions(&self) -> &[String] {
        match self {
            Answered::Safe(assumed) | Answered::SafeIf(_, _, assumed) => assumed,
            Answered::Violated(_) | Answered::Unknown(_) => &[],
        }
    }

    /// As the child sends it: the kind, then a text, then assumptions, an empty part, and clauses.
    pub fn parts(&self) -> Vec<String> {
        let (text, clauses) = match self {
            Answered::Safe(_) => (String::new(), Vec::new()),
            Answered::SafeIf(requires, needed, _) => (needed.clone().unwrap_or_default(), requires.clone()),
            Answered::Violated(how) => (how.clone(), Vec::new()),
            Answered::Unknown(why) => (why.clone(), Vec::new()),
        };
        let head = vec![self.kind().to_owned(), text];
        [&head, self.assumptions(), &[String::new()], &clauses].concat()
    }

    pub fn from_parts(sent: &str) -> Answered {
        let mut parts = sent.split('\0').map(str::to_owned);
        let (kind, text) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let assumed = parts.by_ref().take_while(|part| !part.is_empty()).collect();
        match kind.as_str() {
            "safe" => Answered::Safe(assumed),
            "safe-if" => Answered::SafeIf(parts.collect(), Some(text).filter(|text| !text.is_empty()), assumed),
            "violated" => Answered::Violated(text),
            _ => Answered::Unknown(text),
        }
    }

    /// In words, with the line's end.
    pub fn words(&self) -> String {
        let assumed: String = self.assumptions().iter().map(|line| format!("  {line}\n")).collect();
        match self {
            Answered::Safe(_) => format!("safe for every caller\n{assumed}"),
            Answered::SafeIf(requires, needed, _) => {
                let needed = needed.as_ref().map(|needed| format!("  needed: {needed}\n")).unwrap_or_default();
                format!("safe if {}\n{needed}{assumed}", shown(requires))
            }
            Answered::Violated(how) => format!("violated: {how}\n"),
            Answered::Unknown(why) => format!("unknown: {why}\n"),
        }
    }
}

/// All answers as JSON.
pub fn render_json(answers: &[(&str, Answered)], callers: &[Callers]) -> String {
    let functions: Vec<NamedAnswer> = answers
        .iter()
        .enumerate()
        .map(|(index, (name, answer))| {
            let (requires, reason) = match answer {
                Answered::Safe(_) => (Vec::new(), None),
                Answered::SafeIf(requires, needed, _) => (requires.clone(), needed.clone()),
                Answered::Violated(text) | Answered::Unknown(text) => (Vec::new(), Some(text.clone())),
            };
            let assumptions = answer.assumptions().to_vec();
            let own = callers.get(index).into_iter().flat_map(|callers| &callers.0);
            let callers = own.map(|(name, kept)| NamedCaller { name: name.clone(), answer: kept.word() }).collect();
            NamedAnswer { name: (*name).to_owned(), answer: answer.kind(), requires, assumptions, reason, callers }
        })
        .collect();
    render_functions(&functions)
}

/// Clauses as people read them.
pub fn shown(requires: &[String]) -> String {
    let plain: Vec<String> = requires
        .iter()
        .map(|clause| clause.replace("__CPROVER_", "").replace("__BELAY_", "").replace("__builtin_", ""))
        .collect();
    match plain.as_slice() {
        [one] => one.clone(),
        several => several
            .iter()
            .map(|clause| if clause.contains("||") { format!("({clause})") } else { clause.clone() })
            .collect::<Vec<_>>()
            .join(" && "),
    }
}
