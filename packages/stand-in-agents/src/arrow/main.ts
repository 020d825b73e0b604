/** The arrow proxy: it puts `>` before each piece of text that the agent says. Two of them put `>>`, so that a test sees the chain. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"

const program = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const link = yield* MessageLink.overBytes({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) })
  const proxy = yield* AcpProxy.make(link, () => ({
    agentNotifications: {
      "session/update": ({ update, ...params }, forward) =>
        update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" && "text" in update.content
          ? forward({
              ...params,
              update: { ...update, content: { ...update.content, text: `>${update.content.text}` } }
            })
          : forward()
    }
  }))
  yield* proxy.closed
})

program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer), NodeRuntime.runMain)
