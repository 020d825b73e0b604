/** IDE operations in a chain: by language servers, or by a client that has them itself. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import * as Duration from "effect/Duration"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { project, serversFor, typescript } from "../../../../lsp/test/support/Servers.ts"
import * as IdeParts from "./IdeParts.ts"

const files = {
  "tsconfig.json": '{"compilerOptions":{"strict":true,"target":"es2022","module":"nodenext"}}',
  "src/shop.ts": "/** It sells. */\r\nexport class Shop {\r\n  total(): number {\r\n    return 1\r\n  }\r\n}\r\n",
  "src/main.ts":
    'import { Shop } from "./shop.js"\n\nexport const total = (): string => "🚦" + new Shop().total()\ntotal()\n',
  "src/broken.ts": 'export const one: number = "1"\n'
}

const serving = (definition: ServerDefinition, limits?: object) => ({
  definitions: [definition],
  open: ([folder = "/"]: ReadonlyArray<string>) => serversFor(folder, { servers: [definition], ...limits })
})

const languageServers = serving(typescript)

describe("IDE operations for a client without them", () => {
  it.live("are answered by a language server of the session's folder", () =>
    Effect.gen(function* () {
      const cwd = yield* project(files)
      const { heard, open, parts } = yield* IdeParts.start({ host: { languageServers } })
      assert.deepStrictEqual(parts, ["ide-operations (adapter)", "ide-operations", "bridge (added)"])
      const { call, program, said } = yield* open(cwd)

      const shop = { path: "src/shop.ts", start: { line: 2, column: 14 }, end: { line: 2, column: 18 } }
      assert.deepStrictEqual(yield* program('findDefinitions("Shop")'), [
        { name: "Shop", kind: "class", definedAt: { ...shop, content: "export class Shop {" } }
      ])
      const places = (found: ReadonlyArray<{ referencedAt: typeof shop }>) =>
        found.map(({ referencedAt: { path, start } }) => `${path}:${start.line}:${start.column}`).toSorted()
      assert.deepStrictEqual(places(yield* program('findReferences(findDefinitions("Shop"))')), [
        "src/main.ts:1:10",
        "src/main.ts:3:47",
        "src/shop.ts:2:14"
      ])
      // Columns count in UTF-16, behind a character of two units, too.
      assert.deepStrictEqual(places(yield* program('findReferences("Shop.total")')), [
        "src/main.ts:3:54",
        "src/shop.ts:3:3"
      ])
      const ambiguous = yield* said("ide_operation", { program: 'findReferences("total")' })
      assert.include(ambiguous, "has 2 definitions. Put one of these in its place")
      const [{ info }] = yield* program('getSymbolInfo("Shop")')
      assert.include(info, "class Shop")
      assert.include(info, "It sells.")

      const at = { file_path: "src/main.ts", line: 2, character: 46 }
      assert.include(yield* call("ide_hover", at), "new Shop(): Shop")
      const { places: defined } = yield* call("ide_definition", at)
      assert.deepStrictEqual(defined, [
        {
          file_path: "src/shop.ts",
          range: { start: { line: 1, character: 13 }, end: { line: 1, character: 17 } },
          text: "export class Shop {"
        }
      ])
      assert.lengthOf((yield* call("ide_references", at)).places, 3)
      const { symbols } = yield* call("ide_symbols", { file_path: "src/shop.ts" })
      assert.deepStrictEqual(
        symbols.map(({ container, kind, name }: { [key: string]: string }) => [name, kind, container]),
        [
          ["Shop", "class", undefined],
          ["total", "method", "Shop"]
        ]
      )
      const [finding] = yield* call("ide_diagnostics", { file_path: "src/broken.ts" })
      assert.deepStrictEqual(
        [finding.severity, finding.code, finding.range.start],
        ["error", 2322, { line: 0, character: 13 }]
      )

      const name = { file_path: "src/shop.ts", line: 1, character: 13 }
      const { edits, notes } = yield* call("ide_rename_preview", { ...name, new_name: "Store" })
      assert.deepStrictEqual(notes, [])
      const renamed = edits.map(
        ({
          file_path,
          new_text,
          range: { start }
        }: {
          file_path: string
          new_text: string
          range: { start: object }
        }) => [file_path, start, new_text] as const
      )
      assert.deepInclude(renamed, ["src/shop.ts", { line: 1, character: 13 }, "Store"])
      assert.deepInclude(renamed, ["src/main.ts", { line: 2, character: 46 }, "Store"])
      const { proposals } = yield* call("ide_completion", { file_path: "src/main.ts", line: 2, character: 53 })
      assert.include(
        proposals.map(({ label }: { label: string }) => label),
        "total"
      )
      assert.isArray(yield* call("ide_code_actions", { file_path: "src/broken.ts", line: 0, character: 13 }))
      writeFileSync(join(cwd, "src/ugly.ts"), "export   const ugly=1\n")
      const formatted = yield* call("ide_format_preview", { file_path: "src/ugly.ts" })
      assert.isAbove(formatted.edits.length, 0)

      // A file that changed on the disk meanwhile is asked about as it is now.
      writeFileSync(join(cwd, "src/broken.ts"), "export const one: number = 1\nexport class Later {}\n")
      assert.deepStrictEqual(yield* call("ide_diagnostics", { file_path: "src/broken.ts" }), [])
      assert.strictEqual((yield* program('findDefinitions("Later")'))[0].definedAt.start.line, 2)

      for (const file_path of ["../outside.ts", "/etc/hostname"])
        assert.include(yield* said("ide_hover", { ...at, file_path }), "is outside of the session's folder")
      assert.include(yield* said("ide_hover", { ...at, file_path: "missing.ts" }), "missing.ts does not exist.")
      assert.include(
        yield* said("ide_operation", { program: "findReferences(Shop" }),
        "Line 1, column 16: a bare word is no value."
      )
      // Nothing of it has reached the client.
      assert.deepStrictEqual(
        heard.filter(({ method }) => method.startsWith("_ide/")),
        []
      )
    })
  )

  it.live("name what this machine lacks", () =>
    Effect.gen(function* () {
      const cwd = yield* project(files)
      const missing = { ...typescript, command: "/nowhere/no-such-server", args: [] }
      const { open } = yield* IdeParts.start({
        host: { languageServers: serving(missing, { limits: { ready: Duration.seconds(1) } }) }
      })
      const { program, saidAtOnce } = yield* open(cwd)
      assert.include(
        yield* saidAtOnce("ide_operation", { program: 'findDefinitions("Shop")' }),
        "/nowhere/no-such-server"
      )
      // What needs no server works.
      assert.lengthOf((yield* program('search("src", "class Shop")')).matches, 1)
      const without = yield* IdeParts.start({ host: { languageServers: { definitions: [] } } })
      const session = yield* without.open(cwd)
      assert.include(
        yield* session.said("ide_operation", { program: 'findDefinitions("Shop")' }),
        "Shop seems to be defined in src/shop.ts. Nobody can be asked about typescript: no language server for it is known."
      )
    })
  )
})

