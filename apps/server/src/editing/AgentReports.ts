/**
 * Hands on to the running agent what happens to documents and suggestions. Nobody waits for long: an agent that does
 * not read is given up.
 */
import * as Effect from "effect/Effect"
import type { DocumentFollower } from "./Documents.ts"
import type { End } from "./OpenSuggestions.ts"
import type { SuggestionSource } from "./SuggestionSource.ts"

export interface AgentReports {
  /** The agent that runs. */
  readonly running: () => SuggestionSource | undefined
  readonly came: (source: SuggestionSource) => void
  /** Returns whether it was the one that ran. */
  readonly went: (source: SuggestionSource) => boolean
  /** Takes what happens to documents for an agent, as long as it runs. */
  readonly followerOf: (source: SuggestionSource) => DocumentFollower
  /** Reports how suggestions have ended. An agent that has gone needs to know of no end. */
  readonly ended: (ends: ReadonlyArray<End>) => Effect.Effect<void>
}

/** How long an agent may leave what is sent to it unread, once its pipe is full. */
export const readingLimit = "5 seconds"

/** `onDeaf` runs when the agent of that name was given up. */
export const make = (onDeaf: (name: string) => Effect.Effect<void>): AgentReports => {
  let running: SuggestionSource | undefined

  const deliver = (source: SuggestionSource, event: Effect.Effect<void, unknown>) => {
    const giveUp = Effect.suspend(() => {
      running = undefined
      return onDeaf(source.name)
    })
    return Effect.suspend(() =>
      running === source
        ? Effect.ignore(Effect.timeoutOrElse(event, { duration: readingLimit, orElse: () => giveUp }))
        : Effect.void
    )
  }

  return {
    running: () => running,
    came: (source) => {
      running = source
    },
    went: (source) => {
      if (running !== source) return false
      running = undefined
      return true
    },
    followerOf: (source) => {
      const { didChange, didClose, didFocus, didOpen, didSave } = source.documents
      return {
        didOpen: (document) => deliver(source, didOpen(document)),
        didChange: (change) => deliver(source, didChange(change)),
        didClose: (uri) => deliver(source, didClose(uri)),
        didSave: (uri) => deliver(source, didSave(uri)),
        didFocus: (focus) => deliver(source, didFocus(focus))
      }
    },
    ended: (ends) =>
      Effect.forEach(
        ends,
        ({ agentId, reason }) => {
          if (running === undefined) return Effect.void
          const { accept, reject } = running.ends
          return deliver(running, reason === "accepted" ? accept(agentId) : reject(agentId, reason))
        },
        { discard: true }
      )
  }
}
