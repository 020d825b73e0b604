import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as AcpClient from "@signalbox/acp/AcpClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ChildProcess from "effect/process/ChildProcess"

const program = Effect.gen(function* () {
  const [command = "agent", ...args] = process.argv.slice(2)
  const child = yield* ChildProcess.make(command, args, { stderr: "inherit", forceKillAfter: "2 seconds" })
  const client = yield* AcpClient.make(
    { input: child.stdout, output: child.stdin },
    {
      onUpdates: (batch) => Effect.forEach(batch, ({ raw }) => Console.log(JSON.stringify(raw)), { discard: true }),
      requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
    }
  )
  yield* client.initialize({ clientInfo: { name: "example", version: "1.0.0" } })
  const { sessionId } = yield* client.newSession({ cwd: process.cwd(), mcpServers: [] })
  const { stopReason } = yield* client.prompt({ sessionId, prompt: [{ type: "text", text: "Hello" }] })
  yield* Console.log(stopReason)
})

program.pipe(Effect.scoped, Effect.provide(NodeServices.layer), NodeRuntime.runMain)
