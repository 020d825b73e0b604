/** What people are told beside the transcript of an agent: what went wrong, was refused, or became of the session. */
import * as EventSink from "./EventSink.ts"
import type { Strand } from "./Strand.ts"

/** Session state that this file reads and changes. */
export interface State {
  readonly sink: EventSink.EventSink
  /** The stretch that is told now. */
  readonly current: Strand
  /** Refusals of files and programs since a turn began or ended. */
  refusals: Refusals
}

/** Refusals that were told, and those that were counted only. */
export interface Refusals {
  readonly told: number
  readonly more: number
}

export const noRefusals: Refusals = { told: 0, more: 0 }

/** Refusals of a turn that are told one by one. */
const mostRefusals = 8

/** Adds a warning at the place where the agent is now. */
export const warn = ({ current, sink }: State, message: string, detail?: string, line?: number): void =>
  EventSink.push(
    sink,
    { type: "runtime.warning", ...current.place, message, ...(detail !== undefined && { detail }) },
    line
  )

/** Adds what becomes of the session, outside of its turns. */
export const note = ({ sink }: State, message: string, detail?: string): void =>
  EventSink.push(sink, { type: "runtime.warning", message, ...(detail !== undefined && { detail }) })

/** Tells what was refused to the agent, and only counts when it asks for much. */
export const refused = (state: State, message: string, detail: string): void => {
  const { more, told } = state.refusals
  if (told >= mostRefusals) {
    state.refusals = { told, more: more + 1 }
    return
  }
  state.refusals = { told: told + 1, more }
  const last = told + 1 === mostRefusals ? " Further refusals of this turn are counted at its end." : ""
  warn(state, message, `${detail}${last}`)
}

/** Tells how many refusals were only counted, and counts anew. */
export const settleRefusals = (state: State): void => {
  const { more } = state.refusals
  state.refusals = noRefusals
  if (more > 0)
    warn(
      state,
      `${more} further ${more === 1 ? "request" : "requests"} for files and programs ${more === 1 ? "was" : "were"} refused.`
    )
}
