//! Witnesses as data: the YAML format 2.0 to 2.2 of the verification competitions. Leaves that a reader may complain about know their line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_saphyr::{Location as Mark, Spanned};

/// A value and the line that it stands at.
pub type At<T> = Spanned<T>;

/// A value that was not read from a file.
pub fn at<T>(value: T) -> At<T> {
    Spanned { value, referenced: Mark::UNKNOWN, defined: Mark::UNKNOWN }
}

/// A claim about a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// `violation_sequence` or `invariant_set`.
    pub entry_type: At<String>,
    /// Who says so, and of what.
    pub metadata: Metadata,
    /// The claim.
    pub content: Vec<At<Item>>,
}

/// Who makes a claim about what.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Metadata {
    pub format_version: At<String>,
    pub uuid: At<String>,
    pub creation_time: At<String>,
    pub producer: Producer,
    pub task: TaskEntry,
}

/// The tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Producer {
    pub name: String,
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_line: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The program and what is claimed of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TaskEntry {
    pub input_files: At<Vec<String>>,
    pub input_file_hashes: At<BTreeMap<String, String>>,
    pub specification: At<String>,
    pub data_model: At<String>,
    pub language: At<String>,
}

/// A part of a claim; one of the members is there.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Item {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<Vec<At<Step>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<Invariant>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function_contract: Option<Contract>,
}

/// A waypoint behind its key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Step {
    pub waypoint: Waypoint,
}

/// Something that a run does or does not do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Waypoint {
    #[serde(rename = "type")]
    pub kind: At<String>,
    pub action: At<String>,
    pub location: Place,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
}

/// Where.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Place {
    pub file_name: String,
    pub line: At<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<At<i64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_hash: Option<String>,
}

/// What holds at a waypoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Constraint {
    pub value: At<WitnessCondition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<At<String>>,
}

/// A condition; which way a branch goes is also written as a truth value or a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum WitnessCondition {
    Truth(bool),
    Number(i64),
    Text(String),
}

/// What holds whenever a place is reached.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Invariant {
    #[serde(rename = "type")]
    pub kind: At<String>,
    pub location: Place,
    pub value: At<WitnessCondition>,
    pub format: At<String>,
}

/// What a function asks for and gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Contract {
    pub location: Place,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<At<WitnessCondition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ensures: Option<At<WitnessCondition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<At<String>>,
}

impl WitnessCondition {
    /// The condition in C.
    pub fn text(&self) -> String {
        match self {
            WitnessCondition::Truth(truth) => i32::from(*truth).to_string(),
            WitnessCondition::Number(number) => number.to_string(),
            WitnessCondition::Text(text) => text.clone(),
        }
    }
}
