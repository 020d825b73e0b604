/** `signalbox run` with agents that run elsewhere or speak version 2, built on the official SDK: from its sources and from its bundle. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, call, entry, temporaryFolder } from "./support/Signalbox.ts"

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../../packages/acp/test/fixtures/${name}.mjs`, import.meta.url))

/** The agent as a server, for HTTP and WebSockets; its port. */
const serve = Effect.acquireRelease(
  Effect.promise(async () => {
    const child = spawn(process.execPath, [fixture("sdk-agent"), "http"], { stdio: ["ignore", "pipe", "inherit"] })
    const [port] = await once(child.stdout, "data")
    return { child, at: `127.0.0.1:${String(port).trim()}/acp` }
  }),
  ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
)

describe.each([
  { name: "from its sources", program: entry },
  { name: "as `npm start` runs it", program: bundle }
])("signalbox run, $name", ({ program }) => {
  it.live("talks to agents over HTTP, over a WebSocket and in version 2 as to any other", () =>
    Effect.gen(function* () {
      const { at } = yield* serve
      const state = temporaryFolder("state")
      const agents = {
        http: { url: `http://${at}` },
        socket: { url: `ws://${at}` },
        second: { command: process.execPath, args: [fixture("sdk-v2-agent")], protocol: 2 }
      }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents }), { mode: 0o600 })
      for (const provider of Object.keys(agents)) {
        const { code, stderr, stdout } = yield* call(["run", "--provider", provider, "flood"], {
          program,
          env: { SIGNALBOX_STATE_DIR: state }
        })
        assert.strictEqual(code, 0, `${provider}: ${stderr}`)
        assert.strictEqual(stdout.trim(), Array.from({ length: 2000 }, (_, i) => String(i)).join(""), provider)
      }
    })
  )
})
