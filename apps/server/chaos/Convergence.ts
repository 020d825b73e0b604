/** Compares what clients see of a thread at rest: whole, in pages and in pieces, all have to see the same. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { summary, withEarlier } from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { isDeepStrictEqual } from "node:util"
import type { Connection } from "./Connection.ts"
import type { PlannedTurn } from "./Scenario.ts"
import type { ThreadRows } from "./ThreadRows.ts"
import type { Watcher } from "./Watcher.ts"

export interface Witnesses {
  readonly threadId: ThreadId
  /** The clients by name. */
  readonly watchers: ReadonlyMap<string, Watcher>
  readonly list: ThreadRows
  /** A new connection to the server, through which the thread is read again. */
  readonly client: Connection
}

export interface Finding {
  /** The thread in the server's present state. */
  readonly view: ThreadView | undefined
  /** The clients that still saw something else after a while, in words. */
  readonly differing: ReadonlyArray<string>
}

export const look = Effect.fnUntraced(function* ({ client, list, threadId, watchers }: Witnesses) {
  for (let attempt = 0; ; attempt++) {
    const view = yield* snapshot(client, threadId)
    const paged = yield* inPages(client, threadId)
    const differing = [
      ...[...watchers].flatMap(([name, watcher]) => (isDeepStrictEqual(watcher.view, view) ? [] : [name])),
      ...(isDeepStrictEqual(list.row(threadId), view && summary(view)) ? [] : ["the list"]),
      ...(isDeepStrictEqual(paged, view) ? [] : ["a reader of pages"])
    ]
    const finding: Finding = { view, differing }
    if (differing.length === 0 || attempt === 30) return finding
    yield* Effect.sleep("100 millis")
  }
})

/** The long texts of tool calls that differ from what their turns wrote, in words. */
export const spoiledTexts = Effect.fnUntraced(function* (
  client: Connection,
  view: ThreadView,
  plans: ReadonlyArray<PlannedTurn>
) {
  const { threadId } = view
  const spoiled: Array<string> = []
  for (const item of view.items) {
    const written = plans.find(({ turnId }) => turnId === item.turnId)?.longText
    if (item.type !== "tool" || written === undefined) continue
    for (const { length, part } of item.tool.long ?? []) {
      if (!part.startsWith("content")) continue
      const pieces = yield* Stream.runCollect(client.readOutput({ threadId, itemId: item.itemId, part }))
      const read = [...pieces].join("")
      if (read !== written.slice(0, length)) spoiled.push(`${part} of ${item.itemId} is not what was written`)
    }
  }
  return spoiled
})

/** Reads the whole thread, or its latest turns. `undefined` when the connection ends before. */
export const snapshot = (client: Connection, threadId: ThreadId, turnLimit?: number) =>
  client.watchThread({ threadId, ...(turnLimit !== undefined && { turnLimit }) }).pipe(
    Stream.filter((frame) => frame.type === "snapshot"),
    Stream.map(({ view }) => view),
    Stream.runHead,
    Effect.map(Option.getOrUndefined)
  )

/** Reads the whole thread from its end, turn by turn. */
const inPages = Effect.fnUntraced(function* (client: Connection, threadId: ThreadId) {
  let view = yield* snapshot(client, threadId, 1)
  while (view?.earlier !== undefined) {
    view = withEarlier(view, yield* client.readEarlier({ threadId, before: view.earlier, turnLimit: 1 }))
  }
  return view
})
