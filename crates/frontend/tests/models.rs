//! The library models against the C library of this machine: `models-test/` makes random calls of both side by side. Each model is
//! compiled as ordinary C under the name `m_NAME`, with AddressSanitizer and UndefinedBehaviorSanitizer, so that an access that it
//! should not make ends the test. What the built-ins do natively is in `models-test/builtins.c`.
//!
//! The table in `docs/library.md` is written from the models' first comments and from what the tests' object files refer to;
//! `BELAY_BLESS=1` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "models/table.rs"]
mod table;

const FLAGS: &[&str] = &[
    "-O0",
    "-gline-tables-only",
    "-std=gnu17",
    "-fno-builtin",
    "-w",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn clang() -> String {
    std::env::var("BELAY_CLANG").unwrap_or_else(|_| "clang-22".to_owned())
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is part of the crate");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder's entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("sources have names").to_string_lossy().into_owned()
}

fn newest(files: &[PathBuf]) -> std::time::SystemTime {
    let times = files.iter().map(|file| file.metadata().and_then(|data| data.modified()).expect("a file's time"));
    times.max().expect("there are files")
}

/// The test program for a target, `-m64` or `-m32`, and its object files. Objects that are newer than their source are kept.
struct Build {
    folder: PathBuf,
    target: &'static str,
}

impl Build {
    fn new(target: &'static str) -> Build {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("models{target}"));
        std::fs::create_dir_all(folder.join("test")).expect("the build folder can be written");
        let models = files(&root().join("models"), "c");
        let names: String =
            models.iter().map(|model| stem(model)).map(|name| format!("#define {name} m_{name}\n")).collect();
        let names = format!("#define BELAY_NATIVE\n{names}");
        let renamed = folder.join("names.h");
        if std::fs::read_to_string(&renamed).ok().as_ref() != Some(&names) {
            std::fs::write(&renamed, names).expect("the build folder can be written");
        }
        Build { folder, target }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(clang());
        command.args(FLAGS).arg(self.target);
        if self.target == "-m32" {
            command.args(["-msse2", "-mfpmath=sse"]);
        }
        command
    }

    fn compile(&self) -> PathBuf {
        let models = files(&root().join("models"), "c");
        let tests = files(&root().join("models-test"), "c");
        let mut headers = files(&root().join("models"), "h");
        headers.push(self.folder.join("names.h"));
        let model_headers = newest(&headers);
        let test_headers = newest(&files(&root().join("models-test"), "h"));
        let names = self.folder.join("names.h").to_string_lossy().into_owned();
        let jobs: Vec<(PathBuf, PathBuf, Vec<&str>)> = models
            .iter()
            .map(|file| {
                (file, self.folder.join(stem(file) + ".o"), vec!["-ffreestanding", "-include", &names], model_headers)
            })
            .chain(
                tests.iter().map(|file| (file, self.folder.join("test").join(stem(file) + ".o"), vec![], test_headers)),
            )
            .filter(|(source, object, _, headers)| {
                let made = object.metadata().and_then(|data| data.modified());
                made.map_or(true, |made| made < newest(&[(*source).clone()]) || made < *headers)
            })
            .map(|(source, object, flags, _)| (source.clone(), object, flags))
            .collect();
        std::thread::scope(|scope| {
            for share in jobs.chunks(jobs.len().div_ceil(2).max(1)) {
                scope.spawn(move || {
                    for (source, object, flags) in share {
                        must(self.command().args(flags).arg("-c").arg(source).arg("-o").arg(object));
                    }
                });
            }
        });
        let program = self.folder.join("run");
        let wanted = models.iter().map(|file| self.folder.join(stem(file) + ".o"));
        let wanted = wanted.chain(tests.iter().map(|file| self.folder.join("test").join(stem(file) + ".o")));
        must(self.command().args(wanted).arg("-lm").arg("-o").arg(&program));
        program
    }

    /// Runs the tests with one in `share` of their calls.
    fn run(&self, share: u32) {
        let mut command = Command::new(self.compile());
        command.arg(share.to_string()).current_dir(&self.folder);
        command.env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0");
        let output = must(&mut command);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(" 0 failed"), "{text}");
    }

    /// Which other models and tests each object file refers to, by the source's name.
    fn references(&self, folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
        let listed = must(Command::new("nm").args(["-A", "-u"]).args(files(folder, "o")));
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            let (object, symbol) = line.split_once(':').expect("nm names the file");
            let called = found.entry(stem(Path::new(object))).or_default();
            called.extend(symbol.split_whitespace().last().and_then(|name| name.strip_prefix("m_")).map(str::to_owned));
        }
        found
    }
}

fn must(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}{err}", output.status);
    output
}

#[test]
fn models_do_what_the_library_does_and_are_in_the_table() {
    let build = Build::new("-m64");
    build.run(20);
    let mut tests = build.references(&build.folder.join("test"));
    tests.retain(|name, _| name != "builtins");
    let table = table::write(&root().join("models"), &tests, &build.references(&build.folder));
    let path = root().join("../../docs/library.md");
    if std::env::var_os("BELAY_BLESS").is_some() {
        std::fs::write(&path, &table).expect("docs can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == table,
        "docs/library.md is not up to date: run this test with BELAY_BLESS=1 and read the difference"
    );
}

#[test]
#[ignore = "all calls, for both data models: a minute or two"]
fn models_do_what_the_library_does_on_all_calls() {
    for target in ["-m64", "-m32"] {
        Build::new(target).run(1);
    }
}
