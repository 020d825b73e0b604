/** Says about the active file who suggests edits, or why nobody does. VS Code shows it among the states of the language. */
import * as vscode from "vscode"
import type { StatusWords } from "./StatusWords.ts"

export interface StatusItem extends vscode.Disposable {
  /** Undefined: the file is in no folder that gets suggestions. */
  readonly show: (words: StatusWords | undefined) => void
}

const severities = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error
} as const

export const make = (): StatusItem => {
  let item: vscode.LanguageStatusItem | undefined
  return {
    show: (words) => {
      if (words === undefined) {
        item?.dispose()
        item = undefined
        return
      }
      item ??= vscode.languages.createLanguageStatusItem("signalbox.suggestions", { scheme: "file" })
      item.name = "Signalbox suggestions"
      item.text = words.text
      item.detail = words.detail
      item.severity = severities[words.severity]
      item.busy = words.isBusy
      item.command =
        words.turn === undefined
          ? { command: "signalbox.showLog", title: "Show the Log" }
          : {
              command: "signalbox.turnSuggestions",
              title: words.turn === "on" ? "Turn On" : "Turn Off",
              tooltip: "For the page and all editors of the server"
            }
    },
    dispose: () => item?.dispose()
  }
}
