/** What a tool printed is shown once, however often it was sent. */
import { assert, describe, it } from "@effect/vitest"
import type { ContentPart } from "@signalbox/contracts/Content"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { isRepeatedOutput, unfenced } from "../src/transcript/repeatedOutput.ts"
import { tool } from "./gallery/thread.ts"

const text = (said: string): ContentPart => ({ type: "text", text: said })
const twice = (said: string, more: Partial<ToolCall>) => isRepeatedOutput(text(said), 0, tool(0, 5, more))

describe("output that was sent twice", () => {
  it("is known in plain words and in a fence", () => {
    const result = { stdout: "one\ntwo\n" }
    assert.isTrue(twice("one\ntwo", { result }))
    assert.isTrue(twice("```console\none\ntwo\n```", { result }))
    assert.isTrue(twice("```\none\ntwo\n```\n", { result: { text: "one\ntwo" } }))
    assert.isTrue(twice("boom", { result: { error: "boom" } }))
  })

  it("is not taken for twice where anything differs, or there is no result", () => {
    assert.isFalse(twice("one\ntwo", { result: { stdout: "one" } }))
    assert.isFalse(twice("```\none\n```\nand more", { result: { stdout: "one" } }))
    assert.isFalse(twice("one", {}))
    assert.isFalse(twice("", { result: { stdout: "" } }))
  })

  it("is known by beginning and length where only beginnings are here", () => {
    const beginning = "x".repeat(4000)
    const long = (part: string, length: number) => ({ part, length, chunks: [] })
    const result = { stdout: beginning }
    assert.isTrue(
      twice(`\`\`\`console\n${beginning.slice(20)}`, { result, long: [long("content:0", 9020), long("stdout", 9000)] })
    )
    assert.isFalse(twice(beginning, { result, long: [long("content:0", 19_000), long("stdout", 9000)] }))
    assert.isFalse(twice(beginning, { result, long: [long("content:0", 9000)] }))
  })
})

describe("a text without its fence", () => {
  it.each([
    ["```\na\n```", "a"],
    ["~~~~sh\na\n\nb\n~~~~\n", "a\n\nb"],
    ["```\na", "a"],
    ["a\n```\nb\n```", "a\n```\nb\n```"],
    ["```\n```", ""]
  ])("%j is %j", (whole, bare) => assert.strictEqual(unfenced(whole), bare))
})
