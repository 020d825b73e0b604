/**
 * Sessions that an agent opens itself for its sub-agents. A session announces each by `subagent_update`. After that the
 * child sends updates and requests under its own id. The chain of parents shows where they belong (ACP v1, unstable,
 * subagents).
 */
import type { StateUpdate, SubagentUpdate } from "../generated/v1.ts"

export interface Subagent {
  readonly sessionId: string
  /** The session that announced it, which may be a sub-agent's. */
  readonly parentId: string
  /** The session at the top, which the client opened. */
  readonly rootId: string
  readonly title: string | undefined
  readonly description: string | undefined
  /** Undefined if the agent has not reported it, or has cleared it. */
  readonly state: StateUpdate | undefined
  /** Members of its announcement outside of the protocol. */
  readonly meta: SubagentUpdate["_meta"]
  /** Whether it accepts `session/cancel`. */
  readonly cancellable: boolean
  /** Its own folder, or else that of the nearest parent with one. Undefined: the folder of the session at the top. */
  readonly cwd: string | undefined
  readonly additionalDirectories: ReadonlyArray<string> | undefined
}

export interface Subagents {
  readonly get: (sessionId: string) => Subagent | undefined
  /**
   * Applies a session's report about a child. Returns false if it is impossible: e.g. a session as its own parent, or
   * thousands of children.
   */
  readonly announce: (parentId: string, update: SubagentUpdate) => boolean
  /** Forgets the sub-agents of a session that has ended, at any depth. */
  readonly forget: (sessionId: string) => void
}

interface Entry {
  readonly parentId: string
  /** The latest reports, member by member. A missing member of an update is unchanged, and null clears it. */
  readonly said: SubagentUpdate
}

/** Most sub-agents of a session. Each is kept as long as the session lives, so further ones are ignored. */
const most = 4096
/** Most levels of sub-agents. All of them are visited for each update. */
const deepest = 64

export const make = (): Subagents => {
  const entries = new Map<string, Entry>()

  /** The sub-agents from this session up to the top, nearest first. */
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
