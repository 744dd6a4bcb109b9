//! Runs clang: C to bitcode, unoptimised, with clang's own undefined-behaviour checks in the code.
//!
//! Nothing is written to disk: clang writes to a pipe, so there is nothing to clean up after a crash.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use belay_ir::DataModel;

use crate::error::FrontendError;

/// A clang that can be run.
#[derive(Clone, Debug)]
pub struct Clang {
    program: PathBuf,
}

/// One source file and how to compile it.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The file.
    pub path: PathBuf,
    /// Where to run clang, if not here.
    pub directory: Option<PathBuf>,
    /// Flags from the user or the compilation database.
    pub flags: Vec<String>,
    /// The text to compile instead of the file's own.
    pub text: Option<String>,
    /// What is read before the file.
    pub prelude: &'static str,
}

impl Compilation {
    /// True if clang has to compile it.
    pub fn is_c(&self) -> bool {
        let extension = self.path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        matches!(extension.as_deref(), Some("c" | "i" | "h")) || self.is_cpp()
    }

    /// True for C++.
    pub fn is_cpp(&self) -> bool {
        let extension = self.path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        matches!(extension.as_deref(), Some("cpp" | "cc" | "cxx" | "c++"))
    }

    /// What clang reads instead of the file, if it is not the file alone.
    fn given_text(&self) -> Option<String> {
        if self.prelude.is_empty() {
            return self.text.clone();
        }
        let included = || {
            let path = self.full_path().ok()?.display().to_string();
            (!path.contains(['"', '\n', '\\'])).then(|| format!("#include \"{path}\"\n"))
        };
        let rest = self.text.clone().or_else(included)?;
        Some(format!("{}{rest}", self.prelude))
    }

    /// The file's name from the root.
    pub fn full_path(&self) -> std::io::Result<PathBuf> {
        let path = self.directory.as_ref().map_or_else(|| self.path.clone(), |directory| directory.join(&self.path));
        std::path::absolute(path)
    }
}

/// Bitcode, and what clang warned of.
pub struct Compiled {
    /// The bitcode.
    pub bitcode: Vec<u8>,
    /// The warnings, a line each.
    pub warnings: Vec<String>,
    /// Whether a function is called without a declaration.
    undeclared: bool,
}

/// Keeps the program as written: no pass runs (`-O1` alone makes clang emit lifetime markers), every arithmetic check is
/// explicit, calls stay calls, loops are not assumed to end, `a * b + c` rounds twice.
const MEANING_FLAGS: &[&str] = &[
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-g",
    "-fdebug-macro",
    "-fno-discard-value-names",
    "-fno-finite-loops",
    "-fno-builtin",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-D__BELAY__",
    "-D__NO_CTYPE",
    "-D__NO_INLINE__",
    "-U_FORTIFY_SOURCE",
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow,vla-bound",
];

/// C++ in one thread: statics in functions need no lock, and what runs at the end is given to `atexit`. Without exceptions calls are calls; where the program
/// has some, they are compiled as they are, and what comes of them is not handled.
const CPP_FLAGS: &[&str] = &["-fno-threadsafe-statics", "-fno-use-cxa-atexit"];
const WITHOUT_EXCEPTIONS: &str = "-fno-exceptions";

/// Old and sloppy C gets through: what newer standards made an error is a warning again, and only warnings about a
/// program's meaning are kept.
const LENIENT_FLAGS: &[&str] = &[
    "-Wno-everything",
    "-Wno-error",
    "-Wreturn-type",
    "-Wimplicit-function-declaration",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=deprecated-non-prototype",
    "-Wno-error=address-of-packed-member",
    "-Wno-error=main-return-type",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
];

/// What clang was asked: its flags, and the file.
type Asked = (Vec<OsString>, bool, Option<PathBuf>, PathBuf, Option<String>);

/// What clang answered, where that is kept.
static ANSWERS: Mutex<Option<HashMap<Asked, Output>>> = Mutex::new(None);

/// From now on this process asks clang nothing twice: for who looks at the same files many times, and takes them to stay as they are.
pub fn keep_answers() {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
}

impl Clang {
    /// Looks for clang 22: `$BELAY_CLANG`, then `clang-22`, then a `clang` of that version.
    pub fn find() -> Result<Self, FrontendError> {
        let named = std::env::var_os("BELAY_CLANG").map(PathBuf::from);
        let candidates: Vec<PathBuf> = match named {
            Some(path) => vec![path],
            None => vec!["clang-22".into(), "clang".into()],
        };
        let found = candidates.iter().find_map(|name| on_path(name).filter(|path| is_version_22(path)));
        let tried = || candidates.iter().map(|name| name.display().to_string()).collect::<Vec<_>>().join(", ");
        found.map(|program| Clang { program }).ok_or_else(|| FrontendError::NoClang { tried: tried() })
    }

