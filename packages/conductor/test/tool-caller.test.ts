/** A script in the prompt calls a component's tool, over each transport on which the agent may take servers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { bridge, calculator, serving } from "./McpParts.ts"
import { connect, initialize } from "./Parts.ts"
import { node, standIn } from "./Programs.ts"

const script = JSON.stringify([{ list: "calc" }, { call: "add", server: "calc", with: { a: 2, b: 3 } }])

describe("The tool caller", () => {
  for (const { name, flags } of [
    { name: "as a program", flags: [] },
    { name: "by HTTP", flags: ["--http"] },
    { name: "over ACP", flags: ["--acp"] }
  ])
    it.live(`[121][122] calls the tool of a component that it gets ${name}`, () =>
      Effect.gen(function* () {
        const component = serving("calc", yield* calculator(Effect.never))
        const agent = yield* node("tools", standIn("tools"), ...flags)
        const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies: [component, bridge] }) })
        yield* initialize(client)
        const session = yield* client.request("session/new", '{"cwd":"/","mcpServers":[]}')
        const { sessionId } = JSON.parse("result" in session ? session.result : "null")
        const prompt = JSON.stringify({ sessionId, prompt: [{ type: "text", text: script }] })
        const ended = yield* client.request("session/prompt", prompt)
        assert.deepInclude(JSON.parse(JSON.stringify(ended)), { result: '{"stopReason":"end_turn"}' })
        const heard = yield* Queue.takeAll(client.heard)
        const texts = heard.map(({ params = "null" }) => JSON.parse(params).update.content?.text ?? "")
        assert.match(texts.join(""), /^OK: add, wait\nOK: .*sum.*5/)
      })
    )
})
