/** What goes along with a question: bounded in number and size, however much there is. */
import { assert, describe, it } from "@effect/vitest"
import * as Positions from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import * as ContextCollector from "../../src/editing/ContextCollector.ts"
import type { Document } from "../../src/editing/Documents.ts"
import * as EditHistory from "../../src/editing/EditHistory.ts"
import * as RecentFiles from "../../src/editing/RecentFiles.ts"
import * as RelatedSnippets from "../../src/editing/RelatedSnippets.ts"
import * as Sendable from "../../src/editing/Sendable.ts"
import * as UserActions from "../../src/editing/UserActions.ts"

const at = (line: number, character: number) => ({ line, character })
const range = (line: number, from: number, to = from) => ({ start: at(line, from), end: at(line, to) })

describe("EditHistory", () => {
  const history = () => EditHistory.make((uri) => uri.replace("file:///", ""))
  /** Changes go on from the same text, as those of an open document do. */
  const texts = new Map<string, Positions.Lines>()
  const linesOf = (text: string): Positions.Lines => {
    const known = texts.get(text) ?? Positions.of(text)
    texts.set(text, known)
    return known
  }
  const change = (one: EditHistory.EditHistory, uri: string, before: string, after: string, atMs: number) =>
    one.changed({ uri, before: linesOf(before), after: linesOf(after) }, atMs)

  it("is one edit for keystrokes that follow soon, and several after a pause or in another file, newest first", () => {
    const one = history()
    change(one, "file:///a", "x\n", "xy\n", 0)
    change(one, "file:///a", "xy\n", "xyz\n", 1999)
    change(one, "file:///b", "1\n", "2\n", 2000)
    change(one, "file:///a", "xyz\n", "z\n", 2001)
    change(one, "file:///a", "z\n", "\n", 9000)
    assert.deepStrictEqual(
      one.list().map(({ diff }) => diff.split("\n").slice(3, -1)),
      [
        ["-z", "+"],
        ["-xyz", "+z"],
        ["-1", "+2"],
        ["-x", "+xyz"]
      ]
    )
  })

  it("has at most 32 edits, and none that is undone or longer than 8 KiB", () => {
    const one = history()
    for (let edit = 0; edit < 100; edit++) change(one, "file:///a", `${edit}`, `${edit + 1}`, edit * 10_000)
    assert.lengthOf(one.list(), 32)
    const two = history()
    change(two, "file:///a", "x", "xy", 0)
    change(two, "file:///a", "xy", "x", 1)
    assert.deepStrictEqual(two.list(), [])
    change(two, "file:///a", "x", "y".repeat(10_000), 10_000)
    assert.deepStrictEqual(two.list(), [])
  })

  it("leaves out an edit of many lines, and one whose ends are far apart: to compare them would hold the server up", () => {
    const lines = (count: number, text: string) => `${text}\n`.repeat(count)
    const listed = (before: string, after: string) => {
      const one = history()
      change(one, "file:///a", before, after, 0)
      return one.list().length
    }
    assert.strictEqual(listed(lines(100, "x"), lines(100, "y")), 1)
    assert.strictEqual(listed(lines(101, "x"), lines(101, "y")), 0)
    assert.strictEqual(listed(`x\n${lines(10_000, "same")}x\n`, `y\n${lines(10_000, "same")}y\n`), 1)
    assert.strictEqual(listed(`x\n${lines(20_000, "same")}x\n`, `y\n${lines(20_000, "same")}y\n`), 0)
  })
})

describe("UserActions", () => {
  it("take a caret that an edit has left where it is for no movement of a person", () => {
    const actions = UserActions.make()
    const at = (line: number, character: number) => ({ line, character })
    actions.changed("a", [{ range: { start: at(3, 4), end: at(3, 4) }, text: "x" }], 1)
    actions.moved("a", at(3, 5), 1)
    actions.changed("a", [{ range: { start: at(3, 5), end: at(3, 5) }, text: "\r\n  " }], 2)
    actions.moved("a", at(4, 2), 2)
    actions.changed("a", [{ range: { start: at(4, 0), end: at(4, 2) }, text: "" }], 3)
    actions.moved("a", at(4, 0), 3)
    assert.deepStrictEqual(
      actions.list().map(({ action }) => action),
      ["deleteSelection", "insertSelection", "insertChar"]
    )
    // The person goes to another place and comes back: both are movements.
    actions.moved("a", at(0, 0), 4)
    actions.moved("a", at(4, 0), 5)
    assert.deepStrictEqual(
      actions
        .list()
        .map(({ action, position: { line } }) => [action, line])
        .slice(0, 2),
      [
        ["cursorMovement", 4],
        ["cursorMovement", 0]
      ]
    )
  })

  it("says what was done and where, never what, and keeps the latest 64", () => {
    const actions = UserActions.make()
    actions.changed("u", [{ range: range(0, 0), text: "a" }], 1)
    actions.changed("u", [{ range: range(0, 0), text: "secret" }], 2)
    actions.changed("u", [{ range: range(0, 1, 2), text: "" }], 3)
    actions.changed("u", [{ range: range(0, 1, 5), text: "" }], 4)
    actions.changed("u", [{ text: "whole" }], 5)
    actions.moved("u", at(3, 3), 6)
    assert.deepStrictEqual(
      actions.list().map(({ action, timestampMs }) => [action, timestampMs]),
      [
        ["cursorMovement", 6],
        ["deleteSelection", 4],
        ["deleteChar", 3],
        ["insertSelection", 2],
        ["insertChar", 1]
      ]
    )
    assert.notInclude(JSON.stringify(actions.list()), "secret")
    for (let move = 0; move < 1000; move++) actions.moved("u", at(move, 0), move)
    assert.lengthOf(actions.list(), 64)
  })
})

