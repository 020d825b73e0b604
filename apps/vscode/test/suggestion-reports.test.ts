import { assert, describe, it } from "@effect/vitest"
import * as Reports from "../src/suggestions/Reports.ts"

const documentOf = (path: string, text: string, version = 1, lineEnd = "\n"): Reports.OpenDocument => ({
  path,
  version,
  lineEnd,
  text: () => text
})
const at = (line: number, character: number) => ({ line, character })
const typed = (text: string) => ({ range: { start: at(0, 0), end: at(0, 0) }, text })

describe("reports of open documents", () => {
  it("is each document in full, then its changes, and its end", () => {
    const reports = Reports.make()
    assert.deepStrictEqual(reports.take([documentOf("/a", "x")], undefined), [
      { type: "opened", path: "/a", version: 1, text: "x" }
    ])
    assert.deepStrictEqual(reports.take([documentOf("/a", "x")], undefined), [])
    reports.changed("/a", [typed("1")])
    reports.changed("/a", [typed("2")])
    reports.saved("/a")
    assert.deepStrictEqual(reports.take([documentOf("/a", "21x", 3)], undefined), [
      { type: "changed", path: "/a", version: 3, changes: [typed("1"), typed("2")] },
      { type: "saved", path: "/a" }
    ])
    assert.strictEqual(reports.versionOf("/a"), 3)
    assert.deepStrictEqual(reports.take([], undefined), [{ type: "closed", path: "/a" }])
  })

  it("is the whole text after other line ends, and after so many changes that they are longer", () => {
    const reports = Reports.make()
    reports.take([documentOf("/a", "x\n")], undefined)
    assert.deepStrictEqual(reports.take([documentOf("/a", "x\r\n", 2, "\r\n")], undefined), [
      { type: "opened", path: "/a", version: 2, text: "x\r\n" }
    ])
    for (let times = 0; times < 300; times++) reports.changed("/a", [typed("y")])
    assert.deepInclude(reports.take([documentOf("/a", "z", 302, "\r\n")], undefined)[0], { type: "opened", text: "z" })
  })

  it("is the place where people look, whenever it is another one", () => {
    const reports = Reports.make()
    const focus = { path: "/a", position: at(0, 1), visible: [{ start: at(0, 0), end: at(0, 1) }] }
    const open = [documentOf("/a", "x")]
    assert.deepStrictEqual(reports.take(open, focus).at(1), { type: "focused", ...focus })
    assert.deepStrictEqual(reports.take(open, focus), [])
    assert.lengthOf(reports.take(open, { ...focus, position: at(0, 0) }), 1)
    assert.deepStrictEqual(reports.take(open, { ...focus, path: "/not/open" }), [])
  })

  it("is nothing of a text over 2 MiB, until it is shorter", () => {
    const reports = Reports.make()
    const long = "x".repeat(2 * 1024 * 1024 + 1)
    assert.deepStrictEqual(reports.take([documentOf("/a", long)], undefined), [])
    assert.deepStrictEqual(reports.tooLong(), ["/a"])
    assert.deepStrictEqual(reports.take([documentOf("/a", "x", 2)], undefined), [
      { type: "opened", path: "/a", version: 2, text: "x" }
    ])
    assert.deepStrictEqual(reports.tooLong(), [])
    reports.take([documentOf("/a", long, 3, "\r\n")], undefined)
    assert.deepStrictEqual(reports.tooLong(), ["/a"])
    reports.take([], undefined)
    assert.deepStrictEqual(reports.tooLong(), [])
  })

  it("is nothing of a document that another editor has, until people go on with it here", () => {
    const reports = Reports.make()
    const open = [documentOf("/a", "x")]
    reports.take(open, undefined)
    reports.elsewhere("/a")
    assert.deepStrictEqual(reports.take(open, undefined), [])
    reports.takeBack("/a")
    assert.lengthOf(reports.take(open, undefined), 1)
    reports.forget()
    assert.lengthOf(reports.take(open, undefined), 1)
  })

  it("is nothing of such a document after the connection was lost", () => {
    const reports = Reports.make()
    const open = [documentOf("/a", "x")]
    reports.elsewhere("/a")
    reports.forget()
    assert.deepStrictEqual(reports.take(open, undefined), [])
    reports.takeBack("/a")
    assert.lengthOf(reports.take(open, undefined), 1)
  })
})
