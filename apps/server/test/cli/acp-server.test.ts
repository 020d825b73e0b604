/** The server behind `signalbox acp`: started where none runs, gone after its last client, and found again. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { served } from "../support/ServedThreads.ts"
import * as SdkEditor from "./support/SdkEditor.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const { session } = acp.methods.agent

/** The scripted agent goes on with a session in another process. */
const resumable = {
  SCRIPTED_AGENT: JSON.stringify({ resume: {} })
}

const flagsFor = (time: string) => ["--provider", "scripts", "--server-ends-after", time]

const serverOf = (state: string): { readonly pid: number; readonly url: string } =>
  JSON.parse(readFileSync(join(state, "server.json"), "utf8"))

const lives = (pid: number): boolean =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0

/** Completes when the process has ended. It has a minute on a busy machine. */
const gone = (pid: number) =>
  Effect.suspend(() => (lives(pid) ? Effect.fail("It still runs.") : Effect.void)).pipe(
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 3000 })
  )

/** A state folder. Its server ends with the scope, whoever has started it. */
const stateOf = (env: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => SdkEditor.stateWithScripts(env, { files: "read" })),
    (state) =>
      Effect.suspend(() => {
        if (!existsSync(join(state, "server.json"))) return Effect.void
        const { pid } = serverOf(state)
        process.kill(pid, "SIGTERM")
        return Effect.orDie(gone(pid))
      })
  )

describe("the server of signalbox acp", () => {
  it.live(
    "is started where none runs, is one for several editors, outlives a killed editor, and ends after its last client",
    () =>
      Effect.gen(function* () {
        const state = yield* stateOf()
        const cwd = temporaryFolder("project")
        const [editor, other] = yield* Effect.all(
          [SdkEditor.start(state, { flags: flagsFor("2s") }), SdkEditor.start(state, { flags: flagsFor("2s") })],
          { concurrency: "unbounded" }
        )
        const { pid } = serverOf(state)
        const { sessionId } = yield* editor.newSession(cwd)
        yield* Effect.forkScoped(
          Effect.exit(editor.prompt(sessionId, { text: "begun" }, { waitForFile: "go" }, { text: ", done" }))
        )
        yield* editor.until(({ updates }) => SdkEditor.textOf(updates) === "begun")
        editor.kill("SIGKILL")
        yield* editor.ended
        yield* other.request((agent) => agent.request(session.load, { sessionId, cwd, mcpServers: [] }))
        assert.strictEqual(SdkEditor.textOf(other.updates), "begun")
        writeFileSync(join(cwd, "go"), "")
        yield* other.until(({ updates }) => SdkEditor.textOf(updates) === "begun, done")
        assert.isTrue(lives(pid))
        other.stdin.end()
        assert.strictEqual((yield* other.ended).code, 0)
        yield* gone(pid)
        assert.isFalse(existsSync(join(state, "server.json")))
      }).pipe(Effect.scoped)
  )

  it.live("goes on while an agent is at work, without any client", () =>
    Effect.gen(function* () {
      const state = yield* stateOf()
      const cwd = temporaryFolder("project")
      const editor = yield* SdkEditor.start(state, { flags: flagsFor("0s") })
      const { pid } = serverOf(state)
      const { sessionId } = yield* editor.newSession(cwd)
      yield* Effect.forkScoped(
        Effect.exit(editor.prompt(sessionId, { text: "begun" }, { waitForFile: "go" }, { write: "done" }))
      )
      yield* editor.until(({ updates }) => SdkEditor.textOf(updates) === "begun")
      editor.stdin.end()
      yield* editor.ended
      // It would end at once otherwise.
      assert.isTrue(lives(pid))
      writeFileSync(join(cwd, "go"), "")
      yield* gone(pid)
      assert.isTrue(existsSync(join(cwd, "done")))
    }).pipe(Effect.scoped)
  )

  it.live("may be started again meanwhile: the editor goes on, and learns that its turn is lost", () =>
    Effect.gen(function* () {
      const state = yield* stateOf(resumable)
      const cwd = temporaryFolder("project")
      const first = yield* served(state)
      const capabilities = { fs: { readTextFile: true } }
      const editor = yield* SdkEditor.start(state, { flags: flagsFor("10m"), capabilities })
      const { sessionId } = yield* editor.newSession(cwd)
      const lost = yield* Effect.forkScoped(
        editor.refused((agent) =>
          agent.request(session.prompt, {
            sessionId,
            prompt: [SdkEditor.promptOf({ text: "begun" }, { waitForCancel: true })]
          })
        )
      )
      yield* editor.until(({ updates }) => SdkEditor.textOf(updates) === "begun")
      first.server.kill("SIGKILL")
      yield* first.server.ended
      const error = yield* Fiber.join(lost)
      assert.match(error.message, /^This turn is lost\./)
      const path = join(cwd, "a.txt")
      const read = { request: { method: "fs/read_text_file", params: { path } } }
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, read, { text: " again" }))
      // It has the thread open with the new server, too.
      yield* editor.until(({ calls }) => calls.reads.length === 1)
      editor.calls.reads[0]?.answer({ content: "not saved" })
      yield* Fiber.join(turn)
      assert.include(SdkEditor.textOf(editor.updates), "not saved")
      assert.isTrue(SdkEditor.textOf(editor.updates).endsWith(" again"))
    }).pipe(Effect.scoped)
  )

  it.live("is named with its words where it does not start", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      mkdirSync(join(state, "signalbox.sqlite"))
      const { code, stderr, stdout } = yield* call(["acp", "--state-dir", state])
      assert.strictEqual(code, 1)
      assert.strictEqual(stdout, "")
      assert.match(
        stderr,
        /^error: No Signalbox server is running, and none could be started\.\n  It ended with the exit code 1\.\n/
      )
      assert.include(stderr, "Next: Start one with signalbox serve, and read what it says")
      const wrong = yield* call(["acp", "--server-ends-after", "soon"])
      assert.deepInclude(wrong, { code: 2, stdout: "" })
      assert.include(wrong.stderr, "signalbox acp: --server-ends-after soon is no length of time; 30s, 10m and 2h are.")
    })
  )

  it.live("refuses a time that is none", () =>
    Effect.gen(function* () {
      const wrong = yield* call(["serve", "--end-after", "never"])
      assert.deepInclude(wrong, { code: 2 })
      assert.include(wrong.stderr, "signalbox serve: --end-after never is no length of time; 30s, 10m and 2h are.")
    })
  )
})
