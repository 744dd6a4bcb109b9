//! Blocks that have to come from the heap.

use crate::descriptions::NODE;

/// Words for blocks.
const BLOCKS: [&str; 5] =
    ["__CPROVER_is_fresh(", "__CPROVER_is_cstring(", "__BELAY_is_terminated(", "__BELAY_has_room(", HEADER];

const HEADER: &str = "__BELAY_has_header(";

/// A clause that says of each block that it comes from the heap. The blocks that a description makes do: where the function, or what it calls, frees anything, that is part
/// of what callers have to see to, but for the places of which was shown that they are not freed.
pub fn from_heap(clause: &str, alive: &[String]) -> String {
    let mut out = String::new();
    let mut rest = clause;
    loop {
        let first = BLOCKS.iter().filter_map(|word| rest.find(word).map(|at| (at, at + word.len()))).min();
        let list = rest.find("__BELAY_is_list(").filter(|at| first.is_none_or(|(first, _)| *at < first));
        let (Some((at, inside)), None) = (first, list) else {
            let Some(at) = list else { break };
            let inside = at + "__BELAY_is_list(".len();
            let Some(length) = argument(&rest[inside..]) else { break };
            let Some(member) = rest.get(inside + length + 1..).and_then(argument) else { break };
            let end = inside + length + 1 + member;
            out.push_str(&rest[..end]);
            out.push_str(&format!(", {}", of_heap(NODE, "0")));
            rest = &rest[end..];
            if let Some(condition) = rest.strip_prefix(',') {
                out.push_str(" &&");
                rest = condition;
            }
            continue;
        };
        let (Some(length), Some(whole)) = (argument(&rest[inside..]), closing(&rest[inside..])) else { break };
        let pointer = rest[inside..inside + length].to_owned();
        let header = rest.get(inside + length + 1..).filter(|_| &rest[at..inside] == HEADER);
        let offset = header.and_then(|behind| Some(behind[..argument(behind)?].trim())).unwrap_or("0");
        out.push_str(&rest[..inside + whole + 1]);
        if !alive.contains(&pointer) {
            out.push_str(&format!(" && {}", of_heap(&pointer, offset)));
        }
        rest = &rest[inside + whole + 1..];
    }
    out + rest
}

/// What can be freed: a block of the heap, of which the pointer leads to the start, or so many bytes behind it.
fn of_heap(pointer: &str, offset: &str) -> String {
    format!("__CPROVER_DYNAMIC_OBJECT({pointer}) && __CPROVER_POINTER_OFFSET({pointer}) == {offset}")
}

/// The length of an argument at the start of a text.
fn argument(text: &str) -> Option<usize> {
    outside(text).find(|(_, letter)| matches!(letter, ',' | ')')).map(|(at, _)| at)
}

/// Where the bracket closes that was opened before a text.
fn closing(text: &str) -> Option<usize> {
    outside(text).find(|(_, letter)| *letter == ')').map(|(at, _)| at)
}

/// The letters of a text that stand in no bracket that it opens, and those brackets' ends.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut depth = 0i32;
    text.char_indices().filter(move |(_, letter)| {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth <= 0 && !(depth == 0 && matches!(letter, ')' | ']' | '}'))
    })
}

#[cfg(test)]
mod tests {
    use super::from_heap;

    #[test]
    fn blocks_come_from_the_heap() {
        let heap = |pointer: &str| {
            format!(" && __CPROVER_DYNAMIC_OBJECT({pointer}) && __CPROVER_POINTER_OFFSET({pointer}) == 0")
        };
        let clause = "s == 0 || (__CPROVER_is_fresh(s, sizeof(*s)) && __CPROVER_is_cstring(s->a[k]))";
        let expected = format!(
            "s == 0 || (__CPROVER_is_fresh(s, sizeof(*s)){} && __CPROVER_is_cstring(s->a[k]){})",
            heap("s"),
            heap("s->a[k]")
        );
        assert_eq!(from_heap(clause, &[]), expected);
        let (node, name) = (heap("__BELAY_node"), heap("__BELAY_node->s"));
        let node = node.trim_start_matches(" && ");
        let list = from_heap("__BELAY_is_list(p, next, __CPROVER_is_cstring(__BELAY_node->s))", &[]);
        assert_eq!(list, format!("__BELAY_is_list(p, next, {node} && __CPROVER_is_cstring(__BELAY_node->s){name})"));
        assert_eq!(from_heap("__BELAY_is_list(p, next)", &[]), format!("__BELAY_is_list(p, next, {node})"));
        let headed = "__BELAY_has_header(s, 3, __BELAY_number(s - 2, 1) + 1)";
        let behind = " && __CPROVER_DYNAMIC_OBJECT(s) && __CPROVER_POINTER_OFFSET(s) == 3 && n > 0";
        assert_eq!(from_heap(&format!("{headed} && n > 0"), &[]), format!("{headed}{behind}"));
        assert_eq!(from_heap("n > 0", &[]), "n > 0");
        assert_eq!(from_heap("__CPROVER_is_cstring(s)", &["s".to_owned()]), "__CPROVER_is_cstring(s)");
    }
}
