/** The walkthrough component in a chain: the agent calls its tool, and the client gets a tool call that it can draw. */
import { assert, describe, it } from "@effect/vitest"
import { inMeta, most } from "@signalbox/contracts/Walkthrough"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { join } from "node:path"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import { walkthrough } from "../../../src/components/walkthrough/WalkthroughComponent.ts"
import { type Way, ways } from "../../BothWays.ts"
import { bridge, meta } from "../../McpParts.ts"
import { byHand, connect, initialize } from "../../Parts.ts"
import { node, standIn } from "../../Programs.ts"
import { prompt, resultIn, sessionIn } from "../package-sources/Asker.ts"

const start = Effect.fnUntraced(function* (make: Way["make"] | undefined = ways[0]?.make) {
  if (make === undefined) throw new Error("A component runs in two ways")
  const proxies = [yield* make(walkthrough, []), bridge]
  const agent = yield* node("tools", standIn("tools"), "--http")
  const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies }) })
  yield* initialize(client)
  const cwd = temporaryFolder("project")
  const sessionId = yield* sessionIn(client, cwd)
  const present = Effect.fnUntraced(function* (given: object) {
    const step = { call: "present_walkthrough", server: "walkthrough", with: given }
    const { heard, said } = yield* prompt(client, sessionId, step)
    // The agent gives its own calls random ids.
    const shown = heard.filter(({ params }) => String(params.update?.toolCallId).startsWith("walkthrough-"))
    return { heard, said, shown }
  })
  return { client, cwd, sessionId, present }
})

const steps = [
  { title: "The door", text: "Requests come in *here*.", path: "src/main.ts", firstLine: 10, lastLine: 20 },
  { title: "The hosts", path: "/etc/hosts", firstLine: 1 },
  { title: "Elsewhere", path: "../other.ts" },
  { title: "The end" }
]

for (const { make, title } of ways)
  describe(`a walkthrough, ${title}`, () => {
    it.live("is a tool call of its own for the client, while the agent's call runs", () =>
      Effect.gen(function* () {
        const { client, cwd, present, sessionId } = yield* start(make)
        const { heard, said, shown } = yield* present({ title: "How a request comes in", steps })
        assert.deepStrictEqual(resultIn(said), {
          shown: "The user sees the walkthrough with 4 steps.",
          notes: ["The path of steps 2, 3 is not below the session's folder. It is shown as text, and opens nothing."]
        })
        assert.lengthOf(shown, 1)
        const [{ method, params } = { method: "", params: {} }] = shown
        assert.strictEqual(method, "session/update")
        assert.strictEqual(params.sessionId, sessionId)
        const { toolCallId, ...update } = params.update
        assert.match(toolCallId, /^walkthrough-[0-9a-f-]{36}$/)
        assert.deepStrictEqual(update, {
          sessionUpdate: "tool_call",
          title: "Walkthrough: How a request comes in",
          kind: "other",
          status: "completed",
          content: [
            {
              type: "content",
              content: {
                type: "text",
                text: "1. The door (src/main.ts:10-20)\n\nRequests come in *here*.\n\n2. The hosts (/etc/hosts:1)\n\n3. Elsewhere (../other.ts)\n\n4. The end"
              }
            }
          ],
          locations: [{ path: join(cwd, "src/main.ts"), line: 10 }],
          _meta: { "signalbox/walkthrough": { title: "How a request comes in", steps } }
        })
        const read: unknown = inMeta(update._meta)
        assert.deepStrictEqual(read, { title: "How a request comes in", steps })
        const kinds = heard.map(({ params: { update: said } }) => `${said.sessionUpdate} ${said.status ?? ""}`.trim())
        assert.deepStrictEqual(kinds, [
          "tool_call in_progress",
          "tool_call completed",
          "tool_call_update completed",
          "agent_message_chunk"
        ])
        yield* client.connection.close
        assert.isUndefined(yield* client.ended)
      })
    )
  })

describe("A walkthrough on a connection of version 2", () => {
  it.live("comes as an update, since that version announces no calls", () =>
    Effect.gen(function* () {
      const capabilities = { session: { mcp: { acp: {} } } }
      const agent = byHand("agent", (connection) => ({
        onRequest: ({ method, params = "{}" }, respond) => {
          if (method === "initialize") return respond({ result: JSON.stringify({ protocolVersion: 2, capabilities }) })
          if (method === "session/new") {
            respond({ result: '{"sessionId":"s"}' })
            const [{ serverId }] = JSON.parse(params).mcpServers
            const call = {
              serverId,
              requestId: "1",
              method: "tools/call",
              params: { name: "present_walkthrough", arguments: { title: "T", steps: [{ title: "one" }] }, _meta: meta }
            }
            connection.request({ side: "client", method: "mcp/message", params: JSON.stringify(call) }, () => {})
            return
          }
          respond({ result: "null" })
        },
        onNotification: () => {}
      }))
      const [way] = ways
      if (way === undefined) throw new Error("A component runs in two ways")
      const component = yield* way.make(walkthrough, [])
      const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies: [component] }) })
      yield* client.request("initialize", '{"protocolVersion":2,"capabilities":{}}')
      yield* sessionIn(client, temporaryFolder("project"))
      const { method, params = "{}" } = yield* Queue.take(client.heard)
      const { update } = JSON.parse(params)
      assert.deepStrictEqual(
        [method, update.sessionUpdate, update.title],
        ["session/update", "tool_call_update", "Walkthrough: T"]
      )
    })
  )
})

