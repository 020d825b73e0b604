import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as EventStream from "../src/internal/transport/EventStream.ts"

const encoder = new TextEncoder()

/** The messages of a text whose bytes come in pieces, and whether it failed. */
const read = (pieces: ReadonlyArray<Uint8Array>, maxMessageBytes = 1_000) => {
  const events = EventStream.make(maxMessageBytes)
  const messages: Array<string> = []
  for (const piece of pieces) {
    const result = events([piece])
    if (Result.isFailure(result)) return "failed"
    messages.push(...result.success)
  }
  return messages
}

describe("[124] EventStream", () => {
  it.each([
    ["one line each", 'data: {"a":"ä"}\n\ndata: {"b":2}\n\n', ['{"a":"ä"}', '{"b":2}']],
    ["signs of life", ':\n\ndata: {"a":1}\n\n: still here\n\n: and here\n\ndata: {"b":2}\n\n', ['{"a":1}', '{"b":2}']],
    ["carriage returns", 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n', ['{"a":1}', '{"b":2}']],
    [
      "names, ids and lines",
      'id: 1\nevent: message\ndata: {"a":\ndata: 1}\n\ndata:{"b":2}\n\n',
      ['{"a": 1}', '{"b":2}']
    ],
    ["a comment within an event", 'data: {"a":1}\n: yes\n\ndata: {"b":2}\n\n', ['{"a":1}', '{"b":2}']],
    ["nothing to say", 'retry: 3\n\nevent: ping\n\ndata: {"a":1}\n\n', ['{"a":1}']]
  ])("reads %s, wherever the bytes are cut", (_, text, expected) => {
    const bytes = encoder.encode(text)
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepStrictEqual(read([bytes.subarray(0, at), bytes.subarray(at)]), expected, `cut at ${at}`)
    }
    assert.deepStrictEqual(read([...bytes].map((byte) => Uint8Array.of(byte))), expected)
  })

  it.each([
    ["complete", "data: xxxxxxxxxxxx\n\n"],
    ["going on", "data: xxxxxxxxxxxx"]
  ])("a message that is too long is an error: %s", (_, text) => {
    assert.strictEqual(read([encoder.encode(text)], 10), "failed")
    assert.deepStrictEqual(read([encoder.encode(text)], 100), text.endsWith("\n\n") ? [text.slice(6, -2)] : [])
  })
})