    /// What clang prints for these flags of a text in C; `None` if it refuses them or the text.
    pub fn ask(&self, flags: &[String], text: &str) -> Result<Option<String>, FrontendError> {
        let mut command = Command::new(&self.program);
        use_own_libraries(&mut command);
        command.args(flags).stdout(Stdio::piped()).stderr(Stdio::null());
        let text = Some(text.to_owned());
        let unit = Compilation { path: "-".into(), directory: None, flags: Vec::new(), text, prelude: "" };
        let output = self.answer(command, &unit)?;
        Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// Compiles one file to bitcode. Where clang refuses the file in its default dialect, and the flags name none, gnu89
    /// gets a try: it accepts what C dropped later.
    pub fn compile(&self, unit: &Compilation, model: DataModel) -> Result<Compiled, FrontendError> {
        let mut first = self.run(unit, model, None)?;
        let declared = match &first {
            Ok(compiled) if compiled.undeclared => self.with_declarations(unit, model)?,
            Ok(_) | Err(_) => None,
        };
        if let Some(declared) = &declared {
            first = self.run(declared, model, None)?;
        }
        let names_dialect = unit.flags.iter().any(|flag| flag.starts_with("-std=") || flag == "-ansi");
        match first {
            Ok(compiled) => Ok(compiled),
            Err(messages) if unit.is_cpp() => {
                let mut with_exceptions = unit.clone();
                with_exceptions.flags.push("-fexceptions".to_owned());
                self.run(&with_exceptions, model, None)?.map_err(|_| explain_refusal(unit, messages))
            }
            Err(messages) if names_dialect => Err(explain_refusal(unit, messages)),
            Err(messages) => self.run(unit, model, Some("gnu89"))?.map_err(|_| explain_refusal(unit, messages)),
        }
    }

    /// The file after declarations of the library functions that it calls without one, if there are any. C89 lets them return `int`; clang
    /// knows their true types, but says so only where it may also replace their calls, which it must not here.
    fn with_declarations(&self, unit: &Compilation, model: DataModel) -> Result<Option<Compilation>, FrontendError> {
        let mut command = self.command(unit, model, None);
        command.args(["-fsyntax-only", "-fbuiltin"]);
        let output = self.answer(command, unit)?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut declarations: Vec<String> = messages.lines().filter_map(find_undeclared).collect();
        declarations.sort();
        declarations.dedup();
        let (false, Ok(path)) = (declarations.is_empty(), unit.full_path()) else { return Ok(None) };
        let path = path.display().to_string();
        if path.contains(['"', '\n', '\\']) {
            return Ok(None);
        }
        let rest = unit.text.clone().unwrap_or_else(|| format!("#include \"{path}\"\n"));
        let text = format!("{}\n{rest}", declarations.join(" "));
        Ok(Some(Compilation { text: Some(text), ..unit.clone() }))
    }

    /// The syntax trees of what is called `function` or like it; `None` if clang refuses the file.
    pub fn declarations(
        &self,
        unit: &Compilation,
        model: DataModel,
        function: &str,
    ) -> Result<Option<String>, FrontendError> {
        for dialect in [None, Some("gnu89")] {
            let mut command = self.command(unit, model, dialect);
            command.args(["-fsyntax-only", "-Xclang", "-ast-dump", "-Xclang"]);
            command.arg(format!("-ast-dump-filter={function}")).arg("-fno-color-diagnostics");
            let output = self.answer(command, unit)?;
            if output.status.success() {
                return Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()));
            }
        }
        Ok(None)
    }

    /// The syntax tree of the whole file; `None` if clang refuses it.
    pub fn tree(&self, unit: &Compilation, model: DataModel) -> Result<Option<String>, FrontendError> {
        let mut command = self.command(unit, model, None);
        command.args(["-fsyntax-only", "-Xclang", "-ast-dump", "-fno-color-diagnostics"]);
        let output = self.answer(command, unit)?;
        Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// How the structures of the file are laid out; `None` if clang refuses it.
    pub fn layouts(&self, unit: &Compilation, model: DataModel) -> Result<Option<String>, FrontendError> {
        let mut command = self.command(unit, model, None);
        command.args(["-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete"]);
        let output = self.answer(command, unit)?;
        Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// The file after preprocessing; `None` if that fails, of which compiling it tells.
    pub fn preprocess(&self, unit: &Compilation, model: DataModel) -> Result<Option<String>, FrontendError> {
        let mut command = self.command(unit, model, None);
        command.arg("-E");
        let output = self.answer(command, unit)?;
        Ok(output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten())
    }

    fn run(
        &self,
        unit: &Compilation,
        model: DataModel,
        dialect: Option<&str>,
    ) -> Result<Result<Compiled, String>, FrontendError> {
        let mut command = self.command(unit, model, dialect);
        command.args(["-emit-llvm", "-c", "-o", "-"]);
        let output = self.answer(command, unit)?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Ok(Err(if messages.trim().is_empty() {
                format!("clang ended with {}", output.status)
            } else {
                messages
            }));
        }
        let warnings = messages.lines().filter(|line| line.contains("warning:"));
        let is_undeclared = |line: &&str| line.contains("[-Wimplicit-function-declaration]");
        let undeclared = warnings.clone().any(|line| is_undeclared(&line));
        let warnings = warnings.filter(|line| !is_undeclared(line)).map(str::to_owned).collect();
        Ok(Ok(Compiled { bitcode: output.stdout, warnings, undeclared }))
    }

    /// Everything but what to make.
    fn command(&self, unit: &Compilation, model: DataModel, dialect: Option<&str>) -> Command {
        let mut command = Command::new(&self.program);
        use_own_libraries(&mut command);
        command.args(MEANING_FLAGS).args(LENIENT_FLAGS);
        command.arg(match model {
            DataModel::Lp64 => "-m64",
            DataModel::Ilp32 => "-m32",
        });
        if unit.is_cpp() {
            command.args(CPP_FLAGS).arg(WITHOUT_EXCEPTIONS);
        }
        command.args(dialect.map(|name| format!("-std={name}"))).args(&unit.flags);
        if let Some(directory) = &unit.directory {
            command.current_dir(directory);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// What clang says, or has said to the same command.
    fn answer(&self, command: Command, unit: &Compilation) -> Result<Output, FrontendError> {
        let words = command.get_args().map(OsStr::to_owned).collect();
        let asked: Asked = (words, unit.is_cpp(), unit.directory.clone(), unit.path.clone(), unit.given_text());
        let kept = || ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().as_ref().and_then(|known| known.get(&asked)) {
            return Ok(known.clone());
        }
        let output = self.start(command, unit)?.wait_with_output().map_err(|error| no_clang(&self.program, &error))?;
        if let Some(known) = kept().as_mut() {
            known.insert(asked, output.clone());
        }
        Ok(output)
    }

    /// Names the file last. Preprocessed `.i` files may still hold directives: all are read as C, which is a superset.
    fn start(&self, mut command: Command, unit: &Compilation) -> Result<Child, FrontendError> {
        command.args(["-x", if unit.is_cpp() { "c++" } else { "c" }, "--"]);
        let failed = |error: std::io::Error| no_clang(&self.program, &error);
        let Some(text) = unit.given_text() else {
            command.arg(&unit.path).stdin(Stdio::null());
            return command.spawn().map_err(failed);
        };
        command.arg("-").stdin(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        // clang reads all of its input before it writes anything.
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(text.as_bytes());
        }
        Ok(child)
    }
}

/// `… library function 'malloc' with type 'void *(unsigned long)' …` as a declaration, where the type is made of C's own words.
fn find_undeclared(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("library function '")?;
    let (name, rest) = rest.split_once("' with type '")?;
    let (mut ty, rest) = rest.split_once('\'')?;
    if let Some(rest) = rest.strip_prefix(" (aka '") {
        ty = rest.split_once('\'')?.0;
    }
    const WORDS: &str = "void char short int long unsigned signed float double const restrict";
    let words = ty.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    let is_plain = words.clone().all(|word| WORDS.split(' ').any(|known| known == word));
    is_plain.then(|| format!("extern __typeof__({ty}) {name};"))
}

fn explain_refusal(unit: &Compilation, messages: String) -> FrontendError {
    FrontendError::Compile { path: unit.path.clone(), messages }
}

fn no_clang(program: &Path, error: &std::io::Error) -> FrontendError {
    FrontendError::NoClang { tried: format!("{}: {error}", program.display()) }
}

fn on_path(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return name.is_file().then(|| name.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

/// The release tarball brings libraries along for Belay itself; what the machine's own programs load is the machine's.
pub fn use_own_libraries(command: &mut Command) {
    match std::env::var_os("BELAY_OUTER_LIBRARY_PATH") {
        None => {}
        Some(outer) if outer.is_empty() => {
            command.env_remove("LD_LIBRARY_PATH");
        }
        Some(outer) => {
            command.env("LD_LIBRARY_PATH", outer);
        }
    }
}

/// `clang-22` is what it says; anything else is asked.
fn is_version_22(path: &Path) -> bool {
    if path.file_name().is_some_and(|name| name == "clang-22") {
        return true;
    }
    let mut command = Command::new(path);
    use_own_libraries(&mut command);
    let output = command.arg("-dumpversion").stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.is_ok_and(|output| output.stdout.starts_with(b"22."))
}
