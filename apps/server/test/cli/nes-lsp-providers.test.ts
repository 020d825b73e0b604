/** `signalbox nes lsp` with agents that settings name: what the editor gets of each. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { boxesAreSkipped, git, world, type World } from "../support/Boxes.ts"
import * as FarAgent from "../support/FarAgent.ts"
import * as LspEditor from "./support/LspEditor.ts"
import { at } from "./support/LspWorkspace.ts"
import { call } from "./support/Signalbox.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const reference = programOf(new URL("../../../../packages/stand-in-agents/src/nes/main.ts", import.meta.url))
const suggester = fileURLToPath(new URL("../agents/suggester.mjs", import.meta.url))
const text = "item1 = f(10)\nitem2 = f(20)\nitem\n"

/** The reference agent, which first tries to write into the project. */
const writing = (place: World) => ({
  name: "Mine",
  command: "/bin/sh",
  args: ["-c", 'touch probe.txt 2>/dev/null; exec "$@"', "sh", process.execPath, reference],
  env: { HOME: place.home }
})

/** An editor in the world's project. `settings`: those of Signalbox. */
const opened = Effect.fnUntraced(function* (place: World, settings: object, ...args: ReadonlyArray<string>) {
  // The folders around it are ignored by Git.
  git(place.project, "init", "-q")
  writeFileSync(join(place.state, "settings.json"), JSON.stringify(settings), { mode: 0o600 })
  const editor = yield* LspEditor.start(args, { cwd: place.project, env: { SIGNALBOX_STATE_DIR: place.state } })
  yield* editor.initialize(LspEditor.inline)
  const uri = pathToFileURL(join(place.project, "b.py")).href
  yield* editor.open(uri, text)
  const complete = Effect.map(editor.complete(uri, at(2, 4)), (items) => items.map(({ insertText }) => insertText))
  return { editor, complete }
})

const provider = (name: string) => ["--provider", name]

describe("signalbox nes lsp, an agent of the settings", { timeout: 60_000 }, () => {
  it.live("suggests by its name, and without a name where the settings choose it for suggestions", () =>
    Effect.gen(function* () {
      const place = yield* world
      const probe = join(place.project, "probe.txt")
      const agents = { mine: writing(place), other: { command: "no-such-program" } }
      for (const [args, chosen] of [
        [provider("mine"), "other"],
        [[], "mine"]
      ] as const) {
        rmSync(probe, { force: true })
        const { complete, editor } = yield* opened(place, { agents, suggestions: { provider: chosen } }, ...args)
        assert.deepStrictEqual(yield* complete, ["3 = f(30)"])
        assert.strictEqual((yield* editor.leave).code, 0)
        assert.isTrue(existsSync(probe))
      }
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(boxesAreSkipped)(
    "suggests from the sandbox that its entry names, and can’t write into the project",
    () =>
      Effect.gen(function* () {
        const place = yield* world
        const agents = { mine: { ...writing(place), sandbox: true } }
        const { complete, editor } = yield* opened(place, { agents }, ...provider("mine"))
        assert.deepStrictEqual(yield* complete, ["3 = f(30)"])
        assert.strictEqual((yield* editor.leave).code, 0)
        assert.isFalse(existsSync(join(place.project, "probe.txt")))
      }).pipe(Effect.scoped)
  )

  it.live("suggests from elsewhere, with the headers of its entry", () =>
    Effect.gen(function* () {
      const place = yield* world
      const far = yield* FarAgent.serve([reference], {}, "Bearer one")
      const agents = { far: { url: far.url, headers: { Authorization: "Bearer one" } } }
      const { complete, editor } = yield* opened(place, { agents }, ...provider("far"))
      assert.deepStrictEqual(yield* complete, ["3 = f(30)"])
      assert.deepStrictEqual(far.authorizations, ["Bearer one"])
      assert.strictEqual((yield* editor.leave).code, 0)
    }).pipe(Effect.scoped)
  )

  it.live("that is not there, or makes no suggestions, is a message that says so", () =>
    Effect.gen(function* () {
      const place = yield* world
      const chat = {
        name: "Chat",
        command: process.execPath,
        args: [suggester],
        env: { SUGGESTER: '{"capabilities":{}}' }
      }
      for (const [name, agent, said] of [
        ["chat", chat, "Chat makes no suggestions. It does not offer next edit suggestions."],
        [
          "far",
          { name: "Far", url: "ws://127.0.0.1:9/acp" },
          "The agent can't be reached. There is no connection to ws://127.0.0.1:9/acp: connect ECONNREFUSED 127.0.0.1:9 Next: Check its address, and ask again"
        ]
      ] as const) {
        const { complete, editor } = yield* opened(place, { agents: { [name]: agent } }, ...provider(name))
        assert.deepStrictEqual(yield* complete, [])
        assert.strictEqual(yield* Queue.take(editor.messages), said)
        assert.strictEqual((yield* editor.leave).code, 0)
      }
    }).pipe(Effect.scoped)
  )

  it.live("that nobody has is a usage error, which names those that there are", () =>
    Effect.gen(function* () {
      const place = yield* world
      const state = { SIGNALBOX_STATE_DIR: place.state }
      writeFileSync(join(place.state, "settings.json"), JSON.stringify({ agents: { mine: writing(place) } }), {
        mode: 0o600
      })
      const ended = yield* call(["nes", "lsp", "--provider", "nobody"], { cwd: place.project, env: state })
      assert.deepStrictEqual([ended.code, ended.stdout], [2, ""])
      assert.include(ended.stderr, 'There is no agent "nobody". The agents are:')
      assert.match(ended.stderr, /\bmine +\(Mine\)/)
    }).pipe(Effect.scoped)
  )
})
