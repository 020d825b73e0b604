import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as MessageLink from "../src/MessageLink.ts"
import * as RawConnection from "../src/RawConnection.ts"
import { errorText, type RawMessage } from "../src/RawMessage.ts"
import * as Transport from "../src/Transport.ts"

const overBytes = Effect.gen(function* () {
  const [near, far] = yield* Transport.pair()
  return [yield* MessageLink.overBytes(near), yield* MessageLink.overBytes(far)] as const
})

const links = [
  ["in memory", Effect.sync(MessageLink.pair)],
  ["over bytes", overBytes]
] as const

const stray: RawMessage = { _tag: "Response", id: "77", answer: { error: errorText({ code: 1, message: "Stray" }) } }
const note: RawMessage = { _tag: "Notification", side: "client", method: "a", params: undefined }

describe("A raw connection", () => {
  for (const [where, make] of links) {
    for (const [what, message, handlers] of [
      ["a handler's effect dies", note, { onNotification: () => Effect.die("Broken") }],
      [
        "who hears of issues throws",
        stray,
        {
          onNotification: () => {},
          onIssue: () => {
            throw new Error("Broken")
          }
        }
      ]
    ] as const) {
      it.live(`${where} ends when ${what}, and settles what waits`, () =>
        Effect.gen(function* () {
          const [near, far] = yield* make
          const connection = yield* RawConnection.make(near, () => ({ onRequest: () => {}, ...handlers }))
          const settled = yield* Deferred.make<RawConnection.Settled>()
          connection.request({ side: "client", method: "b", params: undefined }, (outcome) =>
            Deferred.doneUnsafe(settled, Effect.succeed(outcome))
          )
          far.send(message)
          const closed = yield* connection.closed
          assert.deepStrictEqual([closed.reason, closed.message], ["ReadFailed", "Broken"])
          assert.deepStrictEqual(yield* Deferred.await(settled), { closed })
        })
      )
    }
  }
})
