import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import { routeOf } from "../src/browser/hrefs.ts"

describe("the page that a link names", () => {
  it("is a thread, the agents, or home", () => {
    assert.deepStrictEqual(routeOf("#/threads/a%20b"), { page: "thread", threadId: ThreadId.make("a b") })
    assert.deepStrictEqual(routeOf("#/agents"), { page: "agents" })
    assert.deepStrictEqual(routeOf(""), { page: "home" })
  })

  it("is home for a link that was cut in the middle of a character, or names no thread", () => {
    for (const hash of ["#/threads/%E0%A4", "#/threads/%", "#/threads/", "#/threads/a/b", "#/nowhere"])
      assert.deepStrictEqual(routeOf(hash), { page: "home" })
  })
})
