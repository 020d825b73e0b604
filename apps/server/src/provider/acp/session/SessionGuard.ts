/**
 * Holds what an agent asks of Signalbox against the rules. `deny` refuses, `ask` puts a request to people, and the rest is for the settings
 * to grant.
 */
import type { RequestOutcome } from "@signalbox/contracts/AgentRequest"
import { Timestamp } from "@signalbox/contracts/Ids"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { readInput } from "@signalbox/contracts/ToolInput"
import { compact } from "@signalbox/contracts/Json"
import type { Verdict } from "@signalbox/permission/rules/Decision"
import * as CommandLine from "effect/process/CommandLine"
import * as Effect from "effect/Effect"
import type { Access, SessionAudit } from "../../../audit/SessionAudit.ts"
import type { Asked, Judgement, SessionJudge } from "../../../rules/SessionJudge.ts"
import { PathRefused } from "../../../workspace/Containment.ts"
import type { AccessGuard, GuardedProgram } from "../requests/AccessGuard.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import { placeNow, type SessionStatus } from "./SessionCore.ts"

export interface Options {
  readonly judge: SessionJudge
  readonly audit: SessionAudit
  readonly requests: Pick<OpenRequests, "approve">
  readonly status: SessionStatus
  readonly now: () => number
}

/** A request as people see it: a call that the agent has not announced. */
type Shown = Pick<ToolCall, "kind"> & { readonly input: object }

const options = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" }
]

/** Milliseconds for which an answer of people about a file counts for further questions about its code. */
const answeredFor = 120_000

/** People read how long their answer counts. */
const optionsOfQuestions = options.map((option) => ({ ...option, name: `${option.name} for 2 minutes` }))

/** Most answers that are kept. */
const mostAnswers = 256

export const make = ({ audit, judge, now, requests, status }: Options): AccessGuard => {
  const ask = (shown: Shown, offered = options): Effect.Effect<RequestOutcome> => {
    const tool = callOf(shown, now())
    return requests.approve({ type: "approval", options: offered }, placeNow(status), () => tool)
  }

  const answers = new Map<string, { readonly until: number; readonly outcome: RequestOutcome }>()

  /** Asks people, unless they have answered about this file lately. */
  const askOnce = (file: string, shown: Shown): Effect.Effect<RequestOutcome> =>
    Effect.suspend(() => {
      const known = answers.get(file)
      if (known !== undefined && now() < known.until) return Effect.succeed(known.outcome)
      return Effect.tap(ask(shown, optionsOfQuestions), (outcome) =>
        Effect.sync(() => {
          if (outcome.type !== "answered") return
          answers.delete(file)
          answers.set(file, { until: now() + answeredFor, outcome })
          for (const oldest of answers.keys()) if (answers.size > mostAnswers) answers.delete(oldest)
        })
      )
    })

  /** Fails if the rules or people refuse. `once`: one answer of people about a file counts for a while. */
  const pass = Effect.fnUntraced(function* (asked: Asked, path: string, shown: () => Shown, once = false) {
    const judgement = yield* judge.decide(asked)
    const refused = (message: string) => new PathRefused({ reason: "rule", path, message })
    const [verdict] = standing(asked, judgement)
    const record = (effect: "allow" | "deny", why?: string) =>
      audit.access({
        kind: accessOf(asked),
        name: path,
        input: shown().input,
        decision: judgement,
        effect,
        ...(why !== undefined && { why })
      })
    // What can't be recorded is put to people.
    if (verdict === undefined && record("allow") === undefined) return judgement
    if (verdict?.effect === "deny") {
      record("deny", verdict.why)
      return yield* refused(verdict.why)
    }
    const real = judgement.paths[0]?.path.leadsTo
    const outcome = yield* once && typeof real === "string" ? askOnce(real, shown()) : ask(shown())
    return isAllowed(outcome) ? judgement : yield* refused(`${verdict?.why ?? unrecorded} ${ended(outcome)}`)
  })

  const file = (access: "read" | "write", path: string, shown: () => Shown, once?: boolean) =>
    Effect.map(
      pass({ type: "file", access, path }, path, shown, once),
      ({ paths: [one] }) => one?.path.leadsTo ?? undefined
    )

  return {
    read: (path) => file("read", path, () => ({ kind: "read", input: { path } })),
    question: (path) => file("read", path, () => ({ kind: "read", input: { path } }), true),
    write: (path, content) => file("write", path, () => ({ kind: "edit", input: { path, content } })),
    run: (program) =>
      Effect.asVoid(
        pass({ type: "program", program }, program.command, () => ({ kind: "execute", input: inputOf(program) }))
      ),
    refusalOf: (url) =>
      Effect.map(judge.decide({ type: "address", url }), (decision) => {
        const { effect, why } = decision
        if (effect !== "deny") return undefined
        audit.access({ kind: "address", name: url, input: { url }, decision, effect, why })
        return why
      })
  }
}

const unrecorded = "It could not be recorded without people."

const accessOf = (asked: Asked): Access["kind"] => {
  if (asked.type === "file") return asked.access
  return asked.type === "call" ? "program" : asked.type
}

/**
 * What rules say against it: first what denies. What is built in about files is checked where they are opened, by their real place.
 */
const standing = (asked: Asked, { commands, isBlind, paths, ...whole }: Judgement): ReadonlyArray<Verdict> =>
  [whole, ...commands, ...paths]
    .filter(({ effect, rule }) => effect !== "allow" && rule !== undefined)
    .filter(({ rule }) => isBlind || asked.type !== "file" || rule?.source !== "built-in")
    .toSorted((one, other) => Number(other.effect === "deny") - Number(one.effect === "deny"))

const isAllowed = (outcome: RequestOutcome): boolean =>
  outcome.type === "answered" && outcome.response.type === "option" && outcome.response.optionId === "allow"

const ended = (outcome: RequestOutcome): string =>
  outcome.type === "answered" ? "It was rejected." : "Nobody has allowed it."

const lineOf = ({ args, command, isLine }: GuardedProgram): string =>
  isLine ? command : CommandLine.display([command, ...args])

const inputOf = (program: GuardedProgram): object => ({
  command: lineOf(program),
  cwd: program.cwd,
  ...(Object.keys(program.env).length > 0 && { env: program.env })
})

/** The agent has said no words about it. */
const callOf = ({ input, kind }: Shown, now: number): ToolCall => ({
  toolCallId: crypto.randomUUID(),
  title: "",
  kind,
  status: "pending",
  subject: readInput(kind, input, []).subject,
  diffs: [],
  content: [],
  locations: [],
  rawInput: compact(input),
  startedAt: Timestamp.make(now)
})
