/**
 * Replaces ids that differ in every run by numbers in the order of their appearance. So two replays can be compared.
 */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"

export interface StableIds {
  /** The event as compact JSON. Must be called with every event, in order. */
  readonly json: (event: ProviderRuntimeEvent) => string
}

/** The members that hold such ids. An item's id begins with one, up to a colon. */
const members: ReadonlySet<string> = new Set(["providerSessionId", "turnId", "itemId", "requestId", "digest"])

export const make = (): StableIds => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()

  const name = (kind: string, id: string) => {
    if (names.has(id)) return
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(id, `${kind}-${count}`)
  }
  let events = 0
  const rename = (id: string): string => {
    const end = id.indexOf(":")
    const head = end === -1 ? id : id.slice(0, end)
    return `${names.get(head) ?? head}${id.slice(head.length)}`
  }

  return {
    json: (event) => {
      name("session", event.providerSessionId)
      if ("turnId" in event && event.turnId !== undefined) name("turn", event.turnId)
      if ("request" in event) {
        name("request", event.request.requestId)
        if (event.request.type === "approval" && event.request.digest !== undefined)
          name("digest", event.request.digest)
      }
      events += 1
      return JSON.stringify({ ...event, eventId: `event-${events}` }, (key, value: unknown) =>
        members.has(key) && typeof value === "string" ? rename(value) : value
      )
    }
  }
}
