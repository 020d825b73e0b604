/**
 * The one place that judges for a session: what its agent asks people, what it asks of Signalbox, and what is started for it. Each
 * judgement says who decided. Rules are taken as they are in their files at that moment.
 */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { Decision } from "@signalbox/permission/rules/Decision"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as CommandLine from "effect/process/CommandLine"
import * as CommandSubject from "./CommandSubject.ts"
import * as Judging from "./Judging.ts"
import * as PathLooking from "./PathLooking.ts"
import type { Look, Surroundings } from "./RequestSubject.ts"
import type { RulesInForce } from "./RulesInForce.ts"

/** What is judged. */
export type Asked =
  /** A call that the agent asks permission for. */
  | { readonly type: "call"; readonly tool: ToolCall; readonly look: Look }
  /** A file that Signalbox is to read or write for the agent. */
  | { readonly type: "file"; readonly access: "read" | "write"; readonly path: string }
  /** A program that Signalbox is to run for the agent. */
  | { readonly type: "program"; readonly program: Program }
  /** An address that people are to open. */
  | { readonly type: "address"; readonly url: string }
  /** An MCP server that is given to the agent. `url`: absent where the agent runs it as a program. */
  | { readonly type: "server"; readonly name: string; readonly url?: string }
  /** The agent's own program. */
  | { readonly type: "agent" }

export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** Absolute. */
  readonly cwd: string
  /** Whether the command is a line for a shell. */
  readonly isLine: boolean
}

export interface Judgement extends Decision {
  /** `rule`: one of the person or of the project. `nobody`: no rule says anything. */
  readonly by: "rule" | "built-in" | "nobody"
}

export interface SessionJudge {
  readonly judge: (asked: Asked) => Effect.Effect<Judgement>
}

export interface Session extends Judging.Origin {
  /** What is known of the agent's process. */
  readonly surroundings: Pick<Surroundings, "base" | "shell">
}

export const make = (session: Session, rules: RulesInForce): SessionJudge => ({
  judge: Effect.fn("SessionJudge.judge")(function* (asked) {
    const inForce = yield* rules.in(session.cwd)
    const decision = yield* decisionOf(inForce.rules, session, asked)
    return { ...decision, by: byOf(decision) }
  })
})

const byOf = ({ rule }: Decision): Judgement["by"] => {
  if (rule === undefined) return "nobody"
  return rule.source === "built-in" ? "built-in" : "rule"
}

const decisionOf = (
  rules: Parameters<typeof Judging.asked>[0],
  session: Session,
  asked: Asked
): Effect.Effect<Decision> => {
  if (asked.type === "call") return Judging.call(rules, session, session.surroundings, asked.tool, asked.look)
  return Judging.asked(rules, session, (grant) => subjectOf(asked, session, grant))
}

const plain = { paths: [], obstacles: [] }

const subjectOf = (
  asked: Exclude<Asked, { readonly type: "call" }>,
  { cwd }: Session,
  grant: PathLooking.Grant
): ReturnType<Parameters<typeof Judging.asked>[2]> => {
  switch (asked.type) {
    case "file": {
      const { access, path } = asked
      return Effect.map(PathLooking.followAll(grant, [{ path, access, base: cwd }]), (paths) => ({
        ...plain,
        kind: access === "read" ? "read" : "edit",
        paths
      }))
    }
    case "program": {
      const { program } = asked
      const line = lineOf(program)
      return Effect.map(CommandSubject.of(line ?? "", program.cwd, grant), (command) => ({
        ...command,
        kind: "execute",
        obstacles: [
          ...command.obstacles,
          ...(line === undefined
            ? [{ text: program.command.slice(0, 200), why: "has a word that no shell can read" }]
            : []),
          ...variablesOf(program)
        ]
      }))
    }
    case "address":
      return Effect.succeed({ ...plain, kind: "open", ...hostOf(asked.url) })
    case "server": {
      const { name, url } = asked
      return Effect.succeed({ ...plain, kind: "start", server: name, ...(url !== undefined && hostOf(url)) })
    }
    case "agent":
      return Effect.succeed({ ...plain, kind: "start" })
  }
}

/** Undefined if its words can't be written as a line. */
const lineOf = ({ args, command, isLine }: Program): string | undefined =>
  isLine ? command : Result.getOrUndefined(CommandLine.join([command, ...args]))

const variablesOf = ({ env }: Program) => {
  const names = Object.keys(env).join(", ")
  return names === "" ? [] : [{ text: names.slice(0, 200), why: "may change what runs" }]
}

const hostOf = (url: string): { readonly host?: string } => {
  const host = URL.canParse(url) ? new URL(url).hostname : ""
  return host === "" ? {} : { host }
}
