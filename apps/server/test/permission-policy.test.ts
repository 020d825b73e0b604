/** What an agent's settings answer when it asks for permission. */
import { assert, describe, it } from "@effect/vitest"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { choose } from "../src/provider/acp/PermissionPolicy.ts"
import { thread } from "./support/AgentHarness.ts"
import { call, change, play, scripted, seen } from "./support/ScriptedAgent.ts"

const folders = ["/project", "/shared"]

const tool = (kind: ToolCall["kind"], subject: ToolCall["subject"], more: Partial<ToolCall> = {}): ToolCall => ({
  toolCallId: "t",
  title: "T",
  kind,
  status: "pending",
  subject,
  diffs: [],
  content: [],
  locations: [],
  startedAt: 0,
  ...more
})

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "never", name: "Never", kind: "reject_always" },
  { optionId: "no", name: "No", kind: "reject_once" }
]

const chosen = (profile: PermissionProfile, tool: ToolCall, among = options) =>
  choose(profile, { tool, options: among }, folders) ?? "asks"

const file = (path: string) => ({ type: "file", path }) as const

describe("[90] what settings answer", () => {
  it.each<[string, ToolCall, string, string]>([
    ["reading a file", tool("read", file("/project/src/a.ts")), "yes", "yes"],
    ["reading a file by its place in the folder", tool("read", file("src/a.ts")), "yes", "yes"],
    ["reading in another folder of the session", tool("read", file("/shared/a")), "yes", "yes"],
    ["searching", tool("search", { type: "search", pattern: "x" }), "yes", "yes"],
    ["searching elsewhere", tool("search", { type: "search", pattern: "x", path: "/etc" }), "asks", "asks"],
    ["reading elsewhere", tool("read", file("/project/../home/.ssh/id")), "asks", "asks"],
    ["reading beside the folder", tool("read", file("/project-2/a")), "asks", "asks"],
    ["reading what nobody knows", tool("read", { type: "none" }), "asks", "asks"],
    ["a command that is called reading", tool("read", { type: "command", command: "rm -r ." }), "asks", "asks"],
    [
      "an edit that is called reading",
      tool("read", file("/project/a"), { diffs: [{ path: "/project/a", oldText: "a", newText: "b" }] }),
      "asks",
      "asks"
    ],
    ["editing", tool("edit", file("/project/a")), "asks", "no"],
    ["deleting", tool("delete", file("/project/a")), "asks", "no"],
    ["moving", tool("move", { type: "none" }), "asks", "no"],
    ["running", tool("execute", { type: "command", command: "ls" }), "asks", "no"],
    ["fetching", tool("fetch", { type: "url", url: "https://x" }), "asks", "asks"],
    ["another mode", tool("switch_mode", { type: "none" }), "asks", "asks"],
    ["what has no kind", tool("other", { type: "none" }), "asks", "asks"]
  ])("to %s", (_, tool, allowReads, readOnly) => {
    assert.deepEqual(
      [chosen("ask", tool), chosen("allow-reads", tool), chosen("read-only", tool)],
      ["asks", allowReads, readOnly]
    )
  })

  it("is never an option for good, and nothing where there is no other", () => {
    const forGood = options.filter(({ kind }) => kind.endsWith("always"))
    assert.strictEqual(chosen("read-only", tool("read", file("/project/a")), forGood), "asks")
    assert.strictEqual(chosen("read-only", tool("edit", file("/project/a")), forGood), "asks")
  })
})

const asks = (toolCallId: string, kind: string, path: string) => ({
  permission: { toolCall: { toolCallId, title: toolCallId, kind, rawInput: { file_path: path } }, options }
})

describe("an agent with a permission profile", () => {
  it.live("gets its answers at once, they are on record as those of the settings, and the rest is asked", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      const { acp } = agent.input().providerOptions
      yield* agent.start({ providerOptions: { acp: { ...acp, permissions: "read-only" } } })
      const turn = yield* Effect.forkChild(
        play(
          agent,
          "t1",
          asks("look", "read", `${agent.folder}/a`),
          call("write", { kind: "edit" }),
          asks("write", "edit", `${agent.folder}/a`),
          change("write", { status: "completed" }),
          asks("fetch", "fetch", "x")
        )
      )
      const { request } = yield* agent.next("approval.requested", ({ request }) => request.tool.toolCallId === "fetch")
      yield* agent.adapter.respondToRequest(thread, request.requestId, { type: "option", optionId: "yes" })
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
      assert.deepEqual(
        agent.of("approval.resolved").map(({ outcome }) => (outcome.type === "answered" ? outcome.by : "?")),
        ["settings", "settings", undefined]
      )
      assert.deepEqual(yield* seen(agent), [
        "approval answered yes",
        "says: permission yes",
        "tool write: rejected",
        "approval answered no",
        "says: permission nopermission yes",
        "approval answered yes"
      ])
    })
  )
})
