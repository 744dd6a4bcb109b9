//! The file: a header that needs no program to be read, and the claims, which do.
//!
//! A graph that shows several properties stands in the file once.

use std::collections::BTreeSet;

use belay_evidence::{
    Answer, CheckVerdict, Claim, LoopPlace, LoopProof, LoopVerdict, Refutations, Task, Verdict, checks,
};
use belay_ir::{ObligationId, Program, Property};
use belay_logic::bv::Refutation;
use serde_json::{Map, Value as Json};

use crate::found::{StoredOpen, load_run, store_run};
use crate::layout;
use crate::names::Names;
use crate::origin::Origin;
use crate::stored::{Bad, Parts, Stored, object};

/// What the first entry says.
const FORMAT: &str = "belay proof 1";
/// Bytes of a file that is read.
const MAX_BYTES: usize = 256 << 20;

/// What is known of a file without its program.
pub struct Header {
    /// What the proof was made from.
    pub origin: Origin,
    document: Map<String, Json>,
}

/// A claim that was proved.
#[derive(Clone, Debug)]
pub struct StoredClaim {
    /// The claim.
    pub claim: Claim,
    /// The obligations that it is about, if not all of its property.
    pub asked: Option<BTreeSet<ObligationId>>,
    /// What it was said to take for granted, in words.
    pub assumptions: Vec<String>,
    /// True if the program has other obligations than the file lists.
    pub is_of_others: bool,
}

/// A loop that was shown to end.
#[derive(Clone, Debug)]
pub struct StoredLoop {
    /// The loop.
    pub place: LoopPlace,
    /// Why it ends.
    pub proof: LoopProof,
}

/// What was proved of a program.
#[derive(Clone, Debug, Default)]
pub struct ProofFile {
    /// The properties, and groups of checks.
    pub claims: Vec<StoredClaim>,
    /// The loops by themselves.
    pub loops: Vec<StoredLoop>,
    /// Runs that are claimed to violate a property.
    pub runs: Vec<Claim>,
    /// What was left open.
    pub open: Option<StoredOpen>,
    /// Refutations of the questions that the claims come down to.
    pub refutations: Refutations,
}

impl ProofFile {
    /// What these verdicts have proved. `describe` puts what one takes for granted into words.
    pub fn new(
        verdicts: &[Verdict],
        checks: &[CheckVerdict],
        loops: &[LoopVerdict],
        describe: impl Fn(&Verdict) -> Vec<String>,
    ) -> ProofFile {
        let mut file = ProofFile::default();
        let mut seen: BTreeSet<(Property, Option<BTreeSet<ObligationId>>)> = BTreeSet::new();
        for verdict in verdicts.iter().chain(checks.iter().map(CheckVerdict::verdict)) {
            let Answer::True(proof) = verdict.answer() else { continue };
            let asked = verdict.asked().cloned();
            if seen.insert((verdict.property(), asked.clone())) {
                let claim = Claim::proof(verdict.property(), proof.clone());
                file.claims.push(StoredClaim { claim, asked, assumptions: describe(verdict), is_of_others: false });
            }
        }
        let ended = loops.iter().filter_map(|known| Some((known.place(), known.proof()?)));
        file.loops = ended.map(|(place, proof)| StoredLoop { place, proof: proof.clone() }).collect();
        file
    }

    /// The same, with the runs of these verdicts.
    pub fn with_runs(mut self, verdicts: &[Verdict]) -> ProofFile {
        let runs = verdicts.iter().filter_map(|verdict| match verdict.answer() {
            Answer::False(found) => Some(Claim::run(verdict.property(), found.trace.clone())),
            Answer::True(_) | Answer::Unknown(_) => None,
        });
        self.runs = runs.collect();
        self
    }

    /// True if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.loops.is_empty() && self.runs.is_empty()
    }

    /// The text of the file.
    pub fn print(&self, task: &Task<'_>, origin: &Origin) -> String {
        let names = Names::new(task.simplified);
        let mut graphs: Vec<Json> = Vec::new();
        let claims = self.claims.iter().filter_map(|stored| store_claim(task, stored, &mut graphs, &names)).collect();
        let loops = self.loops.iter().map(|it| Json::Array(vec![it.place.store(&names), it.proof.store(&names)]));
        layout::print(&object([
            ("format", FORMAT.into()),
            ("origin", origin.store(&names)),
            ("claims", Json::Array(claims)),
            ("graphs", Json::Array(graphs)),
            ("loops", loops.collect()),
            ("runs", self.runs.iter().filter_map(|claim| store_run(claim, &names)).collect()),
            ("open", self.open.store(&names)),
            ("refutations", store_refutations(&self.refutations)),
        ]))
    }
}

impl Header {
    /// Reads what can be read without the program.
    pub fn read(text: &str) -> Result<Header, Bad> {
        if text.len() > MAX_BYTES {
            return Err(Bad::new("the file is too large"));
        }
        let json: Json =
            serde_json::from_str(text).map_err(|error| Bad::new(format!("the file is no proof: {error}")))?;
        let Json::Object(mut document) = json else { return Err(Bad::new("the file is no proof")) };
        if document.remove("format").as_ref().and_then(Json::as_str) != Some(FORMAT) {
            return Err(Bad::new(format!("the file is no proof of the format `{FORMAT}`")));
        }
        let origin =
            document.remove("origin").ok_or_else(|| Bad::new("the file does not say what it was made from"))?;
        let empty = Program::new(belay_ir::DataLayout::new(belay_ir::DataModel::default()));
        Ok(Header { origin: Origin::load(&origin, &Names::new(&empty))?, document })
    }

