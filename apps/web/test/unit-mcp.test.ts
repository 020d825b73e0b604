import type { McpServerInfo } from "@signalbox/contracts/McpServer"
import { assert, describe, test } from "vitest"
import { chosenOf, lateWords, withChoice } from "../src/threads/mcpWords.ts"
import { thread } from "./fixtures/thread.ts"

const server = (name: string, enabled = true): McpServerInfo => ({
  name,
  scope: "user",
  enabled,
  connection: { type: "stdio", commandLine: name }
})
const servers = [server("a"), server("b", false), server("c")]

describe("the MCP servers of a thread", () => {
  test("are those that the settings switch on, until somebody chooses", () => {
    assert.deepStrictEqual(chosenOf({}, servers), ["a", "c"])
    assert.deepStrictEqual(chosenOf({ mcpServers: [] }, servers), [])
  })

  test("one on or off leaves the others, also one that the settings no longer have", () => {
    assert.deepStrictEqual(withChoice(["c", "gone"], servers, "b", true), ["b", "c", "gone"])
    assert.deepStrictEqual(withChoice(["a", "c"], servers, "a", false), ["c"])
  })

  test("a session that runs with others says so, and one that has none of its own says nothing", () => {
    const view = thread()
    assert.isUndefined(lateWords({ ...view, session: { state: "ready" } }, ["a"]))
    assert.isUndefined(lateWords({ ...view, session: { state: "ready", mcpServers: ["a"] } }, ["a"]))
    assert.include(lateWords({ ...view, session: { state: "ready", mcpServers: [] } }, ["a"]), "has none")
    assert.isUndefined(lateWords({ ...view, session: { state: "exited", mcpServers: [] } }, ["a"]))
  })
})
