//! CBMC's commands by other names, so that a proof's own Makefile runs Belay: `goto-cc`, `goto-instrument`, `cbmc`, and the little of litani that
//! the make rules need. They are commands of `belay`, and `belay` itself where it goes by the name `belay-goto-cc` and so on.

pub mod build;
mod cbmc;
pub mod litani;
mod object;

use crate::sandbox::Response;

/// The command that arguments ask for: by the program's own name, or by the first argument.
pub fn run(arguments: &[String]) -> Option<Response> {
    let (program, rest) = arguments.split_first()?;
    let program = std::path::Path::new(program).file_name()?.to_string_lossy().into_owned();
    if let Some(name) = program.strip_prefix("belay-") {
        return named(name, rest);
    }
    let (name, rest) = rest.split_first()?;
    named(name, rest)
}

fn named(name: &str, arguments: &[String]) -> Option<Response> {
    match name {
        "goto-cc" | "goto-gcc" => Some(build::goto_cc(arguments)),
        "goto-instrument" => Some(build::goto_instrument(arguments)),
        "cbmc" => Some(cbmc::cbmc(arguments)),
        "litani" => Some(litani::litani(arguments)),
        _ => None,
    }
}

/// True for a compiler's flag that says what C means.
fn is_meant(flag: &str) -> bool {
    ["-std=", "-f", "-I", "-D", "-U", "-include", "-isystem"].iter().any(|start| flag.starts_with(start))
        || flag == "-ansi"
}

/// What is not honoured, each flag once.
fn note_once(command: &str, flags: &[String]) -> Vec<u8> {
    let mut flags = flags.to_vec();
    flags.sort();
    flags.dedup();
    match flags.is_empty() {
        true => Vec::new(),
        false => format!("belay: note: {command}: not honoured: {}\n", flags.join(" ")).into_bytes(),
    }
}
