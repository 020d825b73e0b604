/** Runs one of these components on the standard streams: `node main.ts context`. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as context from "./context.ts"
import * as openFiles from "./openFiles.ts"
import * as openFilesAdapter from "./openFilesAdapter.ts"

const components = new Map(Object.entries({ context, openFiles, openFilesAdapter }))

const program = Effect.gen(function* () {
  const component = components.get(process.argv[2] ?? "")
  if (component === undefined) return yield* Effect.die(`Name one of: ${[...components.keys()].join(", ")}`)
  const stdio = yield* Stdio.Stdio
  const link = yield* MessageLink.overBytes({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) })
  yield* component.run(link)
})

program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
