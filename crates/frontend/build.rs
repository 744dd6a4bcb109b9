//! Compiles the library models in `models/` to bitcode for both data models and writes a table of them.

use std::fmt::Write as _;
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
    let mut table = String::from("static MODELS: &[Model] = &[\n");
    for source in &sources {
        let lp64 = compile(source, "-m64", &out);
        let ilp32 = compile(source, "-m32", &out);
        let defines = defined_functions(source);
        writeln!(
            table,
            "    Model {{ defines: &{defines:?}, lp64: include_bytes!({lp64:?}), ilp32: include_bytes!({ilp32:?}) }},"
        )
        .expect("writing to a string");
    }
    table.push_str("];\n");
    std::fs::write(out.join("models.rs"), table).expect("OUT_DIR can be written");
}

fn clang() -> String {
    std::env::var("BELAY_CLANG").unwrap_or_else(|_| "clang-22".to_owned())
}

fn compile(source: &Path, target: &str, out: &Path) -> PathBuf {
    let stem = source.file_stem().expect("sources have names").to_string_lossy();
    let bitcode = out.join(format!("{stem}{target}.bc"));
    let status = Command::new(clang()).args(FLAGS).arg(target).arg(source).arg("-o").arg(&bitcode).status();
    match status {
        Ok(status) if status.success() => bitcode,
        Ok(_) => panic!("the model {} does not compile", source.display()),
        Err(error) => panic!("clang-22 is needed to build Belay: {error} (on Debian: apt-get install clang-22)"),
    }
}

/// The functions with external linkage that a model defines, from its IR as text.
fn defined_functions(source: &Path) -> Vec<String> {
    let output = Command::new(clang()).args(FLAGS).args(["-m64", "-S", "-o", "-"]).arg(source).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let definition = |line: &str| {
        let rest = line.strip_prefix("define ")?;
        (!rest.starts_with("internal ")).then_some(())?;
        let name = rest.split_once('@')?.1.split_once('(')?.0;
        Some(name.trim_matches('"').to_owned())
    };
    text.lines().filter_map(definition).collect()
}
