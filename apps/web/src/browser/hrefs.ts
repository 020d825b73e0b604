/** The pages of this application, and the fragments that name them. */
import { ThreadId } from "@signalbox/contracts/Ids"

export type Route =
  | { readonly page: "home" }
  | { readonly page: "agents" }
  | { readonly page: "inbox" }
  | { readonly page: "rules" }
  | { readonly page: "decisions" }
  | { readonly page: "thread"; readonly threadId: ThreadId }

/** Opens what waits, else the newest thread, else the agents. */
export const homeHref = "#/"
export const agentsHref = "#/agents"
export const inboxHref = "#/waiting"
export const rulesHref = "#/rules"
export const decisionsHref = "#/decisions"
export const threadHref = (threadId: ThreadId): string => `#/threads/${encodeURIComponent(threadId)}`

/** The page that a fragment names. Whatever names none leads home, also a thread's id that is badly encoded. */
export const routeOf = (hash: string): Route => {
  if (hash === agentsHref) return { page: "agents" }
  if (hash === rulesHref) return { page: "rules" }
  if (hash === decisionsHref) return { page: "decisions" }
  if (hash === inboxHref) return { page: "inbox" }
  const encoded = /^#\/threads\/([^/]+)$/.exec(hash)?.[1]
  if (encoded === undefined) return { page: "home" }
  try {
    return { page: "thread", threadId: ThreadId.make(decodeURIComponent(encoded)) }
  } catch {
    return { page: "home" }
  }
}
