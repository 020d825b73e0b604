/** What stands in the place of language servers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../system/test/support/TemporaryFolder.ts"
import * as SessionFolder from "../../src/files/SessionFolder.ts"
import * as LanguageServerIde from "../../src/servers/LanguageServerIde.ts"

describe("a language that nobody knows", () => {
  it.effect("is answered by the advice of whoever answers", () =>
    Effect.gen(function* () {
      const cwd = temporaryFolder("project")
      writeFileSync(join(cwd, "a.lua"), "local function Shop()\nend\n")
      const none = () => Effect.succeed([])
      const ide = LanguageServerIde.make({
        servers: { forFile: none, forFolder: none, diagnostics: { of: () => Effect.never, everywhere: none } },
        definitions: [],
        missing: [],
        advice: (language) => `Install an extension for ${language}.`,
        folder: yield* SessionFolder.open(cwd)
      })
      const { message } = yield* Effect.flip(ide.resolveSymbol("Shop"))
      assert.include(message, "Nobody can be asked about lua: Install an extension for lua.")
    })
  )
})
