#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use super::*;

#[test]
fn machines_that_are_handled_have_their_own_types() {
    let cases = [
        ("arm-none-eabi", DataModel::Ilp32, "-funsigned-char", "-D__arm__=1"),
        ("thumbv7m-none-eabi", DataModel::Ilp32, "-malign-double", "-D__thumb2__=1"),
        ("riscv32-unknown-elf", DataModel::Ilp32, "-mlong-double-128", "-U__i386__"),
        ("mipsel-linux-gnu", DataModel::Ilp32, "-fsigned-char", "-D__mips__=1"),
    ];
    for (triple, model, flag, defined) in cases {
        let target = Target::named(triple).unwrap_or_else(|error| panic!("{triple}: {error}"));
        assert_eq!(target.model, model, "{triple}");
        for wanted in [flag, defined] {
            assert!(target.flags.iter().any(|known| known == wanted), "{triple}: no {wanted} in {:?}", target.flags);
        }
    }
}

#[test]
fn the_machines_themselves_need_no_macros() {
    let i386 = Target::named("i386-pc-linux-gnu").unwrap();
    assert_eq!(i386.model, DataModel::Ilp32);
    let x86 = Target::named("x86_64-pc-linux-gnu").unwrap();
    assert_eq!((x86.model, x86.flags), (DataModel::Lp64, vec!["-fsigned-char".to_owned()]));
    assert_eq!((i386.block_align, x86.block_align), (8, 16));
}

#[track_caller]
fn refused(triple: &str, because: &str) {
    let message = Target::named(triple).unwrap_err().to_string();
    assert!(message.contains(because), "{triple}: {message}");
}

#[test]
fn others_are_refused_by_what_differs() {
    refused("mips-linux-gnu", "__BYTE_ORDER__");
    refused("powerpc-linux-gnu", "__BYTE_ORDER__");
    refused("s390x-linux-gnu", "64 bits");
    refused("avr", "pointers of 2 bytes");
    refused("msp430", "pointers of 2 bytes");
    refused("aarch64-linux-gnu", "64 bits");
    refused("riscv64-linux-gnu", "64 bits");
}

#[test]
fn what_is_no_target_is_said() {
    refused("nonsense-machine", "no target");
    refused("", "no target");
    refused("--version", "no target");
    refused("arm; rm", "no target");
}

#[test]
fn parameters_belong_to_the_name() {
    let of = |entries: &[(&str, &str)]| {
        entries.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect::<BTreeMap<_, _>>()
    };
    let from = of(&[("__INT64_C(c)", "c##LL"), ("i386", "1"), ("same", "1")]);
    let to = of(&[("__INT64_C(c)", "c##L"), ("same", "1"), ("arm", "1")]);
    assert_eq!(macro_flags(&from, &to), ["-Ui386", "-D__INT64_C(c)=c##L", "-Darm=1"]);
}
