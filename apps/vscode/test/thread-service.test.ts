import { assert, describe, it } from "@effect/vitest"
import { EditorCallId } from "@signalbox/contracts/EditorCall"
import * as Effect from "effect/Effect"
import * as ThreadService from "../src/services/ThreadService.ts"

describe("what a window does for an agent", () => {
  it.effect("is answered with an error where an extension's data has no shape, and the log says where", () =>
    Effect.gen(function* () {
      const never = () => Effect.never
      const logged: Array<string> = []
      const service = ThreadService.make({
        documents: { read: never, write: never },
        terminals: {
          create: never,
          output: never,
          waitForExit: never,
          kill: never,
          release: never,
          releaseAll: Effect.void
        },
        ide: () => Effect.sync(() => JSON.parse("no JSON")),
        log: { error: (_, message, data) => void logged.push(`${message} ${String(data?.["cause"])}`) }
      })
      const call = { type: "call", callId: EditorCallId.make("1"), method: "_ide/selection", params: {} } as const
      const answer = yield* service.carryOut(call)
      assert.strictEqual(answer.type, "error")
      if (answer.type === "error") assert.include(answer.message, "VS Code could not answer _ide/selection")
      assert.include(logged[0], "SyntaxError")
    })
  )
})
