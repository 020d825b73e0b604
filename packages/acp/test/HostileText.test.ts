/** Texts that are made to exhaust who passes messages on: in time, in stack, or in memory. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as LineSplitter from "../src/LineSplitter.ts"
import * as RawMessage from "../src/RawMessage.ts"
import { answer, cancel, expectNext, line, ready, start, wrapped } from "./ProxySide.ts"

/** Milliseconds of the processor that work takes, the least of five times. What else the machine does is left out. */
const duration = (work: () => void): number =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const begun = process.threadCpuUsage()
      work()
      const { system, user } = process.threadCpuUsage(begun)
      return (system + user) / 1000
    })
  )

/**
 * How much longer work takes with sixteen times the text: linear work takes 16 times as long, quadratic work 256 times. Short times are mostly
 * noise.
 */
const growth = (work: (size: number) => () => void): number => {
  const [short, long] = [work(50_000), work(800_000)]
  duration(short)
  return duration(long) / Math.max(duration(short), 1)
}

const hostile: ReadonlyArray<readonly [name: string, params: (size: number) => string]> = [
  ["escaped quotes", (size) => `{"a":"${'\\"'.repeat(size)}"}`],
  ["backslashes before each quote", (size) => `["${`${"\\".repeat(1000)}","`.repeat(size / 1000)}"]`],
  ["backslashes", (size) => `["${"\\\\".repeat(size)}"]`],
  ["nesting", (size) => `${"[".repeat(size)}${"]".repeat(size)}`],
  ["members", (size) => `{${'"a":0,'.repeat(size)}"b":[]}`],
  ["names with escapes", (size) => `{${String.raw`"\u0061":0,`.repeat(size)}"b":[]}`],
  ["spaces", (size) => `{${" ".repeat(size)}"a"${" ".repeat(size)}:${" ".repeat(size)}1}`]
]

describe("Text of somebody else", () => {
  for (const [name, params] of hostile) {
    it(`takes a time in proportion to its length: ${name}`, () => {
      const ratio = growth((size) => {
        const text = wrapped(`"method":"a","params":${params(size)}`, "1")
        return () => assert.strictEqual(RawMessage.read(text)._tag, "Request")
      })
      assert.isBelow(ratio, 100)
    })
  }

  it("takes a time in proportion to its length: lines that begin and never end", () => {
    const ratio = growth((size) => {
      const text = '{"a":[\n'.repeat(size / 10)
      return () => LineSplitter.eachLine(text, (from, to) => RawMessage.read(text, from, to))
    })
    assert.isBelow(ratio, 100)
  })

  it.effect("is passed on however deep it is nested, and is no danger to an interceptor", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        clientRequests: {
          "session/prompt": (params, forward) => forward({ ...params, sessionId: "t" }),
          "session/new": (params, forward) => forward(params),
          _answer: (params) => Effect.succeed([params])
        }
      }))
      const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`
      const open = `"method":"session/new","params":{"cwd":"/","mcpServers":[],"_meta":${deep}}`
      yield* send(line(open, "1"))
      yield* expectNext({ next }, wrapped(open, "2"))
      yield* send(line(`"method":"session/prompt","params":{"sessionId":"s","prompt":[],"_meta":${deep}}`, "3"))
      assert.include(yield* next, '"id":3,"error":{"code":-32603')
      yield* send(line(`"method":"_answer","params":${deep}`, "4"))
      assert.include(yield* next, '"id":4,"error":{"code":-32603')
    })
  )

  it.live("of 100 MB in one line is refused, and the next line is read", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready()
      const part = "a".repeat(1024 * 1024)
      const whole = (rest: string) => `${rest}${Array.from({ length: 100 }, () => part).join("")}"}}`
      yield* send(whole('{"jsonrpc":"2.0","id":"big","method":"_x","params":{"a":"'))
      yield* send(line('"method":"_on"'))
      assert.include(yield* next, '"id":"big","error":{"code":-32600')
      yield* expectNext({ next }, wrapped('"method":"_on"'))
    })
  )

  it.effect("too long for an answer ends the request that it answers", () =>
    Effect.gen(function* () {
      const { next, send } = yield* start(undefined, { maxLineBytes: 1000 })
      yield* send(line('"method":"proxy/initialize","params":{"protocolVersion":1}', "0"))
      yield* next
      yield* send(answer(1, `"result":{"protocolVersion":1,"_meta":{"a":"${"a".repeat(2000)}"}}`))
      assert.include(yield* next, '"id":0,"error":{"code":-32600')
    })
  )

  it.effect("keeps half of a surrogate pair, in a method too", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready()
      const rest = String.raw`"method":"_\ud83d","params":{"\udc00":"\ud83d\ud83d"}`
      yield* send(line(rest, String.raw`"\udfff"`), wrapped(rest))
      yield* expectNext({ next }, wrapped(rest, "2"))
      yield* expectNext({ next }, line(rest))
      yield* send(cancel(String.raw`"\udfff"`), answer(2, String.raw`"result":"\ud800"`))
      yield* expectNext({ next }, cancel(2))
      yield* expectNext({ next }, answer(String.raw`"\udfff"`, String.raw`"result":"\ud800"`))
    })
  )
})
