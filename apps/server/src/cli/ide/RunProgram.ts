/** `signalbox ide`: runs a program of Dialect in a folder. */
import * as Settings from "@signalbox/conductor/components/ide-operations/Settings"
import * as Evaluator from "@signalbox/ide/dialect/Evaluator"
import type { ProgramError } from "@signalbox/ide/dialect/ProgramError"
import * as SessionFolder from "@signalbox/ide/files/SessionFolder"
import * as Functions from "@signalbox/ide/operations/Functions"
import * as SessionIde from "@signalbox/ide/servers/SessionIde"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Result from "effect/Result"
import { agentsIn } from "../../base/StateDirectory.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as WorkFolder from "../server/WorkFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface IdeFlags {
  readonly stateDir: Option.Option<string>
  readonly cwd: string
  readonly server: ReadonlyArray<string>
  readonly timeout: number
  readonly program: string
}

const longestTimeout = 3600

/** A server that is not ready by then says what it waits for. */
const beforeTheEnd = 0.9

const isOfProgram = ({ reason }: ProgramError): boolean =>
  reason === "syntax" || reason === "name" || reason === "arguments"

/** Several lines, each made safe: the last ones show the place in the program. */
const report = (error: ProgramError): void => {
  for (const [index, text] of error.message.split("\n").entries())
    Terminal.err(index === 0 ? { style: "error", text: `signalbox ide: ${text}` } : text)
}

export const runProgram = Effect.fn("Ide.run")(function* ({ cwd, program, server, stateDir, timeout }: IdeFlags) {
  if (!(timeout > 0 && timeout <= longestTimeout))
    return yield* usage("ide", `--timeout is a number of seconds above 0, and at most ${longestTimeout}.`)
  const settings = yield* Effect.fromResult(
    Result.mapError(Settings.of(server.flatMap((one) => ["--server", one])), (words) => usage("ide", words))
  )
  const folder = yield* SessionFolder.open(yield* WorkFolder.of("ide", cwd))
  const directory = yield* StateFolder.of(stateDir)
  const run = Effect.gen(function* () {
    const ledger = yield* ProcessLedger
    const patience = Duration.seconds(timeout * beforeTheEnd)
    const ide = yield* SessionIde.make(folder, { ...settings, ledger, patience })
    const limits = { ...Evaluator.defaultLimits, time: Duration.seconds(timeout) }
    return yield* Effect.result(
      Evaluator.run(program, { functions: Functions.make(ide, folder), limits, waiting: ide.waiting })
    )
  })
  const result = yield* run.pipe(
    Effect.scoped,
    Effect.provide(ProcessLedgerLayer.layer({ folder: agentsIn(directory), unrecorded: "start" }))
  )
  if (Result.isSuccess(result)) {
    const found: unknown = JSON.parse(result.success)
    return yield* Stdout.unlessNobodyReads(Stdout.json(`${JSON.stringify(found, undefined, 2)}\n`))
  }
  report(result.failure)
  process.exitCode = isOfProgram(result.failure) ? ExitCode.usage : ExitCode.failed
})
