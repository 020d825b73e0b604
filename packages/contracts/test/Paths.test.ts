/** Paths as text: their places, and the text about them for people. */
import { assert, describe, it } from "@effect/vitest"
import { isWithin, mayLeadAnywhere, placeOf, resolvePath, shownPath } from "../src/Paths.ts"

const outside = "Outside the project"

describe("paths", () => {
  it("are resolved by their text", () => {
    assert.strictEqual(resolvePath("../../x", "/a/b/c"), "/a/x")
    assert.strictEqual(resolvePath("../../../../x", "/a"), "/x")
    assert.strictEqual(resolvePath("C:\\a\\..\\b", "/a"), "C:/b")
  })

  it("are within a folder only at a boundary of names", () => {
    const within = [
      ["/w/p", "/w/p"],
      ["/w/p/", "/w/p"],
      ["/w/p", "/w/p/"],
      ["/w/p", "/w/p/a"],
      ["/w/p/", "/w/p/a/b"],
      ["/w/p", "/w/p/..a"],
      ["/w/p", "/w/p/..."],
      ["/w/..a", "/w/..a/b"],
      ["/", "/"],
      ["/", "/x"]
    ] as const
    const apart = [
      ["/w/p", "/w"],
      ["/w/p", "/"],
      ["/w/p", "/w/pq"],
      ["/w/p/", "/w/pq"],
      ["/w/p", "/w/P/a"],
      ["/w/p", "/w/..p"],
      ["/w/..a", "/w/..ab"],
      ["/w/p", ""]
    ] as const
    for (const [folder, path] of within) assert.isTrue(isWithin(folder, path), `${path} in ${folder}`)
    for (const [folder, path] of apart) assert.isFalse(isWithin(folder, path), `${path} in ${folder}`)
  })

  it("may lead anywhere from a home folder, a variable or an address on", () => {
    for (const path of ["~/.ssh/id", "~root/x", "$HOME/x", "src/$X", "file:///etc/passwd"])
      assert.isTrue(mayLeadAnywhere(path), path)
    for (const path of ["src/a~", "/w/p", "C:/w", "a:b"]) assert.isFalse(mayLeadAnywhere(path), path)
  })

  it("are marked where their text leads out of the project, or may", () => {
    assert.deepStrictEqual(placeOf("src/a", "/w/p"), {})
    assert.isUndefined(placeOf("..a/b", "/w/p").mark)
    assert.deepStrictEqual(placeOf("/w/p", "/w/p/"), {})
    assert.deepStrictEqual(placeOf("/x", "/"), {})
    assert.deepStrictEqual(placeOf("/w/p/b/../a", "/w/p"), { resolved: "/w/p/a" })
    assert.deepStrictEqual(placeOf("../q", "/w/p"), { mark: outside, resolved: "/w/q" })
    assert.deepStrictEqual(placeOf("src/../../q", "/w/p"), { mark: outside, resolved: "/w/q" })
    assert.deepStrictEqual(placeOf("/w/pq", "/w/p"), { mark: outside })
    assert.deepStrictEqual(placeOf("/w/P/a", "/w/p"), { mark: outside })
    assert.deepStrictEqual(placeOf("/etc/passwd", "/w/p"), { mark: outside })
    assert.deepStrictEqual(placeOf("$HOME/../x", "/w/p"), { mark: "Maybe outside the project" })
  })

  it("are marked where a backslash that is a letter leads out of the project", () => {
    // The folder `q\..\p` lies beside the project.
    assert.strictEqual(placeOf("/w/q\\..\\p/x", "/w/p").mark, outside)
    assert.strictEqual(shownPath("/w/q\\..\\p/x", "/w/p"), "/w/q\\..\\p/x")
    assert.strictEqual(placeOf("..\\x", "/w/p").mark, outside)
    assert.strictEqual(placeOf("C:\\w\\p\\x", "C:\\w\\p").mark, undefined)
    assert.strictEqual(shownPath("C:\\w\\p\\x", "C:\\w\\p"), "x")
  })

  it("are shown relative to the project", () => {
    assert.strictEqual(shownPath("/w/p/src/a.ts", "/w/p"), "src/a.ts")
    assert.strictEqual(shownPath("/w/p/src/a.ts", "/w/p/"), "src/a.ts")
    assert.strictEqual(shownPath("/w/p", "/w/p"), "/w/p")
    assert.strictEqual(shownPath("/w/q/a.ts", "/w/p"), "/w/q/a.ts")
    assert.strictEqual(shownPath("/a", "/"), "/a")
  })
})
