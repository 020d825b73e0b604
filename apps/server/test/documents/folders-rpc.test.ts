/** Folders of threads over the wire of a real server, compared with the disk. */
import { assert, describe, it } from "@effect/vitest"
import { type FolderFrame, mostEntries } from "@signalbox/contracts/FolderEntries"
import { ThreadId } from "@signalbox/contracts/Ids"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as OrdinaryUser from "../cli/support/OrdinaryUser.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { scriptedCommand, served } from "../support/ServedThreads.ts"

const threadId = ThreadId.make("t")

/** `within`: the words before the command of the server. */
const setUpWithin = Effect.fnUntraced(function* (within: ReadonlyArray<string>) {
  const [state, project] = [temporaryFolder("state"), temporaryFolder("project")]
  if (within.length > 0) [state, project].forEach(OrdinaryUser.give)
  const { client, open } = yield* served(state, { within })
  const { cwd } = yield* open(threadId, scriptedCommand, project)
  const write = (name: string, content = "") => writeFileSync(join(cwd, name), content)
  /** A folder that a page shows, as the server says it, frame by frame. */
  const shown = Effect.fnUntraced(function* (path: string, thread = threadId) {
    const frames = yield* Queue.unbounded<FolderFrame>()
    yield* client.watchFolder({ threadId: thread, path }).pipe(
      Stream.runForEach((frame) => Queue.offer(frames, frame)),
      Effect.forkScoped
    )
    const entries = Effect.flatMap(Queue.take(frames), (frame) =>
      frame.type === "entries"
        ? Effect.succeed(frame.entries.map(({ name }) => name))
        : Effect.die(new Error(frame.problem.cause))
    )
    const words = Effect.map(Queue.take(frames), (frame) =>
      frame.type === "refused" ? `${frame.problem.title} ${frame.problem.cause}` : JSON.stringify(frame)
    )
    return { frame: Queue.take(frames), entries, words }
  })
  return { client, cwd, open, shown, write }
})
const setUp = setUpWithin([])

