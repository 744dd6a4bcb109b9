//! Answers by function, for programs.

use serde::Serialize;

/// What is known of one function.
#[derive(Serialize, Clone, Debug)]
pub struct NamedAnswer {
    /// Its name.
    pub name: String,
    /// `safe` for every caller, `safe-if` its callers keep the clauses, `violated`, or `unknown`.
    pub answer: &'static str,
    /// What callers have to see to; all of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// What the proofs take for granted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// What is violated, why nothing is known, or why the clauses are needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Functions that call it, and whether they see to the clauses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<NamedCaller>,
}

/// Whether a function sees to what another requires.
#[derive(Serialize, Clone, Debug)]
pub struct NamedCaller {
    /// Its name.
    pub name: String,
    /// `keeps`, `breaks`, or `unknown`.
    pub answer: &'static str,
}

#[derive(Serialize)]
struct Report<'a> {
    tool: &'static str,
    version: &'static str,
    functions: &'a [NamedAnswer],
}

/// The answers as JSON.
pub fn render_functions(functions: &[NamedAnswer]) -> String {
    let report = Report { tool: "belay", version: env!("CARGO_PKG_VERSION"), functions };
    serde_json::to_string_pretty(&report).expect("plain data serialises") + "\n"
}