describe("What can't be presented", () => {
  it.live("is an error to the agent that names the step, the cause and the next step; the client gets nothing", () =>
    Effect.gen(function* () {
      const { present } = yield* start()
      const one = { title: "t" }
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ title: "x", steps: [] }, "It has no steps. Give at least one."],
        [{ title: " ", steps: [one] }, "The title is empty. Write some words."],
        [{ title: "a\u001b[2Jb", steps: [one] }, "The title has line breaks or control characters."],
        [{ title: "x".repeat(201), steps: [one] }, "The title has 201 characters, and 200 at most. Shorten it."],
        [
          { title: "x", steps: Array.from({ length: 41 }, () => one) },
          "It has 41 steps, and 40 at most. Present it in parts."
        ],
        [{ title: "x", steps: [one, { title: "" }] }, "The title of step 2 is empty."],
        [{ title: "x", steps: [{ title: "a\nb" }] }, "The title of step 1 has line breaks"],
        [{ title: "x", steps: [{ ...one, path: "" }] }, "The path of step 1 is empty."],
        [
          { title: "x", steps: [{ ...one, path: "a\u0000b" }] },
          "The path of step 1 has line breaks or control characters."
        ],
        [{ title: "x", steps: [{ ...one, path: "p".repeat(1001) }] }, "The path of step 1 has 1001 characters"],
        [
          { title: "x", steps: [{ ...one, text: "y".repeat(4001) }] },
          "The text of step 1 has 4001 characters, and 4000 at most."
        ],
        [
          { title: "x", steps: Array.from({ length: 7 }, () => ({ ...one, text: "y".repeat(4000) })) },
          "Its texts have 28000 characters, and 24000 at most."
        ],
        [{ title: "x", steps: [{ ...one, firstLine: 3 }] }, "Step 1 has lines, and no path."],
        [{ title: "x", steps: [{ ...one, path: "a", lastLine: 3 }] }, "Step 1 has a lastLine, and no firstLine."],
        [
          { title: "x", steps: [{ ...one, path: "a", firstLine: 0 }] },
          "Step 1 has the line 0. Lines are whole numbers"
        ],
        [{ title: "x", steps: [{ ...one, path: "a", firstLine: 1.5 }] }, "Step 1 has the line 1.5."],
        [{ title: "x", steps: [{ ...one, path: "a", firstLine: 1e300 }] }, "Step 1 has the line 1e+300."],
        [
          { title: "x", steps: [{ ...one, path: "a", firstLine: 9, lastLine: 3 }] },
          "Step 1 ends at line 3, before its first line 9. Exchange them."
        ]
      ]
      for (const [given, words] of cases) {
        const { said, shown } = yield* present(given)
        assert.match(said, /^ERROR: /)
        assert.include(said, words)
        assert.isBelow(said.length, 500)
        assert.lengthOf(shown, 0)
      }
    })
  )

  it.live("is refused also where its form is wrong, in few words", () =>
    Effect.gen(function* () {
      const { present } = yield* start()
      const huge = Array.from({ length: 10_000 }, () => ({ title: 7 }))
      for (const given of [{}, { title: 7, steps: [] }, { title: "x", steps: "y" }, { title: "x", steps: huge }]) {
        const { said, shown } = yield* present(given)
        assert.match(said, /^ERROR: /)
        // Quotes and line breaks are escaped on their way.
        assert.isBelow(said.length, 100_000)
        assert.lengthOf(shown, 0)
      }
    })
  )

  it("is no walkthrough to who reads `_meta`", () => {
    const good = { title: "x", steps: [{ title: "y" }] }
    const of = (said: unknown): unknown => inMeta({ "signalbox/walkthrough": said })
    assert.deepStrictEqual(of(good), good)
    for (const said of [
      null,
      "x",
      { title: "x", steps: [] },
      { ...good, title: "x".repeat(most.title + 1) },
      { title: "x", steps: Array.from({ length: most.steps + 1 }, () => ({ title: "y" })) },
      { title: "x", steps: [{ title: "y", firstLine: 0 }] },
      { title: "x", steps: [{ title: "y", firstLine: 1e300 }] },
      { title: "x", steps: [{ title: "y", path: "p".repeat(most.path + 1) }] },
      { title: "x", steps: [{ title: "y", text: "t".repeat(most.text + 1) }] }
    ])
      assert.isUndefined(of(said))
    assert.isUndefined(inMeta(undefined))
    assert.isUndefined(inMeta(null))
    assert.isUndefined(inMeta({}))
  })
})
