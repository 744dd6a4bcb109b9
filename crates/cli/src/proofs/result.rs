//! What a run of `belay check` says of a proof.

use std::time::Duration;

use super::find::Proof;
use super::mutants::Noticed;
use crate::contracted::WITHHELD;
use crate::failure::exit;

/// How a proof came out, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// Nothing is violated, however often its loops go round.
    Proved,
    /// Nothing is violated within the bounds that the proof itself gives.
    WithinBound,
    /// Some run violates something.
    Violated,
    Unknown,
    /// It could not be read, or something in it is refused.
    NotRun,
}

impl Standing {
    pub const ALL: [Standing; 5] =
        [Standing::Proved, Standing::WithinBound, Standing::Violated, Standing::Unknown, Standing::NotRun];

    pub fn word(self) -> &'static str {
        match self {
            Standing::Proved => "proved for every bound",
            Standing::WithinBound => "passes at its own bound",
            Standing::Violated => "violated",
            Standing::Unknown => "unknown",
            Standing::NotRun => "not run",
        }
    }
}

/// The row of a proof in the table.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub standing: Standing,
    pub terminates: bool,
    pub reason: String,
    pub time: Duration,
    pub mebibytes: u64,
    /// Bounds that say nothing any more.
    pub idle_bounds: Vec<String>,
    /// What it rests on.
    pub assumed: Vec<String>,
    /// Whether it is about no run at all.
    pub is_vacuous: bool,
    /// Functions whose contracts it checks, and those whose contracts it uses.
    pub enforced: Vec<String>,
    pub replaced: Vec<String>,
    /// What came of changes of the function under proof, if that was asked.
    pub noticed: Option<Noticed>,
}

/// What a child has to say.
pub struct Said {
    pub code: Option<i32>,
    pub output: String,
    pub errors: String,
    pub time: Duration,
    pub mebibytes: u64,
}

/// The row of a proof that was not run.
pub fn not_run(name: &str, reason: String) -> Row {
    let (time, mebibytes) = (Duration::ZERO, 0);
    let name = name.to_owned();
    Row {
        name,
        standing: Standing::NotRun,
        terminates: false,
        reason,
        time,
        mebibytes,
        idle_bounds: Vec::new(),
        assumed: Vec::new(),
        is_vacuous: false,
        enforced: Vec::new(),
        replaced: Vec::new(),
        noticed: None,
    }
}

/// One line `VERDICT property word(reason)`.
struct Line<'a> {
    property: &'a str,
    word: &'a str,
    reason: &'a str,
}

fn line(text: &str) -> Option<Line<'_>> {
    let (property, answer) = text.strip_prefix("VERDICT ")?.split_once(' ')?;
    let (word, rest) = answer.split_once('(').unwrap_or((answer, ""));
    Some(Line { property, word, reason: rest.strip_suffix(')').unwrap_or(rest) })
}

/// Rounds of loops within which an unknown is known to violate nothing.
fn rounds(reason: &str) -> Option<u64> {
    let (_, rest) = reason.split_once("no violation in the first ")?;
    rest.split(' ').next()?.parse().ok()
}

/// The most rounds that the proof itself looks at.
pub fn own_bound(proof: &Proof) -> u64 {
    let bound = |entry: &String| entry.split(',').filter_map(|one| one.rsplit(':').next()?.parse().ok()).max();
    proof.unwindset.iter().filter_map(bound).max().unwrap_or(1)
}

