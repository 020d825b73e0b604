import type { AgentSession, AgentSessionChange, AgentSessionFilter } from "@signalbox/contracts/AgentSession"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderId, SessionAbilities } from "@signalbox/contracts/Provider"
import { useEffect, useState } from "react"
import { changeAgentSession, listAgentSessions } from "../connection/agentSessions.ts"
import { problemOf } from "../connection/commands.ts"

interface Listing {
  /** Undefined until the agent has reported its abilities. */
  readonly abilities: SessionAbilities | undefined
  readonly sessions: ReadonlyArray<AgentSession>
  /** The number of sessions after which the list is cut. Undefined for a complete list. */
  readonly truncated: number | undefined
  /** Whether more is coming. */
  readonly reading: boolean
  readonly problem: Problem | undefined
}

export interface AgentSessions extends Listing {
  /** Resolves with whether the change was made. */
  readonly change: (session: AgentSession, change: AgentSessionChange) => Promise<boolean>
  readonly again: () => void
  /** Whether archived sessions are shown. */
  readonly archived: boolean
  readonly showArchived: (archived: boolean) => void
}

const begun: Listing = {
  abilities: undefined,
  sessions: [],
  truncated: undefined,
  reading: true,
  problem: undefined
}

/** The row after a change. Closing a session does not change the list. */
const changed = (
  session: AgentSession,
  change: AgentSessionChange,
  title: string | undefined
): AgentSession | undefined => {
  switch (change.type) {
    case "close":
      return session
    case "rename":
      return { ...session, title: title ?? change.title }
    case "delete":
      return undefined
    // The other list may have been opened meanwhile, and has this session rightly.
    case "archive":
      return session.archived ? session : undefined
    case "unarchive":
      return session.archived ? undefined : session
  }
}

/** Adds a page. A list that changes while it is read may repeat a session. */
const withPage = (known: ReadonlyArray<AgentSession>, page: ReadonlyArray<AgentSession>) => [
  ...new Map([...known, ...page].map((session) => [session.sessionId, session])).values()
]

/** The sessions of an agent, page by page as they arrive. */
export const useAgentSessions = (providerId: ProviderId): AgentSessions => {
  // A new filter object asks again.
  const [filter, setFilter] = useState<AgentSessionFilter>({})
  const [listing, setListing] = useState(begun)
  useEffect(() => {
    const abort = new AbortController()
    // Sessions may be changed while the list is read: each step begins with what is shown then.
    const step = (next: (before: Listing) => Partial<Listing>) => {
      if (!abort.signal.aborted) setListing((before) => ({ ...before, ...next(before) }))
    }
    listAgentSessions(
      providerId,
      filter,
      (frame) =>
        step(({ sessions }) => {
          if (frame.type === "abilities") return { abilities: frame.abilities }
          if (frame.type === "sessions") return { sessions: withPage(sessions, frame.sessions) }
          return { truncated: frame.after }
        }),
      abort.signal
    ).then(
      () => step(() => ({ reading: false })),
      (error: unknown) => step(() => ({ reading: false, problem: problemOf(error) }))
    )
    return () => abort.abort()
  }, [providerId, filter])
  const ask = (next: AgentSessionFilter) => {
    setListing(({ abilities }) => ({ ...begun, abilities }))
    setFilter({ ...next })
  }
  return {
    ...listing,
    again: () => ask(filter),
    archived: filter.archived === "only",
    showArchived: (archived) => ask(archived ? { archived: "only" } : {}),
    change: (session, change) =>
      changeAgentSession(providerId, session.sessionId, change).then(
        ({ title }) => {
          setListing((before) => ({
            ...before,
            problem: undefined,
            sessions: before.sessions.flatMap((other) =>
              other.sessionId === session.sessionId ? (changed(other, change, title) ?? []) : other
            )
          }))
          return true
        },
        (error: unknown) => {
          setListing((before) => ({ ...before, problem: problemOf(error) }))
          return false
        }
      )
  }
}
