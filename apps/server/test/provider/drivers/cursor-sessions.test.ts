import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { TurnId } from "@signalbox/contracts/Ids"
import type { CursorOptions } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CursorProfile from "../../../src/provider/drivers/cursor/CursorProfile.ts"
import { temporaryFolder } from "./support/Programs.ts"
import { type AgentOptions, cursorHarness, emulator, type Harness, thread } from "../../support/AgentHarness.ts"

const generations = ["2026.02", "2026.08", "2026.10"] as const

const textOf = (agent: Harness) =>
  agent
    .of("message.delta")
    .map(({ text }) => text)
    .join("")

/** Runs a prompt to its end and answers the one question or plan that comes up in it. */
const answering = Effect.fnUntraced(function* (agent: Harness, prompt: string, response: RequestResponse) {
  const turn = yield* Effect.forkChild(agent.turn("t1", prompt))
  const { request } = yield* Effect.raceFirst(agent.next("question.requested"), agent.next("plan.proposed"))
  yield* agent.adapter.respondToRequest(thread, request.requestId, response)
  return { request, end: yield* Fiber.join(turn) }
})

const started = Effect.fnUntraced(function* (options: AgentOptions = {}) {
  const agent = yield* cursorHarness(options)
  yield* agent.start()
  return agent
})

/** Each in a scope of its own: their agents start, work and end side by side. */
const together = <A, E>(cases: ReadonlyArray<A>, run: (one: A) => Effect.Effect<void, E, Scope.Scope>) =>
  Effect.forEach(cases, (one) => Effect.scoped(run(one)), { concurrency: "unbounded", discard: true })

/** An adapter that finds and verifies the program itself, as in service. */
const found = Effect.fnUntraced(function* (options: CursorOptions) {
  const { launch } = yield* CursorProfile.make.pipe(Effect.provide(NodeServices.layer))
  const agent = yield* cursorHarness({ profile: { launch } })
  const env = { FAKE_CURSOR_STATE: agent.state, FAKE_CURSOR_TIME_SCALE: "0", ...options.env }
  return { agent, start: agent.start({ providerOptions: { cursor: { binaryPath: emulator, ...options, env } } }) }
})

describe("Cursor's questions and plans, through the adapter", () => {
  it.live("a question is answered by option id", () =>
    Effect.gen(function* () {
      const agent = yield* started({ quirks: "-ask_missing" })
      const { end, request } = yield* answering(agent, "[[fake:ask multi]]", {
        type: "answers",
        answers: [
          { questionId: "q1", optionIds: ["casual"] },
          { questionId: "q2", optionIds: ["summary", "tests"] }
        ]
      })
      assert.deepInclude(request, { type: "question", title: "Clarify" })
      assert.strictEqual(end.outcome, "completed")
      assert.include(textOf(agent), "Formal or casual? **Casual**")
      assert.include(textOf(agent), "**A summary, Tests**")
    })
  )

  it.live("a question can be skipped, and Stop cancels it", () =>
    Effect.gen(function* () {
      const agent = yield* started({ quirks: "-ask_missing" })
      yield* answering(agent, "[[fake:ask]]", { type: "skip", reason: "later" })
      assert.include(textOf(agent), "You skipped the question.")
      const turn = yield* Effect.forkChild(agent.turn("t2", "[[fake:ask]]"))
      const asked = yield* agent.next("question.requested", ({ turnId }) => turnId === "t2")
      assert.isDefined(asked.turnId)
      yield* agent.adapter.interruptTurn(thread, asked.turnId)
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      const resolved = yield* agent.next("question.resolved", ({ turnId }) => turnId === "t2")
      assert.deepStrictEqual(resolved.outcome, { type: "cancelled" })
    })
  )

  it.live("the session goes on while a question is open", () =>
    Effect.gen(function* () {
      const agent = yield* started({ quirks: "-ask_missing" })
      const turn = yield* Effect.forkChild(agent.turn("t1", "[[fake:ask]]"))
      const { request } = yield* agent.next("question.requested")
      yield* agent.adapter.setSetting(thread, "mode", "plan")
      yield* agent.next("settings.updated", ({ settings }) =>
        settings.some((setting) => setting.id === "mode" && setting.type === "select" && setting.value === "plan")
      )
      assert.deepStrictEqual(agent.of("question.resolved"), [])
      yield* agent.adapter.respondToRequest(thread, request.requestId, { type: "skip" })
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "completed")
    })
  )

  it.live("the agent learns whether its plan was accepted or rejected", () =>
    together(generations, (generation) =>
      Effect.gen(function* () {
        const accepting = yield* started({ generation })
        const { request } = yield* answering(accepting, "[[fake:plan]]", { type: "accept" })
        assert.deepInclude(request, { type: "plan", name: "Greeting" })
        assert.deepStrictEqual("entries" in request && request.entries.map(({ id }) => id), ["t1", "t2"])
        assert.include(textOf(accepting), "The plan is accepted", generation)
        const rejecting = yield* started({ generation })
        yield* answering(rejecting, "[[fake:plan]]", { type: "reject", reason: "too long" })
        assert.include(textOf(rejecting), "Revising the plan", generation)
      })
    )
  )
})

