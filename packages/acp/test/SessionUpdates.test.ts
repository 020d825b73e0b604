/** A piece of plain text is taken by a look at it; whatever else is for its schema to judge, and both have to agree. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { type SessionUpdate, sessionUpdates } from "../src/AcpSchema.ts"
import { read } from "../src/SessionUpdates.ts"

/** Every choice of one value for each member; `undefined` leaves it out. */
const choices = (
  members: Readonly<Record<string, ReadonlyArray<unknown>>>
): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Object.entries(members).reduce<ReadonlyArray<Readonly<Record<string, unknown>>>>(
    (all, [name, values]) =>
      all.flatMap((one) => values.map((value) => (value === undefined ? one : { ...one, [name]: value }))),
    [{}]
  )

const oddities = [undefined, null, "", 1, {}, []]
const contents = choices({
  type: [undefined, "text", "image", "Text", null],
  text: [undefined, "words", "", 7, null],
  annotations: [...oddities, { priority: 1 }, { priority: "high" }],
  _meta: [undefined, null, {}, "x"]
})
const chunks = choices({
  content: [...contents, ...oddities],
  messageId: [undefined, null, "m", 1],
  _meta: [undefined, null, {}, "x"]
})
const kinds = ["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"] as const

describe("a chunk", () => {
  it.each(kinds)("is taken as it is exactly when its schema would take it: %s", (sessionUpdate) => {
    const passes = Schema.is(sessionUpdates[sessionUpdate])
    const counts = { taken: 0, repaired: 0, unknown: 0 }
    for (const chunk of chunks) {
      const update = { sessionUpdate, ...chunk }
      const dropped: Array<unknown> = []
      const incoming = read({ method: "session/update", params: { sessionId: "s", update }, line: 1 }, (parts) =>
        dropped.push(...parts)
      )
      const asItIs = incoming._tag === "Known" && incoming.update === incoming.raw
      assert.strictEqual(asItIs, passes(update), JSON.stringify(update))
      if (incoming._tag === "Unknown") counts.unknown++
      else if (asItIs) counts.taken++
      else {
        counts.repaired++
        assert.isTrue(passes(incoming.update), JSON.stringify(update))
        assert.isNotEmpty(dropped)
      }
    }
    assert.isTrue(
      Object.values(counts).every((count) => count > 100),
      JSON.stringify(counts)
    )
  })
})

type Kind = SessionUpdate["sessionUpdate"]

const words = { type: "text", text: "words" } as const
const usage = { totalTokens: 9, inputTokens: 4, outputTokens: 5, cachedReadTokens: null }

/** What an agent may send of each kind. A kind that is new to the protocol is missing here until it is known what it holds. */
const samples: { readonly [K in Kind]: ReadonlyArray<object> } = {
  user_message_chunk: [{ content: words }],
  agent_message_chunk: [
    { content: words, messageId: "m" },
    { content: { type: "resource", resource: { uri: "file:///a", blob: "AA==" } } }
  ],
  agent_thought_chunk: [{ content: words, messageId: null }],
  tool_call: [
    { toolCallId: "t", title: "T" },
    {
      toolCallId: "t",
      title: "T",
      kind: "edit",
      status: "in_progress",
      content: [
        { type: "content", content: words },
        { type: "diff", path: "/a", oldText: null, newText: "new" },
        { type: "diff", path: "/b", newText: "new" },
        { type: "terminal", terminalId: "1" }
      ],
      locations: [{ path: "/a", line: 3 }],
      rawInput: { any: ["thing"] },
      rawOutput: 7
    }
  ],
  tool_call_update: [{ toolCallId: "t" }, { toolCallId: "t", title: null, status: null, content: null, kind: null }],
  plan: [{ entries: [{ content: "c", priority: "high", status: "pending" }] }],
  plan_update: [
    { plan: { type: "items", planId: "p", entries: [] } },
    { plan: { type: "file", planId: "p", uri: "file:///plan.md" } },
    { plan: { type: "markdown", planId: "p", content: "# Plan" } }
  ],
  plan_removed: [{ planId: "p" }],
  available_commands_update: [{ availableCommands: [{ name: "n", description: "d", input: { hint: "h" } }] }],
  current_mode_update: [{ currentModeId: "m" }],
  config_option_update: [
    { configOptions: [{ id: "f", name: "F", type: "boolean", currentValue: true }] },
    { configOptions: [] }
  ],
  session_info_update: [{}, { title: null, updatedAt: "2026-11-01T00:00:00Z" }],
  usage_update: [
    { used: 1, size: 2 },
    { used: 1, size: 2, cost: null },
    { used: 1, size: 2, cost: { amount: 0.5, currency: "credits" } }
  ],
  notice: [{ severity: "warning", title: "t", description: null }],
  compaction_update: [
    { compactionId: "c", status: "in_progress" },
    { compactionId: "c", status: "failed", summary: null, error: "m" },
    { compactionId: "c", status: "completed", summary: [words] }
  ],
  compaction_summary_chunk: [{ compactionId: "c", content: words }],
  subagent_update: [
    { sessionId: "c" },
    { sessionId: "c", title: null, state: { state: "running" }, capabilities: { cancel: {} }, cwd: "/c" },
    { sessionId: "c", state: { state: "idle", stopReason: "end_turn", usage }, additionalDirectories: null },
    { sessionId: "c", state: { state: "requires_action" } }
  ],
  session_message: [{ messageId: "m", senderSessionId: "a", recipientSessionId: "b", content: [words] }],
  session_message_chunk: [{ messageId: "m", content: words }]
}

