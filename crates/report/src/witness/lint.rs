//! Whether a file is a witness: the rules of the format that its shape does not show, each complaint with its line.

use serde_saphyr::Location as Mark;

use super::model::{At, Constraint, Entry, Invariant, Item, Metadata, Place, Step, Waypoint, WitnessCondition};

/// What is wrong with a witness, and at which line (0 if that is not known).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

/// The entries of a witness, or what is wrong with it.
pub fn read_witness(text: &str) -> Result<Vec<Entry>, Vec<Complaint>> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|error| {
        let line = error.location().map_or(0, |mark| mark.line());
        let what = error.to_string().lines().next().unwrap_or_default().to_owned();
        vec![Complaint { line, what }]
    })?;
    let mut lint = Lint::default();
    if entries.is_empty() {
        lint.complain(Mark::UNKNOWN, "there is no entry");
    }
    entries.iter().for_each(|entry| lint.entry(entry));
    if lint.complaints.is_empty() { Ok(entries) } else { Err(lint.complaints) }
}

#[derive(Default)]
struct Lint {
    complaints: Vec<Complaint>,
    /// The format's version, as a number: 20 for 2.0.
    version: u32,
}

impl Lint {
    fn complain(&mut self, mark: Mark, what: impl Into<String>) {
        self.complaints.push(Complaint { line: mark.line(), what: what.into() });
    }

    fn one_of(&mut self, value: &At<String>, what: &str, allowed: &[&str]) {
        if !allowed.contains(&value.value.as_str()) {
            self.complain(value.referenced, format!("{what} `{}` is none of {}", value.value, allowed.join(", ")));
        }
    }

    fn entry(&mut self, entry: &Entry) {
        self.metadata(&entry.metadata);
        match entry.entry_type.value.as_str() {
            "violation_sequence" => self.sequence(entry),
            "invariant_set" => entry.content.iter().for_each(|item| self.claim(item)),
            other => self.complain(entry.entry_type.referenced, format!("`{other}` is no type of entry")),
        }
    }

