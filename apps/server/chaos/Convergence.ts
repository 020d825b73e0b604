/** What everybody must see of a thread when nothing is on its way any more: the same, read as a whole, in pages or in pieces. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { summary, withEarlier } from "@signalbox/contracts/ThreadProjection"
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
  /** By what they are called. */
  readonly watchers: ReadonlyMap<string, Watcher>
  readonly list: ThreadRows
  /** Asks the server anew. */
  readonly client: Connection
}

export interface Finding {
  /** As the server tells it. */
  readonly view: ThreadView | undefined
  /** Whoever still saw something else after a while. */
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

/** The long texts of the thread's tool calls that do not read as their turns wrote them. */
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

/** The whole thread, or its latest turns; nothing when the connection ends before. */
export const snapshot = (client: Connection, threadId: ThreadId, turnLimit?: number) =>
  client.watchThread({ threadId, ...(turnLimit !== undefined && { turnLimit }) }).pipe(
    Stream.filter((frame) => frame.type === "snapshot"),
    Stream.map(({ view }) => view),
    Stream.runHead,
    Effect.map(Option.getOrUndefined)
  )

/** The whole thread, read from its end turn by turn. */
const inPages = Effect.fnUntraced(function* (client: Connection, threadId: ThreadId) {
  let view = yield* snapshot(client, threadId, 1)
  while (view?.earlier !== undefined) {
    view = withEarlier(view, yield* client.readEarlier({ threadId, before: view.earlier, turnLimit: 1 }))
  }
  return view
})
