/** Files that an agent reads and writes by its editor, which is built on the official SDK. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { createHash } from "node:crypto"
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as EditorStage from "./support/EditorStage.ts"
import { answersIn, ended, warningsIn } from "./support/EditorStage.ts"
import * as SdkEditor from "./support/SdkEditor.ts"
import { temporaryFolder } from "./support/Signalbox.ts"

const { session } = acp.methods.agent

const stage = (options: Partial<EditorStage.Options> = {}) =>
  EditorStage.make({
    access: { files: "write" },
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    ...options
  })

const read = (path: string, more: object = {}) => ({
  request: { method: "fs/read_text_file", params: { path, ...more } }
})
const write = (path: string, content: string) => ({
  request: { method: "fs/write_text_file", params: { path, content } }
})

/** The agent's first request, which it cancels when there is a file `go`. Its requests count from 0. */
const cancelled = (step: object) => ({
  together: [[step], [{ waitForFile: "go" }, { notify: { method: "$/cancel_request", params: { requestId: 0 } } }]]
})

const withdrawnFrom = (path: string) =>
  `The write of ${path} was withdrawn from Quill, which had not answered. It may still come.`

/** The writes that the thread has on record. */
const writtenIn = ({ items }: ThreadView) =>
  items.flatMap((item) =>
    item.type === "file" && item.written !== undefined ? [{ path: item.path, ...item.written }] : []
  )

const versionOf = (text: string) => createHash("sha256").update(text).digest("base64url")