    fn metadata(&mut self, metadata: &Metadata) {
        let version = &metadata.format_version;
        self.version = match version.value.as_str() {
            "2.0" => 20,
            "2.1" => 21,
            "2.2" => 22,
            other => {
                self.complain(version.referenced, format!("`{other}` is no version of the format (2.0, 2.1, 2.2)"));
                22
            }
        };
        if !is_uuid(&metadata.uuid.value) {
            self.complain(metadata.uuid.referenced, "the uuid is none");
        }
        if !is_time(&metadata.creation_time.value) {
            self.complain(metadata.creation_time.referenced, "the time is none of ISO 8601");
        }
        let task = &metadata.task;
        if task.input_files.value.is_empty() {
            self.complain(task.input_files.referenced, "there is no input file");
        }
        for file in &task.input_files.value {
            if !task.input_file_hashes.value.contains_key(file) {
                self.complain(task.input_file_hashes.referenced, format!("there is no hash of `{file}`"));
            }
        }
        for hash in task.input_file_hashes.value.values() {
            if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                self.complain(task.input_file_hashes.referenced, format!("`{hash}` is no SHA-256"));
            }
        }
        if !task.specification.value.trim_start().starts_with("CHECK(") {
            self.complain(task.specification.referenced, "the specification is no `CHECK( … )`");
        }
        self.one_of(&task.data_model, "data model", &["LP64", "ILP32"]);
        self.one_of(&task.language, "language", &["C"]);
    }

    fn sequence(&mut self, entry: &Entry) {
        if entry.content.is_empty() {
            self.complain(entry.entry_type.referenced, "a violation sequence needs a segment");
        }
        let mut cycle = false;
        let mut ended = false;
        for item in &entry.content {
            let Some(steps) = item.value.segment.as_ref() else {
                self.complain(item.referenced, "a violation sequence consists of segments");
                continue;
            };
            if ended {
                self.complain(item.referenced, "nothing comes after the target");
            }
            let Some(last) = self.segment(item, steps) else { continue };
            let is_cycle = last.action.value == "cycle";
            if cycle && !is_cycle {
                self.complain(last.action.referenced, "after a cycle segment there are only cycle segments");
            }
            cycle |= is_cycle;
            ended |= last.kind.value == "target";
        }
        let specification = &entry.metadata.task.specification;
        let may_go_on = specification.value.contains("F end");
        if !(ended || cycle && may_go_on) && self.complaints.is_empty() {
            let what = if may_go_on { "a cycle segment" } else { "a target" };
            self.complain(entry.entry_type.referenced, format!("the sequence does not end in {what}"));
        }
    }

    /// The last waypoint of a segment: the only one that is followed.
    fn segment<'s>(&mut self, item: &At<Item>, steps: &'s [At<Step>]) -> Option<&'s Waypoint> {
        for step in steps {
            self.waypoint(&step.value.waypoint);
        }
        let Some((last, before)) = steps.split_last() else {
            self.complain(item.referenced, "the segment has no waypoint");
            return None;
        };
        let last = &last.value.waypoint;
        if last.action.value == "avoid" {
            self.complain(last.action.referenced, "the last waypoint of a segment is followed");
        }
        for step in before.iter().filter(|step| step.value.waypoint.action.value != "avoid") {
            self.complain(step.referenced, "only the last waypoint of a segment is followed");
        }
        Some(last)
    }

    fn waypoint(&mut self, waypoint: &Waypoint) {
        let kinds = ["assumption", "branching", "function_enter", "function_return", "target"];
        self.one_of(&waypoint.kind, "type", &kinds);
        let actions: &[&str] = if self.version > 20 { &["follow", "avoid", "cycle"] } else { &["follow", "avoid"] };
        self.one_of(&waypoint.action, "action", actions);
        self.place(&waypoint.location);
        match (waypoint.kind.value.as_str(), &waypoint.constraint) {
            ("assumption" | "branching" | "function_return", None) => {
                self.complain(waypoint.kind.referenced, format!("this {} has no constraint", waypoint.kind.value));
            }
            ("target" | "function_enter", Some(constraint)) => {
                self.complain(constraint.value.referenced, format!("a {} has no constraint", waypoint.kind.value));
            }
            ("branching", Some(constraint)) => self.branch(constraint),
            (_, Some(constraint)) => self.constraint(constraint),
            (_, None) => {}
        }
        if waypoint.kind.value == "target" && waypoint.action.value != "follow" {
            self.complain(waypoint.action.referenced, "a target is followed");
        }
    }

    fn branch(&mut self, constraint: &Constraint) {
        let fits = match &constraint.value.value {
            WitnessCondition::Truth(_) | WitnessCondition::Number(_) => true,
            WitnessCondition::Text(text) => {
                matches!(text.as_str(), "true" | "false" | "default") || text.parse::<i64>().is_ok()
            }
        };
        if !fits {
            self.complain(constraint.value.referenced, "a branch goes by true, false, default or a number");
        }
    }

    fn constraint(&mut self, constraint: &Constraint) {
        if let Some(format) = &constraint.format {
            self.one_of(format, "format", &["c_expression", "ext_c_expression", "acsl_expression"]);
        }
        self.expression(&constraint.value);
    }

    /// Parentheses match, and no statement hides in it.
    fn expression(&mut self, value: &At<WitnessCondition>) {
        let text = value.value.text();
        let mut depth = 0_i64;
        for c in text.chars() {
            depth += i64::from(matches!(c, '(' | '[')) - i64::from(matches!(c, ')' | ']'));
            if depth < 0 || matches!(c, ';' | '{' | '}') {
                return self.complain(value.referenced, format!("`{text}` is no expression"));
            }
        }
        if depth != 0 || text.trim().is_empty() {
            self.complain(value.referenced, format!("`{text}` is no expression"));
        }
    }

    fn claim(&mut self, item: &At<Item>) {
        match (&item.value.invariant, &item.value.function_contract, &item.value.segment) {
            (Some(invariant), None, None) => self.invariant(invariant),
            (None, Some(contract), None) => {
                if self.version < 21 {
                    self.complain(item.referenced, "contracts came with version 2.1");
                }
                self.place(&contract.location);
                contract.requires.iter().chain(&contract.ensures).for_each(|value| self.expression(value));
            }
            _ => self.complain(item.referenced, "this is neither an invariant nor a contract"),
        }
    }

    fn invariant(&mut self, invariant: &Invariant) {
        let states = ["loop_invariant", "location_invariant"];
        let transitions = ["loop_transition_invariant", "location_transition_invariant"];
        let kinds = if self.version > 20 { [states, transitions].concat() } else { states.to_vec() };
        self.one_of(&invariant.kind, "type", &kinds);
        let formats: &[&str] =
            if self.version > 20 { &["c_expression", "ext_c_expression"] } else { &["c_expression"] };
        self.one_of(&invariant.format, "format", formats);
        self.place(&invariant.location);
        self.expression(&invariant.value);
        if invariant.format.value == "c_expression" && invariant.value.value.text().contains('\\') {
            self.complain(invariant.value.referenced, "a C expression has no backslash");
        }
    }

    fn place(&mut self, place: &Place) {
        if place.line.value < 1 {
            self.complain(place.line.referenced, "lines count from 1");
        }
        if let Some(column) = place.column.as_ref().filter(|column| column.value < 1) {
            self.complain(column.referenced, "columns count from 1");
        }
    }
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// `2026-01-31T12:00:00Z`, or with another zone.
fn is_time(text: &str) -> bool {
    let shape = "dddd-dd-ddTdd:dd:dd";
    let fits = |(wanted, c): (char, char)| if wanted == 'd' { c.is_ascii_digit() } else { c == wanted };
    text.len() >= shape.len() && shape.chars().zip(text.chars()).all(fits)
}
