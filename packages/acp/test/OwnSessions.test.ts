/** Sessions that a proxy opens for itself: nothing of them reaches the client. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { SessionListener } from "../src/AcpProxy.ts"
import { answer, cancel, expectNext, line, ready, wrapped } from "./ProxySide.ts"

const said = (sessionId: string, text: string) =>
  `"method":"session/update","params":{"sessionId":"${sessionId}","t":"${text}"}`
const asked = (sessionId: string) => `"method":"session/request_permission","params":{"sessionId":"${sessionId}"}`

/** A listener that notes what it hears, and answers each request with its method. */
const listening = () => {
  const heard: Array<unknown> = []
  const listener: SessionListener = {
    request: (method, params) => Effect.sync(() => (heard.push([method, params]), { method })),
    notification: (method, params) => void heard.push([method, params]),
    abandoned: ({ sessionId }) => void heard.push(["abandoned", sessionId])
  }
  return { heard, listener }
}

/** A proxy that has asked for a session of its own, by request 2. */
const opening = (listener: SessionListener) =>
  Effect.gen(function* () {
    const side = yield* ready()
    const scope = yield* Scope.make()
    const opened = yield* Effect.forkChild(
      Scope.provide(side.proxy.ownSessions.open({ cwd: "/", mcpServers: [] }, listener), scope)
    )
    yield* expectNext(side, wrapped('"method":"session/new","params":{"cwd":"/","mcpServers":[]}', "2"))
    return { ...side, opened, end: Scope.close(scope, Exit.void) }
  })

describe("A session of the proxy's own", () => {
  it.effect("is heard from the message on that comes together with the answer that names it", () =>
    Effect.gen(function* () {
      const { heard, listener } = listening()
      const { end, next, opened, proxy, send } = yield* opening(listener)
      yield* send(answer(2, '"result":{"sessionId":"own"}'), wrapped(asked("own"), '"p"'), wrapped(said("own", "a")))
      yield* expectNext({ next }, answer('"p"', '"result":{"method":"session/request_permission"}'))
      assert.deepStrictEqual(yield* Fiber.join(opened), { sessionId: "own", answer: { sessionId: "own" } })
      assert.isTrue(proxy.ownSessions.has("own"))
      // The client's own traffic goes on, and nothing else comes before it.
      yield* send(wrapped(said("theirs", "b")))
      yield* expectNext({ next }, line(said("theirs", "b")))
      assert.lengthOf(heard, 2)
      yield* end
      yield* send(wrapped(said("own", "late")), wrapped(asked("own"), '"q"'))
      yield* expectNext({ next }, answer('"q"', '"error":{"code":-32602,"message":"The session is over"}'))
      assert.lengthOf(heard, 2)
    })
  )

  it.effect("is hidden also before its answer, and a session of the client is not", () =>
    Effect.gen(function* () {
      const { heard, listener } = listening()
      const { next, opened, send } = yield* opening(listener)
      yield* send(line('"method":"session/new","params":{"cwd":"/","mcpServers":[]}', "7"))
      assert.include(yield* next, '"id":3')
      yield* send(wrapped(said("own", "early")), wrapped(asked("own"), '"p"'), wrapped(said("theirs", "early")))
      // What the client's session said comes before the answer that names it.
      yield* send(answer(3, '"result":{"sessionId":"theirs"}'))
      yield* expectNext({ next }, line(said("theirs", "early")))
      yield* expectNext({ next }, answer(7, '"result":{"sessionId":"theirs"}'))
      yield* send(answer(2, '"result":{"sessionId":"own"}'))
      yield* expectNext({ next }, answer('"p"', '"result":{"method":"session/request_permission"}'))
      yield* Fiber.join(opened)
      assert.deepStrictEqual(heard, [
        ["session/update", { sessionId: "own", t: "early" }],
        ["session/request_permission", { sessionId: "own" }]
      ])
    })
  )

  it.effect("that does not begin holds nothing back", () =>
    Effect.gen(function* () {
      const { heard, listener } = listening()
      const { next, opened, send } = yield* opening(listener)
      yield* send(wrapped(said("other", "a")), wrapped(asked("other"), '"p"'))
      yield* send(answer(2, '"error":{"code":-32000,"message":"Sign in"}'))
      yield* expectNext({ next }, line(said("other", "a")))
      yield* expectNext({ next }, line(asked("other"), "3"))
      const exit = yield* Fiber.await(opened)
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(heard, [])
    })
  )

  it.effect("that nobody wants any more is named when its answer comes, and stays hidden", () =>
    Effect.gen(function* () {
      const { heard, listener } = listening()
      const { next, opened, send } = yield* opening(listener)
      yield* Fiber.interrupt(opened)
      yield* expectNext({ next }, cancel(2))
      yield* send(answer(2, '"result":{"sessionId":"own"}'), wrapped(said("own", "a")), wrapped(said("theirs", "b")))
      yield* expectNext({ next }, line(said("theirs", "b")))
      assert.deepStrictEqual(heard, [["abandoned", "own"]])
    })
  )

  it.effect("ends with the answers that are under way", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const { end, next, opened, send } = yield* opening({
        ...listening().listener,
        request: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      })
      yield* send(answer(2, '"result":{"sessionId":"own"}'), wrapped(asked("own"), '"p"'))
      yield* Fiber.join(opened)
      yield* Deferred.await(begun)
      yield* end
      yield* expectNext({ next }, answer('"p"', '"error":{"code":-32800,"message":"Request cancelled"}'))
    })
  )
})
