import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as RunningServer from "../src/RunningServer.ts"
import * as StartedServer from "../src/StartedServer.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "signalbox-attach-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Writes what a server says about itself. */
const announce = (directory: string, announced: unknown): void =>
  writeFileSync(join(directory, "server.json"), typeof announced === "string" ? announced : JSON.stringify(announced))

const started = (directory: string, program: string) =>
  Effect.flip(StartedServer.ensure(directory, { command: [process.execPath, "-e", program], endsAfter: "10m" }))

describe("a server that is looked for", () => {
  it.effect("is none where the file is missing, broken, or of a process that is gone", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      assert.isUndefined(yield* RunningServer.find(directory))
      const damaged = ["", "none", "https://127.0.0.1:1", "http://127.0.0.1:1"].map((url) => ({
        url,
        pid: process.pid,
        token: "t"
      }))
      const ended = { url: "http://127.0.0.1:1", pid: 2 ** 30, token: "t" }
      for (const file of ["", "{", "[]", ended, { url: 1 }, ...damaged]) {
        announce(directory, file)
        assert.isUndefined(yield* RunningServer.find(directory), JSON.stringify(file))
      }
    })
  )

  it.effect("is none where somebody else listens by now", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const other = createServer((_, response) => response.writeHead(404).end())
      yield* Effect.promise(() => new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve)))
      const address = other.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      announce(directory, { url: `http://127.0.0.1:${port}`, pid: process.pid, token: "t" })
      assert.isUndefined(yield* RunningServer.find(directory))
      other.close()
    })
  )
})

describe("a server that can't be started", () => {
  it.live("is a problem with its exit code and its last lines, in which nothing hides", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { problem } = yield* started(directory, "console.error('no\\u202Eway'); process.exit(3)")
      assert.strictEqual(problem.cause, "It ended with the exit code 3.")
      assert.strictEqual(problem.evidence.path, directory)
      assert.deepStrictEqual(problem.evidence.stderrTail?.length, 1)
      assert.notInclude(problem.evidence.stderrTail?.[0], "\u202E")
    })
  )

  it.live("is a problem that names a missing program", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { problem } = yield* Effect.flip(
        StartedServer.ensure(directory, { command: ["signalbox-is-not-here"], endsAfter: "10m" })
      )
      assert.include(problem.cause, "ENOENT")
    })
  )
})
