/** The real typescript-language-server over a project on the disk. */
import { assert, layer } from "@effect/vitest"
import * as Lenient from "@signalbox/acp/Lenient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as FileUri from "../src/FileUri.ts"
import type { Location } from "../src/features/Place.ts"
import type { LanguageServers } from "../src/servers/LanguageServers.ts"
import { project, serversFor, typescript } from "./support/Servers.ts"

const files = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, module: "nodenext", target: "es2022" },
    include: ["src"]
  }),
  "src/sum.ts": `/** Adds numbers. */
export const sum = (...numbers: ReadonlyArray<number>): number => numbers.reduce((total, each) => total + each, 0)

export class Counter {
  count = 0
  add(): void {
    this.count += 1
  }
}
`,
  "src/main.ts": `import { Counter, sum } from "./sum.js"

const total = sum(1, 2)
new Counter().add()
console.log("😀", sum(total))
`,
  "src/broken.ts": `export const one: number = "1"\n`,
  "src/edited.ts": `export const edited = 1\n`
}

class Project extends Context.Service<Project, { readonly folder: string; readonly servers: LanguageServers }>()(
  "test/Project"
) {}

const live = Layer.effect(
  Project,
  Effect.gen(function* () {
    const folder = yield* project(files)
    return { folder, servers: yield* serversFor(folder, { servers: [typescript] }) }
  })
)

const at = (line: number, character: number) => ({ line, character })

/** `file:line:character` of where each begins, as people count. */
const placesOf = (locations: ReadonlyArray<Location>) =>
  locations
    .map(({ path = "", range: { start } }) => `${basename(path)}:${start.line + 1}:${start.character + 1}`)
    .toSorted()

