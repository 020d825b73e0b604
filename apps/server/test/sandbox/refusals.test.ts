/** Nothing is started where a sandbox would not hold or can't be made, and the words say why. */
import { assert, describe, it } from "@effect/vitest"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Bubblewrap from "../../src/sandbox/Bubblewrap.ts"
import * as Sandbox from "../../src/sandbox/Sandbox.ts"
import { boxesAreSkipped, sandboxOf, world } from "../support/Boxes.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bwrap-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** Puts a script in the place of bubblewrap. */
const standIn = (path: string, script: string): void => {
  writeFileSync(join(path, "bwrap"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

const wordsOf = ({ problem }: Refused): string =>
  [
    problem.title,
    problem.cause,
    ...(problem.evidence.stderrTail ?? []),
    ...problem.nextSteps.map(({ label }) => label)
  ].join("\n")

describe.skipIf(process.platform !== "linux")("a machine has no sandbox", () => {
  const refused = (path: string, writable: ReadonlyArray<string> = []) =>
    Effect.map(Effect.flip(Bubblewrap.find({ writable, path })), wordsOf)

  it.live("without bubblewrap", () =>
    Effect.gen(function* () {
      const words = yield* refused(yield* folder)
      assert.include(words, "The sandbox does not work here, so nothing was started.")
      assert.include(words, "bubblewrap isn't installed")
      assert.include(words, "Install bubblewrap 0.8 or later")
      assert.include(words, '"sandbox": false')
    })
  )

  it.live("with one that is too old, or says nothing of its version", () =>
    Effect.gen(function* () {
      const path = yield* folder
      standIn(path, "echo bubblewrap 0.7.9")
      assert.include(yield* refused(path), "is bubblewrap 0.7.9; 0.8 is needed")
      standIn(path, "echo hello")
      assert.include(yield* refused(path), "of an unknown version")
    })
  )

  it.live("with one that has rights of another user", () =>
    Effect.gen(function* () {
      const path = yield* folder
      standIn(path, "echo bubblewrap 0.11.0")
      chmodSync(join(path, "bwrap"), 0o4755)
      assert.include(yield* refused(path), "setuid")
    })
  )

  it.live("with one that the agent may write, also behind a link", () =>
    Effect.gen(function* () {
      const [path, linked] = [yield* folder, yield* folder]
      standIn(path, "echo bubblewrap 0.11.0")
      symlinkSync(join(path, "bwrap"), join(linked, "bwrap"))
      assert.include(yield* refused(path, [path]), "The agent may write there")
      assert.include(yield* refused(linked, [path]), "The agent may write there")
    })
  )

  it.live("where its trial fails, in the words of bubblewrap", () =>
    Effect.gen(function* () {
      const path = yield* folder
      standIn(
        path,
        'case $1 in --version) echo bubblewrap 0.11.0;; *) echo "bwrap: setting up uid map: Permission denied" >&2; exit 1;; esac'
      )
      const words = yield* refused(path)
      assert.include(words, "was tried and exited with 1")
      assert.include(words, "bwrap: setting up uid map: Permission denied")
    })
  )
})

describe.skipIf(boxesAreSkipped)("a sandbox would not hold", () => {
  it.live("where the agent may write its program, which runs outside for its version", () =>
    Effect.gen(function* () {
      const place = yield* world
      const command = join(place.project, "agent")
      writeFileSync(command, "#!/bin/sh\n", { mode: 0o755 })
      const options = {
        settings: true,
        folders: [place.project],
        own: [place.state],
        agent: { program: { command, args: [], env: { HOME: place.home } }, cwd: place.project }
      }
      yield* Sandbox.make(options)
      const refusal = yield* Effect.flip(Sandbox.make({ ...options, runsOutside: true }))
      assert.include(wordsOf(refusal), "outside of the sandbox")
    })
  )

  it.live("where the agent may write the home folder, the state folder or keys", () =>
    Effect.gen(function* () {
      const place = yield* world
      const inState = join(place.state, "project")
      const inKeys = join(place.home, ".ssh/project")
      for (const path of [inState, inKeys]) mkdirSync(path)
      const words = (wishes: Parameters<typeof sandboxOf>[1]) =>
        Effect.map(Effect.flip(sandboxOf(place, wishes)), wordsOf)
      assert.include(yield* words({ folders: [place.home], cwd: place.home }), "holds the home folder")
      assert.include(yield* words({ folders: [place.project, place.folder] }), "holds the home folder")
      assert.include(yield* words({ folders: ["/"] }), "holds the home folder")
      assert.include(yield* words({ settings: { writable: [place.home] } }), "holds the home folder")
      assert.include(yield* words({ folders: [inState] }), "belongs to Signalbox's own state")
      assert.include(yield* words({ folders: [place.state] }), "belongs to Signalbox's own state")
      assert.include(yield* words({ settings: { readable: [join(place.state, "server.json")] } }), "own state")
      assert.include(yield* words({ folders: [inKeys] }), "holds keys or passwords")
    })
  )
})
