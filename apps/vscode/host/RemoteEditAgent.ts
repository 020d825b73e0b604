/** An agent for suggestions of edits in another open file than the one in which somebody writes: `before` becomes `after` there. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as NesAgent from "@signalbox/acp/NesAgent"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"

const program = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const agent = yield* NesAgent.make(
    { input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) },
    {
      start: ({ documents }) =>
        Effect.succeed({
          suggest: ({ uri }) =>
            Effect.sync(() =>
              [...documents.values()].flatMap((document) => {
                const from = document.lines.text.indexOf("before")
                return document.uri === uri || from === -1
                  ? []
                  : [
                      {
                        id: crypto.randomUUID(),
                        ...NesAgent.edit(document, [{ from, to: from + 6, newText: "after" }])
                      }
                    ]
              })
            )
        })
    }
  )
  yield* agent.closed
})

program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
