import { assert, describe, it } from "@effect/vitest"
import { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Tape from "../../src/tape/Tape.ts"
import * as TapeExport from "../../src/tape/TapeExport.ts"
import * as TapeFolder from "../../src/tape/TapeFolder.ts"
import * as TapeReader from "../../src/tape/TapeReader.ts"
import { temporaryFolder } from "../support/AgentHarness.ts"

const sessionId = "00000000-0000-4000-8000-000000000001"
const session = { threadId: ThreadId.make("t1"), providerSessionId: ProviderSessionId.make(sessionId), env: {} }
const message = (n: number) => ({ jsonrpc: "2.0", method: "x", params: { n, pad: "x".repeat(200) } })

/** A tape of this many messages, in parts of at most 2 KB. */
const recorded = Effect.fnUntraced(function* (folder: string, count: number, totalBytes = 1_000_000) {
  return yield* Effect.gen(function* () {
    const tape = yield* (yield* Tape.Tape).open(session)
    tape.note({ event: "start", argv: ["agent"], cwd: "/w", envNames: [], pid: 1 })
    for (let number = 1; number <= count; number += 1) {
      tape.wire("in", JSON.stringify(message(number)), message(number), number)
    }
    return Array.from({ length: count }, (_, index) => tape.lineOf(index + 1))
  }).pipe(
    Effect.scoped,
    Effect.provide(Tape.layer({ folder, limits: { partBytes: 2_000, totalBytes } }), { local: true })
  )
})

const partsIn = (folder: string) =>
  Effect.promise(async () => (await TapeFolder.list(folder)).flatMap(({ parts }) => parts))

const read = (paths: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const items: Array<TapeReader.TapeLine | TapeReader.TapeFault> = []
    for await (const item of TapeReader.read(paths)) items.push(item)
    return items
  })

const faultsOf = (items: ReadonlyArray<TapeReader.TapeLine | TapeReader.TapeFault>) =>
  items.flatMap((item) => (item.type === "fault" ? [item.reason] : []))

describe("a tape in parts", () => {
  it.live("is read as one, with the lines that events point to", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const lines = yield* recorded(folder, 40)
      const paths = yield* partsIn(folder)
      assert.isAbove(paths.length, 4)
      for (const path of paths) assert.isAtMost(statSync(path).size, 2_000)
      const items = yield* read(paths)
      assert.deepStrictEqual(faultsOf(items), [])
      const said = items.flatMap((item) => (item.type === "in" ? [[item.line, item.message]] : []))
      assert.deepStrictEqual(
        said,
        lines.map((line, index) => [line, message(index + 1)])
      )
    })
  )

  it.live("keeps its beginning and its end within its bound, and says what is missing", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const lines = yield* recorded(folder, 100, 8_000)
      const paths = yield* partsIn(folder)
      assert.isBelow(
        paths.reduce((sum, path) => sum + statSync(path).size, 0),
        10_000
      )
      const items = yield* read(paths)
      const [gap, ...more] = faultsOf(items)
      assert.deepStrictEqual(more, [])
      const [, from, to] = /^Lines (\d+) to (\d+) are not there/.exec(gap ?? "") ?? []
      const kept = items.flatMap((item) => (item.type === "in" ? [item.line] : []))
      assert.deepStrictEqual(
        kept,
        lines.filter((line) => line !== undefined)
      )
      assert.isTrue(kept.every((line) => line < Number(from) || line > Number(to)))
      assert.strictEqual(kept.at(-1), lines.at(-1))
    })
  )

  it.live("goes oldest first when all together are too much, but never one that is being written", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const of = (n: number) => ({
        ...session,
        providerSessionId: ProviderSessionId.make(`${sessionId.slice(0, -1)}${n}`)
      })
      yield* Effect.gen(function* () {
        const tapes = yield* Tape.Tape
        const put = (tape: Tape.SessionTape) => {
          for (let n = 1; n <= 10; n += 1) tape.wire("in", JSON.stringify(message(n)), message(n), n)
        }
        const first = yield* tapes.open(of(1))
        yield* Effect.forEach([2, 3, 4], (n) => Effect.scoped(Effect.map(tapes.open(of(n)), put)))
        put(first)
        yield* Effect.scoped(tapes.open(of(5)))
        yield* TapeFolder.keepWithin(
          folder,
          6_000,
          new Set(readdirSync(folder).filter((name) => name.includes("0001.")))
        )
      }).pipe(Effect.scoped, Effect.provide(Tape.layer({ folder, folderBytes: 6_000 }), { local: true }))
      const left = readdirSync(folder).map((name) => name.at(-8))
      assert.include(left, "1")
      assert.include(left, "4")
      assert.notInclude(left, "2")
    })
  )
})

