/**
 * The one place that judges for a session: what its agent asks people, what it asks of Signalbox, and what is started for it. Each
 * judgement says who decided. Rules are taken as they are in their files at that moment.
 */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { Decision, Verdict } from "@signalbox/permission/rules/Decision"
import * as RuleDecision from "@signalbox/permission/rules/Decision"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as CommandLine from "effect/process/CommandLine"
import * as CommandSubject from "./CommandSubject.ts"
import * as Judging from "./Judging.ts"
import * as PathLooking from "./PathLooking.ts"
import type { Look, Surroundings } from "./RequestSubject.ts"
import * as RulesFiles from "./RulesFiles.ts"
import type { Look as InForce, RulesInForce } from "./RulesInForce.ts"
import * as RulesProblem from "./RulesProblem.ts"

/** What is judged. */
export type Asked =
  /** A call that the agent asks permission for. */
  | {
      readonly type: "call"
      readonly tool: ToolCall
      readonly look: Look
      /** Whether only a person may allow it. */
      readonly onlyPeople: boolean
    }
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
  /** Whether a rules file can't be understood, so that nobody knows what it would say. */
  readonly isBlind: boolean
}

export interface SessionJudge {
  /** Judges a request, as often as wanted. */
  readonly judge: (asked: Asked, request: string) => Effect.Effect<Judgement>
  /** Uses up the rules behind a judgement that hold for one request. False if it has to be judged again. */
  readonly use: (decision: Decision, request: string) => Effect.Effect<boolean>
  /** Judges once and for all. A rule that allows is not used up, since it gives nothing here that is not granted. */
  readonly decide: (asked: Asked) => Effect.Effect<Judgement>
}

export interface Session extends Judging.Origin {
  readonly session: string
  /** What is known of the agent's process. */
  readonly surroundings: Pick<Surroundings, "base" | "isRemote" | "shell">
  /** Hears of each fault of a rules file once. */
  readonly onFault: (file: RulesFiles.RulesFile, isUnknown: boolean) => void
}

/** Makes the judge. Rules that were added for the session go with the scope. */
export const make = Effect.fnUntraced(function* (
  session: Session,
  rules: RulesInForce
): Effect.fn.Return<SessionJudge, never, Scope.Scope> {
  yield* Effect.addFinalizer(() => rules.endSession(session.session))
  const told = new Set<string>()

  const tell = ({ files, unknown }: InForce): void => {
    for (const file of files) {
      const isTold = told.has(faultOf(file))
      if (RulesFiles.isFaulty(file) && !isTold) session.onFault(file, unknown.includes(file))
      told.add(faultOf(file))
    }
  }

  const judge: SessionJudge["judge"] = Effect.fn("SessionJudge.judge")(function* (asked, request) {
    const inForce = yield* rules.in(session.cwd, { session: session.session, request })
    if (inForce.isPlayed === true) return played
    tell(inForce)
    const decision = named(asked, yield* decisionOf(inForce.rules, session, asked))
    const safe = forPeople(asked, inSight(decision, inForce))
    return { ...safe, by: byOf(safe), isBlind: inForce.unknown.length > 0 }
  })

  const use: SessionJudge["use"] = (decision, request) => {
    const behind = usedBy(decision)
    return behind.length === 0 ? Effect.succeed(true) : rules.claim(behind, request)
  }

  return {
    judge,
    use,
    decide: Effect.fn("SessionJudge.decide")(function* (asked) {
      const request = crypto.randomUUID()
      for (;;) {
        const judgement = yield* judge(asked, request)
        if (judgement.effect === "allow" || (yield* use(judgement, request))) return judgement
      }
    })
  }
})

/** Nobody judges what was decided before. */
const played: Judgement = {
  effect: "ask",
  rule: undefined,
  why: "It was decided when the tape was recorded.",
  inspectable: true,
  obstacles: [],
  commands: [],
  paths: [],
  by: "nobody",
  isBlind: false
}

/** The rules that a judgement used: all that allow its parts, or the one that does not. */
const usedBy = ({ commands, effect, paths, rule }: Decision): ReadonlyArray<PlacedRule> => {
  const all = effect === "allow" ? [rule, ...[...commands, ...paths].map((part) => part.rule)] : [rule]
  return [...new Set(all)].flatMap((one) => (one?.until === "once" ? [one] : []))
}

const faultOf = ({ faults, path, refusal, state }: RulesFiles.RulesFile): string =>
  JSON.stringify([path, state, faults, refusal])

/** A decision for which files that can't be understood count, too: they may deny what the others allow. */
export const inSight = (decision: Decision, { unknown: [unknown] }: Pick<InForce, "unknown">): Decision =>
  unknown === undefined || decision.effect === "deny" ? decision : { ...decision, ...blind(unknown) }

/** Nobody can say whether an unknown rule denies it. */
const blind = (file: RulesFiles.RulesFile): Verdict =>
  askingPeople(`${file.path} can't be understood, so nobody knows what it denies: ${RulesProblem.clauseOf(file)}`)

/** Nothing but a person allows what is for people only. A rule may still deny it. */
const forPeople = (asked: Asked, decision: Decision): Decision =>
  asked.type === "call" && asked.onlyPeople && decision.effect !== "deny"
    ? { ...decision, ...askingPeople("Only a person may allow this, whatever rules and profiles say.") }
    : decision

/** The verdict of a built-in rule that has people asked. */
const askingPeople = (why: string): Verdict => ({
  effect: "ask",
  rule: { effect: "ask", match: {}, why, source: "built-in", file: "", line: 0, number: 0, folder: undefined },
  why
})

/** Says what is judged where that has neither a command nor a path. */
const named = (asked: Asked, decision: Decision): Decision => {
  const what = nameOf(asked)
  const { effect, rule } = decision
  return what === undefined || rule === undefined
    ? decision
    : { ...decision, why: `${RuleDecision.nameOf(rule)} ${verbs[effect]} ${what}.` }
}

const verbs = { allow: "allows", deny: "denies", ask: "asks about" } as const

const nameOf = (asked: Asked): string | undefined => {
  switch (asked.type) {
    case "address":
      return `the address of ${hostOf(asked.url).host ?? "no host"}`
    case "server":
      return `the MCP server ${asked.name}`
    case "agent":
      return "starting the agent"
    case "call":
    case "file":
    case "program":
      return undefined
  }
}

const byOf = ({ rule }: Decision): Judgement["by"] => {
  if (rule === undefined) return "nobody"
  return rule.source === "built-in" ? "built-in" : "rule"
}

const decisionOf = (rules: ReadonlyArray<PlacedRule>, session: Session, asked: Asked): Effect.Effect<Decision> => {
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
