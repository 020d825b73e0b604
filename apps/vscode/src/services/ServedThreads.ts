/** Which threads a window serves: those that it shows or has shown, in its folders. Pure. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { isWithin } from "@signalbox/contracts/Paths"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"

export interface Workspace {
  readonly folders: ReadonlyArray<string>
  readonly isTrusted: boolean
}

type Row = Pick<ThreadSummary, "threadId" | "cwd" | "status">

/** Threads that are served at once. One that works is served beyond that. */
export const mostThreads = 32

/**
 * Finds the threads of `rows` that are served. Without trust there are none.
 *
 * @param shown the threads that the window has shown, the last one last
 */
export const servedOf = <A extends Row>(
  shown: ReadonlyArray<ThreadId>,
  rows: ReadonlyArray<A>,
  { folders, isTrusted }: Workspace
): ReadonlyArray<A> =>
  isTrusted
    ? shown
        .toReversed()
        .flatMap((threadId) => rows.find((row) => row.threadId === threadId) ?? [])
        .filter(({ cwd }) => folders.some((folder) => isWithin(folder, cwd)))
        .filter((row, place) => place < mostThreads || isAtWork(row))
    : []

const isAtWork = ({ status }: Row): boolean => status !== undefined && status !== "queued" && !hasEnded(status)
