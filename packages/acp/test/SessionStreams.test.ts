/** The streams of sessions while the client does not read: every message has to wait. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Inbox from "../src/internal/transport/Inbox.ts"
import * as OpenRequests from "../src/internal/transport/OpenRequests.ts"
import * as SessionStreams from "../src/internal/transport/SessionStreams.ts"

describe("SessionStreams, while the client does not read", () => {
  it.effect("what a session owes fails when its stream ends, even if the stream is opened again", () =>
    Effect.gen(function* () {
      const inbox = yield* Inbox.make
      const requests = OpenRequests.make()
      let opened = 0
      const listen = () =>
        Effect.sync(() => {
          opened += 1
          return opened === 1 ? Stream.empty : Stream.never
        })
      const streams = yield* SessionStreams.make(
        { exchange: { listen }, inbox, requests, fork: (effect) => void Effect.runFork(effect), maxMessageBytes: 1024 },
        () => () => Effect.void
      )
      const waiting = Array.from({ length: Inbox.capacity }, () => "{}")
      yield* inbox.put(waiting)
      requests.add("1", { sessionId: "s", method: "session/prompt" })
      yield* streams.attend("s")
      while (streams.isAttended("s")) yield* Effect.yieldNow
      yield* streams.attend("s")
      const messages = yield* Stream.runCollect(Stream.take(inbox.messages, waiting.length + 1))
      assert.include(messages.at(-1), '"id":1,"error"')
      assert.strictEqual(opened, 2)
    })
  )
})
