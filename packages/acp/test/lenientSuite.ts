/** What lenient reading promises; run with interpreted and with compiled schemas, which must not differ. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Acp from "../src/AcpSchema.ts"
import * as Lenient from "../src/Lenient.ts"

const read = <A>(schema: Schema.Codec<A, unknown>, input: unknown) => Result.getOrThrow(Lenient.reader(schema)(input))
const fails = <A>(schema: Schema.Codec<A, unknown>, input: unknown) => Result.isFailure(Lenient.reader(schema)(input))

/** Compiles only as long as the tag distinguishes all members, the open one included. */
const valueOf = (option: Acp.SessionConfigOption): unknown => {
  if (option.type === "select") return option.options.length
  if (option.type === "boolean") return option.currentValue
  return option["minimum"]
}

const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } } as const

export const lenientSuite = (mode: string) =>
  describe(`Lenient, ${mode}`, () => {
    it("a well-formed value passes as it is, without fields that the protocol does not know", () => {
      const { dropped, value } = read(Acp.SessionUpdate, {
        ...chunk,
        extra: 1,
        content: { ...chunk.content, more: [] }
      })
      assert.deepStrictEqual(value, chunk)
      assert.deepStrictEqual(dropped, [])
    })

    it("_meta is kept with everything in it", () => {
      const _meta = { traceparent: "00", "vendor.example": { deep: [1, null] } }
      assert.deepStrictEqual(read(Acp.SessionUpdate, { ...chunk, _meta }).value, { ...chunk, _meta })
    })

    it("[66][67] a malformed optional field counts as absent and is reported", () => {
      const { dropped, value } = read(Acp.SessionUpdate, {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        kind: "teleport",
        status: 5,
        title: "kept",
        _meta: "x"
      })
      assert.deepStrictEqual(value, { sessionUpdate: "tool_call_update", toolCallId: "t", title: "kept" })
      assert.deepStrictEqual(
        dropped.map(({ path, value }) => [path, value]),
        [
          ["kind", "teleport"],
          ["status", 5],
          ["_meta", "x"]
        ]
      )
    })

    it("[51] null stays null where the protocol allows it", () => {
      const update = { sessionUpdate: "session_info_update", title: null } as const
      assert.deepStrictEqual(read(Acp.SessionUpdate, update), { value: update, dropped: [] })
    })

    it("[66][67] a malformed item is dropped, the others stay in order", () => {
      const good = (text: string) => ({ type: "content", content: { type: "text", text } }) as const
      const { dropped, value } = read(Acp.ToolCallUpdate, {
        toolCallId: "t",
        content: [good("a"), { type: "hologram" }, good("b"), { type: "diff", path: 3 }, 7]
      })
      assert.deepStrictEqual(value.content, [good("a"), good("b")])
      assert.deepStrictEqual(
        dropped.map(({ path }) => path),
        ["content[1]", "content[3]", "content[4]"]
      )
    })

    it("a list that is no list counts as absent when optional, as empty when required", () => {
      assert.deepStrictEqual(read(Acp.ToolCallUpdate, { toolCallId: "t", locations: "here" }).value, {
        toolCallId: "t"
      })
      const plan = read(Acp.Plan, { entries: { not: "a list" } })
      assert.deepStrictEqual(plan.value, { entries: [] })
      assert.strictEqual(plan.dropped[0]?.path, "entries")
    })

    it("a required field that is missing or malformed fails", () => {
      assert.isTrue(fails(Acp.Plan, {}))
      assert.isTrue(fails(Acp.ToolCallUpdate, { toolCallId: 5 }))
      assert.isTrue(fails(Acp.SessionUpdate, { sessionUpdate: "agent_message_chunk" }))
      assert.isTrue(fails(Acp.SessionUpdate, { sessionUpdate: "agent_message_chunk", content: { type: "smell" } }))
      assert.isTrue(fails(Acp.Plan, null))
      assert.isTrue(fails(Acp.Plan, []))
    })

    it("what is malformed in an item with a required field takes the item, not the list", () => {
      const { dropped, value } = read(Acp.Plan, {
        entries: [
          { content: "a", priority: "high", status: "pending" },
          { content: "b", priority: "urgent", status: "pending" }
        ]
      })
      assert.strictEqual(value.entries.length, 1)
      assert.strictEqual(dropped[0]?.path, "entries[1]")
    })

    it("null stands for nothing where the protocol says so, silently; anything else malformed fails", () => {
      const request = { sessionId: "s", command: "ls" }
      assert.deepStrictEqual(read(Acp.CreateTerminalRequest, { ...request, args: null, env: null }), {
        value: request,
        dropped: []
      })
      assert.deepStrictEqual(read(Acp.NewSessionRequest, { cwd: "/", mcpServers: null }).value, {
        cwd: "/",
        mcpServers: []
      })
      assert.isTrue(fails(Acp.NewSessionRequest, { cwd: "/" }))
      assert.isTrue(fails(Acp.CreateTerminalRequest, { ...request, args: "-l" }))
    })

    it("leniency reaches through unions and lists", () => {
      const { dropped, value } = read(Acp.SessionUpdate, {
        ...chunk,
        content: { ...chunk.content, annotations: { audience: ["user", "dog"], priority: "x" } }
      })
      assert.deepStrictEqual(value, { ...chunk, content: { ...chunk.content, annotations: { audience: ["user"] } } })
      assert.deepStrictEqual(
        dropped.map(({ path }) => path),
        ["content.annotations.audience[1]", "content.annotations.priority"]
      )
    })

    it("[24] malformed capabilities are absent ones, and their neighbours stay", () => {
      const { dropped, value } = read(Acp.InitializeResponse, {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: "yes",
          promptCapabilities: { image: true, audio: 1 },
          sessionCapabilities: 0
        },
        authMethods: [{ id: "login", name: "Log in" }, "broken"],
        agentInfo: null,
        _meta: { parameterized: true }
      })
      assert.deepStrictEqual(value, {
        protocolVersion: 1,
        agentCapabilities: { promptCapabilities: { image: true } },
        authMethods: [{ id: "login", name: "Log in" }],
        agentInfo: null,
        _meta: { parameterized: true }
      })
      assert.strictEqual(dropped.length, 4)
    })

    it("[37] an authentication method of unknown type keeps its type; a broken terminal one is no other", () => {
      const { value } = read(Acp.InitializeResponse, {
        protocolVersion: 1,
        authMethods: [
          { id: "key", name: "Key", type: "env_var" },
          { id: "tty", name: "TTY", type: "terminal", args: ["--login"] },
          { id: "broken", type: "terminal" }
        ]
      })
      assert.deepStrictEqual(
        value.authMethods?.map(({ id, type }) => [id, String(type)]),
        [
          ["key", "env_var"],
          ["tty", "terminal"]
        ]
      )
    })

    it("[110][111] config options: flat, grouped, boolean, and one of unknown type whole and in its place", () => {
      const flat = { id: "a", name: "A", type: "select", currentValue: "x", options: [{ value: "x", name: "X" }] }
      const grouped = {
        id: "b",
        name: "B",
        type: "select",
        category: "of its own",
        currentValue: "not offered",
        options: [{ group: "g", name: "G", options: [{ value: "x", name: "X" }] }]
      }
      const slider = { id: "c", name: "C", type: "slider", minimum: 1, nested: { any: ["thing"] } }
      const toggle = { id: "d", name: "D", type: "boolean", currentValue: false }
      const { dropped, value } = read(Acp.ConfigOptionUpdate, {
        configOptions: [flat, grouped, slider, { id: "e", name: "E", type: "boolean", currentValue: "no" }, toggle]
      })
      assert.deepStrictEqual<ReadonlyArray<unknown>>(value.configOptions, [flat, grouped, slider, toggle])
      assert.deepStrictEqual(value.configOptions.map(valueOf), [1, 1, 1, false])
      assert.deepStrictEqual(
        dropped.map(({ path }) => path),
        ["configOptions[3]"]
      )
    })

    it("[111] a choice of which nobody says what is chosen keeps its place", () => {
      const option = { id: "a", name: "A", type: "select", options: [{ value: "x", name: "X" }] }
      const configOptions = [option, { ...option, currentValue: null }, { ...option, currentValue: 7 }]
      const { dropped, value } = read(Acp.ConfigOptionUpdate, { configOptions })
      assert.deepStrictEqual<ReadonlyArray<unknown>>(value.configOptions, [option, option, option])
      assert.strictEqual(dropped.length, 2)
    })

    it("[59] an unknown stop reason ends the turn all the same, an unknown kind of option can be chosen", () => {
      const response = { stopReason: "budget_exhausted" }
      assert.deepStrictEqual<unknown>(read(Acp.PromptResponse, response).value, response)
      assert.isTrue(fails(Acp.PromptResponse, { stopReason: null }))
      const option = { optionId: "o", name: "O", kind: "allow_session" }
      assert.deepStrictEqual<unknown>(read(Acp.PermissionOption, option).value, option)
    })

    it("an explicit stdio type of an MCP server is accepted", () => {
      const server = { name: "m", command: "/bin/m", args: [], env: [] }
      const { value } = read(Acp.NewSessionRequest, { cwd: "/", mcpServers: [{ ...server, type: "stdio" }] })
      assert.strictEqual(value.mcpServers.length, 1)
      assert.isTrue(fails(Acp.NewSessionRequest, { cwd: "/", mcpServers: [{ ...server, type: "http" }] }))
    })

    it("integers may be larger than a double holds exactly, and are no fractions", () => {
      const usage = { used: 1, size: 18446744073709552000 }
      assert.deepStrictEqual(read(Acp.UsageUpdate, usage).value, usage)
      assert.isTrue(fails(Acp.UsageUpdate, { used: 1.5, size: 2 }))
      assert.isTrue(fails(Acp.UsageUpdate, { used: -1, size: 2 }))
    })

    it("a form elicitation belongs to a session or to a request", () => {
      const form = { mode: "form", message: "m", requestedSchema: { type: "object", properties: {} } } as const
      const session = { ...form, sessionId: "s" }
      const request = { ...form, requestId: 7 }
      assert.deepStrictEqual(read(Acp.CreateElicitationRequest, session).value, session)
      assert.deepStrictEqual(read(Acp.CreateElicitationRequest, request).value, request)
      assert.isTrue(fails(Acp.CreateElicitationRequest, form))
    })

    it("a name from Object.prototype is a name like any other", () => {
      const hostile: unknown = JSON.parse('{"toolCallId":"t","__proto__":{"title":"no"},"constructor":1,"kind":9}')
      const { value } = read(Acp.ToolCallUpdate, hostile)
      assert.deepStrictEqual(value, { toolCallId: "t" })
      assert.isUndefined(value.title)
    })
  })
