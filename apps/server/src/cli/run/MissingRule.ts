/** Names the rules that would have allowed a request, as a file has them and as a command adds them. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { Match } from "@signalbox/contracts/Rule"
import * as CommandLine from "effect/process/CommandLine"
import { realpathSync } from "node:fs"
import { oneLine } from "../../base/Plain.ts"
import type { Text } from "../terminal/Ink.ts"

export interface Where {
  /** The folder of the session, absolute. */
  readonly cwd: string
  /** The rules file of `--rules`. */
  readonly rules?: string | undefined
}

export const linesOf = (request: AgentRequest, where: Where): Text => {
  if (request.type !== "approval") return []
  const { judgement, offers = [] } = request
  const why = judgement === undefined ? [] : [`  ${oneLine(judgement.why, 400)}`]
  if (offers.length === 0) return [...why, "  Only people can allow it, and nobody was asked."]
  return [
    ...why,
    offers.length === 1 ? "  This rule would allow it:" : "  These rules would allow it together:",
    ...offers.flatMap((match) => [
      {
        whole: true as const,
        text: `    ${JSON.stringify({ effect: "allow", match, scope: { workspace: real(where.cwd) } })}`
      },
      { whole: true as const, text: `    ${commandOf(match, where)}` }
    ])
  ]
}

const members = ["kind", "command", "path", "tool", "server", "host"] as const

const commandOf = (match: Match, { cwd, rules }: Where): string =>
  CommandLine.display([
    "signalbox",
    "rules",
    "add",
    "allow",
    ...members.flatMap((name) => (match[name] === undefined ? [] : [`--${name}`, match[name]])),
    "--scope",
    "workspace",
    "--cwd",
    cwd,
    ...(rules === undefined ? [] : ["--rules", rules])
  ])

/** Rules compare folders without links. */
const real = (folder: string): string => {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
