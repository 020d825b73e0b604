/** `signalbox component`: one built-in component as a proxy on standard input and output, or the list of them. */
import * as BuiltInComponents from "@signalbox/conductor/components/BuiltInComponents"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { agentsIn } from "../../base/StateDirectory.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { table } from "../terminal/Table.ts"
import * as ChainPlan from "./ChainPlan.ts"
import { overStdio } from "./OverStdio.ts"

export interface ComponentFlags {
  readonly name: Option.Option<string>
  readonly args: ReadonlyArray<string>
}

const columns = [
  { heading: "COMPONENT", cell: ({ name }: { readonly name: string }) => name },
  { heading: "WHAT IT DOES", cell: BuiltInComponents.described }
]

export const runComponent = Effect.fn("RunComponent")(function* ({ args, name }: ComponentFlags) {
  if (Option.isNone(name)) {
    const lines = table(columns, BuiltInComponents.all).map((line) => `${line}\n`)
    return yield* Stdout.unlessNobodyReads(Stdout.write(lines.join("")))
  }
  const { run } = yield* Effect.fromResult(
    Result.mapError(ChainPlan.builtIn(name.value, args), ({ offered, words }) => usage("component", words, offered))
  )
  const directory = yield* StateFolder.of(Option.none())
  yield* Effect.flatMap(ProcessLedger, (ledger) =>
    overStdio((link) => Effect.as(run(link, { ledger }), ExitCode.completed))
  ).pipe(Effect.provide(ProcessLedgerLayer.layer({ folder: agentsIn(directory), unrecorded: "start" })))
})
