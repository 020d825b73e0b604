/** Who wrote the lines of an open file: what is known, from where, and how long a line is marked. */
import { assert, describe, it } from "@effect/vitest"
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { ItemId, RequestId, TurnId } from "@signalbox/contracts/Ids"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { isSameWork, isWriting, noWork, workOf } from "../src/editor/authors/AgentWork.ts"
import { authorOf, type DiskChange, goneWords, writtenWords } from "../src/editor/authors/Author.ts"
import { linesSeen, runsOf } from "../src/editor/authors/authorMarks.ts"
import { workChanged } from "../src/editor/authors/disk.ts"
import { authorship, markAuthors } from "../src/editor/authors/marking.ts"
import * as Buffer from "../src/editor/Buffer.ts"
import { marks, nothingUnsaved } from "../src/editor/marks.ts"
import { marksOf } from "../src/editor/strip/strip.ts"
import { clock } from "../src/words/time.ts"
import { start, tool, working } from "./gallery/thread.ts"

const at = (seconds: number) => start + seconds * 1000
const [before, latest] = [TurnId.make("before"), TurnId.make("latest")]
const path = "src/deliver.ts"

let entries = 0
const entry = (rest: object, turnId: TurnId = latest): ItemView =>
  ({ itemId: ItemId.make(`entry-${entries++}`), at: start, turnId, ...rest }) as ItemView
const edit = (seconds: number, tookMs: number | undefined, call: Partial<ToolCall> = {}) =>
  tool(seconds, tookMs, { kind: "edit", subject: { type: "file", path }, ...call })

const view = (items: ReadonlyArray<ItemView>, rest: Partial<ThreadView> = {}): ThreadView => ({
  ...working,
  cwd: "/project",
  requests: [],
  turns: [
    { turnId: before, prompt: [], status: "completed", queuedAt: at(0), sentAt: at(0), endedAt: at(5) },
    { turnId: latest, prompt: [], status: "working", queuedAt: at(9), sentAt: at(9) }
  ],
  items,
  ...rest
})
const workWith = (...items: ReadonlyArray<ItemView>) => workOf(view(items), true)
const change = (seconds: number, version = "v"): DiskChange => ({ at: at(seconds), version })
const agent = working.provider.name

