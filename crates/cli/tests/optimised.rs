//! LLVM IR that clang has optimised, and IR from clang++: no answer contradicts what the source means, and nothing that LLVM leaves open is taken for a number.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Scratch, answer, belay};

/// One folder for each program, since the tests run side by side.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// The verdict on a property of a source that was compiled with these flags.
fn verdict(source: &str, flags: &[&str], property: &str) -> String {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let scratch = Scratch::new(&format!("optimised{number}"));
    let (file, compiled) = (scratch.path().join("program.c"), scratch.path().join("program.ll"));
    std::fs::write(&file, source).unwrap();
    compile(&file, &compiled, flags);
    let mut command = belay();
    command.args(["check", "--format", "json", "--time-limit", "30", "--property", property]).arg(&compiled);
    answer(&mut command).unwrap()[0]["verdict"].as_str().unwrap().to_owned()
}

fn compile(source: &Path, target: &Path, flags: &[&str]) {
    let clang = std::env::var("BELAY_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let mut command = Command::new(clang);
    command.args(flags).args(["-g", "-S", "-emit-llvm", "-w"]).arg(source).arg("-o").arg(target);
    assert!(command.status().unwrap().success());
}

const SUMS: &str = "
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[32], b[32];
int main(void) {
    int k = __VERIFIER_nondet_int() & 31, s = 0, m = 0;
    for (int i = 0; i < 32; i++) { a[i] = i * 3; b[i] = a[i] ^ k; }
    for (int i = 0; i < 32; i++) s += (b[i] ^ k) - a[i];
    for (int i = 0; i < 32; i++) if (a[i] > m) m = a[i];
    assert(s == 0 && m == MOST);
    return b[k];
}";

#[test]
fn vectorised_loops_keep_their_meaning() {
    for flags in [&["-O1"][..], &["-O2"], &["-O3", "-mavx2"]] {
        assert_eq!(verdict(&SUMS.replace("MOST", "93"), flags, "unreach-call"), "true", "{flags:?}");
        assert_eq!(verdict(&SUMS.replace("MOST", "92"), flags, "unreach-call"), "false", "{flags:?}");
    }
}

/// Where the sum overflows nobody knows what comes of it.
#[test]
fn poison_is_no_number() {
    let sum = "extern int __VERIFIER_nondet_int(void);
        int a[4];
        int main(void) {
            int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
            if (LEAST) return 0;
            return n + m > 100 ? a[1] : a[2];
        }";
    for level in ["-O1", "-O2"] {
        assert_eq!(verdict(&sum.replace("LEAST", "0"), &[level], "no-overflow"), "unknown");
        assert_eq!(
            verdict(&sum.replace("LEAST", "n < -5 || n > 5 || m < 0 || m > 9"), &[level], "no-overflow"),
            "true"
        );
    }
}

#[test]
fn accesses_are_checked_in_optimised_programs() {
    let text = "#include <stdlib.h>
        extern int __VERIFIER_nondet_int(void);
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n < 1 || n > MOST) return 0;
            volatile char *p = malloc(8);
            for (int i = 0; i < n; i++) p[i] = (char)i;
            char c = p[n - 1];
            free((void *)p);
            return c;
        }";
    for level in ["-O1", "-O2"] {
        assert_eq!(verdict(&text.replace("MOST", "8"), &[level], "memsafety"), "true");
        assert_eq!(verdict(&text.replace("MOST", "9"), &[level], "memsafety"), "false");
    }
}

/// A program in LLVM IR: what `made` computes of an input of any value is asserted to be `so`.
fn verdict_of_ir(made: &str, so: &str) -> String {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let scratch = Scratch::new(&format!("ir{number}"));
    let text = format!(
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"
         target triple = \"x86_64-pc-linux-gnu\"
         declare i32 @__VERIFIER_nondet_int()
         declare void @__VERIFIER_assert(i32)
         define i32 @main() {{
           %x = call i32 @__VERIFIER_nondet_int()
           {made}
           %so = {so}
           %r = zext i1 %so to i32
           call void @__VERIFIER_assert(i32 %r)
           ret i32 0
         }}\n"
    );
    let file = scratch.file("program.ll", text);
    let mut command = belay();
    command.args(["check", "--format", "json", "--time-limit", "30", "--property", "unreach-call"]).arg(file);
    answer(&mut command).unwrap()[0]["verdict"].as_str().unwrap().to_owned()
}

/// Without its flag each of these has a value for every input, with it for some only; and where it is kept the flag takes nothing away.
#[test]
fn flags_that_make_poison_take_numbers_away() {
    let cases = [
        ("%y = zextFLAG i32 KEPT to i64", " nneg", "icmp sge i64 %y, 0", "and i32 %x, 7"),
        ("%w = sext i32 KEPT to i64\n %y = truncFLAG i64 %w to i8", " nsw", "icmp eq i8 %y, %y", "and i32 %x, 7"),
        ("%y = orFLAG i32 KEPT, 1", " disjoint", "icmp ne i32 %y, 0", "and i32 %x, 6"),
        ("%y = icmpFLAG ult i32 KEPT, 5", " samesign", "icmp ule i1 %y, true", "and i32 %x, 7"),
    ];
    for (made, flag, so, kept) in cases {
        let made = |flag: &str, of: &str| format!("%k = {kept}\n{}", made.replace("FLAG", flag).replace("KEPT", of));
        assert_eq!(verdict_of_ir(&made("", "%x"), so), "true", "{}", made("", "%x"));
        assert_eq!(verdict_of_ir(&made(flag, "%x"), so), "unknown", "{}", made(flag, "%x"));
        assert_eq!(verdict_of_ir(&made(flag, "%k"), so), "true", "{}", made(flag, "%k"));
    }
}

/// What an operation on floats with such flags gives is left open, so that nothing follows from it.
#[test]
fn fast_floats_are_any() {
    let sum = |flag: &str| format!("%f = sitofp i32 %x to double\n %y = fsub{flag} double %f, %f");
    assert_eq!(verdict_of_ir(&sum(""), "fcmp oeq double %y, 0.0"), "true");
    assert_eq!(verdict_of_ir(&sum(" fast"), "fcmp oeq double %y, 0.0"), "unknown");
}
