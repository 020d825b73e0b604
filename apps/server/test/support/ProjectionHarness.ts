/** The projection of one session without a session: updates as they stand on the wire in, events out. */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import { read } from "@signalbox/acp/SessionUpdates"
import { ProviderSessionId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Seal from "@signalbox/conductor/Seal"
import type { AgentProfile } from "../../src/provider/acp/profile/AgentProfile.ts"
import * as EventSink from "../../src/provider/acp/projection/EventSink.ts"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import * as SessionProjection from "../../src/provider/acp/projection/SessionProjection.ts"
import * as UpdateProjection from "../../src/provider/acp/projection/UpdateProjection.ts"

export interface ProjectionHarness {
  readonly state: SessionProjection.SessionProjection
  /** Everything until now. */
  readonly events: ReadonlyArray<ProviderRuntimeEvent>
  readonly of: <T extends ProviderRuntimeEvent["type"]>(type: T) => ReadonlyArray<RuntimeEventOf<T>>
  readonly types: () => ReadonlyArray<string>
  /** One chunk of the wire. */
  readonly feed: (...updates: ReadonlyArray<object>) => ReadonlyArray<ProviderRuntimeEvent>
  /** Feeds updates about another session. */
  readonly feedTo: (sessionId: string, ...updates: ReadonlyArray<object>) => ReadonlyArray<ProviderRuntimeEvent>
  readonly begin: (turnId: string, prompt?: string) => void
  readonly end: (as?: "cancelled" | "unfinished") => ReadonlyArray<ProviderRuntimeEvent>
  readonly step: (step: () => void) => ReadonlyArray<ProviderRuntimeEvent>
}

export const projection = (profile: Partial<AgentProfile> = {}): ProjectionHarness => {
  const providerSessionId = ProviderSessionId.make("run-1")
  const sink = EventSink.make(
    { providerKind: "acp", providerSessionId, threadId: ThreadId.make("thread-1") },
    (line) => line
  )
  const seal = Seal.make()
  const state = SessionProjection.make({ ...GenericProfile, ...profile }, sink, providerSessionId, seal)
  state.agentSessionId = "s"
  const events: Array<ProviderRuntimeEvent> = []
  let line = 0
  let at = 1_000
  const kept = (come: ReadonlyArray<ProviderRuntimeEvent>) => {
    events.push(...come)
    return come
  }
  const now = () => {
    at += 1
    return at
  }
  const feedTo: ProjectionHarness["feedTo"] = (sessionId, ...updates) => {
    const batch = updates.map((update) => {
      line += 1
      return read({ method: "session/update", params: { sessionId, update }, line }, () => {})
    })
    return kept(UpdateProjection.project(state, batch, now()))
  }
  const step: ProjectionHarness["step"] = (change) => kept(SessionProjection.step(state, now(), change))
  return {
    state,
    events,
    of: (type) => events.filter((event): event is RuntimeEventOf<typeof type> => event.type === type),
    types: () => events.map(({ type }) => type),
    step,
    feed: (...updates) => feedTo("s", ...updates),
    feedTo,
    begin: (turnId, prompt = "do it") => {
      step(() => SessionProjection.beginTurn(state, TurnId.make(turnId), prompt))
    },
    end: (as = "unfinished") => step(() => SessionProjection.endTurn(state, as))
  }
}

export const text = (piece: string, more: object = {}) => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: piece },
  ...more
})

export const thought = (piece: string) => ({
  sessionUpdate: "agent_thought_chunk",
  content: { type: "text", text: piece }
})

export const saidWith = (content: ContentBlock) => ({ sessionUpdate: "user_message_chunk", content })

export const said = (piece: string) => saidWith({ type: "text", text: piece })

export const call = (toolCallId: string, more: object = {}) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "Terminal",
  kind: "execute",
  status: "pending",
  rawInput: {},
  ...more
})

export const change = (toolCallId: string, more: object = {}) => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...more
})
