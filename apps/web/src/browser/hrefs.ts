/** The pages of this application, and the fragments that name them. */
import { ThreadId } from "@signalbox/contracts/Ids"

export type Route =
  | { readonly page: "home" }
  | { readonly page: "agents" }
  | { readonly page: "inbox" }
  | { readonly page: "rules" }
  | { readonly page: "decisions" }
  | { readonly page: "thread"; readonly threadId: ThreadId; readonly room?: EditorRoute; readonly wire?: true }

/** The editor beside a thread. Without a path, no file is open. */
export interface EditorRoute {
  readonly path?: string
  /** From 1. */
  readonly line?: number
}

/** Opens what waits, else the newest thread, else the agents. */
export const homeHref = "#/"
export const agentsHref = "#/agents"
export const inboxHref = "#/waiting"
export const rulesHref = "#/rules"
export const decisionsHref = "#/decisions"
export const threadHref = (threadId: ThreadId): string => `#/threads/${encodeURIComponent(threadId)}`

/** What went over the wire of a thread's session. */
export const wireHref = (threadId: ThreadId): string => `${threadHref(threadId)}/wire`

/** The editor of a thread, with a file. `path`: from the folder of the thread, or absolute. */
export const fileHref = (threadId: ThreadId, path?: string, line?: number): string =>
  `${threadHref(threadId)}/files${path === undefined ? "" : `/${path.split("/").map(encodeURIComponent).join("/")}`}${line === undefined ? "" : `:${line}`}`

/** The page that a fragment names. Whatever names none leads home, also a thread's id that is badly encoded. */
export const routeOf = (hash: string): Route => {
  if (hash === agentsHref) return { page: "agents" }
  if (hash === rulesHref) return { page: "rules" }
  if (hash === decisionsHref) return { page: "decisions" }
  if (hash === inboxHref) return { page: "inbox" }
  // A colon within a name is encoded, so the last one stands before the line.
  const found = /^#\/threads\/([^/]+)(\/wire$|\/files(?:\/([^:]+))?(?::(\d{1,9}))?)?$/.exec(hash)
  const [, encoded, editor, path, line] = found ?? []
  if (encoded === undefined) return { page: "home" }
  try {
    const threadId = ThreadId.make(decodeURIComponent(encoded))
    if (editor === undefined) return { page: "thread", threadId }
    if (editor === "/wire") return { page: "thread", threadId, wire: true }
    const room = {
      ...(path !== undefined && { path: decodeURIComponent(path) }),
      ...(path !== undefined && line !== undefined && { line: Number(line) })
    }
    return { page: "thread", threadId, room }
  } catch {
    return { page: "home" }
  }
}
