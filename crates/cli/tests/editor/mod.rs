//! The editor's protocol: a server is spoken to as an editor does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Scratch, belay, repository, shown};

/// A server and the messages that it sends.
struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next: i64,
}

impl Editor {
    fn new() -> Editor {
        Editor::in_folder(None)
    }

    fn in_folder(root: Option<&std::path::Path>) -> Editor {
        let mut server = belay()
            .args(["lsp", "--time-limit", "20"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut editor = Editor { server, input, messages, next: 0 };
        let capabilities = json!({ "window": { "showDocument": { "support": true } } });
        let root = root.map(|root| format!("file://{}", root.display()));
        editor.ask("initialize", json!({ "capabilities": capabilities, "rootUri": root }));
        editor.tell("initialized", json!({}));
        editor
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("the server answers");
            if wanted(&message) {
                return message;
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, version: i64, text: &str) {
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
    }

    /// What is shown once all of a version is checked.
    fn diagnostics(&mut self, version: i64) -> Vec<Value> {
        let mut last = None;
        loop {
            let message = self.wait(|message| message["params"]["version"] == version);
            match message["method"].as_str() {
                Some("textDocument/publishDiagnostics") => last = Some(message["params"]["diagnostics"].clone()),
                Some("$/belay/checked") => return last.unwrap().as_array().unwrap().clone(),
                _ => {}
            }
        }
    }

    /// The titles of the fixes for a diagnostic, and the fixes.
    fn fixes(&mut self, uri: &str, diagnostic: &Value) -> Vec<Value> {
        let about = json!({
            "textDocument": { "uri": uri },
            "range": diagnostic["range"],
            "context": { "diagnostics": [diagnostic] },
        });
        self.ask("textDocument/codeAction", about)["result"].as_array().unwrap().clone()
    }

    fn execute(&mut self, command: &Value) {
        let words = json!({ "command": command["command"], "arguments": command["arguments"] });
        self.ask("workspace/executeCommand", words);
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().ok()?,
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[test]
fn an_editor_is_told_what_goes_wrong() {
    let folder = Scratch::new("lsp");
    let uri = format!("file://{}/program.c", folder.path().display());
    let mut editor = Editor::new();
    let wrong = "int main(void) {\n    int a[3] = {0};\n    int sum = 0;\n    for (int i = 0; i <= 3; i++)\n        sum += a[i];\n    return sum;\n}\n";
    editor.open(&uri, wrong);
    let shown = editor.diagnostics(1);
    let error = shown.iter().find(|one| one["severity"] == 1).unwrap();
    assert_eq!(error["range"]["start"]["line"], 4, "{error}");
    assert_eq!(error["code"], "valid-deref");

    // A burst of edits: only the last one is answered in the end, and the answer is about it.
    for version in 2..12 {
        editor.change(&uri, version, if version % 2 == 0 { "int main(void) {" } else { wrong });
    }
    editor.change(&uri, 12, &wrong.replace("<=", "<"));
    assert!(editor.diagnostics(12).iter().all(|one| one["severity"] != 1));
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(lenses["result"][0]["command"]["title"], "check this function");

    // Text that does not compile is a warning, and no end of the server.
    editor.change(&uri, 13, "int main(void) { return x; }\n");
    assert!(editor.diagnostics(13).iter().any(|one| one["severity"] == 2));
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert!(editor.ask("shutdown", Value::Null)["result"].is_null());
    editor.tell("exit", Value::Null);
    assert!(editor.server.wait().unwrap().success());
}

#[test]
fn functions_of_a_library_are_checked_by_themselves() {
    let folder = Scratch::new("lsp-library");
    let uri = format!("file://{}/library.c", folder.path().display());
    let mut editor = Editor::new();
    let library = "int half(int x) { return x / 2; }\nint ratio(int x, int y) {\n    return x / y;\n}\n";
    editor.open(&uri, library);
    let shown = editor.diagnostics(1);
    assert!(shown.iter().any(|one| one["severity"] == 1 && one["range"]["start"]["line"] == 2), "{shown:?}");
    editor.change(&uri, 2, &library.replace("return x / y", "if (y <= 0)\n        return 0;\n    return x / y"));
    let shown = editor.diagnostics(2);
    assert!(shown.iter().all(|one| one["severity"] != 1), "{shown:?}");
}

/// The edits of an answer, applied to the text.
fn apply(text: &str, edit: &Value) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let edits = edit["documentChanges"][0]["edits"].as_array().unwrap();
    // From the end, so that places stay what they are.
    for one in edits.iter().rev() {
        let at = &one["range"]["start"];
        let line = &mut lines[at["line"].as_u64().unwrap() as usize];
        line.insert_str(at["character"].as_u64().unwrap() as usize, one["newText"].as_str().unwrap());
    }
    lines.join("\n")
}

#[test]
fn a_missing_precondition_is_found_and_inserted() {
    let folder = Scratch::new("lsp-fix");
    let uri = format!("file://{}/library.c", folder.path().display());
    let mut editor = Editor::new();
    let library = "int first(const int *p) {\n    return *p;\n}\n";
    editor.open(&uri, library);
    let shown = editor.diagnostics(1);
    assert_eq!(shown.len(), 1, "one reason is said once: {shown:?}");
    let fixes = editor.fixes(&uri, &shown[0]);
    assert_eq!(fixes[0]["title"], "Belay: look for a precondition of first");
    editor.execute(&fixes[0]["command"]);
    let asked = editor.wait(|message| message["method"] == "workspace/applyEdit");
    let fixed = apply(library, &asked["params"]["edit"]);
    assert!(fixed.contains("#ifdef __BELAY__\n__CPROVER_requires("), "{fixed}");
    // The function is checked against its contract now, and other compilers see nothing of it.
    editor.change(&uri, 2, &fixed);
    assert_eq!(editor.diagnostics(2), Vec::<Value>::new());
    let plain = folder.file("plain.c", &fixed);
    let compiled = Command::new("cc").args(["-Wall", "-Werror", "-fsyntax-only"]).arg(plain).output().unwrap();
    assert!(compiled.status.success(), "{}", crate::common::shown(&compiled));
}

#[test]
fn the_run_is_a_page_and_one_function_leaves_the_others() {
    let folder = Scratch::new("lsp-page");
    let uri = format!("file://{}/library.c", folder.path().display());
    let mut editor = Editor::new();
    editor.open(&uri, "int f(int x) { return 5 / x; }\nint g(int x) { return 7 % x; }\n");
    assert_eq!(editor.diagnostics(1).len(), 2);
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let lens = |title: &str| {
        let all = lenses["result"].as_array().unwrap().iter();
        all.map(|lens| lens["command"].clone()).filter(|command| command["title"] == title).collect::<Vec<Value>>()
    };
    assert_eq!((lens("check this function").len(), lens("show the run").len()), (2, 2));
    editor.execute(&lens("show the run")[1]);
    let asked = editor.wait(|message| message["method"] == "window/showDocument");
    let page = asked["params"]["uri"].as_str().unwrap().strip_prefix("file://").unwrap().to_owned();
    assert!(std::fs::read_to_string(page).unwrap().contains("7 % x"));
    editor.execute(&lens("check this function")[0]);
    assert_eq!(editor.diagnostics(1).len(), 2, "what is known of g stays");
}

#[test]
fn a_header_that_changes_makes_answers_stale() {
    let folder = Scratch::new("lsp-header");
    folder.file("size.h", "#define SIZE 4\n");
    let uri = format!("file://{}/library.c", folder.path().display());
    let mut editor = Editor::in_folder(Some(folder.path()));
    let library = "#include \"size.h\"\nint at(unsigned i) {\n    int a[SIZE] = {0};\n    return a[i & 3];\n}\n";
    editor.open(&uri, library);
    assert!(editor.diagnostics(1).is_empty());
    folder.file("size.h", "#define SIZE 3\n");
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    assert!(editor.diagnostics(1).iter().any(|one| one["code"] == "valid-deref"));
}

/// Numbers of which each follows from the one before.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % most
    }
}

/// A small library, whose functions can be broken and mended in many ways.
fn library() -> Vec<String> {
    let function = |number: usize| {
        format!(
            "int f{number}(int x) {{\n    int a[4] = {{0}};\n    if (x < 0 || x > 3)\n        return {number};\n    return a[x];\n}}\n"
        )
    };
    (0..4).map(function).collect()
}

fn edit_at_random(parts: &mut [String], numbers: &mut Numbers) {
    let fresh = library();
    let at = numbers.below(parts.len());
    parts[at] = match numbers.below(8) {
        0 => fresh[at].replace("x > 3", "x > 4"),
        1 => fresh[at].replace("x < 0 || ", ""),
        2 => fresh[at].replace("return a[x]", "return a[x] / x"),
        3 => fresh[at].replace("    return a", "\n\n    return a"),
        4 => format!("/* {} */\n{}", numbers.below(9), fresh[at]),
        5 => fresh[at].trim_end().trim_end_matches('}').to_owned(),
        6 => fresh[at].replace("a[4]", &format!("a[{}]", 3 + numbers.below(3))),
        _ => fresh[at].clone(),
    };
}

/// What matters of diagnostics: what goes wrong, and where.
fn errors(shown: &[Value]) -> Vec<String> {
    let wrong = shown.iter().filter(|one| one["severity"] != 3);
    let mut errors: Vec<String> = wrong.map(|one| format!("{} {}", one["range"]["start"], one["code"])).collect();
    errors.sort();
    errors
}

/// Edits one after the other, some in bursts; now and then what is shown is compared with what a server says that knows nothing of before.
fn random_edits(name: &str, count: i64, compare_every: i64) {
    let folder = Scratch::new(name);
    let uri = format!("file://{}/library.c", folder.path().display());
    let (mut editor, mut numbers, mut parts) = (Editor::new(), Numbers(7), library());
    editor.open(&uri, &parts.concat());
    editor.diagnostics(1);
    for version in 2..=count {
        edit_at_random(&mut parts, &mut numbers);
        editor.change(&uri, version, &parts.concat());
        if version % compare_every == 0 {
            let shown = errors(&editor.diagnostics(version));
            let mut fresh = Editor::new();
            fresh.open(&uri, &parts.concat());
            assert_eq!(shown, errors(&fresh.diagnostics(1)), "after {version} edits of\n{}", parts.concat());
        } else {
            std::thread::sleep(Duration::from_millis(numbers.below(160) as u64));
        }
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", editor.server.id())).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: u64 = resident.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kibibytes < 1 << 20, "{kibibytes} KiB");
}

#[test]
fn random_edits_leave_no_stale_answer() {
    random_edits("lsp-random", 30, 10);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_random_edits() {
    random_edits("lsp-500", 500, 10);
}

/// The copies that a server makes are in a folder with its number.
fn folder_of(editor: &Editor) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("belay-lsp-{}", editor.server.id()))
}

/// A server that is killed while it works takes its work with it; the next one removes what it left, answers, and leaves alone what belongs to a server that lives.
#[test]
fn a_killed_server_leaves_nothing_behind() {
    let folder = Scratch::new("lsp-killed");
    let uri = format!("file://{}/library.c", folder.path().display());
    let library = "int f(int x) {\n    int a[2] = {0};\n    return a[x & 3];\n}\n";
    let (mut killed, mut bystander) = (Editor::new(), Editor::new());
    for editor in [&mut killed, &mut bystander] {
        editor.open(&uri, library);
        editor.diagnostics(1);
    }
    let left = folder_of(&killed);
    assert!(left.exists());
    killed.change(&uri, 2, &library.replace("& 3", "& 1"));
    killed.server.kill().unwrap();
    killed.server.wait().unwrap();
    let mut next = Editor::new();
    next.open(&uri, library);
    assert!(next.diagnostics(1).iter().any(|one| one["code"] == "valid-deref"));
    assert!(!left.exists(), "{}", left.display());
    assert!(folder_of(&bystander).exists() && folder_of(&next).exists());
}

/// A file that vanishes under the editor is checked by its text; a folder that is gone is no end of the server.
#[test]
fn files_that_vanish_are_checked_by_their_text() {
    let folder = Scratch::new("lsp-vanished");
    let place = folder.path().join("gone");
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("library.c"), "int f(void) { return 0; }\n").unwrap();
    let uri = format!("file://{}/library.c", place.display());
    let mut editor = Editor::in_folder(Some(&place));
    editor.open(&uri, "int f(void) { return 0; }\n");
    assert!(editor.diagnostics(1).is_empty());
    std::fs::remove_dir_all(&place).unwrap();
    editor.change(&uri, 2, "int f(void) {\n    int a[2] = {0};\n    return a[2];\n}\n");
    assert!(editor.diagnostics(2).iter().any(|one| one["code"] == "valid-deref"));
    editor.change(&uri, 3, "int f(void) { return 0; }\n");
    assert!(editor.diagnostics(3).is_empty());
}

/// The extension itself, in an editor's place: its client is one that starts the server which it names and greets it.
#[test]
fn the_extension_starts_the_server() {
    let folder = Scratch::new("extension");
    let script = folder.file("host.js", include_str!("host.js"));
    let extension = repository().join("editors/vscode/extension.js");
    let output = Command::new("node").arg(script).arg(extension).arg(env!("CARGO_BIN_EXE_belay")).output().unwrap();
    assert!(output.status.success(), "{}", shown(&output));
}
