/** Which paths are inside, with links of all kinds: held against what the system itself says of them. */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, realpathSync } from "node:fs"
import { chmod, lstat, mkdir, readdir, readFile, rename, stat, symlink, unlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Containment from "../../src/workspace/Containment.ts"
import type * as ProtectedPaths from "../../src/workspace/ProtectedPaths.ts"
import * as TextFiles from "../../src/workspace/TextFiles.ts"
import { scopedFolder, temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

/** A project beside something secret, with links that lead in, out and nowhere. */
const plant = async (top: string) => {
  const root = join(top, "project")
  await mkdir(join(root, "src", "deep"), { recursive: true })
  await mkdir(join(top, "project-two"))
  await mkdir(join(top, "secret"))
  await writeFile(join(top, "secret", "key"), "secret")
  await writeFile(join(root, "src", "a.txt"), "a")
  await symlink(join(top, "secret"), join(root, "out"))
  await symlink("../secret/key", join(root, "key"))
  await symlink("../secret/new", join(root, "dangling"))
  await symlink("src", join(root, "in"))
  await symlink(join(root, "src", "deep"), join(top, "secret", "back"))
  await symlink("loop", join(root, "loop"))
  await symlink("src/a.txt", join(root, "a"))
  await symlink("later/there", join(root, "src", "ahead"))
  return { top, root }
}

const tree = Effect.flatMap(scopedFolder, (folder) => Effect.promise(() => plant(realpathSync(folder))))

const refused = (roots: ReadonlyArray<string>, path: string) =>
  Effect.map(Effect.flip(Containment.resolve(roots, path)), ({ reason }) => reason)

const inside = (...roots: ReadonlyArray<string>): ProtectedPaths.Grant => ({ roots, own: [] })

describe("containment", () => {
  it.live("[95] takes what is inside, also through links that stay inside and for what is not there yet", () =>
    Effect.gen(function* () {
      const { root } = yield* tree
      for (const [path, leads] of [
        ["src/a.txt", "src/a.txt"],
        ["in/a.txt", "src/a.txt"],
        ["a", "src/a.txt"],
        ["in/../src/./deep", "src/deep"],
        ["src/new/file.txt", "src/new/file.txt"],
        ["in/new", "src/new"],
        ["src/ahead", "src/later/there"],
        ["out/back/x", "src/deep/x"],
        ["", ""]
      ] as const) {
        const { path: real } = yield* Containment.resolve([root], join(root, "/") + path)
        assert.strictEqual(real, join(root, leads), path)
      }
    })
  )

  it.live(
    "[95] refuses what leads outside: by `..`, by links, by links to what is not there yet, by a name that begins alike",
    () =>
      Effect.gen(function* () {
        const { root, top } = yield* tree
        for (const path of [
          `${root}/../secret/key`,
          `${root}/out/key`,
          `${root}/out`,
          `${root}/key`,
          `${root}/dangling`,
          `${root}/out/new`,
          `${root}/in/../../secret/key`,
          // A check that compares only how the paths begin would let these in.
          `${root}/out/../project-two/x`,
          `${top}/project-two/x`,
          top,
          "/etc/passwd"
        ])
          assert.strictEqual(yield* refused([root], path), "outside", path)
        assert.strictEqual(yield* refused([root], "src/a.txt"), "relative")
        assert.strictEqual(yield* refused([root], `${root}/src/\0`), "relative")
        assert.strictEqual(yield* refused([root], `${root}/loop/x`), "system")
        assert.strictEqual(yield* refused([root], `${root}/nowhere/../../secret/key`), "missing")
        assert.strictEqual(yield* refused([root], `${root}/src/a.txt/x`), "kind")
      })
  )

  it.live("[95] a second root is as good as the first; a root that is not there, and none at all, hold nothing", () =>
    Effect.gen(function* () {
      const { root, top } = yield* tree
      const secret = join(top, "secret")
      assert.strictEqual((yield* Containment.resolve([root, secret], `${root}/key`)).path, join(secret, "key"))
      assert.deepStrictEqual(yield* Containment.pin([join(top, "none"), join(root, "loop"), root]), [root])
      assert.strictEqual(yield* refused([], root), "outside")
    })
  )

  it.live("[95] a root that is a link is where it led in the beginning, whatever is put in its place", () =>
    Effect.gen(function* () {
      const { root, top } = yield* tree
      const roots = yield* Containment.pin([join(root, "in")])
      assert.deepStrictEqual(roots, [join(root, "src")])
      assert.strictEqual((yield* Containment.resolve(roots, `${root}/in/a.txt`)).path, join(root, "src", "a.txt"))
      yield* Effect.promise(() => rename(join(root, "src"), join(root, "away")))
      yield* Effect.promise(() => symlink(join(top, "secret"), join(root, "src")))
      assert.strictEqual(yield* refused(roots, `${root}/in/key`), "outside")
      assert.strictEqual(yield* refused(roots, `${root}/src/key`), "outside")
    })
  )

  const Steps = Schema.Array(
    Schema.Literals([
      "..",
      ".",
      "src",
      "deep",
      "in",
      "out",
      "key",
      "back",
      "a.txt",
      "secret",
      "project",
      "dangling",
      "new",
      ""
    ])
  )

  // Nothing in it changes: all paths are tried on one.
  let root = ""
  beforeAll(async () => {
    root = (await plant(realpathSync(temporaryFolder()))).root
  })

  it.live.prop(
    "[95] agrees with the system on every path, and never lets one out",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function* () {
        const path = `${root}/${steps.join("/")}`
        const found = yield* Effect.exit(Containment.resolve([root], path))
        if (found._tag === "Failure") {
          // The system finds nothing there that is inside.
          if (existsSync(path)) assert.isFalse(isWithin(root, realpathSync.native(path)), path)
          return
        }
        assert.isTrue(isWithin(root, found.value.path), path)
        assert.strictEqual(found.value.exists, existsSync(path), path)
        if (existsSync(path)) assert.strictEqual(found.value.path, realpathSync.native(path), path)
        else {
          let above = found.value.path
          while (!existsSync(above)) above = dirname(above)
          assert.strictEqual(realpathSync.native(above), above)
        }
      }),
    { arbitrary: { runs: 500, size: 12 } }
  )
})

describe("text files", () => {
  it.live(
    "[94] what is written is read again, in folders that were not there; the text that stood there is replaced as a whole",
    () =>
      Effect.gen(function* () {
        const { root } = yield* tree
        const path = join(root, "new", "folder", "file.txt")
        const first = yield* TextFiles.write(inside(root), path, "one\ntwo\n")
        assert.deepStrictEqual(first, { path, bytes: 8, created: true })
        assert.strictEqual(yield* TextFiles.read(inside(root), path), "one\ntwo\n")
        const second = yield* TextFiles.write(inside(root), path, "ü")
        assert.deepStrictEqual(second, { path, bytes: 2, created: false })
        assert.strictEqual(yield* TextFiles.read(inside(root), path), "ü")
        // Nothing is left of how it was done.
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(dirname(path))), ["file.txt"])
      })
  )

  it.live("[94] a link stays a link, and the file that it leads to keeps its mode", () =>
    Effect.gen(function* () {
      const { root } = yield* tree
      yield* Effect.promise(() => chmod(join(root, "src", "a.txt"), 0o776))
      yield* TextFiles.write(inside(root), join(root, "a"), "b")
      const link = yield* Effect.promise(() => lstat(join(root, "a")))
      const file = yield* Effect.promise(() => stat(join(root, "src", "a.txt")))
      assert.isTrue(link.isSymbolicLink())
      assert.strictEqual(file.mode & 0o777, 0o776)
      assert.strictEqual(yield* Effect.promise(() => readFile(join(root, "src", "a.txt"), "utf8")), "b")
    })
  )

  it.live("[95] nothing is read or written outside", () =>
    Effect.gen(function* () {
      const { root, top } = yield* tree
      for (const path of ["key", "out/key", "../secret/key"])
        assert.strictEqual((yield* Effect.flip(TextFiles.read(inside(root), `${root}/${path}`))).reason, "outside")
      for (const path of ["key", "out/new", "dangling"])
        assert.strictEqual(
          (yield* Effect.flip(TextFiles.write(inside(root), `${root}/${path}`, "x"))).reason,
          "outside",
          path
        )
      assert.deepStrictEqual((yield* Effect.promise(() => readdir(join(top, "secret")))).sort(), ["back", "key"])
      assert.strictEqual(yield* Effect.promise(() => readFile(join(top, "secret", "key"), "utf8")), "secret")
    })
  )

  it.live("[95] a folder that is swapped for a link while a file in it is read leads nowhere", () =>
    Effect.gen(function* () {
      const { root, top } = yield* tree
      const folder = join(root, "swapped")
      const path = join(folder, "key")
      yield* Effect.promise(() => mkdir(folder))
      yield* Effect.promise(() => writeFile(path, "mine"))
      const done = new AbortController()
      const swapping = (async () => {
        while (!done.signal.aborted) {
          await rename(folder, join(root, "away"))
          await symlink(join(top, "secret"), folder)
          await unlink(folder)
          await rename(join(root, "away"), folder)
        }
      })()
      const heard = new Set<string>()
      // On a busy machine the swapping may keep step with the reading for long.
      for (let round = 0; round < 1000 || !heard.has("mine"); round++) {
        const text = yield* Effect.match(TextFiles.read(inside(root), path), {
          onFailure: ({ reason }) => reason,
          onSuccess: (text) => text
        })
        heard.add(text)
      }
      done.abort()
      yield* Effect.promise(() => swapping)
      assert.isFalse(heard.has("secret"), [...heard].join())
      assert.isTrue(heard.has("mine"))
    })
  )

  it.live("[93] lines are counted from 1 and keep their ends; beyond the last there is nothing", () =>
    Effect.gen(function* () {
      const { root } = yield* tree
      const path = join(root, "lines")
      yield* Effect.promise(() => writeFile(path, "\ufeffone\r\ntwo\n\nfour"))
      const lines = (line?: number, limit?: number) => TextFiles.read(inside(root), path, { line, limit })
      assert.strictEqual(yield* lines(), "\ufeffone\r\ntwo\n\nfour")
      assert.strictEqual(yield* lines(1, 1), "\ufeffone\r\n")
      assert.strictEqual(yield* lines(2), "two\n\nfour")
      assert.strictEqual(yield* lines(2, 2), "two\n\n")
      assert.strictEqual(yield* lines(4, 9), "four")
      assert.strictEqual(yield* lines(5), "")
      assert.strictEqual(yield* lines(900, 3), "")
      assert.strictEqual(yield* lines(undefined, 0), "")
    })
  )

  it.live("[93] the lines of a long file are found wherever its pieces are cut, within characters too", () =>
    Effect.gen(function* () {
      const { root } = yield* tree
      const path = join(root, "long")
      const all = Array.from({ length: 20_000 }, (_, index) => `${index} ${"ü€😀".repeat(index % 7)}\n`)
      yield* Effect.promise(() => writeFile(path, all.join("")))
      for (const line of [1, 2, 4_711, 19_999, 20_000])
        assert.strictEqual(
          yield* TextFiles.read(inside(root), path, { line, limit: 3 }),
          all.slice(line - 1, line + 2).join("")
        )
      assert.strictEqual(yield* TextFiles.read(inside(root), path), all.join(""))
    })
  )

  it.live("[93] what is not there, is no file, is no text or is too long is said to be that", () =>
    Effect.gen(function* () {
      const { root } = yield* tree
      yield* Effect.promise(async () => {
        await writeFile(join(root, "binary"), new Uint8Array([0x61, 0, 0x62]))
        await writeFile(join(root, "latin"), new Uint8Array([0x66, 0xfc, 0x72]))
        await writeFile(join(root, "huge"), `first\n${"x".repeat(TextFiles.mostBytes + 1)}`)
      })
      const reason = (name: string, excerpt?: TextFiles.Excerpt) =>
        TextFiles.read(inside(root), join(root, name), excerpt).pipe(
          Effect.match({ onFailure: (failure) => failure.reason, onSuccess: ({ length }) => `${length} characters` })
        )
      assert.strictEqual(yield* reason("none"), "missing")
      assert.strictEqual(yield* reason("src"), "kind")
      assert.strictEqual(yield* reason("binary"), "content")
      assert.strictEqual(yield* reason("latin"), "content")
      assert.strictEqual(yield* reason("huge"), "content")
      assert.strictEqual(yield* reason("huge", { line: 2 }), "content")
      assert.strictEqual(yield* TextFiles.read(inside(root), join(root, "huge"), { line: 1, limit: 1 }), "first\n")
      const write = TextFiles.write(inside(root), join(root, "too-long"), "x".repeat(TextFiles.mostBytes + 1))
      assert.strictEqual((yield* Effect.flip(write)).reason, "content")
      assert.strictEqual((yield* Effect.flip(TextFiles.write(inside(root), join(root, "src"), "x"))).reason, "kind")
    })
  )
})
