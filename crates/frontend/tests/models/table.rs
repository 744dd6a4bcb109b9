//! The table of library functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use belay_ir::Builtin;

const HEAD: &str = "# Library functions

A call of a function that the program does not define is answered by a *model*, C source in `crates/frontend/models` that is linked in,
or by a *built-in* rule of the crate `interpreter`. Preconditions are of two kinds: accesses, which the model makes itself, and stated ones
(`__belay_precondition`); both are obligations of valid-deref. The comment that opens each model says what it guarantees and
requires; this table repeats it. It is checked to be complete, and written by `BELAY_BLESS=1`, in `crates/frontend/tests/models.rs`.

The last column names the file in `crates/frontend/models-test` that calls the model and the real function side by side, on thousands of
random calls under AddressSanitizer and UndefinedBehaviorSanitizer; `faults` makes calls that C forbids, which must be seen; \"through
f\" is a wrapper, tested with what it calls. Where the library's result is not determined (input, time, files), the test asserts what
must hold of it. Models that are one operation of the verifier (rounding, signs, fma) are tested by `tests/frontend/rounding.c` and with the
operations themselves, in `logic`. Built-in rules are tested in `crates/interpreter/tests`, and by random programs against native ones.

Strings: a model reads as far as the function has to, so an unterminated array is a violation where it is read to its end, not where a
match comes first. A pointer that goes with a size of 0 is not looked at.

