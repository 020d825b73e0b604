/** Applies the thread's own events to its state. Pure; see `ThreadProjection`. */
import { promptText, type PromptPart } from "@signalbox/contracts/Content"
import { ItemId, type TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { Draft } from "./ThreadDraft.ts"
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"
import {
  endTurn,
  pushProblem,
  resolveRequest,
  resumeTurn,
  signalSession,
  signalTurn,
  withoutNotes
} from "./ThreadSteps.ts"
import * as TurnQueue from "./TurnQueue.ts"
import { isRunning } from "./TurnState.ts"

export const apply = (draft: Draft, event: OrchestrationEvent): void => {
  switch (event.type) {
    case "thread.created":
      throw new RangeError("A thread is created once.")
    case "thread.renamed":
      draft.title = event.title
      draft.titled = true
      return
    case "turn.queued":
      if (isUncalled(draft) && !isNamed(draft)) callAfter(draft, event.turnId, event.prompt)
      TurnQueue.add(draft, {
        turnId: event.turnId,
        prompt: event.prompt,
        status: "queued",
        queuedAt: event.at,
        ...(event.steer && { steer: event.steer })
      })
      return
    case "turn.edited":
      retitle(draft, event.turnId, event.prompt)
      TurnQueue.edit(draft, event.turnId, event.prompt)
      return
    case "turn.moved":
      TurnQueue.move(draft, event.turnId, event.before)
      return
    case "queue.held":
      TurnQueue.hold(draft, event.held)
      return
    case "turn.steered":
      return steered(draft, event)
    case "turn.dispatched":
      return dispatched(draft, event)
    case "turn.interrupt.requested":
      if (signalTurn(draft, event.turnId, "stopped", { interruptedAt: event.at }) !== undefined)
        TurnQueue.stopped(draft, event.turnId)
      return
    case "turn.withdrawn":
      return withdrawn(draft, event)
    case "turn.failed":
      signalSession(draft, "abandoned")
      endTurn(draft, event.turnId, "failed", event.at, { problem: event.problem })
      return
    case "turn.lost":
      endTurn(draft, event.turnId, "lost", event.at, { problem: lost(event.reason) })
      return
    case "request.answered":
      draft.requests = draft.requests.map((open) =>
        open.request.requestId === event.requestId ? { ...open, answered: true } : open
      )
      resumeTurn(draft)
      return
    case "request.expired":
      resolveRequest(draft, event.requestId, { type: "expired", reason: event.reason }, event.at)
      return
    case "mcp.chosen":
      if (event.mcpServers === undefined) delete draft.mcpServers
      else draft.mcpServers = event.mcpServers
      return
    case "components.chosen":
      if (event.components === undefined) delete draft.components
      else draft.components = event.components
      return
    case "profile.chosen":
      return profileChosen(draft, event)
    case "setting.requested":
      draft.desired = { ...draft.desired, [event.settingId]: event.value }
      return
    case "setting.failed":
      return settingFailed(draft, event)
    case "session.start.requested":
      signalSession(draft, "requested")
      return
    case "session.start.waiting": {
      const { waiting: _, ...session } = draft.session
      if (session.state !== "starting") return
      draft.session = event.ahead > 0 ? { ...session, waiting: { ahead: event.ahead } } : session
      return
    }
    case "session.start.slow": {
      const { afterMs, waitingFor } = event
      if (draft.session.state === "starting") draft.session = { ...draft.session, slow: { afterMs, waitingFor } }
      return
    }
    case "session.restart.scheduled":
      draft.session = { ...draft.session, restart: { attempt: event.attempt, dueAt: event.dueAt } }
      return
    case "session.start.failed":
      signalSession(draft, "failed")
      pushProblem(draft, `start:${draft.sequence}`, event.at, event.problem)
      return
    case "session.stop.requested":
      // A person who stops the session does not want an automatic restart.
      draft.session = withoutNotes(draft.session)
      draft.turns = draft.turns.map((turn) =>
        isRunning(turn.status) ? { ...turn, interruptedAt: turn.interruptedAt ?? event.at } : turn
      )
      return
  }
}

type Of<Type extends OrchestrationEvent["type"]> = Extract<OrchestrationEvent, { readonly type: Type }>

const steered = (draft: Draft, { at, into, turnId, way }: Of<"turn.steered">): void => {
  draft.turns = draft.turns.map((turn) => (turn.turnId === turnId ? { ...turn, steered: { way, into } } : turn))
  if (way === "agent") endTurn(draft, turnId, "completed", at, {})
}

const dispatched = (draft: Draft, { at, turnId }: Of<"turn.dispatched">): void => {
  const turn = signalTurn(draft, turnId, "dispatched", { sentAt: at })
  if (turn === undefined) return
  TurnQueue.sent(draft, turn)
  const itemId = ItemId.make(`${turnId}:prompt`)
  draft.transcript.put({ type: "prompt", itemId, turnId, at, prompt: turn.prompt })
}

const profileChosen = (draft: Draft, { at, profile }: Of<"profile.chosen">): void => {
  const { profile: _, ...session } = draft.session
  draft.session = profile === undefined ? session : { ...session, profile }
  const { name } = draft.provider
  draft.transcript.put({
    itemId: ItemId.make(`profile:${draft.sequence}`),
    at,
    type: "warning",
    message:
      profile === undefined ? `The settings of ${name} decide again who answers its requests.` : untilEnd[profile](name)
  })
}

/** What holds until the session ends. */
const untilEnd: Readonly<Record<PermissionProfile, (agent: string) => string>> = {
  ask: (agent) => `Until this session ends, you are asked about all that ${agent} asks for and no rule answers.`,
  "allow-reads": (agent) => `Until this session ends, ${agent} may read and search in its folders without asking you.`,
  "read-only": (agent) => `Until this session ends, ${agent} may read and search in its folders. Changes are refused.`,
  edits: (agent) => `Until this session ends, ${agent} may read and change files in its folders without asking you.`,
  bypass: (agent) => `Until this session ends, ${agent} may do all that no rule denies, without asking you.`
}

const withdrawn = (draft: Draft, { at, turnId }: Of<"turn.withdrawn">): void => {
  const turn = draft.turns.find((candidate) => candidate.turnId === turnId)
  if (turn?.status !== "queued") return endTurn(draft, turnId, "cancelled", at, {})
  TurnQueue.takenBack(draft, turn)
  if (draft.calledAfter === turnId) draft.calledAfter = null
}

const settingFailed = (draft: Draft, { at, desired, problem, settingId }: Of<"setting.failed">): void => {
  const { [settingId]: _, ...others } = draft.desired
  draft.desired = desired === undefined ? others : { ...others, [settingId]: desired }
  pushProblem(draft, `setting:${draft.sequence}`, at, problem)
}

/** Whether a person named the thread, or the agent whose session it began with. */
const isNamed = ({ from, titled }: Draft): boolean => titled || (from?.type === "import" && from.title !== undefined)

/** Whether a prompt should give the thread its title. Threads from before 0.2 don't store which one did. */
const isUncalled = ({ calledAfter, turns }: Draft): boolean =>
  calledAfter === null || (calledAfter === undefined && turns.length === 0)

const callAfter = (draft: Draft, turnId: TurnId, prompt: ReadonlyArray<PromptPart>): void => {
  draft.title = titleFrom(promptText(prompt)) ?? draft.title
  draft.calledAfter = turnId
}

/** Updates the title of a thread that is named after this prompt. */
const retitle = (draft: Draft, turnId: TurnId, prompt: ReadonlyArray<PromptPart>): void => {
  const named = draft.turns.find((turn) => turn.turnId === turnId)
  if (draft.calledAfter !== turnId || isNamed(draft) || named === undefined) return
  if (draft.title === titleFrom(promptText(named.prompt))) callAfter(draft, turnId, prompt)
}

const titleFrom = (prompt: string): string | undefined => {
  const line = prompt
    .split("\n")
    .find((candidate) => candidate.trim() !== "")
    ?.trim()
  if (line === undefined) return undefined
  return line.length <= 72 ? line : `${line.slice(0, 71).trimEnd()}…`
}

const lost = (reason: string): Problem => ({
  code: "turn-lost",
  title: "This turn is lost.",
  cause: reason,
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Send it again" }]
})