describe("RelatedSnippets", () => {
  it("finds the places with the most symbols of the lines around the cursor, with the lines around them", () => {
    const text = "function unrelated() {}\n".repeat(30) + "const total = computeTotal(orders)\n"
    const other = ["a", "b", "export const computeTotal = (orders) => {", "  return 1", "}", "c", "d", "e", "f"].join(
      "\r\n"
    )
    assert.deepStrictEqual(RelatedSnippets.find(text, 30, [{ uri: "b", text: other }]), [
      {
        uri: "b",
        excerpts: [
          {
            startLine: 0,
            endLine: 5,
            text: ["a", "b", "export const computeTotal = (orders) => {", "  return 1", "}", "c"].join("\n")
          }
        ]
      }
    ])
    assert.deepStrictEqual(RelatedSnippets.find(text, 30, [{ uri: "b", text: "nothing\nhere\n" }]), [])
  })

  it("has at most five files and four places of each, however many there are", () => {
    const other = "computeTotal()\n\n\n\n\n\n\n\n\n\n".repeat(200)
    const files = Array.from({ length: 30 }, (_, index) => ({ uri: `${index}`, text: other }))
    const found = RelatedSnippets.find("computeTotal()", 0, files)
    assert.lengthOf(found, 5)
    for (const { excerpts } of found) assert.isAtMost(excerpts.length, 4)
    assert.isBelow(JSON.stringify(found).length, 4000)
  })

  it("cuts long lines", () => {
    const long = `computeTotal ${"x".repeat(100_000)}`
    assert.isBelow(JSON.stringify(RelatedSnippets.find(long, 0, [{ uri: "b", text: long }])).length, 2000)
  })
})

describe("ContextCollector", () => {
  it.effect("sends ten files at most, none above 64 KiB or that is no text, and 256 KiB altogether", () =>
    Effect.gen(function* () {
      const root = realpathSync(temporaryFolder("workspace"))
      const recent = RecentFiles.make()
      const file = (name: string, content: string | Uint8Array) => {
        writeFileSync(join(root, name), content)
        recent.seen(Sendable.uriOf(join(root, name)), "plaintext")
      }
      for (let index = 0; index < 20; index++) file(`old-${index}.txt`, "old")
      for (let index = 0; index < 5; index++) file(`large-${index}.txt`, "x".repeat(60 * 1024))
      file("too-large.txt", "x".repeat(65 * 1024))
      file("picture.bin", new Uint8Array([1, 0, 255]))
      const document: Document = {
        uri: Sendable.uriOf(join(root, "a.ts")),
        languageId: "typescript",
        version: 1,
        atMs: 0,
        lines: Positions.of(""),
        withheld: undefined,
        focus: undefined,
        diagnostics: Array.from({ length: 500 }, (_, line) => ({
          uri: Sendable.uriOf(join(root, "a.ts")),
          range: range(line, 0),
          severity: "error" as const,
          message: "m".repeat(10_000)
        }))
      }
      const context = yield* ContextCollector.collect(document, 0, {
        documents: () => [{ ...document, uri: Sendable.uriOf(join(root, "old-1.txt")), diagnostics: [] }, document],
        history: EditHistory.make((uri) => uri),
        actions: UserActions.make(),
        recent,
        sendable: Sendable.make({ roots: [root], own: [], neverSend: Effect.succeed([]) })
      })
      const names = context.recentFiles?.map(({ uri }) => uri.slice(uri.lastIndexOf("/") + 1))
      // Ten files are looked at: two can't be sent, and the fifth large one is beyond the whole.
      assert.deepStrictEqual(names, [
        "large-4.txt",
        "large-3.txt",
        "large-2.txt",
        "large-1.txt",
        "old-19.txt",
        "old-18.txt",
        "old-17.txt"
      ])
      // The document itself is the first, so that it is never cut.
      assert.deepStrictEqual(
        context.openFiles?.map(({ uri }) => uri.slice(uri.lastIndexOf("/") + 1)),
        ["a.ts", "old-1.txt"]
      )
      assert.lengthOf(context.diagnostics ?? [], 100)
      for (const { message } of context.diagnostics ?? []) assert.lengthOf(message, 2000)
    })
  )
})
