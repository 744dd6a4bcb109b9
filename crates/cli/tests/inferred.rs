//! Preconditions that `--each-function` finds, against the exact set of safe inputs: random small functions of two bytes, run with every input. What is printed as
//! sufficient must admit no input that does harm; how often it admits all others is counted.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::process::Command;

/// A generator that gives the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn between(&mut self, least: i64, greatest: i64) -> i64 {
        least + self.below((greatest - least + 1) as u64) as i64
    }
}

/// `p * x + q * y + c`, as the functions compute it and as it is.
#[derive(Clone, Copy)]
struct Sum {
    x: i64,
    y: i64,
    constant: i64,
}

impl Sum {
    fn draw(random: &mut Random, both: bool) -> Sum {
        let is_about_x = random.below(2) == 0;
        let constant = random.between(-6, 6);
        match (both && random.below(4) == 0, is_about_x) {
            (true, _) => Sum { x: 1, y: if random.below(2) == 0 { -1 } else { 1 }, constant },
            (false, true) => Sum { x: random.between(1, 2), y: 0, constant },
            (false, false) => Sum { x: 0, y: 1, constant },
        }
    }

    fn value(self, x: i64, y: i64) -> i64 {
        self.x * x + self.y * y + self.constant
    }

    fn text(self) -> String {
        format!("({} * x + {} * y + {})", self.x, self.y, self.constant)
    }
}

/// What may do harm.
enum Harm {
    /// An element of an array of so many.
    Index(i64),
    /// A division.
    Division,
    /// An assertion that the sum is less.
    Less(i64),
}

/// `if (guard < 0) harm(sum);`
struct Step {
    guard: Option<Sum>,
    harm: Harm,
    sum: Sum,
}

impl Step {
    fn draw(random: &mut Random) -> Step {
        let guard = (random.below(3) == 0).then(|| Sum::draw(random, false));
        let harm = match random.below(3) {
            0 => Harm::Index(random.between(4, 40)),
            1 => Harm::Division,
            _ => Harm::Less(random.between(-20, 60)),
        };
        Step { guard, harm, sum: Sum::draw(random, true) }
    }

    fn is_safe(&self, x: i64, y: i64) -> bool {
        let sum = self.sum.value(x, y);
        let is_harmless = match self.harm {
            Harm::Index(size) => (0..size).contains(&sum),
            Harm::Division => sum != 0,
            Harm::Less(bound) => sum < bound,
        };
        is_harmless || self.guard.is_some_and(|guard| guard.value(x, y) >= 0)
    }

    fn text(&self) -> String {
        let guard = self.guard.map(|guard| format!("if ({} < 0) ", guard.text())).unwrap_or_default();
        let sum = self.sum.text();
        match self.harm {
            Harm::Index(size) => format!("{guard}{{ int t[{size}] = {{0}}; r += t[{sum}]; }}"),
            Harm::Division => format!("{guard}r += 100 / {sum};"),
            Harm::Less(bound) => format!("{guard}assert({sum} < {bound});"),
        }
    }
}

fn draw(seed: u64) -> Vec<Step> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    (0..random.between(1, 2)).map(|_| Step::draw(&mut random)).collect()
}

/// What is printed of a function, if it is safe for some callers: its condition in C.
fn condition(line: &str) -> Option<String> {
    let (_, answer) = line.split_once(": ")?;
    match answer {
        "safe for every caller" => Some("1".to_owned()),
        other => other.strip_prefix("safe if ").map(str::to_owned),
    }
}

/// Whether each condition holds for each input, asked natively.
fn ask(folder: &std::path::Path, conditions: &[(usize, String)]) -> Vec<Vec<bool>> {
    let mut source = "#include <stdio.h>\n".to_owned();
    for (index, condition) in conditions {
        writeln!(source, "static int f{index}(signed char x, signed char y) {{ return ({condition}) != 0; }}").unwrap();
    }
    source.push_str("int main(void) {\n");
    for (index, _) in conditions {
        writeln!(source, "for (int x = -128; x < 128; x++) for (int y = -128; y < 128; y++) putchar('0' + f{index}(x, y));\nputchar('\\n');").unwrap();
    }
    source.push_str("return 0; }\n");
    let (file, binary) = (folder.join("ask.c"), folder.join("ask"));
    std::fs::write(&file, source).unwrap();
    let built = Command::new("clang-22").args(["-w", "-o"]).arg(&binary).arg(&file).status().unwrap();
    assert!(built.success());
    let output = Command::new(&binary).output().unwrap().stdout;
    let lines = String::from_utf8(output).unwrap();
    lines.lines().map(|line| line.bytes().map(|byte| byte == b'1').collect()).collect()
}