layer(live, { timeout: "2 minutes", excludeTestServices: true })("typescript-language-server", (it) => {
  const asked = Effect.gen(function* () {
    const { folder, servers } = yield* Project
    const main = join(folder, "src/main.ts")
    const [server] = yield* servers.forFile(main)
    if (server === undefined) return assert.fail("no server")
    return { folder, main, server, servers }
  })

  it.effect("hover shows the type and the documentation of a name", () =>
    Effect.gen(function* () {
      const { main, server } = yield* asked
      const hover = yield* server.hover(main, at(2, 15))
      assert.strictEqual(hover?.contents.kind, "markdown")
      assert.include(hover?.contents.value, "(alias) sum(...numbers: ReadonlyArray<number>): number")
      assert.include(hover?.contents.value, "Adds numbers.")
      assert.deepStrictEqual(hover?.range, { start: at(2, 14), end: at(2, 17) })
      assert.isUndefined(yield* server.hover(main, at(1, 0)))
    })
  )

  it.effect("definition and references are found in all files, behind a surrogate pair too", () =>
    Effect.gen(function* () {
      const { folder, main, server } = yield* asked
      assert.strictEqual(server.root, folder)
      const [definition] = yield* server.definition(main, at(4, 19))
      assert.strictEqual(definition?.path, join(folder, "src/sum.ts"))
      assert.deepStrictEqual(definition?.range, { start: at(1, 13), end: at(1, 16) })
      const uses = ["main.ts:1:19", "main.ts:3:15", "main.ts:5:19"]
      assert.deepStrictEqual(placesOf(yield* server.references(main, at(2, 14))), [...uses, "sum.ts:2:14"])
      assert.deepStrictEqual(placesOf(yield* server.references(main, at(2, 6))), ["main.ts:3:7", "main.ts:5:23"])
      const without = yield* server.references(main, at(2, 6), { includeDeclaration: false })
      assert.deepStrictEqual(placesOf(without), ["main.ts:5:23"])
    })
  )

  it.effect("symbols of a file are a tree, and those of the project are found by name", () =>
    Effect.gen(function* () {
      const { folder, server, servers } = yield* asked
      const symbols = yield* server.documentSymbols(join(folder, "src/sum.ts"))
      const counter = symbols.find(({ name }) => name === "Counter")
      assert.strictEqual(counter?.kind, "class")
      assert.deepStrictEqual(
        counter?.children.map(({ kind, name }) => `${kind} ${name}`),
        ["method add", "property count"]
      )
      const [again] = yield* servers.forFolder(folder)
      const found = yield* again?.workspaceSymbols("Counter") ?? Effect.succeed([])
      assert.deepStrictEqual(
        found.map(({ kind, location, name }) => [kind, name, location.path]),
        [["class", "Counter", join(folder, "src/sum.ts")]]
      )
    })
  )

  it.effect("diagnostics are about the file as it is now, also after somebody else has changed it", () =>
    Effect.gen(function* () {
      const { folder, servers } = yield* asked
      const broken = join(folder, "src/broken.ts")
      const messagesOf = Effect.fnUntraced(function* (text?: string) {
        if (text !== undefined) writeFileSync(broken, text)
        const { found, waitingFor } = yield* servers.diagnostics.of(broken, { within: "1 minute" })
        assert.deepStrictEqual(waitingFor, [])
        return found.flatMap(({ isCurrent, items }) =>
          items.map(({ code, message, severity, source }) => ({ code, message, severity, source, isCurrent }))
        )
      })
      const finding = (one: string, other: string) => ({
        code: 2322,
        message: `Type '${one}' is not assignable to type '${other}'.`,
        severity: "error" as const,
        source: "typescript",
        isCurrent: true
      })
      assert.deepStrictEqual(yield* messagesOf(), [finding("string", "number")])
      assert.deepStrictEqual(yield* messagesOf("export const one: string = 1\n"), [finding("number", "string")])
      assert.deepStrictEqual(yield* messagesOf("export const one: string = '1'\n"), [])
      // Nothing was found before, and nothing is found now: that is known, too.
      assert.deepStrictEqual(yield* messagesOf("export const one: string = '2'\n"), [])
    })
  )

  it.effect("an editor's text wins over the disk until it is closed", () =>
    Effect.gen(function* () {
      const { folder, server, servers } = yield* asked
      const path = join(folder, "src/edited.ts")
      const names = Effect.map(server.documentSymbols(path), (symbols) => symbols.map(({ name }) => name))
      assert.deepStrictEqual(yield* names, ["edited"])
      yield* servers.documents.open({ path, version: 1, text: "export const open = 1\n" })
      assert.deepStrictEqual(yield* names, ["open"])
      yield* servers.documents.change(path, 2, [{ range: { start: at(0, 13), end: at(0, 17) }, text: "changed" }])
      assert.deepStrictEqual(yield* names, ["changed"])
      const { reason } = yield* Effect.flip(servers.documents.change(path, 2, []))
      assert.strictEqual(reason, "StaleVersion")
      yield* servers.documents.close(path)
      assert.deepStrictEqual(yield* names, ["edited"])
    })
  )

  it.effect("a rename is a preview of all files, and nothing is written", () =>
    Effect.gen(function* () {
      const { folder, server } = yield* asked
      const sum = join(folder, "src/sum.ts")
      const prepared = yield* server.prepareRename(sum, at(3, 14))
      assert.deepStrictEqual(prepared?.range, { start: at(3, 13), end: at(3, 20) })
      const edit = yield* server.rename(sum, at(3, 14), "Tally")
      const edits = (edit?.changes ?? []).flatMap((change) =>
        change.kind === "edit"
          ? change.edits.map(
              ({ newText, range: { start } }) => `${basename(change.path ?? "")}:${start.line + 1} ${newText}`
            )
          : []
      )
      assert.deepStrictEqual(edits.toSorted(), ["main.ts:1 Tally", "main.ts:4 Tally", "sum.ts:4 Tally"])
      assert.strictEqual(readFileSync(sum, "utf8"), files["src/sum.ts"])
      assert.isUndefined(yield* Effect.orElseSucceed(server.prepareRename(sum, at(0, 5)), () => undefined))
    })
  )

  it.effect("a question may suppose another text of a file, which has its own again afterwards", () =>
    Effect.gen(function* () {
      const { folder, server } = yield* asked
      const sum = join(folder, "src/sum.ts")
      const supposing = server.supposing(sum, files["src/sum.ts"].replace("class Counter", "class Tally"))
      const [tally] = yield* supposing.definition(sum, at(3, 14))
      assert.deepStrictEqual(tally?.range.end, at(3, 18))
      assert.deepStrictEqual((yield* server.definition(sum, at(3, 14)))[0]?.range.end, at(3, 20))
    })
  )

  it.effect("completion, signatures, hints, colours and formatting are had in one shape each", () =>
    Effect.gen(function* () {
      const { folder, main, server, servers } = yield* asked
      const path = join(folder, "src/draft.ts")
      const text = `import { Counter, sum } from "./sum.js"\nconst counter = new Counter()\ncounter.;\nsum(1,2)\n`
      yield* servers.documents.open({ path, version: 1, text })
      const { items } = yield* server.completion(path, at(2, 8), ".")
      const add = items.find(({ label }) => label === "add")
      assert.strictEqual(add?.kind, "method")
      if (add !== undefined) assert.include((yield* server.resolveCompletion(path, add)).detail, "Counter.add(): void")
      const help = yield* server.signatureHelp(path, at(3, 6))
      assert.strictEqual(help?.signatures[0]?.label, "sum(...numbers: ReadonlyArray<number>): number")
      assert.deepStrictEqual(
        help?.signatures[0]?.parameters.map(({ label }) => label),
        ["...numbers: ReadonlyArray<number>"]
      )
      const whole = { start: at(0, 0), end: at(4, 0) }
      const formatted = yield* server.format(path)
      assert.isTrue(formatted.some(({ newText, range }) => range.start.line === 3 && newText === " "))
      const { items: tokens } = yield* server.semanticTokens(main)
      const total = tokens.find(({ range }) => range.start.line === 2 && range.start.character === 6)
      assert.deepStrictEqual(total, {
        range: { start: at(2, 6), end: at(2, 11) },
        type: "variable",
        modifiers: ["declaration", "readonly"]
      })
      assert.isArray(yield* server.inlayHints(path, whole))
      yield* servers.documents.close(path)
    })
  )

  it.effect("a quick fix for a finding brings its edit", () =>
    Effect.gen(function* () {
      const { folder, server, servers } = yield* asked
      const path = join(folder, "src/fix.ts")
      yield* servers.documents.open({ path, version: 1, text: "const value = 1\nexport const other = valu\n" })
      const { found } = yield* servers.diagnostics.of(path, { within: "1 minute" })
      const finding = found.flatMap(({ items }) => items).find(({ code }) => code === 2552)
      assert.strictEqual(finding?.message, "Cannot find name 'valu'. Did you mean 'value'?")
      if (finding === undefined) return
      const actions = yield* server.codeActions(path, finding.range, { diagnostics: [finding], only: ["quickfix"] })
      const fix = actions.find(({ title }) => title === "Change spelling to 'value'")
      assert.strictEqual(fix?.kind, "quickfix")
      if (fix === undefined) return
      const { edit } = yield* server.resolveCodeAction(path, fix)
      const [change] = edit?.changes ?? []
      assert.strictEqual(change?.path, path)
      if (change?.kind === "edit")
        assert.deepStrictEqual(change.edits, [{ range: { start: at(1, 21), end: at(1, 25) }, newText: "value" }])
      yield* servers.documents.close(path)
    })
  )

  it.effect("a method without a function of its own is asked by name, with a reader", () =>
    Effect.gen(function* () {
      const { folder, server } = yield* asked
      const path = join(folder, "src/sum.ts")
      const params = { textDocument: { uri: FileUri.of(path) } }
      const ranges = Lenient.reader(Schema.Array(Schema.Struct({ startLine: Schema.Int, endLine: Schema.Int })))
      const folds = yield* server.request({ method: "textDocument/foldingRange", params, path, reader: ranges })
      assert.deepInclude(folds, { startLine: 3, endLine: 7 })
      const unknown = yield* Effect.flip(server.request({ method: "_other/none", params: {}, reader: ranges }))
      assert.strictEqual(unknown.reason, "Unsupported")
    })
  )

  it.effect("its state says what it is, and a file of no language has words", () =>
    Effect.gen(function* () {
      const { folder, servers } = yield* asked
      const [state] = yield* servers.states
      assert.deepInclude(state, { id: "typescript", root: folder, phase: "ready", restarts: 0, malformed: 0 })
      const { message, reason } = yield* Effect.flip(servers.forFile(join(folder, "notes.txt")))
      assert.strictEqual(reason, "NoServer")
      assert.include(message, "No language server is set for plaintext")
      const outside = yield* Effect.flip(servers.forFile("/etc/hosts"))
      assert.strictEqual(outside.reason, "OutOfFolders")
    })
  )
})
