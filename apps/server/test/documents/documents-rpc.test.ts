/** Files of threads over the wire of a real server, compared with the disk. */
import { assert, describe, it } from "@effect/vitest"
import { type DocumentFrame, type DocumentText, mostDocumentBytes, PageId } from "@signalbox/contracts/Documents"
import { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as OrdinaryUser from "../cli/support/OrdinaryUser.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { hasOwnMounts, seenBy, smallDisk } from "../support/OwnMounts.ts"
import { scriptedCommand, served } from "../support/ServedThreads.ts"

type Visitor = Effect.Success<ReturnType<typeof served>>
type Client = Pick<Visitor, "client">["client"]

const threadId = ThreadId.make("t")
const here = PageId.make("here")
const other = PageId.make("other")

/** A file that a page has open: what the server says about it, frame by frame. */
const opened = Effect.fnUntraced(function* (client: Client, path: string, page = here, write = true) {
  const frames = yield* Queue.unbounded<DocumentFrame>()
  yield* client.watchDocument({ threadId, path, page, write }).pipe(
    Stream.runForEach((frame) => Queue.offer(frames, frame)),
    Effect.forkScoped
  )
  /** The next frame of a type. */
  const next = <Type extends DocumentFrame["type"]>(type: Type) =>
    Queue.take(frames).pipe(
      Effect.repeat({
        until: (frame): frame is Extract<DocumentFrame, { readonly type: Type }> => frame.type === type
      })
    )
  const text = Effect.map(next("text"), ({ document }) => document)
  const holder = Effect.map(next("hold"), ({ holder }) => holder)
  const refusal = Effect.map(next("refused"), ({ problem }) => problem)
  return { next, text, holder, refusal }
})

/** `within`: the words before the command of the server. */
const setUpWithin = Effect.fnUntraced(function* (within: ReadonlyArray<string>) {
  const [state, project] = [temporaryFolder("state"), temporaryFolder("project")]
  if (within.length > 0) [state, project].forEach(OrdinaryUser.give)
  const visitor = yield* served(state, { within })
  const { cwd } = yield* visitor.open(threadId, scriptedCommand, project)
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(cwd, name), content)
  const save = (path: string, text: string, base: DocumentText | null, page = here) =>
    visitor.client.saveDocument({
      threadId,
      path,
      page,
      text,
      encoding: base?.encoding ?? "utf-8",
      base: base?.version ?? null
    })
  return { ...visitor, cwd, write, save }
})
const setUp = setUpWithin([])

const refusalOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => (error instanceof Refused ? error.problem : assert.fail(String(error))))

