/** Texts of the disk and of editors: what is read, what is refused, and what has changed meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as DocumentStore from "../src/documents/DocumentStore.ts"
import { scopedFolder } from "../../system/test/support/TemporaryFolder.ts"
import { project } from "./support/Servers.ts"

const storeOf = (folder: string) => DocumentStore.make(() => [folder])

describe("documents", () => {
  it.live("of the disk are read again when the file has changed, and are gone when it is deleted", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.ts": "one\r\ntwo\r\n" })
      const path = join(folder, "a.ts")
      const { current } = storeOf(folder)
      const first = yield* current(path)
      assert.strictEqual(first?.lines.text, "one\r\ntwo\r\n")
      assert.strictEqual(first?.languageId, "typescript")
      assert.strictEqual(yield* current(path), first)
      writeFileSync(path, "\ufeffthree 😀\n")
      const second = yield* current(path)
      assert.strictEqual(second?.lines.text, "three 😀\n")
      assert.strictEqual(second?.version, 2)
      rmSync(path)
      assert.isUndefined(yield* current(path))
      writeFileSync(path, "again")
      assert.strictEqual((yield* current(path))?.lines.text, "again")
    })
  )

  it.live("that have changed are told apart, and so are those whose folders have", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.ts": "a", "b.ts": "b", "c.ts": "c" })
      let folders = [folder]
      const store = DocumentStore.make(() => folders)
      const documents = yield* Effect.forEach(["a.ts", "b.ts", "c.ts"], (name) => store.current(join(folder, name)))
      const known = documents.filter((one) => one !== undefined)
      const changed = Effect.map(store.changedOf(known), (all) => all.map(({ path }) => basename(path)))
      assert.deepStrictEqual(yield* changed, [])
      writeFileSync(join(folder, "a.ts"), "other")
      rmSync(join(folder, "b.ts"))
      yield* store.open({ path: join(folder, "c.ts"), version: 1, text: "of an editor" })
      assert.deepStrictEqual(yield* changed, ["a.ts", "b.ts", "c.ts"])
      yield* store.close(join(folder, "c.ts"))
      folders = [join(folder, "elsewhere")]
      assert.include(yield* changed, "c.ts")
      assert.strictEqual((yield* Effect.flip(store.folderOf(join(folder, "c.ts")))).reason, "OutOfFolders")
      assert.strictEqual((yield* Effect.flip(store.current(join(folder, "c.ts")))).reason, "OutOfFolders")
    })
  )

  it.live("that are no text, no file or too long are refused with words", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.bin": "a\0b", "long.txt": "" })
      writeFileSync(join(folder, "latin.txt"), Buffer.from([0x61, 0xe9, 0x62]))
      writeFileSync(join(folder, "long.txt"), Buffer.alloc(16 * 1024 * 1024 + 1, "a"))
      writeFileSync(join(folder, "five.txt"), "line of text\n".repeat(400_000))
      mkdirSync(join(folder, "folder"))
      execFileSync("mkfifo", [join(folder, "pipe")])
      const { current } = storeOf(folder)
      const words = (name: string) => Effect.map(Effect.flip(current(join(folder, name))), ({ message }) => message)
      assert.include(yield* words("a.bin"), "it is binary: it has a zero byte")
      assert.include(yield* words("latin.txt"), "it is not UTF-8")
      assert.include(yield* words("long.txt"), "it has 16777217 bytes. At most 16777216 are read")
      assert.include(yield* words("pipe"), "it is a pipe, not a file")
      assert.include(yield* words("folder"), "it is a folder, not a file")
      assert.strictEqual((yield* current(join(folder, "five.txt")))?.lines.count, 400_001)
    })
  )

  it.live("are within the folders, also behind links", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "src/a.ts": "" })
      const other = yield* scopedFolder
      writeFileSync(join(other, "secret.ts"), "")
      symlinkSync(join(other, "secret.ts"), join(folder, "link.ts"))
      symlinkSync(other, join(folder, "away"))
      symlinkSync(join(folder, "src"), join(folder, "near"))
      const store = storeOf(folder)
      for (const path of [join(folder, "link.ts"), join(folder, "away/secret.ts"), join(folder, "away/none.ts")]) {
        const { message, reason } = yield* Effect.flip(store.current(path))
        assert.strictEqual(reason, "OutOfFolders")
        assert.include(message, "a symbolic link leads out of the folders")
      }
      for (const path of ["/etc/hosts", "relative.ts", join(folder, "../x.ts")])
        assert.strictEqual((yield* Effect.flip(store.current(path))).reason, "OutOfFolders")
      assert.isDefined(yield* store.current(join(folder, "near/a.ts")))
      const opened = { path: join(folder, "link.ts"), version: 1, text: "" }
      assert.strictEqual((yield* Effect.flip(store.open(opened))).reason, "OutOfFolders")
    })
  )

  it.live("of an editor win over the disk, have rising versions, and end when it closes them", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.ts": "disk" })
      const path = join(folder, "a.ts")
      const store = storeOf(folder)
      assert.strictEqual((yield* Effect.flip(store.change(path, 1, []))).reason, "StaleVersion")
      yield* store.open({ path, version: 5, text: "editor" })
      writeFileSync(path, "disk again")
      assert.strictEqual((yield* store.current(path))?.lines.text, "editor")
      const { message } = yield* Effect.flip(store.change(path, 5, [{ text: "late" }]))
      assert.include(message, "version 5 is here already")
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 2 } }
      assert.strictEqual((yield* store.change(path, 6, [{ range, text: "E" }])).lines.text, "Eitor")
      yield* store.close(path)
      assert.strictEqual((yield* store.current(path))?.lines.text, "disk again")
    })
  )
})