/// Reads the answer.
pub fn judge(proof: &Proof, said: &Said) -> Row {
    let lines: Vec<Line<'_>> = said.output.lines().filter_map(line).collect();
    let (ends, safety): (Vec<&Line<'_>>, Vec<&Line<'_>>) =
        lines.iter().partition(|line| line.property == "termination");
    let bound = own_bound(proof);
    let is_within =
        |line: &&&Line<'_>| line.word == "true" || rounds(line.reason).is_some_and(|rounds| rounds >= bound);
    let refused = |line: &&&Line<'_>| line.reason.contains(belay_frontend::NO_MODEL);
    let violated = safety.iter().find(|line| line.word == "false");
    // That proofs wait for the clauses of contracts says less than why these are not proved.
    let waits = |line: &&&Line<'_>| line.reason.contains(WITHHELD);
    let mut unknown = safety.iter().filter(|line| line.word == "unknown");
    let open = unknown.clone().find(|line| !waits(line)).or_else(|| unknown.next());
    let (standing, reason) = match (violated, open) {
        _ if safety.is_empty() => (Standing::NotRun, first_line(&said.errors, said.code)),
        (Some(line), _) => (Standing::Violated, violation(line, &said.output)),
        (None, None) => (Standing::Proved, String::new()),
        (None, Some(line)) if safety.iter().all(|line| is_within(&line)) => {
            (Standing::WithinBound, format!("{}: {}", line.property, line.reason))
        }
        (None, Some(line)) => match safety.iter().find(|line| refused(line)) {
            Some(line) => (Standing::NotRun, line.reason.to_owned()),
            None => (Standing::Unknown, format!("{}: {}", line.property, line.reason)),
        },
    };
    let idle_bounds = if standing == Standing::Proved { proof.unwindset.clone() } else { Vec::new() };
    let terminates = ends.iter().any(|line| line.word == "true");
    let (name, time, mebibytes) = (proof.name.clone(), said.time, said.mebibytes);
    let assuming = said.output.lines().filter_map(|line| line.strip_prefix("ASSUMING ")?.split_once(' '));
    let mut assumed: Vec<String> = assuming.map(|(_, what)| what.to_owned()).collect();
    assumed.sort();
    assumed.dedup();
    let is_vacuous =
        standing == Standing::Proved && assumed.iter().any(|what| what.starts_with(belay_report::OF_NO_RUN));
    let reason = if is_vacuous { "vacuous: every run ends at an assumption".to_owned() } else { reason };
    let (enforced, replaced) = (proof.enforced.clone(), proof.replaced.clone());
    Row {
        name,
        standing,
        terminates,
        reason,
        time,
        mebibytes,
        idle_bounds,
        assumed,
        is_vacuous,
        enforced,
        replaced,
        noticed: None,
    }
}

/// What is violated, and where.
fn violation(line: &Line<'_>, output: &str) -> String {
    let head = format!("{}: false", line.property);
    let told: Vec<&str> =
        output.lines().skip_while(|line| !line.starts_with(&head)).skip(1).take(2).map(str::trim).collect();
    format!("{}: {}", line.reason, told.join(" "))
}

fn first_line(errors: &str, code: Option<i32>) -> String {
    let is_clang = |line: &&str| line.contains(": error: ") && !line.starts_with("belay: ");
    let told = errors.lines().find(is_clang).or_else(|| errors.lines().next());
    let code = code.unwrap_or_else(|| i32::from(exit::INTERNAL));
    told.map_or_else(|| format!("ended with code {code}"), |line| line.trim_start_matches("belay: error: ").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(output: &str, unwindset: &[&str]) -> Row {
        let unwindset = unwindset.iter().map(|bound| (*bound).to_owned()).collect();
        let proof = Proof { name: "p".to_owned(), unwindset, ..Proof::default() };
        let (output, errors) = (output.to_owned(), String::new());
        judge(&proof, &Said { code: Some(0), output, errors, time: Duration::ZERO, mebibytes: 1 })
    }

    #[test]
    fn a_violation_outweighs_everything() {
        let text = "VERDICT unreach-call true\nVERDICT valid-deref false(valid-deref)\nVERDICT valid-free unknown(time limit reached)\n";
        assert_eq!(judged(text, &[]).standing, Standing::Violated);
    }

    #[test]
    fn a_bound_counts_where_it_is_as_large_as_the_proofs_own() {
        let text = "VERDICT unreach-call unknown(steps; no violation in the first 4 rounds of any loop and 4 nested calls)\nVERDICT termination true\n";
        assert_eq!(judged(text, &["f.0:4"]).standing, Standing::WithinBound);
        assert_eq!(judged(text, &["f.0:4", "g.1:5"]).standing, Standing::Unknown);
        assert!(judged(text, &[]).terminates);
    }

    #[test]
    fn a_proof_makes_bounds_idle() {
        let row = judged("VERDICT unreach-call true\nVERDICT termination unknown(x)\n", &["f.0:4"]);
        assert_eq!((row.standing, row.idle_bounds.len(), row.terminates), (Standing::Proved, 1, false));
    }

    #[test]
    fn a_proof_of_no_run_says_so() {
        let text = "ASSUMING unreach-call of no run: each ends\nVERDICT unreach-call true\n";
        let row = judged(text, &[]);
        assert!(row.is_vacuous && row.reason.starts_with("vacuous"));
        assert!(!judged("VERDICT unreach-call true\n", &[]).is_vacuous);
    }

    #[test]
    fn silence_is_no_proof() {
        assert_eq!(judged("", &[]).standing, Standing::NotRun);
    }
}