describe("What Cursor tells beside the protocol, through the adapter", () => {
  it.live("to-dos keep their words when only statuses follow, in every generation and form", () =>
    together(
      generations.flatMap((generation) => [
        { generation, quirks: "" },
        { generation, quirks: "ext_as_notification" }
      ]),
      (options) =>
        Effect.gen(function* () {
          const agent = yield* started(options)
          assert.strictEqual((yield* agent.turn("t1", "[[fake:todos]]")).outcome, "completed")
          const plans = agent
            .of("plan.updated")
            .map(({ entries }) => entries.map(({ content, status }) => [content, status]))
          const first = [
            ["Read the code", "in_progress"],
            ["Change it", "pending"],
            ["Run the tests", "pending"]
          ]
          const second = [
            ["Read the code", "completed"],
            ["Change it", "in_progress"],
            ["Run the tests", "pending"]
          ]
          assert.deepStrictEqual(plans, [first, second], JSON.stringify(options))
          assert.deepStrictEqual(agent.of("runtime.warning"), [])
        })
    )
  )

  it.live("a sub-agent is seen at work and done; one in the background is not called done", () =>
    Effect.gen(function* () {
      // A client without the capability gets only the calls of sub-agents.
      const profile = { clientMeta: { parameterizedModelPicker: true } }
      for (const quirks of ["", "task_late"]) {
        const agent = yield* started({ quirks, profile })
        yield* agent.turn("t1", "[[fake:task]]")
        const updates = agent.of("subagent.updated")
        assert.strictEqual(new Set(updates.map(({ itemId }) => itemId)).size, 1)
        assert.deepInclude(updates.at(-1), {
          name: "explore",
          task: "Explore the repository",
          state: "completed",
          durationMs: 8123
        })
      }
      const agent = yield* started({ profile })
      yield* agent.turn("t1", "[[fake:task bg]]")
      assert.deepStrictEqual(agent.of("subagent.updated").at(-1)?.state, "background")
      assert.notInclude(
        agent.of("subagent.updated").map(({ state }) => state),
        "completed"
      )
      // What it asks for later belongs to no turn, and is shown all the same.
      const late = yield* agent.next("approval.requested")
      assert.isUndefined(late.turnId)
    })
  )

  it.live("sub-agents with sessions are a tree; each is one with its call, and is over when it says so itself", () =>
    Effect.gen(function* () {
      for (const script of ["task", "task bg"]) {
        const agent = yield* started()
        yield* agent.turn("t1", `[[fake:${script}]]`)
        const updates = agent.of("subagent.updated")
        const ids = [...new Set(updates.map(({ itemId }) => itemId))]
        const [explore = [], shell = [], ...others] = ids.map((id) => updates.filter(({ itemId }) => itemId === id))
        assert.isEmpty(others)
        assert.deepInclude(explore.at(-1), { name: "explore", state: "completed" })
        assert.isTrue(explore.some(({ activity }) => activity === "Read README.md"))
        assert.strictEqual(explore.findLast(({ said }) => said !== undefined)?.said, "It is small.")
        const last = shell.at(-1)
        assert.deepStrictEqual(
          [last?.name, last?.task, last?.state, last?.said],
          ["shell", "Count the files.", "completed", "There are few."]
        )
        assert.deepStrictEqual(last?.parent, { itemId: explore[0]!.itemId, depth: 0 })
        assert.notInclude(
          updates.map(({ state }) => state),
          "background"
        )
        assert.isEmpty(agent.of("protocol.unknown"))
        assert.notMatch(textOf(agent), /repository\.It is small/)
      }
    })
  )

  it.live("a turn that is stopped stops the sub-agents in it", () =>
    Effect.gen(function* () {
      const agent = yield* started({ env: { FAKE_CURSOR_TIME_SCALE: "1" } })
      const turn = yield* Effect.forkChild(agent.turn("t1", "[[fake:task]]"))
      yield* agent.next("subagent.updated")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      yield* Fiber.join(turn)
      assert.strictEqual(agent.of("subagent.updated").at(-1)?.state, "cancelled")
    })
  )

  it.live("a generated picture is named by its path", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      yield* agent.turn("t1", "[[fake:image]]")
      const [file] = agent.of("file.generated")
      assert.isDefined(file)
      assert.isTrue(existsSync(file.path))
      assert.strictEqual(file.description, "A single pixel")
    })
  )

  it.live("leaked diff headers and icon names are never shown", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      yield* agent.turn("t1", "[[fake:newfile out.txt]]")
      const diffs = agent.of("tool.completed").flatMap(({ tool }) => tool.diffs)
      assert.isNotEmpty(diffs)
      for (const diff of diffs) {
        assert.isNull(diff.oldText)
        assert.notInclude(diff.newText, "++ b/")
      }
      yield* agent.adapter.setSetting(thread, "model", "claude-opus-5")
      const { settings } = yield* agent.next("settings.updated", (event) =>
        event.settings.some(({ id }) => id === "thinking")
      )
      const names = settings.flatMap((setting) =>
        setting.type === "select" ? setting.groups.flatMap(({ choices }) => choices.map(({ name }) => name)) : []
      )
      for (const name of names) assert.notMatch(name, /:icon-|\u200b/)
      assert.include(names, "On")
    })
  )
})

