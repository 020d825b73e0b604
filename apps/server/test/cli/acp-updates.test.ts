/** What an editor gets of a thread that has changed. */
import { assert, describe, it } from "@effect/vitest"
import { ItemId, TurnId } from "@signalbox/contracts/Ids"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { pathToFileURL } from "node:url"
import * as ThreadUpdates from "../../src/cli/acp/ThreadUpdates.ts"

const editor: ThreadUpdates.Editor = {
  booleans: true,
  hasSent: (turnId) => turnId === "mine",
  terminalOf: () => undefined
}

const base = (name: string) => ({ itemId: ItemId.make(name), turnId: TurnId.make("t"), at: 0 })
const message = (name: string, text: string, more: { readonly continued?: true } = {}): ItemView => ({
  type: "message",
  ...base(name),
  text,
  content: [],
  ...more
})
const call = (more: Partial<ToolCall>): ItemView => ({
  type: "tool",
  ...base("call"),
  tool: {
    toolCallId: "call",
    title: "Run",
    kind: "execute",
    status: "in_progress",
    subject: { type: "none" },
    diffs: [],
    content: [],
    locations: [],
    startedAt: 0,
    ...more
  }
})

/** The updates of each state after the one before it. */
const updatesOf = (...states: ReadonlyArray<ReadonlyArray<ItemView>>) => {
  const shown = ThreadUpdates.nothing()
  return states.map((items) => ThreadUpdates.ofItems(shown, items, editor))
}

const texts = (updates: ReadonlyArray<object>) =>
  updates.map((update) => ("messageId" in update && "content" in update ? [update.messageId, update.content] : update))

describe("the updates of an editor", () => {
  it("have each piece of a text once, however much came at once, in the order of the entries", () => {
    const [first = [], second = [], third = []] = updatesOf(
      [message("a", "One")],
      [message("a", "One, two"), message("b", "Three")],
      [message("a", "One, two"), message("b", "Three")]
    )
    const text = (words: string) => ({ type: "text", text: words })
    assert.deepStrictEqual(texts(first), [["a", text("One")]])
    assert.deepStrictEqual(texts(second), [
      ["a", text(", two")],
      ["b", text("Three")]
    ])
    assert.deepStrictEqual(third, [])
  })

  it("join the pieces of a long message under one id", () => {
    const [all = []] = updatesOf([message("a", "x", { continued: true }), message("b", "y"), message("c", "z")])
    assert.deepStrictEqual(
      texts(all).map((one) => (Array.isArray(one) ? one[0] : one)),
      ["a", "a", "c"]
    )
  })

  it("link to a file by an address that leads there, and keep the type of what a message links to", () => {
    const path = "/home/me/50% of #1/a b.txt"
    const link = { type: "resource_link" as const, uri: "file:///a.png", name: "a.png", mimeType: "image/png" }
    const [all = []] = updatesOf([
      { type: "file", ...base("f"), path },
      { type: "message", ...base("m"), text: "", content: [link] }
    ])
    const [file, linked] = all.map((update) => ("content" in update ? update.content : undefined))
    assert.deepInclude(file, { type: "resource_link", uri: pathToFileURL(path).href, name: path })
    assert.deepStrictEqual<unknown>(linked, link)
  })

  it("leave out the editor's own prompts, and have those of others", () => {
    const prompt = (turn: string): ItemView => ({
      type: "prompt",
      itemId: ItemId.make(`${turn}:prompt`),
      turnId: TurnId.make(turn),
      at: 0,
      prompt: [{ type: "text", text: turn }]
    })
    const [all = []] = updatesOf([prompt("mine"), prompt("other")])
    assert.deepStrictEqual(texts(all), [["other:prompt", { type: "text", text: "other" }]])
  })

  it("have what changed of a call, its output, and why it did not complete", () => {
    const result = { stdout: "printed\n", exitCode: 2 }
    const [first = [], second = [], third = [], fourth = []] = updatesOf(
      [call({})],
      [call({ status: "failed", result })],
      [call({ status: "failed", result, endedAt: 3 })],
      [call({ status: "cancelled", result })]
    )
    assert.deepInclude(first[0], {
      sessionUpdate: "tool_call",
      toolCallId: "call",
      title: "Run",
      status: "in_progress"
    })
    const text = (words: string) => ({ type: "content", content: { type: "text", text: words } })
    assert.deepStrictEqual<unknown>(second, [
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "call",
        status: "failed",
        content: [text("printed\n"), text("Exit code 2")]
      }
    ])
    assert.deepStrictEqual(third, [], "nothing that an editor shows has changed")
    assert.deepStrictEqual<unknown>(fourth, [
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "call",
        content: [text("printed\n"), text("Exit code 2"), text("Stopped with its turn.")]
      }
    ])
  })
})
