/** An agent that its settings put into a sandbox, with all that it has Signalbox do. */
import { assert, describe, it } from "@effect/vitest"
import type { AcpOptions } from "@signalbox/contracts/Provider"
import type { SandboxSettings } from "@signalbox/contracts/Sandbox"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { OwnFolders } from "../../src/workspace/ProtectedPaths.ts"
import { untilGone } from "../../../../packages/process/test/support/Groups.ts"
import { boxesAreSkipped, canary, world, type World } from "../support/Boxes.ts"
import { play, scripted, scriptedMain } from "../support/ScriptedAgent.ts"

/** A scripted agent in the world's project. */
const boxed = Effect.fnUntraced(function* (place: World, sandbox: SandboxSettings, more: Partial<AcpOptions> = {}) {
  const agent = yield* scripted().pipe(Effect.provideService(OwnFolders, [place.state]))
  const acp = { command: process.execPath, args: [scriptedMain], env: { HOME: place.home }, terminals: true, ...more }
  const input = { cwd: place.project, providerOptions: { acp, sandbox } }
  return { agent, start: agent.start(input) }
})

/** Has the agent run a script of the project in a terminal, and waits for its end. */
const inTerminal = (script: string, home: string) => [
  {
    request: {
      method: "terminal/create",
      params: { command: "/bin/sh", args: [script], env: [{ name: "HOME", value: home }] }
    }
  },
  { request: { method: "terminal/wait_for_exit", params: { terminalId: "{terminal:1}" } } }
]

describe.skipIf(boxesAreSkipped)("an agent in a sandbox", () => {
  it.live("gets no terminal outside of it", () =>
    Effect.gen(function* () {
      const place = yield* world
      const { agent, start } = yield* boxed(place, { network: "off" })
      yield* start
      // In a script: rules see through a line that names keys, and refuse it.
      writeFileSync(
        join(place.project, "try.sh"),
        `cat '${place.state}/server.json' "$HOME/.ssh/id_ed25519" > out 2>&1; echo x > '${place.folder}/x'; ls /proc/${process.pid} >> out 2>&1; echo done >> out`
      )
      const { stopReason } = yield* play(agent, "t1", ...inTerminal("try.sh", place.home))
      assert.strictEqual(stopReason, "end_turn")
      const out = readFileSync(join(place.project, "out"), "utf8")
      assert.include(out, "done\n")
      assert.include(out, `/proc/${process.pid}`)
      assert.include(out, "No such file or directory")
      assert.notInclude(out, canary)
      assert.isFalse(existsSync(join(place.folder, "x")))
    })
  )

  it.live("is not started where the sandbox can't be made, and the problem says why", () =>
    Effect.gen(function* () {
      const place = yield* world
      mkdirSync(join(place.state, "inside"))
      const { agent } = yield* boxed(place, true)
      const acp = { command: process.execPath, args: [scriptedMain] }
      const error = yield* Effect.flip(
        agent.start({ cwd: join(place.state, "inside"), providerOptions: { acp, sandbox: true } })
      )
      assert.strictEqual(error.problem.title, "The sandbox would not hold, so nothing was started.")
      assert.include(error.problem.cause, "belongs to Signalbox's own state")
      assert.deepStrictEqual(agent.events, [])
    })
  )

  it.live("ends with its session", () =>
    Effect.gen(function* () {
      const place = yield* world
      const { agent, start } = yield* boxed(place, true)
      const { threadId } = yield* start
      const [{ pid } = { pid: undefined }] = agent.of("session.started")
      assert.isDefined(pid)
      yield* agent.adapter.stopSession(threadId)
      // Bubblewrap is gone then, and the kernel ends what was inside.
      yield* untilGone(pid ?? 0)
    })
  )
})
