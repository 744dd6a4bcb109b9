//! Contracts out of the text: CBMC's clauses stand between a function's parameters and its body, or between a loop's condition and its
//! body, where clang knows no such thing. They are found in the preprocessed text, and blanks take their place, so that all else keeps its line
//! and column.
//!
//! Nothing is passed over: a clause at a place that is not understood is an error of the file, and one that is not known is not
//! lifted, so that clang refuses it.

use crate::tokens::{Kind, Places, Token, closing, opening, tokens};

/// What a clause says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClauseKind {
    /// Holds when the function is called.
    Requires,
    /// Holds when it returns.
    Ensures,
    /// All that may be written.
    Assigns,
    /// All that may be freed.
    Frees,
    /// Holds whenever the loop's condition is asked.
    Invariant,
    /// Gets smaller in every round.
    Decreases,
}

impl ClauseKind {
    fn of(name: &str) -> Option<ClauseKind> {
        Some(match name {
            "__CPROVER_requires" => ClauseKind::Requires,
            "__CPROVER_ensures" => ClauseKind::Ensures,
            "__CPROVER_assigns" => ClauseKind::Assigns,
            "__CPROVER_frees" => ClauseKind::Frees,
            "__CPROVER_loop_invariant" => ClauseKind::Invariant,
            "__CPROVER_decreases" => ClauseKind::Decreases,
            _ => return None,
        })
    }

    /// The name that users know it by.
    pub fn name(self) -> &'static str {
        match self {
            ClauseKind::Requires => "requires",
            ClauseKind::Ensures => "ensures",
            ClauseKind::Assigns => "assigns",
            ClauseKind::Frees => "frees",
            ClauseKind::Invariant => "loop invariant",
            ClauseKind::Decreases => "decreases",
        }
    }
}

/// A clause of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// What it says.
    pub kind: ClauseKind,
    /// Between its brackets.
    pub text: String,
    /// Where it stands.
    pub file: String,
    /// In which line.
    pub line: u32,
}

/// A function's contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// The names of its parameters where the contract stands; empty for one without a name.
    pub params: Vec<String>,
    /// What it says.
    pub clauses: Vec<Clause>,
}

/// A loop's contract, by places in the lifted text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopContract {
    /// Where the keyword stands.
    pub start: usize,
    /// The condition: between the brackets, or between the two semicolons.
    pub condition: (usize, usize),
    /// Where the statement ends; none for a loop whose shape is not understood.
    pub end: Option<usize>,
    /// What it says.
    pub clauses: Vec<Clause>,
}

/// A text without contracts, and the contracts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lifted {
    /// What clang may see.
    pub text: String,
    /// Of functions.
    pub contracts: Vec<Contract>,
    /// Of loops.
    pub loops: Vec<LoopContract>,
    /// Assertions and assumptions that C can't say: where the statement begins and ends.
    pub statements: Vec<Statement>,
}

/// `__CPROVER_assert(c, message);` or `__CPROVER_assume(c);` with a quantifier or an implication in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// From the name to behind the semicolon.
    pub range: (usize, usize),
    /// The condition.
    pub clause: Clause,
    /// Whether it is assumed.
    pub is_assumed: bool,
}

/// Takes the contracts out of a preprocessed text.
pub fn lift(text: &str) -> Result<Lifted, String> {
    let places = Places::of(text);
    let all = tokens(text);
    let mut lifted = Lifted::default();
    let mut out = text.as_bytes().to_vec();
    let mut at = 0;
    while at < all.len() {
        if clause_at(&all, at).is_none() {
            at += 1;
            continue;
        }
        let first = at;
        let mut clauses = Vec::new();
        while let Some((kind, close)) = clause_at(&all, at) {
            let (file, line) = places.place(text, all[at].at);
            let inside = text[all[at + 1].end()..all[close].at].trim();
            clauses.push(Clause { kind, text: unmarked(inside), file, line });
            blank(&mut out, all[at].at, all[close].end());
            at = close + 1;
        }
        let (file, line) = places.place(text, all[first].at);
        let wrong = || format!("{file}:{line}: {} stands where no contract is expected", all[first].text);
        attach(text, &all, (first, at), clauses, &mut lifted).ok_or_else(wrong)?;
    }
    lifted.statements = statements(text, &all, &places);
    lifted.text = String::from_utf8(out).map_err(|_| "the file is not UTF-8".to_owned())?;
    Ok(lifted)
}

