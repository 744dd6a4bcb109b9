//! How a file is laid out: what fits on a line stands on one, the rest is broken, one part a line, so that two files can be compared line by line.

use serde_json::Value as Json;

/// Characters of a line.
const WIDTH: usize = 120;

/// The text of a file.
pub(crate) fn print(json: &Json) -> String {
    let mut text = String::new();
    write(json, 0, 0, &mut text);
    text.push('\n');
    text
}

fn write(json: &Json, indent: usize, before: usize, text: &mut String) {
    let on_one_line = json.to_string();
    if indent + before + on_one_line.len() <= WIDTH && indent > 0 {
        text.push_str(&on_one_line);
        return;
    }
    let parts: Vec<(String, &Json)> = match json {
        Json::Array(items) => items.iter().map(|item| (String::new(), item)).collect(),
        Json::Object(fields) => {
            fields.iter().map(|(name, item)| (format!("{}: ", Json::from(name.as_str())), item)).collect()
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => return text.push_str(&on_one_line),
    };
    let (open, close) = if json.is_array() { ('[', ']') } else { ('{', '}') };
    text.push(open);
    for (at, (name, item)) in parts.iter().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(indent + 1));
        text.push_str(name);
        write(item, indent + 1, name.len() + 1, text);
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}
