import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../system/test/support/TemporaryFolder.ts"
import * as GitReader from "../src/GitReader.ts"

describe("git as a reader", () => {
  it.live("says nothing where it can't be started: in a file, or in a folder that is gone", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("git")
      writeFileSync(join(folder, "file"), "")
      assert.isUndefined(yield* GitReader.run(join(folder, "file"), ["status"]))
      assert.isUndefined(yield* GitReader.run(join(folder, "missing"), ["status"]))
      assert.strictEqual((yield* GitReader.run(folder, ["--version"]))?.code, 0)
    })
  )
})
