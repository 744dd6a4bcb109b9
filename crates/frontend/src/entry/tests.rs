//! Tests of how an entry is written.

use super::*;

const DUMP: &str = "Dumping ptrdiff_t:\nTypedefDecl 0x1 <a.h:1:1, col:26> col:26 ptrdiff_t 'long'\n\n\
    Dumping f:\nFunctionDecl 0x2 <a.c:3:1, col:100> col:12 f 'int (const char *, size_t)' static\n\
    |-ParmVarDecl 0x3 <col:14, col:26> col:26 str 'const char *'\n\
    `-ParmVarDecl 0x4 <col:31, col:38> col:38 'size_t':'unsigned long'\n\n\
    Dumping f:\nFunctionDecl 0x5 <a.c:4:1, col:100> col:12 used f 'int (const char *, size_t)' static\n\
    |-ParmVarDecl 0x6 <col:14, col:26> col:26 used str 'const char *'\n\
    |-ParmVarDecl 0x7 <col:31, col:38> col:38 n 'size_t':'unsigned long'\n\
    `-CompoundStmt 0x8 <col:104, col:116>\n";

#[test]
fn the_definition_is_found() {
    let params = vec![("const char *".to_owned(), "str".to_owned()), ("size_t".to_owned(), "n".to_owned())];
    let ty = "int (const char *, size_t)".to_owned();
    let desugared = vec!["const char *".to_owned(), "unsigned long".to_owned()];
    assert_eq!(parse(DUMP, "f"), Some(Declared { ty, params, desugared, is_static: true }));
    assert_eq!(parse(DUMP, "g"), None);
}

#[test]
fn arrays_are_declared_before_the_precondition() {
    let declared = parse(DUMP, "f").unwrap();
    let arrays = vec![("str".to_owned(), "n".to_owned())];
    let state = EntryState { function: "f".to_owned(), arrays, preconditions: vec!["n > 3".to_owned()] };
    let text = wrapper(&declared, &state).unwrap();
    assert!(text.find("str[n];").unwrap() < text.find("((n > 3))").unwrap(), "{text}");
    assert!(text.contains("(__typeof__(size_t) n)"), "{text}");
    assert!(text.contains("return f(str, n);"), "{text}");
}

#[test]
fn unknown_parameters_are_refused() {
    let declared = parse(DUMP, "f").unwrap();
    let with = |array: &str| EntryState {
        function: "f".to_owned(),
        arrays: vec![(array.to_owned(), "3".to_owned())],
        preconditions: Vec::new(),
    };
    assert_eq!(wrapper(&declared, &with("m")), Err("f has no parameter `m`".to_owned()));
    assert_eq!(wrapper(&declared, &with("n")), Err("`n` is no pointer but size_t".to_owned()));
}
