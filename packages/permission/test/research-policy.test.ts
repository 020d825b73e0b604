/** What a session that researches may do by itself. */
import { assert, describe, it } from "vitest"
import * as ResearchPolicy from "../src/ResearchPolicy.ts"

const options = ["reject_always", "reject_once", "allow_always", "allow_once"].map((kind) => ({
  kind,
  name: kind,
  optionId: kind
}))
const ownTools = new Set(["get_source"])

const answer = (
  approval: ResearchPolicy.ResearchApproval,
  kind: string,
  request: Partial<ResearchPolicy.ResearchRequest> = {}
) =>
  ResearchPolicy.choose(approval, { kind, title: "", acts: false, leaves: false, options, ...request }, ownTools)
    ?.optionId

describe("A session that researches", () => {
  it("may read, search and think, and change nothing", () => {
    for (const kind of ["read", "search", "think"]) assert.strictEqual(answer("read-only", kind), "allow_once")
    for (const kind of ["edit", "delete", "move", "execute", "switch_mode", "fetch", "other", "new_kind"])
      assert.strictEqual(answer("read-only", kind), "reject_once", kind)
  })

  it("may not run a command that is called reading, or read outside of its folders", () => {
    assert.strictEqual(answer("read-only", "read", { acts: true }), "reject_once")
    assert.strictEqual(answer("read-only", "search", { leaves: true }), "reject_once")
    assert.strictEqual(answer("read-only", "think", { acts: true }), "reject_once")
  })

  it("may call its own tools, however they are named, and no command that only mentions one", () => {
    for (const title of [
      "get_source",
      "mcp__sources__get_source",
      "sources: get_source",
      "sources/get_source",
      "get_source (sources MCP Server)"
    ])
      assert.strictEqual(answer("read-only", "other", { title }), "allow_once", title)
    for (const title of ["rm -rf / # get_source", "get_source && rm x", "", "other_tool"])
      assert.strictEqual(answer("read-only", "other", { title }), "reject_once", title)
    assert.strictEqual(answer("read-only", "other", { title: "get_source", acts: true }), "reject_once")
    assert.strictEqual(answer("read-only", "execute", { title: "get_source" }), "reject_once")
  })

  it("gets what stands at an address, or everything, only where that is set", () => {
    assert.strictEqual(answer("fetch", "fetch"), "allow_once")
    assert.strictEqual(answer("fetch", "execute"), "reject_once")
    assert.strictEqual(answer("all", "execute", { acts: true, leaves: true }), "allow_once")
  })

  it("gets an option that holds for good where there is no other, and none where none is right", () => {
    const only = (...kinds: ReadonlyArray<string>) => ({ options: options.filter(({ kind }) => kinds.includes(kind)) })
    assert.strictEqual(answer("read-only", "read", only("allow_always", "reject_once")), "allow_always")
    assert.strictEqual(answer("read-only", "edit", only("reject_always", "allow_once")), "reject_always")
    assert.isUndefined(answer("read-only", "edit", only("allow_once")))
    assert.isUndefined(answer("all", "edit", only("reject_once")))
  })
})
