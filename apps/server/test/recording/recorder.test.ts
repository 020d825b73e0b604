/** Recordings as files: what is written, what is read again, and where that ends. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import * as Recorder from "../../src/recording/Recorder.ts"
import * as RecordingFolder from "../../src/recording/RecordingFolder.ts"
import * as RecordingReader from "../../src/recording/RecordingReader.ts"

const uri = "file:///w/a.ts"
const agent = { id: ProviderId.make("nes"), name: "Nes" }
const at = (line: number, character: number) => ({ line, character })
const change = (version: number, text: string) => ({
  uri,
  version,
  changes: [{ range: { start: at(0, 0), end: at(0, 0) }, text }]
})

/** What `use` leaves in a file, line by line. */
const recorded = Effect.fnUntraced(function* (
  use: (recorder: Recorder.Recorder) => Effect.Effect<unknown>,
  options: Partial<Recorder.Options> = {}
) {
  const path = join(temporaryFolder("recording"), "in", "a.ndjson")
  yield* Effect.scoped(
    Effect.flatMap(Recorder.make({ path, agent, roots: ["/w"], secrets: Secrets.of({}), ...options }), use)
  )
  const lines = yield* Effect.flatMap(RecordingReader.look(path), (overview) =>
    Stream.runCollect(RecordingReader.read(overview))
  )
  return { path, text: readFileSync(path, "utf8"), lines: lines.map(({ line }) => line) }
})

describe("a recording", () => {
  it.effect("is read as it was written: lone surrogates, line ends, long texts, a question with its outcome", () =>
    Effect.gen(function* () {
      const text = `\ud800\r\n\r\u2028${"x".repeat(600_000)}`
      const { lines } = yield* recorded((recorder) =>
        Effect.gen(function* () {
          const { documents } = recorder
          yield* documents.didOpen({ uri, languageId: "typescript", version: 1, text })
          yield* documents.didChange({ uri, version: 2, changes: [{ range: null, text: "\udc00" }] })
          recorder.read("/w/b.ts", "b")
          recorder.read("/w/b.ts", "b")
          recorder.read("/w/b.ts", undefined)
          const outcome = recorder.asked({ uri, version: 2, position: at(0, 1), trigger: "automatic" })
          yield* documents.didClose(uri)
          outcome({ type: "unanswered", why: "overtaken" })
          outcome({ type: "answered", latencyMs: 1, suggestions: [], refused: 0 })
        })
      )
      assert.deepStrictEqual(
        lines.slice(1).map((line) => ({ ...line, at: 0 })),
        [
          { type: "opened", at: 0, uri, languageId: "typescript", version: 1, text },
          { type: "changed", at: 0, uri, version: 2, changes: [{ text: "\udc00" }] },
          { type: "read", at: 0, path: "/w/b.ts", text: "b" },
          { type: "read", at: 0, path: "/w/b.ts", text: null },
          { type: "asked", at: 0, question: 1, uri, version: 2, position: at(0, 1), trigger: "automatic" },
          { type: "closed", at: 0, uri },
          { type: "unanswered", at: 0, question: 1, why: "overtaken" },
          { type: "over", at: 0, why: "closed" }
        ]
      )
    })
  )

  it.live("stops where it is full, says so, and stays readable", () =>
    Effect.gen(function* () {
      let why = ""
      const { lines, text } = yield* recorded(
        (recorder) =>
          Effect.gen(function* () {
            for (let version = 1; version <= 50; version += 1)
              yield* recorder.documents.didChange(change(version, "😀".repeat(10)))
            why = yield* recorder.stopped
            yield* recorder.documents.didSave(uri)
          }),
        { mostBytes: 2000 }
      )
      assert.match(why, /a\.ndjson is as long as a recording may be\.$/)
      assert.deepInclude(lines.at(-1), { type: "over", why: "full" })
      assert.isAbove(lines.length, 5)
      assert.isAtMost(Buffer.byteLength(text), 2100)
    })
  )

  it.effect("has secrets blacked out, character by character", () =>
    Effect.gen(function* () {
      const secret = 's3cr3t-"of"-mine\nin-two-lines'
      const { lines, text } = yield* recorded((recorder) => recorder.documents.didChange(change(2, `a${secret}b`)), {
        secrets: Secrets.of({ API_KEY: secret })
      })
      const [, changed] = lines
      const masked = changed?.type === "changed" ? changed.changes[0]?.text : undefined
      assert.strictEqual(masked, `a${secret.replaceAll(/[^\n]/g, "•")}b`)
      assert.notInclude(text, "s3cr3t")
    })
  )

  it.effect("that can't be written fails with the reason", () =>
    Effect.gen(function* () {
      const path = join(temporaryFolder("recording"), "file")
      writeFileSync(path, "")
      const scope = yield* Scope.make()
      const made = Recorder.make({ path: join(path, "a"), agent, roots: ["/w"], secrets: Secrets.of({}) })
      assert.include(yield* Effect.flip(Scope.provide(made, scope)), "file")
      yield* Scope.close(scope, Exit.void)
    })
  )
})

describe("the folder of recordings", () => {
  it.live("names each by its time and agent, and lists no other file", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("recordings")
      assert.deepStrictEqual(yield* RecordingFolder.list(join(folder, "missing")), [])
      for (const name of ["notes.ndjson", "2026-01-01-101112-nes-zzzz.ndjson"]) writeFileSync(join(folder, name), "")
      const path = yield* RecordingFolder.next(folder, "nes")
      assert.match(path, /\/\d{4}-\d\d-\d\d-\d{6}-nes-[0-9a-f]{4}\.ndjson$/)
      writeFileSync(path, "{}")
      writeFileSync(join(folder, "2026-01-01-101112-nes-0f0f.ndjson"), "")
      const listed = yield* RecordingFolder.list(folder)
      assert.deepStrictEqual(
        listed.map(({ bytes, name }) => [bytes, `${name}.ndjson`]),
        [
          [0, "2026-01-01-101112-nes-0f0f.ndjson"],
          [2, path.slice(folder.length + 1)]
        ]
      )
      assert.lengthOf(readdirSync(folder), 4)
    })
  )

  it.live("is kept within bounds: the oldest go when another one begins", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("recordings")
      const name = (day: number) => `2026-01-0${day}-101112-nes-0f0f.ndjson`
      for (const day of [1, 2, 3]) writeFileSync(join(folder, name(day)), "x".repeat(100))
      writeFileSync(join(folder, "mine.ndjson"), "x".repeat(1000))
      yield* RecordingFolder.next(folder, "nes", 250)
      assert.deepStrictEqual(readdirSync(folder).toSorted(), [name(2), name(3), "mine.ndjson"])
    })
  )
})
