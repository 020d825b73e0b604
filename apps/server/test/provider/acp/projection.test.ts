import { assert, describe, it } from "@effect/vitest"
import * as History from "../../../src/provider/acp/projection/History.ts"
import * as SessionProjection from "../../../src/provider/acp/projection/SessionProjection.ts"
import { call, change, projection, said, saidWith, text, thought } from "../../support/ProjectionHarness.ts"

describe("streamed text", () => {
  it("[61] joins adjacent pieces of one chunk into one event", () => {
    const session = projection()
    session.begin("t1")
    const events = session.feed(text("one "), text("two "), text("three"))
    assert.strictEqual(events.length, 1)
    const [delta] = session.of("message.delta")
    assert.strictEqual(delta?.text, "one two three")
    assert.strictEqual(delta?.itemId, "t1:assistant")
    assert.strictEqual(delta?.offset, 0)
    assert.strictEqual(delta?.tapeLine, 1)
    session.feed(text("!"))
    assert.strictEqual(session.of("message.delta")[1]?.offset, 13)
  })

  it("counts offsets in UTF-16 units", () => {
    const session = projection()
    session.begin("t1")
    session.feed(text("😀"))
    session.feed(text("é"))
    session.end()
    assert.deepStrictEqual(
      session.of("message.delta").map(({ offset }) => offset),
      [0, 2]
    )
    assert.strictEqual(session.of("message.completed")[0]?.length, 3)
  })

  const joined = (session: ReturnType<typeof projection>): ReadonlyArray<string> => {
    const items = new Map<string, string>()
    for (const event of session.events) {
      if (event.type !== "message.delta" && event.type !== "thought.delta") continue
      const before = items.get(event.itemId) ?? ""
      assert.strictEqual(event.offset, before.length)
      items.set(event.itemId, before + event.text)
    }
    return [...items.values()]
  }

  it.each([
    ["one line of 16 million characters", ["x".repeat(16_000_000)]],
    ["pieces without an end of a line", Array.from({ length: 4000 }, () => "forty characters of streaming text, mmm.")],
    ["astral characters at every cut", ["a", "😀".repeat(100_000)]]
  ])("takes several items, none longer than 65,536 units, for %s", (_, pieces) => {
    const session = projection()
    session.begin("t1")
    session.feed(...pieces.map((piece) => text(piece)))
    session.end()
    const items = joined(session)
    assert.strictEqual(items.join(""), pieces.join(""))
    assert.isAbove(items.length, 1)
    for (const item of items) {
      assert.isAtMost(item.length, 65_536)
      assert.isTrue(item.isWellFormed())
    }
    const ends = session.of("message.completed")
    assert.deepStrictEqual(
      ends.map(({ length }) => length),
      items.map(({ length }) => length)
    )
    assert.deepStrictEqual(
      ends.map(({ continued }) => continued === true),
      ends.map((_, index) => index < ends.length - 1)
    )
  })

  it.each([7, 31, 4000, 1_000_000])("is cut between paragraphs where there are any, in pieces of %i", (size) => {
    const session = projection()
    const paragraph = `${"All of this is one paragraph. ".repeat(20)}\n\n`
    const whole = paragraph.repeat(200)
    session.begin("t1")
    for (let start = 0; start < whole.length; start += size) session.feed(text(whole.slice(start, start + size)))
    session.end()
    const items = joined(session)
    assert.strictEqual(items.join(""), whole)
    assert.isAbove(items.length, 2)
    for (const item of items) assert.isTrue(item.endsWith("\n\n") && item.startsWith("All"))
    assert.strictEqual(session.of("message.completed").at(-1)?.continued, undefined)
  })

  it("holds few attachments in one item, however many come", () => {
    const session = projection()
    session.begin("t1")
    for (let index = 0; index < 300; index++)
      session.feed(text("", { content: { type: "image", mimeType: "image/png", data: "A".repeat(400) } }))
    const counts = new Map<string, number>()
    for (const { itemId } of session.of("message.content")) counts.set(itemId, (counts.get(itemId) ?? 0) + 1)
    assert.strictEqual(
      [...counts.values()].reduce((sum, count) => sum + count),
      300
    )
    assert.isAtMost(Math.max(...counts.values()), 64)
  })

  it("[61] starts a new segment after a tool call or a thought", () => {
    const session = projection()
    session.begin("t1")
    session.feed(
      text("a"),
      call("x"),
      text("b"),
      change("x", { status: "completed" }),
      text("c"),
      thought("hm"),
      text("d")
    )
    session.end()
    assert.deepStrictEqual(
      session.of("message.delta").map(({ itemId, text }) => [itemId, text]),
      [
        ["t1:assistant", "a"],
        ["t1:assistant:2", "b"],
        ["t1:assistant:2", "c"],
        ["t1:assistant:3", "d"]
      ]
    )
    assert.strictEqual(session.of("message.completed").length, 3)
    assert.deepStrictEqual(
      session.of("thought.completed").map(({ itemId, length }) => [itemId, length]),
      [["t1:thought", 2]]
    )
  })

  it("[61] starts a new segment with a new message id", () => {
    const session = projection()
    session.begin("t1")
    session.feed(text("a", { messageId: "m1" }), text("b", { messageId: "m1" }), text("c", { messageId: "m2" }))
    assert.deepStrictEqual(
      session.of("message.delta").map(({ itemId, text }) => [itemId, text]),
      [
        ["t1:assistant", "ab"],
        ["t1:assistant:2", "c"]
      ]
    )
  })

  it("keeps what is not text in its place", () => {
    const session = projection()
    session.begin("t1")
    session.feed(text("look: "), {
      sessionUpdate: "agent_message_chunk",
      content: { type: "image", mimeType: "image/png", data: "AA==" }
    })
    assert.deepStrictEqual(session.of("message.content")[0]?.content, {
      type: "image",
      mimeType: "image/png",
      data: "AA=="
    })
    assert.strictEqual(session.of("message.content")[0]?.itemId, "t1:assistant")
  })

  it("[73] that comes after its turn's end belongs to that turn, and says that it is late", () => {
    const session = projection()
    session.begin("t1")
    session.feed(text("a"))
    session.end("cancelled")
    session.feed(text("late"))
    session.begin("t2")
    session.feed(text("b"))
    assert.deepStrictEqual(
      session.of("message.delta").map(({ late, text, turnId }) => [turnId, text, late]),
      [
        ["t1", "a", undefined],
        ["t1", "late", true],
        ["t2", "b", undefined]
      ]
    )
  })

  it("outside of any turn belongs to none", () => {
    const session = projection()
    session.feed(text("welcome"))
    const [delta] = session.of("message.delta")
    assert.strictEqual(delta?.turnId, undefined)
    assert.strictEqual(delta?.itemId, "run-1:assistant")
  })
})

