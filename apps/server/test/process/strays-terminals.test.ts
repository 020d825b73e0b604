/** What programs in granted terminals and in a login leave running in groups of their own ends with them. Real processes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as MarkedProcesses from "@signalbox/process/MarkedProcesses"
import * as TerminalSignIn from "../../src/provider/acp/visits/TerminalSignIn.ts"
import { temporaryFolder } from "../support/AgentHarness.ts"
import { play, scripted } from "../support/ScriptedAgent.ts"

/** A mark that a test finds its processes by; what is left of them in the end is ended. */
const marked = Effect.acquireRelease(
  Effect.sync(() => {
    const value = randomUUID()
    return {
      env: { STRAYER: value },
      variables: [{ name: "STRAYER", value }],
      living: () => MarkedProcesses.find(`STRAYER=${value}`)
    }
  }),
  ({ env }) => Effect.sync(() => MarkedProcesses.end(`STRAYER=${env.STRAYER}`))
)

/** In the background, in a session of its own. */
const stray = "setsid sleep 600 < /dev/null > /dev/null 2>&1 &"

const workspace = () => ({ files: "off", terminals: true, shellLines: true, environment: "all" }) as const

describe.skipIf(process.platform !== "linux")("what a program in a granted terminal leaves running", () => {
  it.live("ends with the program, before the agent hears of its exit, and is reported by name and number", () =>
    Effect.gen(function* () {
      const { living, variables } = yield* marked
      const agent = yield* scripted({}, { profile: { workspace } })
      yield* agent.start()
      const script = `${stray} until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done`
      const create = {
        request: { method: "terminal/create", params: { command: "sh", args: ["-c", script], env: variables } }
      }
      const wait = { request: { method: "terminal/wait_for_exit", params: { terminalId: "{terminal:1}" } } }
      yield* play(agent, "t1", create, wait)
      assert.deepStrictEqual(living(), [])
      const [warning] = agent.of("runtime.warning")
      assert.match(warning?.message ?? "", /^Ended 1 process that sh, run by .+, had left running\.$/)
      assert.match(warning?.detail ?? "", /^sleep \(\d+\)$/)
    })
  )

  it.live("ends with the session while the program runs", () =>
    Effect.gen(function* () {
      const { living, variables } = yield* marked
      const agent = yield* scripted({}, { profile: { workspace } })
      const { threadId } = yield* agent.start()
      const script = `${stray} sleep 600`
      yield* play(agent, "t1", {
        request: { method: "terminal/create", params: { command: "sh", args: ["-c", script], env: variables } }
      })
      yield* Effect.sync(() => living().length).pipe(
        Effect.repeat({ until: (count) => count === 3, schedule: Schedule.spaced("10 millis") })
      )
      yield* agent.adapter.stopSession(threadId)
      assert.deepStrictEqual(living(), [])
    })
  )
})

describe.skipIf(process.platform !== "linux")("what a login in a terminal leaves running", () => {
  it.live("ends with the login", () =>
    Effect.gen(function* () {
      const { env, living } = yield* marked
      const scope = yield* Scope.make()
      const script = `trap "" HUP; ${stray} echo begun; read -r line`
      const pty = yield* TerminalSignIn.start(
        {
          name: "Keeper",
          launch: { command: "/bin/sh", args: ["-c", script], env },
          cwd: yield* temporaryFolder,
          ledger: yield* ProcessLedger,
          command: "keeper login"
        },
        { columns: 80, rows: 24 }
      ).pipe(Scope.provide(scope))
      yield* Stream.runHead(Stream.filter(pty.output, (data) => data.includes("begun")))
      yield* Effect.sync(() => living().length).pipe(
        Effect.repeat({ until: (count) => count >= 2, schedule: Schedule.spaced("10 millis") })
      )
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(living(), [])
    }).pipe(Effect.provide(ProcessLedgerLayer.layerDisabled))
  )
})