    /// The refutations of solvers' questions, for whoever has the questions.
    pub fn refutations(&self) -> Refutations {
        load_refutations(self.document.get("refutations"))
    }

    /// Reads the claims. They name things of the program: where it has changed, some may no longer be there, and those claims are left out with the reason.
    pub fn claims(&self, task: &Task<'_>) -> Result<(ProofFile, Vec<Bad>), Bad> {
        let names = Names::new(task.simplified);
        let list = |name: &str| {
            let found = self.document.get(name).and_then(Json::as_array);
            found.ok_or_else(|| Bad::new(format!("{name} is missing")))
        };
        let known = ["claims", "graphs", "loops", "runs", "open", "refutations"];
        if let Some(other) = self.document.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(Bad::new(format!("what is {other}?")));
        }
        let (graphs, mut file, mut left_out) = (list("graphs")?, ProofFile::default(), Vec::new());
        for json in list("claims")? {
            match load_claim(task, json, graphs, &names) {
                Ok(claim) => file.claims.push(claim),
                Err(bad) => left_out.push(bad),
            }
        }
        for json in list("loops")? {
            match <(LoopPlace, LoopProof)>::load(json, &names) {
                Ok((place, proof)) => file.loops.push(StoredLoop { place, proof }),
                Err(bad) => left_out.push(bad),
            }
        }
        // Files of before have neither.
        for json in self.document.get("runs").and_then(Json::as_array).into_iter().flatten() {
            match load_run(json, &names) {
                Ok(run) => file.runs.push(run),
                Err(bad) => left_out.push(bad),
            }
        }
        file.refutations = self.refutations();
        file.open = self.document.get("open").map_or(Ok(None), |json| Option::load(json, &names))?;
        Ok((file, left_out))
    }
}

/// Hashes and refutations in turn.
fn store_refutations(refutations: &Refutations) -> Json {
    let one = |(key, refutation): (u64, Refutation)| object([(&format!("{key:016x}"), refutation.print().into())]);
    Json::Array(refutations.all().into_iter().map(one).collect())
}

/// One that can't be read is as good as none: the question is put to a solver then.
fn load_refutations(json: Option<&Json>) -> Refutations {
    let listed = json.and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_object).flatten();
    let read =
        |(key, text): (&String, &Json)| Some((u64::from_str_radix(key, 16).ok()?, Refutation::read(text.as_str()?)?));
    Refutations::new(listed.filter_map(read).collect())
}

/// The obligations that a claim is about, by name.
fn obligations(task: &Task<'_>, property: Property, asked: Option<&BTreeSet<ObligationId>>) -> Vec<String> {
    let all = checks(task, &[property]).into_iter();
    let about = all.filter(|id| asked.is_none_or(|asked| asked.contains(id)));
    about.map(|id| task.simplified.obligation_name(id)).collect()
}

fn store_claim(task: &Task<'_>, stored: &StoredClaim, graphs: &mut Vec<Json>, names: &Names<'_>) -> Option<Json> {
    let StoredClaim { claim: Claim { property, evidence }, asked, assumptions, is_of_others: _ } = stored;
    let belay_evidence::Evidence::Proof(proof) = evidence else { return None };
    let mut proof = proof.store(names);
    if let Some(states) = proof.pointer_mut("/Graph/0/states") {
        let at = graphs.iter().position(|known| known == states).unwrap_or_else(|| {
            graphs.push(states.clone());
            graphs.len() - 1
        });
        *states = at.into();
    }
    Some(object([
        ("property", property.store(names)),
        ("asked", asked.store(names)),
        ("obligations", obligations(task, *property, asked.as_ref()).store(names)),
        ("assumptions", assumptions.store(names)),
        ("proof", proof),
    ]))
}

fn load_claim(task: &Task<'_>, json: &Json, graphs: &[Json], names: &Names<'_>) -> Result<StoredClaim, Bad> {
    let mut json = json.clone();
    if let Some(states) = json.pointer_mut("/proof/Graph/0/states") {
        let at = states.as_u64().and_then(|at| usize::try_from(at).ok());
        *states = at.and_then(|at| graphs.get(at)).ok_or_else(|| Bad::new("a graph is missing"))?.clone();
    }
    let mut parts = Parts::of_struct(&json, "claim")?;
    let property: Property = parts.field("property", names)?;
    let asked: Option<BTreeSet<ObligationId>> = parts.field("asked", names)?;
    let listed: Vec<String> = parts.field("obligations", names)?;
    let assumptions = parts.field("assumptions", names)?;
    let claim = Claim::proof(property, parts.field("proof", names)?);
    parts.finish()?;
    let is_of_others = listed != obligations(task, property, asked.as_ref());
    Ok(StoredClaim { claim, asked, assumptions, is_of_others })
}
