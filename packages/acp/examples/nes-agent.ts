import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as NesAgent from "@signalbox/acp/NesAgent"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"

const program = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const transport = { input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) }
  const agent = yield* NesAgent.make(transport, {
    start: () =>
      Effect.succeed({
        suggest: ({ document, position: { line } }) => {
          const begun = document?.lines.line(line) ?? ""
          const all = document?.lines.text.split("\n") ?? []
          const whole = all.find((each) => begun.trim() !== "" && each.startsWith(begun) && each !== begun)
          if (document === undefined || whole === undefined) return Effect.succeed([])
          const at = document.lines.offsetAt({ line, character: begun.length })
          return Effect.succeed([NesAgent.edit(document, [{ from: at, to: at, newText: whole.slice(begun.length) }])])
        }
      })
  })
  yield* agent.closed
})
program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