describe("a file that an agent reads", () => {
  it.live("is what the editor has of it, saved or not, a new one and single lines too", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId, watcher } = yield* stage()
      const fresh = join(cwd, "new", "b.txt")
      const turn = yield* Effect.forkScoped(
        editor.prompt(sessionId, read(path), read(path, { line: 2, limit: 1 }), read(fresh))
      )
      yield* editor.until(({ calls }) => calls.reads.length === 1)
      editor.calls.reads[0]?.answer({ content: "not saved\n" })
      yield* editor.until(({ calls }) => calls.reads.length === 2)
      editor.calls.reads[1]?.answer({ content: "line two\n" })
      yield* editor.until(({ calls }) => calls.reads.length === 3)
      editor.calls.reads[2]?.answer({ content: "only in a buffer\n" })
      yield* Fiber.join(turn)
      assert.deepStrictEqual(
        editor.calls.reads.map(({ params }) => params),
        [
          { sessionId, path },
          { sessionId, path, line: 2, limit: 1 },
          { sessionId, path: fresh }
        ]
      )
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(
        answersIn(view).map(({ result }) => result?.["content"]),
        ["not saved\n", "line two\n", "only in a buffer\n"]
      )
      assert.deepStrictEqual(warningsIn(view), [])
    }).pipe(Effect.scoped)
  )

  it.live("is what the disk has where the editor refuses, and missing where both have none", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId, watcher } = yield* stage()
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, read(path), read(join(cwd, "none"))))
      for (const place of [0, 1]) {
        yield* editor.until(({ calls }) => calls.reads.length === place + 1)
        editor.calls.reads[place]?.refuse(new acp.RequestError(-32002, "no such buffer"))
      }
      yield* Fiber.join(turn)
      const [whole, missing] = answersIn(yield* watcher.until(ended))
      assert.deepStrictEqual(whole?.result, { content: "saved\n" })
      assert.strictEqual(missing?.error?.code, -32002)
    }).pipe(Effect.scoped)
  )

  it.live("is what the disk has after five seconds without an answer, which the thread says once", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, { together: [[read(path)], [read(path)]] }))
      yield* editor.until(({ calls }) => calls.reads.length === 2)
      yield* Effect.promise(() => Promise.all(editor.calls.reads.map(({ withdrawn }) => withdrawn)))
      yield* Fiber.join(turn)
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(
        answersIn(view).map(({ result }) => result),
        [{ content: "saved\n" }, { content: "saved\n" }]
      )
      assert.deepStrictEqual(warningsIn(view), [
        `Quill did not answer within 5 seconds what is in ${path}. The agent got what is on the disk.`
      ])
    }).pipe(Effect.scoped)
  )

  it.live("is what the disk has, at once, while an editor stays silent that was silent before", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      yield* Effect.forkScoped(editor.prompt(sessionId, read(path), read(path), read(path)))
      yield* editor.until(({ calls }) => calls.reads.length === 1)
      yield* Effect.promise(() => editor.calls.reads[0]?.withdrawn ?? Promise.reject(new Error("It was not asked")))
      const view = yield* watcher.until(ended)
      assert.lengthOf(answersIn(view), 3)
      assert.lengthOf(warningsIn(view), 1)
      // The later two are still with the editor: nobody has waited for them.
      yield* editor.until(({ calls }) => calls.reads.length === 3)
      editor.calls.reads[2]?.answer({ content: "not saved\n" })
      yield* Effect.promise(() => editor.calls.reads[1]?.withdrawn ?? Promise.reject(new Error("It was not asked")))
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, read(path)))
      yield* editor.until(({ calls }) => calls.reads.length === 4)
      editor.calls.reads[3]?.answer({ content: "still not saved\n" })
      yield* Fiber.join(turn)
      const after = yield* watcher.until((now) => answersIn(now).length === 4)
      assert.deepStrictEqual(answersIn(after)[3]?.result, { content: "still not saved\n" })
    }).pipe(Effect.scoped)
  )

  it.live("is what the disk has if the editor's text is too long, which the thread says", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      yield* Effect.forkScoped(editor.prompt(sessionId, read(path)))
      yield* editor.until(({ calls }) => calls.reads.length === 1)
      editor.calls.reads[0]?.answer({ content: "x".repeat(10 * 1024 * 1024 + 1) })
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(answersIn(view)[0]?.result, { content: "saved\n" })
      assert.deepStrictEqual(warningsIn(view), [
        `Quill has a text of ${path} that is too long. The agent got what is on the disk.`
      ])
    }).pipe(Effect.scoped)
  )

  it.live("is what the disk has if the editor leaves before it answers", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      yield* Effect.forkScoped(Effect.exit(editor.prompt(sessionId, read(path))))
      yield* editor.until(({ calls }) => calls.reads.length === 1)
      editor.kill("SIGKILL")
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(answersIn(view)[0]?.result, { content: "saved\n" })
    }).pipe(Effect.scoped)
  )

  it.live("is withdrawn from the editor when the agent cancels its request", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId, watcher } = yield* stage()
      yield* Effect.forkScoped(editor.prompt(sessionId, cancelled(read(path))))
      yield* editor.until(({ calls }) => calls.reads.length === 1)
      writeFileSync(join(cwd, "go"), "")
      yield* Effect.promise(() => editor.calls.reads[0]?.withdrawn ?? Promise.reject(new Error("It was not asked")))
      assert.strictEqual(answersIn(yield* watcher.until(ended))[0]?.error?.code, -32800)
    }).pipe(Effect.scoped)
  )
})

