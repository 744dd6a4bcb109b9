//! Our own index: one JSON object a line.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::task::{Expected, Task, read};

#[derive(Deserialize)]
struct Row {
    suite: Option<String>,
    file: String,
    #[serde(default)]
    files: Vec<String>,
    property: String,
    #[serde(default)]
    expected: Value,
    subproperty: Option<String>,
    data_model: Option<String>,
    integers: Option<String>,
    parse: Option<String>,
    #[serde(default)]
    suspect: Value,
    #[serde(default)]
    uninit_as_nondet: bool,
}

/// Reads the index; paths start from its folder.
pub fn read_index(path: &Path) -> Result<Vec<Task>, String> {
    let root = path.parent().unwrap_or(Path::new("."));
    let text = read(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let task = |(number, line): (usize, &str)| {
        let row: Row =
            serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", path.display(), number + 1))?;
        Ok(task_of(root, row))
    };
    lines.map(task).collect()
}

fn task_of(root: &Path, row: Row) -> Task {
    let expected = match (&row.expected, is_given(&row.suspect)) {
        (Value::Bool(true), false) => Expected::True,
        (Value::Bool(false), false) => Expected::False,
        _ => Expected::Unknown,
    };
    let names = if row.files.is_empty() { vec![row.file.clone()] } else { row.files };
    let files = names.iter().map(|name| root.join(name)).collect();
    let mut task = Task::new(row.file, files, &row.property, expected);
    task.suite = row.suite.unwrap_or(task.suite);
    task.kind = row.subproperty;
    task.data_model = row.data_model.unwrap_or(task.data_model);
    task.integers = row.integers.unwrap_or(task.integers);
    // Uninitialised locals are arbitrary to Belay anyway, so that nothing follows from this field.
    let _ = row.uninit_as_nondet;
    let lenient = ["-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion"];
    task.compiler_flags = match row.parse.as_deref() {
        Some("gnu89") => vec!["-std=gnu89".to_owned()],
        Some("lenient") => lenient.iter().map(|flag| (*flag).to_owned()).collect(),
        _ => Vec::new(),
    };
    task
}

fn is_given(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
    }
}
