//! As much of JSON Schema (draft 7) as the schema of SARIF 2.1.0 uses: an unknown keyword is an error, so that nothing is passed over in silence.

use serde_json::Value;

/// What is wrong with `value`, by path.
pub fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    check(schema, schema, value, "$", &mut wrong);
    wrong
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str, wrong: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, wanted) in keywords {
        let fits = match keyword.as_str() {
            "$ref" => {
                let name = wanted.as_str().unwrap().strip_prefix("#/definitions/").unwrap();
                check(root, &root["definitions"][name], value, path, wrong);
                true
            }
            "type" => has_type(wanted, value),
            "enum" => wanted.as_array().unwrap().contains(value),
            "required" => check_required(wanted, value, path, wrong),
            "properties" => check_properties(root, wanted, value, path, wrong),
            "additionalProperties" => check_additional(root, schema, wanted, value, path, wrong),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, wanted, item, &format!("{path}[{index}]"), wrong);
                }
                true
            }
            "minimum" => value.as_f64().is_none_or(|value| value >= wanted.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|value| value <= wanted.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
            "uniqueItems" => value.as_array().is_none_or(|items| !wanted.as_bool().unwrap() || are_unique(items)),
            "anyOf" => branches(root, wanted, value) > 0,
            "oneOf" => branches(root, wanted, value) == 1,
            "format" => has_format(wanted.as_str().unwrap(), value),
            // Patterns are of GUIDs, languages, media types and times, of which our logs have none.
            "pattern" => !value.is_string(),
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" => true,
            other => panic!("the schema uses `{other}`"),
        };
        if !fits {
            wrong.push(format!("{path}: {keyword} {wanted} does not hold of {}", shortened(value)));
        }
    }
}

fn branches(root: &Value, schemas: &Value, value: &Value) -> usize {
    let fits = |schema: &&Value| {
        let mut wrong = Vec::new();
        check(root, schema, value, "", &mut wrong);
        wrong.is_empty()
    };
    schemas.as_array().unwrap().iter().filter(fits).count()
}

fn check_required(names: &Value, value: &Value, path: &str, wrong: &mut Vec<String>) -> bool {
    if let Some(object) = value.as_object() {
        for name in names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()) {
            if !object.contains_key(name) {
                wrong.push(format!("{path}: `{name}` is missing"));
            }
        }
    }
    true
}

fn check_properties(root: &Value, schemas: &Value, value: &Value, path: &str, wrong: &mut Vec<String>) -> bool {
    for (name, member) in value.as_object().into_iter().flatten() {
        if let Some(schema) = schemas.get(name) {
            check(root, schema, member, &format!("{path}.{name}"), wrong);
        }
    }
    true
}

fn check_additional(
    root: &Value,
    schema: &Value,
    wanted: &Value,
    value: &Value,
    path: &str,
    wrong: &mut Vec<String>,
) -> bool {
    for (name, member) in value.as_object().into_iter().flatten() {
        if schema["properties"].get(name).is_some() {
            continue;
        }
        match wanted {
            Value::Bool(false) => wrong.push(format!("{path}: `{name}` is unknown")),
            Value::Bool(true) => {}
            schema => check(root, schema, member, &format!("{path}.{name}"), wrong),
        }
    }
    true
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    match wanted.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("type {other}"),
    }
}

/// References to resources have neither blanks nor characters beyond ASCII.
fn has_format(format: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return true };
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte));
    match format {
        "uri-reference" => is_plain,
        "uri" => is_plain && text.contains(':'),
        "date-time" => text.contains('T'),
        other => panic!("format {other}"),
    }
}

fn are_unique(items: &[Value]) -> bool {
    items.iter().enumerate().all(|(index, item)| !items[..index].contains(item))
}

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}
