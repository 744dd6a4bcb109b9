//! The harness in C, and how it is built. It declares what it uses itself: a header would clash with the functions that it takes the place of.

use std::collections::BTreeSet;

use belay_evidence::Task;
use belay_ir::{Builtin, Callee, DataModel, FuncKind, Function, Op, Program, Property, Type};
use belay_rules::Scalar;
use dashu::integer::IBig;

use super::inputs::Given;
use super::{Expected, Sources};

/// The harness.
pub fn harness(task: &Task<'_>, given: &Given, expected: &Expected, sources: &Sources, ends_in_main: bool) -> String {
    let at = expected.place.as_ref().map(|(file, line)| format!(" ({file}:{line})")).unwrap_or_default();
    let what = format!("{}: {}", expected.property, expected.what).replace("*/", "* /").replace('\n', " ");
    let mut text = format!(
        "/* {what}{at}\n * `make run` builds the program with these inputs, under sanitizers, and runs it. */\n#undef main\n\n\
         extern int dprintf(int, const char *, ...);\nextern void abort(void);\nextern void exit(int);\nextern void _exit(int);\n\n"
    );
    text.push_str(&options(given, expected.property, ends_in_main));
    for name in collect_defined(task.program, given) {
        text.push_str(&definition(task.program, given, &name));
    }
    text.push_str(&allocations(given));
    text.push_str(&start(given, expected.property, sources));
    text
}

/// What the sanitizers look for.
fn options(given: &Given, property: Property, ends_in_main: bool) -> String {
    let stacks = u8::from(!ends_in_main);
    let leaks = match property {
        Property::MemCleanup => "use_registers=0:use_stacks=0:use_globals=0:use_tls=0".to_owned(),
        _ => format!("use_registers=0:use_stacks={stacks}"),
    };
    let of_leaks = matches!(property, Property::ValidMemtrack | Property::MemCleanup);
    let fill = match given.undefined.first() {
        Some(byte) => format!(":max_malloc_fill_size=1000000000:malloc_fill_byte={byte}"),
        None => String::new(),
    };
    let address = format!(
        "detect_leaks={}:detect_stack_use_after_return=1:allocator_may_return_null=1:handle_abort={}{fill}",
        u8::from(of_leaks),
        u8::from(!of_leaks)
    );
    let one =
        |name: &str, value: &str| format!("const char *__{name}_default_options(void) {{ return \"{value}\"; }}\n");
    one("asan", &address) + &one("lsan", &leaks) + &one("ubsan", "print_stacktrace=1") + "\n"
}

/// The functions that the harness defines: those that gave inputs, and those that the program calls and nobody else defines.
fn collect_defined(program: &Program, given: &Given) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = given.results.keys().cloned().collect();
    for function in program.functions.iter().filter(|function| function.kind == FuncKind::Defined && !function.is_model)
    {
        for (_, inst) in function.placed_insts() {
            if let Op::Call { callee: Callee::Direct(id), .. } = &function.insts[inst].op
                && needs_definition(&program.functions[*id])
            {
                names.insert(program.functions[*id].name.clone());
            }
        }
    }
    names
}

/// True for what no C library has.
fn needs_definition(function: &Function) -> bool {
    match function.kind {
        FuncKind::Defined => false,
        FuncKind::Extern => !function.name.starts_with("__belay"),
        FuncKind::Builtin(
            Builtin::Nondet
            | Builtin::Assume
            | Builtin::ErrorCall
            | Builtin::Assert
            | Builtin::Readable
            | Builtin::Writable,
        ) => true,
        FuncKind::Builtin(_) => false,
    }
}

