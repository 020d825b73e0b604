/** An agent for suggestions whose client is played by hand. */
import * as Effect from "effect/Effect"
import * as NesAgent from "../src/NesAgent.ts"
import * as OtherSide from "./OtherSide.ts"
import { notification, request } from "./OtherSide.ts"

const capabilities = { nes: { jump: {}, rename: {}, searchAndReplace: {} } }
export const uri = "file:///a.ts"

type Client = { readonly clientCapabilities?: unknown }

/** An agent, and what its client does. */
export const connect = Effect.fnUntraced(function* (nes: NesAgent.NesAgent, client: Client = {}) {
  const other = yield* OtherSide.make
  const problems: Array<string> = []
  const agent = yield* NesAgent.make(other.transport, { onProblem: (problem) => problems.push(problem), ...nes })
  let lastId = 0
  /** Makes a request, and takes the next message. */
  const ask = Effect.fnUntraced(function* (method: string, params: unknown) {
    lastId += 1
    yield* other.send(request(lastId, method, params))
    return yield* other.next
  })
  const initialized = yield* ask("initialize", { protocolVersion: 1, clientCapabilities: capabilities, ...client })
  return { agent, ask, initialized, other, problems }
})

/** An agent with a session. */
export const begin = Effect.fnUntraced(function* (
  handlers: Partial<NesAgent.SessionHandlers<never>> & Partial<NesAgent.AgentOptions<never>> = {},
  client: Client = {},
  wants?: NesAgent.NesAgent["wants"]
) {
  const sessions: Array<NesAgent.Session> = []
  const { onProblem: _, textOf, ...rest } = handlers
  const side = yield* connect(
    {
      start: (session) => {
        sessions.push(session)
        return Effect.succeed({ suggest: () => Effect.succeed([]), ...rest })
      },
      ...(wants && { wants }),
      ...(textOf && { textOf })
    },
    client
  )
  const started = yield* side.ask("nes/start", {})
  const sessionId = "nes-1"
  const send = (method: string, params: object) => side.other.send(notification(method, { sessionId, ...params }))
  return {
    ...side,
    sessions,
    started,
    send,
    didOpen: (text: string, version = 1) => send("document/didOpen", { uri, languageId: "ts", version, text }),
    suggest: (more: object = {}) =>
      side.ask("nes/suggest", {
        sessionId,
        uri,
        version: 1,
        position: { line: 0, character: 0 },
        triggerKind: "manual",
        ...more
      })
  }
})
