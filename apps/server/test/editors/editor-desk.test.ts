/** Who is asked of the editors that have a thread open, and what becomes of a call. */
import { assert, describe, it } from "@effect/vitest"
import type { EditorFrame } from "@signalbox/contracts/EditorCall"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { EditorDesk } from "../../src/editors/EditorDesk.ts"

/** An editor that reads files, with its frames. It leaves with `leave`. */
const attached = Effect.fnUntraced(function* (threadId: ThreadId, name: string) {
  const desk = yield* EditorDesk
  const scope = yield* Scope.make()
  const offers = { readTextFile: true, writeTextFile: false, terminal: false }
  const frames = yield* Stream.toQueue(desk.attach(threadId, name, offers), { capacity: 1000 }).pipe(
    Scope.provide(scope)
  )
  assert.strictEqual((yield* Queue.take(frames)).type, "attached")
  return { frames, leave: Scope.close(scope, Exit.void) }
})

const callIn = (frame: EditorFrame) => {
  if (frame.type !== "call") throw new Error(`A ${frame.type} came`)
  return frame
}

describe("the desk of editors", () => {
  it.effect("asks the one that came last and offers it, and the one before after it has left", () =>
    Effect.gen(function* () {
      const desk = yield* EditorDesk
      const thread = ThreadId.make("last")
      assert.isUndefined(desk.offering(thread, "readTextFile"))
      const first = yield* attached(thread, "first")
      const second = yield* attached(thread, "second")
      assert.strictEqual(desk.offering(thread, "readTextFile")?.name, "second")
      assert.isUndefined(desk.offering(thread, "terminal"))
      assert.isUndefined(desk.offering(ThreadId.make("other"), "readTextFile"))
      yield* second.leave
      assert.strictEqual(desk.offering(thread, "readTextFile")?.name, "first")
      yield* first.leave
      assert.isUndefined(desk.offering(thread, "readTextFile"))
    })
  )

  it.effect("takes one answer to a call, and none to one that was withdrawn", () =>
    Effect.gen(function* () {
      const desk = yield* EditorDesk
      const thread = ThreadId.make("answers")
      const { frames, leave } = yield* attached(thread, "editor")
      const ask = desk.offering(thread, "readTextFile")?.ask ?? (() => Effect.die("There is no editor"))
      const asked = yield* Effect.forkChild(ask("fs/read_text_file", { path: "/a" }), { startImmediately: true })
      const { callId, params } = callIn(yield* Queue.take(frames))
      assert.deepStrictEqual(params, { path: "/a" })
      const answer = { type: "result", result: { content: "text" } } as const
      assert.isFalse(desk.answer(ThreadId.make("another"), callId, answer))
      assert.isTrue(desk.answer(thread, callId, answer))
      assert.isFalse(desk.answer(thread, callId, answer))
      assert.deepStrictEqual(yield* Fiber.join(asked), { content: "text" })

      const again = yield* Effect.forkChild(ask("fs/read_text_file", { path: "/b" }), { startImmediately: true })
      const call = callIn(yield* Queue.take(frames))
      yield* Fiber.interrupt(again)
      assert.deepStrictEqual(yield* Queue.take(frames), { type: "withdrawn", callId: call.callId })
      assert.isFalse(desk.answer(thread, call.callId, answer))
      yield* leave
    })
  )

  it.effect("lets so many calls wait and no more, and none after the editor has left", () =>
    Effect.gen(function* () {
      const desk = yield* EditorDesk
      const thread = ThreadId.make("many")
      const { leave } = yield* attached(thread, "editor")
      const ask = desk.offering(thread, "readTextFile")?.ask ?? (() => Effect.die("There is no editor"))
      const read = ask("fs/read_text_file", { path: "/a" })
      const waiting = yield* Effect.forEach(Array.from({ length: 256 }), () =>
        Effect.forkChild(read, { startImmediately: true })
      )
      const tooMuch = yield* Effect.flip(read)
      assert.include(tooMuch.message, "256 requests wait for editor already")
      yield* leave
      for (const one of waiting) assert.strictEqual((yield* Effect.flip(Fiber.join(one)))._tag, "EditorLeft")
      assert.strictEqual((yield* Effect.flip(read))._tag, "EditorLeft")
    })
  )
})
