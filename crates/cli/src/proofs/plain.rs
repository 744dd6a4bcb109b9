//! Harnesses that do nothing but call the function whose contract is checked, with any arguments. The contract is checked for every caller, so that such a harness
//! adds nothing. One that does more (assumes, asserts, prepares) says something that would be passed over: its proof is not run.

/// What a harness does beside declaring variables and calling the function, by preprocessed texts; none if it does nothing else.
pub fn more_than_call(texts: &[impl AsRef<str>], entry: &str, function: &str) -> Option<String> {
    let texts = texts.iter().map(|text| without_marks(text.as_ref()));
    let bodies: Vec<String> = texts.filter_map(|text| body(&text, entry)).collect();
    let [body] = bodies.as_slice() else { return Some(format!("its harness `{entry}` is not found")) };
    let statements: Vec<String> =
        body.split(';').map(|statement| statement.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let mut made: Vec<String> = Vec::new();
    let more = statements.into_iter().find(|statement| {
        let is_freed = made.iter().any(|name| *statement == format!("free({name})"));
        made.extend(made_block(statement));
        !is_freed && !is_plain(statement, function)
    })?;
    Some(format!("its harness does more than call {function}: {more}"))
}

/// True for a declaration without a value or with a new block, for a call of the function, for freeing nothing, and for nothing.
fn is_plain(statement: &str, function: &str) -> bool {
    let statement = statement.trim_matches(['{', '}', ' ']);
    let squeezed: String = statement.split_whitespace().collect();
    if ["free(0)", "free(((void*)0))", "free((void*)0)"].contains(&squeezed.as_str()) {
        return true;
    }
    let ends_before =
        |at: &usize| !statement[..*at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    let call = statement.find(function).filter(ends_before);
    let call = call.filter(|at| statement[at + function.len()..].trim_start().starts_with('('));
    match (call, statement.split_once("= malloc(")) {
        (None, Some((declared, size))) => is_declaration(declared) && size.trim_end_matches(')').parse::<u32>().is_ok(),
        (None, None) => is_declaration(statement),
        (Some(at), _) => {
            let before = statement[..at].trim_end();
            let is_kept = before.is_empty() || before.strip_suffix('=').is_some_and(|kept| !kept.contains(['(', '=']));
            let arguments = statement[at + function.len()..].replace("((void *)0)", "0");
            is_kept && !arguments.contains(['=', '{']) && arguments.matches('(').count() == 1
        }
    }
}

/// The variable that is declared with a new block as its value: freeing it does nothing to what the function is called with, which is any caller's.
fn made_block(statement: &str) -> Option<String> {
    let (declared, size) = statement.trim_matches(['{', '}', ' ']).split_once("= malloc(")?;
    let name = declared.trim_end().rsplit(['*', ' ']).next().unwrap_or_default().to_owned();
    (is_declaration(declared) && size.trim_end_matches(')').parse::<u32>().is_ok()).then_some(name)
}

/// True where nothing is given a value and nothing is called: brackets stand only in sizes and around the stars of pointers.
fn is_declaration(statement: &str) -> bool {
    let mut depth = 0;
    let outside: String = statement
        .chars()
        .filter(|letter| {
            depth += i32::from(*letter == '[') - i32::from(*letter == ']');
            depth == 0 && *letter != ']'
        })
        .collect();
    let outside = match outside.split_once("(*") {
        Some((before, after)) => format!("{before}{}", after.replacen(')', "", 1)),
        None => outside,
    };
    !outside.contains(['(', '=', '{', '}'])
}

/// Without lines for the preprocessor.
pub fn without_marks(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n")
}

/// What stands between the outer brackets of a function.
pub fn body(text: &str, function: &str) -> Option<String> {
    let starts = text.match_indices(function).map(|(at, _)| &text[at + function.len()..]);
    let mut heads = starts.filter_map(|after| after.trim_start().strip_prefix('(')?.split_once(')'));
    let inside = heads.find_map(|(_, after)| after.trim_start().strip_prefix('{'))?;
    let mut depth = 1;
    for (at, letter) in inside.char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 {
            return Some(inside[..at].to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_more() {
        for plain in [
            "",
            "int *a",
            "uint8_t x[3], y",
            "f(a, b)",
            "int t = f(a)",
            "t = f ( a )",
            "{ free(((void *)0))",
            "} int (*p)[(3 + 1)]",
            "int *q = malloc(1)",
        ] {
            assert!(is_plain(plain, "f"), "{plain}");
        }
        for more in [
            "int x = 3",
            "g(a)",
            "assert(f(a))",
            "__CPROVER_assume(x > 1)",
            "t = f(g(a))",
            "x = y = f(a)",
            "if (x) f(a)",
            "int *q = malloc(g(1))",
            "free(p)",
            "xf(a)",
        ] {
            assert!(!is_plain(more, "f"), "{more}");
        }
    }

    #[test]
    fn what_a_harness_makes_it_may_free() {
        let asks = |body: &str| more_than_call(&[format!("void harness(void) {{ {body} }}")], "harness", "f");
        assert_eq!(asks("{ char *p = malloc(1); free(p); } int *q; f(q);"), None);
        assert!(asks("char *p = malloc(1); free(q); f(q);").is_some());
        assert!(asks("char *p; free(p); f(p);").is_some());
    }

    #[test]
    fn bodies_are_found() {
        let text = without_marks("void harness(void);\n# 3 \"{\"\nvoid harness( void )\n{ int x; f(x); }\n");
        assert_eq!(body(&text, "harness").as_deref(), Some(" int x; f(x); "));
    }
}
