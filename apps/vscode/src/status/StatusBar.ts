/** Signalbox in the status bar: what waits for people, what works, or that nothing is connected. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as vscode from "vscode"
import { statusOf } from "./StatusText.ts"

export interface StatusBar extends vscode.Disposable {
  /** Undefined: there is no connection. */
  readonly show: (threads: ReadonlyArray<ThreadSummary> | undefined) => void
  /** People use Signalbox in this window: from now on they see also that nothing is connected. */
  readonly use: () => void
  /** What stands there now, for tests: nobody can read the bar itself. */
  readonly text: () => string
}

export const make = (): StatusBar => {
  const item = vscode.window.createStatusBarItem("signalbox.status", vscode.StatusBarAlignment.Right, 50)
  item.name = "Signalbox"
  item.command = "signalbox.nextWaiting"
  /** A window in which nobody has met Signalbox does not say that it is missing. */
  let isUsed = false
  const use = (): void => {
    isUsed = true
    item.show()
  }
  const show: StatusBar["show"] = (threads) => {
    if (threads !== undefined && !isUsed) use()
    const { isWaiting, text, tooltip } = statusOf(threads)
    item.text = isWaiting ? `$(bell-dot) ${text}` : text
    item.tooltip = tooltip
    item.color = isWaiting ? new vscode.ThemeColor("signalbox.waiting") : undefined
  }
  show(undefined)
  return { show, use, text: () => item.text, dispose: () => item.dispose() }
}
