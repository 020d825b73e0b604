/** The thread list: grouped by folder, in an order that doesn't change under the pointer. */
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import type { LampStatus } from "../design/status.ts"
import { elapsed, shortDay } from "../words/time.ts"

export interface FolderGroup {
  readonly cwd: string
  /** The folder's name, with its parent's where two folders share one. */
  readonly name: string
  readonly threads: ReadonlyArray<ThreadSummary>
}

/** The last parts of a path, in which nothing hides: they stand in titles and labels, where nothing can be drawn. */
const lastParts = (path: string, count: number): string => {
  const parts = path.split("/").filter((part) => part !== "")
  return parts.length === 0 ? "/" : inText(revealAll(parts.slice(-count).join("/")))
}

/** The name of a folder, without the way to it. */
export const folderName = (path: string): string => lastParts(path, 1)

/** Folders by their first thread and threads by their creation, the newest first. */
export const groupByFolder = (threads: ReadonlyArray<ThreadSummary>): ReadonlyArray<FolderGroup> => {
  const folders = Map.groupBy(
    [...threads].sort((a, b) => b.createdAt - a.createdAt),
    ({ cwd }) => cwd
  )
  const names = Map.groupBy(folders.keys(), folderName)
  return [...folders]
    .map(([cwd, threads]) => ({
      cwd,
      name: lastParts(cwd, (names.get(folderName(cwd))?.length ?? 0) > 1 ? 2 : 1),
      threads
    }))
    .sort((a, b) => (b.threads.at(-1)?.createdAt ?? 0) - (a.threads.at(-1)?.createdAt ?? 0))
}

/** Threads that wait for a person, in the order of the list. */
export const waiting = (threads: ReadonlyArray<ThreadSummary>): ReadonlyArray<ThreadSummary> =>
  threads.filter(({ waitingFor }) => waitingFor !== undefined)

export interface RowState {
  /** Absent: nothing is going on and nothing went wrong. */
  readonly lamp?: LampStatus
  readonly word: string
}

const waitingWord = { approval: "approve", question: "question", plan: "plan", form: "form", url: "address" } as const

interface How {
  readonly unread: boolean
  readonly live: boolean
  readonly now: number
}

/** What a row says at its right end. A draft takes the place of the time, and stands behind another word. */
export const rowState = (thread: ThreadSummary, how: How): RowState => {
  const { lamp, word } = turnState(thread, how)
  if (!thread.draft) return { word, ...(lamp && { lamp }) }
  return lamp === undefined ? { word: "draft" } : { lamp, word: `${word}, draft` }
}

/** Without a connection nothing is said to be going on. */
const turnState = (
  { held, status, turnStartedAt, unreadable, updatedAt, waitingFor }: ThreadSummary,
  how: How
): RowState => {
  if (unreadable !== undefined) return { lamp: "failed", word: "unreadable" }
  if (waitingFor !== undefined) return { lamp: "waiting", word: waitingWord[waitingFor] }
  if (status === undefined) return { word: shortDay(updatedAt, how.now) }
  switch (status) {
    case "working":
      if (!how.live) return { lamp: "working", word: "was working" }
      return { lamp: "working", word: `working ${elapsed(how.now - (turnStartedAt ?? how.now))}` }
    case "cancelling":
      return { lamp: "cancelling", word: how.live ? "stopping" : "was stopping" }
    case "completed":
      if (held) return { lamp: "queued", word: "held" }
      return how.unread ? { lamp: "unread", word: "unread" } : { word: shortDay(updatedAt, how.now) }
    case "queued":
      return { lamp: "queued", word: held ? "held" : "queued" }
    case "sent":
    case "waiting":
    case "cancelled":
    case "refused":
    case "limited":
    case "failed":
    case "lost":
      return { lamp: status, word: held ? `${status}, held` : status }
  }
}

/** Whether the turn of a row goes on. */
export const isLive = ({ status }: ThreadSummary): boolean => status !== undefined && !hasEnded(status)
