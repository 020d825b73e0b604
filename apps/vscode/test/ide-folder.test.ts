import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../packages/system/test/support/TemporaryFolder.ts"
import * as ServedFolder from "../src/ide/ServedFolder.ts"

describe("questions about code", () => {
  it.effect("are about the folders of the session that the window has, and no keys in them", () =>
    Effect.gen(function* () {
      const home = realpathSync(temporaryFolder("window"))
      const [cwd, further, elsewhere] = [join(home, "in", "shop"), join(home, "in", "more"), join(home, "out")]
      for (const folder of [cwd, further, elsewhere]) {
        mkdirSync(folder, { recursive: true })
        for (const name of ["a.ts", ".netrc"]) writeFileSync(join(folder, name), "")
      }
      symlinkSync(elsewhere, join(cwd, "away"))
      const window = [join(home, "in")]
      const folder = yield* ServedFolder.open({ cwd, given: [cwd, further, elsewhere], window })
      for (const inside of [cwd, further])
        assert.strictEqual(yield* folder.follow(join(inside, "a.ts")), join(inside, "a.ts"))
      assert.strictEqual(
        (yield* Effect.flip(folder.follow(join(elsewhere, "a.ts")))).message,
        `${join(elsewhere, "a.ts")} is in no folder of this window of VS Code. Add its folder to the workspace there.`
      )
      for (const path of [join(cwd, "away", "a.ts"), join(home, "in", "a.ts")])
        assert.include((yield* Effect.flip(folder.follow(path))).message, "is outside of the session's folders")
      assert.include((yield* Effect.flip(folder.follow(".netrc"))).message, "holds keys or passwords")
    })
  )
})
