/** Keeps what does not fit the contract out of the log: it could be written, but never be read again or be sent to a page. */
import { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Schema from "effect/Schema"

const fits = Schema.is(ProviderRuntimeEvent)

/** The event itself; or, if a number or a text in it is not one, something unknown, with all that it holds. */
export const fitting = (event: ProviderRuntimeEvent): ProviderRuntimeEvent => {
  if (fits(event)) return event
  const { at, eventId, providerKind, providerSessionId, threadId, type } = event
  return {
    type: "protocol.unknown",
    eventId,
    providerKind,
    providerSessionId,
    threadId,
    at,
    kind: type,
    reason: "The agent's message led to an event that is not well-formed.",
    raw: JSON.stringify(event)
  }
}
