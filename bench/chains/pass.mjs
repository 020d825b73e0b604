// A proxy that only passes on.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"

const program = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const link = yield* MessageLink.overBytes({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) })
  yield* (yield* AcpProxy.make(link)).closed
})

program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
