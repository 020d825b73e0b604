/** Signalbox in the status bar: what waits for people, what works, or that nothing is connected. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as vscode from "vscode"
import { statusOf } from "./StatusText.ts"

export interface StatusBar extends vscode.Disposable {
  /** Undefined: there is no connection. */
  readonly show: (threads: ReadonlyArray<ThreadSummary> | undefined) => void
  /** What stands there now, for tests: nobody can read the bar itself. */
  readonly text: () => string
}

export const make = (): StatusBar => {
  const item = vscode.window.createStatusBarItem("signalbox.status", vscode.StatusBarAlignment.Right, 50)
  item.name = "Signalbox"
  item.command = "signalbox.nextWaiting"
  const show: StatusBar["show"] = (threads) => {
    const { isWaiting, text, tooltip } = statusOf(threads)
    item.text = isWaiting ? `$(bell-dot) ${text}` : text
    item.tooltip = tooltip
    item.color = isWaiting ? new vscode.ThemeColor("signalbox.waiting") : undefined
  }
  show(undefined)
  item.show()
  return { show, text: () => item.text, dispose: () => item.dispose() }
}
