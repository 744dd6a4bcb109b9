//! As much of TOML as a project's file needs: tables, arrays of tables, strings, whole numbers, booleans, and arrays of strings. What goes beyond is an error at
//! its line, never passed over.

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// `"text"`
    Text(String),
    /// `12`
    Number(u64),
    /// `true`
    Truth(bool),
    /// `["a", "b"]`
    List(Vec<String>),
}

/// `[name]` or `[[name]]` and what follows; the first has no name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    pub name: String,
    pub line: usize,
    pub values: Vec<(String, Value, usize)>,
}

/// The tables of a text, in order.
pub fn parse(text: &str) -> Result<Vec<Table>, String> {
    let mut tables = vec![Table { line: 1, ..Table::default() }];
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let number = index + 1;
        let line = uncommented(line).trim().to_owned();
        if line.is_empty() {
            continue;
        }
        if let Some(head) = line.strip_prefix('[') {
            let name =
                head.strip_prefix('[').and_then(|name| name.strip_suffix("]]")).or_else(|| head.strip_suffix(']'));
            let name = name.ok_or_else(|| format!("line {number}: `]` is missing"))?.trim().to_owned();
            tables.push(Table { name, line: number, values: Vec::new() });
            continue;
        }
        let (key, value) = line.split_once('=').ok_or_else(|| format!("line {number}: `key = value` is expected"))?;
        let mut value = value.trim().to_owned();
        // An array may go on in the next lines.
        while value.starts_with('[') && !value.ends_with(']') {
            let Some((_, more)) = lines.next() else { return Err(format!("line {number}: `]` is missing")) };
            value.push_str(uncommented(more).trim());
        }
        let value =
            parse_value(&value).ok_or_else(|| format!("line {number}: the value `{value}` is not understood"))?;
        let key = key.trim().to_owned();
        if let Some(table) = tables.last_mut() {
            if table.values.iter().any(|(known, ..)| *known == key) {
                return Err(format!("line {number}: `{key}` is given twice"));
            }
            table.values.push((key, value, number));
        }
    }
    Ok(tables)
}

/// Without the comment at its end.
fn uncommented(line: &str) -> &str {
    let mut is_quoted = None;
    let mut escaped = false;
    for (at, letter) in line.char_indices() {
        match (is_quoted, letter) {
            _ if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (None, '"' | '\'') => is_quoted = Some(letter),
            (Some(quote), letter) if quote == letter => is_quoted = None,
            (None, '#') => return &line[..at],
            _ => {}
        }
    }
    line
}

fn parse_value(text: &str) -> Option<Value> {
    if let Some(inside) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let mut all = Vec::new();
        let mut rest = inside.trim();
        while !rest.is_empty() {
            let (text, more) = parse_text(rest)?;
            all.push(text);
            rest = more.trim();
            rest = match rest.strip_prefix(',') {
                Some(more) => more.trim(),
                None if rest.is_empty() => rest,
                None => return None,
            };
        }
        return Some(Value::List(all));
    }
    match text {
        "true" => return Some(Value::Truth(true)),
        "false" => return Some(Value::Truth(false)),
        _ => {}
    }
    if let Ok(number) = text.replace('_', "").parse::<u64>() {
        return Some(Value::Number(number));
    }
    parse_text(text).filter(|(_, rest)| rest.trim().is_empty()).map(|(text, _)| Value::Text(text))
}

/// A string at the beginning of a text, and what follows it.
fn parse_text(text: &str) -> Option<(String, &str)> {
    if let Some(rest) = text.strip_prefix('\'') {
        return rest.split_once('\'').map(|(text, rest)| (text.to_owned(), rest));
    }
    let mut out = String::new();
    let mut letters = text.strip_prefix('"')?.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((out, &text[at + 2..])),
            '\\' => out.push(match letters.next()?.1 {
                'n' => '\n',
                't' => '\t',
                quoted @ ('"' | '\\') => quoted,
                _ => return None,
            }),
            letter => out.push(letter),
        }
    }
    None
}

/// A string as TOML has it.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_values() {
        let text =
            "a = \"x # \\\"y\\\"\" # more\nn = 1_000\n[[entry]]\nlist = [\n  'p', # first\n  \"q\",\n]\non = true\n";
        let tables = parse(text).expect("it is TOML");
        assert_eq!(tables[0].values[0].1, Value::Text("x # \"y\"".to_owned()));
        assert_eq!(tables[0].values[1].1, Value::Number(1000));
        assert_eq!((tables[1].name.as_str(), tables[1].line), ("entry", 3));
        assert_eq!(tables[1].values[0].1, Value::List(vec!["p".to_owned(), "q".to_owned()]));
        assert_eq!(tables[1].values[1].1, Value::Truth(true));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for bad in ["a", "a = ", "a = 1.5", "a = [1]", "[x", "a = 1\na = 2", "a = \"x", "a = [\"x\""] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