fn definition(program: &Program, given: &Given, name: &str) -> String {
    let function = program.function_named(name).map(|id| &program.functions[id]);
    let weak = "__attribute__((weak)) ";
    let kind = function.map(|function| function.kind);
    match kind {
        Some(FuncKind::Builtin(Builtin::Assume)) => {
            return format!(
                "{weak}void {name}(int holds) {{ if (!holds) {{ dprintf(2, \"an assumption does not hold\\n\"); exit(0); }} }}\n\n"
            );
        }
        Some(FuncKind::Builtin(Builtin::Assert)) => {
            return format!(
                "{weak}void {name}(int holds) {{ if (!holds) {{ dprintf(2, \"assertion fails\\n\"); abort(); }} }}\n\n"
            );
        }
        Some(FuncKind::Builtin(Builtin::ErrorCall)) => {
            return format!("{weak}void {name}(void) {{ dprintf(2, \"{name} is called\\n\"); abort(); }}\n\n");
        }
        Some(FuncKind::Builtin(Builtin::Readable | Builtin::Writable)) => {
            return format!("{weak}int {name}() {{ return 1; }}\n\n");
        }
        Some(_) | None => {}
    }
    let ty = function.and_then(|function| function.results.first().copied());
    let values = given.results.get(name).map_or(&[][..], Vec::as_slice);
    let period = given.period.get(name).copied().unwrap_or(0);
    match ty {
        None => format!("{weak}void {name}() {{}}\n\n"),
        Some(ty) => format!("{weak}{}", write_drawn(&c_type(name, ty), name, values, period)),
    }
}

/// A function that gives these values, one a call; then 0, or the last ones again and again.
fn write_drawn(ty: &str, name: &str, values: &[Scalar], period: usize) -> String {
    // 0 is given anyway.
    let kept =
        if period > 0 { values.len() } else { values.iter().rposition(|value| !is_zero(value)).map_or(0, |at| at + 1) };
    if kept == 0 {
        return format!("{ty} {name}() {{ return 0; }}\n\n");
    }
    let shown: Vec<String> = values[..kept].iter().map(literal).collect();
    let again = if period > 0 {
        format!("        next = {};\n", kept - period.min(kept))
    } else {
        "        return 0;\n".to_owned()
    };
    format!(
        "{ty} {name}()\n{{\n    static const {ty} values[] = {{{}}};\n    static unsigned long next;\n    if (next == {kept})\n{again}    return values[next++];\n}}\n\n",
        shown.join(", ")
    )
}

fn is_zero(value: &Scalar) -> bool {
    match value {
        Scalar::Int { value, .. } => *value == IBig::ZERO,
        Scalar::F32(value) => value.to_bits() == 0,
        Scalar::F64(value) => value.to_bits() == 0,
    }
}

/// The type by the name of the function, or else by its width.
fn c_type(name: &str, ty: Type) -> String {
    let by_name = match name.strip_prefix("__VERIFIER_nondet_").unwrap_or_default() {
        "uchar" => Some("unsigned char"),
        "ushort" => Some("unsigned short"),
        "uint" | "unsigned" | "u32" => Some("unsigned int"),
        "ulong" | "size_t" => Some("unsigned long"),
        "ulonglong" => Some("unsigned long long"),
        "long" => Some("long"),
        "char" => Some("char"),
        _ => None,
    };
    let by_width = match ty {
        Type::Int(1) => "_Bool",
        Type::Int(2..=8) => "signed char",
        Type::Int(9..=16) => "short",
        Type::Int(17..=32) => "int",
        Type::Int(33..=64) => "long long",
        Type::Int(_) => "__int128",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::Ptr => "void *",
    };
    by_name.unwrap_or(by_width).to_owned()
}

/// A number in C.
fn literal(value: &Scalar) -> String {
    match value {
        Scalar::Int { width, value } if *width <= 64 => match (i64::try_from(value), u64::try_from(value)) {
            (Ok(i64::MIN), _) => "-9223372036854775807LL - 1".to_owned(),
            (Ok(number), _) if i32::try_from(number).is_ok_and(|number| number != i32::MIN) => number.to_string(),
            (Ok(number), _) => format!("{number}LL"),
            (Err(_), Ok(number)) => format!("{number}ULL"),
            (Err(_), Err(_)) => "0".to_owned(),
        },
        Scalar::Int { value, .. } => {
            let word = IBig::from(u64::MAX);
            let low = u64::try_from(&(value & &word)).unwrap_or_default();
            let high = u64::try_from(&((value >> 64) & &word)).unwrap_or_default();
            format!("(__int128)((unsigned __int128){high}ULL << 64 | {low}ULL)")
        }
        Scalar::F32(value) => float(f64::from(*value)),
        Scalar::F64(value) => float(*value),
    }
}

