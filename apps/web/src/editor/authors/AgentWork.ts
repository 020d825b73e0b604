/** What the agent of a thread does with files in the latest turn, as far as the thread shows it. Pure. */
import type { TurnId } from "@signalbox/contracts/Ids"
import { resolvePath } from "@signalbox/contracts/Paths"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { changedFiles, type FileDiff, isRunning, type ToolCall } from "@signalbox/contracts/ToolCall"
import { asksOf } from "../../words/asks.ts"

/** A call of the agent that changes files. Times are milliseconds. */
export interface AgentCall {
  readonly type: "call"
  /** Absolute. */
  readonly paths: ReadonlyArray<string>
  readonly kind: ToolCall["kind"]
  /** When it began, or people allowed it. */
  readonly from: number
  /** Undefined while it runs. */
  readonly until: number | undefined
  readonly diffs: ReadonlyArray<FileDiff>
}

/** A file that Signalbox wrote because the agent asked for it. `version`: names its bytes. */
export interface AgentWrite {
  readonly type: "write"
  readonly path: string
  readonly at: number
  readonly version: string
}

export interface AgentWork {
  /** The agent's name. */
  readonly agent: string
  /** The folder of the thread. */
  readonly cwd: string
  /** The turn that was sent last. */
  readonly turn: TurnId | undefined
  readonly acts: ReadonlyArray<AgentCall | AgentWrite>
  /** The files that it wants to change and may not yet, since people have not answered. Absolute. */
  readonly asked: ReadonlyArray<string>
  /** Whether this page is connected: otherwise, what runs is not known. */
  readonly isLive: boolean
}

export const noWork: AgentWork = { agent: "The agent", cwd: "/", turn: undefined, acts: [], asked: [], isLive: false }

/** The turn that was sent last. */
const latestTurn = ({ turns }: Pick<ThreadView, "turns">) => {
  let latest: { readonly turnId: TurnId; readonly sentAt: number; readonly endedAt: number | undefined } | undefined
  for (const { endedAt, sentAt, turnId } of turns)
    if (sentAt !== undefined && sentAt >= (latest?.sentAt ?? 0)) latest = { turnId, sentAt, endedAt }
  return latest
}

/** The entries of a turn, and what is about no turn. Read from the end, so a long transcript costs nothing. */
const itemsOf = (items: ReadonlyArray<ItemView>, turn: TurnId | undefined): ReadonlyArray<ItemView> => {
  const found: Array<ItemView> = []
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]
    if (item === undefined) break
    if (item.turnId !== turn && item.turnId !== undefined) {
      if (item.late === true) continue
      break
    }
    if (item.type === "tool" || item.type === "file" || item.type === "request") found.push(item)
  }
  return found.toReversed()
}

type View = Pick<ThreadView, "cwd" | "items" | "provider" | "requests" | "turns">

/** Whether the work is the same in two states of a thread. Texts that grow change nothing. */
export const isSameWork = (one: View, other: View): boolean => {
  if (one.requests !== other.requests || one.cwd !== other.cwd || one.provider !== other.provider) return false
  const [turn, later] = [latestTurn(one), latestTurn(other)]
  if (turn?.turnId !== later?.turnId || turn?.endedAt !== later?.endedAt) return false
  const [items, next] = [itemsOf(one.items, turn?.turnId), itemsOf(other.items, turn?.turnId)]
  return items.length === next.length && items.every((item, at) => item === next[at])
}

export const workOf = (view: View, isLive: boolean): AgentWork => {
  const { cwd, provider, requests } = view
  const turn = latestTurn(view)
  const items = itemsOf(view.items, turn?.turnId)
  const asks = asksOf({ items, requests })
  const allowedAt = new Map<string, number>()
  for (const item of items)
    if (item.type === "request" && item.request.type === "approval")
      allowedAt.set(item.request.tool.toolCallId, item.at)
  const acts = items.flatMap((item): ReadonlyArray<AgentCall | AgentWrite> => {
    if (item.replayed === true) return []
    if (item.type === "file") {
      const version = item.written?.version
      return version === undefined ? [] : [{ type: "write", path: item.path, at: item.at, version }]
    }
    if (item.type !== "tool") return []
    const { diffs, endedAt, kind, startedAt, status, toolCallId } = item.tool
    // What people have not allowed yet has changed nothing, and what they refused never will.
    if (status === "rejected" || asks.isAsked(item)) return []
    const paths = changedFiles(item.tool).map((path) => resolvePath(path, cwd))
    if (paths.length === 0) return []
    const from = Math.max(startedAt, allowedAt.get(toolCallId) ?? 0)
    const until = isRunning(item.tool) ? undefined : (endedAt ?? turn?.endedAt ?? from)
    return [{ type: "call", paths, kind, from, until, diffs }]
  })
  const asked = items.flatMap((item) =>
    item.type === "tool" && isRunning(item.tool) && asks.isAsked(item) ? changedFiles(item.tool) : []
  )
  return {
    agent: provider.name,
    cwd,
    turn: turn?.turnId,
    acts,
    asked: asked.map((path) => resolvePath(path, cwd)),
    isLive
  }
}

/** Whether the agent waits for people to allow a change of a file, and does not change it otherwise. */
export const isAsking = (work: AgentWork, path: string): boolean =>
  !isWriting(work, path) && work.asked.includes(resolvePath(path, work.cwd))

/** Whether the agent edits a file now, by one of its calls. */
export const isWriting = ({ acts, cwd, isLive }: AgentWork, path: string): boolean =>
  isLive &&
  acts.some((act) => act.type === "call" && act.until === undefined && act.paths.includes(resolvePath(path, cwd)))
