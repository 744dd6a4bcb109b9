//! The conversation with the editor.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::Limits;
use crate::answer::{diagnostics, hints, story};
use crate::checker::{Checker, Found, Order};
use crate::document::{Document, functions, path_of};

/// A lens that checks one function with the whole time limit, and one that shows the run of a violation.
const CHECK: &str = "belay.checkFunction";
const SHOW: &str = "belay.showRun";

pub struct Server {
    connection: Connection,
    open: HashMap<String, Document>,
    answers: HashMap<String, Found>,
    orders: Sender<Order>,
    found: Receiver<Found>,
    worker: Option<JoinHandle<()>>,
    next: i32,
}

impl Server {
    /// Greets the editor and starts the worker.
    pub fn start(connection: Connection, belay: PathBuf, limits: Limits) -> Result<Self, String> {
        let capabilities = json!({
            "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": false } },
            "inlayHintProvider": true,
            "codeLensProvider": { "resolveProvider": false },
            "executeCommandProvider": { "commands": [CHECK, SHOW] },
        });
        let greeting = connection.initialize(capabilities).map_err(|error| error.to_string())?;
        let root = greeting["rootUri"].as_str().and_then(path_of);
        let ((orders, inbox), (outbox, found)) = (channel(), channel());
        let worker = Checker::new(belay, limits, root, inbox, outbox).map_err(|error| error.to_string())?;
        let worker = std::thread::spawn(move || worker.work());
        Ok(Self {
            connection,
            open: HashMap::new(),
            answers: HashMap::new(),
            orders,
            found,
            worker: Some(worker),
            next: 0,
        })
    }

    /// Serves until the editor says that it is done or is gone.
    pub fn serve(mut self) -> Result<(), String> {
        let served = self.converse();
        let _ = self.orders.send(Order::Stop);
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
        served
    }

    fn converse(&mut self) -> Result<(), String> {
        loop {
            // What the worker found is published between two messages; the pause is short enough not to be seen.
            let message = self.connection.receiver.recv_timeout(std::time::Duration::from_millis(20));
            self.publish_found()?;
            match message {
                Ok(Message::Request(request)) => {
                    if self.connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                        return Ok(());
                    }
                    self.answer(request)?;
                }
                Ok(Message::Notification(notification)) => self.note(notification),
                Ok(Message::Response(_)) => {}
                Err(error) if error.is_timeout() => {}
                Err(_) => return Ok(()),
            }
        }
    }

    fn send(&self, message: Message) -> Result<(), String> {
        self.connection.sender.send(message).map_err(|error| error.to_string())
    }

    fn note(&mut self, notification: Notification) {
        let params = notification.params;
        let Some(uri) = params["textDocument"]["uri"].as_str().map(str::to_owned) else { return };
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str().unwrap_or_default().to_owned();
                self.update(uri, text, params["textDocument"]["version"].as_i64().unwrap_or(0));
            }
            "textDocument/didChange" => {
                let text = params["contentChanges"].as_array().and_then(|changes| changes.last()?["text"].as_str());
                let Some(text) = text.map(str::to_owned) else { return };
                self.update(uri, text, params["textDocument"]["version"].as_i64().unwrap_or(0));
            }
            "textDocument/didClose" => {
                self.open.remove(&uri);
                self.answers.remove(&uri);
                let _ = self.orders.send(Order::Forget(uri.clone()));
                let _ = self.publish(&uri, 0, Vec::new());
            }
            _ => {}
        }
    }

    fn update(&mut self, uri: String, text: String, version: i64) {
        let Some(path) = path_of(&uri) else { return };
        let document = Document { uri: uri.clone(), path, text, version };
        self.open.insert(uri, document.clone());
        let _ = self.orders.send(Order::Check(document));
    }

    /// Publishes what was found for texts that are still the same.
    fn publish_found(&mut self) -> Result<(), String> {
        while let Ok(found) = self.found.try_recv() {
            let Some(document) = self.open.get(&found.uri) else { continue };
            if document.version != found.version {
                continue;
            }
            let mut shown = diagnostics(document, &found.copy, &found.reports);
            shown.extend(found.failure.as_deref().map(failed));
            self.publish(&found.uri, found.version, shown)?;
            self.answers.insert(found.uri.clone(), found);
            self.next += 1;
            let id = lsp_server::RequestId::from(self.next);
            self.send(Message::Request(Request::new(id, "workspace/inlayHint/refresh".to_owned(), Value::Null)))?;
        }
        Ok(())
    }

    fn publish(&self, uri: &str, version: i64, diagnostics: Vec<Value>) -> Result<(), String> {
        let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
        self.send(Message::Notification(Notification::new("textDocument/publishDiagnostics".to_owned(), params)))
    }

    fn answer(&mut self, request: Request) -> Result<(), String> {
        let uri = request.params["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        let result = match request.method.as_str() {
            "textDocument/inlayHint" => self.inlay_hints(&uri),
            "textDocument/codeLens" => self.lenses(&uri),
            "workspace/executeCommand" => self.execute(&request.params)?,
            other => {
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                return self.send(Message::Response(Response::new_err(request.id, code, format!("no {other} here"))));
            }
        };
        self.send(Message::Response(Response::new_ok(request.id, result)))
    }

    fn inlay_hints(&self, uri: &str) -> Value {
        let (Some(document), Some(found)) = (self.open.get(uri), self.answers.get(uri)) else { return json!([]) };
        if document.version != found.version {
            return json!([]);
        }
        Value::Array(hints(&found.copy, &found.reports, &document.text))
    }

    fn lenses(&self, uri: &str) -> Value {
        let Some(document) = self.open.get(uri) else { return json!([]) };
        let at =
            |line: u32| json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 0 } });
        let mut lenses: Vec<Value> = functions(&document.text)
            .into_iter()
            .map(|function| {
                let command =
                    json!({ "title": "check this function", "command": CHECK, "arguments": [uri, function.name] });
                json!({ "range": at(function.line), "command": command })
            })
            .collect();
        let current = self.answers.get(uri).filter(|found| found.version == document.version);
        if let Some(found) = current.filter(|found| story(&found.reports).is_some()) {
            let shown = diagnostics(document, &found.copy, &found.reports);
            let first = shown.into_iter().find(|one| one["severity"] == 1);
            let line = first.and_then(|one| one["range"]["start"]["line"].as_u64()).unwrap_or(0);
            let command = json!({ "title": "show the run", "command": SHOW, "arguments": [uri] });
            lenses.push(json!({ "range": at(u32::try_from(line).unwrap_or(0)), "command": command }));
        }
        Value::Array(lenses)
    }

    fn execute(&mut self, params: &Value) -> Result<Value, String> {
        let arguments = &params["arguments"];
        let uri = arguments[0].as_str().unwrap_or_default();
        match params["command"].as_str() {
            Some(CHECK) => {
                if let (Some(document), Some(name)) = (self.open.get(uri), arguments[1].as_str()) {
                    let _ = self.orders.send(Order::Function(document.clone(), name.to_owned()));
                }
                Ok(Value::Null)
            }
            Some(SHOW) => {
                let text = self.answers.get(uri).and_then(|found| story(&found.reports));
                if let Some(text) = &text {
                    let params = json!({ "type": 3, "message": text });
                    let note = Notification::new("window/showMessage".to_owned(), params);
                    self.send(Message::Notification(note))?;
                }
                Ok(text.map_or(Value::Null, Value::String))
            }
            Some(_) | None => Ok(Value::Null),
        }
    }
}

/// A file that does not compile, or a check that failed: at the top of the file.
fn failed(reason: &str) -> Value {
    let reason = if reason.is_empty() { "Belay gave no answer" } else { reason };
    json!({
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } },
        "severity": 2,
        "source": "belay",
        "message": reason,
    })
}
