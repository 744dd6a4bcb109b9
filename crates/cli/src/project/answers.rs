//! Answers that are kept, and what they depend on.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use belay_frontend::Contracts;
use belay_proofs::Origin;
use clap::Parser;

use super::file::Project;
use crate::arguments::StoredOptions;
use crate::failure::{exit, failure, frontend_failure};
use crate::sandbox::{Died, Response, SandboxLimits, in_child};
use crate::source;

/// What a run of `belay check` has said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    pub code: u8,
    pub output: String,
    pub errors: String,
}

impl Kept {
    /// The answer under a key, if there is one.
    pub fn read(place: &Path, key: &str) -> Option<Kept> {
        let text = std::fs::read_to_string(place).ok()?;
        let (head, output) = text.split_once('\n')?;
        let (known, code) = head.split_once(' ')?;
        let code = code.parse().ok().filter(|_| known == key)?;
        Some(Kept { code, output: output.to_owned(), errors: String::new() })
    }

    /// Keeps it. A folder that can't be written costs the next run some time.
    pub fn write(&self, place: &Path, key: &str) {
        if let Some(folder) = place.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = std::fs::write(place, format!("{key} {}\n{}", self.code, self.output));
    }

    /// True if it would be the same tomorrow: no limit and no failure had a part in it.
    pub fn is_lasting(&self) -> bool {
        let is_answer = matches!(self.code, exit::PROVED | exit::VIOLATED | exit::UNKNOWN);
        is_answer && !self.output.contains("limit reached") && !self.output.contains("internal error")
    }

    /// Of functions that are safe under a condition: the condition.
    pub fn condition(&self, function: &str) -> String {
        self.line_of(function).filter(|line| line.starts_with("safe if")).unwrap_or_default().to_owned()
    }

    /// Why it is unknown.
    pub fn reason(&self, function: &str) -> String {
        let of_verdict = || self.output.lines().find_map(|line| line.strip_prefix("VERDICT ")?.split_once(" unknown("));
        match self.line_of(function) {
            Some(line) => line.trim_start_matches("unknown: ").to_owned(),
            None => {
                of_verdict().map(|(name, why)| format!("{name}: {}", why.trim_end_matches(')'))).unwrap_or_default()
            }
        }
    }

    /// What `--each-function` says.
    fn line_of(&self, function: &str) -> Option<&str> {
        let start = format!("{function}: ");
        self.output.lines().find_map(|line| line.strip_prefix(&start)).filter(|_| self.output.contains("\nFUNCTIONS "))
    }
}

/// Something that is violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub property: String,
    /// `file:line`, if it is known.
    pub place: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.is_empty() {
            true => f.write_str(&self.property),
            false => write!(f, "{} at {}", self.property, self.place),
        }
    }
}

/// What an answer calls violated.
pub fn violations(function: &str, output: &str) -> Vec<Violation> {
    if let Some(how) = output.lines().find_map(|line| line.strip_prefix(&format!("{function}: violated: "))) {
        let property = how.split([' ', ',']).next().unwrap_or_default().to_owned();
        return vec![Violation { property, place: String::new() }];
    }
    let mut found = Vec::new();
    for line in output.lines().filter_map(|line| line.strip_prefix("VERDICT ")) {
        let Some((name, kind)) = line.split_once(" false(") else { continue };
        let head = format!("{name}: false");
        let place = output.lines().skip_while(|line| !line.starts_with(&head)).find_map(|line| {
            let (file, rest) = line.trim_start().strip_prefix("--> ")?.split_once(':')?;
            Some(format!("{file}:{}", rest.split(':').next().unwrap_or_default()))
        });
        found.push(Violation { property: kind.trim_end_matches(')').to_owned(), place: place.unwrap_or_default() });
    }
    found
}

/// The digest of what each function and all that it calls is made of.
pub fn digests(project: &Project, common: &[String], program: &Path) -> Result<Vec<(String, String)>, Response> {
    let words = ["belay".to_owned()].into_iter().chain(common.iter().cloned());
    let mut options = StoredOptions::try_parse_from(words)
        .map_err(|error| failure(exit::INPUT, &format!("belay.toml: {}", error.render().to_string().trim())))?;
    source::choose_target(&mut options.program)?;
    let limits = SandboxLimits { seconds: 600, mebibytes: project.memory_limit.max(1000) };
    let folder = project.folder.clone();
    let stamp = std::fs::metadata(program).map(|data| format!("{} {:?}", data.len(), data.modified().ok()));
    let answer = in_child(limits, |progress| {
        progress.say("reading the project");
        if let Err(error) = std::env::set_current_dir(&folder) {
            return failure(exit::INPUT, &format!("{}: {error}", folder.display()));
        }
        match digest_lines(&options, &stamp.unwrap_or_default()) {
            Ok(output) => Response { code: exit::PROVED, output: output.into_bytes(), errors: Vec::new() },
            Err(response) => response,
        }
    });
    let response = answer.map_err(|died| match died {
        Died::Time => failure(exit::INTERNAL, "reading the project takes too long"),
        Died::Memory => failure(exit::INTERNAL, "reading the project needs too much memory"),
        Died::Crash(what) => failure(exit::INTERNAL, &what),
        Died::Interrupted => failure(exit::INTERRUPTED, "interrupted"),
    })?;
    if response.code != exit::PROVED {
        return Err(response);
    }
    let text = String::from_utf8_lossy(&response.output).into_owned();
    Ok(text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, digest)| (name.to_owned(), digest.to_owned()))
        .collect())
}

