/** Rules about what an agent has Signalbox do for it, over a real agent process: they narrow what the settings grant. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import type { Rule } from "@signalbox/contracts/Rule"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Layer from "effect/Layer"
import { McpServers } from "../../../src/mcp/McpServers.ts"
import * as RulesInForce from "../../../src/rules/RulesInForce.ts"
import { type Harness, thread } from "../../support/AgentHarness.ts"
import { play, scripted } from "../../support/ScriptedAgent.ts"
import { temporaryFolder } from "../../../../../packages/system/test/support/TemporaryFolder.ts"

const withRules = (...rules: ReadonlyArray<Rule>) => {
  const stateFolder = temporaryFolder("state")
  writeFileSync(join(stateFolder, "rules.json"), JSON.stringify({ rules }))
  return RulesInForce.layer({ stateFolder })
}

const started = Effect.fnUntraced(function* (...rules: ReadonlyArray<Rule>) {
  const agent = yield* scripted().pipe(Effect.provide(withRules(...rules)))
  const { acp } = agent.input().providerOptions
  yield* agent.start({ providerOptions: { acp: { ...acp, files: "write", terminals: true } } })
  return agent
})

const ask = (method: string, params: object) => ({ request: { method, params } })

/** What the agent was answered, in order: the error's message, or the result. */
const answers = (agent: Harness) =>
  agent
    .of("message.delta")
    .map(({ text }) => text)
    .join("")
    .split(/(?=(?:fs|terminal|elicitation)\/[a-z_]+ \{)/)
    .filter((text) => /^(?:fs|terminal|elicitation)\//.test(text))
    .map((text) => JSON.parse(text.slice(text.indexOf(" ") + 1)))
    .map(({ error, result }) => error?.message ?? result)

const answer = Effect.fnUntraced(function* (agent: Harness, optionId: string) {
  const before = new Set(agent.of("approval.resolved").map(({ requestId }) => requestId))
  const { request } = yield* agent.next("approval.requested", ({ request }) => !before.has(request.requestId))
  yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, optionId))
  yield* agent.next("approval.resolved", ({ requestId }) => requestId === request.requestId)
  return request
})

const warnings = (agent: Harness) => agent.of("runtime.warning").map(({ detail, message }) => `${message} ${detail}`)

describe("a rule that denies", () => {
  it.live("beats the grant for files and programs, and is named to the agent and in the thread", () =>
    Effect.gen(function* () {
      const agent = yield* started(
        { effect: "deny", match: { path: "secret/**" } },
        { effect: "deny", match: { command: "touch **" } }
      )
      const { folder } = agent
      mkdirSync(join(folder, "secret"))
      writeFileSync(join(folder, "secret", "a"), "key")
      writeFileSync(join(folder, "b"), "text")
      symlinkSync(join(folder, "secret"), join(folder, "open"))
      yield* play(
        agent,
        "t1",
        ask("fs/read_text_file", { path: join(folder, "secret", "a") }),
        ask("fs/read_text_file", { path: join(folder, "open", "a") }),
        ask("fs/write_text_file", { path: join(folder, "open", "new"), content: "x" }),
        ask("terminal/create", { command: "touch", args: [join(folder, "made")] }),
        ask("terminal/create", { command: `true && touch ${join(folder, "made")}` }),
        ask("fs/read_text_file", { path: join(folder, "b") })
      )
      const [read, linked, written, program, line, other] = answers(agent)
      assert.strictEqual(read, `Rule 1 denies ${join(folder, "secret", "a")}.`)
      assert.strictEqual(linked, `Rule 1 denies ${join(folder, "open", "a")}.`)
      assert.strictEqual(written, `Rule 1 denies ${join(folder, "open", "new")}.`)
      assert.match(program, /^Rule 2 denies touch /)
      assert.match(line, /^Rule 2 denies touch /)
      assert.deepStrictEqual(other, { content: "text" })
      assert.isFalse(existsSync(join(folder, "secret", "new")) || existsSync(join(folder, "made")))
      assert.include(warnings(agent)[0], "asked Signalbox to read a file. It was refused. Rule 1 denies")
    })
  )

  it.live("leaves out an MCP server, declines an address, and refuses to start the agent", () =>
    Effect.gen(function* () {
      const ready = ["files", "web"].map((name) => ({
        type: "stdio" as const,
        name,
        command: "/bin/true",
        args: [],
        env: {}
      }))
      const servers = Layer.succeed(McpServers, {
        list: () => Effect.succeed([]),
        forSession: () => Effect.succeed({ ready, leftOut: [], secrets: [] })
      })
      const rules = withRules(
        { effect: "deny", match: { server: "files" } },
        { effect: "deny", match: { host: "*.example.org" } }
      )
      const agent = yield* scripted().pipe(Effect.provide(Layer.merge(servers, rules)))
      yield* agent.start()
      assert.deepStrictEqual((yield* agent.next("session.started")).mcpServers, ["web"])
      assert.include(warnings(agent)[0], "The MCP server “files” was left out. Rule 1 denies the MCP server files.")
      const address = { mode: "url", message: "Look", elicitationId: "e", url: "https://a.example.org/x" }
      yield* play(agent, "t1", ask("elicitation/create", address))
      assert.deepStrictEqual(answers(agent), [{ action: "decline" }])
      assert.include(warnings(agent)[1], "The request was declined: Rule 2 denies the address of a.example.org.")

      const never = yield* scripted().pipe(Effect.provide(withRules({ effect: "deny", match: { kind: "start" } })))
      const { problem } = yield* Effect.flip(never.start())
      assert.strictEqual(problem.cause, "Rule 1 denies starting the agent.")
      assert.isEmpty(never.of("session.started"))
    })
  )
})

