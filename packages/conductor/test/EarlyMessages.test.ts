import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as EarlyMessages from "../src/EarlyMessages.ts"

describe("What a client sends early", () => {
  it.effect("goes on before its reader reads more", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const early = EarlyMessages.make()
      early.addNotification("x".repeat(1024 * 1024), () => void order.push("first"))
      early.addNotification(undefined, () => void order.push("second"))
      yield* Effect.forkChild(
        Effect.map(early.room, () => order.push("read")),
        { startImmediately: true }
      )
      assert.deepStrictEqual(order, [])
      early.release()
      assert.deepStrictEqual(order, ["first", "second", "read"])
    })
  )
})
