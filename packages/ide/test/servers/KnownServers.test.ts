import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { temporaryFolder } from "../../../system/test/support/TemporaryFolder.ts"
import * as KnownServers from "../../src/servers/KnownServers.ts"

const program = (path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, "#!/bin/sh\n")
  chmodSync(path, 0o755)
}

/** A machine with pyright, and with typescript-language-server as npm installs it. */
const machine = () => {
  const folder = temporaryFolder("machine")
  program(join(folder, "bin/pyright-langserver"))
  const server = join(folder, "lib/node_modules/typescript-language-server/lib/cli.mjs")
  program(server)
  symlinkSync(server, join(folder, "bin/typescript-language-server"))
  return { folder, bin: join(folder, "bin") }
}

const ids = ({ definitions }: KnownServers.Found) => definitions.map(({ id }) => id)

describe("language servers that are known", () => {
  it.effect("are found in the search path; for the others, what to install is named", () =>
    Effect.gen(function* () {
      const { bin, folder } = machine()
      // What npm installs as `typescript` today.
      program(join(folder, "lib/node_modules/typescript/lib/tsc.js"))
      const found = yield* KnownServers.find(bin)
      assert.deepStrictEqual(ids(found), ["pyright"])
      assert.strictEqual(found.definitions[0]?.command, join(bin, "pyright-langserver"))
      const words = (language: string) => found.missing.find(({ languages }) => languages.includes(language))?.words
      assert.strictEqual(
        words("rust"),
        "rust-analyzer is not on this machine. Install it, such as by: rustup component add rust-analyzer."
      )
      assert.include(
        words("typescript"),
        "has no TypeScript with a tsserver beside it, and that of the project is not run. Version 7 has none."
      )
    })
  )

  it.effect("are given the TypeScript of the machine, so that they run none of the project", () =>
    Effect.gen(function* () {
      const { bin, folder } = machine()
      const tsserver = join(folder, "lib/node_modules/typescript/lib/tsserver.js")
      program(tsserver)
      const found = yield* KnownServers.find(bin)
      assert.deepStrictEqual(ids(found), ["typescript", "pyright"])
      assert.deepStrictEqual(found.definitions[0]?.initializationOptions, {
        tsserver: { path: tsserver, useSyntaxServer: "never" },
        disableAutomaticTypingAcquisition: true
      })
    })
  )

  it.effect("are not taken from folders that a project may bring", () =>
    Effect.gen(function* () {
      const project = temporaryFolder("project")
      const bin = join(project, "node_modules/.bin")
      program(join(bin, "pyright-langserver"))
      const found = yield* KnownServers.find(`${bin}:node_modules/.bin:.:`)
      assert.deepStrictEqual(ids(found), [])
      const words = (language: string) => found.missing.find(({ languages }) => languages.includes(language))?.words
      assert.include(
        words("python"),
        `pyright-langserver is only in ${bin}. A project may bring that folder, so nobody starts it unasked. Name its path, or install it, such`
      )
      assert.include(words("go"), "gopls is not on this machine. Install it, such")
      // A person may name it.
      const named = {
        id: "mine",
        name: "mine",
        command: join(bin, "pyright-langserver"),
        args: [],
        languages: ["python"],
        rootMarkers: []
      }
      const { args, command, rootMarkers } = Result.getOrThrow(yield* KnownServers.completed(named, ""))
      assert.deepStrictEqual([command, args], [named.command, ["--stdio"]])
      assert.include(rootMarkers, "pyproject.toml")
    })
  )

  it.effect("of people are kept as they are where their program is not known", () =>
    Effect.gen(function* () {
      const own = { id: "lua", name: "lua", command: "/lua-server", args: ["-x"], languages: ["lua"], rootMarkers: [] }
      assert.deepStrictEqual(yield* KnownServers.completed(own, ""), Result.succeed(own))
    })
  )

  it.effect("that run or fetch what a project names are offered, and not started unasked", () =>
    Effect.gen(function* () {
      const { bin } = machine()
      for (const name of ["rust-analyzer", "yaml-language-server", "gopls"]) program(join(bin, name))
      const found = yield* KnownServers.find(bin)
      assert.deepStrictEqual(ids(found), ["pyright", "yaml", "gopls", "rust-analyzer"])
      assert.deepStrictEqual(
        found.unasked.map(({ id }) => id),
        ["pyright", "gopls"]
      )
      assert.deepStrictEqual(
        found.toBeNamed.map(({ words }) => words),
        [
          `yaml-language-server is on this machine, but nobody starts it unasked: it may fetch schemas, and read files, that a comment of a file names. If you agree, name it: --server 'yaml=yaml-language-server', or "yaml": {} in the "languageServers" of the settings.`,
          `rust-analyzer is on this machine, but nobody starts it unasked: it may run programs that the project names, such as a toolchain of its own. If you agree, name it: --server 'rust=rust-analyzer', or "rust-analyzer": {} in the "languageServers" of the settings.`
        ]
      )
    })
  )
})