fn digest_lines(options: &StoredOptions, stamp: &str) -> Result<String, Response> {
    let mut program_options = options.program.clone();
    program_options.function = "main".to_owned();
    let program = source::load(&program_options)?;
    let texts = belay_frontend::preprocess_all(&source::source(&program_options, None, Contracts::default()))
        .map_err(|error| frontend_failure(&error))?;
    let declared: String = texts.iter().flat_map(|text| [without_bodies(text), bodies_of_clauses(text)]).collect();
    // Entered by no call of the program's: what runs before and after every entry, and what contracts speak of.
    let around = program.constructors.iter().chain(&program.destructors).map(|id| program.functions[*id].name.clone());
    let others: BTreeSet<String> = around.chain(words_of_clauses(&declared)).collect();
    let origin = Origin::new(&program, Vec::new(), vec![stamp.to_owned(), declared]);
    let names = program.functions.iter().filter(|function| function.is_defined()).map(|function| &function.name);
    Ok(names.map(|name| format!("{name} {}\n", origin.digest_from(name, &others))).collect())
}

/// The words between the brackets of clauses: names of functions are among them, whose bodies say what a contract says.
fn words_of_clauses(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for kind in ["__CPROVER_requires", "__CPROVER_ensures", "__CPROVER_assigns", "__CPROVER_frees"] {
        for (at, _) in text.match_indices(kind) {
            found.extend(words(bracket(&text[at + kind.len()..])));
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').map(str::to_owned)
}

/// The bodies of the functions that clauses name, and of those that these name: contracts may be all that speaks of them.
fn bodies_of_clauses(text: &str) -> String {
    let mut named = words_of_clauses(text);
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    let mut bodies = String::new();
    loop {
        let mut more = BTreeSet::new();
        for (at, _) in text.match_indices('(') {
            let before = text[..at].trim_end();
            let name = before.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
            let rest = &text[at + bracket(&text[at..]).len()..];
            let is_body = name.is_some_and(|name| named.contains(name)) && rest.trim_start().starts_with('{');
            if is_body && seen.insert(at) {
                let body = bracket(rest.trim_start());
                more.extend(words(body));
                bodies.push_str(body);
            }
        }
        if more.is_subset(&named) {
            return bodies;
        }
        named.extend(more);
    }
}

/// The bracket that a text begins with, up to what closes it: all of the text if nothing does.
fn bracket(text: &str) -> &str {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), letter) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '{' | '[') => depth += 1,
            (None, ')' | '}' | ']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return &text[..=at];
                }
            }
            (_, _) => {}
        }
    }
    text
}

/// The key of an answer.
pub fn key(digest: &str, arguments: &[String]) -> String {
    belay_proofs::digest(&format!("{digest}\n{}", arguments.join("\n")))
}

/// What a preprocessed file declares: all but the bodies of functions and the places of lines.
pub fn without_bodies(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut body, mut last, mut quote, mut escaped) = (0usize, None, ' ', None, false);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        for letter in line.chars() {
            match (quote, letter) {
                _ if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(open), letter) if open == letter => quote = None,
                (None, '"' | '\'') => quote = Some(letter),
                (None, '{') => {
                    if body.is_none() && last == ')' {
                        body = Some(depth);
                    }
                    depth += 1;
                }
                (None, '}') => {
                    depth = depth.saturating_sub(1);
                    if body == Some(depth) {
                        body = None;
                    }
                }
                (_, _) => {}
            }
            if body.is_none() {
                out.push(letter);
            }
            if !letter.is_whitespace() {
                last = letter;
            }
        }
        if body.is_none() {
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_do_not_count_and_declarations_do() {
        let text =
            "# 1 \"a.c\"\nstruct s { int x; };\nint f(int a)\n{ if (a) { return '}'; } return 1; }\nint g(void);\n";
        let changed = text.replace("return 1", "return 2").replace("# 1", "# 2");
        assert_eq!(without_bodies(text), without_bodies(&changed));
        assert_ne!(without_bodies(text), without_bodies(&text.replace("int x", "int y")));
        assert_ne!(without_bodies(text), without_bodies(&text.replace("int g", "long g")));
        assert_ne!(without_bodies(text), without_bodies(&text.replace("f(int a)", "f(long a)")));
    }

    #[test]
    fn words_of_clauses_are_found() {
        let text = "int f(int *p) __CPROVER_requires(ok(p, (size)(1)) && n) ; int g(void);";
        let words = words_of_clauses(text);
        assert!(words.contains("ok") && words.contains("n") && !words.contains("g"), "{words:?}");
        let text = format!(
            "int in(int a) {{ return '{{' + a; }} int ok(int *p, int n) {{ return in(n); }} int g(void) {{ return 3; }} {text}"
        );
        let bodies = bodies_of_clauses(&text);
        assert!(bodies.contains("in(n)") && bodies.contains("'{' + a") && !bodies.contains("return 3"), "{bodies}");
    }

    #[test]
    fn violations_have_places() {
        let text = "memsafety: false (valid-deref)\n  read\n    --> a.c:7:3\n\nVERDICT memsafety false(valid-deref)\n";
        let expected = Violation { property: "valid-deref".to_owned(), place: "a.c:7".to_owned() };
        assert_eq!(violations("f", text), vec![expected]);
        assert_eq!(violations("f", "f: violated: no-overflow (x = 1)\nFUNCTIONS 1\n")[0].property, "no-overflow");
    }
}
