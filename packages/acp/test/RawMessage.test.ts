import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as RawMessage from "../src/RawMessage.ts"
import * as JsonTexts from "./JsonTexts.ts"

const read = (line: string) => {
  const message = RawMessage.read(line)
  assert.notStrictEqual(message._tag, "Unreadable")
  return message
}

const json = Arbitrary.schema(Schema.Json)
const text = Arbitrary.schema(Schema.String)
const spaces = Arbitrary.schema(Schema.Literals(["", " ", "\t", "  \r", "    "]))

describe("A raw message", () => {
  it.effect.prop(
    "keeps each member as it stood, wherever spaces and other members stand",
    { json, method: text, other: json, name: text, s: spaces, t: spaces },
    ({ json, method, name, other, s, t }) =>
      Effect.sync(() => {
        const params = JSON.stringify([json], undefined, s)
        const extra = JSON.stringify(`_${name}`)
        const line = `${s}{${t}"jsonrpc":"2.0",${s}${extra}${t}:${s}${JSON.stringify(other)}${t},"params"${s}:${t}${params}${s},${t}"id":${s}7${t},"method":${JSON.stringify(method)}${s}}${t}`
        assert.deepEqual(read(line), {
          _tag: "Request",
          id: "7",
          side: "client",
          method,
          params: JSON.stringify([json], undefined, s)
        })
      })
  )

  it.prop(
    "is read from its own line of a longer text, also where that line is cut",
    { params: JsonTexts.params, kept: Arbitrary.schema(Schema.Int) },
    ({ kept, params }) => {
      const whole = `{"id":1,"method":"a","params":${params}}`
      const line = whole.slice(0, whole.length - (Math.abs(kept) % 20))
      const text = `{"params":\n${line}\n"b":0}]}`
      const from = text.indexOf("\n") + 1
      assert.deepStrictEqual(RawMessage.read(text, from, from + line.length), RawMessage.read(line))
    }
  )

  const lines: ReadonlyArray<readonly [name: string, line: string]> = [
    [
      "an integer of 64 bits",
      '{"jsonrpc":"2.0","id":9223372036854775807,"method":"a","params":{"n":9223372036854775807}}'
    ],
    ["digits of a fraction", '{"jsonrpc":"2.0","id":1,"method":"a","params":{"n":1.0,"m":1e400}}'],
    ["null as params", '{"jsonrpc":"2.0","id":1,"method":"a","params":null}'],
    ["absent params", '{"jsonrpc":"2.0","id":"x","method":"a"}'],
    ["escapes", String.raw`{"jsonrpc":"2.0","method":"a","params":{"t":"\\\"}{\u0041\/","\"}":[]}}`],
    ["a result of null", '{"jsonrpc":"2.0","id":1,"result":null}'],
    [
      "members of an error that nobody knows",
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":null,"x":1}}'
    ],
    ["a cancellation", '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":9007199254740993}}'],
    ["an envelope", '{"jsonrpc":"2.0","id":3,"method":"proxy/successor","params":{"method":"a","params":{"n":1.50}}}'],
    ["an envelope of null", '{"jsonrpc":"2.0","method":"proxy/successor","params":{"method":"a","params":null}}']
  ]
  for (const [name, line] of lines) {
    it(`is written as it was read: ${name}`, () => {
      const message = read(line)
      if (message._tag === "Unreadable") return assert.fail()
      assert.strictEqual(RawMessage.write(message, "proxy"), line)
    })
  }

  it("takes the last of two members of one name, as JSON.parse does", () => {
    const line = '{"method":"a","params":{"x":1},"params":{"y":2},"jsonrpc":"2.0"}'
    assert.deepEqual(read(line), { _tag: "Notification", side: "client", method: "a", params: '{"y":2}' })
  })

  it("reads a member whose name is written with escapes", () => {
    assert.deepEqual(read(String.raw`{"m\u0065thod":"a"}`), {
      _tag: "Notification",
      side: "client",
      method: "a",
      params: undefined
    })
  })

  it("reads each spelling of an envelope, and leaves out the meta of the hop", () => {
    const said: RawMessage.RawNotification = {
      _tag: "Notification",
      side: "agent",
      method: "session/update",
      params: "{}"
    }
    for (const method of ["proxy/successor", "_proxy/successor", "_proxy/successor/notification"]) {
      const line = `{"jsonrpc":"2.0","method":"${method}","params":{"_meta":{"a":1},"params":{},"method":"session/update"}}`
      assert.deepEqual(read(line), said)
    }
  })

  const refused: ReadonlyArray<readonly [line: string, code: number | undefined]> = [
    ["[1,2]", -32600],
    ['{"id":1}', -32600],
    ['{"id":{},"method":"a"}', -32600],
    ['{"id":1,"method":"proxy/successor","params":{"method":"a","params":5}}', -32602],
    ['{"id":1,"method":"proxy/successor","params":{"method":"a","params":"text"}}', -32602],
    ['{"id":1,"method":"proxy/successor","params":[]}', -32602],
    ['{"id":1,"method":"proxy/successor"}', -32602],
    ['{"id":1,"method":"$/cancel_request","params":{"requestId":1}}', -32600],
    ['{"method":"proxy/successor","params":{"params":{}}}', undefined],
    ['{"level":"info"}', undefined],
    ["Starting...", undefined],
    ["17", undefined]
  ]
  for (const [line, code] of refused) {
    it(`is not in ${line}`, () => {
      const message = RawMessage.read(line)
      if (message._tag !== "Unreadable") return assert.fail(message._tag)
      assert.strictEqual(message.answer?.error.code, code)
    })
  }
})