fn float(value: f64) -> String {
    match value {
        value if value.is_nan() => "__builtin_nan(\"\")".to_owned(),
        f64::INFINITY => "__builtin_inf()".to_owned(),
        f64::NEG_INFINITY => "-__builtin_inf()".to_owned(),
        value => format!("{value:?}"),
    }
}

/// Which allocations fail, if some do.
fn allocations(given: &Given) -> String {
    if !given.failing.contains(&true) {
        return String::new();
    }
    let fails: Vec<&str> = given.failing.iter().map(|fails| if *fails { "1" } else { "0" }).collect();
    let mut text = format!(
        "/* Which allocations fail. */\nstatic int fails(void)\n{{\n    static const char values[] = {{{}}};\n    static unsigned long next;\n    return next < sizeof values && values[next++];\n}}\n\n",
        fails.join(", ")
    );
    for (name, params, args) in [
        ("malloc", "__SIZE_TYPE__ n", "n"),
        ("calloc", "__SIZE_TYPE__ k, __SIZE_TYPE__ n", "k, n"),
        ("realloc", "void *p, __SIZE_TYPE__ n", "p, n"),
    ] {
        text.push_str(&format!(
            "void *__real_{name}({params});\nvoid *__wrap_{name}({params}) {{ return fails() ? 0 : __real_{name}({args}); }}\n\n"
        ));
    }
    text
}

/// `main`: arguments, what is watched, and the call.
fn start(given: &Given, property: Property, sources: &Sources) -> String {
    let (watch, begin) = match property {
        Property::Termination => (WATCHDOG, "    signal(14, on_alarm);\n    alarm(2);\n"),
        Property::ValidMemtrack | Property::MemCleanup => (LEAKS_AT_ABORT, "    signal(6, on_abort);\n"),
        _ => ("", ""),
    };
    let folder = if sources.in_folder { "    if (chdir(\"files\"))\n        return 1;\n" } else { "" };
    let changes = if sources.in_folder { "extern int chdir(const char *);\n" } else { "" };
    let (declaration, call) = if sources.function == "main" {
        let count = given.argc.unwrap_or(1);
        let strings = (0..count.min(10_000)).map(|index| {
            let bytes = given.argv.get(&index).map_or(&b""[..], Vec::as_slice);
            let bytes = if index == 0 && !given.argv.contains_key(&0) { b"program" } else { bytes };
            quote(bytes)
        });
        let strings: Vec<String> = strings.collect();
        let lists = format!(
            "    char *arguments[] = {{{}, 0}};\n    char *environment[] = {{0}};\n",
            strings.iter().map(|text| format!("(char[]){{{text}}}")).collect::<Vec<_>>().join(", ")
        );
        (
            "int program_main();\n".to_owned(),
            format!("{lists}{folder}{begin}    return program_main({count}, arguments, environment);\n"),
        )
    } else {
        let arguments: Vec<String> = given.parameters.iter().map(argument).collect();
        let name = &sources.function;
        (format!("int {name}();\n"), format!("{folder}{begin}    {name}({});\n    return 0;\n", arguments.join(", ")))
    };
    format!("{watch}{changes}{declaration}\nint main(void)\n{{\n{call}}}\n")
}

/// An argument of the type that its parameter has.
fn argument(value: &Scalar) -> String {
    let ty = c_type("", value.ty());
    format!("({ty})({})", literal(value))
}

