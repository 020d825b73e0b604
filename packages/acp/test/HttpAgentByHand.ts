/** The server's end of streamable HTTP, by hand: shows every request, refuses what a test wants, and answers the rest. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Message } from "./OtherSide.ts"

export interface Exchanged {
  readonly verb: string
  readonly connection: string | undefined
  readonly session: string | undefined
  readonly cookie: string | undefined
  readonly authorization: string | undefined
  /** The message that was posted. */
  readonly message: Message | undefined
}

export interface Refusal {
  readonly status: number
  readonly body?: string
}

export interface HttpAgentByHand {
  readonly url: string
  readonly exchanged: Array<Exchanged>
  /** What gets another answer than it should. */
  refuse: (request: Exchanged) => Refusal | undefined
  /** Whether a request that the agent does not know is passed over in silence. */
  ignoresUnknown: boolean
  /** Sends by a stream that is open: that of a session or, without, of the connection. */
  readonly send: (session: string | undefined, message: unknown) => void
  readonly raw: (session: string | undefined, text: string) => void
  /** Whether the client listens to a stream. */
  readonly hears: (session: string | undefined) => boolean
  readonly endStream: (session: string | undefined) => void
  /** Breaks every connection off. */
  readonly cut: () => void
  /** Completes when a request like this has been made; looked at whenever one is made, or a stream is left. */
  readonly seen: (like: (request: Exchanged) => boolean) => Effect.Effect<void>
}

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === "string" ? value : undefined
}

const results: { readonly [method: string]: unknown } = {
  "session/new": { sessionId: "s1" },
  "session/load": {},
  "session/prompt": { stopReason: "end_turn" },
  "session/close": {}
}

export const make = Effect.gen(function* () {
  const exchanged: Array<Exchanged> = []
  const streams = new Map<string | undefined, ServerResponse>()
  const arrived = Latch.makeUnsafe(false)

  const send = (session: string | undefined, message: unknown) =>
    streams.get(session)?.write(`data: ${JSON.stringify(message)}\n\n`)

  const answer = ({ message, session }: Exchanged) => {
    const { id, method = "" } = message ?? {}
    if (id === undefined || method === "") return
    if (method in results) {
      // The answer to a load comes by the stream of the connection.
      send(method === "session/load" ? undefined : session, { jsonrpc: "2.0", id, result: results[method] })
    } else if (!agent.ignoresUnknown) send(session, { jsonrpc: "2.0", id, error: { code: -32601, message: method } })
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const one: Exchanged = {
      verb: request.method ?? "",
      connection: header(request, "acp-connection-id"),
      session: header(request, "acp-session-id"),
      cookie: header(request, "cookie"),
      authorization: header(request, "authorization"),
      message: body === "" ? undefined : JSON.parse(body)
    }
    exchanged.push(one)
    const refusal = agent.refuse(one)
    if (refusal !== undefined) response.writeHead(refusal.status).end(refusal.body)
    else if (one.verb === "GET") {
      streams.set(one.session, response)
      response.on("close", () => {
        if (streams.get(one.session) === response) streams.delete(one.session)
        arrived.openUnsafe()
      })
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
    } else if (one.message?.method === "initialize") {
      response.writeHead(200, {
        "content-type": "application/json",
        "acp-connection-id": "c1",
        "set-cookie": "balancer=7; Path=/"
      })
      const result = {
        protocolVersion: 1,
        agentCapabilities: { loadSession: true, sessionCapabilities: { close: {} } }
      }
      response.end(JSON.stringify({ jsonrpc: "2.0", id: one.message.id, result }))
    } else {
      response.writeHead(202).end()
      answer(one)
    }
    arrived.openUnsafe()
  }

  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer((request, response) => void handle(request, response))
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.sync(() => {
        made.close()
        made.closeAllConnections()
      })
  )
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0

  const seen = (like: (request: Exchanged) => boolean): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (exchanged.some(like)) return Effect.void
      arrived.closeUnsafe()
      return Effect.andThen(arrived.await, seen(like))
    })

  const agent: HttpAgentByHand = {
    url: `http://127.0.0.1:${port}/acp`,
    exchanged,
    refuse: () => undefined,
    ignoresUnknown: false,
    send,
    raw: (session, written) => void streams.get(session)?.write(written),
    hears: (session) => streams.has(session),
    endStream: (session) => void streams.get(session)?.end(),
    cut: () => server.closeAllConnections(),
    seen
  }
  return agent
})
