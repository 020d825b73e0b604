/** Examines an agent, probe by probe. No probe can hang the examination, and no process or folder is left behind. */
import type { ConformanceFrame, ConformanceReport, ProbeResult } from "@signalbox/contracts/Conformance"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { display } from "effect/process/CommandLine"
import * as TemporaryFolder from "../base/TemporaryFolder.ts"
import type { AgentProfile, LaunchInput } from "../provider/acp/profile/AgentProfile.ts"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as Examinee from "./Examinee.ts"
import { connectionProbes } from "./ConnectionProbes.ts"
import { endProbes } from "./EndProbes.ts"
import type { Limits } from "./Limits.ts"
import { objectIn } from "./Messages.ts"
import { type Finding, type Probe, tookTooLong, untried } from "./Probe.ts"
import * as ProcessEnd from "./ProcessEnd.ts"
import { lineProbes } from "./LineProbes.ts"
import { promptProbes } from "./PromptProbes.ts"
import { sessionProbes } from "./SessionProbes.ts"
import { settingProbes } from "./SettingProbes.ts"
import { startProbes } from "./StartProbes.ts"
import { suggestionProbes } from "./SuggestionProbes.ts"
import { toolProbes } from "./ToolProbes.ts"

export interface Options {
  readonly agent: Omit<LaunchInput, "cwd">
  readonly profile: AgentProfile
  readonly ledger: ProcessLedger["Service"]
  /** Whether probes may ask the agent's model. */
  readonly model: boolean
  /** The absolute folder that the agent works in; a new empty folder by default. */
  readonly cwd?: string | undefined
  readonly limits?: Partial<Limits>
  /** Names of the probes to run; all probes by default. */
  readonly only?: ReadonlyArray<string> | undefined
  /** Receives the progress and each result as they come. */
  readonly tell?: (frame: ConformanceFrame) => Effect.Effect<void>
}

const probes: ReadonlyArray<Probe> = [
  ...connectionProbes,
  ...startProbes,
  ...settingProbes,
  ...sessionProbes,
  ...promptProbes,
  ...toolProbes,
  ...suggestionProbes,
  ...lineProbes,
  ...endProbes
]

/** How many probes with processes of their own run at once. The number leaves the machine some capacity. */
const sideBySide = 2

/** The time limit of all probes together if they ask the agent's model. */
const wholeWithModel = "20 minutes"
/** The time limit for deleting the sessions that the probes made. */
const tidyLimit = "20 seconds"

/** Examines an agent. Fails if the agent can't be started or does not answer `initialize`. */
export const examine = Effect.fn("Examination.examine")(function* (options: Options) {
  const { agent, ledger, limits, model, only, profile, tell = () => Effect.void } = options
  const cwd = options.cwd ?? (yield* TemporaryFolder.make("conformance"))
  const began = yield* Clock.currentTimeMillis
  const own = yield* Scope.fork(yield* Effect.scope)
  const examinee = yield* Examinee.make({ input: { ...agent, cwd }, profile, ledger, model, limits }).pipe(
    Scope.provide(own)
  )
  // All limits depend on the duration of this start. It also prepares what only a first start does, before processes
  // run side by side.
  const first = yield* examinee.agent
  const wanted = probes.filter(
    ({ concerns, model: needsModel, probe }) =>
      (model || needsModel === undefined) && (only?.includes(probe) ?? true) && (concerns?.(first) ?? true)
  )
  const whole = Duration.toMillis(model ? wholeWithModel : examinee.limits().whole)
  const results = new Map<Probe, ProbeResult>()
  const run = Effect.fnUntraced(function* (probe: Probe) {
    const { capability } = probe
    yield* tell({ type: "probing", capability, done: results.size, of: wanted.length })
    const left = whole - ((yield* Clock.currentTimeMillis) - began)
    const result = yield* resultOf(probe, examinee, left)
    results.set(probe, result)
    yield* tell({ type: "result", result })
  })
  const lane = (name: Probe["lane"], concurrency: number) =>
    Effect.forEach(
      wanted.filter(({ lane = "shared" }) => lane === name),
      run,
      { concurrency, discard: true }
    )
  yield* Effect.all([lane("shared", 1), lane("own", sideBySide)], { concurrency: 2, discard: true })
  yield* lane("last", 1)
  yield* Effect.ignore(Effect.timeout(examinee.tidy, tidyLimit))
  // Closing the scope ends all processes. The report needs to know how they ended.
  yield* Scope.close(own, Exit.void)
  const inOrder = wanted.flatMap((probe) => results.get(probe) ?? [])
  return yield* reportOf(examinee, options, first.hello, inOrder)
}, Effect.scoped)

/** Characters; longer quotations of the agent are cut. */
const longestSaid = 300

const cut = (text: string): string =>
  text.length > longestSaid ? `${text.slice(0, longestSaid).replace(/[\ud800-\udbff]$/, "")} …` : text

const resultOf = Effect.fnUntraced(function* (probe: Probe, examinee: Examinee.Examinee, leftMs: number) {
  const { area, capability, lane, limit = examinee.limits().probe, look, model } = probe
  const duration = Math.min(Duration.toMillis(limit), leftMs)
  const given = Effect.scoped(look(examinee)).pipe(
    Effect.catch(({ problem }) =>
      Effect.succeed<Finding>({
        ...untried("it does not start"),
        said: Redaction.text(`${problem.title} ${problem.cause}`)
      })
    ),
    Effect.timeoutOrElse({
      duration,
      // A process that hangs would also hang the next probe.
      orElse: () => Effect.as(lane === "own" ? Effect.void : examinee.renew, tookTooLong(duration))
    })
  )
  const finding = leftMs > 0 ? yield* given : untried("the time for all was over")
  // Secrets are hidden before the text is cut: half of a secret would not be found.
  const safely = (text: string) => cut(examinee.secrets.hide(text))
  const safe = {
    ...finding,
    seen: safely(finding.seen),
    ...(finding.quirk !== undefined && { quirk: safely(finding.quirk) }),
    ...(finding.said !== undefined && { said: safely(finding.said) })
  }
  return { probe: probe.probe, area, capability, ...(model && { model }), ...safe }
})

const reportOf = Effect.fnUntraced(function* (
  { ends, launch, secrets }: Examinee.Examinee,
  { agent, model }: Options,
  hello: Readonly<Record<string, unknown>>,
  results: ReadonlyArray<ProbeResult>
) {
  const { name, version } = objectIn(hello, "agentInfo")
  const { protocolVersion } = hello
  const told = typeof version === "string" ? version : launch.version
  const report: ConformanceReport = {
    agent: {
      name: typeof name === "string" ? cut(secrets.hide(name)) : agent.provider.name,
      ...(told !== undefined && { version: cut(secrets.hide(told)) })
    },
    commandLine: secrets.hide(display([launch.command, ...Redaction.argv(launch.args)])),
    ...(typeof protocolVersion === "number" && Number.isInteger(protocolVersion) && { protocolVersion }),
    ...(launch.remote === undefined && { processes: secrets.hide(ProcessEnd.wordsOf(ends())) }),
    withModel: model,
    at: yield* Clock.currentTimeMillis,
    results
  }
  return report
})
