/** What a proxy without interceptors does: it passes everything on, character by character and in order. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as ProxyDialect from "../src/ProxyDialect.ts"
import * as JsonTexts from "./JsonTexts.ts"
import { answer, cancel, expectNext, line, ready, wrapped } from "./ProxySide.ts"

const dialects: ReadonlyArray<ProxyDialect.ProxyDialect> = ["proxy", "_proxy", "meta"]

describe("A proxy without interceptors", () => {
  for (const dialect of dialects) {
    it.effect.prop(
      `[115] passes on any parameters, results and errors, both ways, in the dialect ${dialect}`,
      { params: JsonTexts.params, value: JsonTexts.any },
      ({ params, value }) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { next, send } = yield* ready(undefined, dialect)
            const said = `"method":"_some/thing","params":${params}`
            yield* send(line(said, '"a"'))
            yield* expectNext({ next }, wrapped(said, "2", dialect))
            yield* send(answer(2, `"result":${value}`))
            yield* expectNext({ next }, answer('"a"', `"result":${value.trimStart()}`))
            yield* send(wrapped(said, "9007199254740993", dialect))
            yield* expectNext({ next }, line(said, "3"))
            const error = `"error":{"code":-1,"message":"no","data":${value},"more":${value}}`
            yield* send(answer(3, error))
            yield* expectNext({ next }, answer("9007199254740993", error))
            yield* send(line(said), wrapped(said, undefined, dialect))
            yield* expectNext({ next }, wrapped(said, undefined, dialect))
            yield* expectNext({ next }, line(said))
          })
        )
    )

    for (const [name, rest] of [
      ["absent", '"method":"a"'],
      ["null", '"method":"a","params":null'],
      ["of a method that it knows, and malformed", '"method":"session/prompt","params":{"sessionId":7}'],
      ["with members that come twice", '"method":"session/new","params":{"cwd":"/a","cwd":"/b","cwd":1e2}']
    ] as const) {
      it.effect(`[115] passes on parameters ${name}, in the dialect ${dialect}`, () =>
        Effect.gen(function* () {
          const { next, send } = yield* ready(undefined, dialect)
          yield* send(line(rest, "7"), line(rest), wrapped(rest, "8", dialect), wrapped(rest, undefined, dialect))
          yield* expectNext({ next }, wrapped(rest, "2", dialect))
          yield* expectNext({ next }, wrapped(rest, undefined, dialect))
          yield* expectNext({ next }, line(rest, "3"))
          yield* expectNext({ next }, line(rest))
        })
      )
    }

    it.effect(`[115] passes on the initialization digit by digit, in the dialect ${dialect}`, () =>
      Effect.gen(function* () {
        const { next, send } = yield* ready(undefined, dialect)
        const flag = dialect === "meta" ? ',"_meta":{"proxy":true,"kept":1.0,"big":9223372036854775807}' : ""
        const method = { proxy: "proxy/initialize", _proxy: "_proxy/initialize", meta: "initialize" }[dialect]
        yield* send(line(`"method":"${method}","params":{"protocolVersion":1.0,"n":1e400${flag}}`, "7"))
        const kept = dialect === "meta" ? ',"_meta":{"kept":1.0,"big":9223372036854775807}' : ""
        const rest = `"method":"initialize","params":{"protocolVersion":1.0,"n":1e400${kept}}`
        yield* expectNext({ next }, wrapped(rest, "2", dialect))
        yield* send(answer(2, '"result":{"protocolVersion":1.0,"big":9223372036854775807}'))
        const echoed = dialect === "meta" ? ',"_meta":{"proxy":true}' : ""
        yield* expectNext({ next }, answer(7, `"result":{"protocolVersion":1.0,"big":9223372036854775807${echoed}}`))
      })
    )
  }

  it.effect("[115] does so behind another one", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* ready(), yield* ready(undefined, "meta")]
      const rest = '"method":"_x","params":{"n":18446744073709551615, "_meta":{"a":null}}'
      yield* first.send(line(rest, '"c"'))
      yield* expectNext(first, wrapped(rest, "2"))
      yield* second.send(line(rest, "2"))
      yield* expectNext(second, wrapped(rest, "2", "meta"))
      const result = '"result":{"n":-0.0,"a":null, "b" : [1e1]}'
      yield* second.send(answer(2, result))
      const back = yield* second.next
      assert.strictEqual(back, answer(2, result))
      yield* first.send(back)
      yield* expectNext(first, answer('"c"', result))
    })
  )

  it.live(
    "[116] keeps 200,000 updates ahead of the answer to their prompt",
    () =>
      Effect.gen(function* () {
        const { next, send } = yield* ready()
        yield* send(line('"method":"session/prompt","params":{}', "9"))
        yield* expectNext({ next }, wrapped('"method":"session/prompt","params":{}', "2"))
        const update = (n: number) => `"method":"session/update","params":{"n":${n}}`
        const sending = Effect.forEach(
          Array.from({ length: 200 }, (_, chunk) => chunk * 1000),
          (from) => send(...Array.from({ length: 1000 }, (_, n) => wrapped(update(from + n)))),
          { discard: true }
        )
        yield* Effect.forkChild(Effect.andThen(sending, send(answer(2, '"result":{}'))))
        for (let n = 0; n < 200_000; n++) {
          const one = yield* next
          if (one !== line(update(n))) assert.fail(`at ${n}: ${one}`)
        }
        yield* expectNext({ next }, answer(9, '"result":{}'))
      }),
    120_000
  )

  it.effect("[117] translates cancellations both ways, and forgets those that cross the answer", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready()
      yield* send(line('"method":"a"', '"2"'), wrapped('"method":"b"', "2"))
      yield* expectNext({ next }, wrapped('"method":"a"', "2"))
      yield* expectNext({ next }, line('"method":"b"', "3"))
      yield* send(cancel(2), cancel('"2"'))
      yield* expectNext({ next }, cancel(3))
      yield* expectNext({ next }, cancel(2))
      yield* send(answer(3, '"error":{"code":-32800,"message":"Cancelled"}'), cancel(2), answer(2, '"result":1'))
      yield* expectNext({ next }, answer(2, '"error":{"code":-32800,"message":"Cancelled"}'))
      yield* expectNext({ next }, answer('"2"', '"result":1'))
      yield* send(cancel('"2"'), cancel(77), line('"method":"_on"'))
      yield* expectNext({ next }, wrapped('"method":"_on"'))
    })
  )

  it.effect("answers every request that waits when the other side closes", () =>
    Effect.gen(function* () {
      const { end, next, proxy, send } = yield* ready()
      yield* send(line('"method":"a"', "5"), wrapped('"method":"b"', "6"))
      yield* next
      yield* next
      const own = yield* Effect.forkChild(Effect.flip(proxy.agent.request("_own", {})))
      assert.include(yield* next, '"_own"')
      yield* end
      for (const id of [5, 6]) {
        const { error, ...rest } = JSON.parse(yield* next)
        assert.deepStrictEqual([rest.id, error.code], [id, -32603])
        assert.include(error.message, "closed the connection")
      }
      assert.include((yield* Fiber.join(own)).message, "closed the connection")
      assert.strictEqual((yield* proxy.closed).reason, "InputEnded")
    })
  )
})
