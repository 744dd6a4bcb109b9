//! The hostile programs: generated, since most are large.

/// A program that is none of our friends.
pub struct Hostile {
    pub name: &'static str,
    pub file: &'static str,
    pub content: Vec<u8>,
}

fn c(name: &'static str, content: impl Into<Vec<u8>>) -> Hostile {
    Hostile { name, file: "program.c", content: content.into() }
}

fn ll(name: &'static str, content: impl Into<Vec<u8>>) -> Hostile {
    Hostile { name, file: "program.ll", content: content.into() }
}

fn main_of(body: impl std::fmt::Display) -> String {
    format!(
        "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{ {body} return 0; }}\n"
    )
}

fn body(name: &'static str, body: impl std::fmt::Display) -> Hostile {
    c(name, main_of(body))
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn nested(open: &str, inside: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + inside + &close.repeat(depth)
}

fn structs(depth: usize) -> String {
    let mut text = String::from("struct s0 { int x; };\n");
    text += &lines(depth, |i| format!("struct s{} {{ struct s{i} a, b[1]; }};\n", i + 1));
    text + &format!("struct s{depth} g; int main(void) {{ return sizeof g > 0; }}\n")
}

fn switch(cases: usize, stride: usize) -> String {
    main_of(format!(
        "switch (__VERIFIER_nondet_int()) {{ {} default: return 1; }}",
        lines(cases, |i| format!("case {}: return {};\n", i * stride, i % 7))
    ))
}

/// Those that take well under a second each.
pub fn small() -> Vec<Hostile> {
    let mut all = shapes();
    all.extend(texts());
    all.extend(wild());
    all.extend(assembly());
    all
}

/// Deep, wide and long.
fn shapes() -> Vec<Hostile> {
    vec![
        body("100 parentheses", format!("int x = {};", nested("(", "1", ")", 100))),
        body("10000 parentheses", format!("int x = {};", nested("(", "1", ")", 10_000))),
        body("200 blocks", nested("{", ";", "}", 200)),
        body("5000 blocks", nested("{", ";", "}", 5000)),
        body("100 ifs", format!("int x = __VERIFIER_nondet_int(); {}", nested("if (x) {", "x = 2;", "}", 100))),
        body("60 nested loops", format!("int x = 0; {}", nested("for (int i = 0; i < 2; i++) {", "x++;", "}", 60))),
        body("1000 unary operators", format!("int x = {}1;", "-~".repeat(1000))),
        body("2000 stars", format!("int {}p = 0;", "*".repeat(2000))),
        body("3000 array dimensions", format!("int a{};", "[1]".repeat(3000))),
        body("a sum of 3000", format!("int x = 0{};", "+1".repeat(3000))),
        body(
            "a chain of conditionals",
            format!("int x = __VERIFIER_nondet_int(); int y = {}0;", lines(300, |i| format!("x == {i} ? {i} : "))),
        ),
        body("5000 statements", format!("int x = 0; {}", "x ^= 1;\n".repeat(5000))),
        body("5000 variables", lines(5000, |i| format!("int v{i} = {i};\n"))),
        body(
            "a label each line",
            format!("int x = 0; {}", lines(1000, |i| format!("l{i}: if (x++ > 5000) goto l{};\n", (i * 7) % 1000))),
        ),
        body("a 1 GB array on the stack", "char a[1 << 30]; a[5] = 1;"),
        body("a 1 GB array that is filled", "static char a[1 << 30]; memset(a, 1, sizeof a);"),
        body("a 1 GB block", "char *p = malloc(1 << 30); p[(1 << 30) - 1] = 1; free(p);"),
        body("an exabyte", "char *p = malloc((size_t)1 << 60); p[7] = 1; free(p);"),
        body("the greatest size", "char *p = malloc(-1); p[0] = 1;"),
        body("calloc overflows", "char *p = calloc((size_t)1 << 40, (size_t)1 << 40); if (p) p[0] = 1;"),
        body("a huge variable-length array", "int n = __VERIFIER_nondet_int(); char a[n]; a[0] = 1;"),
        body("a negative array", "int n = -5; int a[n]; (void)a;"),
        c("structs 20 deep", structs(20)),
        c("structs 60 deep", structs(60)),
        c(
            "a struct of 3000 members",
            format!("struct s {{ {} }} g; int main(void) {{ return g.m7; }}\n", lines(3000, |i| format!("int m{i};"))),
        ),
        c("a switch of 3000", switch(3000, 1)),
        c("a sparse switch", switch(1000, 1_000_003)),
        c(
            "2000 functions",
            lines(2000, |i| format!("int f{i}(int x) {{ return x + {i}; }}\n")) + "int main(void) { return f7(1); }\n",
        ),
        c(
            "a chain of 1000 calls",
            String::from("int f0(int x) { return x; }\n")
                + &lines(1000, |i| format!("int f{}(int x) {{ return f{i}(x + 1); }}\n", i + 1))
                + "int main(void) { return f1000(1); }\n",
        ),
        c("5000 globals", lines(5000, |i| format!("int g{i} = {i};\n")) + "int main(void) { return g7; }\n"),
        c(
            "200 parameters",
            format!(
                "int f({}) {{ return p7; }} int main(void) {{ return f({}); }}\n",
                lines(199, |i| format!("int p{i}, ")) + "int q",
                "1, ".repeat(199) + "1"
            ),
        ),
        c("a name of 100000 letters", format!("int {0}; int main(void) {{ return {0}; }}\n", "a".repeat(100_000))),
        c("a string of 1 MB", format!("char s[] = \"{}\"; int main(void) {{ return s[5]; }}\n", "x".repeat(1 << 20))),
        c(
            "20000 initialisers",
            format!("int a[] = {{ {} }}; int main(void) {{ return a[3]; }}\n", "1,".repeat(20_000)),
        ),
        c("a line of 1 MB", format!("int main(void) {{ {} return 0; }}\n", ";".repeat(1 << 20))),
        c("a million lines of comment", "// nothing\n".repeat(1_000_000) + "int main(void) { return 0; }\n"),
    ]
}

/// What is hardly C.
fn texts() -> Vec<Hostile> {
    vec![
        c("nothing but spaces", " ".repeat(10_000)),
        c("nothing but NULs", vec![0; 10_000]),
        c("all bytes", (0..=255u8).cycle().take(10_000).collect::<Vec<u8>>()),
        c("not UTF-8", b"int main(void) { char *s = \"\xff\xfe\xc3\"; return s[0]; }\n".to_vec()),
        c("a NUL inside", b"int main(void) { return 0; \0 }\n".to_vec()),
        c("a byte order mark", b"\xef\xbb\xbfint main(void) { return 0; }\n".to_vec()),
        c("carriage returns", "int main(void)\r\n{\r\n return 0;\r\n}\r\n"),
        c("no line end", "int main(void) { return 0; }"),
        c("an open comment", "int main(void) { return 0; } /* "),
        c("an open string", "int main(void) { return \"abc; }\n"),
        c("an open brace", "int main(void) { "),
        c("a terminal's codes", "int main(void) { \u{1b}[31m return 0; }\n"),
        c("an error directive", "#error \u{1b}[2J no\n"),
        c("a file that includes itself", "#include \"program.c\"\nint main(void) { return 0; }\n"),
        c("an include that is not there", "#include <no/such/header.h>\nint main(void) { return 0; }\n"),
        c("an include of a directory", "#include \"/tmp\"\nint main(void) { return 0; }\n"),
        c(
            "macros that double",
            lines(24, |i| format!("#define m{} m{i} m{i}\n", i + 1))
                + "#define m0 ;\nint main(void) { m24 return 0; }\n",
        ),
        c("a macro that is itself", "#define x x + x\nint main(void) { int x = 1; return x; }\n"),
        c("embedded assembly", "int main(void) { __asm__(\"hlt\"); return 0; }\n"),
        c("assembly at the top", "__asm__(\".globl x\\nx:\");\nint main(void) { return 0; }\n"),
        c("main is a variable", "int main = 3;\n"),
        c("main is a struct's", "struct s { int a[9]; }; struct s main(void) { struct s s = {{0}}; return s; }\n"),
        c("main returns nothing", "void main(void) { }\n"),
        c("main takes three", "int main(int argc, char **argv, char **envp) { return envp[0] != 0; }\n"),
        c("main takes a float", "int main(float x) { return x > 1; }\n"),
        c("main calls itself", "int main(void) { return main(); }\n"),
        c("an old-style definition", "int main(argc, argv) int argc; char **argv; { return argc; }\n"),
        c("two mains", "int main(void) { return 0; }\nint main(void) { return 1; }\n"),
    ]
}

/// C that does what it should not.
fn wild() -> Vec<Hostile> {
    vec![
        c(
            "5000 levels of recursion",
            "int f(int n) { return n ? f(n - 1) + 1 : 0; } int main(void) { return f(5000) != 5000; }\n",
        ),
        c("recursion without end", "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }\n"),
        c(
            "recursion with large frames",
            "int f(int n) { char a[100000]; a[n % 9] = 1; return n ? f(n - 1) + a[n % 9] : 0; } int main(void) { return f(100000); }\n",
        ),
        c(
            "functions that call each other",
            "int g(int); int f(int n) { return g(n); } int g(int n) { return f(n); } int main(void) { return f(0); }\n",
        ),
        body("memory for ever", "for (;;) if (!malloc(1000000)) return 1;"),
        body("small blocks for ever", "for (;;) *(char *)malloc(1) = 1;"),
        body("an alloca in a loop", "for (int i = 0; i < 100000000; i++) *(char *)__builtin_alloca(1000) = 1;"),
        body("a list without end", "void **p = 0; for (;;) { void **q = malloc(8); *q = p; p = q; }"),
        body("an endless loop", "for (;;) ;"),
        body("output for ever", "for (;;) puts(\"abcdefghijklmnopqrstuvwxyz\");"),
        body("a wide number", "printf(\"%999999999d\", 1);"),
        body("a wide number into memory", "char b[8]; sprintf(b, \"%2000000000d\", 1);"),
        body("stars", "printf(\"%*.*d\", -2147483647 - 1, 2147483647, 1);"),
        body("percent n into nowhere", "printf(\"%n\", (int *)8);"),
        body("too few arguments", "printf(\"%s %s %s %d %f\");"),
        body("a format that is no string", "char f[3] = {'%', 'd', '%'}; printf(f, 1);"),
        body("a wild format", "char f[4] = {'%', (char)__VERIFIER_nondet_int(), 0, 0}; printf(f, 1);"),
        body("a huge copy", "char a[4], b[4]; memcpy(a, b, (size_t)-1);"),
        body("a huge fill", "char *p = malloc(10); memset(p, 0, __VERIFIER_nondet_int());"),
        body("a null function", "void (*f)(void) = 0; f();"),
        body("a number called", "((void (*)(void))123456)();"),
        body("a call of the wrong type", "((int (*)(double, char *))malloc)(1.0, 0);"),
        body("a computed jump", "void *l = &&end; goto *l; end: ;"),
        body("128 bits", "__int128 x = __VERIFIER_nondet_int(); x = x * x * x * x; return (int)(x >> 100);"),
        body("long double", "long double x = __VERIFIER_nondet_int(); x /= 3; return x > 1;"),
        body("complex numbers", "_Complex double z = __VERIFIER_nondet_int(); z *= z; return __real__ z > 1;"),
        body(
            "vectors",
            "typedef int v __attribute__((vector_size(16))); v a = {1, 2, 3, 4}; a += a; return a[__VERIFIER_nondet_int()];",
        ),
        body("a bit-precise integer", "unsigned _BitInt(900) x = 1; x <<= 800; return (int)x;"),
        body("shifts", "int x = __VERIFIER_nondet_int(); return (1 << x) + (x >> x) + (x << -1);"),
        body("the least divided", "int x = -2147483647 - 1, y = -1; return x / y + x % y;"),
        body(
            "pointers as numbers",
            "int a, b; unsigned long p = (unsigned long)&a ^ (unsigned long)&b; *(int *)(p ^ (unsigned long)&b) = 1;",
        ),
        body("a freed block grows", "char *p = malloc(3); free(p); p = realloc(p, 10); p[0] = 1;"),
        body("a flexible array", "struct s { int n; char d[]; } *p = malloc(4); p->d[0] = 1;"),
        body(
            "packed and aligned",
            "struct __attribute__((packed, aligned(4096))) s { char c; long l; } s; s.l = 1; return s.l;",
        ),
        c("a thread-local", "_Thread_local int x; int main(void) { return x; }\n"),
        c("an atomic", "_Atomic int x; int main(void) { x++; return x; }\n"),
        c(
            "a jump out",
            "#include <setjmp.h>\njmp_buf b; int main(void) { if (!setjmp(b)) longjmp(b, 1); return 0; }\n",
        ),
        c(
            "a constructor that exits",
            "#include <stdlib.h>\n__attribute__((constructor)) void f(void) { exit(3); }\nint main(void) { return 0; }\n",
        ),
        c("an alias of itself", "int f(void) __attribute__((alias(\"f\"))); int main(void) { return f(); }\n"),
        c(
            "an ifunc",
            "int g(void) { return 1; } static void *r(void) { return g; } int f(void) __attribute__((ifunc(\"r\"))); int main(void) { return f(); }\n",
        ),
    ]
}

/// LLVM's text form.
fn assembly() -> Vec<Hostile> {
    let main = "define i32 @main() {\n  ret i32 0\n}\n";
    vec![
        ll("no text", ""),
        ll("no module", "hello, world\n"),
        ll("half a function", "define i32 @main() {\n"),
        ll("a type error", "define i32 @main() {\n  ret i64 0\n}\n"),
        ll(
            "a value that is used before",
            "define i32 @main() {\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n",
        ),
        ll(
            "an integer of 8 million bits",
            "define i32 @main() {\n  %a = alloca i8388607\n  store i8388607 1, ptr %a\n  ret i32 0\n}\n",
        ),
        ll(
            "a huge array",
            "@g = global [9223372036854775807 x i8] zeroinitializer\ndefine i32 @main() {\n  store i8 1, ptr @g\n  ret i32 0\n}\n",
        ),
        ll(
            "another machine",
            format!("target triple = \"arm64-apple-ios\"\ntarget datalayout = \"E-p:32:32\"\n{main}"),
        ),
        ll("an odd layout", format!("target datalayout = \"e-p:17:32\"\n{main}")),
        ll(
            "a block that is its own",
            "define i32 @main() {\nentry:\n  br label %l\nl:\n  %p = phi i32 [ 0, %entry ], [ %p, %l ]\n  br label %l\n}\n",
        ),
        ll(
            "an indirect branch",
            "define i32 @main() {\n  indirectbr ptr blockaddress(@main, %l), [label %l]\nl:\n  ret i32 0\n}\n",
        ),
        ll(
            "poison",
            "define i32 @main() {\n  %a = add nsw i32 2147483647, 1\n  %b = getelementptr i8, ptr poison, i64 4\n  store i32 %a, ptr %b\n  ret i32 undef\n}\n",
        ),
        ll("metadata that is itself", format!("{main}!0 = !{{!0}}\n!named = !{{!0}}\n")),
        ll(
            "a function of all types",
            "define void @f(<4 x i1> %v, half %h, x86_fp80 %x, {i1, [2 x i3]} %s, ptr addrspace(3) %p) {\n  ret void\n}\ndefine i32 @main() {\n  ret i32 0\n}\n",
        ),
        Hostile {
            name: "random bitcode",
            file: "program.bc",
            content: b"BC\xc0\xde"
                .iter()
                .copied()
                .chain((0..50_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8))
                .collect(),
        },
    ]
}

/// Those for a soak.
pub fn huge() -> Vec<Hostile> {
    vec![
        c(
            "50 MB of functions",
            lines(700_000, |i| format!("int function_number_{i}(int argument) {{ return argument + {i}; }}\n"))
                + "int main(void) { return 0; }\n",
        ),
        c(
            "50 MB of data",
            format!(
                "unsigned char data[] = {{ {} }}; int main(void) {{ return data[9]; }}\n",
                "0x41, ".repeat(8_500_000)
            ),
        ),
        body(
            "a function of 100000 lines",
            format!(
                "int x = __VERIFIER_nondet_int(); int a[9]; {}",
                lines(100_000, |i| format!("if (x == {i}) a[{}] = x;\n", i % 9))
            ),
        ),
        c("a switch of 100000", switch(100_000, 1)),
        c(
            "100000 functions that call",
            String::from("int f0(int x) { return x; }\n")
                + &lines(100_000, |i| format!("int f{}(int x) {{ return f{i}(x); }}\n", i + 1))
                + "int main(void) { return f100000(1); }\n",
        ),
        body("100000 parentheses", format!("int x = {};", nested("(", "1", ")", 100_000))),
        c("structs 200 deep", structs(200)),
        c(
            "macros that double 40 times",
            lines(40, |i| format!("#define m{} m{i} m{i}\n", i + 1))
                + "#define m0 ;\nint main(void) { m40 return 0; }\n",
        ),
        c("an include without end", "#include \"/dev/zero\"\nint main(void) { return 0; }\n"),
        c("64 MB of nothing", vec![b'\n'; 64 << 20]),
    ]
}