describe("other updates", () => {
  it("[69][70] each have their event", () => {
    const session = projection()
    session.begin("t1")
    session.feed(
      { sessionUpdate: "plan", entries: [{ content: "a", priority: "high", status: "pending" }] },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "x", description: "d", input: { hint: "h" } }]
      },
      { sessionUpdate: "session_info_update", title: "Title" },
      { sessionUpdate: "session_info_update", updatedAt: "2026-01-01T00:00:00Z" },
      { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 3, currency: "credits" } },
      { sessionUpdate: "notice", severity: "info", title: "Heads up", description: "Soon" }
    )
    assert.deepStrictEqual(session.types(), [
      "plan.updated",
      "commands.updated",
      "session.info.updated",
      "usage.updated",
      "runtime.warning"
    ])
    assert.deepStrictEqual(session.of("plan.updated")[0]?.entries, [
      { content: "a", priority: "high", status: "pending" }
    ])
    assert.deepStrictEqual(session.of("commands.updated")[0]?.commands, [{ name: "x", description: "d", hint: "h" }])
    assert.deepStrictEqual(session.of("usage.updated")[0]?.cost, { amount: 3, currency: "credits" })
  })

  it("[66] that are unknown are kept whole", () => {
    const session = projection()
    session.begin("t1")
    session.feed({ sessionUpdate: "cursor_future_thing", payload: { a: [1] } })
    const [unknown] = session.of("protocol.unknown")
    assert.strictEqual(unknown?.kind, "cursor_future_thing")
    assert.strictEqual(unknown?.raw, '{"sessionUpdate":"cursor_future_thing","payload":{"a":[1]}}')
    assert.strictEqual(unknown?.turnId, "t1")
  })

  it("[66] that cannot be read are kept whole", () => {
    const session = projection()
    session.begin("t1")
    session.feed({ sessionUpdate: "agent_message_chunk", content: { type: "hologram" } })
    assert.strictEqual(session.of("protocol.unknown")[0]?.kind, "agent_message_chunk")
  })

  it("[112] the mode follows the agent, by modes and by config options", () => {
    const session = projection()
    const mode = (value: string) => ({
      type: "select" as const,
      id: "mode",
      name: "Mode",
      value,
      groups: [
        {
          choices: [
            { value: "agent", name: "Agent" },
            { value: "plan", name: "Plan" }
          ]
        }
      ]
    })
    session.step(() => SessionProjection.setSettings(session.state, [mode("agent")]))
    session.feed({ sessionUpdate: "current_mode_update", currentModeId: "plan" })
    session.feed({ sessionUpdate: "current_mode_update", modeId: "plan" })
    assert.deepStrictEqual(
      session.of("settings.updated").map(({ settings }) => settings),
      [[mode("agent")], [mode("plan")]]
    )
  })

  it("a repeated prompt is no news, another person's words are", () => {
    const session = projection()
    session.begin("t1", "do it")
    session.feed(said("do "), said("it"), text("ok"))
    assert.deepStrictEqual(session.of("prompt.replayed"), [])
    session.feed(said("from the IDE"), text("sure"))
    assert.deepStrictEqual(
      session.of("prompt.replayed").map(({ text }) => text),
      ["from the IDE"]
    )
  })
})

