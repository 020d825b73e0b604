import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { assertReadable } from "./cli-support/Runs.ts"
import { agentsFolder, call, launcher, temporaryFolder } from "./cli-support/Signalbox.ts"

describe("signalbox doctor", () => {
  it.live("tells what is there, what is missing and what to do", () =>
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
      assert.match(loggedOut!.stdout, /login/)

      assert.strictEqual(noState!.code, 1)
      assert.match(noState!.stdout, /--state-dir/)
      for (const ended of [without!, withCursor!, loggedOut!, noState!]) assertReadable(ended)
    })
  )
})
