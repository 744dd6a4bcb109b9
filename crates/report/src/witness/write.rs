//! Witnesses of our verdicts: a violation as the inputs that lead to it, a proof as the invariants that are C expressions.

use std::time::SystemTime;

use belay_base::Span;
use belay_evidence::{Answer, Counterexample, RankedLoop, Task, Verdict};
use belay_ir::{DataModel, FuncId, IntegerModel, Property};

use super::clock::iso_8601;
use super::expression::{at_previous, c_condition};
use super::model::{
    Constraint, Entry, Invariant, Item, Metadata, Place, Producer, Step, TaskEntry, Waypoint, WitnessCondition, at,
};
use super::path::{Known, inputs};
use crate::findings::Findings;
use crate::hash::{sha256, sha256_of_file};
use crate::headline::headline;
use crate::invariants::invariants;

/// The files that the program was read from, and when that was.
#[derive(Clone, Debug)]
pub struct Origin {
    /// As they were named.
    pub files: Vec<String>,
    /// The function that the program starts at.
    pub function: String,
    /// The time that the witness carries.
    pub time: SystemTime,
    /// The version that is written.
    pub version: WitnessVersion,
}

/// The versions of the format. Of a program with one thread 2.2 says what 2.1 says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessVersion {
    /// No endless runs and no transition invariants.
    V20,
    /// Both.
    V21,
    /// What 2.1 has, and more of concurrency.
    V22,
}

impl WitnessVersion {
    fn name(self) -> &'static str {
        match self {
            WitnessVersion::V20 => "2.0",
            WitnessVersion::V21 => "2.1",
            WitnessVersion::V22 => "2.2",
        }
    }

    /// Whether the version has a word for this.
    fn has(self, item: &Item) -> bool {
        let mut waypoints = item.segment.iter().flatten().map(|step| &step.value.waypoint);
        let is_cycle = waypoints.any(|waypoint| waypoint.action.value == "cycle");
        let is_transition = item.invariant.as_ref().is_some_and(|known| known.format.value != "c_expression");
        match self {
            WitnessVersion::V20 => !is_cycle && !is_transition,
            WitnessVersion::V21 | WitnessVersion::V22 => true,
        }
    }
}

/// The witness of all verdicts that have one, as YAML; `None` if there is none.
pub fn render_witness(findings: &Findings<'_>, origin: &Origin) -> Option<String> {
    // The format's integers are the machine's.
    if findings.task.integers() == IntegerModel::Unbounded {
        return None;
    }
    let entries: Vec<Entry> =
        findings.verdicts.iter().filter_map(|verdict| entry(findings.task, verdict, origin)).collect();
    if entries.is_empty() {
        return None;
    }
    // Readers of older YAML take bare times for dates, and conditions over several lines are hard to find again.
    let options = serde_saphyr::ser_options! { quote_all: true, prefer_block_scalars: false };
    serde_saphyr::to_string_with_options(&entries, options).ok()
}

fn entry(task: &Task<'_>, verdict: &Verdict, origin: &Origin) -> Option<Entry> {
    let specification = specification(verdict.property(), &origin.function)?;
    let says = |item: &Item| origin.version.has(item);
    let (entry_type, content) = match verdict.answer() {
        // A run of which a part can't be said is another run.
        Answer::False(counterexample) => {
            let content = segments(task, counterexample)?;
            ("violation_sequence", content.iter().all(says).then_some(content)?)
        }
        Answer::True(_) => ("invariant_set", claims(task, verdict).into_iter().filter(says).collect()),
        Answer::Unknown(_) => return None,
    };
    let content: Vec<_> = content.into_iter().map(at).collect();
    let metadata = metadata(task, specification, origin.version.name(), origin);
    Some(Entry { entry_type: at(entry_type.to_owned()), metadata, content })
}

/// A property in the competitions' language; `arithmetic` has no name there.
fn specification(property: Property, function: &str) -> Option<String> {
    let formula = match property {
        Property::ValidDeref => "G valid-deref",
        Property::ValidFree => "G valid-free",
        Property::ValidMemtrack => "G valid-memtrack",
        Property::MemCleanup => "G valid-memcleanup",
        Property::NoOverflow => "G ! overflow",
        Property::UnreachCall => "G ! call(reach_error())",
        Property::Termination => "F end",
        Property::Arithmetic => return None,
    };
    Some(format!("CHECK( init({function}()), LTL({formula}) )"))
}

/// The properties that a specification names.
pub fn parse_specification(specification: &str) -> Vec<Property> {
    let text: String = specification.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = |property: &Property| match property {
        Property::ValidDeref => text.contains("G valid-deref"),
        Property::ValidFree => text.contains("G valid-free"),
        Property::ValidMemtrack => text.contains("G valid-memtrack"),
        Property::MemCleanup => text.contains("G valid-memcleanup"),
        Property::NoOverflow => text.contains("G ! overflow") || text.contains("G !overflow"),
        Property::UnreachCall => text.contains("! call(") || text.contains("!call("),
        Property::Termination => text.contains("F end"),
        Property::Arithmetic => false,
    };
    Property::ALL.into_iter().filter(names).collect()
}

