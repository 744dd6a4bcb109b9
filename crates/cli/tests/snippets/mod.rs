//! Compiles snippets and asks the engine.

#![allow(dead_code, reason = "each test uses its part")]

use belay_base::Budget;
use belay_engines::bmc;
use belay_engines::graph;
use belay_engines::kiki::{self, Domain, Options};
use belay_engines::{Outcome, Why};
use belay_evidence::{Checker, Claim, Evidence, Task};
use belay_frontend::Source;
use belay_interpreter::{Interpreter, RunEnd};
use belay_ir::{DataModel, IntegerModel, Program, Property};
use belay_rules::{Choice, ChoiceSource, Config, Request, RequestKind, Scalar};

/// What the snippets may use.
const PRELUDE: &str = "typedef __SIZE_TYPE__ size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t); size_t strlen(const char *); void exit(int); void abort(void);
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int); void __VERIFIER_assert(int); void reach_error(void);
#define in __VERIFIER_nondet_int()
#define assume __VERIFIER_assume
#define check __VERIFIER_assert
";

/// The program as translated and as simplified.
pub fn compile(source: &str, model: DataModel) -> (Program, Program) {
    let file = tempfile::Builder::new().prefix("belay-snippet-").suffix(".c").tempfile().unwrap();
    std::fs::write(file.path(), format!("{PRELUDE}{source}\n")).unwrap();
    let program = belay_frontend::load(&Source { files: vec![file.path().to_owned()], model, ..Source::default() })
        .unwrap_or_else(|error| panic!("{error}\n{source}"));
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, IntegerModel::Machine).unwrap();
    (program, simplified)
}

/// The engine's answer: `true`, `false` (confirmed by the checker) or the reason why there is none.
pub fn answer(source: &str, property: Property) -> String {
    let (program, simplified) = compile(source, DataModel::Lp64);
    let entry = program.function_named("main").unwrap();
    let task = Task { program: &program, simplified: &simplified, config: Config::new(entry) };
    let budget = Budget::steps(20_000);
    let mut outcomes = bmc::check(&task, &[property], bmc::Depth::FULL, &budget);
    match outcomes.pop().unwrap().1 {
        Outcome::Claims(Evidence::Proof(_)) => "true".to_owned(),
        Outcome::Claims(evidence) => {
            Checker::new(&task, &Budget::unlimited()).check(Claim { property, evidence }).unwrap();
            "false".to_owned()
        }
        Outcome::GaveUp(gave_up) | Outcome::Moot(gave_up) => {
            assert!(gave_up.why != Why::Internal, "{:?}\n{source}", gave_up.reason);
            let reasons: Vec<String> = gave_up.reason.0.into_iter().map(|reason| reason.what).collect();
            reasons.join("; ")
        }
    }
}

/// Whether the domain of conditions proves within so many steps that no assertion fails; what it claims is checked.
pub fn proves_by_conditions(source: &str, model: DataModel, steps: u64) -> bool {
    let (program, simplified) = compile(source, model);
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let options = Options { domain: Some(Domain::CONDITIONS), k_induction: false, ..Options::default() };
    let mut outcomes = kiki::check(&task, &[Property::UnreachCall], options, &Budget::steps(steps));
    let Some(proof) = outcomes.pop().unwrap().1.proof() else { return false };
    let budget = Budget::unlimited();
    let verdict = Checker::new(&task, &budget).check(Claim::proof(Property::UnreachCall, proof));
    assert!(verdict.is_ok(), "{}\n{source}", verdict.unwrap_err());
    true
}

/// Whether some run with small inputs fails an assertion.
pub fn some_run_fails(source: &str) -> bool {
    let (program, _) = compile(source, DataModel::Lp64);
    let interpreter = Interpreter::new(&program, Config::new(program.function_named("main").unwrap()));
    (0..1u64 << 6).any(|number| {
        let report = interpreter.run(&mut Numbered { digits: number, undefined: Some(0x55) }, &Budget::steps(10_000));
        !matches!(report.end, RunEnd::BadChoice { .. }) && report.violation_of(Property::UnreachCall).is_some()
    })
}

/// Which properties some run violates, termination among them; `None` if some run has no verdict.
pub fn violated(source: &str, inputs: u32) -> Option<Vec<Property>> {
    let (program, _) = compile(source, DataModel::Lp64);
    let interpreter = Interpreter::new(&program, Config::new(program.function_named("main").unwrap()));
    let mut found = Vec::new();
    for number in 0..1u64 << (3 * inputs) {
        let report = interpreter.run(&mut Numbered { digits: number, undefined: None }, &Budget::steps(20_000));
        match report.end {
            RunEnd::Unknown { .. } | RunEnd::NeedsChoice { .. } | RunEnd::BadChoice { .. } => continue,
            RunEnd::Exhausted(_) => found.push(Property::Termination),
            _ => {}
        }
        found.extend(Property::ALL.iter().filter(|property| report.violation_of(**property).is_some()));
    }
    Some(found)
}

/// What the graph of a program shows, no run with small inputs may contradict. Gives how many properties it shows.
pub fn check_graph(seed: u64, source: String) -> usize {
    let (program, simplified) = compile(&source, DataModel::Lp64);
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(40_000_000);
    let Ok(explored) = graph::explore(&task, 2_000_000, &budget) else { return 0 };
    let mut violations = None;
    let mut proved = 0;
    for property in Property::ALL {
        let Some(proof) = graph::claim(&task, &explored, property, 500_000, &budget).proof() else { continue };
        let confirmed = Checker::new(&task, &budget).check(Claim::proof(property, proof));
        assert!(confirmed.is_ok(), "seed {seed}: {property} is not confirmed: {confirmed:?}\n{source}");
        let violations = violations.get_or_insert_with(|| violated(&source, 3).unwrap_or_default());
        assert!(!violations.contains(&property), "seed {seed}: {property} does not hold of\n{source}");
        proved += 1;
    }
    proved
}

/// Gives the program small inputs, the digits of one number.
pub struct Numbered {
    /// The digits that are left.
    pub digits: u64,
    /// What undefined bytes are, if a run may ask.
    pub undefined: Option<u8>,
}

impl ChoiceSource for Numbered {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        match &request.kind {
            RequestKind::Input { ty, .. } => {
                let value = self.digits & 7;
                self.digits >>= 3;
                Some(Choice::Input(Scalar::int(ty.int_width()?, value)))
            }
            RequestKind::Undefined => self.undefined.map(Choice::Undefined),
            RequestKind::Address { .. }
            | RequestKind::AllocFails { .. }
            | RequestKind::Arbitrary { .. }
            | RequestKind::ArgCount { .. }
            | RequestKind::ArgString { .. } => None,
        }
    }
}

/// A small generator of numbers.
pub struct Random(pub u64);

impl Random {
    /// A number in [0, bound).
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    /// One of the words.
    pub fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}
