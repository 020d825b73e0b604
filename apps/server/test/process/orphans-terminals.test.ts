/** A server that is killed leaves nothing behind of what agents had it run. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../support/AgentHarness.ts"
import { carriersOf } from "../../../../packages/process/test/support/Sleepers.ts"

const program = fileURLToPath(new URL("../support/TerminalHost.ts", import.meta.url))

describe.skipIf(process.platform !== "linux")("terminals", () => {
  it.live("[100] end with a server that is killed, whatever signals they ignore", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const ledger = join(folder, "agents")
      const run = randomUUID()
      const living = () => carriersOf("TEST_RUN", run)
      const host = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [program, ledger, folder, run], { stdio: ["ignore", "pipe", "inherit"] })
        ),
        (child) =>
          Effect.sync(() => {
            child.kill("SIGKILL")
            for (const pid of living()) process.kill(pid, "SIGKILL")
          })
      )
      yield* Effect.promise(() => once(createInterface({ input: host.stdout }), "line"))
      assert.strictEqual(living().length, 2)
      // The agent and the terminal are on record each.
      assert.strictEqual(readdirSync(ledger).length, 2)
      host.kill("SIGKILL")
      yield* Effect.sync(() => living().length).pipe(
        Effect.repeat({ until: (count) => count === 0, schedule: Schedule.spaced("10 millis") }),
        Effect.timeout("60 seconds")
      )
    })
  )
})
