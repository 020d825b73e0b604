/** The disk is watched for language servers that want to hear of it: of what, how much, and until when. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import * as FileUri from "../src/FileUri.ts"
import type { FileEvent } from "../src/watching/FileEvent.ts"
import * as FolderWatch from "../src/watching/FolderWatch.ts"
import { scripted, until } from "./support/Scripted.ts"
import { project, serversFor, typescript } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })

/** How many folders the system watches for this process. */
const watched = (): number => {
  let count = 0
  for (const name of readdirSync("/proc/self/fdinfo")) {
    try {
      count += readFileSync(`/proc/self/fdinfo/${name}`, "utf8").split("inotify wd:").length - 1
    } catch {
      // It was closed meanwhile.
    }
  }
  return count
}

const method = "workspace/didChangeWatchedFiles"
const registered = (watchers: ReadonlyArray<object>) => ({
  id: 1,
  method: "client/registerCapability",
  params: { registrations: [{ id: "w", method, registerOptions: { watchers } }] }
})
const unregistered = {
  id: 2,
  method: "client/unregisterCapability",
  params: { unregisterations: [{ id: "w", method }] }
}

/** A server that registers at the first question, and takes it back at the second one. */
const begin = Effect.fnUntraced(function* (
  folder: string,
  watchers: ReadonlyArray<object> = [{ globPattern: "**/*" }]
) {
  const path = join(folder, "a.txt")
  const { definition, received } = yield* scripted({
    capabilities: { hoverProvider: true, textDocumentSync: 1 },
    on: {
      "textDocument/hover": [
        { do: "send", messages: [registered(watchers)], result: null },
        { do: "send", messages: [unregistered], result: null }
      ]
    }
  })
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const servers = yield* Scope.provide(serversFor(folder, { servers: [definition] }), scope)
  const [server] = yield* servers.forFile(path)
  if (server === undefined) return yield* Effect.die("no server")
  const heard = () =>
    received().flatMap(({ params }) => {
      const changes = params !== undefined && "changes" in params ? params.changes : []
      return Array.isArray(changes) ? changes : []
    })
  /** What it has heard of, by path. */
  const kinds = () =>
    Object.fromEntries(
      heard().map(({ type, uri }) => [relative(folder, FileUri.pathOf(uri) ?? ""), ["", "+", "~", "-"][type]])
    )
  return { end: Scope.close(scope, Exit.void), heard, hover: server.hover(path, at(0, 0)), kinds, received, servers }
})

