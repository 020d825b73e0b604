/** A built-in component in both ways: in this process, and as a program on its standard streams. */
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { fileURLToPath } from "node:url"
import type { BuiltInComponent } from "../src/BuiltInComponent.ts"
import * as Component from "../src/Component.ts"

/** How a component runs; `log` gets the lines that it says to people. */
export interface Way {
  readonly title: string
  readonly make: (
    component: BuiltInComponent,
    args: ReadonlyArray<string>,
    log?: (line: string) => void
  ) => Effect.Effect<Component.Component>
}

const main = fileURLToPath(new URL("fixtures/component.ts", import.meta.url))

export const ways: ReadonlyArray<Way> = [
  {
    title: "in the process",
    make: (component, args, log = () => {}) =>
      Effect.sync(() => Component.inProcess(component.name, Result.getOrThrow(component.make({ args, log }))))
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
