/** The current threads of the running server, and the search for one by its id. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as TurnState from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { usage, type UsageError } from "../terminal/Failure.ts"
import { oneLine } from "../../base/Plain.ts"
import * as ServerClient from "../server/ServerClient.ts"

export type ThreadRows = ReadonlyMap<ThreadId, ThreadSummary>

/** Reads all current rows. */
export const read = Effect.fn("ThreadRows.read")(function* (server: ServerClient.Connected) {
  const frame = yield* ServerClient.inOurWords(server)(Stream.runHead(server.client.watchThreads()))
  const rows = Option.match(frame, { onNone: () => [], onSome: ({ threads }) => threads })
  return new Map(rows.map((row) => [row.threadId, row])) satisfies ThreadRows
})

/** Whether the agent of the thread is working, or will be in a moment. */
export const isBusy = ({ held, status }: ThreadSummary): boolean =>
  status !== undefined && !TurnState.hasEnded(status) && !(held && status === "queued")

/** Characters of an id that people have to write at least, unless it is shorter. */
const shortest = 4
const shown = 8

/** Shortens ids to the characters that make them unique, at least eight. */
export const shortIds = (threadIds: Iterable<ThreadId>): ((threadId: ThreadId) => string) => {
  const all = [...threadIds]
  let length = shown
  while (new Set(all.map((id) => id.slice(0, length))).size < all.length) length++
  return (threadId) => oneLine(threadId.slice(0, length))
}

/** The thread with this id, or the only thread with an id that begins with this text. */
export const choose = (rows: ThreadRows, command: string, given: string): Effect.Effect<ThreadSummary, UsageError> => {
  const all = [...rows.values()]
  const exact = all.find(({ threadId }) => threadId === given)
  if (exact !== undefined) return Effect.succeed(exact)
  const found = given.length < shortest ? [] : all.filter(({ threadId }) => threadId.startsWith(given))
  const [only] = found
  if (only !== undefined && found.length === 1) return Effect.succeed(only)
  const word = oneLine(given, 80)
  if (found.length > 1) {
    const offered = found.map(({ threadId, title }) => `${oneLine(threadId)}  ${oneLine(title, 60)}`)
    return usage(command, `${word} is the beginning of several threads' ids:`, offered)
  }
  return usage(command, `There is no thread ${word}. All of them: signalbox threads list`)
}
