/** How much text waits for an editor. */
import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import { EditorDesk } from "../../src/editors/EditorDesk.ts"
import * as EditorWrites from "../../src/provider/acp/requests/EditorWrites.ts"
import * as Containment from "../../src/workspace/Containment.ts"
import type { Grant } from "../../src/workspace/ProtectedPaths.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"

describe("the writes that wait for an editor", () => {
  it.live("are at most 64 MiB of text, and room comes back when some are withdrawn", () =>
    Effect.gen(function* () {
      const desk = yield* EditorDesk
      const threadId = ThreadId.make("bytes")
      const offers = { readTextFile: false, writeTextFile: true, terminal: false }
      const frames = yield* Stream.toQueue(desk.attach(threadId, "Quill", offers), { capacity: 1000 })
      yield* Queue.take(frames)
      const cwd = temporaryFolder("project")
      const grant: Grant = { roots: yield* Containment.pin([cwd]), own: [] }
      const emission = { emit: () => {} }
      const writes = yield* EditorWrites.make({ desk, threadId, folders: [cwd], emission, refused: () => {} })
      const text = "x".repeat(10 * 1024 * 1024)
      const write = (name: string) =>
        writes.write(grant, join(cwd, name), text, Effect.die("The server must not write it"))
      const waiting = yield* Effect.forEach(["1", "2", "3", "4", "5", "6"], (name) =>
        Effect.forkChild(write(name), { startImmediately: true })
      )
      assert.include((yield* Effect.flip(write("7"))).message, "64 MiB of text wait for an editor already")
      writes.withdrawWrites()
      for (const one of waiting) yield* Effect.flip(Fiber.join(one))
      const again = yield* Effect.forkChild(write("7"), { startImmediately: true })
      writes.withdrawWrites()
      assert.include((yield* Effect.flip(Fiber.join(again))).message, "was not written")
    }).pipe(Effect.scoped)
  )
})
