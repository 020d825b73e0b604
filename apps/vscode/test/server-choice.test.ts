import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ServerChoice from "../src/server/ServerChoice.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "signalbox-choice-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Looks for the server of a folder in which none runs. The command would leave a trace. */
const titleFor = Effect.fnUntraced(function* (choice: Partial<ServerChoice.ServerChoice>) {
  const home = yield* folder
  const trace = join(home, "was-started")
  const all = { stateFolder: home, command: ["touch", trace], mayStart: true, isTrusted: true, ...choice }
  const { problem } = yield* Effect.flip(ServerChoice.find(all))
  assert.isFalse(existsSync(trace), problem.title)
  return `${problem.title} ${problem.cause}`
})

describe("no server is started", () => {
  it.live("in a window that is not trusted", () =>
    Effect.map(titleFor({ isTrusted: false }), (words) => assert.include(words, "has not been told to trust"))
  )

  it.live("where the person has turned that off", () =>
    Effect.map(titleFor({ mayStart: false }), (words) => assert.include(words, "signalbox.startServer is off"))
  )

  it.live("where the setting names no program, or one that is not there", () =>
    Effect.gen(function* () {
      for (const command of [[], [" "]])
        assert.include(yield* titleFor({ command }), "signalbox.command names no program")
      assert.include(yield* titleFor({ command: ["signalbox-is-not-here"] }), "signalbox-is-not-here was not found")
    })
  )

  it.live("for a state folder that is no whole path", () =>
    Effect.map(titleFor({ stateFolder: "state" }), (words) => assert.include(words, "no whole path. It says state"))
  )
})
