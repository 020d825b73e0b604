/**
 * Sessions that an agent opens by itself for its sub-agents. A session announces each by `subagent_update`; from then on the child sends
 * updates and requests under an id of its own. Whoever knows its parents knows where they belong (ACP v1, unstable, subagents).
 */
import type { StateUpdate, SubagentUpdate } from "../generated/v1.ts"

export interface Subagent {
  readonly sessionId: string
  /** The session that announced it, which may be a sub-agent's itself. */
  readonly parentId: string
  /** The session at the top: the one that the client opened. */
  readonly rootId: string
  readonly title: string | undefined
  readonly description: string | undefined
  /** Undefined: the agent has not said, or does not know any more. */
  readonly state: StateUpdate | undefined
  /** What agents tell of it beside the protocol. */
  readonly meta: SubagentUpdate["_meta"]
  /** Whether `session/cancel` may be sent to it. */
  readonly cancellable: boolean
  /** Its own, else those of the nearest parent that has some; undefined: those of the session at the top. */
  readonly cwd: string | undefined
  readonly additionalDirectories: ReadonlyArray<string> | undefined
}

export interface Subagents {
  readonly get: (sessionId: string) => Subagent | undefined
  /** Takes in what a session says about a child; false when that can't be: a session is not its own parent, and has not thousands of them. */
  readonly announce: (parentId: string, update: SubagentUpdate) => boolean
  /** Forgets the children of a session that is over, and theirs. */
  readonly forget: (sessionId: string) => void
}

interface Entry {
  readonly parentId: string
  /** What was said last, each member by itself: what is left out of an update is unchanged, null takes it back. */
  readonly said: SubagentUpdate
}

/** A session that announces more is not believed: each of them is kept for as long as the session lives. */
const most = 4096
/** Nor is one that has so many above it: all of them are looked at for each update. */
const deepest = 64

export const make = (): Subagents => {
  const entries = new Map<string, Entry>()

  /** From the session itself to the last sub-agent under the session at the top. */
  const line = function* (sessionId: string): Generator<Entry> {
    let entry = entries.get(sessionId)
    for (let steps = 0; entry !== undefined && steps < deepest; steps += 1) {
      yield entry
      entry = entries.get(entry.parentId)
    }
  }

  const get: Subagents["get"] = (sessionId) => {
    const entry = entries.get(sessionId)
    if (entry === undefined) return undefined
    const { parentId, said } = entry
    let rootId = parentId
    let cwd: string | undefined
    let additionalDirectories: ReadonlyArray<string> | undefined
    for (const each of line(sessionId)) {
      rootId = each.parentId
      cwd ??= each.said.cwd ?? undefined
      additionalDirectories ??= each.said.additionalDirectories ?? undefined
    }
    return {
      sessionId,
      parentId,
      rootId,
      title: said.title ?? undefined,
      description: said.description ?? undefined,
      state: said.state ?? undefined,
      meta: said._meta,
      cancellable: Boolean(said.capabilities?.cancel),
      cwd,
      additionalDirectories
    }
  }

  const announce: Subagents["announce"] = (parentId, update) => {
    const { sessionId } = update
    const known = entries.get(sessionId)
    if (known !== undefined && known.parentId !== parentId) return false
    if (known === undefined && entries.size >= most) return false
    const above = [...line(parentId)]
    if (parentId === sessionId || above.length === deepest) return false
    if (above.some((each) => each.parentId === sessionId)) return false
    entries.set(sessionId, { parentId, said: Object.assign({}, known?.said, update) })
    return true
  }

  const forget: Subagents["forget"] = (sessionId) => {
    for (const [child, { parentId }] of entries) {
      if (parentId !== sessionId) continue
      entries.delete(child)
      forget(child)
    }
  }

  return { get, announce, forget }
}
