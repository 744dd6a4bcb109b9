// Starts `belay lsp` for C files; all else is the protocol's.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("belay");
  const run = { command: settings.get("path", "belay"), args: ["lsp", "--time-limit", String(settings.get("timeLimit", 10))] };
  client = new LanguageClient("belay", "Belay", { run, debug: run }, { documentSelector: [{ scheme: "file", language: "c" }] });
  return client.start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("belay.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
