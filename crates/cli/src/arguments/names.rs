//! The names that options take, and what they stand for.

use belay_engines::EngineName;
use belay_engines::kiki::Domain;
use belay_ir::{DataModel, IntegerModel, Property};
use belay_report::WitnessVersion;
use clap::ValueEnum;

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesName {
    C,
    Svcomp,
    Cbmc,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum ExternsName {
    Havoc,
    Pure,
    Refuse,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum DataModelName {
    #[value(name = "LP64", alias = "lp64")]
    Lp64,
    #[value(name = "ILP32", alias = "ilp32")]
    Ilp32,
}

impl From<DataModelName> for DataModel {
    fn from(name: DataModelName) -> Self {
        match name {
            DataModelName::Lp64 => DataModel::Lp64,
            DataModelName::Ilp32 => DataModel::Ilp32,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum IntegersName {
    Machine,
    Unbounded,
}

impl From<IntegersName> for IntegerModel {
    fn from(name: IntegersName) -> Self {
        match name {
            IntegersName::Machine => IntegerModel::Machine,
            IntegersName::Unbounded => IntegerModel::Unbounded,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessVersionArgument {
    /// Without endless runs and transition invariants
    #[value(name = "2.0")]
    V20,
    #[value(name = "2.1")]
    V21,
    #[value(name = "2.2")]
    V22,
}

impl From<WitnessVersionArgument> for WitnessVersion {
    fn from(version: WitnessVersionArgument) -> Self {
        match version {
            WitnessVersionArgument::V20 => WitnessVersion::V20,
            WitnessVersionArgument::V21 => WitnessVersion::V21,
            WitnessVersionArgument::V22 => WitnessVersion::V22,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum EngineArgument {
    Run,
    Structural,
    Tester,
    Its,
    /// Runs that come back to a state
    Nontermination,
    Graph,
    Bmc,
    /// Loops by themselves
    Summary,
    /// What every value may be, each function once
    Values,
    Kiki,
}

impl From<EngineArgument> for EngineName {
    fn from(name: EngineArgument) -> Self {
        match name {
            EngineArgument::Run => EngineName::Run,
            EngineArgument::Structural => EngineName::Structural,
            EngineArgument::Tester => EngineName::Tester,
            EngineArgument::Its => EngineName::Its,
            EngineArgument::Nontermination => EngineName::Nontermination,
            EngineArgument::Graph => EngineName::Graph,
            EngineArgument::Bmc => EngineName::Bmc,
            EngineArgument::Summary => EngineName::Summary,
            EngineArgument::Values => EngineName::Values,
            EngineArgument::Kiki => EngineName::Kiki,
        }
    }
}

/// The domain of a name, also of one that it had before.
pub(super) fn domain(name: &str) -> Result<Domain, String> {
    let name = if name == "combinations" { "cubes" } else { name };
    let names = || Domain::all().map(Domain::name).collect::<Vec<_>>().join(", ");
    Domain::named(name).ok_or_else(|| format!("possible values: {}", names()))
}

/// A property, or several by one name.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyName {
    Memsafety,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    Memcleanup,
    NoOverflow,
    Arithmetic,
    UnreachCall,
    Termination,
    All,
}

/// The property of a name, or that a file of the competitions asks for.
pub(super) fn property(name: &str) -> Result<PropertyName, String> {
    let from_file = name.ends_with(".prp").then(|| std::path::Path::new(name));
    if let Some(file) = from_file.filter(|file| !file.exists()) {
        return Err(format!("there is no file {}", file.display()));
    }
    let known = match from_file {
        Some(file) => belay_suite::property_of(file),
        None => Some(name),
    };
    let known = known.ok_or("the file asks for no property that Belay knows")?;
    PropertyName::from_str(known, false).map_err(|_| {
        let names: Vec<String> = PropertyName::value_variants()
            .iter()
            .filter_map(|name| name.to_possible_value().map(|value| value.get_name().to_owned()))
            .collect();
        format!("possible values: {}", names.join(", "))
    })
}

/// What is asked under one name, and the properties that it stands for.
pub fn expand_property(name: PropertyName) -> Vec<(&'static str, Vec<Property>)> {
    let single = |property: Property| vec![(property.name(), vec![property])];
    match name {
        PropertyName::Memsafety => {
            vec![("memsafety", vec![Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack])]
        }
        PropertyName::ValidDeref => single(Property::ValidDeref),
        PropertyName::ValidFree => single(Property::ValidFree),
        PropertyName::ValidMemtrack => single(Property::ValidMemtrack),
        PropertyName::Memcleanup => single(Property::MemCleanup),
        PropertyName::NoOverflow => single(Property::NoOverflow),
        PropertyName::Arithmetic => single(Property::Arithmetic),
        PropertyName::UnreachCall => single(Property::UnreachCall),
        PropertyName::Termination => single(Property::Termination),
        PropertyName::All => [
            PropertyName::Memsafety,
            PropertyName::Memcleanup,
            PropertyName::NoOverflow,
            PropertyName::Arithmetic,
            PropertyName::UnreachCall,
            PropertyName::Termination,
        ]
        .into_iter()
        .flat_map(expand_property)
        .collect(),
    }
}
