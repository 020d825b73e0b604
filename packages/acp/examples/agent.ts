import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"

const program = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const agent = yield* AcpAgent.make({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) }, (client) => ({
    initialize: () => Effect.succeed({ protocolVersion: 1 }),
    newSession: () => Effect.succeed({ sessionId: "echo" }),
    prompt: Effect.fnUntraced(function* ({ prompt, sessionId }) {
      for (const content of prompt) {
        yield* Effect.orDie(client.sendUpdate(sessionId, { sessionUpdate: "agent_message_chunk", content }))
      }
      return { stopReason: "end_turn" }
    })
  }))
  yield* agent.closed
})

program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
