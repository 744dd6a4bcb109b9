//! Tests of which dialect of C a file is in.

use super::*;

#[test]
fn an_uninterpreted_function_is_declared_once() {
    let text = "int __CPROVER_uninterpreted_f(void *);\nint __CPROVER_uninterpreted_f(const void *p);\n  g(__CPROVER_uninterpreted_f(p));\n";
    let kept = "int __CPROVER_uninterpreted_f(void *);\n\n  g(__CPROVER_uninterpreted_f(p));\n";
    assert_eq!(without_repeated_declarations(text), kept);
}

#[test]
fn a_second_type_is_a_second_name() {
    let text = "# 1 \"a.h\" 1\nint f(const char *);\n# 7 \"b.c\" 2\n\nint f(char *p)\n{\n}\n";
    let renamed = rename_conflict(text, "b.c:8:5: error: conflicting types for 'f'").expect("it is there");
    assert!(renamed.starts_with("#pragma redefine_extname __belay_own_f f\n"));
    assert!(renamed.ends_with("\nint __belay_own_f(char *p)\n{\n}\n"), "{renamed}");
    assert_eq!(rename_conflict(text, "b.c:9:5: error: conflicting types for 'f'"), None);
}

#[test]
fn structures_are_compared_by_their_bytes() {
    let text = "# 3 \"a.c\"\nvoid f(void) {\n  g(old == new_1);\n  g(*old == new_1);\n}\n";
    let message = |line: u32, column: u32| {
        format!("a.c:{line}:{column}: error: invalid operands to binary expression ('struct s' and 'struct s')")
    };
    let compared = compare_bytes(text, &message(4, 9)).expect("it is there");
    assert_eq!(compared, text.replacen("old == new_1", "__builtin_memcmp(&old, &new_1, sizeof(old)) == 0", 1));
    assert_eq!(compare_bytes(text, &message(5, 10)), None);
    assert_eq!(compare_bytes(text, &message(4, 9).replace("and 'struct s'", "and 'struct t'")), None);
}

#[test]
fn a_disabled_check_ends_the_run() {
    let text =
        "#pragma CPROVER check disable \"pointer\"\nint f(void) {\n#pragma CPROVER check disable \"pointer\"\n}\n";
    let ended = without_disabled_checks(text);
    assert_eq!(ended.matches("__belay_unsupported").count(), 1);
    assert!(ended.starts_with("#pragma"));
}
