/** The built-in reference agent for suggestions, by its name and with `signalbox nes try`. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, temporaryFolder } from "./support/Signalbox.ts"

it.live("the built-in agent for suggestions is found by its name, and suggests the rest of a line", () =>
  Effect.gen(function* () {
    const cwd = realpathSync(temporaryFolder("project"))
    writeFileSync(join(cwd, "a.py"), "item1 = f(10)\nitem2 = f(20)\nitem\n")
    const provider = ["--provider", "signalbox-nes"]
    const suggested = yield* call(["nes", "try", "a.py", "--line", "3", "--column", "5", ...provider], { cwd })
    assert.include(suggested.stdout, "\n-item\n+item3 = f(30)\n")
    assert.strictEqual(suggested.code, 0)
    const none = yield* call(["nes", "try", "a.py", "--line", "1", "--column", "1", ...provider], { cwd })
    assert.strictEqual(none.code, 4)
  })
)

it.live("in a chat, it says what it is for", () =>
  Effect.gen(function* () {
    const cwd = realpathSync(temporaryFolder("project"))
    const ran = yield* call(["run", "--provider", "signalbox-nes", "Hello"], { cwd })
    assert.match(ran.stdout, /I suggest the next edit while you write in an editor/)
  })
)
