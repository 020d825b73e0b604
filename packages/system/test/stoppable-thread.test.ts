import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Worker } from "node:worker_threads"
import * as StoppableThread from "../src/StoppableThread.ts"

const run = (program: string, data: unknown, deadline: StoppableThread.Options["deadline"] = "5 minutes") => {
  const threads: Array<Worker> = []
  return StoppableThread.run({ program, data, deadline, onStart: (thread) => threads.push(thread) }).pipe(
    Effect.result,
    Effect.map((result) => ({ result, ids: threads.map(({ threadId }) => threadId) }))
  )
}

describe("a thread that can be stopped", () => {
  it.live("answers with what its function returns, and has ended", () =>
    Effect.gen(function* () {
      const { ids, result } = yield* run("const answer = ({ a, b }) => ({ sum: a + b })", { a: 1, b: 2 })
      assert.strictEqual(result._tag, "Success")
      assert.deepStrictEqual(result._tag === "Success" && result.success, { sum: 3 })
      assert.deepStrictEqual(ids, [-1])
    })
  )

  const failures: ReadonlyArray<readonly [string, string, string, StoppableThread.Options["deadline"] | undefined]> = [
    [
      "that never ends is ended at its deadline",
      "const answer = () => { for (;;) {} }",
      "tooSlow: it ran too long",
      "50 millis"
    ],
    ["that throws says why", 'const answer = () => { throw new Error("no") }', "failed: no", undefined],
    ["that ends without an answer says so", "process.exit(0)", "failed: its thread has ended", undefined]
  ]
  for (const [title, program, message, deadline] of failures)
    it.live(title, () =>
      Effect.gen(function* () {
        const { ids, result } = yield* run(program, 1, deadline)
        assert.isTrue(result._tag === "Failure")
        if (result._tag === "Failure")
          assert.strictEqual(`${result.failure.reason}: ${result.failure.message}`, message)
        assert.deepStrictEqual(ids, [-1])
      })
    )
})
