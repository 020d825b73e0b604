/** Numbers that JavaScript can't hold, on their way through the bridge. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask, given, rpc, serverByHand, session } from "./BridgeParts.ts"
import { bridge, meta } from "./McpParts.ts"

const result = `{"n":-9223372036854775808,"x":0.12345678901234567890,"tools":[{"name":"x","inputSchema":{"maximum":18446744073709551615}}]}`

/** Progress of more than JavaScript can count. */
const progress = (params: string): string => {
  const { requestId, serverId } = JSON.parse(params)
  return `{"serverId":"${serverId}","requestId":"${requestId}","method":"notifications/progress","params":{"progress":9007199254740993}}`
}

describe("A number that is too large or too exact for JavaScript", () => {
  it.live("keeps its digits in calls, answers and notifications, in both kinds of MCP", () =>
    Effect.gen(function* () {
      const calls: Array<string> = []
      const component = serverByHand("by hand", (_, params, respond, { notify }) => {
        if (params.includes("server/discover")) return respond({ result: '{"result":{}}' })
        calls.push(params)
        notify({ side: "agent", method: "mcp/message", params: progress(params) })
        respond({ result: `{"result":${result}}` })
      })
      const { authorization, server } = yield* given([component, bridge])
      const { post } = yield* session(server.url, authorization)
      const call = (id: string, more: string) =>
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x","arguments":{"n":9223372036854775807}${more}}}`
      const answers = [
        yield* post(call("9007199254740993", "")),
        yield* ask(server.url, {
          headers: {
            authorization,
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/call",
            "mcp-name": "x"
          },
          body: call("9007199254740993", `,"_meta":${JSON.stringify(meta)}`)
        })
      ]
      for (const { text } of answers) {
        assert.include(text, '"params":{"progress":9007199254740993}')
        assert.include(text, '"id":9007199254740993,"result":')
        assert.include(text, '"n":-9223372036854775808,"x":0.12345678901234567890,')
      }
      assert.strictEqual(calls.length, 2)
      for (const params of calls) assert.include(params, '"arguments":{"n":9223372036854775807}')
      assert.include((yield* post(rpc("tools/list"))).text, '"inputSchema":{"maximum":18446744073709551615}')
    })
  )
})
