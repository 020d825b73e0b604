/** The places of sessions, without sessions: who claims one has it, until everything of it is released. */
import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as SessionSlots from "../../../src/provider/acp/session/SessionSlots.ts"

const threadId = ThreadId.make("thread-1")

describe("the place of a thread's session", () => {
  it.effect("goes to one of those who claim it at once, and the others share it", () =>
    Effect.gen(function* () {
      const slots = yield* SessionSlots.make
      const claims = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.andThen(Effect.yieldNow, SessionSlots.claim(slots, threadId))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(claims.filter(({ type }) => type === "fresh").length, 1)
      assert.strictEqual(claims.filter(({ type }) => type === "taken").length, 19)
      assert.strictEqual(new Set(claims.map(({ slot }) => slot.released)).size, 1)
    })
  )

  it.effect("is not free before everything of the session is released", () =>
    Effect.gen(function* () {
      const slots = yield* SessionSlots.make
      const { slot } = yield* SessionSlots.claim(slots, threadId)
      const lastWords = yield* Deferred.make<void>()
      yield* Scope.addFinalizer(slot.scope, Deferred.await(lastWords))
      yield* Effect.forkChild(SessionSlots.vacate(slots, slot), { startImmediately: true })
      assert.strictEqual((yield* SessionSlots.claim(slots, threadId)).type, "ending")
      yield* Deferred.succeed(lastWords, undefined)
      yield* Deferred.await(slot.released)
      assert.strictEqual((yield* SessionSlots.claim(slots, threadId)).type, "fresh")
    })
  )

  it.effect("is left alone by what becomes of a session that had it before", () =>
    Effect.gen(function* () {
      const slots = yield* SessionSlots.make
      const { slot: before } = yield* SessionSlots.claim(slots, threadId)
      yield* SessionSlots.vacate(slots, before)
      const { slot } = yield* SessionSlots.claim(slots, threadId)
      yield* SessionSlots.note(slots, before, { closing: true })
      yield* SessionSlots.vacate(slots, before)
      const now = yield* SessionSlots.slotOf(slots, threadId)
      assert.strictEqual(now?.released, slot.released)
      assert.isFalse(now?.closing)
    })
  )
})
