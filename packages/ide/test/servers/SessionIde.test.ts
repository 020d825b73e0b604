/** Which language servers a session starts itself, and what it says of the others. */
import { assert, describe, it } from "@effect/vitest"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { chmodSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileUri from "../../../lsp/src/FileUri.ts"
import { scripted } from "../../../lsp/test/support/Scripted.ts"
import { project } from "../../../lsp/test/support/Servers.ts"
import { scopedFolder } from "../../../system/test/support/TemporaryFolder.ts"
import * as SessionFolder from "../../src/files/SessionFolder.ts"
import * as SessionIde from "../../src/servers/SessionIde.ts"

/** A machine whose search path has only these programs. Each notes that it was started, and is a server that can do nothing. */
const machine = Effect.fnUntraced(function* (...programs: ReadonlyArray<string>) {
  const bin = yield* scopedFolder
  const started = yield* scopedFolder
  const { command, args } = (yield* scripted({})).definition
  const server = [command, ...args].map((word) => `'${word}'`).join(" ")
  for (const name of programs) {
    writeFileSync(join(bin, name), `#!/bin/sh\n: > "${started}/${name}"\nexec ${server}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const before = process.env["PATH"]
  yield* Effect.acquireRelease(
    Effect.sync(() => (process.env["PATH"] = bin)),
    () => Effect.sync(() => (before === undefined ? delete process.env["PATH"] : (process.env["PATH"] = before)))
  )
  return { started: () => readdirSync(started).toSorted() }
})

const start = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string>>,
  options: Pick<SessionIde.Options, "definitions" | "findsKnown">
) {
  const cwd = yield* project(files)
  const folder = yield* SessionFolder.open(cwd)
  const ledger = yield* Effect.provide(ProcessLedger, ProcessLedgerLayer.layer({ folder: yield* scopedFolder }))
  const ide = yield* SessionIde.make(folder, { ...options, ledger, patience: Duration.minutes(2) })
  const asked = (path: string) => ({
    textDocument: { uri: FileUri.of(join(cwd, path)) },
    position: { line: 0, character: 0 }
  })
  const refusal = (path: string) =>
    Effect.map(Effect.flip(ide.lsp("textDocument/hover", asked(path))), ({ message }) => message)
  return { asked, ide, refusal }
})

const files = { "a.rs": "fn main() {}\n", "a.yaml": "a: 1\n", "a.sh": "echo\n" }
const risky = ["rust-analyzer", "yaml-language-server"]

describe("language servers of a session", () => {
  it.live("are started where they are in the search path, except those that a project can steer", () =>
    Effect.gen(function* () {
      const { started } = yield* machine(...risky, "bash-language-server")
      const { refusal } = yield* start(files, { definitions: [], findsKnown: true })
      assert.include(
        yield* refusal("a.rs"),
        "Nobody can be asked about rust: rust-analyzer is on this machine, but nobody starts it unasked"
      )
      assert.include(
        yield* refusal("a.yaml"),
        "Nobody can be asked about yaml: yaml-language-server is on this machine"
      )
      // The programs work: one that may be started has been.
      yield* refusal("a.sh")
      assert.deepStrictEqual(started(), ["bash-language-server"])
    })
  )

  it.live("are started where people name them, and no others if they say so", () =>
    Effect.gen(function* () {
      const { started } = yield* machine(...risky, "bash-language-server")
      const command = "yaml-language-server"
      const yaml = { id: "1", name: "YAML", command, args: [], languages: ["yaml"], rootMarkers: [] }
      const { refusal } = yield* start(files, { definitions: [yaml], findsKnown: false })
      for (const path of Object.keys(files)) yield* refusal(path)
      assert.deepStrictEqual(started(), [command])
    })
  )

  it.live("are missed by name where a file in their language seems to define a symbol, and else not", () =>
    Effect.gen(function* () {
      yield* machine("bash-language-server")
      const sources = {
        "a.sh": "run() {\n  echo\n}\n",
        "shop.ts": "export class Shop {}\n",
        "notes.md": "Shop sells.\nUse the type Ghost.\n",
        "notes.rb": "# The class Ghost is gone.\n"
      }
      const { ide } = yield* start(sources, { definitions: [], findsKnown: true })
      const { message } = yield* Effect.flip(ide.resolveSymbol("Shop"))
      assert.match(message, /^Shop seems to be defined in shop\.ts\. Nobody can be asked about typescript: typescript-/)
      assert.notInclude(message, "pyright")
      for (const name of ["sells", "Ghost"]) assert.deepStrictEqual(yield* ide.resolveSymbol(name), [])
    })
  )

  it.live("are missed for good where nobody knows the language, and for now where one refuses to answer", () =>
    Effect.gen(function* () {
      const refusing = yield* scripted({
        capabilities: { hoverProvider: true },
        on: { "textDocument/hover": [{ do: "error", code: -32_000, message: "Not yet" }] }
      })
      const { asked, ide } = yield* start(
        { "a.txt": "a\n", "a.rs": "" },
        { definitions: [refusing.definition], findsKnown: false }
      )
      const isForGood = (path: string) =>
        Effect.map(Effect.flip(ide.lsp("textDocument/hover", asked(path))), (failure) => failure.isForGood === true)
      assert.deepStrictEqual([yield* isForGood("a.rs"), yield* isForGood("a.txt")], [true, false])
    })
  )

  it.live("are asked one after the other, until one has something to say", () =>
    Effect.gen(function* () {
      const fix = { title: "Fix it" }
      const method = "textDocument/codeAction"
      const completion = "textDocument/completion"
      const capabilities = { codeActionProvider: true, completionProvider: {} }
      const answering = (id: string, actions: ReadonlyArray<object>, items: ReadonlyArray<object>) =>
        scripted(
          {
            capabilities,
            on: {
              [method]: [{ do: "answer", result: actions }],
              [completion]: [{ do: "answer", result: { isIncomplete: false, items } }]
            }
          },
          { id }
        )
      const silent = yield* answering("silent", [], [])
      const helpful = yield* answering("helpful", [fix], [{ label: "fix" }])
      const definitions = [silent.definition, helpful.definition]
      const { asked, ide } = yield* start({ "a.txt": "a\n" }, { definitions, findsKnown: false })
      const { position, textDocument } = asked("a.txt")
      const range = { start: position, end: position }
      const found = yield* ide.lsp(method, { textDocument, range, context: { diagnostics: [] } })
      assert.deepStrictEqual(found, [fix])
      // A list may be wrapped.
      assert.deepInclude(yield* ide.lsp(completion, asked("a.txt")), { items: [{ label: "fix" }] })
      assert.isTrue(silent.received().some((message) => message.method === method))
    })
  )
})