describe("a file that an agent must not touch", () => {
  it.live("outside, protected, denied by a rule, by a link or by another name: never reaches the editor", () =>
    Effect.gen(function* () {
      const deny = [{ effect: "deny", match: { path: "**/denied.txt" } }]
      const { cwd, editor, path, sessionId, watcher } = yield* stage({ rules: deny })
      const beside = temporaryFolder("beside")
      writeFileSync(join(beside, "x"), "outside")
      symlinkSync(beside, join(cwd, "out"))
      linkSync(join(beside, "x"), join(cwd, "two-names"))
      const denied = join(cwd, "denied.txt")
      writeFileSync(denied, "denied")
      const places = [join(beside, "x"), join(cwd, "out", "x"), join(cwd, ".ssh", "id"), join(cwd, "two-names"), denied]
      const steps = places.flatMap((place) => [read(place), write(place, "mine")])
      // The last one shows that the editor is asked at all.
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, ...steps, read(path)))
      yield* editor.until(({ calls }) => calls.reads.length > 0)
      editor.calls.reads[0]?.answer({ content: "allowed" })
      yield* Fiber.join(turn)
      const answers = answersIn(yield* watcher.until(ended))
      assert.lengthOf(answers, places.length * 2 + 1)
      for (const { error } of answers.slice(0, -1)) assert.strictEqual(error?.code, -32602)
      assert.deepStrictEqual(
        editor.calls.reads.map(({ params }) => params.path),
        [path]
      )
      assert.deepStrictEqual(editor.calls.writes, [])
      assert.strictEqual(readFileSync(join(beside, "x"), "utf8"), "outside")
      assert.strictEqual(readFileSync(denied, "utf8"), "denied")
    }).pipe(Effect.scoped)
  )

  it.live("is not written by the editor in place if it has another name", () =>
    Effect.gen(function* () {
      const { cwd, editor, sessionId, watcher } = yield* stage({ access: { files: "write", hardLinks: "read" } })
      const other = join(temporaryFolder("beside"), "x")
      writeFileSync(other, "other")
      linkSync(other, join(cwd, "two-names"))
      yield* editor.prompt(sessionId, write(join(cwd, "two-names"), "mine"))
      assert.deepStrictEqual(answersIn(yield* watcher.until(ended))[0]?.result, {})
      assert.deepStrictEqual(editor.calls.writes, [])
      assert.strictEqual(readFileSync(other, "utf8"), "other")
      assert.strictEqual(readFileSync(join(cwd, "two-names"), "utf8"), "mine")
    }).pipe(Effect.scoped)
  )
})

