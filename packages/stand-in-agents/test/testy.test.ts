/** Testy does what the command in its prompt names. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "vitest"
import { standIn, textOf, type Visit, withAgent } from "./support/WholeClient.ts"
import { mcpServer } from "./support/McpServer.ts"

const visit = async (use: (visit: Visit) => Promise<void>) =>
  assert.strictEqual(await withAgent(standIn("testy"), use), 0)

/** Runs one command in a new session, and returns why its turn ended. */
const command = async ({ newSession, prompt }: Visit, text: string) => {
  const { sessionId } = await newSession("/")
  return (await prompt(sessionId, text)).stopReason
}

const kindsOf = ({ heard }: Visit): ReadonlySet<string> => new Set(heard.updates.map((update) => update.sessionUpdate))

describe("Testy", () => {
  it("greets, echoes a message, and lists its commands", () =>
    visit(async (visit) => {
      assert.strictEqual(await command(visit, "what is this?"), "end_turn")
      assert.strictEqual(textOf(visit.heard), "Hello, world!")
      await command(visit, '{"command":"echo","message":"one"}')
      await command(visit, "echo two words")
      assert.isTrue(textOf(visit.heard).endsWith("onetwo words"))
      await command(visit, "help")
      assert.include(textOf(visit.heard), "wait_for_cancel")
    }))

  it("sends an update of each stable kind", () =>
    visit(async (visit) => {
      await command(visit, "session_updates")
      assert.hasAllKeys(Object.fromEntries([...kindsOf(visit)].map((kind) => [kind, true])), [
        "session_info_update",
        "current_mode_update",
        "config_option_update",
        "available_commands_update",
        "usage_update",
        "user_message_chunk",
        "agent_thought_chunk",
        "agent_message_chunk",
        "tool_call",
        "tool_call_update",
        "plan"
      ])
    }))

  it("sends content of each kind, and says what it was sent", () =>
    visit(async (visit) => {
      await command(visit, '{"command":"run_scenario","scenario":"content"}')
      const kinds = visit.heard.updates.map((update) =>
        update.sessionUpdate === "agent_message_chunk" ? update.content.type : ""
      )
      assert.deepStrictEqual(kinds, ["text", "image", "audio", "resource_link", "resource", "text"])
      assert.include(textOf(visit.heard), "content: the prompt held text")
    }))

  it("sends calls of tools with text, a diff and a terminal, which it releases", () =>
    visit(async (visit) => {
      await command(visit, "tool calls")
      const contents = visit.heard.updates.flatMap((update) =>
        update.sessionUpdate === "tool_call_update" ? (update.content ?? []).map(({ type }) => type) : []
      )
      assert.deepStrictEqual(contents, ["content", "content", "diff", "terminal"])
      assert.deepStrictEqual(visit.heard.asked, ["terminal/create", "terminal/release"])
    }))

  it("makes every request of a client, and reports each answer", () =>
    visit(async (visit) => {
      await command(visit, "callbacks")
      assert.deepStrictEqual(visit.heard.asked, [
        "session/request_permission",
        "fs/write_text_file",
        "fs/read_text_file",
        "terminal/create",
        "terminal/wait_for_exit",
        "terminal/output",
        "terminal/kill",
        "terminal/release"
      ])
      for (const method of visit.heard.asked) assert.include(textOf(visit.heard), `${method}: ok {`)
      assert.include(textOf(visit.heard), 'fs/read_text_file: ok {"content":"written by testy\\n"}')
    }))

  it("asks for forms and addresses, for its session and for its request", () =>
    visit(async (visit) => {
      await command(visit, "elicitations")
      assert.deepStrictEqual(
        visit.heard.asked,
        Array.from({ length: 2 }, () => ["elicitation/create", "elicitation/create", "elicitation/complete"]).flat()
      )
      for (const scope of ["session", "request"]) {
        assert.include(textOf(visit.heard), `elicitation/create, form, ${scope}: ok {"action":"accept"`)
        assert.include(textOf(visit.heard), `elicitation/create, url, ${scope}: ok {"action":"decline"`)
      }
    }))

  it("waits until its turn is cancelled, and says when a session was cancelled between turns", () =>
    visit(async (visit) => {
      const { sessionId } = await visit.newSession("/")
      const ended = visit.prompt(sessionId, "wait_for_cancel")
      await visit.hears(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
      await visit.agent.notify(acp.methods.agent.session.cancel, { sessionId })
      assert.strictEqual((await ended).stopReason, "cancelled")
      await visit.agent.notify(acp.methods.agent.session.cancel, { sessionId })
      for (const _ of [1, 2]) await visit.prompt(sessionId, "cancel_status")
      assert.include(textOf(visit.heard), "cancel_status: cancelledcancel_status: not cancelled")
    }))

  it("lists and calls the tools of a server", () =>
    visit(async ({ heard, newSession, prompt }) => {
      const { sessionId } = await newSession("/", [mcpServer("calc")])
      await prompt(sessionId, '{"command":"list_tools","server":"calc"}')
      assert.include(textOf(heard), 'list_tools: ok [{"name":"add"')
      await prompt(sessionId, '{"command":"call_tool","server":"calc","tool":"add","params":{"a":2,"b":3}}')
      assert.include(textOf(heard), 'call_tool: ok {"content":[{"type":"text","text":"5"}],"isError":false}')
      await prompt(sessionId, '{"command":"list_tools","server":"nowhere"}')
      assert.include(textOf(heard), "list_tools: error MCP server 'nowhere' not found")
    }))

  it("takes every method of a client, and refuses what it does not know", () =>
    visit(async ({ agent, initialized, newSession, prompt }) => {
      assert.lengthOf(initialized.authMethods ?? [], 1)
      const { session } = acp.methods.agent
      const refused = async (asked: Promise<unknown>) =>
        assert.strictEqual(
          await asked.then(
            () => undefined,
            (error: acp.RequestError) => error.code
          ),
          -32602
        )
      await agent.request(acp.methods.agent.authenticate, { methodId: "testy-auth" })
      await refused(agent.request(acp.methods.agent.authenticate, { methodId: "other" }))
      await agent.request(acp.methods.agent.logout, {})
      const first = await newSession("/one")
      assert.deepStrictEqual([first.sessionId, first.modes?.currentModeId], ["testy-session-1", "chat"])
      const setup = { cwd: "/two", mcpServers: [] }
      await agent.request(session.load, { sessionId: "testy-session-2", ...setup })
      await agent.request(session.resume, { sessionId: "mine", ...setup })
      assert.strictEqual((await newSession("/one")).sessionId, "testy-session-3")
      const idsIn = async (cwd: string) =>
        (await agent.request(session.list, { cwd })).sessions.map(({ sessionId }) => sessionId)
      assert.deepStrictEqual(await idsIn("/two"), ["testy-session-2", "mine"])

      const { sessionId } = first
      await agent.request(session.setMode, { sessionId, modeId: "plan" })
      await refused(agent.request(session.setMode, { sessionId, modeId: "other" }))
      const { configOptions } = await agent.request(session.setConfigOption, {
        sessionId,
        configId: "verbosity",
        value: "brief"
      })
      assert.deepInclude(configOptions[0], { currentValue: "brief" })
      await refused(agent.request(session.setConfigOption, { sessionId, configId: "verbosity", value: "loud" }))

      await agent.request(session.close, { sessionId })
      await agent.request(session.delete, { sessionId: "testy-session-3" })
      await refused(prompt(sessionId, "greet"))
      assert.deepStrictEqual(await idsIn("/one"), [])
    }))
})
