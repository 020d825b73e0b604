/** How agents' processes end, and where they start. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFile } from "node:child_process"
import { readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { GenericProfile } from "../../../src/provider/drivers/acp/GenericProfile.ts"
import { environmentOf } from "../../../src/provider/acp/profile/KnownPrograms.ts"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { agentHarness, groupExists, type Harness, temporaryFolder, thread } from "../../support/AgentHarness.ts"
import { play, scripted, scriptedMain } from "../../support/ScriptedAgent.ts"

const pidOf = (agent: Harness): number => agent.of("session.started")[0]?.pid ?? 0

/** Ends the daemon by the pid that it reported, since nobody else does. */
const endDaemon = (agent: Harness) =>
  Effect.addFinalizer(() =>
    Effect.sync(() => {
      const [, pid] = /daemon (\d+)/.exec(agent.of("message.delta")[0]?.text ?? "") ?? []
      process.kill(Number(pid), "SIGKILL")
    })
  )

describe("the end of a process", () => {
  it.live("one that needs more than three seconds is given them, and ends by itself", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ exitAfter: 3_200 }, { timing: { stop: GenericProfile.stopGrace } })
      yield* agent.start()
      yield* agent.adapter.stopSession(thread)
      const { exitCode, expected, signal } = agent.of("session.exited")[0] ?? {}
      assert.deepEqual([exitCode, signal, expected], [0, undefined, true])
    })
  )

  it.live("[19] one that ignores the end of its input and SIGTERM is killed, and nothing of its group is left", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(
        { ignoreEof: true, ignoreSigterm: true },
        { timing: { stop: { closeInput: "50 millis", terminate: "50 millis" } } }
      )
      yield* agent.start()
      yield* play(agent, "t1", { child: true })
      const pid = pidOf(agent)
      yield* agent.adapter.stopSession(thread)
      assert.strictEqual(agent.of("session.exited")[0]?.signal, "SIGKILL")
      assert.isFalse(groupExists(pid))
    })
  )

  it.live("one that leaves a daemon behind, which keeps its output open, is reported as ended all the same", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(agent, "t1", { daemon: true })
      yield* endDaemon(agent)
      yield* agent.adapter.stopSession(thread)
      assert.strictEqual(agent.of("session.exited")[0]?.expected, true)
      assert.isFalse(yield* agent.adapter.hasSession(thread))
    }).pipe(Effect.scoped)
  )

  it.live("one that leaves a daemon behind in the middle of a turn fails the turn, and the next session works", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const end = yield* play(agent, "t1", { daemon: true }, { crash: 1 })
      yield* endDaemon(agent)
      assert.deepEqual([end.outcome, end.problem?.code], ["failed", "agent-exited"])
      yield* agent.next("session.exited")
      yield* agent.start()
      assert.strictEqual((yield* play(agent, "t2", { text: "again" })).outcome, "completed")
    }).pipe(Effect.scoped)
  )
})

describe("the start of a process", () => {
  it.live("is where its settings say, and its sessions are about the thread's folder", () =>
    Effect.gen(function* () {
      const [elsewhere, log] = [realpathSync(yield* temporaryFolder), join(yield* temporaryFolder, "log")]
      const place = join(elsewhere, "place")
      // A relative name is looked for where the process starts.
      writeFileSync(join(elsewhere, "agent.sh"), `pwd > ${place}\nexec ${process.execPath} ${scriptedMain}\n`)
      const agent = yield* scripted({}, { env: { SCRIPTED_AGENT_LOG: log } })
      const env = { SCRIPTED_AGENT: "{}", SCRIPTED_AGENT_LOG: log }
      yield* agent.start({ providerOptions: { acp: { command: "sh", args: ["agent.sh"], cwd: elsewhere, env } } })
      assert.strictEqual(readFileSync(place, "utf8").trim(), elsewhere)
      assert.include(readFileSync(log, "utf8"), `"cwd":${JSON.stringify(agent.folder)}`)
    })
  )

  it.live("in a folder that is gone fails and names the folder", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      const { problem } = yield* Effect.flip(
        agent.start({ providerOptions: { acp: { command: "sh", cwd: "/no/such/folder" } } })
      )
      assert.deepEqual([problem.code, problem.evidence.path], ["cwd-unusable", "/no/such/folder"])
    })
  )

  it.live("waits until it is on record; what it says then and ends is heard to the last word", () =>
    Effect.gen(function* () {
      // By the time that these have ended, a program that did not wait would have ended too.
      const others = Effect.promise(() => promisify(execFile)("sh", ["-c", "for i in 1 2 3 4 5; do sh -c true; done"]))
      const entry = { marker: "m", started: () => Effect.asVoid(others), close: Effect.void }
      const ledger = Layer.succeed(ProcessLedger, { enter: () => Effect.succeed(entry), reaped: 0, found: [] })
      const words = "echo on stdout; echo on stderr >&2; exit 3"
      const agent = yield* agentHarness("/bin/sh", ["-c", words], { ledger })
      const { evidence } = (yield* Effect.flip(agent.start())).problem
      assert.deepEqual([evidence.exitCode, evidence.stdoutTail, evidence.stderrTail], [3, ["on stdout"], ["on stderr"]])
    })
  )

  it.live("logs in by the method of its settings, where the agent offers that", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ authRequired: true })
      const { acp } = agent.input().providerOptions
      const by = (methodId: string) => ({ providerOptions: { acp: { ...acp, auth: { methodId } } } })
      assert.strictEqual((yield* Effect.flip(agent.start(by("another")))).problem.code, "auth-required")
      assert.strictEqual((yield* agent.start(by("scripted"))).origin, "new")
    })
  )

  it("gives programs that we know what they should have, however they are run", () => {
    const noUpdate = { AUGMENT_DISABLE_AUTO_UPDATE: "1" }
    assert.deepEqual(environmentOf("/opt/bin/auggie", ["--acp"]), noUpdate)
    assert.deepEqual(environmentOf("npx", ["-y", "@augmentcode/auggie@1.2.3", "--acp"]), noUpdate)
    assert.deepEqual(environmentOf("npx", ["-y", "@augmentcode/other", "--acp"]), {})
    assert.deepEqual(environmentOf("node", ["auggie"]), {})
    assert.include(Object.keys(environmentOf("droid", ["exec"])), "DROID_DISABLE_AUTO_UPDATE")
  })
})
