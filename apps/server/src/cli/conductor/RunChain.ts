/** `signalbox conductor agent` and `proxy`: a chain of components behind standard input and output. */
import type * as RawConnection from "@signalbox/acp/RawConnection"
import type { ChainFailure } from "@signalbox/conductor/ChainFailure"
import * as Component from "@signalbox/conductor/Component"
import * as AddedBridge from "@signalbox/conductor/components/bridge/AddedBridge"
import * as PlannedComponent from "@signalbox/conductor/components/PlannedComponent"
import * as Conductor from "@signalbox/conductor/Conductor"
import * as Trace from "@signalbox/conductor/Trace"
import * as TraceFile from "@signalbox/conductor/TraceFile"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as SecretValues from "@signalbox/redaction/SecretValues"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { fstatSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { oneLine } from "../../base/Plain.ts"
import { agentsIn } from "../../base/StateDirectory.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as ChainPlan from "./ChainPlan.ts"
import * as FlagChain from "./FlagChain.ts"
import { overStdio } from "./OverStdio.ts"

export interface ChainFlags extends FlagChain.FlagChainFlags {
  readonly trace: Option.Option<string>
}

/** All processes of a chain have ended 5 seconds after its client has left. */
const stopGrace = { closeInput: "1500 millis", terminate: "1 second" } as const

const started = Effect.fnUntraced(function* (planned: PlannedComponent.PlannedComponent) {
  const ledger = yield* ProcessLedger
  if (planned.type === "built-in") return PlannedComponent.inProcess(planned, { ledger })
  const { args, command, env, name, proxyDialect } = planned
  return Component.program({
    name,
    proxyDialect,
    program: { command, args, env },
    ledger,
    cwd: process.cwd(),
    secrets: Secrets.of({ ...process.env, ...env }),
    stopGrace,
    onStderr: (line) => Terminal.err(`${oneLine(name, 80)}: ${oneLine(line, 1000)}`)
  })
})

const issueWords = (issue: RawConnection.Issue): string => {
  switch (issue._tag) {
    case "Unreadable":
      return `wrote a line that is no message: ${oneLine(issue.text.slice(0, 1000), 200)}`
    case "StrayResponse":
      return `answered a request that nobody waits for (id ${oneLine(issue.id, 80)})`
    case "HandlerDefect":
      return `${issue.method} failed here: ${oneLine(issue.message, 400)}`
  }
}

/** Whether a path leads to what this process has as its standard output. */
const isStdout = (path: string): boolean => {
  try {
    const [there, here] = [statSync(path, { bigint: true }), fstatSync(1, { bigint: true })]
    return there.dev === here.dev && there.ino === here.ino
  } catch {
    // It is not there yet, or opening it says what is wrong.
    return false
  }
}

/** Makes what follows the chain for `--trace`; undefined without it. Fails if the file can't be opened. */
const observerOf = Effect.fnUntraced(function* (command: string, plan: ChainPlan.ChainPlan, flag: ChainFlags["trace"]) {
  if (Option.isNone(flag)) return undefined
  const path = resolve(flag.value)
  if (isStdout(path)) return yield* usage(command, `--trace: ${path} is standard output, which carries ACP only.`)
  const write = yield* TraceFile.make(path, (why) =>
    Terminal.err({ style: "warning", text: `The trace ${path} ends here: ${why}. The chain goes on.` })
  ).pipe(Effect.mapError(({ message }) => usage(command, `--trace: ${message}`)))
  const clock = yield* Clock.Clock
  const begun = clock.monotonicTimeNanosUnsafe()
  const given = [...plan.proxies, plan.agent].flatMap((planned) =>
    planned?.type === "program" ? SecretValues.ofEnvironment(planned.env) : []
  )
  const secrets = Secrets.of(process.env, given)
  const now = () => Number(clock.monotonicTimeNanosUnsafe() - begun) / 1e9
  return ({ proxies }: Conductor.Assembled) => Trace.make({ proxies: proxies.length, secrets, now, write })
})

export const runChain = Effect.fn("RunChain")(function* (mode: "agent" | "proxy", flags: ChainFlags) {
  const command = `conductor ${mode}`
  const plan = yield* FlagChain.planOf(command, mode, flags)
  const directory = yield* StateFolder.of(Option.none())
  const report = (failure: ChainFailure) =>
    Terminal.err({ style: "error", text: `signalbox ${command}: ${oneLine(failure.message, 2000)}` })
  const run = Effect.gen(function* () {
    const proxies = yield* Effect.forEach(plan.proxies, started)
    const agent = plan.agent && (yield* started(plan.agent))
    const observe = yield* observerOf(command, plan, flags.trace)
    return (link: Parameters<typeof Conductor.run>[0]) =>
      Conductor.run(link, {
        mode,
        assemble:
          agent !== undefined && ChainPlan.mayNeedBridge(plan)
            ? AddedBridge.assemble(proxies, agent)
            : AddedBridge.assembleAdapters(proxies, agent),
        observerOf: observe,
        onIssue: (from, issue) => Terminal.err(`${oneLine(from, 80)} ${issueWords(issue)}`),
        onFailure: report
      }).pipe(Effect.map((failure) => (failure === undefined ? ExitCode.completed : ExitCode.failed)))
  })
  yield* Effect.flatMap(run, overStdio).pipe(
    Effect.scoped,
    Effect.provide(ProcessLedgerLayer.layer({ folder: agentsIn(directory), unrecorded: "start" }))
  )
})
