import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import { fileHref, routeOf, wireHref } from "../src/browser/hrefs.ts"

describe("the page that a link names", () => {
  it("is a thread, the agents, or home", () => {
    assert.deepStrictEqual(routeOf("#/threads/a%20b"), { page: "thread", threadId: ThreadId.make("a b") })
    assert.deepStrictEqual(routeOf("#/agents"), { page: "agents" })
    assert.deepStrictEqual(routeOf(""), { page: "home" })
  })

  it("is a file of a thread, whatever its name", () => {
    const threadId = ThreadId.make("a b")
    for (const path of ["src/a.ts", "a b/ü#?%.ts", "c:1", "/absolute/x", "😀"])
      for (const line of [undefined, 12])
        assert.deepStrictEqual(routeOf(fileHref(threadId, path, line)), {
          page: "thread",
          threadId,
          room: { path, ...(line !== undefined && { line }) }
        })
    assert.deepStrictEqual(routeOf(fileHref(threadId)), { page: "thread", threadId, room: {} })
  })

  it("is the wire of a thread", () => {
    const threadId = ThreadId.make("a b")
    assert.deepStrictEqual(routeOf(wireHref(threadId)), { page: "thread", threadId, wire: true })
  })

  it("is home for a link that was cut in the middle of a character, or names no thread", () => {
    for (const hash of [
      "#/threads/%E0%A4",
      "#/threads/%",
      "#/threads/",
      "#/threads/a/b",
      "#/threads/a/files/%",
      "#/nowhere"
    ])
      assert.deepStrictEqual(routeOf(hash), { page: "home" })
  })
})
