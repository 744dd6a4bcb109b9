//! What callers of a function have to see to, asked of them: assertions where its body begins. Nothing else changes, so that whatever calls it is checked as it is.
//!
//! A block that the function only reads may be one that must not be written, like a literal: there it is asked whether it may be read.

use crate::lower::{Lowering, Mode, PRELUDE, declare_named};
use crate::tokens::{closing, tokens};

/// A function, and what it asks of its callers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Its name.
    pub function: String,
    /// Clauses over the parameters, as the definition names them.
    pub requires: Vec<String>,
    /// Parameters through which it only reads.
    pub reads: Vec<String>,
}

impl Asked {
    /// The text of a file with the assertions in it, if it defines the function and all clauses can be asserted.
    pub fn put_into(&self, text: &str) -> Option<String> {
        let (before, behind) = text.split_at(body(text, &self.function)?);
        // A preprocessed text begins with the number of its first line.
        Some(format!("{PRELUDE}{before}{{ {}}} {behind}", self.assertions()?))
    }

    /// How many assertions these are: the first ones of the function.
    pub fn count(&self) -> Option<usize> {
        self.assertions().map(|text| text.matches("__belay_assert(").count())
    }

    fn assertions(&self) -> Option<String> {
        let subject = format!("the call of {} breaks its precondition", self.function);
        let mut lowering = Lowering::new(subject, Mode::Assert, "__belay_old");
        lowering.asks_caller = true;
        lowering.named = Some(0);
        lowering.reads.clone_from(&self.reads);
        let all: Option<String> = self.requires.iter().map(|clause| lowering.condition(clause).ok()).collect();
        Some(format!("{}{}", declare_named(lowering.named.take()), all?))
    }
}

/// Where the body of a function begins, behind its bracket.
fn body(text: &str, name: &str) -> Option<usize> {
    let all = tokens(text);
    (0..all.len()).find_map(|at| {
        let is_head = all[at].is(name) && all.get(at + 1).is_some_and(|next| next.is("("));
        let mut close = is_head.then(|| closing(&all, at + 1)).flatten()?;
        while all.get(close + 1).is_some_and(|next| next.is("__attribute__")) {
            close = closing(&all, close + 2)?;
        }
        all.get(close + 1).filter(|next| next.is("{")).map(|open| open.end())
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn assertions_begin_the_body() {
        let asked = |clause: &str, reads: &[&str]| Asked {
            function: "f".to_owned(),
            requires: vec![clause.to_owned()],
            reads: reads.iter().map(|name| (*name).to_owned()).collect(),
        };
        let text = "int f(const char *s, int n);\nint g(int n) { return f(\"a\", n); }\nint f(const char *s, int n) { return s[n]; }\n";
        let put = asked("__CPROVER_is_fresh(s, n)", &[]).put_into(text).unwrap();
        assert_eq!(put.strip_prefix(PRELUDE).unwrap().lines().count(), text.lines().count());
        assert!(
            put.contains("int f(const char *s, int n) {{ const void *__belay_named0 = 0; __belay_assert("),
            "{put}"
        );
        assert!(put.contains("__belay_w_ok(s, n)") && put.ends_with("return s[n]; }\n"), "{put}");
        assert!(asked("__CPROVER_is_fresh(s, n)", &["s"]).put_into(text).unwrap().contains("__belay_r_ok(s, n)"));
        assert_eq!(asked("__BELAY_is_list(s, next)", &[]).put_into(text), None);
        assert_eq!(Asked { function: "h".to_owned(), ..asked("n > 0", &[]) }.put_into(text), None);
    }
}
