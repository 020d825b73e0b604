/** What an agent is given in the place of servers over ACP, by what it takes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isAbsolute } from "node:path"
import { agents, ask, type Given, open, rpc, served } from "./BridgeParts.ts"
import { meta } from "./McpParts.ts"
import { errorOf } from "./Parts.ts"

const nothing = () => Effect.succeed({})

const capabilitiesOf = (initialized: object) =>
  JSON.parse("result" in initialized ? String(initialized.result) : "null")

describe("An agent", () => {
  it.live("[122] that takes HTTP gets an address on this machine, and a token in a header", () =>
    Effect.gen(function* () {
      const { authorization, initialized, server } = yield* served(nothing)
      assert.deepStrictEqual(capabilitiesOf(initialized).agentCapabilities.mcpCapabilities, { http: true, acp: true })
      assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp-[\w-]+$/)
      assert.match(authorization, /^Bearer [\w-]{43}$/)
      assert.notInclude(server.url, authorization.slice("Bearer ".length))
      assert.deepStrictEqual(Object.keys(server).sort(), ["headers", "name", "type", "url"])
    })
  )

  it.live("that takes programs only gets one, with the token in its environment", () =>
    Effect.gen(function* () {
      const { given } = yield* open(nothing, agents.stdio)
      const { mcpServers } = JSON.parse(yield* given)
      const { args, command, env, name, ...rest } = mcpServers[0]
      assert.deepStrictEqual([name, rest], ["t", {}])
      assert.isTrue(isAbsolute(command))
      const token = env.find((variable: { name: string }) => variable.name === "SIGNALBOX_MCP_TOKEN").value
      assert.match(token, /^[\w-]{43}$/)
      assert.notInclude(JSON.stringify(args), token)
    })
  )

  it.live("of version 2 that takes programs only gets one with its type", () =>
    Effect.gen(function* () {
      const { given } = yield* open(nothing, agents.stdio2)
      const { mcpServers } = JSON.parse(yield* given)
      assert.deepInclude(mcpServers[0], { type: "stdio", name: "t" })
    })
  )

  it.live("of version 2 that takes HTTP is said to take servers over ACP, and gets an address", () =>
    Effect.gen(function* () {
      const { initialized, server } = yield* served(nothing, agents.http2)
      const { authMethods, capabilities } = capabilitiesOf(initialized)
      assert.deepStrictEqual(capabilities, { session: { mcp: { http: {}, acp: {} } } })
      // A member that version 1 can't read stays, too.
      assert.deepStrictEqual(authMethods, [{ type: "agent", methodId: "x", name: "X" }])
      assert.match(server.url, /^http:/)
    })
  )

  it.live("that takes servers over ACP gets them as they are, and calls them", () =>
    Effect.gen(function* () {
      const { agent, given } = yield* open(({ method }) => Effect.succeed({ method }), agents.acp)
      const { mcpServers } = JSON.parse(yield* given)
      const [{ serverId, ...declared }] = mcpServers
      assert.deepStrictEqual(declared, { type: "acp", name: "t" })
      const params = JSON.stringify({ serverId, requestId: "r", method: "x", params: { _meta: meta } })
      const settled = yield* Effect.callback((resume) => {
        agent.request({ side: "client", method: "mcp/message", params }, (answer) => resume(Effect.succeed(answer)))
      })
      assert.deepStrictEqual(settled, { result: '{"result":{"method":"x"}}' })
    })
  )

  it.live("that takes none of all this is not said to, and declarations are refused", () =>
    Effect.gen(function* () {
      const declared = '{"cwd":"/","mcpServers":[{"type":"acp","name":"c","serverId":"mine"}]}'
      const { begun, initialized } = yield* open(nothing, agents.none2, declared)
      assert.deepStrictEqual(capabilitiesOf(initialized).capabilities, { session: {} })
      assert.strictEqual(errorOf(begun).code, -32_602)
    })
  )

  it.live("gets other servers as they were, and a bridged one with its members", () =>
    Effect.gen(function* () {
      const others = [
        { type: "http", name: "h", url: "http://h/", headers: [], x: 1 },
        { name: "p", command: "/p", args: [], env: [] }
      ]
      const mine = { type: "acp", name: "c", serverId: "ü/../x", _meta: { m: null }, later: [1] }
      const { begun, given } = yield* open(
        nothing,
        agents.http,
        JSON.stringify({ cwd: "/", mcpServers: [...others, mine] })
      )
      assert.property(begun, "result")
      const { mcpServers } = JSON.parse(yield* given)
      const [first, second, third, fourth] = mcpServers
      assert.deepStrictEqual([first, second], others)
      assert.deepInclude(third, { type: "http", name: "c", _meta: { m: null }, later: [1] })
      assert.notProperty(third, "serverId")
      assert.strictEqual(third.url.split("/mcp-")[1], Buffer.from(mine.serverId).toString("base64url"))
      assert.notStrictEqual(third.headers[0].value, fourth.headers[0].value)
    })
  )

  it.live("reaches a server by any id, long or of half a character", () =>
    Effect.gen(function* () {
      const ids = ["", "x".repeat(5000), `${"x".repeat(5000)}y`, "\ud800", "\ud801", "\ufffd"]
      const declared = ids.map((serverId, at) => ({ type: "acp", name: `c${at}`, serverId }))
      const { given } = yield* open(nothing, agents.http, JSON.stringify({ cwd: "/", mcpServers: declared }))
      const servers: ReadonlyArray<Given> = JSON.parse(yield* given).mcpServers
      assert.lengthOf(new Set(servers.map(({ url }) => url)), ids.length + 1)
      for (const { headers, url } of servers) {
        const { status } = yield* ask(url, { headers: { authorization: headers[0]?.value }, body: rpc("initialize") })
        assert.strictEqual(status, 200)
      }
    })
  )
})
