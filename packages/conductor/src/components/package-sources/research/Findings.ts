/** What one researcher has said so far. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export interface Findings {
  /** Takes what the researcher returns. */
  readonly add: (response: unknown) => void
  /** Hears an update of its session. */
  readonly hear: (params: unknown) => void
  readonly returned: ReadonlyArray<unknown>
  /** Completes when the first finding is there. */
  readonly first: Deferred.Deferred<void>
  /** The end of what it said to nobody. */
  readonly lastWords: () => string
}

/** What `heard` gets: a finding, or a line about what the researcher does. */
export type Step = { readonly finding: unknown } | { readonly doing: string }

/** A finding as text: one that is none, as JSON. */
export const wordsOf = (finding: unknown): string => {
  if (typeof finding === "string") return finding
  try {
    return JSON.stringify(finding)
  } catch {
    return "This finding nests too deep to be shown."
  }
}

const mostWords = 2000
const mostFindings = 1000

export const make = (heard: (step: Step) => void): Findings => {
  const returned: Array<unknown> = []
  const first = Deferred.makeUnsafe<void>()
  let words = ""
  return {
    add: (response) => {
      if (returned.length === mostFindings) return
      returned.push(response)
      Deferred.doneUnsafe(first, Effect.void)
      heard({ finding: response })
    },
    hear: (params) => {
      const update = McpOverAcp.objectOf(McpOverAcp.objectOf(params)["update"])
      const { content, sessionUpdate, title } = update
      const { text } = McpOverAcp.objectOf(content)
      if (sessionUpdate === "agent_message_chunk" && typeof text === "string") words = (words + text).slice(-mostWords)
      if (sessionUpdate === "tool_call" && typeof title === "string") heard({ doing: title.slice(0, 200) })
    },
    returned,
    first,
    lastWords: () => words.trim()
  }
}
