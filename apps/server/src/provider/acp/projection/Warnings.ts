/** Notes beside the agent's transcript: errors, refusals, and changes of the session. */
import * as EventSink from "./EventSink.ts"
import type { Strand } from "./Strand.ts"

/** Session state that this file reads and changes. */
export interface State {
  readonly sink: EventSink.EventSink
  /** The strand that receives events now. */
  readonly current: Strand
  /** Refusals of files and programs since a turn began or ended. */
  refusals: Refusals
}

/** Refusals that were shown, and refusals that were only counted. */
export interface Refusals {
  readonly told: number
  readonly more: number
}

export const noRefusals: Refusals = { told: 0, more: 0 }

/** Most refusals of a turn that are shown one by one. */
const mostRefusals = 8

/** Adds a warning in the current strand. */
export const warn = ({ current, sink }: State, message: string, detail?: string, line?: number): void =>
  EventSink.push(
    sink,
    { type: "runtime.warning", ...current.place, message, ...(detail !== undefined && { detail }) },
    line
  )

/** Adds a note about the session, outside of its turns. */
export const note = ({ sink }: State, message: string, detail?: string): void =>
  EventSink.push(sink, { type: "runtime.warning", message, ...(detail !== undefined && { detail }) })

/** Shows that a request of the agent was refused. Beyond a limit it only counts. */
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

/** Shows how many refusals were only counted, and starts the count again. */
export const settleRefusals = (state: State): void => {
  const { more } = state.refusals
  state.refusals = noRefusals
  if (more > 0)
    warn(
      state,
      `${more} further ${more === 1 ? "request" : "requests"} for files and programs ${more === 1 ? "was" : "were"} refused.`
    )
}