describe("the author of a line", () => {
  const newText = "const wait = 1\nconst cap = 2\n"
  const call = entry({ type: "tool", tool: edit(10, 4000, { diffs: [{ path, oldText: "", newText }] }) })

  it("is the agent only where it reported the line, or Signalbox wrote the text for it", () => {
    const work = workWith(call)
    const reported = authorOf(work, path, change(12), "const cap = 2")
    assert.deepStrictEqual([reported.by, reported.label], ["agent", `${agent}, ${clock(at(12))}`])
    assert.include(reported.evidence, `${agent} reported this line.`)
    const other = authorOf(work, path, change(12), "something else")
    assert.deepStrictEqual([other.by, other.label], ["during", `While ${agent} edited, ${clock(at(12))}`])
    assert.include(other.evidence, "It didn’t report this line.")
    const written = { path: "/project/src/deliver.ts", written: { bytes: 3, created: false, version: "abc" } }
    const wrote = workWith(entry({ type: "file", ...written }))
    const known = authorOf(wrote, path, change(12, "abc"), "anything")
    assert.deepStrictEqual([known.by, known.isWriting], ["agent", false])
    assert.include(known.evidence, `Signalbox wrote it for ${agent}`)
    assert.strictEqual(authorOf(wrote, path, change(12, "abd"), "anything").by, "unknown")
    assert.strictEqual(authorOf(wrote, "src/other.ts", change(12, "abc"), "anything").by, "unknown")
    const alike = "test/deliver.ts"
    assert.strictEqual(authorOf(wrote, alike, change(12, "abc"), "anything").by, "unknown", "the same text elsewhere")
    // The folder of the thread may be a link: the server writes to where it leads.
    const behindLink = workWith(entry({ type: "file", ...written, path: "/disk/project/src/deliver.ts" }))
    assert.strictEqual(authorOf(behindLink, path, change(12, "abc"), "anything").by, "agent")
  })

  it("is unknown at any other time, in any other file, and without a call that edits it", () => {
    const work = workWith(call)
    for (const seconds of [8, 16]) {
      const author = authorOf(work, path, change(seconds), "const cap = 2")
      assert.deepStrictEqual([author.by, author.label], ["unknown", `On disk, ${clock(at(seconds))}`])
      assert.include(author.evidence, "It isn’t known by which program.")
    }
    assert.strictEqual(authorOf(work, "src/other.ts", change(12), "const cap = 2").by, "unknown")
    const reading = workWith(entry({ type: "tool", tool: edit(10, undefined, { kind: "read" }) }))
    assert.strictEqual(authorOf(reading, path, change(12), "x").by, "unknown")
    const running = workWith(
      entry({ type: "tool", tool: tool(10, 4000, { kind: "execute", subject: { type: "command", command: "sed" } }) })
    )
    assert.strictEqual(authorOf(running, path, change(12), "x").by, "unknown")
    assert.strictEqual(writtenWords(running, path, change(12)), `It was written at ${clock(at(12))}.`)
  })

  it("is no agent whose edit people have not allowed, or have refused", () => {
    const asked = edit(10, undefined)
    const request: AgentRequest = {
      type: "approval",
      requestId: RequestId.make("r"),
      at: at(10),
      tool: asked,
      options: []
    }
    const waiting = workOf(
      view([entry({ type: "tool", tool: asked })], { requests: [{ request, turnId: latest, answered: false }] }),
      true
    )
    assert.isFalse(isWriting(waiting, path))
    assert.strictEqual(authorOf(waiting, path, change(12), "x").by, "unknown")
    const allowed = workOf(
      view([
        entry({ type: "tool", tool: asked }),
        entry({
          type: "request",
          request,
          at: at(20),
          outcome: { type: "answered", by: "person", response: { type: "option", optionId: "once" } }
        })
      ]),
      true
    )
    assert.isTrue(isWriting(allowed, path))
    assert.strictEqual(authorOf(allowed, path, change(12), "x").by, "unknown")
    assert.strictEqual(authorOf(allowed, path, change(21), "x").by, "during")
    const refused = workWith(entry({ type: "tool", tool: edit(10, 100, { status: "rejected" }) }))
    assert.strictEqual(authorOf(refused, path, change(10), "x").by, "unknown")
  })

  it("is writing while its call runs, as long as the page is connected", () => {
    const items = [entry({ type: "tool", tool: edit(10, undefined, { diffs: [{ path, oldText: null, newText }] }) })]
    const work = workOf(view(items), true)
    assert.isTrue(isWriting(work, path))
    assert.strictEqual(authorOf(work, path, change(12), "const cap = 2").label, `${agent} is writing`)
    const away = workOf(view(items), false)
    assert.isFalse(isWriting(away, path))
    assert.strictEqual(authorOf(away, path, change(12), "const cap = 2").label, `${agent}, ${clock(at(12))}`)
  })

  it("is looked for in the latest turn only, and calls of a replay count for nothing", () => {
    const earlier = entry({ type: "tool", tool: edit(10, 4000) }, before)
    assert.strictEqual(authorOf(workWith(earlier), path, change(12), "x").by, "unknown")
    const replayed = entry({ type: "tool", tool: edit(10, 4000), replayed: true })
    assert.strictEqual(authorOf(workWith(replayed), path, change(12), "x").by, "unknown")
    // Text that grows is no news.
    const one = view([call, entry({ type: "message", text: "a", content: [] })])
    const grown = { ...one, items: [call, { ...one.items[1], text: "ab" } as ItemView] }
    assert.isTrue(isSameWork(one, grown))
    assert.isFalse(isSameWork(one, { ...one, items: [] }))
  })

  it("is named in words for the whole file", () => {
    assert.strictEqual(
      writtenWords(workWith(call), path, change(12)),
      `It was written at ${clock(at(12))}, while ${agent} edited it.`
    )
    const deleted = workWith(entry({ type: "tool", tool: edit(10, 1000, { kind: "delete" }) }))
    assert.strictEqual(
      goneWords(deleted, path, at(11)),
      `A call of ${agent} that deletes it ended at ${clock(at(11))}.`
    )
    assert.isUndefined(goneWords(deleted, path, at(30)))
    assert.isUndefined(goneWords(workWith(call), path, at(11)))
  })
})

