// The package's client alone, over one transport or in one version: `node transport.mjs "deltas 200000" stdio|v2|http|ws`.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { agent, drive } from "./drive.mjs"

await import("effect/schema/SchemaJITCompiler/enable")
const NodeHttpClient = await import("@effect/platform-node/NodeHttpClient")
const NodeSink = await import("@effect/platform-node/NodeSink")
const NodeStream = await import("@effect/platform-node/NodeStream")
const NodeWS = await import("@effect/platform-node/NodeWS")
const Effect = await import("effect/Effect")
const Layer = await import("effect/Layer")
const ManagedRuntime = await import("effect/ManagedRuntime")
const Scope = await import("effect/Scope")
const AcpClient = await import("../../packages/acp/src/AcpClient.ts")
const HttpTransport = await import("../../packages/acp/src/HttpTransport.ts")
const WebSocketTransport = await import("../../packages/acp/src/WebSocketTransport.ts")

const [, , workload, over] = process.argv
const runtime = ManagedRuntime.make(Layer.merge(NodeHttpClient.layerUndici, NodeWS.layerWebSocketConstructor))
const scope = Scope.makeUnsafe()

const pipes = (child) => ({
  input: NodeStream.fromReadable({ evaluate: () => child.stdout, onError: (error) => error }),
  output: NodeSink.fromWritable({ evaluate: () => child.stdin, onError: (error) => error })
})

const transport = async () => {
  if (over === "stdio" || over === "v2") {
    return Effect.succeed(
      pipes(
        spawn(process.execPath, [...agent(), ...(over === "v2" ? ["v2"] : [])], { stdio: ["pipe", "pipe", "inherit"] })
      )
    )
  }
  const server = spawn(process.execPath, [new URL("../remote-agent.mjs", import.meta.url).pathname], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const [port] = await once(server.stdout, "data")
  const at = `127.0.0.1:${String(port).trim()}`
  return over === "http" ? HttpTransport.make({ url: `http://${at}` }) : WebSocketTransport.make({ url: `ws://${at}` })
}

const connect = async () => {
  let updates = 0
  const dialect = over === "v2" ? (await import("../../packages/acp/src/DialectV2.ts")).dialect : undefined
  const client = await runtime.runPromise(
    (await transport()).pipe(
      Effect.flatMap((made) =>
        AcpClient.make(
          made,
          {
            onUpdates: (batch) =>
              Effect.sync(() => {
                updates += batch.length
              }),
            requestPermission: () => Effect.succeed({ outcome: { outcome: "selected", optionId: "allow-once" } })
          },
          { dialect }
        )
      ),
      Effect.provideService(Scope.Scope, scope)
    )
  )
  await runtime.runPromise(client.initialize({ clientInfo: { name: "bench", version: "0" } }))
  const { sessionId } = await runtime.runPromise(client.newSession({ cwd: process.cwd(), mcpServers: [] }))
  return {
    prompt: (text) => runtime.runPromise(client.prompt({ sessionId, prompt: [{ type: "text", text }] })),
    counts: () => ({ updates })
  }
}

await drive(workload, connect, () => process.exit())
