/** Long texts of tool calls: taken out, named, stored once, and put together again. */
import { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { ToolCall } from "@signalbox/contracts/ToolCall"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isDeepStrictEqual } from "node:util"
import { extract, withWholeTexts } from "../../src/orchestration/OutputExtraction.ts"
import type { Chunk } from "../../src/storage/ThreadStore.ts"
import { delta, told, toolCall } from "../support/ThreadEvents.ts"

const unknown = () => undefined

const extractOne = (tool: ToolCall, known?: ToolCall) => {
  const { chunks, events } = extract([told("tool.updated", tool)], () => known)
  const [event] = events
  if (event === undefined || !("tool" in event)) throw new Error("The event is gone.")
  return { tool: event.tool, chunks }
}

/** What a store does with chunks. */
const storeOf = (chunks: ReadonlyArray<Chunk>) => {
  const texts = new Map(chunks.map(({ name, text }) => [name, text]))
  return (name: string) => Effect.sync(() => texts.get(name))
}

/** Text of this length in which no two stretches are alike. */
const counting = (length: number): string => {
  let text = ""
  for (let n = 0; text.length < length; n++) text += `${n} `
  return text.slice(0, length)
}

/** A call with a text in each of its places; every text is said by its length, and by what it is filled with. */
const Lengths = Schema.Struct({
  lengths: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 80_000 }))).check(
    Schema.isMinLength(9),
    Schema.isMaxLength(9)
  ),
  filling: Schema.Literals(["x", "é", "\u{1f600}", "a\u{1f600}", "\n"])
})

const callWith = ({ filling, lengths }: typeof Lengths.Type): ToolCall => {
  const text = (index: number) => {
    const length = lengths[index] ?? 0
    return counting(length % 7) + filling.repeat(length / filling.length)
  }
  return toolCall({
    result: { stdout: text(0), stderr: text(1), text: text(2), error: text(3), exitCode: 1 },
    rawInput: text(4),
    rawOutput: text(5),
    content: [
      { type: "text", text: text(6) },
      { type: "image", mimeType: "image/png", data: "x" },
      { type: "unknown", raw: text(7) },
      { type: "resource", uri: "file:///x", text: text(8) },
      { type: "resource", uri: "file:///y" }
    ],
    diffs: [
      { path: "/a", oldText: text(1), newText: text(2) },
      { path: "/b", oldText: null, newText: text(3) }
    ]
  })
}

const isTorn = (text: string): boolean => /[\ud800-\udbff]$/.test(text) || /^[\udc00-\udfff]/.test(text)

describe("a call without long texts", () => {
  it("stays as it is, with the list that it came in", () => {
    const events = [delta("x".repeat(100_000)), told("tool.started", toolCall({ rawInput: "x".repeat(16_384) }))]
    const extracted = extract(events, unknown)
    assert.strictEqual(extracted.events, events)
    assert.deepStrictEqual(extracted.chunks, [])
  })

  it.prop("of any shape does", { event: ProviderRuntimeEvent }, ({ event }) => {
    const events = [event]
    assert.strictEqual(extract(events, unknown).events, events)
  })
})