describe("Cursor's errors, through the adapter", () => {
  it.live("a turn that ends with an error sent as text has failed, or met a limit", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const kinds: ReadonlyArray<readonly [string, string]> = [
        ["retriable", "agent-reported-error"],
        ["nonretriable", "agent-reported-error"],
        ["connect", "agent-reported-error"],
        ["internal", "agent-reported-error"],
        ["network", "agent-reported-error"],
        ["unauthenticated", "auth-required"],
        ["action", "agent-reported-error"],
        ["stream", "agent-reported-error"],
        ["signin", "auth-required"],
        ["upgrade", "usage-limit"],
        ["payment", "usage-limit"],
        ["settings", "agent-reported-error"],
        ["usage", "usage-limit"],
        ["model", "setting-rejected"]
      ]
      for (const [kind, code] of kinds) {
        const end = yield* agent.turn(kind, `[[fake:error kind=${kind}]]`)
        // A limit of the account is one state, not a limit and a failure at once.
        assert.strictEqual(end.outcome, code === "usage-limit" ? "limited" : "failed", kind)
        assert.strictEqual(end.problem?.code, code, kind)
        assert.strictEqual(end.stopReason, "end_turn", kind)
      }
      assert.strictEqual((yield* agent.turn("last", "hello")).outcome, "completed")
    })
  )

  it.live("a turn that repeats the words of an error has not", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const end = yield* agent.turn("t1", "The log says Error: RetriableError: [unavailable] down")
      assert.strictEqual(end.outcome, "completed")
      assert.isUndefined(end.problem)
    })
  )

  it.live("an error of the protocol is explained by its details", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const end = yield* agent.turn("t1", "[[fake:rpcerror]]")
      assert.strictEqual(end.outcome, "failed")
      assert.strictEqual(end.problem?.code, "agent-reported-error")
      assert.strictEqual(end.problem?.evidence.rpcCode, -32603)
    })
  )
})

