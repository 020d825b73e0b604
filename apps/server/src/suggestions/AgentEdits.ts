/** Which files the agent of a thread edits at the moment. Pure: read from the thread as pages see it. */
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import { resolvePath } from "@signalbox/contracts/Paths"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { changedFiles, isRunning, type ToolCall } from "@signalbox/contracts/ToolCall"

interface Edit {
  readonly turnId: TurnId | undefined
  /** Absolute. */
  readonly paths: ReadonlyArray<string>
}

/** The calls that run and edit files. */
export type AgentEdits = ReadonlyMap<ItemId, Edit>

export const none: AgentEdits = new Map()

/** The absolute paths of the files. */
export const pathsOf = (edits: AgentEdits): ReadonlySet<string> =>
  new Set([...edits.values()].flatMap(({ paths }) => paths))

/** Steps on. The same value comes back if nothing has changed. `folder`: that of the thread. */
export const step = (edits: AgentEdits, frame: ThreadFrame, folder: string): AgentEdits => {
  if (frame.type === "events") return frame.events.reduce((before, { event }) => after(before, event, folder), edits)
  const { view } = frame
  const isUnderWay = view.turns.some(({ endedAt, sentAt }) => sentAt !== undefined && endedAt === undefined)
  if (!isUnderWay) return edits.size === 0 ? edits : none
  return view.items.reduce((before, item) => {
    return item.type === "tool" ? withCall(before, item.itemId, item.turnId, item.tool, folder) : before
  }, none)
}

const after = (edits: AgentEdits, event: ThreadEvent, folder: string): AgentEdits => {
  const { type } = event
  if (type === "tool.started" || type === "tool.updated" || type === "tool.completed")
    return event.replayed === true ? edits : withCall(edits, event.itemId, event.turnId, event.tool, folder)
  if (type === "turn.completed" || type === "turn.failed" || type === "turn.lost")
    return without(edits, ({ turnId }) => turnId === undefined || turnId === event.turnId)
  return type === "session.exited" && edits.size > 0 ? none : edits
}

const without = (edits: AgentEdits, isOver: (edit: Edit) => boolean): AgentEdits => {
  const left = [...edits].filter(([, edit]) => !isOver(edit))
  return left.length === edits.size ? edits : new Map(left)
}

const withCall = (
  edits: AgentEdits,
  itemId: ItemId,
  turnId: TurnId | undefined,
  tool: ToolCall,
  folder: string
): AgentEdits => {
  const paths = isRunning(tool) ? changedFiles(tool).map((path) => resolvePath(path, folder)) : []
  if (paths.length === 0 && !edits.has(itemId)) return edits
  const next = new Map(edits)
  if (paths.length === 0) next.delete(itemId)
  else next.set(itemId, { turnId, paths })
  return next
}