describe("a file that an agent writes", () => {
  it.live("is written by the editor, by the name of its folder, and the record is what the disk has", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId, watcher } = yield* stage()
      mkdirSync(join(cwd, "real"))
      symlinkSync("real", join(cwd, "link"))
      const linked = join(cwd, "link", "b.txt")
      const real = join(cwd, "real", "b.txt")
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, write(path, "one"), write(linked, "two")))
      yield* editor.until(({ calls }) => calls.writes.length === 1)
      assert.deepStrictEqual(editor.calls.writes[0]?.params, { sessionId, path, content: "one" })
      assert.strictEqual(readFileSync(path, "utf8"), "saved\n", "nobody else writes it")
      writeFileSync(path, "one")
      editor.calls.writes[0]?.answer({})
      yield* editor.until(({ calls }) => calls.writes.length === 2)
      assert.deepStrictEqual(editor.calls.writes[1]?.params, { sessionId, path: real, content: "two" })
      writeFileSync(real, "two\n")
      editor.calls.writes[1]?.answer({})
      yield* Fiber.join(turn)
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(
        answersIn(view).map(({ result }) => result),
        [{}, {}]
      )
      const [first, second] = writtenIn(view)
      assert.deepInclude(first, { path, bytes: 3, created: false, version: versionOf("one") })
      assert.deepInclude(second, { path: real, bytes: 4, created: true, version: versionOf("two\n") })
      assert.deepStrictEqual(warningsIn(view), [`Quill has saved ${real} with another text than the agent gave.`])
    }).pipe(Effect.scoped)
  )

  it.live("is as it was where the editor refuses, and the agent hears why", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, write(path, "mine")))
      yield* editor.until(({ calls }) => calls.writes.length === 1)
      editor.calls.writes[0]?.refuse(new acp.RequestError(-32042, "the buffer is locked", { by: "you" }))
      yield* Fiber.join(turn)
      const view = yield* watcher.until(ended)
      assert.deepInclude(answersIn(view)[0]?.error, {
        code: -32042,
        message: `Quill refused to write ${path}: the buffer is locked`,
        data: { by: "you" }
      })
      assert.strictEqual(readFileSync(path, "utf8"), "saved\n")
      assert.deepStrictEqual(writtenIn(view), [])
      assert.deepStrictEqual(warningsIn(view), ["scripts asked Signalbox to write a file. It was refused."])
    }).pipe(Effect.scoped)
  )

  it.live("is said to be in the editor and not on the disk, if it is not saved", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId, watcher } = yield* stage()
      const fresh = join(cwd, "new.txt")
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, write(path, "mine"), write(fresh, "new")))
      for (const place of [0, 1]) {
        yield* editor.until(({ calls }) => calls.writes.length === place + 1)
        editor.calls.writes[place]?.answer({})
      }
      yield* Fiber.join(turn)
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(warningsIn(view), [
        `Quill has taken the text of ${path}, and has not saved it.`,
        `Quill has taken the text of ${fresh}, and has not saved it.`
      ])
      assert.deepStrictEqual(writtenIn(view), [])
      assert.isFalse(existsSync(fresh))
    }).pipe(Effect.scoped)
  )

  it.live("may be written or not if the editor leaves before it answers: the agent hears that, and nobody writes", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      yield* Effect.forkScoped(Effect.exit(editor.prompt(sessionId, write(path, "mine"))))
      yield* editor.until(({ calls }) => calls.writes.length === 1)
      editor.kill("SIGKILL")
      const view = yield* watcher.until(ended)
      assert.include(
        answersIn(view)[0]?.error?.message,
        `Quill left before it answered. Nobody knows whether it has written ${path}`
      )
      assert.strictEqual(readFileSync(path, "utf8"), "saved\n")
      assert.deepStrictEqual(writtenIn(view), [])
    }).pipe(Effect.scoped)
  )

  it.live("may be written or not if the session ends before the editor answers, which the thread says", () =>
    Effect.gen(function* () {
      const { editor, page, path, sessionId, threadId, watcher } = yield* stage()
      yield* Effect.forkScoped(Effect.exit(editor.prompt(sessionId, write(path, "mine"))))
      yield* editor.until(({ calls }) => calls.writes.length === 1)
      yield* page.send(threadId, { type: "session.stop" })
      const view = yield* watcher.until((now) => now.session.state === "exited" && warningsIn(now).length > 0)
      assert.deepStrictEqual(warningsIn(view), [withdrawnFrom(path)])
    }).pipe(Effect.scoped)
  )

  it.live("is withdrawn when the agent cancels its request, and on record if it is on the disk by then", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId, watcher } = yield* stage()
      yield* Effect.forkScoped(editor.prompt(sessionId, cancelled(write(path, "mine"))))
      yield* editor.until(({ calls }) => calls.writes.length === 1)
      writeFileSync(path, "mine")
      writeFileSync(join(cwd, "go"), "")
      yield* Effect.promise(() => editor.calls.writes[0]?.withdrawn ?? Promise.reject(new Error("It was not asked")))
      const view = yield* watcher.until((now) => ended(now) && writtenIn(now).length === 1)
      assert.strictEqual(answersIn(view)[0]?.error?.code, -32800)
      assert.deepInclude(writtenIn(view)[0], { path, bytes: 4, version: versionOf("mine") })
      assert.deepStrictEqual(warningsIn(view), [])
    }).pipe(Effect.scoped)
  )

  it.live("is withdrawn when its turn is stopped, and the next write of the file never reaches the editor", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      const both = { together: [[write(path, "one")], [write(path, "two")]] }
      yield* Effect.forkScoped(Effect.exit(editor.prompt(sessionId, both)))
      yield* editor.until(({ calls }) => calls.writes.length === 1)
      yield* editor.request((agent) => agent.notify(session.cancel, { sessionId }))
      yield* Effect.promise(() => editor.calls.writes[0]?.withdrawn ?? Promise.reject(new Error("It was not asked")))
      const view = yield* watcher.until((now) => answersIn(now).length === 2)
      const heard = answersIn(view).map(({ error }) => error?.message)
      assert.sameMembers(heard, [
        `The write was withdrawn from Quill, which had not answered. Nobody knows whether it has written ${path}: read the file before you go on`,
        `${path} was not written: the turn was stopped before an editor was asked`
      ])
      assert.deepStrictEqual(warningsIn(view), [withdrawnFrom(path)])
      assert.deepStrictEqual(writtenIn(view), [])
      assert.lengthOf(editor.calls.writes, 1)
      assert.strictEqual(readFileSync(path, "utf8"), "saved\n")
    }).pipe(Effect.scoped)
  )

  it.live("is said to wait for the editor after five seconds, once, and is written when people agree", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      yield* Effect.forkScoped(editor.prompt(sessionId, write(path, "mine")))
      const waits = [`Quill was asked to write ${path}, and has not answered yet.`]
      yield* watcher.until((now) => warningsIn(now).length > 0)
      writeFileSync(path, "mine")
      editor.calls.writes[0]?.answer({})
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(warningsIn(view), waits)
      assert.deepStrictEqual(answersIn(view)[0]?.result, {})
      assert.lengthOf(writtenIn(view), 1)
    }).pipe(Effect.scoped)
  )

  it.live("waits for the write of it before, and each is on record as it was", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      const both = { together: [[write(path, "one")], [write(path, "number two")]] }
      yield* Effect.forkScoped(editor.prompt(sessionId, both))
      for (const place of [0, 1]) {
        yield* editor.until(({ calls }) => calls.writes.length === place + 1)
        const call = editor.calls.writes[place]
        writeFileSync(path, call?.params.content ?? "")
        call?.answer({})
      }
      const view = yield* watcher.until(ended)
      assert.sameMembers(
        writtenIn(view).map(({ version }) => version),
        [versionOf("one"), versionOf("number two")]
      )
      assert.deepStrictEqual(warningsIn(view), [])
    }).pipe(Effect.scoped)
  )
})