/// Compares the conditions of drawn functions: how many were found, and how many of them are exact.
fn compare(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let functions: Vec<(u64, Vec<Step>)> = seeds.map(|seed| (seed, draw(seed))).collect();
    let mut source = "#include <assert.h>\n".to_owned();
    for (seed, steps) in &functions {
        let body: String = steps.iter().map(|step| format!(" {}", step.text())).collect();
        writeln!(source, "int f{seed}(signed char x, signed char y) {{ int r = 0;{body} return r; }}").unwrap();
    }
    let file = folder.path().join("functions.c");
    std::fs::write(&file, &source).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_belay"))
        .args(["check", "--each-function", "--time-limit", "20", "--threads", "1"])
        .arg(&file)
        .output()
        .unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let line = |seed: &u64| text.lines().find(|line| line.starts_with(&format!("f{seed}: "))).unwrap_or_default();
    let found: Vec<(usize, String)> =
        functions.iter().enumerate().filter_map(|(index, (seed, _))| Some((index, condition(line(seed))?))).collect();
    let mut exact = 0;
    for ((index, condition), admitted) in found.iter().zip(ask(folder.path(), &found)) {
        let (seed, steps) = &functions[*index];
        let inputs = (-128..128).flat_map(|x| (-128..128).map(move |y| (x, y)));
        let safe: Vec<bool> = inputs.map(|(x, y)| steps.iter().all(|step| step.is_safe(x, y))).collect();
        let wrong = (0..safe.len()).find(|at| admitted[*at] && !safe[*at]);
        let shown = wrong.map(|at| (at as i64 / 256 - 128, at as i64 % 256 - 128));
        assert!(wrong.is_none(), "f{seed} is not safe for (x, y) = {shown:?}, which `{condition}` admits\n{source}");
        exact += usize::from(admitted == safe);
    }
    (found.len(), exact)
}

#[test]
fn conditions_suffice() {
    let count = 24;
    let (found, exact) = compare(0..count);
    println!("{found} of {count} have a condition, {exact} of them exact");
    assert!(found * 2 >= count as usize, "only {found} of {count} have a condition");
    assert!(exact * 2 >= found, "only {exact} of {found} conditions are exact");
}

#[test]
#[ignore = "takes many minutes: part of make soak"]
fn many_conditions_suffice() {
    let all = (0..10).map(|part| compare(1000 + 30 * part..1030 + 30 * part));
    let (found, exact) = all.fold((0, 0), |(found, exact), (more, good)| (found + more, exact + good));
    println!("{found} of 300 have a condition, {exact} of them exact");
    assert!(exact * 2 >= 300, "only {exact} of 300 conditions are exact");
}

#[test]
fn contracts_that_are_written_are_kept() {
    let source = "struct person { int age; char *name; };\n\
        void birthday(struct person *p) { if (p && p->age < 200) p->age++; }\n\
        int quotient(int x, int y) { return x / y; }\n\
        int wild(int ***p) { return p[3][2][1]; }\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.c");
    std::fs::write(&file, source).unwrap();
    for spelling in ["belay", "cbmc"] {
        let out = folder.path().join(format!("{spelling}.c"));
        let belay = |words: &[&str]| Command::new(env!("CARGO_BIN_EXE_belay")).args(words).output().unwrap();
        let (from, to) = (file.to_str().unwrap(), out.to_str().unwrap());
        belay(&["infer", from, "-o", to, "--spelling", spelling, "--time-limit", "30"]);
        let text = std::fs::read_to_string(&out).unwrap();
        let word = if spelling == "belay" { "belay_requires" } else { "__CPROVER_requires" };
        assert_eq!(text.matches(word).count(), 3, "{text}");
        for function in ["birthday", "quotient"] {
            // The header stands beside what includes it.
            let run = belay(&["check", to, "--enforce", function, "--time-limit", "30"]);
            let said = String::from_utf8(run.stdout).unwrap();
            assert_eq!(run.status.code(), Some(0), "{function}: {said}\n{text}");
        }
        // A contract that says less is not kept.
        let weaker = text.replace("y != 0", "y != 1");
        std::fs::write(&out, weaker).unwrap();
        let run = belay(&["check", to, "--enforce", "quotient", "--time-limit", "30"]);
        assert_ne!(run.status.code(), Some(0), "{text}");
    }
}
