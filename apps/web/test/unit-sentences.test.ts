import { assert, describe, it } from "@effect/vitest"
import { duration, elapsed, shortDay } from "../src/words/time.ts"
import { sentences } from "../src/threads/sentences.ts"
import { at, completed, dispatched, ended, queued, ran, said, stopped, thread } from "./fixtures/thread.ts"

describe("what is said to those who listen", () => {
  const before = thread(queued(0), dispatched(0), ran(1, "pnpm test"))

  it("is a sentence about a command that failed", () => {
    const failed = ran(5, "pnpm test", {
      status: "completed",
      startedAt: at(1),
      endedAt: at(5),
      result: { exitCode: 1 }
    })
    const after = thread(queued(0), dispatched(0), ran(1, "pnpm test"), failed)
    assert.deepStrictEqual(sentences(before, after), [
      "Ran pnpm test: failed with exit code 1 after 4 seconds. Cursor goes on."
    ])
    assert.deepStrictEqual(sentences(after, { ...after }), [])
  })

  it("is nothing about what goes on or went well", () => {
    const fine = ran(5, "pnpm test", { status: "completed", startedAt: at(1), endedAt: at(5), result: { exitCode: 0 } })
    const after = thread(queued(0), dispatched(0), ran(1, "pnpm test"), fine, said(6, "Good"))
    assert.deepStrictEqual(sentences(before, after), [])
  })

  it("says that prompts are held from now on, and why, once", () => {
    const waits = queued(2, "Next", "next")
    const open = thread(queued(0), dispatched(0), waits)
    const after = thread(queued(0), dispatched(0), waits, stopped(3))
    assert.deepStrictEqual(sentences(open, after), ["1 prompt held: you pressed Stop."])
    const over = thread(queued(0), dispatched(0), waits, stopped(3), ended(4, "cancelled"))
    assert.deepStrictEqual(sentences(after, over), ["Turn cancelled after 4 seconds."])
  })

  it("ends with the turn", () => {
    const after = thread(queued(0), dispatched(0), ran(1, "pnpm test"), completed(108))
    assert.deepStrictEqual(sentences(before, after).at(-1), "Turn completed after 1 minute 48 seconds.")
  })
})

describe("times", () => {
  it.each([
    [38, "38 ms"],
    [3_800, "3.8 s"],
    [9_960, "10 s"],
    [41_000, "41 s"],
    [59_700, "1 m 0 s"],
    [108_000, "1 m 48 s"],
    [7_500_000, "2 h 5 m"]
  ])("%i ms took %s", (ms, words) => assert.strictEqual(duration(ms), words))

  it.each([
    [-5, "0:00"],
    [31_900, "0:31"],
    [134_000, "2:14"],
    [3_734_000, "1:02:14"]
  ])("%i ms goes on for %s", (ms, words) => assert.strictEqual(elapsed(ms), words))

  it("are as short as they can be told apart", () => {
    const now = at(0)
    const day = 86_400_000
    assert.deepStrictEqual(
      [now - 3_600_000, now - 2 * day, now - 20 * day].map((time) => shortDay(time, now)),
      ["13:02", "Wed", "31 Oct"]
    )
  })
})