describe("reading a tape", () => {
  it.live("reports what is damaged, missing, newer or cut off at its place, and goes on behind it", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const path = join(folder, "x.ndjson")
      const start = (format: number) =>
        `{"at":1,"dir":"note","line":{"event":"start","format":${format},"argv":["a"],"cwd":"/","envNames":[],"pid":1}}`
      const line = `{"at":2,"dir":"in","line":"fine"}`
      const faults = (text: string) => {
        writeFileSync(path, text)
        return Effect.map(read([path]), faultsOf)
      }
      assert.deepStrictEqual(yield* faults(""), ["It is empty."])
      assert.deepStrictEqual(yield* faults(`${start(1)}\n${line}\n`), [])
      assert.deepStrictEqual(yield* faults(`${start(1)}\n${line}`), [])
      assert.deepStrictEqual(yield* faults(`${start(1)}\n{"at":2,"di`), ["The tape ends in the middle of line 2."])
      assert.deepStrictEqual(yield* faults(`${start(1)}\n\u0000\u0000\n${line}\n`), [
        "Line 2 is damaged: it is not JSON."
      ])
      assert.match((yield* faults(`${start(2)}\n${line}\n`))[0] ?? "", /^Line 1 is of format 2, which is newer/)
      assert.match((yield* faults(`${line}\n{"id":1}\n${line}\n`))[0] ?? "", /^Line 2 is no line of a tape/)
      assert.match((yield* faults(`{"at":2,"dir":"sideways","line":1}\n${line}`))[0] ?? "", /"sideways"/)
      const items = yield* read([path])
      assert.strictEqual(items.length, 2)
    })
  )

  it.live("reports a part that was lost, and one that is another tape's", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* recorded(folder, 40)
      const paths = yield* partsIn(folder)
      const [first = "", second = "", third = ""] = paths
      assert.match(faultsOf(yield* read([first, third]))[0] ?? "", /^Lines \d+ to \d+ are not there/)
      assert.match(faultsOf(yield* read([first, first]))[0] ?? "", /no further part/)
      assert.match(faultsOf(yield* read([first, third, second]))[1] ?? "", /another tape/)
    })
  )

  it.live("keeps characters that other readers take for ends of lines", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "x.ndjson")
      writeFileSync(path, `${JSON.stringify({ at: 1, dir: "in", line: "a\u2028b\u2029c\u0085d" })}\n`)
      assert.deepInclude((yield* read([path]))[0], { message: "a\u2028b\u2029c\u0085d" })
    })
  )
})

/** The export of these files, as text and with its summary. */
const exported = (tapes: ReadonlyArray<TapeExport.Source>, env: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => {
    let text = ""
    const summary = await TapeExport.write(tapes, { signalbox: "0.1.0", now: 7, env }, async (more) => {
      text += more
    })
    return { text, summary }
  })