describe("whose editor is asked", () => {
  it.live("nobody's that offers nothing: the server reads and writes itself", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage({ capabilities: { fs: { readTextFile: false } } })
      yield* editor.prompt(sessionId, read(path), write(path, "mine"))
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(
        answersIn(view).map(({ result }) => result),
        [{ content: "saved\n" }, {}]
      )
      assert.deepStrictEqual([editor.calls.reads, editor.calls.writes], [[], []])
      assert.strictEqual(readFileSync(path, "utf8"), "mine")
      assert.deepInclude(writtenIn(view)[0], { path, bytes: 4, version: versionOf("mine") })
    }).pipe(Effect.scoped)
  )

  it.live("that of the last one which offers it; after it has closed the session, the one before again", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId, state, watcher } = yield* stage()
      const second = yield* SdkEditor.start(state, { capabilities: { fs: { readTextFile: true } } })
      yield* second.request((agent) => agent.request(session.load, { sessionId, cwd, mcpServers: [] }))
      const turn = yield* Effect.forkScoped(
        editor.prompt(
          sessionId,
          read(path),
          write(path, "mine"),
          { thought: "then" },
          { waitForFile: "go" },
          read(path)
        )
      )
      yield* second.until(({ calls }) => calls.reads.length === 1)
      second.calls.reads[0]?.answer({ content: "second" })
      yield* editor.until(({ calls }) => calls.writes.length === 1)
      writeFileSync(path, "mine")
      editor.calls.writes[0]?.answer({})
      yield* watcher.until(({ items }) => items.some((item) => item.type === "thought"))
      yield* second.request((agent) => agent.request(session.close, { sessionId }))
      writeFileSync(join(cwd, "go"), "")
      yield* editor.until(({ calls }) => calls.reads.length === 1)
      editor.calls.reads[0]?.answer({ content: "first" })
      yield* Fiber.join(turn)
      const answers = answersIn(yield* watcher.until(ended))
      assert.deepStrictEqual(
        answers.map(({ result }) => result),
        [{ content: "second" }, {}, { content: "first" }]
      )
      assert.lengthOf(second.calls.reads, 1)
    }).pipe(Effect.scoped)
  )
})
