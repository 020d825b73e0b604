/** The real Pyright: versions of diagnostics, capabilities that are registered later, settings that it asks for. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { project, pyright, serversFor } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })

describe("pyright", () => {
  it.live(
    "finds definitions in other files, and its findings follow the text of an editor",
    () =>
      Effect.gen(function* () {
        const folder = yield* project({
          "pyproject.toml": '[tool.pyright]\npythonVersion = "3.12"\n',
          "shapes.py": "class Circle:\n    radius: float = 1.0\n",
          "main.py": 'from shapes import Circle\n\nprint(Circle().radius)\nsize: int = "1"\n'
        })
        const servers = yield* serversFor(folder, { servers: [pyright] })
        const main = join(folder, "main.py")
        const [server] = yield* servers.forFile(main)
        if (server === undefined) return assert.fail("no server")
        const [definition] = yield* server.definition(main, at(2, 7))
        assert.strictEqual(definition?.path, join(folder, "shapes.py"))
        assert.deepStrictEqual(definition?.range, { start: at(0, 6), end: at(0, 12) })
        const symbols = yield* server.documentSymbols(join(folder, "shapes.py"))
        assert.deepStrictEqual(
          symbols[0]?.children.map(({ kind, name }) => `${kind} ${name}`),
          ["variable radius"]
        )
        const findings = Effect.map(servers.diagnostics.of(main, { within: "1 minute" }), ({ found, waitingFor }) => {
          assert.deepStrictEqual(waitingFor, [])
          return found.flatMap(({ items, version }) =>
            items.map(({ code, range }) => ({ code, version, line: range.start.line }))
          )
        })
        assert.deepStrictEqual(yield* findings, [{ code: "reportAssignmentType", version: 1, line: 3 }])
        yield* servers.documents.open({ path: main, version: 10, text: 'size: int = "1"\n' })
        assert.deepStrictEqual(yield* findings, [{ code: "reportAssignmentType", version: 10, line: 0 }])
        yield* servers.documents.change(main, 11, [{ range: { start: at(0, 12), end: at(0, 15) }, text: "1" }])
        assert.deepStrictEqual(yield* findings, [])
      }),
    120_000
  )
})