The column before it says what may rest on the model ([Marks](#marks)).

| function | header | guarantees and preconditions | mark | tested by |
| --- | --- | --- | --- | --- |
";

const TAIL: &str = "
## Where a model allows more than the library does

- What streams hold is not remembered: a position set by fseek, a file written and read back, the text that scanf matched.
- `getenv`: the bounds in its row.
- `ftell`, `lseek`: any position; of a second call no violation rests on it.
- `localtime`: any zone. `strftime`: any text.
- `rand` and its kin: any number; a seed that is used again repeats its numbers, which are not remembered.

## Marks

Most models are *exact*: they do what C, POSIX and (where the row says so) glibc do, all of it. *choices*: C leaves a choice to the library, and the model takes one of them in runs; the
others are on a path of their own for proofs, and no violation rests on that path (`belay_otherwise` in `belay.h`). *more*: on some path, or always, it gives more than the library
does: proofs cover all of it, and no violation rests on that path (`__belay_approximate`). `marks.txt` beside the models names those on which less may rest, and the checker of evidence enforces it: *fewer*
(it picks one of several behaviours: no proof; there is none at present) and *chance* (numbers that are drawn, and clocks: no endless run of a program that can reach it).

Calls that a signal interrupts (`EINTR`, `sleep`) are such paths too: a program without handlers is hardly interrupted, and none for ever. In programs that ask for `errno`, an
allocation that gives null sets `ENOMEM`, and calls of stdio may set `errno` though nothing failed (C17 7.5p3), as a choice.

## Left out, and why

- `on_exit`, `at_quick_exit`, `signal`, `alarm`, `fork`, `exec*`, threads: control that only the interpreter can give.
- `strtold`, `wcstold`, long double beyond classification: the 80-bit format.
- `setlocale`, `wctype`: only the C locale is modelled. `getopt`, `select`, `poll`, `stat`, directories: no model yet.
- Unsupported inside a model, and then unknown: numbered arguments and %p of scanf from a stream, long double in sscanf, a second character
  pushed back, a rounding direction other than to nearest, a nan with a payload, C23's binary constants.

What a call of any other function without a body does is said by `--externs`. In the public suites that Belay is tried on, such calls are: inputs by
other names (`__lamp_any_i32`, `nondet_int`, `nondet_uint`, `nondet_long`, `nondet_int64_t`, `nondet_char`, `nondet_bool`, `nondet_float`,
`nondet_double`, `nondet`, `x`), functions of the programs that were cut away (`ap_isspace`, `ap_tolower`, `ap_cpystrn`, `dn_expand`,
`delay_signaling`, `enable_signaling`, `printLine`, `printLongLongLine`), and `assert_fail`. `scripts/externs.py` makes this list.
";

/// Built-in functions of the C library, with what they require.
const BUILTINS: &[(&str, &str)] = &[
    ("malloc", "A new block; null for more than PTRDIFF_MAX bytes, else only with --malloc-may-fail."),
    ("calloc", "A new block of zeros; null if the product is more than PTRDIFF_MAX, else only with --malloc-may-fail."),
    (
        "realloc",
        "A new block that may lie where the old one lay; null and the old block untouched for more than PTRDIFF_MAX bytes; glibc: of no bytes it frees the old block and gives null. The pointer is null or the start of a live heap block.",
    ),
    ("free", "The pointer is null or the start of a live heap block."),
    ("cfree", "free."),
    ("strlen", "s is a string."),
    ("abort", "Ends the run."),
    ("exit", "Runs destructors and ends the run."),
    ("_exit", "Ends the run."),
    ("_Exit", "Ends the run."),
    ("quick_exit", "Ends the run; functions registered with at_quick_exit are not modelled."),
    ("__assert_fail", "A failed assertion."),
    ("assert", "A failed assertion if the argument is 0."),
    ("printf", "The format and every string argument are terminated; each conversion has its argument."),
    ("fprintf", "As printf; the stream is open."),
    ("dprintf", "As printf."),
    ("sprintf", "As printf; the buffer has room for the text and its NUL, and overlaps nothing that is read."),
    (
        "snprintf",
        "As printf; the buffer has room for what is written, at most the size given, and overlaps nothing that is read.",
    ),
    ("vprintf", "As printf."),
    ("vfprintf", "As printf; the stream is open."),
    ("vsprintf", "As sprintf."),
    ("vsnprintf", "As snprintf."),
    ("puts", "s is a string."),
    ("fputs", "s is a string; the stream is open."),
    ("putchar", "Any argument."),
    ("putc", "The stream is open."),
    ("fputc", "The stream is open."),
    ("perror", "s is null or a string."),
    ("sqrt", "Correctly rounded; any argument."),
    ("sqrtf", "Correctly rounded; any argument."),
];

const HEADERS: &[(&str, &str)] = &[
    (
        "string.h",
        "memcmp memchr rawmemchr memrchr memccpy mempcpy memmem memfrob strcpy stpcpy strncpy stpncpy strcat strncat strlcpy strlcat strcmp strncmp strcoll strxfrm strchr strchrnul strrchr strspn strcspn strpbrk strstr strcasestr strtok strtok_r __strtok_r strsep strnlen strdup __strdup strndup basename strerror strsignal strverscmp explicit_bzero strlen strerror_r",
    ),
    ("stdio.h", "stdin stdout stderr fgetpos fsetpos tmpnam"),
    ("strings.h", "bcmp bcopy bzero strcasecmp strncasecmp index rindex"),
    (
        "unistd.h",
        "swab read write close dup dup2 pipe fsync isatty lseek unlink rmdir chdir chroot access link symlink sleep usleep getpid getppid getpgrp getuid geteuid getgid getegid setuid seteuid setgid setegid getcwd readlink gethostname _exit",
    ),
    ("sys/stat.h", "mkdir chmod mkfifo"),
    ("fcntl.h", "open open64 creat"),
    (
        "sys/socket.h",
        "socket connect bind listen accept recv recvfrom send sendto shutdown setsockopt getsockname getpeername",
    ),
    ("arpa/inet.h", "htons htonl ntohs ntohl inet_addr"),
    (
        "time.h",
        "time clock difftime clock_gettime localtime localtime_r gmtime gmtime_r mktime asctime asctime_r ctime ctime_r timespec_get strftime nanosleep",
    ),
    ("sys/time.h", "gettimeofday"),
    (
        "stdlib.h",
        "atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof qsort qsort_r bsearch abs labs llabs div ldiv lldiv rand srand rand_r random srandom lrand48 mrand48 drand48 srand48 erand48 nrand48 jrand48 mkstemp getenv secure_getenv system aligned_alloc posix_memalign memalign valloc reallocarray cfree malloc calloc realloc free abort exit _Exit quick_exit atexit mblen mbtowc wctomb mbstowcs wcstombs",
    ),
    ("inttypes.h", "strtoimax strtoumax imaxabs imaxdiv"),
    ("fenv.h", "fegetround fesetround"),
    ("assert.h", "assert __assert_fail"),
    ("compiled code", "__muldc3 __mulsc3"),
    (
        "wctype.h",
        "iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit towlower towupper",
    ),
    (
        "ctype.h",
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit isascii toascii tolower toupper _tolower _toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
    ),
    (
        "wchar.h",
        "btowc wctob mbsinit mbrlen mbrtowc mbsrtowcs mbsnrtowcs wcrtomb wcwidth fwide ungetwc fwscanf wscanf vfwscanf vwscanf fgetwc fgetws fputwc fputws getwc getwchar putwc putwchar swscanf vswscanf wprintf vwprintf fwprintf vfwprintf swprintf vswprintf",
    ),
];

const STDIO: &[&str] = &[
    "scanf", "printf", "getc", "putc", "puts", "gets", "file", "open", "close", "eof", "error", "flush", "buf", "seek",
    "tell", "rewind", "remove", "rename", "getline", "getdelim", "fread", "fwrite", "clearerr", "getw", "putw",
];

fn header(name: &str) -> &'static str {
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    if let Some((header, _)) = HEADERS.iter().find(|(_, names)| names.split(' ').any(|one| one == plain)) {
        return header;
    }
    if plain.starts_with("wcs") || plain.starts_with("wmem") || plain.starts_with("wcp") {
        return "wchar.h";
    }
    if STDIO.iter().any(|part| plain.contains(part)) { "stdio.h" } else { "math.h" }
}

/// The comment that opens a model.
fn comment(source: &str) -> String {
    let text = source.strip_prefix("/* ").and_then(|rest| rest.split_once(" */")).map(|(text, _)| text);
    let text = text.expect("a model opens with a comment that says what it guarantees");
    let words = text.lines().map(|line| line.trim_start_matches(" *").trim());
    words.collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// The tests that refer to a model, or those of a model that it calls.
fn tested(name: &str, tests: &BTreeMap<String, BTreeSet<String>>, uses: &BTreeMap<String, BTreeSet<String>>) -> String {
    // C++ names an operator by the type of its size, another one on 32 bits: the test of all of them names those without a size.
    let name = if name.starts_with("_Z") { "_ZdlPv" } else { name };
    let direct: Vec<&str> =
        tests.iter().filter(|(_, calls)| calls.contains(name)).map(|(test, _)| test.as_str()).collect();
    if !direct.is_empty() {
        return direct.join(", ");
    }
    let is_part = |other: &str| matches!(other, "stdin" | "stdout" | "stderr") || other.starts_with("__belay_");
    let is_tested = |other: &&String| !is_part(other) && tests.values().any(|calls| calls.contains(*other));
    // What it is a wrapper of, else a tested model that calls it or the same thing as it.
    let below = reachable(name, uses);
    let shared = |user: &&String| {
        let theirs = reachable(user, uses);
        theirs.contains(name) || theirs.iter().any(|called| !is_part(called) && below.contains(called))
    };
    let through = below.iter().find(is_tested).or_else(|| uses.keys().filter(is_tested).find(shared));
    format!("through {}", through.unwrap_or_else(|| panic!("no test reaches the model of {name}")))
}

/// What may rest on a model, by what it and the models that it calls do.
fn mark(name: &str, models: &Path, uses: &BTreeMap<String, BTreeSet<String>>) -> &'static str {
    let marks = std::fs::read_to_string(models.join("marks.txt")).expect("marks can be read");
    let own = |line: &&str| line.split_whitespace().next() == Some(name);
    let told = marks.lines().find(own).and_then(|line| line.split_whitespace().nth(1));
    let parts = reachable(name, uses).into_iter().chain([name.to_owned()]);
    let texts: Vec<String> =
        parts.filter_map(|part| std::fs::read_to_string(models.join(format!("{part}.c"))).ok()).collect();
    let says = |words: &[&str]| texts.iter().any(|text| words.iter().any(|word| text.contains(word)));
    match told {
        Some("fewer") => "fewer",
        Some("chance") => "chance",
        _ if says(&["__belay_approximate", "belay_any_result", "belay_result_between"]) => "more",
        _ if says(&["belay_otherwise"]) => "choices",
        _ => "exact",
    }
}

/// Calls that say nothing about what a model does.
const COMMON: &[&str] = &["__errno_location", "__belay_fill", "__belay_stream"];

/// The models that a model calls, and those that they call.
fn reachable(name: &str, uses: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        open.extend(
            uses.get(&name)
                .into_iter()
                .flatten()
                .filter(|called| !COMMON.contains(&called.as_str()) && found.insert((*called).clone()))
                .cloned(),
        );
    }
    found
}

