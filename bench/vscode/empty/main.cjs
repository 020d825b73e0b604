// An extension with a view that holds one word: what VS Code itself needs to show a webview.
const vscode = require("vscode")

exports.activate = (context) => {
  const resolveWebviewView = ({ webview }) => {
    webview.html = "<!doctype html><div id='root'><p>Empty</p></div>"
  }
  context.subscriptions.push(vscode.window.registerWebviewViewProvider("empty.view", { resolveWebviewView }))
}