const readOne = (update: object) => {
  const dropped: Array<unknown> = []
  const incoming = read({ method: "session/update", params: { sessionId: "s", update }, line: 1 }, (parts) =>
    dropped.push(...parts)
  )
  return { incoming, dropped }
}

describe("an update", () => {
  it.each(Object.entries(samples))(
    "of each kind is read as it is, with what nobody knows beside it: %s",
    (kind, all) => {
      for (const sample of all) {
        const update = { sessionUpdate: kind, ...sample, _meta: { vendor: 1 }, novelty: true }
        const { dropped, incoming } = readOne(update)
        assert.deepStrictEqual(dropped, [], JSON.stringify(update))
        assert.deepStrictEqual<unknown>(incoming, { _tag: "Known", sessionId: "s", update, raw: update, line: 1 })
      }
    }
  )

  it("[71] a notice without a title is none", () => {
    const { incoming } = readOne({ sessionUpdate: "notice", severity: "info", title: "" })
    assert.deepInclude(incoming, { _tag: "Unknown", kind: "notice" })
  })

  it("[66] values that are new leave the update as it is otherwise", () => {
    const known = (update: object) => {
      const { incoming } = readOne(update)
      assert.strictEqual(incoming._tag, "Known", JSON.stringify(update))
      return incoming._tag === "Known" ? incoming.update : undefined
    }
    const call = { sessionUpdate: "tool_call", toolCallId: "t", title: "T" }
    assert.deepStrictEqual<unknown>(known({ ...call, kind: "dream", status: "paused" }), call)
    const holo = { type: "hologram", depth: 3 }
    assert.deepStrictEqual<unknown>(known({ ...call, content: [holo, { type: "content", content: words }] }), {
      ...call,
      content: [{ type: "content", content: words }]
    })
    const subagent = { sessionUpdate: "subagent_update", sessionId: "c", state: { state: "dreaming", depth: 2 } }
    assert.deepStrictEqual<unknown>(known(subagent), subagent)
    const notice = { sessionUpdate: "notice", severity: "grave", title: "t" }
    assert.deepStrictEqual<unknown>(known(notice), notice)
  })

  it("one with very many items that are malformed is read without them", () => {
    const entries = [...Array.from({ length: 150_000 }, () => 0), { content: "c", priority: "low", status: "pending" }]
    const update = { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries } }
    let left = 0
    const params = { sessionId: "s", update }
    const incoming = read({ method: "session/update", params, line: 1 }, ({ length }) => {
      left += length
    })
    assert.strictEqual(left, 150_000)
    const plan = { type: "items", planId: "p", entries: entries.slice(-1) }
    assert.deepStrictEqual<unknown>(incoming._tag === "Known" && incoming.update, {
      sessionUpdate: "plan_update",
      plan
    })
  })
})