describe("servers that people name", () => {
  const project = () => {
    const folder = temporaryFolder("project")
    const bin = join(folder, "node_modules/.bin")
    for (const name of ["rust-analyzer", "gopls", "lua-server"]) program(join(bin, name))
    return { folder, path: `${bin}:node_modules/.bin:.` }
  }

  it.effect("are taken from this machine, and not from folders that a project may bring", () =>
    Effect.gen(function* () {
      const { path } = project()
      const rust = { id: "x", name: "x", command: "rust-analyzer", args: [], languages: ["rust"], rootMarkers: [] }
      const lua = { command: "lua-server", languages: ["lua"] }
      const results = [
        yield* KnownServers.ofEntry("rust-analyzer", {}, path),
        yield* KnownServers.ofEntry("rust-analyzer", { command: "rust-analyzer" }, path),
        yield* KnownServers.ofEntry("lua", lua, path),
        yield* KnownServers.completed(rust, path),
        yield* KnownServers.completed({ ...rust, ...lua }, path)
      ]
      for (const result of results) assert.isTrue(Result.isFailure(result), JSON.stringify(result))
      const { bin } = machine()
      program(join(bin, "rust-analyzer"))
      program(join(bin, "lua-server"))
      const both = `${path}:${bin}`
      for (const [id, entry] of [["rust-analyzer", {}] as const, ["lua", lua] as const])
        assert.include(Result.getOrThrow(yield* KnownServers.ofEntry(id, entry, both)).command, bin)
      assert.include(Result.getOrThrow(yield* KnownServers.completed(rust, both)).command, bin)
    })
  )

  it.effect("keep their guards, unless an entry names these itself", () =>
    Effect.gen(function* () {
      const { bin } = machine()
      for (const name of ["rust-analyzer", "gopls"]) program(join(bin, name))
      const rust = Result.getOrThrow(
        yield* KnownServers.ofEntry(
          "rust-analyzer",
          { initializationOptions: { check: { command: "clippy" }, cargo: { features: ["a"] }, checkOnSave: true } },
          bin
        )
      )
      assert.deepStrictEqual(rust.initializationOptions, {
        cargo: { buildScripts: { enable: false }, features: ["a"] },
        procMacro: { enable: false },
        checkOnSave: true,
        check: { command: "clippy" }
      })
      const go = Result.getOrThrow(yield* KnownServers.ofEntry("gopls", { env: { GOFLAGS: "-mod=mod" } }, bin))
      assert.deepStrictEqual(go.env, { GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" })
    })
  )

  it.effect("by their bare name get the options of the known server", () =>
    Effect.gen(function* () {
      const { bin, folder } = machine()
      program(join(bin, "rust-analyzer"))
      const named = (language: string, command: string) =>
        KnownServers.completed(
          { id: "server-1", name: command, command, args: [], languages: [language], rootMarkers: [] },
          bin
        )
      const rust = Result.getOrThrow(yield* named("rust", "rust-analyzer"))
      assert.deepStrictEqual([rust.id, rust.command], ["server-1", join(bin, "rust-analyzer")])
      assert.deepInclude(rust.initializationOptions, { procMacro: { enable: false }, checkOnSave: false })
      // Without a TypeScript of the machine, it would run the one of the project.
      const none = yield* named("typescript", "typescript-language-server")
      assert.include(Result.isFailure(none) ? none.failure : "", "has no TypeScript with a tsserver beside it")
      const tsserver = join(folder, "lib/node_modules/typescript/lib/tsserver.js")
      program(tsserver)
      const typescript = Result.getOrThrow(yield* named("typescript", "typescript-language-server"))
      assert.deepInclude(typescript.initializationOptions, {
        tsserver: { path: tsserver, useSyntaxServer: "never" }
      })
    })
  )
})
