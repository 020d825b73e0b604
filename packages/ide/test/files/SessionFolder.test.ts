import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scheduler from "effect/Scheduler"
import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../system/test/support/TemporaryFolder.ts"
import * as SessionFolder from "../../src/files/SessionFolder.ts"

/** A folder with a file, beside another one. */
const folders = () => {
  const cwd = temporaryFolder("project")
  const elsewhere = temporaryFolder("elsewhere")
  mkdirSync(join(cwd, "src"))
  writeFileSync(join(cwd, "src/a.ts"), "one\r\ntwo 🚦\n")
  writeFileSync(join(elsewhere, "secret"), "secret")
  return { cwd, elsewhere }
}

const refusal = <A>(effect: Effect.Effect<A, SessionFolder.FolderRefused>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("the folder of a session", () => {
  it.live("reads its files as they are, by each of their names", () =>
    Effect.gen(function* () {
      const { cwd } = folders()
      const folder = yield* SessionFolder.open(cwd)
      for (const path of ["src/a.ts", "./src/../src/a.ts", join(cwd, "src/a.ts")])
        assert.strictEqual(yield* folder.read(path), "one\r\ntwo 🚦\n")
      assert.strictEqual(folder.nameOf(join(cwd, "src/a.ts")), "src/a.ts")
      assert.strictEqual(folder.nameOf(cwd), ".")
      assert.strictEqual(folder.nameOf("/usr/lib/lib.d.ts"), "/usr/lib/lib.d.ts")
    })
  )

  it.live("may itself be a link, and names its files from there on", () =>
    Effect.gen(function* () {
      const { cwd, elsewhere } = folders()
      const link = join(elsewhere, "link")
      symlinkSync(cwd, link)
      const folder = yield* SessionFolder.open(link)
      assert.strictEqual(yield* folder.read("src/a.ts"), "one\r\ntwo 🚦\n")
      for (const path of [join(cwd, "src/a.ts"), join(link, "src/a.ts")])
        assert.strictEqual(folder.nameOf(path), "src/a.ts")
    })
  )

  it.live("does not reach outside: by dots, by an absolute path, by a link of a file or a folder", () =>
    Effect.gen(function* () {
      const { cwd, elsewhere } = folders()
      symlinkSync(join(elsewhere, "secret"), join(cwd, "file-link"))
      symlinkSync(elsewhere, join(cwd, "folder-link"))
      const folder = yield* SessionFolder.open(cwd)
      const paths = [
        `../${elsewhere.split("/").at(-1)}/secret`,
        join(elsewhere, "secret"),
        "file-link",
        "folder-link/secret"
      ]
      for (const path of paths)
        assert.strictEqual(
          yield* refusal(folder.read(path)),
          `${path} is outside of the session's folder ${folder.roots[0]}.`
        )
      // Where the session has the folder, too, it is inside.
      const both = yield* SessionFolder.open(cwd, [elsewhere])
      assert.strictEqual(yield* both.read("folder-link/secret"), "secret")
    })
  )

  it.live("does not read what holds keys or decides what runs, by any of its names", () =>
    Effect.gen(function* () {
      const { cwd } = folders()
      for (const name of [".ssh", ".git"]) mkdirSync(join(cwd, name))
      for (const path of [".ssh/id_rsa", ".git/config", ".netrc", ".GIT-credentials"])
        writeFileSync(join(cwd, path), "key")
      symlinkSync(join(cwd, ".ssh/id_rsa"), join(cwd, "src/key.ts"))
      const folder = yield* SessionFolder.open(cwd)
      for (const [path, name, why] of [
        [".ssh/id_rsa", ".ssh", "holds keys or passwords"],
        ["src/key.ts", ".ssh", "holds keys or passwords"],
        [".git/config", ".git", "belongs to Git, which runs programs that are named there"],
        [".netrc", ".netrc", "holds keys or passwords"],
        [".GIT-credentials", ".GIT-credentials", "holds keys or passwords"]
      ] as const)
        assert.strictEqual(yield* refusal(folder.read(path)), `${path} is not read here: ${name} ${why}.`)
      assert.strictEqual(yield* folder.read("src/a.ts"), "one\r\ntwo 🚦\n")
    })
  )

  it.live("reads text in regular files only, and waits for none", () =>
    Effect.gen(function* () {
      const { cwd } = folders()
      execFileSync("mkfifo", [join(cwd, "pipe")])
      writeFileSync(join(cwd, "binary"), "a\0b")
      writeFileSync(join(cwd, "latin1"), Buffer.from([0x66, 0xfc, 0x72]))
      writeFileSync(join(cwd, "long"), "x".repeat(5 * 1024 * 1024 + 1))
      linkSync(join(cwd, "src/a.ts"), join(cwd, "second-name"))
      const folder = yield* SessionFolder.open(cwd)
      const words: ReadonlyArray<readonly [string, string]> = [
        ["pipe", "pipe is no regular file."],
        ["src", "src is a folder."],
        ["binary", "binary is no text: it has a zero byte."],
        ["latin1", "latin1 is no text in UTF-8."],
        ["long", "long has 5242881 bytes, and 5242880 may be read."],
        ["missing.ts", "missing.ts does not exist."],
        ["src/a.ts/b", "src/a.ts/b can't be read: a folder on the way is none."],
        ["", "A path has 1 to 4096 characters, and none of them is zero."],
        ["a\0b", "A path has 1 to 4096 characters, and none of them is zero."]
      ]
      for (const [path, message] of words) assert.strictEqual(yield* refusal(folder.read(path)), message)
      assert.strictEqual(yield* folder.read("second-name"), "one\r\ntwo 🚦\n")
    })
  )

  it.live("reads nothing from elsewhere, at whatever moment a folder on the way becomes a link", () =>
    Effect.gen(function* () {
      const elsewhere = temporaryFolder("elsewhere")
      writeFileSync(join(elsewhere, "a.ts"), "secret")
      const said = new Set<string>()
      for (let moment = 1, isOver = false; !isOver; moment += 1) {
        const { cwd } = folders()
        const folder = yield* SessionFolder.open(cwd)
        const swap = () => {
          renameSync(join(cwd, "src"), join(cwd, "before"))
          symlinkSync(elsewhere, join(cwd, "src"))
        }
        const swapping = new SwappingScheduler(moment, swap)
        const read = yield* Effect.provideService(Effect.result(folder.read("src/a.ts")), Scheduler.Scheduler, swapping)
        said.add(
          Result.match(read, { onSuccess: (text) => text, onFailure: ({ message }) => message.replace(cwd, "…") })
        )
        isOver = !swapping.hasSwapped
      }
      // Before it is looked at, between this and its opening, and afterwards.
      assert.deepStrictEqual([...said], ["src/a.ts is outside of the session's folder ….", "one\r\ntwo 🚦\n"])
    })
  )
})

/** Does something between two steps of a fiber, once. */
class SwappingScheduler extends Scheduler.MixedScheduler {
  hasSwapped = false
  private steps = 0
  private readonly moment: number
  private readonly swap: () => void
  constructor(moment: number, swap: () => void) {
    super()
    this.moment = moment
    this.swap = swap
  }
  override shouldYield(): boolean {
    this.steps += 1
    if (this.steps === this.moment) {
      this.hasSwapped = true
      this.swap()
    }
    return false
  }
}
