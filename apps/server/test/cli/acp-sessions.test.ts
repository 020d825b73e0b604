/** Sessions of `signalbox acp` that are begun, stopped by others, and found again by their folders. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { served } from "../support/ServedThreads.ts"
import * as SdkEditor from "./support/SdkEditor.ts"
import { temporaryFolder } from "./support/Signalbox.ts"

const { session } = acp.methods.agent

describe("sessions of an editor", () => {
  it.live("a start that somebody stops on the page is answered, and its thread is gone", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const agents = { silent: { command: "/bin/sh", args: ["-c", "exec sleep 600"] } }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents }), { mode: 0o600 })
      const page = yield* served(state)
      const editor = yield* SdkEditor.start(state, { flags: ["--provider", "silent"] })
      const refused = yield* Effect.forkScoped(
        editor.refused((agent) => agent.request(session.new, { cwd: temporaryFolder("project"), mcpServers: [] }))
      )
      const { threadId } = yield* page.client.watchThreads().pipe(
        Stream.flatMap(({ threads }) => Stream.fromIterable(threads)),
        Stream.runHead,
        Effect.flatMap(Effect.fromOption)
      )
      const watcher = yield* page.watch(threadId)
      yield* watcher.until((view) => view.session.state === "starting")
      yield* page.send(threadId, { type: "session.stop" })
      const { message } = yield* Fiber.join(refused)
      assert.include(message, "was stopped before it was ready")
      assert.include(message, "Next: ")
      const left = yield* Effect.flatMap(Stream.runHead(page.client.watchThreads()), Effect.fromOption)
      assert.deepStrictEqual(left.threads, [])
    }).pipe(Effect.scoped)
  )

  it.live("are listed for their folder, by whichever of its names", () =>
    Effect.gen(function* () {
      const state = SdkEditor.stateWithScripts()
      yield* served(state)
      const editor = yield* SdkEditor.start(state)
      const real = temporaryFolder("project")
      const link = join(temporaryFolder("links"), "by another name")
      symlinkSync(real, link)
      const listed = (cwd: string) =>
        Effect.map(
          editor.request((agent) => agent.request(session.list, { cwd })),
          ({ sessions }) => sessions.map(({ sessionId }) => sessionId)
        )
      const { sessionId } = yield* editor.newSession(real)
      assert.deepStrictEqual(yield* listed(link), [sessionId])
      assert.deepStrictEqual(yield* listed(real), [sessionId])
      yield* editor.request((agent) => agent.request(session.load, { sessionId, cwd: link, mcpServers: [] }))
    }).pipe(Effect.scoped)
  )
})
