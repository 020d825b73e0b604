/** The extension's log: events for tests, and lines of an output channel for people. */
import * as vscode from "vscode"

type Level = "info" | "warn" | "error"

export interface LogEvent {
  /** Milliseconds since 1970. */
  readonly timestamp: number
  readonly level: Level
  /** What it is about: `webview`, `server`, `approval`, `user`. */
  readonly category: string
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

export interface Log extends vscode.Disposable {
  readonly info: (category: string, message: string, data?: LogEvent["data"]) => void
  readonly warn: (category: string, message: string, data?: LogEvent["data"]) => void
  readonly error: (category: string, message: string, data?: LogEvent["data"]) => void
  readonly onLog: vscode.Event<LogEvent>
  readonly show: () => void
}

export const make = (): Log => {
  const channel = vscode.window.createOutputChannel("Signalbox", { log: true })
  const events = new vscode.EventEmitter<LogEvent>()
  const write =
    (level: Level) =>
    (category: string, message: string, data?: LogEvent["data"]): void => {
      channel[level](`[${category}] ${message}${data === undefined ? "" : ` ${JSON.stringify(data)}`}`)
      events.fire({ timestamp: Date.now(), level, category, message, ...(data !== undefined && { data }) })
    }
  return {
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    onLog: events.event,
    show: () => channel.show(true),
    dispose: () => {
      events.dispose()
      channel.dispose()
    }
  }
}
