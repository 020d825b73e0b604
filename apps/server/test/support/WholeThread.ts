/** All of a thread, by the ways in which it can be had: its export, and a window with every page before it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { ItemView, ThreadHead, type ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Threads } from "../../src/orchestration/Threads.ts"

const { earlier: _earlier, turns: _turns, ...head } = ThreadHead.fields

/** A line of an export. */
export const Line = Schema.Union([
  Schema.Struct({ thread: Schema.Struct(head) }),
  Schema.Struct({ turn: TurnView }),
  Schema.Struct({ item: ItemView })
])
export type Line = typeof Line.Type

export const linesIn = (text: string): ReadonlyArray<Line> => {
  assert.isTrue(text.endsWith("\n"))
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Line))
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => decode(line))
}

/** A thread as its export has it. Long texts are in full. */
export const exported = (threads: Threads["Service"], threadId: ThreadId) =>
  Effect.map(Stream.mkString(threads.export(threadId)), (text): ThreadView => {
    const lines = linesIn(text)
    const [first] = lines
    if (first === undefined || !("thread" in first)) throw new Error("An export begins with its thread.")
    return {
      ...first.thread,
      turns: lines.flatMap((line) => ("turn" in line ? [line.turn] : [])),
      items: lines.flatMap((line) => ("item" in line ? [line.item] : []))
    }
  })

/** A window and all that stands before it, read page by page. */
export const withAllEarlier = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  view: ThreadView,
  turnLimit?: number
) {
  let whole = view
  while (whole.earlier !== undefined) {
    const page = yield* threads.earlier(view.threadId, whole.earlier, turnLimit)
    assert.isNotEmpty(page.items)
    assert.notStrictEqual(page.earlier, whole.earlier)
    whole = ThreadProjection.withEarlier(whole, page)
  }
  return whole
})