describe("Starting Cursor, through the adapter", () => {
  it.live("finds the program, starts it and works, in every generation", () =>
    together(generations, (generation) =>
      Effect.gen(function* () {
        const { agent, start } = yield* found({ env: { FAKE_CURSOR_GEN: generation } })
        yield* start
        const event = yield* agent.next("session.started")
        assert.isTrue(event.agentVersion?.startsWith(generation))
        assert.strictEqual((yield* agent.turn("t1", "hello")).outcome, "completed")
      })
    )
  )

  it.live("works with an API key, for which there is nothing to log in to", () =>
    Effect.gen(function* () {
      const methods = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
        const FAKE_CURSOR_LOG = join(temporaryFolder(), "log.ndjson")
        const { agent, start } = yield* found({ env: { ...env, FAKE_CURSOR_LOG } })
        yield* start
        assert.strictEqual((yield* agent.turn("t1", "hello")).outcome, "completed")
        return readFileSync(FAKE_CURSOR_LOG, "utf8")
      })
      assert.notInclude(yield* methods({ FAKE_CURSOR_AUTH: "apikey", CURSOR_API_KEY: "k" }), '"authenticate"')
      assert.include(yield* methods({ FAKE_CURSOR_AUTH: "ok" }), '"authenticate"')
    })
  )

  it.live("puts the endpoint and the user's arguments before acp, and keeps our Node's options to ourselves", () =>
    Effect.gen(function* () {
      const before = process.env["NODE_OPTIONS"]
      yield* Effect.acquireRelease(
        Effect.sync(() => void (process.env["NODE_OPTIONS"] = "--no-warnings")),
        () =>
          Effect.sync(() => {
            if (before === undefined) delete process.env["NODE_OPTIONS"]
            else process.env["NODE_OPTIONS"] = before
          })
      )
      const FAKE_CURSOR_LOG = join(temporaryFolder(), "log.ndjson")
      const options = { apiEndpoint: "https://e.example", args: ["--force"], env: { FAKE_CURSOR_LOG } }
      const { start } = yield* found(options)
      yield* start
      const starts = readFileSync(FAKE_CURSOR_LOG, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter(({ type }) => type === "start")
      assert.deepStrictEqual(
        starts.map(({ argv }) => argv.join(" ")),
        ["--version", "-e https://e.example --force acp"]
      )
      for (const { env } of starts) assert.isUndefined(env.NODE_OPTIONS)
    })
  )

  it.live("asks for a login where nobody is logged in", () =>
    Effect.gen(function* () {
      const { start } = yield* found({ env: { FAKE_CURSOR_AUTH: "none" } })
      const { problem } = yield* Effect.flip(start)
      assert.strictEqual(problem.code, "auth-required")
      assert.strictEqual(problem.evidence.method, "session/new")
      assert.strictEqual(problem.evidence.rpcCode, -32000)
      assert.strictEqual(problem.nextSteps[0]?.command, "cursor-agent login")
    })
  )

  it.live("names the project's configuration file that Cursor refuses", () =>
    Effect.gen(function* () {
      const { agent, start } = yield* found({})
      mkdirSync(join(agent.folder, ".cursor"))
      const path = join(agent.folder, ".cursor", "cli.json")
      writeFileSync(path, JSON.stringify({ permissions: { allow: [] }, theme: "dark" }))
      const { problem } = yield* Effect.flip(start)
      assert.strictEqual(problem.code, "config-invalid")
      assert.strictEqual(problem.evidence.path, path)
      assert.strictEqual(problem.evidence.exitCode, 1)
      assert.include(problem.cause, "theme")
    })
  )

  it.live("explains a refused model and an unknown flag", () =>
    Effect.gen(function* () {
      const model = yield* found({ args: ["--model", "nope"] })
      const refused = yield* Effect.flip(model.start)
      assert.strictEqual(refused.problem.code, "setting-rejected")
      assert.include(refused.problem.title, "nope")
      const flag = yield* found({ args: ["--no-such-flag"] })
      assert.strictEqual((yield* Effect.flip(flag.start)).problem.code, "config-invalid")
    })
  )

  it.live("reports a missing program before anything is started", () =>
    Effect.gen(function* () {
      const { start } = yield* found({ binaryPath: "/nowhere/cursor-agent" })
      assert.strictEqual((yield* Effect.flip(start)).problem.code, "agent-not-found")
    })
  )
})
