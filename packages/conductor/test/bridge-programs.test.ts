/** A tool of a component, called by an agent that is a program and knows nothing of MCP over ACP. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Component from "../src/Component.ts"
import { bridge, calculator, serving } from "./McpParts.ts"
import { connect, initialize, proxy } from "./Parts.ts"
import { eliza } from "./Programs.ts"

/** The agent that offers no HTTP: it has to start programs. */
const withoutHttp = proxy("without HTTP", {
  clientRequests: {
    initialize: (_params, forward) =>
      Effect.map(forward(), (answer) => ({
        ...answer,
        agentCapabilities: { ...answer.agentCapabilities, mcpCapabilities: {} }
      }))
  }
})

/** What the agent says to each of these prompts, in a session of its own. */
const answersOf = Effect.fnUntraced(function* (
  between: ReadonlyArray<Component.Component>,
  prompts: ReadonlyArray<string>
) {
  const component = serving("calc", yield* calculator(Effect.succeed("")))
  const agent = yield* eliza
  const client = yield* connect({
    assemble: () => Effect.succeed({ agent, proxies: [component, bridge, ...between] })
  })
  yield* initialize(client)
  const session = yield* client.request("session/new", '{"cwd":"/","mcpServers":[]}')
  const { sessionId } = JSON.parse("result" in session ? session.result : "null")
  const answers: Array<string> = []
  for (const text of prompts) {
    yield* client.request("session/prompt", JSON.stringify({ sessionId, prompt: [{ type: "text", text }] }))
    const { params = "null" } = yield* Queue.take(client.heard)
    answers.push(JSON.parse(params).update.content.text)
  }
  return answers
})

const prompts = ["List tools from calc", 'Use tool calc::add with {"a":2,"b":3}', "Use tool calc::add with {}"]

const check = ([listed, added, wrong]: ReadonlyArray<string>) => {
  assert.strictEqual(listed, "Available tools:\n  - add: Adds two numbers\n  - wait: Waits")
  assert.strictEqual(added, 'OK: [{"type":"text","text":"{\\"sum\\":5}"}]')
  assert.match(wrong ?? "", /Invalid p/)
}

describe("A tool of a component", () => {
  it.live("[122] is called by an agent that takes MCP servers by HTTP", () => Effect.map(answersOf([], prompts), check))

  it.live("[122] is called by an agent that takes MCP servers as programs only", () =>
    Effect.map(answersOf([withoutHttp], prompts), check)
  )
})
