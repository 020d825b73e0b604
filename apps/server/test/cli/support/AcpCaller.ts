/** A client of `signalbox` as an ACP program: requests by hand over its streams. */
import * as Effect from "effect/Effect"
import * as Signalbox from "./Signalbox.ts"
import { programOf } from "../../../../../scripts/suite/Program.ts"

/** What `node` runs as `signalbox`. */
export const program = Signalbox.program

const standIn = (name: string) =>
  programOf(new URL(`../../../../../packages/stand-in-agents/src/${name}/main.ts`, import.meta.url))

/** The words that start a stand-in agent or proxy. */
export const words = (name: string): ReadonlyArray<string> => [process.execPath, standIn(name)]

/** Starts a stand-in as well, as one command line for a flag. */
export const line = (name: string): string => words(name).join(" ")

export interface Answer {
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: { readonly [name: string]: unknown }
  }
}

export interface AcpCaller extends Signalbox.Running {
  readonly send: (message: string) => void
  /** Sends a request, and completes with its id: for requests that are not answered soon. */
  readonly begin: (method: string, params: unknown) => number
  readonly answerTo: (id: number) => Effect.Effect<Answer>
  readonly request: (method: string, params: unknown) => Effect.Effect<Answer>
}

export const start = Effect.fnUntraced(function* (args: ReadonlyArray<string>, options?: Signalbox.Options) {
  const running = yield* Signalbox.start(args, options)
  let last = 0
  const send = (message: string) => void running.stdin.write(`${message}\n`)
  const begin = (method: string, params: unknown) => {
    last += 1
    send(JSON.stringify({ jsonrpc: "2.0", id: last, method, params }))
    return last
  }
  const answerTo = (id: number): Effect.Effect<Answer> =>
    Effect.map(running.says(new RegExp(`^\\{"jsonrpc":"2.0","id":${id},"(?:result|error)":.*\\}$`, "m")), ([text]) =>
      JSON.parse(text)
    )
  const caller: AcpCaller = {
    ...running,
    send,
    begin,
    answerTo,
    request: (method, params) => answerTo(begin(method, params))
  }
  return caller
})

/** Initializes, and begins a session. Completes with its id. */
export const newSession = Effect.fnUntraced(function* ({ request }: AcpCaller) {
  const initialized = yield* request("initialize", { protocolVersion: 1, clientCapabilities: {} })
  const { result } = yield* request("session/new", { cwd: "/", mcpServers: [] })
  return { sessionId: String(result?.["sessionId"]), initialized }
})

export const prompt = (sessionId: string, text: string) => ({ sessionId, prompt: [{ type: "text", text }] })
