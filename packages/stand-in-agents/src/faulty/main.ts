/** The faulty proxy: it breaks the rules of a chain in one way, which its arguments name. A test sees what the conductor says. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import { writeSync } from "node:fs"
import * as Fault from "./Fault.ts"
import * as FaultyProxy from "./FaultyProxy.ts"

const fault = Fault.of(process.argv.slice(2))
if (fault === undefined) {
  process.stderr.write(Fault.usage)
  process.exit(2)
}
if (fault.kind === "exit") process.exit(3)

const program = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const link = yield* MessageLink.overBytes({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) })
  yield* FaultyProxy.run(link, fault, {
    exit: (code) => process.exit(code),
    print: (line) => void writeSync(1, `${line}\n`)
  })
})

program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
