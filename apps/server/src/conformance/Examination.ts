/** Looks an agent over, probe by probe: none of them can hang the examination, and nothing of it is left behind. */
import type { ConformanceFrame, ConformanceReport, ProbeResult } from "@signalbox/contracts/Conformance"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { display } from "effect/process/CommandLine"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AgentProfile, LaunchInput } from "../provider/acp/AgentProfile.ts"
import type { ProcessLedger } from "../provider/Services/ProcessLedger.ts"
import * as Redaction from "../tape/Redaction.ts"
import * as Examinee from "./Examinee.ts"
import { connectionProbes } from "./ConnectionProbes.ts"
import { endProbes } from "./EndProbes.ts"
import { broken, type Probe, untried } from "./Probe.ts"
import { promptProbes } from "./PromptProbes.ts"
import { sessionProbes } from "./SessionProbes.ts"
import { settingProbes } from "./SettingProbes.ts"
import { startProbes } from "./StartProbes.ts"

export interface Options {
  readonly agent: Omit<LaunchInput, "cwd">
  readonly profile: AgentProfile
  readonly ledger: ProcessLedger["Service"]
  /** Whether its model may be asked for something. */
  readonly model: boolean
  /** Where it works, absolute; an empty folder of its own unless given. */
  readonly cwd?: string | undefined
  readonly limits?: Partial<Examinee.Limits>
  /** What goes on, as it does. */
  readonly tell?: (frame: ConformanceFrame) => Effect.Effect<void>
}

export const probes: ReadonlyArray<Probe> = [
  ...connectionProbes,
  ...startProbes,
  ...settingProbes,
  ...sessionProbes,
  ...promptProbes,
  ...endProbes
]

const defaultLimit = "20 seconds"

/** Fails when the agent can't be started or does not answer `initialize`. */
export const examine = Effect.fn("Examination.examine")(function* (options: Options) {
  const { agent, ledger, limits, model, profile, tell = () => Effect.void } = options
  const cwd = options.cwd ?? (yield* temporaryFolder)
  const examinee = yield* Examinee.make({ input: { ...agent, cwd }, profile, ledger, limits })
  const { hello } = yield* examinee.agent
  const wanted = probes.filter((probe) => model || probe.model === undefined)
  const results: Array<ProbeResult> = []
  for (const probe of wanted) {
    const { capability } = probe
    yield* tell({ type: "probing", capability, done: results.length, of: wanted.length })
    const result = yield* resultOf(probe, examinee)
    results.push(result)
    yield* tell({ type: "result", result })
  }
  yield* Effect.ignore(examinee.tidy)
  return yield* reportOf(examinee, options, hello, results)
}, Effect.scoped)

const resultOf = Effect.fnUntraced(function* (probe: Probe, examinee: Examinee.Examinee) {
  const { area, capability, limit = defaultLimit, look, model } = probe
  const finding = yield* Effect.scoped(look(examinee)).pipe(
    Effect.catch(({ problem }) => Effect.succeed(untried(problem.title))),
    Effect.timeoutOrElse({
      duration: limit,
      // What it hangs in would hang whoever comes next.
      orElse: () => Effect.as(examinee.renew, broken("no end", "The probe was given up: it took too long."))
    })
  )
  const { hide } = examinee.secrets
  const safe = {
    ...finding,
    seen: hide(finding.seen),
    ...(finding.quirk !== undefined && { quirk: hide(finding.quirk) })
  }
  return { probe: probe.probe, area, capability, ...(model && { model }), ...safe }
})

const reportOf = Effect.fnUntraced(function* (
  { launch, secrets }: Examinee.Examinee,
  { agent, model }: Options,
  hello: Readonly<Record<string, unknown>>,
  results: ReadonlyArray<ProbeResult>
) {
  const { name, version } = Examinee.objectIn(hello, "agentInfo")
  const { protocolVersion } = hello
  const told = typeof version === "string" ? version : launch.version
  const report: ConformanceReport = {
    agent: {
      name: typeof name === "string" ? secrets.hide(name) : agent.provider.name,
      ...(told !== undefined && { version: secrets.hide(told) })
    },
    commandLine: secrets.hide(display([launch.command, ...Redaction.argv(launch.args)])),
    ...(typeof protocolVersion === "number" && Number.isInteger(protocolVersion) && { protocolVersion }),
    withModel: model,
    at: yield* Clock.currentTimeMillis,
    results
  }
  return report
})

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "signalbox-conformance-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)