describe("marks of lines that others wrote", () => {
  const labels = (buffer: Buffer.Buffer) =>
    runsOf(buffer.state).map(({ author, first, last }) => [first, last, author.by, author.label])
  const make = async () => {
    const buffer = Buffer.make("one\ntwo\nthree\nfour\nfive\n", [marks, authorship.of([])], () => {})
    buffer.lock(false)
    // As it is when the disk first changes.
    assert.isTrue(await markAuthors(path, noWork, buffer.mark))
    return buffer
  }
  const editing = (newText: string) =>
    workWith(entry({ type: "tool", tool: edit(10, 4000, { diffs: [{ path, oldText: "", newText }] }) }))

  it("stand at the changed lines and at no others, and say who wrote each", async () => {
    const buffer = await make()
    buffer.mark(workChanged.of(editing("TWO\n")))
    assert.strictEqual(buffer.replace("one\nTWO\nthree\nfour\nnew\nnewer\nfive\n", change(12)), 3)
    const time = clock(at(12))
    assert.deepStrictEqual(labels(buffer), [
      [2, 2, "agent", `${agent}, ${time}`],
      [5, 6, "during", `While ${agent} edited, ${time}`]
    ])
    // What is reported later counts for what came before.
    buffer.mark(workChanged.of(editing("TWO\nnew\nnewer\n")))
    assert.deepStrictEqual(
      labels(buffer).map(([first, last, by]) => [first, last, by]),
      [
        [2, 2, "agent"],
        [5, 6, "agent"]
      ]
    )
    // The first text, and a line that went away, are nobody’s news.
    buffer.replace("one\nTWO\nthree\nnew\nnewer\nfive\n", change(13))
    assert.deepStrictEqual(
      labels(buffer).map(([first, last]) => [first, last]),
      [
        [2, 2],
        [4, 5]
      ]
    )
  })

  it("go with their lines", async () => {
    const buffer = await make()
    buffer.replace("one\ntwo\nthree\nfour\nfive\nsix\nseven\n", change(12))
    assert.deepStrictEqual(
      labels(buffer).map(([first, last]) => [first, last]),
      [[6, 7]]
    )
    buffer.replace("one\ntwo\nthree\nfour\nfive\nseven\n", change(13))
    assert.deepStrictEqual(
      labels(buffer).map(([first, last]) => [first, last]),
      [[6, 6]]
    )
    buffer.replace("one\ntwo\nthree\nfour\nfive\n", change(14))
    assert.deepStrictEqual(labels(buffer), [])
  })

  it("go where people write themselves, and move with the others", async () => {
    const buffer = await make()
    buffer.replace("one\nTWO\nTHREE\nFOUR\nfive\n", change(12))
    buffer.dispatch({ changes: { from: 0, insert: "zero\n" } })
    assert.deepStrictEqual(
      labels(buffer).map(([first, last]) => [first, last]),
      [[3, 5]]
    )
    buffer.dispatch({ changes: { from: buffer.state.doc.line(4).from, insert: "!" } })
    assert.deepStrictEqual(
      labels(buffer).map(([first, last]) => [first, last]),
      [
        [3, 3],
        [5, 5]
      ]
    )
    // Two marked lines become one.
    buffer.dispatch({ changes: { from: buffer.state.doc.line(3).to, to: buffer.state.doc.line(5).from } })
    assert.deepStrictEqual(labels(buffer), [])
  })

  it("go with a new turn once they were seen, and not before", async () => {
    const buffer = await make()
    buffer.mark(workChanged.of(editing("TWO\nFIVE\n")))
    buffer.replace("one\nTWO\nthree\nfour\nFIVE\n", change(12))
    const known = labels(buffer)
    buffer.mark(linesSeen.of({ from: 0, to: buffer.state.doc.line(3).to }))
    assert.deepStrictEqual(labels(buffer), known)
    const next = TurnId.make("next")
    buffer.mark(workChanged.of({ ...editing(""), acts: [], turn: next }))
    // What was known of it stays known.
    assert.deepStrictEqual(labels(buffer), known.slice(1))
    buffer.mark(linesSeen.of({ from: 0, to: buffer.state.doc.length }))
    assert.deepStrictEqual(labels(buffer), known.slice(1))
    buffer.mark(workChanged.of({ ...editing(""), acts: [], turn: TurnId.make("later") }))
    assert.deepStrictEqual(labels(buffer), [])
  })

  it("are made for theirs when people take it, and stay after a save", async () => {
    const buffer = await make()
    buffer.replace("one\ntheirs\nthree\nfour\nfive\n", change(12), true)
    buffer.mark(nothingUnsaved.of(null))
    assert.strictEqual(labels(buffer).length, 1)
  })
})

describe("the strip beside a text", () => {
  it("has a mark at the height of each place, and few of them in any text", () => {
    assert.deepStrictEqual(
      marksOf(
        [
          { first: 1, last: 10, kind: "others" },
          { first: 51, last: 51, kind: "conflict" }
        ],
        100
      ),
      [
        { top: 0, height: 9.5, kind: "others" },
        { top: 50, height: 0.5, kind: "conflict" }
      ]
    )
    const every = Array.from({ length: 20_000 }, (_, at) => ({ first: at + 1, last: at + 1, kind: "own" as const }))
    assert.deepStrictEqual(marksOf(every, 20_000), [{ top: 0, height: 100, kind: "own" }])
    const some = every.filter(({ first }) => first % 2 === 0)
    assert.isAtMost(marksOf(some, 20_000).length, 200)
  })
})
