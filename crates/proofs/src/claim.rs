//! Proofs of every kind. A new kind has to be listed here.

use belay_encoder::{Bounds, UnwindPlace};
use belay_evidence::{
    CountedLoop, CycleProof, Descent, Excerpt, Fact, Given, GraphCertificate, GraphRanking, Induction, LoopPlace,
    LoopProof, Origin, Others, Part, Parts as InductionParts, Proof, RankedCycle, Ranking, Unrolled,
};
use belay_logic::bv::prune::{Cut, Paving, Split};
use serde_json::Value as Json;

use crate::names::Names;
use crate::stored::{Bad, Stored};

stored_enum!(Proof {
    Execution,
    NoObligation,
    CountedLoops(loops),
    Loops(loops),
    Ranking(ranking),
    Unrolled(unrolled),
    Induction(induction),
    Descent(descent),
    Graph(certificate),
    Given(given),
    Values(map)
});
stored_struct!(CountedLoop { function, head, counter, test });
stored_struct!(Ranking { certificate, summaries });
stored_struct!(Unrolled { bounds, cover });
stored_struct!(Induction { bounds, cutting, cover, parts });
stored_struct!(Descent { induction, stride, rankings });
stored_struct!(GraphCertificate { states, splits_sums, ranking });
stored_enum!(GraphRanking { Whole(certificate), Cycles(cycles) });
stored_struct!(RankedCycle { at, proof });
stored_enum!(CycleProof { Loop(proof), System(certificate) });
stored_struct!(Given { facts, proof });
stored_struct!(Fact { obligations, proof });
stored_struct!(LoopPlace { function, head });
stored_enum!(LoopProof { Counted(counted), Ranked(others, certificate), InExcerpt(excerpt, others, certificate) });
stored_struct!(Excerpt { part, inlined, origin });
stored_enum!(Part { Function, Loop });
stored_enum!(Origin { Param(param, upward), Value(inst, upward), Global(global, offset, upward) });
stored_enum!(Others { Havocked, Counted });
stored_enum!(UnwindPlace { Loop(function, id), Recursion(function), Scan(function) });
stored_struct!(Split { variable, cut });

/// Which family of candidates an invariant is of is told to people while it is found, and is no part of the proof.
impl Stored for InductionParts {
    fn store(&self, names: &Names<'_>) -> Json {
        let InductionParts { together, domains: _ } = self;
        together.store(names)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        Ok(InductionParts { together: Vec::load(json, names)?, domains: Default::default() })
    }
}

impl Stored for Paving {
    fn store(&self, names: &Names<'_>) -> Json {
        let Paving(splits) = self;
        splits.store(names)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        Vec::load(json, names).map(Paving)
    }
}

/// Bits of any value are no lengths.
impl Stored for Cut {
    fn store(&self, names: &Names<'_>) -> Json {
        let (name, bits) = match self {
            Cut::Nan => return "Nan".into(),
            Cut::Float(bits) => ("Float", u128::from(*bits).store(names)),
            Cut::Unsigned(bits) => ("Unsigned", bits.store(names)),
            Cut::Signed(value) => ("Signed", value.store(names)),
        };
        crate::stored::object([(name, bits)])
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        if json.as_str() == Some("Nan") {
            return Ok(Cut::Nan);
        }
        let mut entries = json.as_object().into_iter().flatten();
        let bad = || Bad::new("no cut of a region");
        let (Some((name, bits)), None) = (entries.next(), entries.next()) else { return Err(bad()) };
        match name.as_str() {
            "Float" => u64::try_from(u128::load(bits, names)?).map(Cut::Float).map_err(|_| bad()),
            "Unsigned" => u128::load(bits, names).map(Cut::Unsigned),
            "Signed" => i128::load(bits, names).map(Cut::Signed),
            _ => Err(bad()),
        }
    }
}

/// Beyond this many rounds nothing is unrolled.
const MOST_ROUNDS: u32 = 1 << 30;

impl Stored for Bounds {
    fn store(&self, names: &Names<'_>) -> Json {
        let Bounds { default, of, certain } = self;
        crate::stored::object([
            ("default", (*default).min(MOST_ROUNDS).store(names)),
            ("of", of.store(names)),
            ("certain", (*certain).min(MOST_ROUNDS).store(names)),
        ])
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        let mut parts = crate::stored::Parts::of_struct(json, "Bounds")?;
        let (default, of) = (parts.field("default", names)?, parts.field("of", names)?);
        let certain = parts.field("certain", names)?;
        parts.finish()?;
        Ok(Bounds { default, of, certain })
    }
}
