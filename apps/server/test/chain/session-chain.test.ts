/** Sessions whose agents have components in front of them: what people see is what passes, and what ends. */
import { assert, describe, it } from "@effect/vitest"
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { untilGone } from "../../../../packages/process/test/support/Groups.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import { type Harness, thread } from "../support/AgentHarness.ts"
import { ChosenLanguageServers } from "../../src/provider/Services/ChosenLanguageServers.ts"
import { call, play, scripted, seen, told } from "../support/ScriptedAgent.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const main = (name: string) =>
  programOf(new URL(`../../../../packages/stand-in-agents/src/${name}/main.ts`, import.meta.url))

const arrow = (name: string): ChainComponent => ({ command: process.execPath, args: [main("arrow")], name })
const faulty = (...fault: ReadonlyArray<string>): ChainComponent => ({
  command: process.execPath,
  args: [main("faulty"), ...fault],
  name: "faulty"
})

/** Starts the agent behind these components. */
const begin = (agent: Harness, components: ReadonlyArray<ChainComponent>, chosen?: ReadonlyArray<string>) =>
  agent.start({
    providerOptions: { ...agent.input().providerOptions, components },
    ...(chosen !== undefined && { components: chosen })
  })

const problemOf = (problem: Problem | undefined): string =>
  problem === undefined ? "none" : `${problem.code}: ${problem.title} ${problem.cause}`

const says = { text: "Hello" }

/** Needs no bridge. */
const takesAll = { initialize: { agentCapabilities: { mcpCapabilities: { acp: true } } } }

describe("a session with components", () => {
  it.live("is asked and answered through them in their order, and says which they are", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(takesAll)
      yield* begin(agent, [arrow("first"), arrow("second")])
      const { outcome } = yield* play(agent, "t1", { repeat: 20, steps: [{ text: "{i} " }] })
      assert.strictEqual(outcome, "completed")
      const [said = ""] = yield* seen(agent)
      assert.match(said, /^says: >>0 .*>>19 $/)
      const [started] = agent.of("session.started")
      assert.deepStrictEqual(
        started?.chain?.map(({ name, role }) => `${role} ${name}`),
        ["component first", "component second", `agent ${agent.input().provider.name}`]
      )
      const [health] = yield* agent.adapter.health
      const [first, second, last] = health?.chain ?? []
      // At least the start, the session and the turn with its texts, which each of them has passed on.
      for (const part of [first, second, last]) assert.isAtLeast(part?.messages ?? 0, 26)
      assert.isDefined(first?.heldMs)
      assert.isUndefined(last?.heldMs)
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )

  it.live("has only those that are switched on, or chosen for its thread, in that order", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(takesAll)
      const components = [arrow("first"), { ...arrow("second"), disabled: true }]
      const partsOf = () =>
        agent
          .of("session.started")
          .at(-1)
          ?.chain?.map(({ name }) => name)
      yield* begin(agent, components)
      assert.deepStrictEqual(partsOf(), ["first", agent.input().provider.name])
      yield* agent.adapter.stopSession(thread)
      yield* begin(agent, components, ["second", "first"])
      assert.deepStrictEqual(partsOf(), ["second", "first", agent.input().provider.name])
      yield* agent.adapter.stopSession(thread)
      yield* begin(agent, components, [])
      assert.isUndefined(partsOf())
      yield* play(agent, "t1", says)
      assert.deepStrictEqual((yield* seen(agent)).at(-1), "says: Hello")
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )

  it.live("is stopped through them: the agent hears it, and ends the turn", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(takesAll)
      yield* begin(agent, [arrow("first"), { component: "pass" }])
      const turn = yield* Effect.forkScoped(play(agent, "t1", says, { wait: 60_000 }))
      yield* agent.next("message.delta")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      yield* agent.adapter.stopSession(thread)
      assert.isTrue((yield* agent.next("session.exited")).expected)
    }).pipe(Effect.scoped)
  )

  it.live("is ended with all of them where its agent does not hear Stop", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(
        { ...takesAll, onCancel: "ignore" },
        { timing: { cancelGrace: Duration.millis(200) } }
      )
      yield* begin(agent, [arrow("first")])
      const group = agent.of("session.started")[0]?.pid ?? 0
      const turn = yield* Effect.forkScoped(play(agent, "t1", says, { wait: 60_000 }))
      yield* agent.next("message.delta")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      const { outcome, problem } = yield* Fiber.join(turn)
      assert.deepStrictEqual([outcome, problem?.code], ["cancelled", "cancel-timeout"])
      yield* agent.next("session.exited")
      yield* untilGone(group)
      // It is started again with its chain.
      assert.strictEqual((yield* play(agent, "t2", says)).outcome, "completed")
      assert.deepStrictEqual((yield* seen(agent)).at(-1), "says: >Hello")
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )

  it.live("gets a bridge where its agent needs one, and says why", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("log"), "log")
      const initialize = { agentCapabilities: { mcpCapabilities: { http: true } } }
      const agent = yield* scripted({ initialize }, { env: { SCRIPTED_AGENT_LOG: log } })
      yield* begin(agent, [{ component: "git" }])
      const [, added] = agent.of("session.started")[0]?.chain ?? []
      assert.strictEqual(added?.role, "bridge")
      assert.strictEqual(added?.because, "the agent takes no MCP servers over ACP")
      const opened = told(log).find(({ method }) => method === "session/new")
      assert.match(JSON.stringify(opened?.["params"]), /"mcpServers":\[\{[^[\]{}]*"url":"http:\/\/127\.0\.0\.1:/)
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )
})