describe("an export", () => {
  it.live("is one file of all parts, that reads as the tape does", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* recorded(folder, 40)
      const parts = yield* partsIn(folder)
      const { summary, text } = yield* exported([{ name: "one", parts }])
      const path = join(folder, "export")
      writeFileSync(path, text)
      const [about, begins, ...rest] = yield* read([path])
      assert.deepInclude(about, {
        note: { event: "export", secrets: Secrets.notice, signalbox: "0.1.0", exportedAt: 7, tapes: 1 }
      })
      assert.deepInclude(begins?.type === "note" ? begins.note : {}, { event: "tape", name: "one" })
      const plain = (items: typeof rest) =>
        items.map((item) => (item.type === "fault" ? item : { line: item.line, text: item.text }))
      assert.deepStrictEqual(plain(rest), plain(yield* read(parts)))
      assert.deepInclude(summary, { lines: text.trimEnd().split("\n").length, takenOutNow: 0, linesLeftOut: [] })
    })
  )

  it.live("takes out what was not known as a secret when it was recorded, and says where", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "x.ndjson")
      const key = `sk-${"a1".repeat(12)}`
      const chunk = (text: string) => ({
        method: "session/update",
        params: { update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } }
      })
      const lines = [
        { at: 1, dir: "in", line: chunk(`Your key is ${key}, keep it.`) },
        { at: 2, dir: "in", line: chunk("Nothing here") },
        { at: 3, dir: "out", line: { id: 1, result: { apiKey: "[redacted]" } } },
        { at: 4, dir: "err", line: "MY_TOKEN=hunter2hunter2" },
        { at: 5, dir: "in", line: "Authorization: Bearer abcdefghijklmnop" }
      ].map((line) => JSON.stringify(line))
      writeFileSync(path, `${lines.join("\n")}\n{"at":6,"dir":"in","line":"${key}`)
      const { summary, text } = yield* exported([{ name: "x", parts: [path] }], { MY_TOKEN: "hunter2hunter2" })
      for (const secret of [key, "hunter2", "abcdefgh"]) assert.notInclude(text, secret)
      assert.include(text, "Your key is [redacted], keep it.")
      assert.include(text, lines[1] ?? "")
      assert.deepStrictEqual(summary, {
        lines: 8,
        takenOutBefore: 1,
        takenOutNow: 3,
        linesTakenOutOf: [3, 6, 7],
        linesLeftOut: [8]
      })
    })
  )

  it.live("takes out secrets that came in pieces, whatever came in between, and leaves all other text", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "x.ndjson")
      const key = `sk-${"a1b2c3d4e5".repeat(4)}`
      const token = "hunter2hunter2"
      const chunk = (text: string, sessionUpdate = "agent_message_chunk") => ({
        method: "session/update",
        params: { update: { sessionUpdate, content: { type: "text", text } } }
      })
      const other = { method: "session/update", params: { update: { sessionUpdate: "usage_update", used: 1 } } }
      for (const size of [1, 2, 7, 30, 1_000]) {
        // So long that not all of it is looked through at once, wherever the key then lies.
        for (const padding of [0, 4_080, 16_345, 16_370, 16_385, 40_000]) {
          const said = `${"word ".repeat(padding / 5)}your key is ${key}, keep it. Token: ${token}`
          const pieces = said.match(new RegExp(`.{1,${size}}`, "gs")) ?? []
          const messages = pieces.flatMap((text, index) =>
            size > 1 && index % 5 === 1 ? [chunk(text), other, chunk("hm ", "agent_thought_chunk")] : [chunk(text)]
          )
          writeFileSync(path, messages.map((line, at) => `${JSON.stringify({ at, dir: "in", line })}\n`).join(""))
          const { summary, text } = yield* exported([{ name: "x", parts: [path] }], { MY_TOKEN: token })
          const lines = text.trimEnd().split("\n").slice(2)
          assert.strictEqual(lines.length, messages.length)
          const told = lines.map((line): { line: ReturnType<typeof chunk> } => JSON.parse(line))
          const wordsOf = (kind: string) =>
            told
              .map(({ line: { params } }) => (params.update.sessionUpdate === kind ? params.update.content.text : ""))
              .join("")
          const where = `pieces of ${size} behind ${padding}`
          assert.strictEqual(
            wordsOf("agent_message_chunk"),
            said.replace(key, "[redacted]").replace(token, "[redacted]"),
            where
          )
          assert.strictEqual(wordsOf("agent_thought_chunk").replaceAll("hm ", ""), "")
          assert.strictEqual(summary.takenOutNow, 2, where)
        }
      }
    })
  )

  it.live("holds several tapes, each with line numbers of its own", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* recorded(folder, 3)
      const [first = ""] = yield* partsIn(folder)
      const copy = join(folder, "copy")
      copyFileSync(first, copy)
      truncateSync(copy, statSync(copy).size - 5)
      const { text } = yield* exported([
        { name: "a", parts: [copy] },
        { name: "b", parts: [first] }
      ])
      const path = join(folder, "export")
      writeFileSync(path, text)
      const items = yield* read([path])
      const numbers = items.flatMap((item) => (item.type === "in" ? [item.line] : []))
      assert.deepStrictEqual(numbers, [2, 3, 2, 3, 4])
      assert.strictEqual(faultsOf(items).length, 1)
      rmSync(first)
      assert.include(readFileSync(path, "utf8"), '"name":"b"')
    })
  )
})
