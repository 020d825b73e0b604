// The extension in VS Code itself. It needs code-server, which `npm run test:vscode` installs.
import { isInstalled } from "../../apps/vscode/host/Installation.ts"
import { run } from "../processes.mjs"

const missing = isInstalled() ? undefined : "code-server is not installed: npm run test:vscode does that."

const measured =
  (...words) =>
  () =>
    run("vscode/measure.mjs", words)

export const experiments = {
  "vscode-activation": {
    missing,
    title: "what activating the extension costs the extension host",
    subjects: { extension: measured("activation") },
    goals: [{ what: "CPU in ms", of: "extension", figure: "cpuMs", at: "<=300" }]
  },
  "vscode-chat": {
    missing,
    title: "from a press on an icon of VS Code to words in its view: an empty one, and the chat, in fresh windows",
    subjects: {
      empty: measured("empty"),
      chat: measured("chat"),
      "50,000": measured("long-chat"),
      "on a page": measured("long-page")
    },
    goals: [
      { what: "the chat's share, milliseconds", of: "chat", beyond: "empty", figure: "shownMs", at: "<=1500" },
      { what: "50,000 entries, milliseconds", of: "50,000", beyond: "chat", figure: "shownMs", at: "<=1000" }
    ]
  },
  "vscode-hidden": {
    missing,
    title: "a hidden chat for 20 seconds, without and with an agent that writes 1,000 chunks a second",
    subjects: { extension: measured("hidden") },
    goals: [
      { what: "added share of a processor", of: "extension", figure: "addedShare", at: "<=0.01" },
      { what: "documents of the chat", of: "extension", figure: "documents", at: "==0" }
    ]
  }
}
