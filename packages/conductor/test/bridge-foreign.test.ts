/** Both official SDKs of MCP at both ends of the bridge: as clients of it, and as servers behind a component. Each is a program of its own. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { agents } from "./BridgeParts.ts"
import { bridge, calculator, serving } from "./McpParts.ts"
import { byHand, connect, initialize } from "./Parts.ts"
import * as SdkServers from "./SdkServers.ts"

const file = fileURLToPath(new URL("./fixtures/sdk-mcp-client.mjs", import.meta.url))

/** Three servers behind the bridge, as an agent that takes them in this way is given them. */
const servers = Effect.fnUntraced(function* (transport: "http" | "stdio") {
  const given = yield* Deferred.make<string>()
  const agent = byHand("agent", () => ({
    onRequest: ({ method, params = "null" }, respond) => {
      if (method === "initialize") return respond({ result: agents[transport] })
      if (method === "session/new") Deferred.doneUnsafe(given, Effect.succeed(params))
      respond({ result: '{"sessionId":"s"}' })
    },
    onNotification: () => {}
  }))
  const proxies = [
    serving("ours", yield* calculator(Effect.never)),
    serving("classic", yield* SdkServers.start("classic")),
    serving("current", yield* SdkServers.start("current")),
    bridge
  ]
  const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies }) })
  yield* initialize(client)
  yield* client.request("session/new", '{"cwd":"/","mcpServers":[]}')
  const { mcpServers } = JSON.parse(yield* Deferred.await(given))
  const declarations: ReadonlyArray<object> = mcpServers
  return declarations
})

/** What a client on an SDK sees of a server. */
const seenBy = (kind: string, revision: string, declaration: object) =>
  Effect.callback<unknown>((resume) => {
    const client = spawn(process.execPath, [file, kind, revision, JSON.stringify(declaration)], { stdio: "pipe" })
    let text = ""
    let errors = ""
    client.stdout.on("data", (part) => (text += String(part)))
    client.stderr.on("data", (part) => (errors += String(part)))
    client.on("close", (code) =>
      resume(code === 0 ? Effect.sync(() => JSON.parse(text)) : Effect.die(new Error(`code ${code}: ${errors}`)))
    )
    return Effect.sync(() => void client.kill("SIGKILL"))
  })

/** What the clients answer to their servers' questions. */
const answers = {
  model: { model: "m", role: "assistant", content: { type: "text", text: "Hi" } },
  form: { action: "accept", content: { name: "Ada" } },
  folders: { roots: [{ uri: "file:///r" }] }
}

describe("A client on an official SDK", () => {
  for (const transport of ["http", "stdio"] as const)
    for (const [kind, mode, revision] of [
      ["classic", "legacy", "2025-11-25"],
      ["current", "legacy", "2025-11-25"],
      ["current", "2026-07-28", "2026-07-28"],
      ["current", "auto", "2026-07-28"]
    ] as const)
      it.live(`[121][122] calls servers on ours and both SDKs, by ${transport}, ${kind} and ${mode}`, () =>
        Effect.gen(function* () {
          const declarations = yield* servers(transport)
          const seen = yield* Effect.forEach(declarations, (declaration) => seenBy(kind, mode, declaration), {
            concurrency: "unbounded"
          })
          const sum = { sum: { sum: 5 }, unknown: -32_602, revision }
          const foreign = {
            ...sum,
            instructions: "Adds, and waits.",
            tools: ["add", "wait", "seen", "change"],
            cancelled: "progress 1",
            changed: true,
            after: "a wait was cancelled"
          }
          assert.deepStrictEqual(seen, [
            { ...sum, server: "calc", instructions: "Adds.", tools: ["add", "wait"] },
            { ...foreign, server: "sdk classic" },
            { ...foreign, server: "sdk current", tools: [...foreign.tools, "ask"], asked: [answers, "state"] }
          ])
        })
      )
})
