//! What the user says in C about a function's parameters: preconditions and lengths.
//!
//! Such an expression has to describe states, not to change or end them: `x = 1` for `x == 1` would make a verdict about another program,
//! and in `n / 0` every run would end before the function begins, which proves anything. So only expressions of a known kind are taken, read from
//! clang's syntax tree: operators without assignment, literals, parameters and other variables, accesses, casts, `sizeof`, divisions
//! by a constant that is not zero, and calls of library functions that change nothing.

/// Library functions that only look.
const PURE: &str = "
    strlen strnlen strcmp strncmp strcasecmp strncasecmp memcmp strchr strrchr strstr strspn strcspn strpbrk memchr
    isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper
    abs labs llabs fabs fabsf wcslen wcscmp";

/// What the functions that hold an expression each are called, before a number.
pub const HOLDER: &str = "__belay_expression";

/// A node of clang's tree.
struct Node<'d> {
    depth: usize,
    kind: &'d str,
    rest: &'d str,
}

/// A function that evaluates `expression` and nothing else.
pub fn holder(index: usize, params: &str, expression: &str) -> String {
    format!("static __attribute__((unused)) int {HOLDER}{index}({params}) {{ return !(({expression})); }}\n")
}

/// Why the expression of a holder is refused, or the library functions that it calls.
pub fn examine(dump: &str, index: usize) -> Result<Vec<String>, String> {
    let start = format!("Dumping {HOLDER}{index}:");
    let part = dump.split("\n\n").find(|part| part.lines().any(|line| line == start));
    let nodes: Vec<Node<'_>> = part.map(nodes).unwrap_or_default();
    let mut called = Vec::new();
    // The body and its only statement.
    let [body, statement, tree @ ..] = nodes.as_slice() else { return Err("is no expression".to_owned()) };
    if body.kind != "CompoundStmt" || statement.kind != "ReturnStmt" {
        return Err("is no expression".to_owned());
    }
    for (at, node) in tree.iter().enumerate() {
        examine_node(tree, at, node, &mut called)?;
    }
    Ok(called)
}

fn examine_node(tree: &[Node<'_>], at: usize, node: &Node<'_>, called: &mut Vec<String>) -> Result<(), String> {
    match node.kind {
        "BinaryOperator" => match operator(node.rest) {
            "=" => Err("assigns (is `==` meant?)".to_owned()),
            "/" | "%" if !is_float(node.rest) && !divisor_is_constant(tree, at) => Err("may divide by zero".to_owned()),
            _ => Ok(()),
        },
        "UnaryOperator" if matches!(operator(node.rest), "++" | "--") => Err("changes a variable".to_owned()),
        "CompoundAssignOperator" => Err("assigns".to_owned()),
        "CallExpr" => {
            let name = callee(tree, at).ok_or("calls a function by its address")?;
            if !PURE.split_whitespace().any(|pure| pure == name) {
                return Err(format!("calls {name}, which may do more than look"));
            }
            called.push(name.to_owned());
            Ok(())
        }
        "UnaryOperator"
        | "ParenExpr"
        | "ImplicitCastExpr"
        | "CStyleCastExpr"
        | "ConstantExpr"
        | "DeclRefExpr"
        | "IntegerLiteral"
        | "CharacterLiteral"
        | "FloatingLiteral"
        | "StringLiteral"
        | "ConditionalOperator"
        | "MemberExpr"
        | "ArraySubscriptExpr"
        | "OffsetOfExpr"
        | "UnaryExprOrTypeTraitExpr" => Ok(()),
        other => Err(format!("holds what is not understood here ({other})")),
    }
}

/// The body's nodes, in the order of the dump.
fn nodes(part: &str) -> Vec<Node<'_>> {
    let body = part.lines().skip_while(|line| !line.contains("-CompoundStmt ")).enumerate();
    let inside = body.take_while(|(at, line)| *at == 0 || line.starts_with(['|', ' ']) && !line.starts_with("|-"));
    inside
        .filter_map(|(_, line)| {
            let text = line.trim_start_matches(['|', ' ', '`']);
            let depth = (line.len() - text.len()) / 2;
            let (kind, rest) = text.strip_prefix('-')?.split_once(' ')?;
            Some(Node { depth, kind, rest })
        })
        .collect()
}

/// The operator of a node: what stands between quotes after the type.
fn operator(rest: &str) -> &str {
    let quoted: Vec<&str> = rest.split('\'').skip(1).step_by(2).collect();
    let symbols = |text: &&&str| text.bytes().all(|byte| byte.is_ascii_punctuation());
    quoted.iter().rev().find(symbols).copied().unwrap_or_default()
}

fn is_float(rest: &str) -> bool {
    let ty = rest.split('\'').nth(1).unwrap_or_default();
    matches!(ty, "float" | "double" | "long double")
}

/// The nodes right below the one at `at`.
fn children<'n, 'd>(tree: &'n [Node<'d>], at: usize) -> impl Iterator<Item = (usize, &'n Node<'d>)> {
    let depth = tree[at].depth;
    let below = tree.iter().enumerate().skip(at + 1).take_while(move |(_, node)| node.depth > depth);
    below.filter(move |(_, node)| node.depth == depth + 1)
}

/// Whether a division's second operand is a literal that is not 0, or a size.
fn divisor_is_constant(tree: &[Node<'_>], at: usize) -> bool {
    let Some((mut at, _)) = children(tree, at).nth(1) else { return false };
    loop {
        let node = &tree[at];
        match node.kind {
            "IntegerLiteral" => return node.rest.rsplit(' ').next().is_some_and(|value| value != "0"),
            "UnaryExprOrTypeTraitExpr" => return true,
            "UnaryOperator" if operator(node.rest) == "-" => {}
            "ParenExpr" | "ImplicitCastExpr" => {}
            _ => return false,
        }
        let Some((below, _)) = children(tree, at).next() else { return false };
        at = below;
    }
}

/// The name of the function that a call calls.
fn callee<'d>(tree: &[Node<'d>], at: usize) -> Option<&'d str> {
    let (function, _) = children(tree, at).next()?;
    let (_, reference) = children(tree, function).next()?;
    let (_, named) = reference.rest.split_once(" Function 0x")?;
    (reference.kind == "DeclRefExpr").then(|| named.split('\'').nth(1))?
}