const WATCHDOG: &str = "extern unsigned alarm(unsigned);
extern void (*signal(int, void (*)(int)))(int);
extern void __sanitizer_print_stack_trace(void);

/* The program still runs: where it is, twice, a second apart. */
static void on_alarm(int number)
{
    static int seen;
    dprintf(2, \"still running\\n\");
    __sanitizer_print_stack_trace();
    if (++seen == 2)
        _exit(124);
    signal(number, on_alarm);
    alarm(1);
}

";

const LEAKS_AT_ABORT: &str = "extern void (*signal(int, void (*)(int)))(int);
extern void __lsan_do_leak_check(void);

/* What is lost counts in a run that aborts, too. */
static void on_abort(int number)
{
    (void)number;
    __lsan_do_leak_check();
    _exit(1);
}

";

fn quote(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            // A question mark may begin a trigraph.
            b' '..=b'~' if *byte != b'?' => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text + "\""
}

/// How the harness is built and run.
pub fn makefile(task: &Task<'_>, given: &Given, sources: &Sources) -> String {
    let mut flags = vec![match task.program.layout.model {
        DataModel::Lp64 => "-m64".to_owned(),
        DataModel::Ilp32 => "-m32".to_owned(),
    }];
    match given.undefined.first() {
        Some(0) => flags.push("-ftrivial-auto-var-init=zero".to_owned()),
        Some(_) => flags.push("-ftrivial-auto-var-init=pattern".to_owned()),
        None => {}
    }
    if given.failing.contains(&true) {
        flags.push("-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc".to_owned());
    }
    if sources.function == "main" {
        flags.push("-Dmain=program_main".to_owned());
    }
    flags.extend(sources.flags.iter().map(|flag| shell(flag)));
    let files: Vec<String> = sources.files.iter().map(|file| shell(file)).collect();
    format!(
        "# `make run` builds the program with the inputs of harness.c, under sanitizers, and runs it.\n\
         CC = clang\nSTD = gnu17\nSOURCES = {}\nFLAGS = {}\n\
         SANITIZERS = -fsanitize=address,undefined,float-cast-overflow\n\
         LENIENT = -w -Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion -Wno-incompatible-pointer-types \\\n\
         \t-Wno-incompatible-function-pointer-types -Wno-return-mismatch -Wno-return-type -Wno-main-return-type\n\n\
         replay: harness.c\n\
         \t$(CC) -std=$(STD) -g -O0 -fno-omit-frame-pointer -fno-strict-aliasing $(SANITIZERS) $(LENIENT) $(FLAGS) -x c $(SOURCES) harness.c -o replay -lm\n\n\
         run: replay\n\t./replay < stdin.txt\n\n.PHONY: run\n",
        files.join(" "),
        flags.join(" ")
    )
}

/// A word of the shell, in a makefile.
fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,@%".contains(c);
    let word = word.replace('$', "$$");
    if !word.is_empty() && word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_are_written_in_c() {
        assert_eq!(literal(&Scalar::int(32, -5)), "-5");
        assert_eq!(literal(&Scalar::int(64, i64::MIN)), "-9223372036854775807LL - 1");
        assert_eq!(literal(&Scalar::int(64, u64::MAX)), "18446744073709551615ULL");
        assert_eq!(literal(&Scalar::F64(f64::NEG_INFINITY)), "-__builtin_inf()");
        assert_eq!(quote(b"a\"\\\n?"), "\"a\\\"\\\\\\012\\077\"");
        assert_eq!(shell("-DX=a b'c"), "'-DX=a b'\\''c'");
    }

    #[test]
    fn values_that_do_not_matter_are_left_out() {
        let values = [Scalar::int(32, 7), Scalar::int(32, 0)];
        assert!(write_drawn("int", "f", &values, 0).contains("{7}"));
        assert!(write_drawn("int", "f", &values, 1).contains("next = 1;"));
        assert_eq!(write_drawn("int", "f", &values[1..], 0), "int f() { return 0; }\n\n");
    }
}
