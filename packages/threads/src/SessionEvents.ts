/** Applies the start and the end of an agent's session to a thread. Pure; used by `RuntimeProjection`. */
import * as Grants from "@signalbox/contracts/Grants"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as RememberedSettings from "./RememberedSettings.ts"
import type { Draft } from "./ThreadDraft.ts"
import { endOutliving, place, pushSession, signalSession } from "./ThreadSteps.ts"
import * as TurnQueue from "./TurnQueue.ts"

export const started = (draft: Draft, event: RuntimeEventOf<"session.started">): void => {
  const { grants: grantedBefore } = draft.session
  signalSession(draft, "started")
  draft.session = {
    state: draft.session.state,
    providerSessionId: event.providerSessionId,
    origin: event.origin,
    startedAt: event.at,
    sessionId: event.resumeToken,
    capabilities: event.capabilities,
    ...(event.mcpServers !== undefined && { mcpServers: event.mcpServers }),
    ...(event.chain !== undefined && { chain: event.chain }),
    ...(event.grants !== undefined && { grants: event.grants }),
    ...(event.agentVersion !== undefined && { agentVersion: event.agentVersion }),
    ...(event.pid !== undefined && { pid: event.pid })
  }
  if (event.origin === "replaced") TurnQueue.forgotten(draft)
  if (event.origin !== "new") pushSession(draft, event, event.origin)
  if (grantedBefore !== undefined && event.grants !== undefined) tellAdded(draft, event, grantedBefore, event.grants)
}

/** Warns if the settings grant more than before, since nobody in this thread has decided it. */
const tellAdded = (
  draft: Draft,
  event: RuntimeEventOf<"session.started">,
  before: Grants.Grants,
  now: Grants.Grants
) => {
  const added = Grants.added(before, now)
  if (added.length === 0) return
  draft.transcript.put({
    ...place(event, `${event.eventId}:grants`),
    type: "warning",
    message: `The settings of ${draft.provider.name} allow more than in its last session here.`,
    detail: `New: ${added.join("; ")}.`
  })
}

/** Warns about choices that could not be set, except remembered ones. */
export const configured = (draft: Draft, event: RuntimeEventOf<"session.configured">): void => {
  for (const { reason, settingId, value } of RememberedSettings.settle(draft, event)) {
    draft.transcript.put({
      ...place(event, `${event.eventId}:${settingId}`),
      type: "warning",
      message: `${settingId} could not be set to ${String(value)} again.`,
      detail: reason
    })
  }
}

export const exited = (draft: Draft, event: RuntimeEventOf<"session.exited">): void => {
  const isThis = draft.session.providerSessionId === event.providerSessionId
  if (signalSession(draft, isThis ? "exited" : "replaced")) endOutliving(draft)
  // The turn that it ended shows the problem, with the same evidence.
  if (!event.expected && event.problem) pushSession(draft, event, "exited")
}