describe("documents over the wire", () => {
  it.live("a file is opened, saved and seen again, byte by byte, with its mode", () =>
    Effect.gen(function* () {
      const { client, cwd, save, write } = yield* setUp
      mkdirSync(join(cwd, "src"))
      for (const [name, content, lineEnd, encoding] of [
        ["src/lf.ts", "one\ntwo\n", "lf", "utf-8"],
        ["crlf.ts", "one\r\ntwo", "crlf", "utf-8"],
        ["cr.txt", "one\rtwo\r", "cr", "utf-8"],
        ["mixed.txt", "one\r\ntwo\nthree", "mixed", "utf-8"],
        ["bom.txt", "\ufeffeins €😀\r\n", "crlf", "utf-8-bom"],
        ["empty", "", "lf", "utf-8"]
      ] as const) {
        write(name, content)
        chmodSync(join(cwd, name), 0o754)
        const file = yield* opened(client, name)
        const document = yield* file.text
        assert.deepInclude(document, { lineEnd, encoding, bytes: Buffer.byteLength(content) }, name)
        assert.strictEqual((encoding === "utf-8-bom" ? "\ufeff" : "") + document.text, content)
        const saved = yield* save(name, `${document.text}more`, document)
        assert.strictEqual(saved.type, "saved")
        assert.strictEqual(readFileSync(join(cwd, name), "utf8"), `${content}more`)
        assert.strictEqual(statSync(join(cwd, name)).mode & 0o7777, 0o754)
        // What comes next is not its own save, but what another program does.
        write(name, "other")
        assert.strictEqual((yield* file.text).text, "other")
      }
    })
  )

  it.live("a save never replaces a text that it was not made from, and says what is there", () =>
    Effect.gen(function* () {
      const { client, cwd, save, write } = yield* setUp
      write("a.ts", "one\n")
      const file = yield* opened(client, "a.ts")
      const document = yield* file.text
      write("a.ts", "theirs\n")
      const changed = yield* save("a.ts", "mine\n", document)
      if (changed.type !== "changed" || changed.disk.type !== "text") return assert.fail(JSON.stringify(changed))
      assert.strictEqual(changed.disk.document.text, "theirs\n")
      rmSync(join(cwd, "a.ts"))
      assert.deepStrictEqual(yield* save("a.ts", "mine\n", document), { type: "changed", disk: { type: "gone" } })
      assert.deepStrictEqual(readdirSync(cwd), [])
      // Somebody made it again before the page does.
      write("a.ts", "again\n")
      assert.strictEqual((yield* save("a.ts", "mine\n", null)).type, "changed")
      assert.strictEqual(readFileSync(join(cwd, "a.ts"), "utf8"), "again\n")
      rmSync(join(cwd, "a.ts"))
      assert.strictEqual((yield* save("a.ts", "mine\n", null)).type, "saved")
      assert.strictEqual(readFileSync(join(cwd, "a.ts"), "utf8"), "mine\n")
    })
  )

  it.live("a merge has the changes of both sides, and says which lines both changed", () =>
    Effect.gen(function* () {
      const { client, cwd, write } = yield* setUp
      const base = "1\n2\n3\n4\n5\n6\n7\n"
      const merge = (mine: string) =>
        Effect.map(client.mergeDocument({ threadId, path: "a.ts", base, mine }), ({ merge }) => merge)
      write("a.ts", base.replace("7", "theirs"))
      assert.deepStrictEqual(yield* merge(base.replace("1", "mine")), {
        type: "clean",
        text: "mine\n2\n3\n4\n5\n6\ntheirs\n"
      })
      write("a.ts", base.replace("3", "a\nb").replace("7", "theirs"))
      assert.deepStrictEqual(yield* merge(base.replace("1", "x\ny").replace("3", "mine")), {
        type: "conflict",
        mine: "x\ny\n2\nmine\n4\n5\n6\ntheirs\n",
        theirs: "x\ny\n2\na\nb\n4\n5\n6\ntheirs\n",
        places: [{ from: 4, to: 4 }]
      })
      // Lines that look like marks of conflicts, Windows line ends, and a last line without an end.
      const hostile = "=======\r\n<<<<<<< a\r\n||||||| b\r\n>>>>>>> c"
      write("a.ts", `${hostile} theirs`)
      const result = yield* client.mergeDocument({ threadId, path: "a.ts", base: hostile, mine: `${hostile} mine` })
      assert.deepStrictEqual(result.merge, {
        type: "conflict",
        mine: `${hostile} mine`,
        theirs: `${hostile} theirs`,
        places: [{ from: 4, to: 4 }]
      })
      assert.deepStrictEqual(readdirSync(cwd), ["a.ts"])
    })
  )

  it.live("a change, a deletion and a renaming on the disk are seen", () =>
    Effect.gen(function* () {
      const { client, cwd, save, write } = yield* setUp
      write("a.ts", "one\n")
      const file = yield* opened(client, "a.ts")
      assert.strictEqual((yield* file.text).text, "one\n")
      write("a.ts", "two\n")
      assert.strictEqual((yield* file.text).text, "two\n")
      appendFileSync(join(cwd, "a.ts"), Buffer.from([0, 1]))
      assert.strictEqual((yield* file.refusal).title, "a.ts isn’t text.")
      write("a.ts", "three\n")
      assert.strictEqual((yield* file.text).text, "three\n")
      renameSync(join(cwd, "a.ts"), join(cwd, "b.ts"))
      assert.deepStrictEqual(yield* file.next("gone"), { type: "gone", movedTo: "b.ts" })
      write("a.ts", "again\n")
      assert.strictEqual((yield* file.text).text, "again\n")
      rmSync(join(cwd, "a.ts"))
      assert.deepStrictEqual(yield* file.next("gone"), { type: "gone" })
      // Right after a save, before anybody looked at the file.
      yield* save("a.ts", "mine\n", null)
      renameSync(join(cwd, "a.ts"), join(cwd, "c.ts"))
      assert.deepStrictEqual(yield* file.next("gone"), { type: "gone", movedTo: "c.ts" })
    })
  )

  it.live("what the editor can't open is refused with its cause and a next step", () =>
    Effect.gen(function* () {
      const { client, cwd, write } = yield* setUp
      write("large.log", "")
      truncateSync(join(cwd, "large.log"), 50 * 1024 * 1024)
      write("just.log", "x".repeat(mostDocumentBytes))
      write("tape.bin", Uint8Array.of(1, 0, 2))
      write("latin.txt", Uint8Array.of(0xe9, 0x20))
      mkdirSync(join(cwd, "src"))
      execFileSync("mkfifo", [join(cwd, "pipe")])
      const secret = temporaryFolder("secret")
      writeFileSync(join(secret, "key"), "secret")
      symlinkSync(join(secret, "key"), join(cwd, "out"))
      linkSync(join(secret, "key"), join(cwd, "hard"))
      mkdirSync(join(cwd, ".ssh"))
      write(".ssh/id", "key")
      for (const [path, said] of [
        ["large.log", "large.log is 50 MiB. The editor opens files up to 4 MiB."],
        ["tape.bin", "tape.bin isn’t text. 3 bytes. It is binary, or its encoding isn’t UTF-8."],
        ["latin.txt", "latin.txt isn’t text."],
        ["src", "src is a folder. The editor opens files."],
        ["pipe", "pipe isn’t a file."],
        ["out", "out is outside of the folder of the thread."],
        ["../x", "x is outside of the folder of the thread."],
        [join(secret, "key"), "key is outside of the folder of the thread."],
        ["hard", "hard isn’t opened here. It has several names (hard links)"],
        [".ssh/id", "id isn’t opened here. .ssh holds keys or passwords."]
      ] as const) {
        const problem = yield* (yield* opened(client, path)).refusal
        assert.include(`${problem.title} ${problem.cause}`, said)
        assert.notInclude(`${problem.title} ${problem.cause}`, "agents")
        assert.lengthOf(problem.nextSteps, 1, path)
      }
      assert.lengthOf((yield* (yield* opened(client, "just.log")).text).text, mostDocumentBytes)
      assert.deepStrictEqual(yield* (yield* opened(client, "nothing")).next("gone"), { type: "gone" })
      const unknown = client.watchDocument({ threadId: ThreadId.make("no"), path: "a", page: here, write: false })
      assert.include((yield* refusalOf(Stream.runHead(unknown))).cause, "Signalbox doesn’t have its thread")
    })
  )

  it.live("a save doesn't go through a link that leads out, nor into what is protected", () =>
    Effect.gen(function* () {
      const { client, cwd, save, write } = yield* setUp
      const secret = temporaryFolder("secret")
      writeFileSync(join(secret, "a.ts"), "one\n")
      mkdirSync(join(cwd, "src"))
      write("src/a.ts", "one\n")
      const document = yield* (yield* opened(client, "src/a.ts")).text
      rmSync(join(cwd, "src"), { recursive: true })
      symlinkSync(secret, join(cwd, "src"))
      const problem = yield* refusalOf(save("src/a.ts", "mine\n", document))
      assert.strictEqual(problem.title, "a.ts was not saved.")
      assert.strictEqual(readFileSync(join(secret, "a.ts"), "utf8"), "one\n")
      mkdirSync(join(cwd, ".git", "hooks"), { recursive: true })
      assert.include((yield* refusalOf(save(".git/hooks/pre-commit", "sh", null))).cause, "belongs to Git")
      assert.deepStrictEqual(readdirSync(join(cwd, ".git", "hooks")), [])
      assert.include((yield* refusalOf(save("half", "\ud83d", null))).cause, "half a character")
      const long = yield* refusalOf(save("long", "x".repeat(mostDocumentBytes + 1), null))
      assert.include(long.cause, "The editor saves up to 4 MiB")
      assert.deepStrictEqual(readdirSync(cwd).toSorted(), [".git", "src"])
    })
  )

  it.live("a file belongs to the first page, until another takes over or it closes", () =>
    Effect.gen(function* () {
      const { client, connected, cwd, save, write } = yield* setUp
      write("a.ts", "one\n")
      symlinkSync("a.ts", join(cwd, "alias.ts"))
      const first = yield* opened(client, "a.ts")
      assert.strictEqual(yield* first.holder, "here")
      const document = yield* first.text
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { client } = yield* connected
          const second = yield* opened(client, "alias.ts", other)
          assert.strictEqual(yield* second.holder, "elsewhere")
          const refused = yield* refusalOf(save("alias.ts", "second\n", document, other))
          assert.strictEqual(refused.cause, "Another page edits it now.")
          yield* client.takeOverDocument({ threadId, path: "alias.ts", page: other })
          assert.strictEqual(yield* second.holder, "here")
          assert.strictEqual(yield* first.holder, "elsewhere")
          assert.strictEqual((yield* refusalOf(save("a.ts", "first\n", document))).cause, "Another page edits it now.")
        })
      )
      // The second page is gone.
      assert.strictEqual(yield* first.holder, "here")
      assert.strictEqual((yield* save("a.ts", "first\n", document)).type, "saved")
      const reader = yield* opened(client, "a.ts", PageId.make("reader"), false)
      assert.strictEqual(yield* reader.holder, "elsewhere")
      const refused = client.takeOverDocument({ threadId, path: "a.ts", page: PageId.make("reader") })
      assert.include((yield* refusalOf(refused)).title, "isn’t open in this page")
    })
  )

  it.live.skipIf(!hasOwnMounts)("a save on a full disk is refused, and the file stays as it is", () =>
    Effect.gen(function* () {
      const project = temporaryFolder("small")
      const { client, send, server } = yield* served(temporaryFolder("state"), {
        within: smallDisk(project, 2 * 1024 * 1024)
      })
      const seen = seenBy(server.pid, project)
      writeFileSync(join(seen, "a.ts"), "one\n")
      yield* send(threadId, {
        type: "thread.create",
        provider: ProviderId.make("scripted"),
        cwd: project,
        providerOptions: { acp: scriptedCommand }
      })
      const document = yield* (yield* opened(client, "a.ts")).text
      const refused = yield* refusalOf(
        client.saveDocument({
          threadId,
          path: "a.ts",
          page: here,
          text: "x".repeat(3 * 1024 * 1024),
          encoding: "utf-8",
          base: document.version
        })
      )
      assert.include(refused.cause, "the disk is full")
      assert.deepStrictEqual(readdirSync(seen), ["a.ts"])
      assert.strictEqual(readFileSync(join(seen, "a.ts"), "utf8"), "one\n")
    })
  )

  it.live.skipIf(!OrdinaryUser.exists)("a file that this user may not read or write is said to be so", () =>
    Effect.gen(function* () {
      const { client, cwd, write } = yield* setUpWithin(OrdinaryUser.within)
      write("a.ts", "one\n")
      OrdinaryUser.give(join(cwd, "a.ts"))
      chmodSync(join(cwd, "a.ts"), 0)
      assert.include((yield* (yield* opened(client, "a.ts")).refusal).cause, "this user may not do that")
      chmodSync(join(cwd, "a.ts"), 0o444)
      assert.strictEqual((yield* (yield* opened(client, "a.ts")).text).readOnly, "This user may not write a.ts.")
    })
  )
})
