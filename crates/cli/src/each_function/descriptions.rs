//! What callers may give a function, from weak to strong: nothing said; one object, or a text, behind each pointer; arrays whose length is a number that is
//! passed as well; each also with null allowed.

use belay_frontend::{Entry, EntryParam};

use super::learn::is_integer;

/// What a pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape<'e> {
    /// One object of its type.
    Object,
    /// Characters and a 0.
    Text,
    /// As many elements as this parameter says.
    Array(&'e EntryParam),
}

/// The descriptions, each a list of clauses.
pub fn descriptions<'e>(entry: &'e Entry) -> Vec<Vec<String>> {
    let pointers: Vec<usize> = (0..entry.params.len()).filter(|index| is_described(&entry.params[*index])).collect();
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    if pointers.is_empty() {
        return all;
    }
    let texts = |index: usize| if is_text(&entry.params[index]) { Shape::Text } else { Shape::Object };
    let arrays = |index: usize| length_of(entry, index).map_or_else(|| texts(index), Shape::Array);
    let bytes = |index: usize| last_length(entry).map_or_else(|| texts(index), Shape::Array);
    let choices: [&dyn Fn(usize) -> Shape<'e>; 3] = [&texts, &arrays, &bytes];
    for choice in choices {
        for nullable in [true, false] {
            let clauses: Vec<String> =
                pointers.iter().map(|index| clause(&entry.params[*index], choice(*index), nullable)).collect();
            if !all.contains(&clauses) {
                all.push(clauses);
            }
        }
    }
    all
}

/// True for a pointer to something that an object can be of.
fn is_described(param: &EntryParam) -> bool {
    let ty = param.desugared.trim_end_matches("restrict").trim_end().trim_end_matches("const").trim_end();
    ty.ends_with('*') && !ty.contains('(') && !param.name.is_empty() && !ty.contains("FILE")
}

fn is_text(param: &EntryParam) -> bool {
    let ty = param.desugared.replace("const", "");
    let ty = ty.replace("restrict", "").replace(' ', "");
    ty == "char*"
}

/// The number that follows a pointer, or the one after a further pointer.
fn length_of(entry: &Entry, index: usize) -> Option<&EntryParam> {
    let after = entry.params.iter().skip(index + 1);
    let mut numbers = after.take(2).filter(|param| is_integer(&param.desugared) && !param.name.is_empty());
    numbers.next()
}

fn last_length(entry: &Entry) -> Option<&EntryParam> {
    entry.params.iter().rev().find(|param| is_integer(&param.desugared) && !param.name.is_empty())
}

fn clause(param: &EntryParam, shape: Shape<'_>, nullable: bool) -> String {
    let name = &param.name;
    let said = match shape {
        Shape::Object => format!("__CPROVER_is_fresh({name}, sizeof(*{name}))"),
        Shape::Text => format!("__CPROVER_is_cstring({name})"),
        Shape::Array(length) => {
            let length_name = &length.name;
            let fits = format!("(unsigned long long){length_name} <= (~0ul >> 1) / sizeof(*{name})");
            let block = format!("{fits} && __CPROVER_is_fresh({name}, {length_name} * sizeof(*{name}))");
            match length.desugared.contains("unsigned") {
                true => block,
                false => format!("{length_name} <= 0 || ({block})"),
            }
        }
    };
    if nullable { format!("{name} == 0 || ({said})") } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_descriptions_come_first() {
        let param =
            |name: &str, ty: &str| EntryParam { name: name.to_owned(), ty: ty.to_owned(), desugared: ty.to_owned() };
        let entry =
            Entry { name: "f".to_owned(), params: vec![param("a", "int *"), param("n", "int")], is_variadic: false };
        let all = descriptions(&entry);
        assert_eq!(all[0], Vec::<String>::new());
        assert_eq!(all[1], ["a == 0 || (__CPROVER_is_fresh(a, sizeof(*a)))"]);
        assert!(all.last().is_some_and(|last| last[0].starts_with("n <= 0 || (")));
        let scalar = Entry { name: "g".to_owned(), params: vec![param("n", "int")], is_variadic: false };
        assert_eq!(descriptions(&scalar).len(), 1);
    }
}