describe("folders over the wire", () => {
  it.live("a folder is listed, folders first, with what git ignores and where links lead", () =>
    Effect.gen(function* () {
      const { cwd, shown, write } = yield* setUp
      execFileSync("git", ["init", "-q"], { cwd })
      const outside = temporaryFolder("outside")
      writeFileSync(join(outside, "key"), "secret")
      for (const folder of ["src", "build"]) mkdirSync(join(cwd, folder))
      for (const name of ["b10.ts", "b9.ts", "src/a.ts", "build/x.js", "err.log"]) write(name)
      write(".gitignore", "build\n*.log\n")
      symlinkSync("src", join(cwd, "alias"))
      symlinkSync("src/a.ts", join(cwd, "one.ts"))
      symlinkSync(outside, join(cwd, "out"))
      symlinkSync("nowhere", join(cwd, "lost"))
      execFileSync("mkfifo", [join(cwd, "pipe")])
      assert.deepStrictEqual(yield* (yield* shown("")).frame, {
        type: "entries",
        entries: [
          { name: "alias", kind: "folder", isLink: true },
          { name: "build", kind: "folder", isIgnored: true },
          { name: "src", kind: "folder" },
          { name: ".gitignore", kind: "file" },
          { name: "b9.ts", kind: "file" },
          { name: "b10.ts", kind: "file" },
          { name: "err.log", kind: "file", isIgnored: true },
          { name: "lost", kind: "other", isLink: true },
          { name: "one.ts", kind: "file", isLink: true },
          { name: "out", kind: "other", isLink: true },
          { name: "pipe", kind: "other" }
        ],
        isCut: false
      })
      assert.deepStrictEqual(yield* (yield* shown("alias")).entries, ["a.ts"])
      assert.deepStrictEqual(yield* (yield* shown("build")).frame, {
        type: "entries",
        entries: [{ name: "x.js", kind: "file", isIgnored: true }],
        isCut: false
      })
    })
  )

  it.live("nothing is listed outside of the folder of the thread, nor what is protected", () =>
    Effect.gen(function* () {
      const { client, cwd, open, shown, write } = yield* setUp
      const outside = temporaryFolder("outside")
      writeFileSync(join(outside, "key"), "secret")
      symlinkSync(outside, join(cwd, "out"))
      mkdirSync(join(cwd, "src"))
      write("src/a.ts")
      for (const folder of [".git", ".ssh"]) mkdirSync(join(cwd, folder))
      const other = yield* open(ThreadId.make("other"))
      for (const [path, said] of [
        ["out", "out is outside of the folder of the thread."],
        ["..", "is outside of the folder of the thread."],
        ["src/../..", "is outside of the folder of the thread."],
        ["/", "is outside of the folder of the thread."],
        [other.cwd, "is outside of the folder of the thread."],
        [".git", ".git isn’t opened here. .git belongs to Git"],
        [".ssh", ".ssh isn’t opened here. .ssh holds keys or passwords."],
        ["no", "no doesn’t exist."],
        ["src/a.ts", "a.ts isn’t a folder."],
        ["src\0", "src"]
      ] as const) {
        const words = yield* (yield* shown(path)).words
        assert.include(words, said)
        assert.notInclude(words, "agents")
        assert.notInclude(words, '"key"')
      }
      const unknown = client.watchFolder({ threadId: ThreadId.make("no"), path: "" })
      const refused = yield* Effect.flip(Stream.runHead(unknown))
      assert.include(refused instanceof Refused ? refused.problem.cause : "", "Signalbox doesn’t have its thread")
    })
  )

  it.live(
    "what comes and goes on the disk is listed, and a folder that is replaced by a link that leads out isn't",
    () =>
      Effect.gen(function* () {
        const { cwd, shown, write } = yield* setUp
        mkdirSync(join(cwd, "src"))
        write("src/a.ts")
        const src = yield* shown("src")
        assert.deepStrictEqual(yield* src.entries, ["a.ts"])
        write("src/b.ts")
        assert.deepStrictEqual(yield* src.entries, ["a.ts", "b.ts"])
        renameSync(join(cwd, "src/a.ts"), join(cwd, "src/c.ts"))
        assert.deepStrictEqual(yield* src.entries, ["b.ts", "c.ts"])
        const outside = temporaryFolder("outside")
        writeFileSync(join(outside, "key"), "secret")
        rmSync(join(cwd, "src"), { recursive: true })
        assert.include(yield* src.words, "src doesn’t exist.")
        symlinkSync(outside, join(cwd, "src"))
        assert.include(yield* src.words, "src is outside of the folder of the thread.")
        rmSync(join(cwd, "src"))
        mkdirSync(join(cwd, "src"))
        assert.deepStrictEqual(yield* src.entries, [])
      })
  )

  it.live("a folder with very many entries is listed in part, and says so", () =>
    Effect.gen(function* () {
      const { cwd, shown, write } = yield* setUp
      for (let index = 0; index <= mostEntries; index++) write(`f${index}`)
      mkdirSync(join(cwd, "zoo"))
      const frame = yield* (yield* shown("")).frame
      if (frame.type !== "entries") return assert.fail(frame.problem.title)
      assert.deepInclude(frame.entries[0], { name: "zoo", kind: "folder" })
      assert.lengthOf(frame.entries, mostEntries)
      assert.isTrue(frame.isCut)
    })
  )

  it.live.skipIf(!OrdinaryUser.exists)("a folder that this user may not read is said to be so", () =>
    Effect.gen(function* () {
      const { cwd, shown } = yield* setUpWithin(OrdinaryUser.within)
      mkdirSync(join(cwd, "closed"), { mode: 0 })
      assert.include(yield* (yield* shown("closed")).words, "this user may not do that")
      chmodSync(join(cwd, "closed"), 0o755)
    })
  )
})