fn metadata(task: &Task<'_>, specification: String, version: &str, origin: &Origin) -> Metadata {
    let hash = |file: &String| (file.clone(), sha256_of_file(file).unwrap_or_else(|| sha256(b"")));
    let hashes = origin.files.iter().map(hash).collect();
    let time = iso_8601(origin.time);
    let seed = sha256(format!("{specification}{hashes:?}{time}").as_bytes());
    Metadata {
        format_version: at(version.to_owned()),
        uuid: at(uuid(&seed)),
        creation_time: at(time),
        producer: Producer {
            name: "Belay".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            configuration: None,
            command_line: None,
            description: None,
        },
        task: TaskEntry {
            input_files: at(origin.files.clone()),
            input_file_hashes: at(hashes),
            specification: at(specification),
            data_model: at(match task.program.layout.model {
                DataModel::Lp64 => "LP64".to_owned(),
                DataModel::Ilp32 => "ILP32".to_owned(),
            }),
            language: at("C".to_owned()),
        },
    }
}

/// A UUID of version 8, whose bits are ours to choose, from hexadecimal digits.
fn uuid(digits: &str) -> String {
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!("{}-{}-8{}-8{}-{}", part(0, 8), part(8, 12), part(12, 15), part(15, 18), part(18, 30))
}

/// The inputs, then the target; of a run that never ends, the loop that it goes round in.
fn segments(task: &Task<'_>, counterexample: &Counterexample) -> Option<Vec<Item>> {
    let mut content: Vec<Item> =
        inputs(task, counterexample).iter().filter_map(|known| assumption(task, known, "follow")).collect();
    let end = headline(task, counterexample).span;
    content.push(match counterexample.violation {
        Some(_) => waypoint("target", "follow", place(task, end)?, None),
        None => assumption(task, &Known { span: end, condition: "1".to_owned() }, "cycle")?,
    });
    Some(content)
}

fn assumption(task: &Task<'_>, known: &Known, action: &str) -> Option<Item> {
    let constraint = Constraint {
        value: at(WitnessCondition::Text(known.condition.clone())),
        format: Some(at("c_expression".to_owned())),
    };
    Some(waypoint("assumption", action, place(task, known.span)?, Some(constraint)))
}

fn waypoint(kind: &str, action: &str, location: Place, constraint: Option<Constraint>) -> Item {
    let waypoint = Waypoint { kind: at(kind.to_owned()), action: at(action.to_owned()), location, constraint };
    Item { segment: Some(vec![at(Step { waypoint })]), ..Item::default() }
}

/// A line. The column is left out, so that the first statement on it is meant; validators disagree on functions, which are left out too.
fn place(task: &Task<'_>, span: Span) -> Option<Place> {
    let file = task.program.files.path(span.file).filter(|_| span.is_known())?;
    let line = at(i64::from(span.line));
    Some(Place { file_name: file.to_owned(), line, column: None, function: None, file_hash: None })
}

/// The invariants of loops and what gets smaller in them, as far as C can say it.
fn claims(task: &Task<'_>, verdict: &Verdict) -> Vec<Item> {
    let mut content: Vec<Item> = Vec::new();
    let known = invariants(task, verdict);
    for one in &known {
        // What holds after each round only, of one call among several, or with a value that is not named is no invariant of the loop's head.
        let says_more = one.later || one.of_calls || one.called.is_known() || one.within.is_some();
        let is_only = known.iter().filter(|other| other.span == one.span).count() == 1;
        if says_more || !is_only || !one.facts.ghosts.is_empty() {
            continue;
        }
        let conditions =
            one.facts.conditions.iter().filter_map(|condition| c_condition(task.program, one.function, condition));
        let together: Vec<String> = conditions.map(|condition| format!("({condition})")).collect();
        if !together.is_empty() {
            content.extend(invariant(task, "loop_invariant", "c_expression", one.span, together.join(" && ")));
        }
    }
    if verdict.property() == Property::Termination {
        content.extend(verdict.ranks().iter().filter_map(|ranked| transition(task, ranked)));
    }
    content
}

/// That one of the ranking functions has become smaller since any visit before, and was not negative then.
fn transition(task: &Task<'_>, ranked: &RankedLoop) -> Option<Item> {
    let function: FuncId = task.program.function_named(&ranked.function)?;
    let mut parts = Vec::new();
    for rank in ranked.functions.iter().chain(&ranked.one_of) {
        let now = c_condition(task.program, function, rank)?;
        let before = at_previous(task.program, function, rank)?;
        parts.push(format!("(({before}) > ({now}) && ({before}) >= 0)"));
    }
    let value = Some(parts.join(" || ")).filter(|value| !value.is_empty())?;
    invariant(task, "loop_transition_invariant", "ext_c_expression", ranked.span, value)
}

fn invariant(task: &Task<'_>, kind: &str, format: &str, span: Span, value: String) -> Option<Item> {
    let invariant = Invariant {
        kind: at(kind.to_owned()),
        location: place(task, span)?,
        value: at(WitnessCondition::Text(value)),
        format: at(format.to_owned()),
    };
    Some(Item { invariant: Some(invariant), ..Item::default() })
}