fn statements(text: &str, all: &[Token<'_>], places: &Places) -> Vec<Statement> {
    let mut found = Vec::new();
    for (at, token) in all.iter().enumerate() {
        let is_assumed = token.is("__CPROVER_assume");
        if !is_assumed && !token.is("__CPROVER_assert") || !all.get(at + 1).is_some_and(|next| next.is("(")) {
            continue;
        }
        let Some(close) = closing(all, at + 1).filter(|close| all.get(close + 1).is_some_and(|next| next.is(";")))
        else {
            continue;
        };
        let needs = |inner: &Token<'_>| ["__CPROVER_forall", "__CPROVER_exists", "==>"].contains(&inner.text);
        if !all[at..close].iter().any(needs) {
            continue;
        }
        let inside = &text[all[at + 1].end()..all[close].at];
        let condition = super::tokens::split(inside, ",").first().map(|first| unmarked(first)).unwrap_or_default();
        let (file, line) = places.place(text, token.at);
        let kind = if is_assumed { ClauseKind::Requires } else { ClauseKind::Ensures };
        let clause = Clause { kind, text: condition, file, line };
        found.push(Statement { range: (token.at, all[close + 1].end()), clause, is_assumed });
    }
    found
}

/// The clause that begins at a token, and its closing bracket.
fn clause_at(all: &[Token<'_>], at: usize) -> Option<(ClauseKind, usize)> {
    let kind = ClauseKind::of(all.get(at)?.text)?;
    all.get(at + 1).filter(|next| next.is("("))?;
    closing(all, at + 1).map(|close| (kind, close))
}

/// Without line markers, in one line.
fn unmarked(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Line markers inside a clause stay: what follows keeps its line.
fn blank(out: &mut [u8], from: usize, to: usize) {
    let mut line_start = false;
    let mut in_marker = false;
    for byte in &mut out[from..to] {
        if *byte == b'\n' {
            (line_start, in_marker) = (true, false);
            continue;
        }
        in_marker |= line_start && *byte == b'#';
        line_start &= byte.is_ascii_whitespace();
        if !in_marker {
            *byte = b' ';
        }
    }
}

/// Whose clauses these are.
fn attach(
    text: &str,
    all: &[Token<'_>],
    (first, after): (usize, usize),
    clauses: Vec<Clause>,
    lifted: &mut Lifted,
) -> Option<()> {
    let mut close = first.checked_sub(1)?;
    loop {
        if !all[close].is(")") {
            return None;
        }
        let open = opening(all, close)?;
        let before = open.checked_sub(1)?;
        let named = all[before];
        if named.is("__attribute__") || named.is("__asm__") {
            close = before.checked_sub(1)?;
            continue;
        }
        if named.is("while") || named.is("for") {
            lifted.loops.push(loop_contract(all, (before, open, close), after, clauses)?);
            return Some(());
        }
        if named.kind != Kind::Word {
            return None;
        }
        let params = parameters(&text[all[open].end()..all[close].at]);
        let known = lifted.contracts.iter_mut().find(|known| known.function == named.text && !known.clauses.is_empty());
        match known {
            // A contract that stands at the declaration and again at the definition: all of it holds.
            Some(known) if known.params == params => {
                let new: Vec<Clause> = clauses
                    .into_iter()
                    .filter(|new| known.clauses.iter().all(|old| old.kind != new.kind || old.text != new.text))
                    .collect();
                known.clauses.extend(new);
            }
            Some(_) => return None,
            None => lifted.contracts.push(Contract { function: named.text.to_owned(), params, clauses }),
        }
        return Some(());
    }
}

fn loop_contract(
    all: &[Token<'_>],
    (keyword, open, close): (usize, usize, usize),
    after: usize,
    clauses: Vec<Clause>,
) -> Option<LoopContract> {
    let start = all[keyword].at;
    let follows_block = keyword > 0 && all[keyword - 1].is("}");
    let is_do = all[keyword].is("while") && all.get(after)?.is(";") && follows_block;
    let end = if is_do { None } else { statement_end(all, after) };
    let condition = match all[keyword].text {
        "for" => {
            let semicolons: Vec<usize> = semicolons(all, open, close);
            let [first, second] = semicolons.as_slice() else { return None };
            (all[*first].end(), all[*second].at)
        }
        _ => (all[open].end(), all[close].at),
    };
    Some(LoopContract { start, condition, end, clauses })
}

/// The semicolons that stand directly between two brackets.
fn semicolons(all: &[Token<'_>], open: usize, close: usize) -> Vec<usize> {
    let mut at = open + 1;
    let mut found = Vec::new();
    while at < close {
        match all[at].text {
            ";" => found.push(at),
            "(" | "[" | "{" => at = closing(all, at).unwrap_or(close),
            _ => {}
        }
        at += 1;
    }
    found
}

/// Where the statement that begins at a token ends, if its shape is plain.
fn statement_end(all: &[Token<'_>], at: usize) -> Option<usize> {
    statement(all, at).map(|last| all[last].end())
}

/// The last token of a statement.
fn statement(all: &[Token<'_>], at: usize) -> Option<usize> {
    match all.get(at)?.text {
        "{" => closing(all, at),
        "for" | "while" | "switch" => {
            let mut next = closing(all, at + 1)? + 1;
            while let Some((_, close)) = clause_at(all, next) {
                next = close + 1;
            }
            statement(all, next)
        }
        "if" => {
            let then = statement(all, closing(all, at + 1)? + 1)?;
            match all.get(then + 1) {
                Some(next) if next.is("else") => statement(all, then + 2),
                _ => Some(then),
            }
        }
        "do" | "case" | "default" | "goto" => None,
        _ => {
            let mut at = at;
            while !all.get(at)?.is(";") {
                at = match all[at].text {
                    "(" | "[" | "{" => closing(all, at)? + 1,
                    "}" | ":" => return None,
                    _ => at + 1,
                };
            }
            Some(at)
        }
    }
}

/// The names of parameters.
pub(crate) fn parameters(text: &str) -> Vec<String> {
    if matches!(text.trim(), "" | "void") {
        return Vec::new();
    }
    super::tokens::split(text, ",").into_iter().map(parameter).collect()
}

/// `const int *a`, `int a[3]`, `int (*f)(int)`: the name, if there is one.
fn parameter(text: &str) -> String {
    const TYPES: &str = "void char short int long unsigned signed float double _Bool const volatile restrict __restrict struct union enum";
    let all = tokens(text);
    if let Some(at) = all.windows(2).position(|pair| pair[0].is("(") && pair[1].is("*")) {
        return all
            .get(at + 2)
            .filter(|token| token.kind == Kind::Word)
            .map(|token| token.text.to_owned())
            .unwrap_or_default();
    }
    let until = all.iter().position(|token| token.is("[")).unwrap_or(all.len());
    let words = all[..until].iter().filter(|token| token.kind == Kind::Word).count();
    let last = all[..until].last().filter(|token| token.kind == Kind::Word && words > 1);
    let last = last.filter(|token| !TYPES.split(' ').any(|ty| ty == token.text));
    let is_tag =
        all.first().is_some_and(|first| ["struct", "union", "enum"].contains(&first.text)) && words == 2 && until == 2;
    last.filter(|_| !is_tag).map(|token| token.text.to_owned()).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn contracts_leave_blanks() {
        let text = "# 1 \"a.c\"\nint f(int *a, unsigned n)\n__CPROVER_requires(n > 0)\n__CPROVER_assigns()\n{\n  for (;n;)\n  __CPROVER_loop_invariant(n < 9)\n  { n--; }\n  return 0;\n}\n";
        let lifted = lift(text).unwrap();
        assert_eq!(lifted.text.len(), text.len());
        assert!(!lifted.text.contains("CPROVER"));
        assert_eq!(lifted.contracts.len(), 1);
        assert_eq!(lifted.contracts[0].function, "f");
        assert_eq!(lifted.contracts[0].params, ["a", "n"]);
        assert_eq!(lifted.contracts[0].clauses[0].line, 2);
        let of_loop = &lifted.loops[0];
        assert_eq!(&lifted.text[of_loop.condition.0..of_loop.condition.1], "n");
        assert!(lifted.text[..of_loop.end.unwrap()].ends_with("{ n--; }"));
    }

    #[test]
    fn parameters_have_names() {
        assert_eq!(
            parameters("const struct s *p, int a[3], int (*f)(int, int), unsigned, struct t, foo_t"),
            ["p", "a", "f", "", "", ""]
        );
        assert!(parameters("void").is_empty());
    }

    #[test]
    fn clauses_elsewhere_are_refused() {
        assert!(lift("int x = __CPROVER_requires(1);").is_err());
    }
}
