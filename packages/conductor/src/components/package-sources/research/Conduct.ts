/** How a session that researches is answered when it asks for something. Nobody is there: each request is decided at once. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as ComponentMeta from "@signalbox/contracts/ComponentMeta"
import * as InputPaths from "@signalbox/permission/InputPaths"
import * as ResearchPolicy from "@signalbox/permission/ResearchPolicy"
import * as Effect from "effect/Effect"
import * as Checkouts from "./Checkouts.ts"

export interface Conduct {
  readonly approval: ResearchPolicy.ResearchApproval
  /** The names of the tools that only a session that researches has. */
  readonly ownTools: ReadonlySet<string>
  /** The folders that it may read. */
  readonly checkouts: Checkouts.Checkouts
}

/** Members of an input that say what is to be run or written. */
const acting =
  /^(command|cmd|script|commandline|argv|code|content|contents|newtext|newstring|oldstring|patch|diff|edits)$/

const isActing = (name: string): boolean => acting.test(name.replaceAll(/[_-]/g, "").toLowerCase())

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const asked = (toolCall: McpOverAcp.JsonObject, checkouts: Checkouts.Checkouts) =>
  Effect.gen(function* () {
    const { content, kind, locations, rawInput, title } = toolCall
    const named = InputPaths.inInput(rawInput === undefined ? undefined : JSON.stringify(rawInput), textOf(kind))
    const paths = [...named.paths, ...listOf(locations).map((one) => textOf(McpOverAcp.objectOf(one)["path"]))]
    const inside = yield* Effect.forEach(paths, checkouts.contains)
    return {
      kind: textOf(kind) || "other",
      title: textOf(title),
      acts:
        Object.keys(McpOverAcp.objectOf(rawInput)).some(isActing) ||
        listOf(content).some((one) => McpOverAcp.objectOf(one)["type"] === "diff"),
      leaves: named.movesBase || inside.includes(false)
    }
  })

const optionsIn = (options: unknown) =>
  listOf(options).map((option) => {
    const { kind, name, optionId } = McpOverAcp.objectOf(option)
    return { kind: textOf(kind), name: textOf(name), optionId: textOf(optionId) }
  })

const permission = Effect.fnUntraced(function* (params: unknown, { approval, checkouts, ownTools }: Conduct) {
  const { _meta, options, toolCall } = McpOverAcp.objectOf(params)
  // A component behind this one asks for a person, and there is none.
  if (ComponentMeta.isForPeople(McpOverAcp.objectOf(_meta))) return { outcome: { outcome: "cancelled" } }
  const request = yield* asked(McpOverAcp.objectOf(toolCall), checkouts)
  const chosen = ResearchPolicy.choose(approval, { ...request, options: optionsIn(options) }, ownTools)
  return {
    outcome: chosen === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen.optionId }
  }
})

const readFile = Effect.fnUntraced(function* (params: unknown, { checkouts }: Conduct) {
  const { limit, line, path } = McpOverAcp.objectOf(params)
  const text = yield* Effect.mapError(checkouts.read(textOf(path)), ({ message }) => RpcError.invalidParams(message))
  const lines = text.split("\n")
  const from = typeof line === "number" ? Math.max(0, line - 1) : 0
  return { content: lines.slice(from, typeof limit === "number" ? from + limit : undefined).join("\n") }
})

/** The answer to one request of the agent in a session that researches. */
export const answer = (method: string, params: unknown, conduct: Conduct): Effect.Effect<unknown, RpcError> => {
  switch (method) {
    case "session/request_permission":
      return permission(params, conduct)
    case "fs/read_text_file":
      return readFile(params, conduct)
    case "elicitation/create":
      return Effect.succeed({ action: "decline" })
    default:
      return Effect.fail(
        RpcError.invalidParams(
          `A session that researches may read only, and there is nobody to ask: ${method} is refused`
        )
      )
  }
}
