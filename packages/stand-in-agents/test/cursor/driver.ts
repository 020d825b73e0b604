import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import type { Generation } from "../../src/cursor/Generation.ts"
import { isObject, listIn, objectIn, parseJson, textIn, type JsonObject } from "../../src/Json.ts"

export const bin = fileURLToPath(new URL("../../bin", import.meta.url))

/** Has something done after the test; tests that run beside each other bring their own. */
type Finally = (cleanUp: () => void | Promise<void>) => void

/** A folder with a workspace and a state folder, gone after the test. */
export class Place {
  readonly root = mkdtempSync(join(tmpdir(), "cursor-emulator-"))
  readonly workspace = join(this.root, "workspace")
  readonly state = join(this.root, "state")
  readonly log = join(this.root, "log.ndjson")

  constructor(whenFinished: Finally = onTestFinished) {
    mkdirSync(this.workspace)
    whenFinished(() => rmSync(this.root, { recursive: true, force: true }))
  }

  logged(): ReadonlyArray<JsonObject> {
    if (!existsSync(this.log)) return []
    const lines = readFileSync(this.log, "utf8").trim().split("\n")
    return lines.map((line) => parseJson(line)).filter((entry) => isObject(entry))
  }
}

export interface Options {
  readonly place?: Place
  readonly generation?: Generation
  readonly quirks?: string
  readonly env?: Readonly<Record<string, string>>
  readonly argv?: ReadonlyArray<string>
  readonly cwd?: string
  readonly onTestFinished?: Finally
}

export const environmentOf = (place: Place, options: Options): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: place.root,
  FAKE_CURSOR_GEN: options.generation ?? "2026.10",
  FAKE_CURSOR_QUIRKS: options.quirks ?? "",
  FAKE_CURSOR_TIME_SCALE: "0",
  FAKE_CURSOR_STATE: place.state,
  FAKE_CURSOR_LOG: place.log,
  FAKE_CURSOR_SEED: "7",
  ...options.env
})

/** How the client answers a request of the agent; `undefined` leaves it unanswered. */
type Responder = (request: JsonObject) => JsonObject | undefined

export const select = (optionId: string): JsonObject => ({
  result: { outcome: { outcome: "selected", optionId } }
})
export const notFound: JsonObject = { error: { code: -32601, message: "Method not found" } }

/** The emulator's executable and the other end of its pipes. Everything waits for messages, nothing for time. */
export class AgentProcess {
  readonly place: Place
  readonly child: ChildProcessWithoutNullStreams
  /** Every JSON message that arrived, in order. */
  readonly messages: Array<JsonObject> = []
  /** Lines that were not JSON. */
  readonly noise: Array<string> = []
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>
  readonly chunks: Array<Buffer> = []
  stderr = ""
  respond: Responder = () => ({ result: {} })
  #nextId = 1
  #waiters: Array<() => void> = []

  constructor(options: Options = {}) {
    const whenFinished = options.onTestFinished ?? onTestFinished
    this.place = options.place ?? new Place(whenFinished)
    this.child = spawn(join(bin, "agent"), options.argv ?? ["acp"], {
      cwd: options.cwd ?? this.place.workspace,
      env: environmentOf(this.place, options),
      detached: true
    })
    this.exited = new Promise((resolve) =>
      this.child.once("close", (code, signal) => {
        resolve({ code, signal })
        this.#wake()
      })
    )
    this.child.stdin.on("error", () => {})
    this.child.stderr.on("data", (text: Buffer) => {
      this.stderr += text.toString()
      this.#wake()
    })
    this.#readLines()
    whenFinished(() => this.kill())
  }

