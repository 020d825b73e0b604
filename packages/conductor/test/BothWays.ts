/** A built-in component in both ways: in this process, and as a program on its standard streams. */
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { BuiltInComponent, Host } from "../src/BuiltInComponent.ts"
import * as Component from "../src/Component.ts"
import { programOf } from "../../../scripts/suite/Program.ts"

/** How a component runs; `log` gets the lines that it says to people. */
export interface Way {
  readonly title: string
  readonly make: (
    component: BuiltInComponent,
    args: ReadonlyArray<string>,
    log?: (line: string) => void
  ) => Effect.Effect<Component.Component>
}

/** Keeps no list of programs: the tests end what they start. */
export const host: Effect.Effect<Host> = Effect.map(ProcessLedger, (ledger) => ({ ledger })).pipe(
  Effect.provide(ProcessLedgerLayer.layerDisabled)
)

/** A host whose ledger is in this folder; what runs is in it. */
export const hostIn = (folder: string): Effect.Effect<Host, never, Scope.Scope> =>
  Effect.map(Layer.build(ProcessLedgerLayer.layer({ folder })), (context) => ({
    ledger: Context.get(context, ProcessLedger),
    runsFor: "the thread"
  }))

/** The program that runs a component. */
export const main = programOf(new URL("fixtures/component.ts", import.meta.url))

export const ways: ReadonlyArray<Way> = [
  {
    title: "in the process",
    make: (component, args, log = () => {}) =>
      Effect.map(host, (given) => {
        const run = Result.getOrThrow(component.make({ args, log }))
        return Component.inProcess(component.name, (link) => run(link, given))
      })
  },
  {
    title: "as a program on its standard streams",
    make: Effect.fnUntraced(function* (component, args, log) {
      return Component.program({
        name: component.name,
        ledger: yield* ProcessLedger,
        program: { command: process.execPath, args: [main, component.name, ...args], env: {} },
        cwd: process.cwd(),
        secrets: Secrets.of({}),
        stopGrace: { closeInput: "5 seconds", terminate: "1 second" },
        onStderr: log
      })
    }, Effect.provide(ProcessLedgerLayer.layerDisabled))
  }
]
