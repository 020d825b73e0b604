/** Which tool calls wait for people, or waited: time that is theirs, and not the tool's. Pure. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"

type ToolItem = Extract<ItemView, { readonly type: "tool" }>

export interface Asks {
  /** People were asked to allow the call and have not answered: yet, or before its end. */
  readonly isAsked: (item: ToolItem) => boolean
  /** A request of the call is open, of whatever kind. */
  readonly isOpen: (item: ToolItem) => boolean
  /** How long people took over the requests of the call that are over. */
  readonly waitedMs: (item: ToolItem) => number
  /** The call proposes a plan, which is an entry itself. */
  readonly proposes: (item: ToolItem) => boolean
}

const toolCallIdOf = (request: AgentRequest): string | undefined =>
  request.type === "approval" ? request.tool.toolCallId : request.toolCallId

/** Agents use the ids of their calls again in other turns. */
const keyOf = (turnId: string | undefined, toolCallId: string): string => `${turnId ?? ""}:${toolCallId}`

export const asksOf = ({ items, requests }: Pick<ThreadView, "items" | "requests">): Asks => {
  const asked = new Set<string>()
  const open = new Set<string>()
  const proposing = new Set<string>()
  const waited = new Map<string, number>()
  const note = (request: AgentRequest, turnId: string | undefined, isAnswered: boolean): string | undefined => {
    const toolCallId = toolCallIdOf(request)
    if (toolCallId === undefined) return undefined
    const key = keyOf(turnId, toolCallId)
    if (request.type === "plan") proposing.add(key)
    if (request.type === "approval") {
      if (isAnswered) asked.delete(key)
      else asked.add(key)
    }
    return key
  }
  for (const item of items) {
    if (item.type !== "request") continue
    const key = note(item.request, item.turnId, item.outcome.type === "answered")
    if (key !== undefined) waited.set(key, (waited.get(key) ?? 0) + Math.max(0, item.at - item.request.at))
  }
  for (const { answered, request, turnId } of requests) {
    const key = note(request, turnId, answered)
    if (key !== undefined && !answered) open.add(key)
  }
  const key = ({ tool, turnId }: ToolItem) => keyOf(turnId, tool.toolCallId)
  return {
    isAsked: (item) => asked.has(key(item)),
    isOpen: (item) => open.has(key(item)),
    waitedMs: (item) => waited.get(key(item)) ?? 0,
    proposes: (item) => proposing.has(key(item))
  }
}
