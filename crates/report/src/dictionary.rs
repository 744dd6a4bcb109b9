//! What the words in answers mean, for `belay explain`.

const WORDS: [(&str, &str); 46] = [
    (
        "true",
        "the property holds for every run. Separate code has checked the proof; what the proof takes for granted stands in ASSUMING lines.",
    ),
    (
        "false",
        "the property is violated. The run that is shown was replayed from its first input to the line that goes wrong.",
    ),
    (
        "unknown",
        "neither was shown. The reason and the place say what was missing: what is not handled comes first, then a fact that did not follow, an invariant that was not found, and last a limit.",
    ),
    ("memsafety", "valid-deref, valid-free and valid-memtrack together."),
    (
        "valid-deref",
        "every read and write stays inside an object that is alive, and what the program promises to the compiler holds.",
    ),
    ("valid-free", "free and realloc are given null or the start of a heap block that is alive."),
    (
        "valid-memtrack",
        "no heap block is lost: as long as it is not freed, some pointer in the program's reach leads to it.",
    ),
    ("memcleanup", "every heap block is freed when the program ends."),
    ("no-overflow", "no signed operation gives a value that its type does not have."),
    (
        "arithmetic",
        "no division by zero, no shift by the width or more, no float converted to an integer that it does not fit.",
    ),
    ("unreach-call", "no assertion fails, and no error function or error label is reached."),
    ("termination", "every run ends."),
    (
        "invariant",
        "a condition that holds whenever control comes to the head of a loop. `for some x` means that a suitable x exists that the program does not name.",
    ),
    (
        "ranking-function",
        "a number, or several of falling weight, that gets smaller in each round of a loop and can't do so for ever. It is why the loop ends.",
    ),
    ("recurrent-set", "states that lead to one another for ever. It is why a run never ends."),
    (
        "assuming",
        "what a proof takes for granted and Belay did not check, such as what functions without a body do. With --strict such a proof exits with 5.",
    ),
    (
        "havoc",
        "a function without a body may write to whatever it can reach from its arguments and from globals that other files see, and return anything.",
    ),
    ("vacuous", "no run meets the assumptions, so that there was nothing to prove."),
    (
        "graph",
        "symbolic execution graphs: abstract states of memory with pointers, sizes and lists, generalised at loop heads until they repeat.",
    ),
    (
        "bmc",
        "bounded model checking: the program unrolled bit by bit, and a SAT solver asked for inputs that go wrong.",
    ),
    (
        "kiki",
        "k-induction with invariants: templates of invariants are filled in by a solver until they prove the property or a longer run is needed.",
    ),
    (
        "its",
        "integer transition systems: the program as arithmetic, and a search for ranking functions and recurrent sets.",
    ),
    ("tester", "runs with drawn inputs in the interpreter."),
    ("structural", "what follows from the form of the program: no loop, no recursion, no heap block."),
    ("cut", "a loop replaced by one arbitrary round: what it changes is arbitrary, what the invariant says holds."),
    (
        "time limit reached",
        "the seconds of --time-limit are over. More of them may help; what was missing until then says more.",
    ),
    ("memory limit reached", "the MiB of --memory-limit are used up."),
    (
        "safe",
        "of a function by itself: no call of it, whatever it is given, violates what was asked about. The proof was checked.",
    ),
    (
        "safe if",
        "of a function by itself: no call of it that keeps the condition violates what was asked about. The condition was found, the proof with it was checked; without it a violation is possible, or nothing was shown.",
    ),
    (
        "violated",
        "of a function, a check or an entry of a project: there is a run that violates it, and it is shown. For a function by itself the run begins with arguments that nothing forbids.",
    ),
    ("suppressed", "of an entry of a project: it is violated, and belay.toml says with a reason that this is known."),
    ("is_fresh", "in contracts: the pointer leads to the start of a block of its own, of so many bytes."),
    (
        "is_cstring",
        "in contracts: the pointer leads to characters and a 0 behind them, in a block of its own. In belay.h: belay_is_string.",
    ),
    ("is_terminated", "in contracts: the pointer leads to elements, the last of which is 0."),
    ("has_room", "in contracts: the pointer leads to characters and a 0, and to so many more bytes behind it."),
    (
        "has_header",
        "in contracts: the pointer leads so many bytes behind the start of a block that has so many more bytes there, of which what stands before the pointer may tell.",
    ),
    ("number", "in contracts: the unsigned number of so many bytes that stands where a pointer leads, aligned or not."),
    (
        "is_function",
        "in contracts: the pointer leads to a function that returns, and changes nothing that this one can see.",
    ),
    ("is_heap", "in contracts: the pointer leads into a block from malloc or its kin, which the function may free."),
    (
        "belay.h",
        "the header with the macros of contracts, in the folder include of Belay. Any compiler accepts it; where Belay does not read the file, the macros are nothing.",
    ),
    ("0", "exit code: all properties are proved."),
    ("1", "exit code: the command line is wrong."),
    ("2", "exit code: the input can't be read or does not compile, or the answer can't be written."),
    ("5", "exit code: some property is unknown, none is violated."),
    ("6", "exit code: Belay's own fault. Please report it."),
    ("10", "exit code: some property is violated."),
];

/// All words with what they mean.
pub fn explained_words() -> impl Iterator<Item = (&'static str, &'static str)> {
    WORDS.into_iter()
}

/// What a word means; the name of a check (`main.valid-deref.3`) means its property, and a verdict (`false(valid-free)`) its kind.
pub fn explain_word(word: &str) -> Option<(&'static str, &'static str)> {
    let word = word.trim().to_lowercase();
    let known = |word: &str| WORDS.into_iter().find(|(known, _)| *known == in_one_spelling(word));
    let inner = || word.split_once('(').map(|(_, kind)| kind.trim_end_matches(')').to_owned());
    let kind = || word.rsplit('.').nth(1).map(str::to_owned);
    let before = || word.split_once('(').map(|(name, _)| name.to_owned());
    known(&word).or_else(|| known(&inner()?)).or_else(|| known(&kind()?)).or_else(|| known(&before()?))
}

/// The words of contracts as answers have them, without the prefixes of files.
fn in_one_spelling(word: &str) -> &str {
    let prefixes = ["__cprover_", "__belay_", "belay_"];
    let bare = prefixes.iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
    match bare {
        "is_string" => "is_cstring",
        "dynamic_object" => "is_heap",
        "safe-if" => "safe if",
        "invariants" => "invariant",
        "proved" | "holds" => "true",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_verdicts_and_checks_are_explained() {
        let word = |text: &str| explain_word(text).map(|(word, _)| word);
        assert_eq!(word("TRUE"), Some("true"));
        assert_eq!(word("false(valid-free)"), Some("valid-free"));
        assert_eq!(word("main.valid-deref.3"), Some("valid-deref"));
        assert_eq!(word("nonsense"), None);
        assert_eq!(word("belay_is_string"), Some("is_cstring"));
        assert_eq!(word("is_fresh(port, sizeof(*port))"), Some("is_fresh"));
        assert_eq!(word("safe-if"), Some("safe if"));
    }

    #[test]
    fn every_property_is_explained() {
        for property in belay_ir::Property::ALL {
            assert!(explain_word(property.name()).is_some(), "{property}");
        }
    }
}