describe("a rule that asks", () => {
  it.live("has people asked about a file and a program before they are touched", () =>
    Effect.gen(function* () {
      const agent = yield* started(
        { effect: "ask", match: { path: "notes/**" } },
        { effect: "ask", match: { command: "touch **" } }
      )
      const { folder } = agent
      mkdirSync(join(folder, "notes"))
      const path = join(folder, "notes", "a")
      const turn = yield* Effect.forkChild(
        play(
          agent,
          "t1",
          ask("fs/write_text_file", { path, content: "one" }),
          ask("fs/write_text_file", { path, content: "two" }),
          ask("terminal/create", { command: "touch", args: [join(folder, "made")] })
        )
      )
      const first = yield* answer(agent, "allow")
      assert.deepStrictEqual(first.tool.subject, { type: "file", path })
      assert.strictEqual(first.judgement?.why, `Rule 1 asks about ${path}.`)
      // These are words of Signalbox, and none of the agent.
      assert.deepStrictEqual([first.tool.title, first.reason], ["", undefined])
      yield* answer(agent, "reject")
      yield* answer(agent, "reject")
      yield* Fiber.join(turn)
      const [written, refused, program] = answers(agent)
      assert.deepStrictEqual(written, {})
      assert.strictEqual(refused, `Rule 1 asks about ${path}. It was rejected.`)
      assert.match(program, /^Rule 2 asks about touch .*It was rejected\.$/)
      assert.strictEqual(readFileSync(path, "utf8"), "one")
      assert.isFalse(existsSync(join(folder, "made")))
    })
  )

  it.live("binds the answer to the file: a link that is changed meanwhile leads nowhere else", () =>
    Effect.gen(function* () {
      const agent = yield* started({ effect: "ask", match: { path: "open/**" } })
      const { folder } = agent
      for (const name of ["plain", "secret"]) {
        mkdirSync(join(folder, name))
        writeFileSync(join(folder, name, "a"), name)
      }
      symlinkSync("plain", join(folder, "open"))
      const path = join(folder, "open", "a")
      const turn = yield* Effect.forkChild(play(agent, "t1", ask("fs/read_text_file", { path })))
      const { request } = yield* agent.next("approval.requested")
      symlinkSync("secret", join(folder, "other"))
      renameSync(join(folder, "other"), join(folder, "open"))
      // The person's answer is refused: the request has changed with the link.
      const refused = yield* Effect.flip(
        agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "allow"))
      )
      assert.strictEqual(refused.problem.code, "request-changed")
      const changed = yield* agent.next("approval.changed")
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(changed.request, "allow"))
      yield* Fiber.join(turn)
      assert.strictEqual(answers(agent)[0], `${path} changed while it was opened.`)
    })
  )
})

describe("a rule that allows", () => {
  it.live("gives nothing that the settings don't grant", () =>
    Effect.gen(function* () {
      const agent = yield* scripted().pipe(Effect.provide(withRules({ effect: "allow", match: {} })))
      yield* agent.start()
      writeFileSync(join(agent.folder, "a"), "text")
      yield* play(agent, "t1", ask("fs/read_text_file", { path: join(agent.folder, "a") }))
      assert.match(answers(agent)[0], /fs\/read_text_file|not found/i)
      const granted = yield* started({ effect: "allow", match: {} })
      yield* play(granted, "t1", ask("fs/read_text_file", { path: "/etc/hostname" }))
      assert.match(answers(granted)[0], /is outside of the folders/)
    })
  )
})