/// The page, from the folder of models and from what the object files of tests and models refer to.
pub fn write(
    models: &Path,
    tests: &BTreeMap<String, BTreeSet<String>>,
    uses: &BTreeMap<String, BTreeSet<String>>,
) -> String {
    let mut rows: Vec<(&str, String, String)> = Vec::new();
    for path in super::files(models, "c") {
        let name = super::stem(&path);
        if Builtin::from_name(&name).is_some() || COMMON.contains(&name.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a model can be read");
        let (mark, tested) = (mark(&name, models, uses), tested(&name, tests, uses));
        let row = format!("| `{name}` | {} | {} | {mark} | {tested} |", header(&name), comment(&text));
        // Parts of other models are tested like them, but no program calls them.
        if !name.starts_with("__belay_") {
            rows.push((header(&name), name, row));
        }
    }
    for (name, what) in BUILTINS {
        assert!(Builtin::from_name(name).is_some(), "{name} is not built in");
        rows.push((
            header(name),
            (*name).to_owned(),
            format!("| `{name}` | {} | {what} | exact | built in |", header(name)),
        ));
    }
    rows.sort_by_key(|(header, name, _)| (*header, name.trim_start_matches('_').to_owned(), name.clone()));
    let mut page = HEAD.to_owned();
    for (_, _, row) in rows {
        writeln!(page, "{row}").expect("writing to a string");
    }
    page + TAIL
}
