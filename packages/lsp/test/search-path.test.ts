/** Programs that language servers find by their names: those of this machine, and none of a project. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import * as SearchPath from "../src/SearchPath.ts"
import { scripted } from "./support/Scripted.ts"
import { project, serversFor } from "./support/Servers.ts"

const start = { line: 0, character: 0 }
const printing = (words: string) => `#!/bin/sh\necho ${words}\n`

/** Gives this process another search path until the scope closes. */
const searchPath = (path: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env["PATH"]
      process.env["PATH"] = path
      return before
    }),
    (before) =>
      Effect.sync(() => {
        if (before === undefined) delete process.env["PATH"]
        else process.env["PATH"] = before
      })
  )

/** A project with programs that it would bring into every search path but one folder of the machine. */
const begin = Effect.gen(function* () {
  const own = ["node_modules/.bin/tool", "node_modules/.bin/own-server", "bin/tool", "bin/own-server", "tool"]
  const folder = yield* project({
    "a.txt": "",
    ...Object.fromEntries(own.map((name) => [name, printing("of the project")]))
  })
  const machine = yield* project({ tool: printing("of the machine") })
  for (const program of [...own.map((name) => join(folder, name)), join(machine, "tool")]) chmodSync(program, 0o755)
  yield* searchPath(`${folder}/node_modules/.bin:node_modules/.bin:bin:.::${machine}`)
  return { folder, path: join(folder, "a.txt") }
})

describe("a language server", () => {
  it.live("runs the programs of this machine, and none of node_modules or of a relative folder", () =>
    Effect.gen(function* () {
      const { folder, path } = yield* begin
      const { definition } = yield* scripted({
        capabilities: { hoverProvider: true },
        on: { "textDocument/hover": [{ do: "run", program: "tool" }] }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      const [server] = yield* servers.forFile(path)
      assert.strictEqual((yield* server?.hover(path, start) ?? Effect.undefined)?.contents.value, "of the machine")
    })
  )

  it.live("is no program of the project", () =>
    Effect.gen(function* () {
      const { folder, path } = yield* begin
      const { definition } = yield* scripted({}, { command: "own-server" })
      const servers = yield* serversFor(folder, { servers: [definition] })
      const { message, reason } = yield* Effect.flip(servers.forFile(path))
      assert.strictEqual(reason, "NotFound")
      assert.include(message, "own-server")
    })
  )
})

describe("a search path", () => {
  it("keeps the absolute folders of the machine in their order", () => {
    assert.strictEqual(
      SearchPath.withoutProjects("/b:/project/node_modules/.bin:node_modules/.bin:.::../x:/my_node_modules:/a"),
      "/b:/my_node_modules:/a"
    )
  })
})
