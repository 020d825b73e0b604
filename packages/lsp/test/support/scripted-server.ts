/**
 * A language server that does what its script says. It shares no code with the client that is tested. The first argument is the script as
 * JSON, the second a folder: `starts` there has a line for each start, `received` one for each message.
 */
import { execFileSync } from "node:child_process"
import { appendFileSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"

export type Action =
  | { readonly do: "answer"; readonly result: unknown }
  | { readonly do: "error"; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly do: "nothing" }
  /** Sends messages before the answer. */
  | { readonly do: "send"; readonly messages: ReadonlyArray<object>; readonly result?: unknown }
  /** Writes bytes that are no message. */
  | { readonly do: "write"; readonly text: string }
  | { readonly do: "exit"; readonly code: number; readonly words?: string }
  /** Sends one notification many times, and then answers. */
  | { readonly do: "flood"; readonly message: object; readonly count: number }
  /** Publishes that many findings about the file, and then answers. `length`: characters of each message, 100 and a few by default. */
  | {
      readonly do: "publish"
      readonly uri: string
      readonly count: number
      readonly version?: number
      readonly length?: number
    }
  /** Runs a program of the search path, and answers with what it prints. */
  | { readonly do: "run"; readonly program: string }
  /** Answers with a text of that many characters. */
  | { readonly do: "long"; readonly length: number }

export interface Script {
  readonly capabilities?: object
  /** Actions by method, one for each time; the last one again and again. */
  readonly on?: Readonly<Record<string, ReadonlyArray<Action>>>
  /** Ignores SIGTERM, `shutdown`, `exit` and the end of its input. */
  readonly isDeaf?: boolean
  /** Exits with this code at once, unless it has been started more often than `until`. */
  readonly exitsAtStart?: { readonly code: number; readonly words: string; readonly until: number }
}

const [, , text = "{}", folder = "."] = process.argv
const script: Script = JSON.parse(text)
appendFileSync(join(folder, "starts"), `${process.pid}\n`)
const starts = readFileSync(join(folder, "starts"), "utf8").trim().split("\n").length

if (script.exitsAtStart !== undefined && starts <= script.exitsAtStart.until) {
  process.stderr.write(`${script.exitsAtStart.words}\n`)
  process.exit(script.exitsAtStart.code)
}
if (script.isDeaf === true) {
  process.on("SIGTERM", () => {})
  setInterval(() => {}, 1000)
}

/** Connects to its client if an argument says where. */
const [, where, at] = /^--(pipe|socket)=(.*)$/.exec(process.argv.at(-1) ?? "") ?? []
const socket = where === undefined ? undefined : where === "pipe" ? connect(at ?? "") : connect(Number(at), "127.0.0.1")
const [input, output] = [socket ?? process.stdin, socket ?? process.stdout]
if (socket !== undefined) process.stdout.write("Connecting. This is no message.\n")

const write = (message: object) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

const usual: Readonly<Record<string, Action>> = {
  initialize: { do: "answer", result: { capabilities: script.capabilities ?? {} } },
  shutdown: { do: "answer", result: null },
  exit: { do: "exit", code: 0 }
}
const counts = new Map<string, number>()

const actionFor = (method: string, isRequest: boolean): Action => {
  const actions = script.on?.[method]
  const count = counts.get(method) ?? 0
  counts.set(method, count + 1)
  const unknown: Action = isRequest ? { do: "error", code: -32601, message: "unknown" } : { do: "nothing" }
  return actions?.[Math.min(count, actions.length - 1)] ?? usual[method] ?? unknown
}

const finding = (index: number, length: number | undefined) => ({
  range: { start: { line: index, character: 0 }, end: { line: index, character: 1 } },
  severity: 1,
  message: `finding ${index}: ${"x".repeat(100)}`.padEnd(length ?? 0, "x").slice(0, length)
})

const act = (action: Action, id: unknown): void => {
  const answer = (result: unknown) => id !== undefined && write({ id, result: result ?? null })
  switch (action.do) {
    case "answer":
      return void answer(action.result)
    case "error":
      return write({ id, error: { code: action.code, message: action.message, data: action.data } })
    case "nothing":
      return undefined
    case "send":
      action.messages.forEach(write)
      return void answer(action.result)
    case "write":
      output.write(action.text)
      return undefined
    case "exit":
      process.stderr.write(action.words ?? "", () => process.exit(action.code))
      return undefined
    case "flood":
      for (let count = 0; count < action.count; count++) write(action.message)
      return void answer(null)
    case "publish": {
      const { count, length, uri, version } = action
      const diagnostics = Array.from({ length: count }, (_, index) => finding(index, length))
      write({ method: "textDocument/publishDiagnostics", params: { uri, version, diagnostics } })
      return void answer(null)
    }
    case "run":
      return void answer({ contents: execFileSync(action.program, { encoding: "utf8" }).trim() })
    case "long":
      return void answer({ contents: "x".repeat(action.length) })
  }
}

const receive = (body: string): void => {
  appendFileSync(join(folder, "received"), `${body}\n`)
  const { id, method } = JSON.parse(body)
  if (typeof method !== "string") return
  if (script.isDeaf === true && (method === "shutdown" || method === "exit")) return
  act(actionFor(method, id !== undefined), id)
}

let waiting = Buffer.alloc(0)
input.on("data", (chunk: Buffer) => {
  waiting = Buffer.concat([waiting, chunk])
  for (;;) {
    const end = waiting.indexOf("\r\n\r\n")
    const length = Number(/Content-Length: (\d+)/i.exec(waiting.toString("latin1", 0, Math.max(0, end)))?.[1])
    if (end < 0 || waiting.length < end + 4 + length) return
    const body = waiting.toString("utf8", end + 4, end + 4 + length)
    waiting = waiting.subarray(end + 4 + length)
    receive(body)
  }
})
input.on("end", () => script.isDeaf !== true && process.exit(1))
