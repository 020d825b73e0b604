import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as MessageLink from "../src/MessageLink.ts"
import type { RawMessage } from "../src/RawMessage.ts"

const note = (method: string): RawMessage => ({ _tag: "Notification", side: "client", method, params: undefined })
const [a, b, c] = [note("a"), note("b"), note("c")]

/** A link in memory, and what its other end has received, batch by batch. */
const makeReceiving = () => {
  const [near, far] = MessageLink.pair()
  const batches: Array<ReadonlyArray<MessageLink.Arrival>> = []
  const receive = far.receive((batch) => Effect.sync(() => void batches.push(batch)))
  return { near, batches, receive }
}

/** A link whose other end receives already. */
const receiving = Effect.suspend(() => {
  const { receive, ...link } = makeReceiving()
  return Effect.as(Effect.forkChild(receive, { startImmediately: true }), link)
})

describe("A link in memory", () => {
  it.effect("hands over together what was sent in one turn", () =>
    Effect.gen(function* () {
      const { batches, near } = yield* receiving
      near.send(a)
      near.send(b)
      assert.deepStrictEqual(batches, [])
      yield* Effect.yieldNow
      assert.deepStrictEqual(batches, [[a, b]])
    })
  )

  it.effect("hands over at once what is flushed", () =>
    Effect.gen(function* () {
      const { batches, near } = yield* receiving
      near.send(a)
      near.send(b)
      near.flush?.()
      assert.deepStrictEqual(batches, [[a, b]])
      near.flush?.()
      near.send(c)
      near.flush?.()
      yield* Effect.yieldNow
      assert.deepStrictEqual(batches, [[a, b], [c]])
    })
  )

  it.effect("keeps what is flushed before anybody receives", () =>
    Effect.gen(function* () {
      const { batches, near, receive } = makeReceiving()
      near.send(a)
      near.flush?.()
      near.send(b)
      yield* near.end
      const closed = yield* receive
      assert.deepStrictEqual(batches, [[a, b]])
      assert.strictEqual(closed.reason, "InputEnded")
    })
  )
})
