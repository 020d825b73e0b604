/** When what is typed counts as an answer, by a clock and a terminal that the test moves. */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { PassThrough } from "node:stream"
import * as StdinLine from "../../src/cli/terminal/StdinLine.ts"

/** Keeps a line until it ends, as a terminal does; in raw mode it hands over what there is. */
class FakeTerminal extends PassThrough {
  readonly isTTY = true
  raw = false
  #line = ""

  readonly setRawMode = (raw: boolean): void => {
    this.raw = raw
    if (raw && this.#line !== "") this.write(this.#line)
    if (raw) this.#line = ""
  }

  type(keys: string): void {
    if (this.raw) return void this.write(keys)
    for (const key of keys) {
      this.#line += key
      if (key !== "\n") continue
      this.write(this.#line)
      this.#line = ""
    }
  }
}

describe("a question at the terminal", () => {
  let shown: (prompt: string) => void
  beforeEach(() => {
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      shown(String(text))
      return true
    })
  })
  afterEach(() => void vi.restoreAllMocks())

  /** Asks, and reports when the prompt is visible. */
  const asking = Effect.fnUntraced(function* (terminal: FakeTerminal) {
    const prompted = yield* Deferred.make<void>()
    shown = () => Deferred.doneUnsafe(prompted, Effect.void)
    const answer = yield* Effect.forkChild(
      Effect.provideService(StdinLine.askAnew("Number: "), StdinLine.Input, terminal),
      { startImmediately: true }
    )
    return { answer, isPrompted: Deferred.isDone(prompted), prompted: Deferred.await(prompted) }
  })

  it.effect("takes no key for half a second, whatever was typed before and meanwhile", () =>
    Effect.gen(function* () {
      const terminal = new FakeTerminal()
      terminal.type("1\n1")
      const { answer, isPrompted, prompted } = yield* asking(terminal)
      terminal.type("1\n")
      yield* TestClock.adjust("499 millis")
      assert.isFalse(yield* isPrompted)
      assert.isTrue(terminal.raw)
      terminal.type("1\n1")
      yield* TestClock.adjust("1 millis")
      yield* prompted
      assert.isFalse(terminal.raw)
      terminal.type("2\n")
      assert.strictEqual(yield* Fiber.join(answer), "2")
    })
  )

  it.effect("takes one line of many that are pasted, and the next question none of them", () =>
    Effect.gen(function* () {
      const terminal = new FakeTerminal()
      const first = yield* asking(terminal)
      yield* TestClock.adjust("500 millis")
      yield* first.prompted
      terminal.type("2\n1\n1\n1")
      assert.strictEqual(yield* Fiber.join(first.answer), "2")
      const next = yield* asking(terminal)
      yield* TestClock.adjust("500 millis")
      yield* next.prompted
      terminal.type("3\n")
      assert.strictEqual(yield* Fiber.join(next.answer), "3")
    })
  )

  it.effect("that is taken back leaves the terminal as it was, with nothing listening", () =>
    Effect.gen(function* () {
      const terminal = new FakeTerminal()
      for (const wait of ["100 millis", "500 millis"] as const) {
        const { answer } = yield* asking(terminal)
        yield* TestClock.adjust(wait)
        yield* Fiber.interrupt(answer)
        assert.isFalse(terminal.raw)
        assert.deepStrictEqual([terminal.listenerCount("data"), terminal.listenerCount("keypress")], [0, 0])
      }
      const { answer, prompted } = yield* asking(terminal)
      yield* TestClock.adjust("500 millis")
      yield* prompted
      terminal.type("2\n")
      assert.strictEqual(yield* Fiber.join(answer), "2")
    })
  )

  it.effect("has no answer where the input ends, before or after it is asked", () =>
    Effect.gen(function* () {
      const terminal = new FakeTerminal()
      const { answer, prompted } = yield* asking(terminal)
      yield* TestClock.adjust("500 millis")
      yield* prompted
      terminal.end()
      assert.isUndefined(yield* Fiber.join(answer))
      const again = yield* asking(terminal)
      yield* TestClock.adjust("500 millis")
      assert.isUndefined(yield* Fiber.join(again.answer))
    })
  )
})