describe("A language server", () => {
  const node = (program: string): ServerDefinition => ({
    ...typescript,
    name: "the server",
    command: process.execPath,
    args: ["-e", program]
  })
  const words = Effect.fnUntraced(function* (program: string) {
    const cwd = yield* project(files)
    // Node has started by then, also on a busy machine.
    const { open } = yield* IdeParts.start({
      host: { languageServers: serving(node(program), { limits: { ready: Duration.seconds(5) } }) }
    })
    return yield* (yield* open(cwd)).saidAtOnce("ide_hover", { file_path: "src/main.ts", line: 0, character: 0 })
  })

  it.live("that never answers is named, with what it waits for", () =>
    Effect.gen(function* () {
      assert.match(yield* words("process.stdin.resume()"), /^ERROR: .*the server (?:is starting|starts|has not|is not)/)
    })
  )

  it.live("that crashes is named, with its last words", () =>
    Effect.gen(function* () {
      const said = yield* words('console.error("no licence"); process.exit(3)')
      assert.match(said, /^ERROR: .*the server/)
      assert.include(said, "no licence")
    })
  )
})

describe("IDE operations for a client that has them", () => {
  const definedAt = { path: "a.ts", start: { line: 1, column: 7 }, end: { line: 1, column: 8 }, content: "const X = 1" }
  const symbol = { name: "X", kind: "constant", definedAt }
  const answers: { readonly [method: string]: (params: { readonly [name: string]: unknown }) => unknown } = {
    "_ide/resolve_symbol": ({ name }) =>
      name === "X" ? { symbols: [symbol] } : new Error("The index is being built."),
    "_ide/references": ({ symbol }) => ({ references: [{ ...(symbol as object), referencedAt: definedAt }] }),
    "_ide/lsp": ({ method }) => ({ contents: `answer to ${String(method)}` }),
    "_ide/diagnostics": () => ({ diagnostics: "none" }),
    "_ide/selection": () => ({ selection: definedAt })
  }

  it.live("pass through as they come, to the same tools", () =>
    Effect.gen(function* () {
      const cwd = yield* project({ "a.ts": "const X = 1\n" })
      const { heard, open, parts } = yield* IdeParts.start({
        host: { languageServers },
        answer: ({ method, params }) => answers[method]?.(params)
      })
      assert.deepStrictEqual(parts, ["ide-operations", "bridge (added)"])
      const { call, program, said, sessionId } = yield* open(cwd)
      assert.deepStrictEqual(yield* program('findDefinitions("X")'), [symbol])
      assert.lengthOf(yield* program('findReferences("X")'), 1)
      assert.deepStrictEqual(yield* program("selection()"), definedAt)
      assert.strictEqual(
        yield* call("ide_hover", { file_path: "a.ts", line: 0, character: 6 }),
        "answer to textDocument/hover"
      )
      assert.include(
        yield* said("ide_operation", { program: 'findDefinitions("Y")' }),
        "findDefinitions: The index is being built."
      )
      assert.include(
        yield* said("ide_operation", { program: "diagnostics()" }),
        "The answer to _ide/diagnostics can't be read."
      )
      const asked = heard.filter(({ method }) => method.startsWith("_ide/"))
      assert.deepStrictEqual(
        asked.map(({ method }) => method),
        [
          "_ide/resolve_symbol",
          "_ide/resolve_symbol",
          "_ide/references",
          "_ide/selection",
          "_ide/lsp",
          "_ide/resolve_symbol",
          "_ide/diagnostics"
        ]
      )
      assert.deepStrictEqual(asked[0]?.params, { sessionId, name: "X" })
      assert.deepStrictEqual(asked[2]?.params, { sessionId, symbol })
    })
  )

  it.live("propose changes, which are shown and never made", () =>
    Effect.gen(function* () {
      const cwd = yield* project({ "a.ts": "const X = 1\n", "b.ts": "X\n" })
      const uri = (path: string) => pathToFileURL(join(cwd, path)).href
      const at = (line: number, from: number, to: number) => ({
        start: { line, character: from },
        end: { line, character: to }
      })
      const edits = [{ range: at(0, 6, 7), newText: "Y" }]
      const results: { [method: string]: unknown } = {
        "textDocument/rename": {
          documentChanges: [
            { textDocument: { uri: uri("a.ts"), version: null }, edits },
            { textDocument: { uri: "file:///etc/hostname", version: null }, edits },
            { kind: "create", uri: uri("new.ts") }
          ]
        },
        "textDocument/formatting": edits,
        "textDocument/completion": { isIncomplete: false, items: [{ label: "X", kind: 21, detail: "const X: 1" }] },
        "textDocument/codeAction": [
          { title: "Rename it", kind: "quickfix", edit: { changes: { [uri("b.ts")]: edits } } }
        ]
      }
      const { heard, open } = yield* IdeParts.start({
        answer: ({ method, params }) => (method === "_ide/lsp" ? results[params.method] : { diagnostics: [] })
      })
      const { call, said } = yield* open(cwd)
      const place = { file_path: "a.ts", line: 0, character: 6 }
      const renamed = yield* call("ide_rename_preview", { ...place, new_name: "Y" })
      const edit = { file_path: "a.ts", range: at(0, 6, 7), new_text: "Y" }
      assert.deepStrictEqual(renamed, {
        edits: [edit],
        notes: [
          "It would also change files outside of the session's folders, which is not shown: file:///etc/hostname",
          "It would also create, rename or delete one file, which is not shown."
        ]
      })
      assert.strictEqual(heard.findLast(({ method }) => method === "_ide/lsp")?.params.params.newName, "Y")
      assert.deepStrictEqual(yield* call("ide_format_preview", { file_path: "a.ts" }), { edits: [edit], notes: [] })
      assert.deepStrictEqual(yield* call("ide_completion", place), {
        proposals: [{ label: "X", detail: "const X: 1" }],
        isCut: false
      })
      assert.deepStrictEqual(yield* call("ide_code_actions", place), [
        { title: "Rename it", kind: "quickfix", edits: [{ ...edit, file_path: "b.ts" }], notes: [] }
      ])
      // A change that can't be read in full is not shown in part.
      results["textDocument/formatting"] = [...edits, { range: at(0, 0, 1) }]
      assert.include(yield* said("ide_format_preview", { file_path: "a.ts" }), "can't be read, so none of it is shown.")
      assert.strictEqual(readFileSync(join(cwd, "a.ts"), "utf8"), "const X = 1\n")
    })
  )
})
