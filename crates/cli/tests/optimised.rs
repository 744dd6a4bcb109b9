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
