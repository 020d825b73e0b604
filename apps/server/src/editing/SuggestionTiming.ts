/**
 * When a request for suggestions is sent: after a pause in typing, one at a time, and later where the agent is slow.
 * Pure: the caller brings the clock and carries out the commands.
 */
import { slowAfterMs } from "@signalbox/contracts/Suggestions"

/** The number of a request. A later request has a higher one. */
export type Ticket = number

type Phase =
  | { readonly type: "resting" }
  | { readonly type: "waiting"; readonly ticket: Ticket }
  | {
      readonly type: "asking"
      readonly ticket: Ticket
      readonly since: number
      /** Whether its answer is of no use any more. */
      readonly isCancelled: boolean
      readonly next: { readonly ticket: Ticket; readonly dueAt: number } | undefined
    }

export interface State {
  readonly phase: Phase
  /** Milliseconds that a request waits for the next keystroke. */
  readonly debounceMs: number
  /** Milliseconds that it waits in addition, since the agent is slow. */
  readonly slowMs: number
}

export type Event =
  /** Somebody asks. `isAtOnce`: a person has pressed a key for it. */
  | { readonly type: "asked"; readonly ticket: Ticket; readonly isAtOnce: boolean; readonly now: number }
  | { readonly type: "due"; readonly ticket: Ticket; readonly now: number }
  /** A request has ended, with an answer or without. */
  | { readonly type: "ended"; readonly ticket: Ticket; readonly now: number }
  /** Requests from now on wait that long for the next keystroke. */
  | { readonly type: "debounced"; readonly debounceMs: number }
  /** A text has changed, so whatever was asked is out of date. */
  | { readonly type: "changed" }
  /** Nobody waits for it any more. */
  | { readonly type: "withdrawn"; readonly ticket: Ticket }

export type Command =
  | { readonly type: "wake"; readonly ticket: Ticket; readonly afterMs: number }
  | { readonly type: "send"; readonly ticket: Ticket }
  /** Interrupts a request that was sent. It ends with `ended`. */
  | { readonly type: "cancel"; readonly ticket: Ticket }
  /** Answers that it was overtaken. */
  | { readonly type: "overtake"; readonly ticket: Ticket }

export interface Step {
  readonly state: State
  readonly commands: ReadonlyArray<Command>
}

const firstSlowMs = 250
const longestSlowMs = 5000

export const initial = (debounceMs: number): State => ({ phase: { type: "resting" }, debounceMs, slowMs: 0 })

export const step = (state: State, event: Event): Step => {
  const { phase } = state
  switch (event.type) {
    case "asked":
      return asked(state, event)
    case "due":
      return phase.type === "waiting" && phase.ticket === event.ticket
        ? sent(state, event.ticket, event.now)
        : unchanged(state)
    case "ended":
      return ended(state, event)
    case "debounced":
      return unchanged({ ...state, debounceMs: event.debounceMs })
    case "changed":
      return overtaken(state, () => true)
    case "withdrawn":
      return overtaken(state, (ticket) => ticket === event.ticket)
  }
}

const unchanged = (state: State): Step => ({ state, commands: [] })

const delayOf = ({ debounceMs, slowMs }: State, isAtOnce: boolean): number => (isAtOnce ? 0 : debounceMs + slowMs)

const sent = (state: State, ticket: Ticket, now: number): Step => ({
  state: { ...state, phase: { type: "asking", ticket, since: now, isCancelled: false, next: undefined } },
  commands: [{ type: "send", ticket }]
})

const waited = (state: State, ticket: Ticket, afterMs: number): Step => ({
  state: { ...state, phase: { type: "waiting", ticket } },
  commands: [{ type: "wake", ticket, afterMs }]
})

const asked = (before: State, { isAtOnce, now, ticket }: Extract<Event, { readonly type: "asked" }>): Step => {
  const { commands, state } = overtaken(before, () => true)
  const delay = delayOf(state, isAtOnce)
  const { phase } = state
  if (phase.type === "asking") {
    const next = { ticket, dueAt: now + delay }
    return { state: { ...state, phase: { ...phase, next } }, commands }
  }
  const then = delay === 0 ? sent(state, ticket, now) : waited(state, ticket, delay)
  return { state: then.state, commands: [...commands, ...then.commands] }
}

const ended = (state: State, { now, ticket }: Extract<Event, { readonly type: "ended" }>): Step => {
  const { phase } = state
  if (phase.type !== "asking" || phase.ticket !== ticket) return unchanged(state)
  const isSlow = now - phase.since > slowAfterMs
  // What was cancelled early says nothing about how long the agent takes.
  const slowMs = isSlow
    ? Math.min(Math.max(state.slowMs * 2, firstSlowMs), longestSlowMs)
    : phase.isCancelled
      ? state.slowMs
      : Math.floor(state.slowMs / 2)
  const rested: State = { ...state, slowMs, phase: { type: "resting" } }
  if (phase.next === undefined) return unchanged(rested)
  const { dueAt, ticket: next } = phase.next
  return dueAt <= now ? sent(rested, next, now) : waited(rested, next, dueAt - now)
}

/** Ends the chosen requests. One that was sent is cancelled, and keeps its place until it has ended. */
const overtaken = (state: State, isMeant: (ticket: Ticket) => boolean): Step => {
  const { phase } = state
  if (phase.type === "resting") return unchanged(state)
  if (phase.type === "waiting") {
    const { ticket } = phase
    if (!isMeant(ticket)) return unchanged(state)
    return { state: { ...state, phase: { type: "resting" } }, commands: [{ type: "overtake", ticket }] }
  }
  const commands: Array<Command> = []
  const { isCancelled, next, ticket } = phase
  const isCancelledNow = !isCancelled && isMeant(ticket)
  if (isCancelledNow) commands.push({ type: "overtake", ticket }, { type: "cancel", ticket })
  const isNextOver = next !== undefined && isMeant(next.ticket)
  if (isNextOver) commands.push({ type: "overtake", ticket: next.ticket })
  const after: Phase = {
    ...phase,
    isCancelled: isCancelled || isCancelledNow,
    next: isNextOver ? undefined : next
  }
  return { state: { ...state, phase: after }, commands }
}
