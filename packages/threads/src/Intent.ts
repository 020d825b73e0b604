/**
 * What to do next with a thread's agent, as one pure function: `next`. The reactor carries intents out. Their outcome is committed as
 * events, which are the next occasion.
 *
 * | What asks for it | What is done |
 * |---|---|
 * | The head: a prompt is due, and no turn is running | that turn is run |
 * | The head: a prompt that steers is due, and the agent takes it into its turn | the agent gets it |
 * | Events of a command: Stop, an answer, a setting, a profile, the start or stop of a session | that, in the order of the events |
 * | The agent ended by itself, or with an earlier server, and is to come back at once | it is started again |
 *
 * Turns follow from the head alone, so that no trigger can be missed. The content of an answer stands in its event only, and so does a stop
 * of the session.
 */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { LoggedEvent, OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as Interjection from "./Interjection.ts"
import * as ThreadProjection from "./ThreadProjection.ts"
import * as TurnQueue from "./TurnQueue.ts"

export type Intent =
  /** Runs the turn to its end. Starts the agent first if it does not run. */
  | { readonly type: "turn.run"; readonly turn: TurnView }
  /** Sends the prompt to the agent within its turn. */
  | { readonly type: "turn.interject"; readonly turn: TurnView }
  | { readonly type: "turn.interrupt"; readonly turnId: TurnId }
  | { readonly type: "request.answer"; readonly answered: Of<"request.answered"> }
  | { readonly type: "setting.change"; readonly requested: Of<"setting.requested"> }
  | { readonly type: "profile.apply"; readonly chosen: Of<"profile.chosen"> }
  /** Starts the agent. The request for it is in the log already. */
  | { readonly type: "session.start" }
  | { readonly type: "session.stop" }
  /** Starts the agent that ran when an earlier server ended, as if a person had asked for it. */
  | { readonly type: "session.reopen" }
  /** Starts an agent again that ended by itself, after a delay that grows with each crash. */
  | { readonly type: "session.revive" }

type Of<Type extends OrchestrationEvent["type"]> = Extract<OrchestrationEvent, { readonly type: Type }>

type Events = ReadonlyArray<Pick<LoggedEvent, "event">>

/** The latest change of the thread. `next` takes the head after it. */
export type Occasion =
  /** A person's command was accepted as these events. */
  | { readonly type: "commanded"; readonly events: Events }
  /** The agent did this. */
  | { readonly type: "received"; readonly events: Events }
  /** The reactor stored these events. They report its own work, and ask for nothing. */
  | { readonly type: "reported"; readonly events: Events }
  /** The reactor has finished running or interjecting this turn. */
  | { readonly type: "attempted"; readonly turn: TurnView }
  /** The thread's log was settled after a server's end. `wasOpen`: its agent was running or starting then. */
  | { readonly type: "recovered"; readonly wasOpen: boolean }
  /** The thread came into memory, or its removal failed. */
  | { readonly type: "entered" }

/** Intents that are carried out one at a time. */
export type Exclusive = "turn.run" | "turn.interject" | "session.revive"

/** When an agent is started again that ended by itself or with its server: at the next prompt, or at once. */
export type Resume = "on-prompt" | "at-once"

export interface Standing {
  readonly doing: ReadonlySet<Exclusive>
  /** The thread is being deleted, so nothing begins in it. */
  readonly leaving: boolean
  readonly resume: Resume
}

export const isExclusive = (type: Intent["type"]): type is Exclusive =>
  type === "turn.run" || type === "turn.interject" || type === "session.revive"

/** What to begin now, in this order. */
export const next = (head: ThreadHead, occasion: Occasion, standing: Standing): ReadonlyArray<Intent> => {
  if (standing.leaving) return []
  const turn = turnIntent(head, occasion, standing)
  const others = sessionIntents(head, occasion, standing)
  return turn === undefined ? others : [turn, ...others]
}

const turnIntent = (head: ThreadHead, occasion: Occasion, { doing }: Standing): Intent | undefined => {
  const turn = TurnQueue.next(head)
  // An attempt that changed nothing is not repeated until something else happens.
  if (turn === undefined || (occasion.type === "attempted" && occasion.turn === turn)) return undefined
  if (Interjection.next(head) !== undefined)
    return doing.has("turn.interject") ? undefined : { type: "turn.interject", turn }
  if (doing.has("turn.run") || ThreadProjection.runningTurn(head) !== undefined) return undefined
  return { type: "turn.run", turn }
}

const sessionIntents = (head: ThreadHead, occasion: Occasion, { doing, resume }: Standing): ReadonlyArray<Intent> => {
  switch (occasion.type) {
    case "commanded":
      return occasion.events.flatMap(({ event }) => commanded(event))
    case "received":
      return resume === "at-once" && !doing.has("session.revive") && occasion.events.some(isCrash)
        ? [{ type: "session.revive" }]
        : []
    case "recovered":
      // A queued prompt starts the agent itself.
      return resume === "at-once" && occasion.wasOpen && TurnQueue.next(head) === undefined
        ? [{ type: "session.reopen" }]
        : []
    case "reported":
    case "attempted":
    case "entered":
      return []
  }
}

const commanded = (event: ThreadEvent): ReadonlyArray<Intent> => {
  if (event.type === "turn.interrupt.requested") return [{ type: "turn.interrupt", turnId: event.turnId }]
  if (event.type === "request.answered") return [{ type: "request.answer", answered: event }]
  if (event.type === "setting.requested") return [{ type: "setting.change", requested: event }]
  if (event.type === "profile.chosen") return [{ type: "profile.apply", chosen: event }]
  if (event.type === "session.start.requested") return [{ type: "session.start" }]
  if (event.type === "session.stop.requested") return [{ type: "session.stop" }]
  return []
}

const isCrash = ({ event }: Events[number]): boolean => event.type === "session.exited" && !event.expected
