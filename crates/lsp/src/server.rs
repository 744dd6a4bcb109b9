//! The conversation with the editor.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::Limits;
use crate::answer::{diagnostics, hints, violation};
use crate::checker::{Checker, Event, Found, Order};
use crate::document::{Document, functions, path_of};
use crate::fixes::{missing_fact, state_fact, state_precondition, undescribed_parameter};

/// A lens that checks one function with the whole time limit, one that shows the run of a violation, and a fix that looks for a precondition.
const CHECK: &str = "belay.checkFunction";
const SHOW: &str = "belay.showRun";
const REQUIRE: &str = "belay.findPrecondition";

pub struct Server {
    connection: Connection,
    open: HashMap<String, Document>,
    answers: HashMap<String, Found>,
    orders: Sender<Order>,
    events: Receiver<Event>,
    worker: Option<JoinHandle<()>>,
    next: i32,
    /// The editor can open a page.
    shows_documents: bool,
}

impl Server {
    /// Greets the editor and starts the worker.
    pub fn start(connection: Connection, belay: PathBuf, limits: Limits) -> Result<Self, String> {
        let capabilities = json!({
            "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": false } },
            "inlayHintProvider": true,
            "codeLensProvider": { "resolveProvider": false },
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "executeCommandProvider": { "commands": [CHECK, SHOW, REQUIRE] },
        });
        let greeting = connection.initialize(capabilities).map_err(|error| error.to_string())?;
        let folder = greeting["workspaceFolders"][0]["uri"].as_str().or(greeting["rootUri"].as_str());
        let root = folder.and_then(path_of);
        let shows_documents = greeting["capabilities"]["window"]["showDocument"]["support"] == true;
        let ((orders, inbox), (outbox, events)) = (channel(), channel());
        let worker = Checker::new(belay, limits, root, inbox, outbox).map_err(|error| error.to_string())?;
        let worker = std::thread::spawn(move || worker.work());
        Ok(Self {
            connection,
            open: HashMap::new(),
            answers: HashMap::new(),
            orders,
            events,
            worker: Some(worker),
            next: 0,
            shows_documents,
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
            self.take_events()?;
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
        if notification.method == "workspace/didChangeWatchedFiles" || notification.method == "textDocument/didSave" {
            // A header or the database may be another one now. What is known of files that do not depend on it stays.
            for document in self.open.values() {
                let _ = self.orders.send(Order::Check(document.clone()));
            }
            return;
        }
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

    fn take_events(&mut self) -> Result<(), String> {
        while let Ok(event) = self.events.try_recv() {
            match event {
                Event::Found(found) => self.publish_found(found)?,
                Event::Page(page) => self.show_page(&page.to_string_lossy())?,
                Event::Precondition(document, function, clauses) => {
                    let is_current = self.open.get(&document.uri).is_some_and(|now| now.version == document.version);
                    if let Some(edit) = state_precondition(&document, &function, &clauses).filter(|_| is_current) {
                        let params = json!({ "label": format!("Belay: a precondition of {function}"), "edit": edit });
                        self.request("workspace/applyEdit", params)?;
                    }
                }
                Event::Failed(why) => self.show_message(&why)?,
            }
        }
        Ok(())
    }

    /// Publishes what was found for a text that is still the same.
    fn publish_found(&mut self, mut found: Found) -> Result<(), String> {
        let Some(document) = self.open.get(&found.uri) else { return Ok(()) };
        if document.version != found.version {
            return Ok(());
        }
        // An answer for one function leaves those for the others as they are.
        let before = self.answers.get(&found.uri).filter(|known| found.is_part && known.version == found.version);
        if let Some(known) = before {
            let others = known.reports.iter().filter(|(name, _)| found.reports.iter().all(|(own, _)| own != name));
            let others: Vec<(String, Value)> = others.cloned().collect();
            found.reports.extend(others);
        }
        let mut shown = diagnostics(document, &found.copy, &found.reports);
        shown.extend(found.failure.as_deref().map(failed));
        let (uri, version, is_last) = (found.uri.clone(), found.version, found.is_last);
        self.answers.insert(uri.clone(), found);
        self.publish(&uri, version, shown)?;
        self.request("workspace/inlayHint/refresh", Value::Null)?;
        self.request("workspace/codeLens/refresh", Value::Null)?;
        if is_last {
            let done = json!({ "uri": uri, "version": version });
            self.send(Message::Notification(Notification::new("$/belay/checked".to_owned(), done)))?;
        }
        Ok(())
    }

    /// Asks the editor for something whose answer does not matter.
    fn request(&mut self, method: &str, params: Value) -> Result<(), String> {
        self.next += 1;
        let id = lsp_server::RequestId::from(self.next);
        self.send(Message::Request(Request::new(id, method.to_owned(), params)))
    }

    fn show_message(&self, text: &str) -> Result<(), String> {
        let params = json!({ "type": 3, "message": text });
        self.send(Message::Notification(Notification::new("window/showMessage".to_owned(), params)))
    }

    /// Opens a page where the editor can, else says where it is.
    fn show_page(&mut self, page: &str) -> Result<(), String> {
        if !self.shows_documents {
            return self.show_message(&format!("the run is shown in {page}"));
        }
        self.request("window/showDocument", json!({ "uri": format!("file://{page}"), "external": true }))
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
            "textDocument/codeAction" => self.fixes(&uri, &request.params),
            "workspace/executeCommand" => self.execute(&request.params),
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
        for (entry, report) in current.into_iter().flat_map(|found| &found.reports) {
            let Some((property, line)) = violation(report) else { continue };
            let command = json!({ "title": "show the run", "command": SHOW, "arguments": [uri, entry, property] });
            lenses.push(json!({ "range": at(line), "command": command }));
        }
        Value::Array(lenses)
    }

    /// What may help with the diagnostics at a place.
    fn fixes(&self, uri: &str, params: &Value) -> Value {
        let Some(document) = self.open.get(uri) else { return json!([]) };
        let wanted = params["context"]["diagnostics"].as_array().cloned().unwrap_or_default();
        let mut fixes: Vec<Value> = Vec::new();
        let own = wanted.into_iter().filter(|one| one["source"] == "belay");
        for diagnostic in own {
            let message = diagnostic["message"].as_str().unwrap_or_default();
            let line = diagnostic["range"]["start"]["line"].as_u64().and_then(|line| u32::try_from(line).ok());
            let entry = diagnostic["data"]["entry"].as_str().filter(|name| *name != "main");
            let fact = missing_fact(message).zip(line).and_then(|(fact, line)| state_fact(document, line, fact));
            if let Some((title, edit)) = fact {
                fixes.push(json!({ "title": title, "kind": "quickfix", "diagnostics": [diagnostic], "edit": edit }));
            }
            let asks = undescribed_parameter(message).is_some() || diagnostic["severity"] == 1;
            if let Some(entry) = entry.filter(|_| asks) {
                let title = format!("Belay: look for a precondition of {entry}");
                let command = json!({ "title": title, "command": REQUIRE, "arguments": [uri, entry] });
                let fix =
                    json!({ "title": title, "kind": "quickfix", "diagnostics": [diagnostic], "command": command });
                fixes.push(fix);
            }
        }
        Value::Array(fixes)
    }

    fn execute(&mut self, params: &Value) -> Value {
        let arguments = &params["arguments"];
        let document = arguments[0].as_str().and_then(|uri| self.open.get(uri)).cloned();
        let (Some(document), Some(name)) = (document, arguments[1].as_str().map(str::to_owned)) else {
            return Value::Null;
        };
        let order = match (params["command"].as_str(), arguments[2].as_str()) {
            (Some(CHECK), _) => Order::Function(document, name),
            (Some(SHOW), Some(property)) => Order::Page(document, name, property.to_owned()),
            (Some(REQUIRE), _) => Order::Precondition(document, name),
            _ => return Value::Null,
        };
        let _ = self.orders.send(order);
        Value::Null
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
