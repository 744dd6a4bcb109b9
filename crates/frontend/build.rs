//! Compiles the library models in `models/` to bitcode for both data models and writes a table of them. Each file defines
//! the one function or variable that it is named after.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The same meaning as the front end gives user code, without line noise from the machine that builds.
const FLAGS: &[&str] = &[
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-g",
    "-fno-discard-value-names",
    "-fno-finite-loops",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-stack-protector",
    "-ffp-contract=off",
    "-fdebug-compilation-dir=.",
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-emit-llvm",
    "-c",
];

fn main() {
    println!("cargo:rerun-if-changed=models");
    println!("cargo:rerun-if-env-changed=BELAY_CLANG");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut sources: Vec<PathBuf> = std::fs::read_dir("models")
        .expect("the folder of models is part of the crate")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    let entries = in_parallel(&sources, |source| {
        let lp64 = compile(source, "-m64", &out);
        let ilp32 = compile(source, "-m32", &out);
        let defines = source.file_stem().expect("sources have names");
        format!(
            "    Model {{ defines: {defines:?}, lp64: include_bytes!({lp64:?}), ilp32: include_bytes!({ilp32:?}) }},\n"
        )
    });
    for target in ["-m64", "-m32"] {
        compile(Path::new("models/fixed/io.c"), target, &out);
    }
    let table = format!("static MODELS: &[Model] = &[\n{}];\n", entries.concat());
    std::fs::write(out.join("models.rs"), table).expect("OUT_DIR can be written");
}

/// The results of `work` on each item, in order, on all cores.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            items.chunks(share).map(|chunk| scope.spawn(|| chunk.iter().map(&work).collect::<Vec<R>>())).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a model does not compile")).collect()
    })
}

/// True if the bitcode was made after its source, all headers and this script.
fn is_newer(bitcode: &Path, source: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let is_header = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "h");
    let listed = std::fs::read_dir("models").into_iter().flatten().flatten().map(|entry| entry.path());
    let others = listed.filter(is_header).chain([source.to_owned(), PathBuf::from("build.rs")]);
    let Some(made) = time(bitcode).filter(|_| std::env::var_os("BELAY_CLANG").is_none()) else { return false };
    others.into_iter().all(|path| time(&path).is_some_and(|changed| changed < made))
}

fn clang() -> String {
    std::env::var("BELAY_CLANG").unwrap_or_else(|_| "clang-22".to_owned())
}

fn compile(source: &Path, target: &str, out: &Path) -> PathBuf {
    let stem = source.file_stem().expect("sources have names").to_string_lossy();
    let bitcode = out.join(format!("{stem}{target}.bc"));
    if is_newer(&bitcode, source) {
        return bitcode;
    }
    let status = Command::new(clang()).args(FLAGS).arg(target).arg(source).arg("-o").arg(&bitcode).status();
    match status {
        Ok(status) if status.success() => bitcode,
        Ok(_) => panic!("the model {} does not compile", source.display()),
        Err(error) => panic!("clang-22 is needed to build Belay: {error} (on Debian: apt-get install clang-22)"),
    }
}
