/**
 * Answers to requests for permission in sessions that research and that nobody watches. Pure. Nobody is ever asked: what is not allowed is
 * refused. The kind of a call is the agent's word, so its input can only speak against it.
 */
import type { ApprovalOption } from "@signalbox/contracts/AgentRequest"

/**
 * What a session that researches may do by itself.
 *
 * - `read-only`: read and search in its folders, think, and call its own tools.
 * - `fetch`: also get what stands at an address. A text that it has read can then have it send away what it knows.
 * - `all`: whatever it asks for.
 */
export type ResearchApproval = "read-only" | "fetch" | "all"

/** What a request is about. */
export interface ResearchRequest {
  readonly kind: string
  readonly title: string
  /** Whether its input names a command, or a change of a file. */
  readonly acts: boolean
  /** Whether a path that it names leads out of the session's folders, or can't be followed. */
  readonly leaves: boolean
  readonly options: ReadonlyArray<ApprovalOption>
}

/** The option that is taken; undefined where none is right, and the request is cancelled. */
export const choose = (
  approval: ResearchApproval,
  request: ResearchRequest,
  ownTools: ReadonlySet<string>
): ApprovalOption | undefined => {
  const wanted = allows(approval, request, ownTools) ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"]
  return wanted.flatMap((kind) => request.options.find((option) => option.kind === kind) ?? []).at(0)
}

const allows = (
  approval: ResearchApproval,
  { acts, kind, leaves, title }: ResearchRequest,
  ownTools: ReadonlySet<string>
): boolean => {
  if (approval === "all") return true
  if (acts) return false
  switch (kind) {
    case "read":
    case "search":
      return !leaves
    case "think":
      return true
    case "fetch":
      return approval === "fetch"
    case "other":
      return ownTools.has(toolIn(title))
    default:
      return false
  }
}

/** The last name in a title, as agents write those of MCP tools: `mcp__SERVER__TOOL`, `SERVER: TOOL`, `SERVER/TOOL`, `TOOL (SERVER …)`. */
const toolIn = (title: string): string => {
  const [name = ""] = title.trim().split(" (", 1)
  const words = name.split(/__|[\s:/.]+/)
  // More words than a server and a tool are no name.
  return words.length > 3 ? "" : (words.at(-1) ?? "")
}
