/** Knows which sessions have had no prompt yet: the first one gets the index. */
import type { PromptRequest } from "@signalbox/acp/AcpSchema"
import type { Opened } from "@signalbox/acp/McpSessions"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PackageKnowledge } from "./knowledge/Knowledge.ts"
import * as KnowledgeIndex from "./knowledge/KnowledgeIndex.ts"

interface Waiting {
  readonly sessionId: () => string | undefined
  readonly knowledge: Effect.Effect<ReadonlyArray<PackageKnowledge>>
}

export interface FirstPrompt {
  /** A session that has had no prompt yet. It is forgotten when the scope closes. */
  readonly add: (opened: Opened, knowledge: Waiting["knowledge"]) => Effect.Effect<void, never, Scope.Scope>
  /** The index to put before a prompt; undefined if it gets none. */
  readonly indexFor: (request: PromptRequest) => Effect.Effect<string | undefined>
}

/** How long a prompt waits until the dependencies have been read. After that, the index comes with the next prompt. */
const patience = "2 seconds"

/** Whether a prompt is a command of the agent, which agents know by its first character. */
const isCommand = ({ prompt: [first] }: PromptRequest): boolean =>
  first?.type === "text" && first.text.trimStart().startsWith("/")

/** `tools`: the names of the tools by which an agent reads more. */
export const make = (tools: ReadonlyArray<string>): FirstPrompt => {
  const waiting = new Set<Waiting>()

  const indexFor = Effect.fnUntraced(function* (request: PromptRequest) {
    const session = [...waiting].find((one) => one.sessionId() === request.sessionId)
    if (session === undefined || isCommand(request)) return undefined
    const found = yield* Effect.timeoutOption(session.knowledge, patience)
    // Two prompts may come at once: the first one gets the index.
    if (found._tag === "None" || !waiting.delete(session)) return undefined
    return KnowledgeIndex.of(found.value, tools)
  })

  return {
    add: ({ sessionId }, knowledge) => {
      const one = { sessionId, knowledge }
      return Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => waiting.add(one)),
          () => Effect.sync(() => waiting.delete(one))
        )
      )
    },
    indexFor
  }
}