describe("a replay", () => {
  const history = [
    said("first"),
    thought("t"),
    text("answer 1"),
    call("replay-0-1", { status: "pending" }),
    change("replay-0-1", { status: "completed" }),
    said("sec"),
    said("ond"),
    text("answer 2")
  ]

  const linked = { type: "resource_link", uri: "file:///p/a.ts", name: "a.ts" } as const

  const load = (known: ReadonlyArray<string>, updates: ReadonlyArray<object>) => {
    const session = projection()
    session.step(() => History.begin(session.state, known))
    for (const update of updates) session.feed(update)
    session.step(() => History.end(session.state))
    return session
  }

  it("[44] of what we have is dropped", () => {
    assert.deepStrictEqual(load(["first", "second"], history).types(), [])
  })

  it.each([
    ["all that was attached", [{ type: "image", mimeType: "image/png", data: "" }, linked]],
    ["links and files in words", [linked, { type: "text", text: "untitled:notes:\n\nsecond" }]],
    ["nothing of what was attached", []]
  ] as const)("[44] of a prompt that we have is dropped where it comes with %s", (_, attached) => {
    const told = [{ type: "text", text: "first" } as const, ...attached].map(saidWith)
    assert.deepStrictEqual(load(["first"], [...told, text("answer 1")]).types(), [])
  })

  it("of a prompt that only begins like ours is shown", () => {
    const session = load(["first"], [said("first"), said(" and more"), text("answer 1")])
    assert.deepStrictEqual(
      session.of("prompt.replayed").map(({ text }) => text),
      ["first and more"]
    )
  })

  it("[44] of what we do not have is shown once, as replayed", () => {
    const session = load([], history)
    assert.deepStrictEqual(
      session.of("prompt.replayed").map(({ text }) => text),
      ["first", "second"]
    )
    assert.isTrue(session.events.every((event) => "replayed" in event && event.replayed))
    assert.deepStrictEqual(
      session.of("message.delta").map(({ itemId, text }) => [itemId, text]),
      [
        ["run-1:replay-1:assistant", "answer 1"],
        ["run-1:replay-2:assistant", "answer 2"]
      ]
    )
    assert.strictEqual(session.of("message.completed").length, 2)
    assert.strictEqual(session.of("tool.started").length, 1)
  })

  it("beyond what we have is shown from there on", () => {
    const session = load(["first"], history)
    assert.deepStrictEqual(
      session.of("prompt.replayed").map(({ text }) => text),
      ["second"]
    )
    assert.deepStrictEqual(
      session.of("message.delta").map(({ text }) => text),
      ["answer 2"]
    )
  })

  it("that lacks a prompt of ours, e.g. a cancelled one, is still recognised", () => {
    assert.deepStrictEqual(load(["first", "cancelled", "second"], history).types(), [])
  })

  it("is recognised whatever became of line breaks and spaces", () => {
    assert.deepStrictEqual(load(["  first\n", "sec\nond"], history).types(), [])
  })

  it("ends with the answer to the load: what follows is new", () => {
    const session = load(["first", "second"], history)
    session.begin("t1")
    session.feed(text("new"))
    assert.deepStrictEqual(
      session.of("message.delta").map(({ replayed, text }) => [text, replayed]),
      [["new", undefined]]
    )
  })

  it("does not hold back what belongs to no transcript", () => {
    const session = load(
      ["first"],
      [
        said("first"),
        { sessionUpdate: "available_commands_update", availableCommands: [] },
        { sessionUpdate: "session_info_update", title: "T" }
      ]
    )
    assert.deepStrictEqual(session.types(), ["commands.updated", "session.info.updated"])
  })
})
