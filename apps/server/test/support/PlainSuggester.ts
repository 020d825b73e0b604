/**
 * An agent for suggestions as a program, without any of our code: it says what `SUGGESTER` holds, and keeps nothing in
 * mind. `log` names a file that gets the name of each method that it receives, a line each.
 */
import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"

export interface Setup {
  readonly log?: string
  /** Members of `agentCapabilities`. */
  readonly claims?: object
  /** Members of the result of `nes/start`. */
  readonly start?: object
  /** Whether all sessions have the same id. */
  readonly isOneSession?: boolean
  /** The answer to `nes/suggest`. `{uri}` is the document, and `{n}` the number of the answer. */
  readonly answer?: unknown
  /** Codes of the errors that methods are answered with. */
  readonly errors?: { readonly [method: string]: number }
  /** The number of questions that it answers. It refuses all others with -32603. */
  readonly most?: number
  /** Methods that end the agent. */
  readonly fatal?: ReadonlyArray<string>
  /** Whether it answers events about documents and ends of suggestions, which nobody may answer. */
  readonly isTalkative?: boolean
  /** Whether `nes/close` ends all sessions. */
  readonly closesAll?: boolean
  /** Whether a question about a session that does not exist is answered. */
  readonly isCareless?: boolean
}

const setup: Setup = JSON.parse(process.env["SUGGESTER"] ?? "{}")
let sessions = new Set<string>()
let answers = 0
let lastNumber = 0

const failure = (code: number, message = "No") => ({ error: { code, message } })

const outcomeOf = (method: string, params: { readonly sessionId?: string; readonly uri?: string }): object => {
  const code = setup.errors?.[method]
  if (code !== undefined) return failure(code)
  const { sessionId = "", uri = "" } = params
  switch (method) {
    case "initialize":
      return { result: { protocolVersion: 1, agentCapabilities: { nes: {}, ...setup.claims } } }
    case "session/new":
      lastNumber += 1
      return { result: { sessionId: `chat-${lastNumber}` } }
    case "nes/start": {
      lastNumber += 1
      const id = setup.isOneSession === true ? "session" : `session-${lastNumber}`
      sessions.add(id)
      return { result: { sessionId: id, ...setup.start } }
    }
    case "nes/suggest": {
      if (!sessions.has(sessionId) && setup.isCareless !== true) return failure(-32602)
      if (answers === setup.most) return failure(-32603)
      answers += 1
      const told = JSON.stringify(setup.answer ?? { suggestions: [] })
      return { result: JSON.parse(told.replaceAll("{uri}", uri).replaceAll("{n}", String(answers))) }
    }
    case "nes/close":
      if (!sessions.delete(sessionId)) return failure(-32602)
      if (setup.closesAll === true) sessions = new Set()
      return { result: {} }
    default:
      return failure(-32601, `Method not found: ${method}`)
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (setup.log !== undefined) appendFileSync(setup.log, `${method}\n`)
  if (setup.fatal?.includes(method)) process.exit(4)
  const isNotice = id === undefined
  if (isNotice && !(setup.isTalkative === true && /^(?:document|nes)\//.test(method))) return
  const outcome = isNotice ? failure(-32600) : outcomeOf(method, params)
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: id ?? null, ...outcome })}\n`)
})
