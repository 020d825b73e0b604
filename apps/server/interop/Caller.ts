/** A client by hand of a program that speaks ACP: it writes lines, and keeps what it hears in order. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"

/** A message, as it came. */
export interface Heard {
  readonly id?: unknown
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export interface Ended {
  readonly code: number | null
  readonly stderr: string
}

export interface Caller {
  /** Everything that was heard so far. */
  readonly heard: ReadonlyArray<Heard>
  /** Writes a line as it is. */
  readonly send: (line: string) => void
  /** Sends a request, and completes with its answer. */
  readonly request: (method: string, params: unknown) => Promise<Heard>
  /** Sends a request, and returns its id: for what is not answered soon. */
  readonly begin: (method: string, params: unknown) => number
  readonly notify: (method: string, params: unknown) => void
  /** Completes with the first message that fits, also one of before. Fails when the program ends without it. */
  readonly hears: (fits: (message: Heard) => boolean) => Promise<Heard>
  /** Closes the program's input, and completes when it has ended. */
  readonly leave: () => Promise<Ended>
  readonly ended: Promise<Ended>
}

export interface Options {
  readonly cwd?: string
  /** Answers what the program asks, with a result; undefined refuses it. */
  readonly answer?: (request: Heard) => unknown
  /** Says that it does not end with its input, so that it has to be killed. */
  readonly staysBehind?: boolean
}

/** What stands in a value under these names, one below the other. */
export const member = (value: unknown, ...[name, ...rest]: ReadonlyArray<string>): unknown => {
  if (name === undefined) return value
  if (typeof value !== "object" || value === null) return undefined
  return member(Object.getOwnPropertyDescriptor(value, name)?.value, ...rest)
}

const refusal = { code: -32601, message: "This client answers nothing." }

/** Starts a program. Its input is closed at the end of the test, and the test waits until it has ended. */
export const start = (
  [command = "", ...args]: ReadonlyArray<string>,
  { answer, cwd = "/", staysBehind = false }: Options = {}
): Caller => {
  const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "pipe"] })
  const heard: Array<Heard> = []
  const listeners = new Set<() => void>()
  let stderr = ""
  let last = 0
  let isOver = false

  const send = (line: string) => void child.stdin.write(`${line}\n`)
  const say = (message: object) => send(JSON.stringify({ jsonrpc: "2.0", ...message }))
  const tell = () => listeners.forEach((listener) => listener())

  // A program that has ended takes nothing more: what it said before counts.
  child.stdin.on("error", () => {})
  child.stderr.on("data", (chunk) => (stderr += String(chunk)))
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: Heard = JSON.parse(line)
    heard.push(message)
    if (message.method !== undefined && message.id !== undefined) {
      const result = answer?.(message)
      say({ id: message.id, ...(result === undefined ? { error: refusal } : { result }) })
    }
    tell()
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      isOver = true
      resolve({ code, stderr })
      tell()
    })
  })
  // Its own programs end with it when it ends by itself, and might stay when it is killed.
  onTestFinished(async () => {
    child.stdin.end()
    if (staysBehind) child.kill("SIGKILL")
    await ended
  })

  const hears = (fits: (message: Heard) => boolean) =>
    new Promise<Heard>((resolve, reject) => {
      const look = () => {
        const message = heard.find(fits)
        if (message === undefined && !isOver) return
        listeners.delete(look)
        if (message === undefined) reject(new Error(`${command} has ended:\n${stderr.slice(0, 600)}`))
        else resolve(message)
      }
      listeners.add(look)
      look()
    })
  const begin = (method: string, params: unknown) => {
    last += 1
    say({ id: last, method, params })
    return last
  }

  return {
    heard,
    send,
    begin,
    hears,
    ended,
    notify: (method, params) => say({ method, params }),
    request: (method, params) => {
      const id = begin(method, params)
      return hears((message) => message.method === undefined && message.id === id)
    },
    leave: () => {
      child.stdin.end()
      return ended
    }
  }
}