describe("a long text", () => {
  it("leaves its beginning, its length and the names of its pieces", () => {
    const stdout = counting(40_000)
    const { chunks, tool } = extractOne(toolCall({ result: { stdout, exitCode: 0 }, rawInput: "{}" }))
    assert.deepStrictEqual(tool.result, { stdout: stdout.slice(0, 8192), exitCode: 0 })
    assert.strictEqual(tool.rawInput, "{}")
    assert.deepStrictEqual(
      chunks.map(({ text }) => text),
      [stdout.slice(0, 16_384), stdout.slice(16_384, 32_768), stdout.slice(32_768)]
    )
    assert.deepStrictEqual(tool.long, [{ part: "stdout", length: 40_000, chunks: chunks.map(({ name }) => name) }])
    for (const { itemId, name } of chunks) {
      assert.strictEqual(itemId, "turn:call")
      assert.match(name, /^[\w-]{22}$/)
    }
  })

  it("is taken out of every place that may hold one, and named after it", () => {
    const text = counting(20_000)
    const calls: Record<string, Partial<ToolCall>> = {
      stdout: { result: { stdout: text } },
      stderr: { result: { stderr: text } },
      text: { result: { text } },
      error: { result: { error: text } },
      rawInput: { rawInput: text },
      rawOutput: { rawOutput: text },
      "content:1": {
        content: [
          { type: "text", text: "short" },
          { type: "text", text }
        ]
      },
      "content:0": { content: [{ type: "resource", uri: "file:///x", text }] },
      "content:2": {
        content: [
          { type: "text", text: "" },
          { type: "text", text: "" },
          { type: "unknown", raw: text }
        ]
      },
      "diff:0:old": { diffs: [{ path: "/a", oldText: text, newText: "" }] },
      "diff:0:new": { diffs: [{ path: "/a", oldText: null, newText: text }] },
      "terminal:1": {
        terminals: [
          { terminalId: "a", state: "running", output: "short", truncated: false },
          { terminalId: "b", state: "exited", output: text, truncated: true, exitCode: 0 }
        ]
      }
    }
    for (const [part, call] of Object.entries(calls)) {
      const { tool } = extractOne(toolCall(call))
      assert.deepStrictEqual(
        tool.long?.map((long) => [long.part, long.length]),
        [[part, text.length]]
      )
      assert.isBelow(JSON.stringify(tool).length, 10_000)
    }
  })

  it("is stored once, wherever and however often it stands", () => {
    const text = counting(20_000)
    const tool = toolCall({ result: { stdout: text, text }, content: [{ type: "text", text }] })
    const again = { ...tool, status: "completed" as const }
    const { chunks, events } = extract([told("tool.updated", tool), told("tool.completed", again)], unknown)
    assert.strictEqual(chunks.length, 2)
    for (const event of events) {
      const { long } = "tool" in event ? event.tool : {}
      assert.deepStrictEqual(
        long?.map(({ part }) => part),
        ["stdout", "text", "content:0"]
      )
    }
  })

  it("that has grown is stored from where it is new", () => {
    const text = counting(60_000)
    const before = extractOne(toolCall({ result: { stdout: text.slice(0, 40_000) } })).tool
    const { chunks, tool } = extractOne(toolCall({ result: { stdout: text } }), before)
    assert.deepStrictEqual(
      chunks.map((chunk) => chunk.text),
      [text.slice(32_768, 49_152), text.slice(49_152)]
    )
    assert.strictEqual(tool.long?.[0]?.chunks.length, 4)
  })

  it("of another call is stored for that one, even if it is the same", () => {
    const rawOutput = counting(20_000)
    const events = ["one", "other"].map((toolCallId) => told("tool.completed", toolCall({ toolCallId, rawOutput })))
    const { chunks } = extract(events, unknown)
    assert.deepStrictEqual(
      chunks.map(({ itemId }) => itemId),
      ["turn:one", "turn:one", "turn:other", "turn:other"]
    )
  })

  it.effect.prop(
    "is put together again as it was, whatever it is and wherever it stood",
    { texts: Lengths },
    ({ texts }) =>
      Effect.gen(function* () {
        const whole = callWith(texts)
        const { chunks, tool } = extractOne(whole)
        assert.isTrue(Schema.is(ToolCall)(tool))
        for (const { text } of chunks) {
          assert.isAtMost(text.length, 16_384)
          assert.isFalse(isTorn(text))
        }
        for (const { length } of tool.long ?? []) assert.isAbove(length, 16_384)
        assert.isTrue(isDeepStrictEqual(yield* withWholeTexts(tool, storeOf(chunks)), whole))
      })
  )

  it.effect("of which a piece is lost stays begun, and says so", () =>
    Effect.gen(function* () {
      const whole = toolCall({ rawInput: counting(20_000), rawOutput: "x".repeat(20_000) })
      const { chunks, tool } = extractOne(whole)
      const read = storeOf(chunks.slice(1))
      const { long, rawInput, rawOutput } = yield* withWholeTexts(tool, read)
      assert.strictEqual(rawInput, tool.rawInput)
      assert.strictEqual(rawOutput, whole.rawOutput)
      assert.deepStrictEqual(
        long?.map(({ part }) => part),
        ["rawInput"]
      )
    })
  )

  it.effect("never ends in half a character", () =>
    Effect.gen(function* () {
      for (const before of ["", "x"]) {
        const rawOutput = before + "\u{1f600}".repeat(20_000)
        const { chunks, tool } = extractOne(toolCall({ rawOutput }))
        assert.isFalse(isTorn(tool.rawOutput ?? ""))
        assert.strictEqual(tool.rawOutput?.length, before === "" ? 8192 : 8191)
        assert.isFalse(chunks.some(({ text }) => isTorn(text)))
        const whole = yield* withWholeTexts(tool, storeOf(chunks))
        assert.isTrue(whole.rawOutput === rawOutput)
      }
    })
  )
})
