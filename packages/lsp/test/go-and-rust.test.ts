/** The real gopls, rust-analyzer and clangd, where this machine has them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { basename, join } from "node:path"
import type { LanguageServer } from "../src/servers/LanguageServer.ts"
import type { ServerDefinition } from "../src/ServerDefinition.ts"
import { project, serversFor } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })

/** Whether the program runs. A stand-in of rustup is there without the program. */
const runs = (command: string, ...args: ReadonlyArray<string>) => spawnSync(command, args).status === 0

const gopls: ServerDefinition = {
  id: "gopls",
  name: "gopls",
  command: "gopls",
  args: [],
  languages: ["go"],
  rootMarkers: ["go.mod"]
}

const rustAnalyzer: ServerDefinition = {
  id: "rust-analyzer",
  name: "rust-analyzer",
  command: "rust-analyzer",
  args: [],
  languages: ["rust"],
  rootMarkers: ["Cargo.toml"],
  readySign: "serverStatus",
  // Nothing of the project is run.
  initializationOptions: {
    cargo: { buildScripts: { enable: false } },
    procMacro: { enable: false },
    checkOnSave: false
  }
}

const clangd: ServerDefinition = {
  id: "clangd",
  name: "clangd",
  command: "clangd",
  args: [],
  languages: ["c", "cpp"],
  rootMarkers: ["compile_flags.txt"]
}

/** A ready server for the files, to be asked about the main one. */
const asked = Effect.fnUntraced(function* (
  definition: ServerDefinition,
  files: Readonly<Record<string, string>>,
  main: string
) {
  const folder = yield* project(files)
  const servers = yield* serversFor(folder, { servers: [definition] })
  const path = join(folder, main)
  const [server] = yield* servers.forFile(path)
  if (server === undefined) return yield* Effect.die("no server")
  return { path, server, servers }
})

/** The names of the files that a renaming would change. */
const filesOf = (renaming: ReturnType<LanguageServer["rename"]>) =>
  Effect.map(renaming, (edit) => (edit?.changes ?? []).map(({ path = "" }) => basename(path)).toSorted())

describe("servers of other languages", () => {
  // A file of which every test is skipped would leave its temporary folder behind.
  it.live("are named with the next step where they are missing", () =>
    Effect.gen(function* () {
      const missing = { ...gopls, command: "gopls-that-is-missing" }
      const { message, reason } = yield* Effect.flip(asked(missing, { "go.mod": "", "main.go": "" }, "main.go"))
      assert.strictEqual(reason, "NotFound")
      assert.include(message, "gopls can't be started")
    })
  )

  it.live.skipIf(!runs("gopls", "version"))(
    "gopls finds definitions and errors (skipped where gopls is not installed)",
    () =>
      Effect.gen(function* () {
        const files = {
          "go.mod": "module example.com/a\n\ngo 1.21\n",
          "sum.go": "package main\n\nfunc sum(a, b int) int { return a + b }\n",
          "main.go":
            "package main\n\nfunc main() {\n\tvar text string = sum(1, 2) /* 😀 */ + sum(3, 4)\n\tprintln(text)\n}\n"
        }
        const { path, server, servers } = yield* asked(gopls, files, "main.go")
        const line = files["main.go"].split("\n")[3] ?? ""
        const [found] = yield* server.definition(path, at(3, line.lastIndexOf("sum")))
        assert.strictEqual(basename(found?.path ?? ""), "sum.go")
        assert.deepStrictEqual(found?.range, { start: at(2, 5), end: at(2, 8) })
        const { found: findings } = yield* servers.diagnostics.of(path, { within: "1 minute" })
        assert.include(JSON.stringify(findings), "cannot use sum(1, 2)")
        assert.strictEqual((yield* server.references(path, at(3, line.lastIndexOf("sum")))).length, 3)
        assert.deepStrictEqual(yield* filesOf(server.rename(path, at(3, line.lastIndexOf("sum")), "add")), [
          "main.go",
          "sum.go"
        ])
      }),
    120_000
  )

  it.live.skipIf(!runs("rust-analyzer", "--version"))(
    "rust-analyzer finds definitions in its own encoding (skipped where rust-analyzer is not installed)",
    () =>
      Effect.gen(function* () {
        const files = {
          "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
          "src/main.rs": 'fn sum(a: i32) -> i32 {\n    a\n}\n\nfn main() {\n    println!("é😀 {}", sum(1));\n}\n'
        }
        const { path, server } = yield* asked(rustAnalyzer, files, "src/main.rs")
        const line = files["src/main.rs"].split("\n")[5] ?? ""
        const [found] = yield* server.definition(path, at(5, line.indexOf("sum")))
        assert.deepStrictEqual(found?.range, { start: at(0, 3), end: at(0, 6) })
        assert.deepStrictEqual(yield* filesOf(server.rename(path, at(5, line.indexOf("sum")), "add")), ["main.rs"])
      }),
    120_000
  )

  it.live.skipIf(!runs("clangd", "--version"))(
    "clangd finds definitions and errors of C++ (skipped where clangd is not installed)",
    () =>
      Effect.gen(function* () {
        const files = {
          "compile_flags.txt": "-std=c++17\n",
          "sum.h": "#pragma once\n/** Adds. */\nint sum(int a, int b);\n",
          "sum.cpp": '#include "sum.h"\nint sum(int a, int b) { return a + b; }\n',
          "main.cpp":
            '#include "sum.h"\nint main() {\n  /* 😀 */ const char* text = sum(1, 2);\n  return sum(3,   4); }\n'
        }
        const { path, server, servers } = yield* asked(clangd, files, "main.cpp")
        const line = files["main.cpp"].split("\n")[2] ?? ""
        const place = at(2, line.indexOf("sum"))
        const [found] = yield* server.definition(path, place)
        assert.include(["sum.h", "sum.cpp"], basename(found?.path ?? ""))
        const { found: findings } = yield* servers.diagnostics.of(path, { within: "1 minute" })
        assert.include(JSON.stringify(findings), "Cannot initialize a variable of type 'const char *'")
        assert.include((yield* server.hover(path, place))?.contents.value ?? "", "Adds.")
        assert.include(yield* filesOf(server.rename(path, place, "add")), "main.cpp")
        assert.isAbove((yield* server.format(path)).length, 0)
      }),
    120_000
  )
})
