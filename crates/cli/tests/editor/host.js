// Stands in for VS Code: `vscode` and its client are small ones of our own, all else is the extension and the server.
//
//     node host.js EXTENSION BELAY
"use strict";
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const Module = require("node:module");

const [extension, belay] = process.argv.slice(2);
let commands = {};

class LanguageClient {
  constructor(id, name, server, options) {
    assert.deepStrictEqual(options.documentSelector, [{ scheme: "file", language: "c" }]);
    this.run = server.run;
  }

  start() {
    this.process = spawn(this.run.command, this.run.args, { stdio: ["pipe", "pipe", "inherit"] });
    let text = "";
    this.waiting = new Map();
    this.process.stdout.on("data", (bytes) => {
      text += bytes;
      for (;;) {
        const head = /^Content-Length: (\d+)\r\n[^]*?\r\n/.exec(text);
        const start = text.indexOf("\r\n\r\n") + 4;
        if (!head || start < 4 || text.length < start + Number(head[1])) return;
        const message = JSON.parse(text.slice(start, start + Number(head[1])));
        text = text.slice(start + Number(head[1]));
        this.waiting.get(message.id ?? message.method)?.(message);
      }
    });
    return this.ask("initialize", { capabilities: {}, rootUri: null }).then((answer) => {
      this.capabilities = answer.result.capabilities;
      this.tell("initialized", {});
    });
  }

  send(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  tell(method, params) {
    this.send({ method, params });
  }

  ask(method, params) {
    const id = 1000 + this.waiting.size;
    this.send({ id, method, params });
    return new Promise((done) => this.waiting.set(id, done));
  }

  stop() {
    const ended = new Promise((done) => this.process.on("exit", done));
    return this.ask("shutdown", null).then(() => {
      this.tell("exit", null);
      return ended;
    });
  }
}

let client;
const vscode = {
  workspace: { getConfiguration: () => ({ get: (name, fallback) => (name === "path" ? belay : fallback) }) },
  commands: { registerCommand: (name, call) => ((commands[name] = call), { dispose() {} }) },
};
const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === "vscode") return vscode;
  if (name === "vscode-languageclient/node") {
    return { LanguageClient: class extends LanguageClient { constructor(...words) { super(...words); client = this; } } };
  }
  return load.call(this, name, ...rest);
};

(async () => {
  const { activate, deactivate } = require(extension);
  const context = { subscriptions: [] };
  await activate(context);
  assert.strictEqual(context.subscriptions.length, 1);
  assert.ok(client.capabilities.codeActionProvider && client.capabilities.inlayHintProvider);
  const shown = new Promise((done) => client.waiting.set("textDocument/publishDiagnostics", done));
  const text = "int f(int x) { return 5 / x; }\n";
  client.tell("textDocument/didOpen", { textDocument: { uri: "file:///tmp/extension.c", languageId: "c", version: 1, text } });
  const { params } = await shown;
  assert.ok(params.diagnostics.some((one) => one.severity === 1), JSON.stringify(params));
  const first = client;
  await commands["belay.restart"]();
  assert.notStrictEqual(client, first);
  assert.strictEqual(first.process.exitCode, 0);
  assert.strictEqual(await deactivate(), 0);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