  async kill(): Promise<void> {
    // The leader may be gone while others of its group are not.
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, "SIGKILL")
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
    }
    await this.exited
  }

  write(text: string): void {
    this.child.stdin.write(text)
  }

  /** Several messages leave in one write. */
  send(...messages: ReadonlyArray<JsonObject>): void {
    this.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""))
  }

  /**
   * @param together messages that leave in one write with it, behind it
   * @returns the request's id
   */
  request(method: string, params: JsonObject = {}, ...together: ReadonlyArray<JsonObject>): number {
    const id = this.#nextId
    this.#nextId += 1
    this.send({ id, method, params }, ...together)
    return id
  }

  answer(id: number): Promise<JsonObject> {
    return this.until((message) => message["id"] === id && message["method"] === undefined)
  }

  call(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.answer(this.request(method, params))
  }

  /** The first message, arrived or to come, that fits. Fails when the agent exits before. */
  async until(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const found = this.messages.find(fits)
      if (found !== undefined) return found
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`the agent exited (${this.child.exitCode}); stderr: ${this.stderr}`)
      await this.next()
    }
  }

  update(kind: string): Promise<JsonObject> {
    return this.until((message) => updateOf(message)["sessionUpdate"] === kind)
  }

  /** Resolves when anything at all has happened. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  initialize(meta?: JsonObject): Promise<JsonObject> {
    return this.call("initialize", { protocolVersion: 1, clientCapabilities: { _meta: meta } })
  }

  /** Initializes and opens a session. */
  async open(meta?: JsonObject): Promise<string> {
    await this.initialize(meta)
    const created = await this.call("session/new", { cwd: this.place.workspace, mcpServers: [] })
    return textIn(objectIn(created, "result"), "sessionId") ?? ""
  }

  /** Opens a session and has it answer one prompt. @returns everything from the prompt to its answer. */
  async ask(text: string, meta?: JsonObject): Promise<ReadonlyArray<JsonObject>> {
    const sessionId = await this.open(meta)
    await this.update("available_commands_update")
    return await this.prompt(sessionId, text)
  }

  async prompt(sessionId: string, text: string): Promise<ReadonlyArray<JsonObject>> {
    const start = this.messages.length
    const answer = await this.call("session/prompt", { sessionId, prompt: [{ type: "text", text }] })
    return this.messages.slice(start, this.messages.indexOf(answer) + 1)
  }

  #readLines(): void {
    let rest = ""
    const decoder = new TextDecoder()
    this.child.stdout.on("data", (bytes: Buffer) => {
      this.chunks.push(bytes)
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) this.#take(line)
      this.#wake()
    })
  }

  #take(line: string): void {
    const message = parseJson(line)
    if (!isObject(message)) {
      this.noise.push(line)
      return
    }
    this.messages.push(message)
    if (message["method"] === undefined || message["id"] === undefined) return
    const answer = this.respond(message)
    if (answer !== undefined) this.send({ id: message["id"], ...answer })
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }
}

export const updateOf = (message: JsonObject): JsonObject => objectIn(objectIn(message, "params"), "update")

export const updatesOf = (messages: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  messages.filter((message) => message["method"] === "session/update").map(updateOf)

/** The text of all chunks of one kind, put together. */
export const textOf = (messages: ReadonlyArray<JsonObject>, kind = "agent_message_chunk"): string =>
  updatesOf(messages)
    .filter((update) => update["sessionUpdate"] === kind)
    .map((update) => textIn(objectIn(update, "content"), "text") ?? "")
    .join("")

/** A turn in one line per message, chunks of one kind in a row counting once: for comparing sequences. */
export const outline = (messages: ReadonlyArray<JsonObject>): ReadonlyArray<string> => {
  const lines = messages.map((message) => {
    const { method, result, error } = message
    if (method === "session/update") return outlineUpdate(updateOf(message))
    if (typeof method === "string") return message["id"] === undefined ? method : `request ${method}`
    if (isObject(error)) return `error ${JSON.stringify(error["code"])}`
    return isObject(result) && typeof result["stopReason"] === "string" ? result["stopReason"] : "result"
  })
  return lines.filter((line, index) => !(line.endsWith("_chunk") && lines[index - 1] === line))
}

const outlineUpdate = (update: JsonObject): string => {
  const kind = textIn(update, "sessionUpdate") ?? ""
  if (!kind.startsWith("tool_call")) return kind
  return [kind, textIn(update, "title"), textIn(update, "status")].filter((part) => part !== undefined).join(" ")
}

/** Updates of tools, without what goes on around them. */
export const tools = (messages: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  updatesOf(messages).filter((update) => textIn(update, "sessionUpdate")?.startsWith("tool_call"))

export const requestsOf = (messages: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  messages.filter((message) => message["method"] !== undefined && message["id"] !== undefined)

/** Values of the options of one setting, as a `configOptions` list has them. */
export const optionIn = (result: JsonObject, id: string): JsonObject =>
  listIn(result, "configOptions")
    .filter((option) => isObject(option))
    .find((option) => option["id"] === id) ?? {}

/** Runs a command of the command line to its end. */
export const run = async (argv: ReadonlyArray<string>, options: Options = {}) => {
  const agent = new AgentProcess({ ...options, argv })
  agent.child.stdin.end()
  const { code } = await agent.exited
  return { code, stdout: Buffer.concat(agent.chunks).toString(), stderr: agent.stderr }
}
