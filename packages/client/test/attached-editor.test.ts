/** What an editor does with the calls of a thread, over a connection of which each step is the test's. */
import { assert, describe, it } from "@effect/vitest"
import { type EditorAnswer, type EditorCall, EditorCallId, type EditorFrame } from "@signalbox/contracts/EditorCall"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Queue from "effect/Queue"
import type * as Cause from "effect/Cause"
import * as AttachedEditor from "../src/AttachedEditor.ts"
import { following } from "../src/Following.ts"
import { once } from "../src/Once.ts"

const result = (value: string): EditorAnswer => ({ type: "result", result: value })

const call = (name: string): EditorCall => ({
  type: "call",
  callId: EditorCallId.make(name),
  method: "terminal/create",
  params: {}
})

/** An editor whose calls are answered by `carryOut`. `heard` completes an answer. */
const stage = Effect.fnUntraced(function* (carryOut: (call: EditorCall) => Effect.Effect<EditorAnswer>) {
  const frames = yield* Queue.unbounded<EditorFrame, Cause.Done>()
  const log: Array<string> = []
  const answers = new Map<string, Deferred.Deferred<{ readonly wasOpen: boolean }>>()
  const client: AttachedEditor.EditorClient = {
    watchEditorCalls: () => Stream.fromQueue(frames),
    answerEditorCall: ({ answer, callId }) => {
      log.push(`answer ${callId} ${answer.type === "result" ? JSON.stringify(answer.result) : answer.message}`)
      const heard = Deferred.makeUnsafe<{ readonly wasOpen: boolean }>()
      answers.set(callId, heard)
      return Deferred.await(heard)
    }
  }
  let isFirst = true
  const editor = yield* AttachedEditor.make({
    threadId: ThreadId.make("t1"),
    name: "Quill",
    offers: { readTextFile: true, writeTextFile: true, terminal: true },
    link: {
      follow: following(() => {
        if (!isFirst) return Effect.never
        isFirst = false
        return Effect.succeed(client)
      }, 0),
      once: once(() => client)
    },
    carryOut,
    unheard: ({ callId }) => Effect.sync(() => void log.push(`unheard ${callId}`)),
    letGo: Effect.sync(() => void log.push("let go"))
  })
  const until = Effect.fnUntraced(function* (line: string) {
    while (!log.includes(line)) yield* Effect.sleep("5 millis")
  })
  const heard = (name: string, wasOpen: boolean) => {
    const answer = answers.get(name)
    if (answer !== undefined) Deferred.doneUnsafe(answer, Effect.succeed({ wasOpen }))
  }
  return { editor, frames, log, until, heard }
})

describe("an attached editor", () => {
  it.live("answers, and undoes what nobody has heard of", () =>
    Effect.gen(function* () {
      const { editor, frames, heard, log, until } = yield* stage(() => Effect.succeed(result("made")))
      Queue.offerUnsafe(frames, { type: "attached" })
      yield* editor.attached
      for (const name of ["a", "b"]) Queue.offerUnsafe(frames, call(name))
      yield* until('answer a "made"')
      yield* until('answer b "made"')
      heard("a", true)
      heard("b", false)
      yield* until("unheard b")
      assert.notInclude(log, "unheard a")
    }).pipe(Effect.scoped)
  )

  it.live("undoes what is withdrawn while its answer is on the way", () =>
    Effect.gen(function* () {
      const { frames, heard, until } = yield* stage(() => Effect.succeed(result("made")))
      Queue.offerUnsafe(frames, call("a"))
      yield* until('answer a "made"')
      Queue.offerUnsafe(frames, { type: "withdrawn", callId: EditorCallId.make("a") })
      yield* Effect.sleep("20 millis")
      heard("a", false)
      yield* until("unheard a")
    }).pipe(Effect.scoped)
  )

  it.live("interrupts what is withdrawn, and lets go of everything when its stream ends", () =>
    Effect.gen(function* () {
      const ended: Array<string> = []
      const { frames, log, until } = yield* stage(({ callId }) =>
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => void ended.push(callId)))
      )
      for (const name of ["a", "b"]) Queue.offerUnsafe(frames, call(name))
      yield* Effect.sleep("20 millis")
      Queue.offerUnsafe(frames, { type: "withdrawn", callId: EditorCallId.make("a") })
      yield* Effect.sleep("20 millis")
      assert.deepStrictEqual(ended, ["a"])
      Queue.endUnsafe(frames)
      yield* until("let go")
      assert.deepStrictEqual(ended, ["a", "b"])
      assert.deepStrictEqual(log, ["let go"])
    }).pipe(Effect.scoped)
  )
})