describe("the disk", () => {
  it.live(
    "is watched for a real server: what somebody else adds, changes and deletes counts without a question",
    () =>
      Effect.gen(function* () {
        const folder = yield* project({
          "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: ["src"] }),
          "src/main.ts": `import { one } from "./lib/one"\nexport const two: number = one\n`
        })
        const watching = { ...typescript, initializationOptions: { ...Object(typescript.initializationOptions) } }
        watching.initializationOptions.tsserver = {
          ...watching.initializationOptions.tsserver,
          useClientFileWatcher: true
        }
        const servers = yield* serversFor(folder, { servers: [watching] })
        const main = join(folder, "src/main.ts")
        const codes = () => servers.diagnostics.known(main).flatMap(({ items }) => items.map(({ code }) => code))
        yield* servers.diagnostics.of(main, { within: "1 minute" })
        assert.deepStrictEqual(codes(), [2307])
        yield* until(() => watched() >= 2)
        mkdirSync(join(folder, "src/lib"))
        writeFileSync(join(folder, "src/lib/one.ts"), "export const one = 1\n")
        yield* until(() => codes().length === 0)
        // The server has this one open. Nobody edits it.
        writeFileSync(main, `import { one } from "./lib/one"\nexport const two: string = one\n`)
        yield* until(() => codes().includes(2322))
        rmSync(join(folder, "src/lib"), { recursive: true })
        yield* until(() => codes().includes(2307))
      }),
    120_000
  )

  it.live("is watched where somebody may want to hear of it, and what is moved away with its folder is told", () =>
    Effect.gen(function* () {
      const folder = yield* project({
        "a.txt": "",
        ".gitignore": "made\n",
        "made/x.txt": "",
        "node_modules/asked/x.txt": "",
        "node_modules/other/x.txt": "",
        "src/deep/x.txt": "",
        "src/y.txt": ""
      })
      execFileSync("git", ["init", "-q"], { cwd: folder })
      const { heard, hover, kinds } = yield* begin(folder, [
        { globPattern: "**/*.txt" },
        { globPattern: { baseUri: FileUri.of(join(folder, "node_modules/asked")), pattern: "*.txt" } },
        { globPattern: { baseUri: "file:///", pattern: "**/*.txt" } },
        { globPattern: { baseUri: "file:///etc", pattern: "**/*" } }
      ])
      yield* hover
      yield* until(() => watched() === 4)
      for (const name of ["made", "node_modules/other", "node_modules/asked", "src"])
        writeFileSync(join(folder, name, "x.txt"), "new")
      mkdirSync(join(folder, "new/made"), { recursive: true })
      mkdirSync(join(folder, "new/deep"))
      for (const name of ["new/made", "new/deep"]) writeFileSync(join(folder, name, "z.txt"), "")
      // An editor replaces a file so.
      writeFileSync(join(folder, "src/y.part"), "changed")
      renameSync(join(folder, "src/y.part"), join(folder, "src/y.txt"))
      renameSync(join(folder, "src/deep"), join(folder, "node_modules/deep"))
      const expected = {
        "new/deep/z.txt": "+",
        "node_modules/asked/x.txt": "~",
        "src/deep/x.txt": "-",
        "src/x.txt": "+",
        "src/y.txt": "~"
      }
      yield* until(() => heard().length >= 5)
      assert.deepStrictEqual(kinds(), expected)
      // The new ones are watched, and what has gone is not.
      yield* until(() => watched() === 5)
      rmSync(join(folder, "new"), { recursive: true })
      yield* until(() => kinds()["new/deep/z.txt"] === "-")
      yield* until(() => watched() === 3)
    })
  )

  it.live(
    "is watched where a folder is missing, gone or another one, once it is there, and not behind links that lead out",
    () =>
      Effect.gen(function* () {
        const outer = yield* project({ "in/a.txt": "", "in/node_modules/x.txt": "", "out/b.txt": "" })
        const folder = join(outer, "in")
        symlinkSync(join(outer, "out"), join(folder, "link"))
        const baseOf = (name: string) => ({ baseUri: FileUri.of(join(folder, name)), pattern: "**/*" })
        const { hover, kinds } = yield* begin(
          folder,
          ["", "link", "node_modules/late"].map((name) => ({ globPattern: baseOf(name) }))
        )
        yield* hover
        yield* until(() => watched() === 1)
        mkdirSync(join(folder, "node_modules/late"))
        yield* until(() => watched() === 2)
        writeFileSync(join(folder, "node_modules/late/y.txt"), "")
        yield* until(() => kinds()["node_modules/late/y.txt"] === "+")
        // A folder that is moved away takes its watcher along.
        renameSync(folder, join(outer, "away"))
        yield* until(() => kinds()["a.txt"] === "-" && watched() === 0)
        mkdirSync(folder)
        yield* until(() => watched() === 1)
        writeFileSync(join(folder, "c.txt"), "")
        yield* until(() => kinds()["c.txt"] === "+")
        rmSync(folder, { recursive: true })
        yield* until(() => kinds()["c.txt"] === "-" && watched() === 0)
        renameSync(join(outer, "away"), folder)
        yield* until(() => kinds()["a.txt"] === "+" && watched() === 2)
      })
  )

  it.live("is watched no longer than a server wants it, and than there are servers", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "", "b/b.txt": "" })
      const one = yield* begin(folder)
      assert.strictEqual(watched(), 0)
      yield* one.hover
      yield* until(() => watched() === 2)
      yield* one.hover
      yield* until(() => watched() === 0)
      const other = yield* begin(folder)
      yield* other.hover
      yield* until(() => watched() === 2)
      yield* other.end
      assert.strictEqual(watched(), 0)
    })
  )

  it.live("is watched in bounds, the highest folders first, and what is left out is said", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a/b/c/x.txt": "", "d/x.txt": "" })
      const told: Array<string | undefined> = []
      const events: Array<FileEvent> = []
      const { follow } = yield* FolderWatch.make({
        roots: () => [folder],
        isInside: () => Effect.succeed(true),
        mostFolders: 4,
        onChanged: (more) => Effect.sync(() => void events.push(...more)),
        onLimited: (words) => void told.push(words),
        onLost: () => assert.fail("nothing is lost")
      })
      follow([{ folder, isDeep: true }])
      yield* until(() => told.length === 1)
      assert.include(told[0], "4 of its folders are watched, which is as many as may be.")
      writeFileSync(join(folder, "a/b/c/x.txt"), "nobody hears of it")
      writeFileSync(join(folder, "d/x.txt"), "new")
      yield* until(() => events.length > 0)
      assert.deepStrictEqual(events, [{ path: join(folder, "d/x.txt"), kind: "changed" }])
      follow([{ folder, isDeep: false }])
      yield* until(() => watched() === 1)
      assert.deepStrictEqual(told.slice(1), [undefined])
    })
  )

  it.live("is told of in bounds, and who has missed something says so", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      mkdirSync(join(folder, "flood"))
      const { heard, hover, kinds, servers } = yield* begin(folder)
      yield* hover
      yield* until(() => watched() === 2)
      for (let count = 0; count < 20_000; count++)
        linkSync(join(folder, "a.txt"), join(folder, "flood", `${count}.txt`))
      let words: string | undefined
      yield* Effect.map(servers.states, ([state]) => (words = state?.unheard)).pipe(
        Effect.repeat({ until: () => words !== undefined, schedule: Schedule.spaced("20 millis") })
      )
      assert.isAtMost(heard().length, 3 * 4096)
      assert.include(words, "got only 4096 of the changes")
      // What comes later is heard of.
      mkdirSync(join(folder, "later"))
      yield* until(() => kinds()["later"] === "+")
      writeFileSync(join(folder, "later/x.txt"), "")
      yield* until(() => kinds()["later/x.txt"] === "+")
    })
  )
})
