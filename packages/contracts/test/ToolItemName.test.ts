/** Entries of tool calls never take the place of ours, whatever ids agents choose. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { toolItemName } from "../src/ToolItemName.ts"

describe("the name of a tool call's entry", () => {
  it("is the agent's id", () => {
    for (const id of ["call_1", "toolu_01", "1", "assistants", "prompter", "a:assistant", "line\nbreak", ""])
      assert.strictEqual(toolItemName(id, true), id)
  })

  it("is escaped where the id equals one of ours or begins like it", () => {
    for (const id of [
      "assistant",
      "assistant:2",
      "thought",
      "prompt",
      "problem",
      "heard-1",
      "subagent:x",
      "file:x",
      "compaction:x",
      "written:1",
      "tool:assistant"
    ])
      assert.strictEqual(toolItemName(id, true), `tool:${id}`)
  })

  it("is escaped outside of turns where it could be the number of an event or of a piece of history", () => {
    assert.strictEqual(toolItemName("17", false), "tool:17")
    assert.strictEqual(toolItemName("17:mode", false), "tool:17:mode")
    assert.strictEqual(toolItemName("17", true), "17")
    assert.strictEqual(toolItemName("replay-1:prompt", false), "tool:replay-1:prompt")
    assert.strictEqual(toolItemName("replay-1-1", true), "replay-1-1")
  })

  it.prop(
    "differs where the ids differ",
    {
      one: Schema.String,
      other: Schema.String,
      words: Schema.Array(Schema.Literals(["tool:", "assistant", ":2", "prompt"]))
    },
    ({ one, other, words }) => {
      const ids = new Set([one, other, words.join(""), `tool:${words.join("")}`, `tool:${one}`])
      assert.strictEqual(new Set([...ids].map((id) => toolItemName(id, true))).size, ids.size)
    }
  )
})
