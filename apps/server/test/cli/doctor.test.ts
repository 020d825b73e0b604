import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as StateReport from "../../src/cli/server/StateReport.ts"
import { ofThisSystem } from "@signalbox/process/ProcessFacts"
import * as LedgerFolder from "@signalbox/process/ProcessLedgerFolder"
import { reachable } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { agentsFolder, call, groupEnds, groupLives, launcher, start, temporaryFolder } from "./support/Signalbox.ts"

/** What doctor finds in a state folder, one finding a line. */
const looking = (state: string) =>
  Effect.map(StateReport.findings(state), (found) =>
    found.map(({ lines, name }) => `${name}: ${lines.join(" | ")}`).join("\n")
  )

describe("signalbox doctor", () => {
  it.live("says what is there, what is missing and what to do", () =>
    Effect.gen(function* () {
      const bare = temporaryFolder("path")
      const installed = temporaryFolder("path")
      symlinkSync(join(agentsFolder, "cursor-agent"), join(installed, "cursor-agent"))
      const system = "/usr/bin:/bin"
      const [without, withCursor, loggedOut, noState] = yield* Effect.forEach(
        [
          call(["doctor"], { env: { PATH: `${bare}:${system}` } }),
          call(["doctor"], { env: { PATH: `${installed}:${system}` } }),
          call(["doctor"], { env: { PATH: `${installed}:${system}`, FAKE_CURSOR_AUTH: "none" } }),
          call(["doctor", "--state-dir", join(launcher, "state")], { env: { PATH: `${bare}:${system}` } })
        ],
        (doctor) => doctor,
        { concurrency: 2 }
      )
      assert.strictEqual(without!.code, 0, "Eliza and the simulation can run")
      assert.match(without!.stdout, /Cursor \(cursor\): cannot run/)
      assert.include(without!.stdout, "curl https://cursor.com/install -fsS | bash")
      assert.include(without!.stdout, process.version)
      assert.match(without!.stdout, /Eliza \(eliza\): ready/)

      assert.match(withCursor!.stdout, /Cursor \(cursor\): ready/)
      assert.include(withCursor!.stdout, join(installed, "cursor-agent"))
      assert.match(withCursor!.stdout, /version\s+✓ 2026\./)

      assert.match(loggedOut!.stdout, /Cursor \(cursor\): can run, but/)
      assert.match(loggedOut!.stdout, / sign in +! /)

      assert.strictEqual(noState!.code, 1)
      assert.match(noState!.stdout, /--state-dir/)
      for (const ended of [without!, withCursor!, loggedOut!, noState!]) assertReadable(ended)
    })
  )

  it.live("says which language servers are turned on, which are found, and why an entry can't be used", () =>
    Effect.gen(function* () {
      const [bin, state] = [temporaryFolder("path"), temporaryFolder("state")]
      const program = join(bin, "bash-language-server")
      writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
      const doctor = () => call(["doctor"], { env: { PATH: `${bin}:/usr/bin:/bin`, SIGNALBOX_STATE_DIR: state } })
      const found = yield* doctor()
      assert.match(found.stdout, /Language +found here, and turned off: .*\bbash\b/)
      writeFileSync(
        join(state, "settings.json"),
        JSON.stringify({
          languageServers: { bash: {}, pyright: {}, odd: {}, mine: { command: "mine", languages: ["mine"] } }
        })
      )
      const told = yield* doctor()
      assert.strictEqual(told.code, 1)
      const text = told.stdout.replaceAll(/\s+/g, " ")
      assert.include(text, `Bash language server (bash): on, ${program}`)
      assert.include(text, "mine: can't be used. mine is not in the search path of this machine.")
      assert.include(
        text,
        "pyright: can't be used. pyright-langserver is not on this machine. Install it, such as by: npm install -g pyright."
      )
      assert.include(text, "odd: can't be used. Signalbox knows no language server with the name odd. Add its")
      assertReadable(told)
    })
  )

  it.live("reports the state folder: who has it, what is in it, and whether that is sound", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const look = looking(state)
      const fresh = yield* look
      assert.match(fresh, /^State: \S+ \| Writable, 0, .+ free$/m)
      assert.match(
        fresh,
        /^Server: None runs\.\nDatabase: None yet\.\nTapes: tapes, 0\nLog: None yet\.\nLeft over: No agents$/m
      )

      const server = yield* start(["--port", "0", "--state-dir", state])
      const [, url] = yield* server.says(/(http:\S+)\/#token/)
      const running = yield* look
      assert.include(running, `Server: Process ${server.pid}, at ${url}\n`)
      assert.match(running, /^Database: signalbox\.sqlite, \d+ KiB, journal \d+ KiB \| Sound, of shape \d+$/m)

      const file = join(state, "server.json")
      renameSync(file, `${file}.aside`)
      assert.match(yield* look, /^Server: Another Signalbox has this folder, and has not said/m)
      renameSync(`${file}.aside`, file)
      server.kill("SIGTERM")
      yield* server.ended

      const stopped = yield* look
      assert.match(stopped, /^Server: None runs\.$/m)
      assert.match(stopped, /^Log: logs\/server\.ndjson, \d+ KiB/m)
      // All of the pages but the first are overwritten.
      const database = join(state, "signalbox.sqlite")
      writeFileSync(database, Buffer.concat([readFileSync(database).subarray(0, 4096), Buffer.alloc(20_000, 7)]))
      const damaged = yield* call(["doctor", "--state-dir", state])
      assert.strictEqual(damaged.code, 1)
      assert.match(damaged.stdout, /^Database +signalbox\.sqlite, .+\n +error: The database is damaged/m)
      assert.match(damaged.stdout, /Next: .*backup/)
      assertReadable(damaged)
    }).pipe(Effect.scoped)
  )

  it.live("names the agents that a killed server has left, and leaves them to the next one", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const look = looking(state)
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sleep", ["1000"], { detached: true, stdio: "ignore" })),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const pid = agent.pid ?? 0
      const birth = ofThisSystem.birthOf(pid) ?? ""
      const agents = join(state, "agents")
      LedgerFolder.make(agents)
      LedgerFolder.write(agents, {
        version: 1,
        marker: randomUUID(),
        threadId: "t1",
        command: "sleep",
        owner: { pid: process.pid, birth: "another that had this number" },
        agent: { pid, birth }
      })
      assert.match(yield* look, new RegExp(`^Left over: sleep: sleep \\(${pid}\\) \\| The next server`, "m"))
      assert.isTrue(groupLives(pid))

      yield* reachable(yield* start(["--port", "0", "--state-dir", state]))
      yield* groupEnds(pid)
      assert.match(yield* look, /^Left over: No agents$/m)
    }).pipe(Effect.scoped)
  )
})
