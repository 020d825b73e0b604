/** The bridge that a chain gets by itself, by what its agent answers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AddedBridge from "../src/components/bridge/AddedBridge.ts"
import { agents } from "./BridgeParts.ts"
import { serving } from "./McpParts.ts"
import { byHand, connect, errorOf, initialize, proxy } from "./Parts.ts"

/** A chain with one server in front of an agent that answers `initialize` with this: what it was asked, and what the chain was made of. */
const openChain = Effect.fnUntraced(function* (answer: { readonly result: string } | { readonly error: string }) {
  const asked: Array<string> = []
  const made: Array<string> = []
  const agent = byHand("agent", () => ({
    onRequest: ({ method, params = "null" }, respond) => {
      asked.push(method === "session/new" ? params : method)
      respond(method === "initialize" ? answer : { result: '{"sessionId":"s"}' })
    },
    onNotification: () => {}
  }))
  const assemble = AddedBridge.assemble([proxy("first"), serving("t", () => Effect.succeed({}))], agent)
  const client = yield* connect({
    assemble: (params, within) =>
      Effect.tap(assemble(params, within), ({ proxies }) =>
        Effect.sync(() => made.push(...proxies.map(({ name }) => name)))
      )
  })
  return { client, asked, made, initialized: yield* initialize(client) }
})

/** Capabilities for MCP servers, as the client reads them. */
const mcpIn = (settled: object): unknown => {
  const { agentCapabilities, capabilities } = JSON.parse("result" in settled ? String(settled.result) : "null")
  return agentCapabilities?.mcpCapabilities ?? capabilities?.session?.mcp
}

describe("A chain whose components declare MCP servers", () => {
  for (const { agent, isBridged, offered, takes } of [
    { takes: "HTTP", agent: agents.http, isBridged: true, offered: { http: true, acp: true } },
    { takes: "programs only", agent: agents.stdio, isBridged: true, offered: { acp: true } },
    { takes: "servers over ACP", agent: agents.acp, isBridged: false, offered: { acp: true, http: true } },
    { takes: "HTTP, in version 2", agent: agents.http2, isBridged: true, offered: { http: {}, acp: {} } },
    { takes: "programs only, in version 2", agent: agents.stdio2, isBridged: true, offered: { stdio: {}, acp: {} } },
    { takes: "no servers at all, in version 2", agent: agents.none2, isBridged: true, offered: undefined }
  ])
    it.live(`gets ${isBridged ? "the" : "no"} bridge for an agent that takes ${takes}, which is asked once`, () =>
      Effect.gen(function* () {
        const { asked, client, initialized, made } = yield* openChain({ result: agent })
        assert.deepStrictEqual(made, ["first", "t component", ...(isBridged ? ["bridge (added)"] : [])])
        assert.deepStrictEqual(mcpIn(initialized), offered)
        yield* client.request("session/new", '{"cwd":"/","mcpServers":[]}')
        const [first, opened = "null", ...others] = asked
        assert.deepStrictEqual([first, others], ["initialize", []])
        const kinds = JSON.parse(opened).mcpServers.map(({ type = "program" }) => type)
        const expected: { readonly [takes: string]: string } = {
          HTTP: "http",
          "programs only": "program",
          "HTTP, in version 2": "http",
          "programs only, in version 2": "stdio",
          "servers over ACP": "acp"
        }
        assert.deepStrictEqual(kinds, [expected[takes]].filter(Boolean))
      })
    )

  it.live("hands on the error of an agent that refuses to be initialized", () =>
    Effect.gen(function* () {
      const error = '{"code":-32000,"message":"Not today"}'
      const { asked, initialized } = yield* openChain({ error })
      assert.deepStrictEqual(asked, ["initialize"])
      assert.deepInclude(errorOf(initialized), { code: -32_000, message: "Not today" })
    })
  )
})
