/** What is known of agents, while checks and logins change it at once. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderId, type ProviderStatus } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as StatusBoard from "../../../src/provider/catalog/StatusBoard.ts"

const ids = Array.from({ length: 20 }, (_, index) => ProviderId.make(`agent-${index}`))

const statusOf = (id: ProviderId, state: ProviderStatus["state"]): ProviderStatus => ({
  provider: { id, kind: "acp", name: id, simulated: false },
  description: "",
  source: "built-in",
  state,
  checks: [],
  capabilities: { rollback: { supported: false, reason: "It can't." }, resume: true, images: false }
})

const unchecked = ids.map((id) => statusOf(id, "checking"))
const signedOut = { name: "login", state: "attention", detail: "Somebody signed out just now." } as const

describe("the board of agents", () => {
  it.effect("keeps what checks and logins find at once, and while the agents are offered again", () =>
    Effect.gen(function* () {
      const board = yield* StatusBoard.make
      yield* StatusBoard.offer(board, unchecked)
      const later = (change: Effect.Effect<void>) => Effect.andThen(Effect.yieldNow, change)
      yield* Effect.all(
        ids.flatMap((id) => [
          later(StatusBoard.takeCheck(board, statusOf(id, "ready"), "files")),
          later(StatusBoard.offer(board, unchecked)),
          later(StatusBoard.noteLogin(board, id, signedOut))
        ]),
        { concurrency: "unbounded" }
      )
      for (const { checks, provider, state } of yield* SubscriptionRef.get(board.rows)) {
        assert.strictEqual(state, "attention", provider.id)
        assert.deepStrictEqual(checks, [signedOut])
        assert.isFalse(yield* StatusBoard.isDue(board, provider.id, "files"))
        assert.isTrue(yield* StatusBoard.isDue(board, provider.id, "other files"))
      }
    })
  )

  it.effect("shows no agent that is offered no more", () =>
    Effect.gen(function* () {
      const board = yield* StatusBoard.make
      yield* StatusBoard.offer(board, unchecked)
      yield* StatusBoard.offer(board, unchecked.slice(1))
      const rows = yield* SubscriptionRef.get(board.rows)
      assert.deepStrictEqual(
        rows.map(({ provider }) => provider.id),
        ids.slice(1)
      )
    })
  )
})
