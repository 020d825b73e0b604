/** Pieces of a text are looked through for secrets together, at a cost that grows with them and no faster: counted, not timed. */
import { assert, describe, it } from "@effect/vitest"
import * as PiecedText from "../../src/tape/PiecedText.ts"

const secret = "sesame-open"
const spansIn = (text: string) => {
  const start = text.indexOf(secret)
  return start === -1 ? [] : [{ start, end: start + secret.length }]
}
const piece = (kind: string, text: string) => ({
  method: "session/update",
  params: { update: { sessionUpdate: kind, content: { type: "text", text } } }
})
const textOf = (passing: PiecedText.Passing<number>) => JSON.stringify(passing.message)

describe("pieces of a text", () => {
  it.each([
    ["of as many kinds as there are", (index: number) => `k${index}_chunk`],
    ["of one kind", () => "agent_message_chunk"]
  ])("%s are each looked at twice at most", (_, kindOf) => {
    let steps = 0
    let characters = 0
    const pieces = PiecedText.make<number>(
      (text) => {
        characters += text.length
        return []
      },
      () => (steps += 1)
    )
    const count = 50_000
    const passed = Array.from({ length: count }, (_, index) => pieces.push(index, piece(kindOf(index), "x"))).flat()
    passed.push(...pieces.end())
    assert.deepStrictEqual(
      passed.map(({ item }) => item),
      Array.from({ length: count }, (_, index) => index)
    )
    assert.isAtLeast(steps, count)
    assert.isAtMost(steps, 2 * count)
    assert.isAtMost(characters, 2 * count)
  })

  it("of other kinds in between do not hide a secret", () => {
    const pieces = PiecedText.make<number>(spansIn)
    const lines = ["ses", "ame-", "open"].flatMap((text, index) => [
      piece("agent_message_chunk", text),
      piece(`k${index}_chunk`, "other")
    ])
    const passed = [...lines.flatMap((line, index) => pieces.push(index, line)), ...pieces.end()]
    const texts = passed.map(textOf).join("\n")
    for (const part of ["ses", "ame-", "open"]) assert.notInclude(texts, `"${part}"`)
    assert.include(texts, "[redacted]")
    assert.strictEqual(texts.split('"other"').length - 1, 3)
  })

  it("of each hop of a chain do not hide a secret", () => {
    const pieces = PiecedText.make<number>(spansIn)
    const lines = ["ses", "ame-", "open"].flatMap((text) => [
      { type: "notification", from: "Agent", to: "Proxy(1)", ...piece("agent_message_chunk", text) },
      { type: "notification", from: "Proxy(1)", to: "Proxy(0)", ...piece("agent_message_chunk", text) },
      piece("agent_message_chunk", text)
    ])
    const passed = [...lines.flatMap((line, index) => pieces.push(index, line)), ...pieces.end()]
    assert.lengthOf(passed, 9)
    const texts = passed.map(textOf).join("\n")
    for (const part of ["ses", "ame-", "open"]) assert.notInclude(texts, `"${part}"`)
    assert.strictEqual(texts.split("[redacted]").length - 1, 3)
  })

  it.each([["terminal_output"], ["terminal_output_delta"], ["terminal_output_delta", "terminal_output"]])(
    "that a terminal of the agent's own prints do not hide a secret (%s)",
    (...members) => {
      const printed = (toolCallId: string, data: string) => ({
        method: "session/update",
        params: {
          update: {
            sessionUpdate: "tool_call_update",
            toolCallId,
            _meta: { other: 1, ...Object.fromEntries(members.map((name) => [name, { terminal_id: "t", data }])) }
          }
        }
      })
      const pieces = PiecedText.make<number>(spansIn)
      const lines = ["ses", "ame-", "open"].flatMap((text) => [printed("a", text), printed("b", "other")])
      const passed = [...lines.flatMap((line, index) => pieces.push(index, line)), ...pieces.end()]
      const texts = passed.map(textOf).join("\n")
      for (const part of ["ses", "ame-", "open"]) assert.notInclude(texts, `"${part}"`)
      assert.strictEqual(texts.split("[redacted]").length - 1, members.length)
      assert.strictEqual(texts.split('"other":1').length - 1, 6)
      assert.strictEqual(texts.split('"data":"other"').length - 1, 3 * members.length)
    }
  )
})