describe("a session with IDE operations", () => {
  it.live("gets an adapter before them, since people's side offers none, and says why", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(takesAll)
      yield* begin(agent, [arrow("first"), { component: "ide-operations", args: ["--only-these-servers"] }])
      const chain = agent.of("session.started")[0]?.chain ?? []
      assert.deepStrictEqual(
        chain.slice(0, 3).map(({ because, name, role }) => [role, name, because]),
        [
          ["component", "first", undefined],
          ["adapter", "ide-operations (adapter)", "the client lacks ide_operations"],
          ["component", "ide-operations", undefined]
        ]
      )
      assert.strictEqual((yield* play(agent, "t1", says)).outcome, "completed")
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )
})

describe("an edit that leaves an error, in a session with IDE operations", { timeout: 120_000 }, () => {
  it.live("says so on the entry of the tool, by a language server that people have turned on", () =>
    Effect.gen(function* () {
      const packaged = createRequire(import.meta.url).resolve("pyright/package.json")
      const pyright = {
        id: "python",
        name: "Python",
        command: process.execPath,
        args: [join(dirname(packaged), "langserver.index.js"), "--stdio"],
        languages: ["python"],
        rootMarkers: []
      }
      const agent = yield* scripted(takesAll).pipe(
        Effect.provideService(ChosenLanguageServers, Effect.succeed([pyright]))
      )
      yield* begin(agent, [{ component: "ide-operations" }])
      const path = join(agent.folder, "shop.py")
      const newText = 'def total() -> int:\n    return "1"\n'
      writeFileSync(path, newText)
      const edit = { kind: "edit", status: "completed", content: [{ type: "diff", path, oldText: "", newText }] }
      const reported = ({ tool }: { readonly tool: ToolCall }) =>
        JSON.stringify(tool.content).includes("After this edit")
      const report = Effect.raceFirst(agent.next("tool.updated", reported), agent.next("tool.completed", reported))
      // A server that still starts may answer too late. So the agent asks until it has an answer, and edits then.
      const asks = { method: "_ide/diagnostics", params: { uri: pathToFileURL(path).href } }
      const edited = (turn: number): Effect.Effect<void> =>
        Effect.gen(function* () {
          yield* Effect.orDie(play(agent, `t${turn}`, { request: asks, on: { result: [call("edit", edit)] } }))
          if (agent.of("tool.completed").length === 0) yield* edited(turn + 1)
        })
      yield* edited(1)
      const { content, diffs, status } = (yield* report).tool
      assert.include(JSON.stringify(content), "After this edit, there is 1 error:\\nshop.py:2:12: ")
      assert.deepStrictEqual([diffs.length, status], [1, "completed"])
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )
})

describe("a secret of a component", () => {
  it.live("stands in no tape, no event and no problem", () =>
    Effect.gen(function* () {
      const tapes = temporaryFolder("tapes")
      const agent = yield* scripted(takesAll, { tapes })
      const env = { API_KEY: "sesame-open-4711" }
      yield* begin(agent, [{ command: process.execPath, args: [main("arrow")], name: "first", env }])
      yield* play(agent, "t1", { text: "It is sesame-open-4711, I think." })
      const { problem } = yield* play(agent, "t2", { stderr: "lost sesame-open-4711\n" }, { crash: 3 })
      assert.include(problem?.cause, "lost [redacted]")
      yield* agent.next("session.exited")
      const recorded = readdirSync(tapes, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => readFileSync(join(parentPath, name), "utf8"))
        .join("\n")
      assert.include(recorded, "I think.")
      assert.notInclude(recorded, "sesame-open-4711")
      assert.include(recorded, '"components":["first"]')
    }).pipe(Effect.scoped)
  )
})

describe("a component that ends", () => {
  it.live("ends the turn with its name and cause; nothing runs on, and the thread goes on without it", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      const file = join(agent.folder, "kept.txt")
      writeFileSync(file, "kept")
      // Its start, the session and the prompt.
      yield* begin(agent, [faulty("die", "3")])
      const pid = agent.of("session.started")[0]?.pid ?? 0
      const { outcome, problem } = yield* play(agent, "t1", says, { wait: 60_000 })
      assert.strictEqual(outcome, "failed")
      assert.strictEqual(
        problemOf(problem),
        `component-ended: The component faulty ended, and the chain in front of ${agent.input().provider.name} with it. ` +
          `faulty exited with code 9. ${agent.input().provider.name} was stopped.`
      )
      assert.deepStrictEqual(problem?.nextSteps, [
        { action: "restart", label: "Start the chain again" },
        { action: "start-without", label: "Start without faulty", component: "faulty" }
      ])
      const exited = yield* agent.next("session.exited")
      assert.isFalse(exited.expected)
      // The turn has it.
      assert.isUndefined(exited.problem)
      yield* untilGone(pid)
      yield* begin(agent, [faulty("die", "3")], [])
      assert.strictEqual((yield* play(agent, "t2", says)).outcome, "completed")
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )

  it.live("before the session is there is named as what failed, as is one that can’t be started", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      const failing = (component: ChainComponent) =>
        Effect.map(Effect.flip(begin(agent, [component])), ({ problem }) => problemOf(problem))
      const name = agent.input().provider.name
      const title = `component-ended: The component faulty ended, and the chain in front of ${name} with it.`
      assert.strictEqual(yield* failing(faulty("exit")), `${title} faulty exited with code 3. ${name} was stopped.`)
      assert.include(yield* failing({ command: "/no/such/program", name: "gone" }), "gone could not be started.")
      assert.include(yield* failing({ component: "nothing" }), "There is no component nothing. There are: pass, tee")
      assert.isEmpty(yield* agent.adapter.health)
    }).pipe(Effect.scoped)
  )

  it.live("is not blamed for the end of the agent, whose words are those without a chain", () =>
    Effect.gen(function* () {
      const problems: Array<string> = []
      for (const components of [[], [arrow("first")]]) {
        const agent = yield* scripted()
        yield* begin(agent, components)
        const { problem } = yield* play(agent, "t1", { stderr: "out of memory\n" }, { crash: 3 })
        problems.push(problemOf(problem))
        yield* agent.next("session.exited")
      }
      assert.strictEqual(problems[1], problems[0])
      assert.include(problems[0], "exited with code 3. Its last words: out of memory")
    }).pipe(Effect.scoped)
  )
})
