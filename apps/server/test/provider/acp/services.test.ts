/** What an agent has us do for it, over a real agent process: files, and programs in terminals. */
import { assert, describe, it } from "@effect/vitest"
import type { ToolCall, ToolTerminal } from "@signalbox/contracts/ToolCall"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { link, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { AcpOptions } from "@signalbox/contracts/Provider"
import { groupMembers, type Harness, temporaryFolder, thread, untilGone } from "../../support/AgentHarness.ts"
import { play, scripted } from "../../support/ScriptedAgent.ts"

const granted = Effect.fnUntraced(function* (access: Pick<AcpOptions, "files" | "hardLinks" | "terminals">) {
  const agent = yield* scripted()
  const { acp } = agent.input().providerOptions
  yield* agent.start({ providerOptions: { acp: { ...acp, ...access } } })
  return agent
})

type Ask = readonly [method: string, params: Record<string, unknown>]

const steps = (...asks: ReadonlyArray<Ask>) => asks.map(([method, params]) => ({ request: { method, params } }))

/** Plays the steps in a turn; what the agent was answered, in order. */
const asked = Effect.fnUntraced(function* (agent: Harness, turnId: string, script: ReadonlyArray<object>) {
  yield* play(agent, turnId, ...script)
  return answersIn(agent, turnId)
})

interface Answer {
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string }
}

/** The answers that the scripted agent received. It sends them as text: `METHOD {"jsonrpc":…}`. */
const answersIn = (agent: Harness, turnId: string): ReadonlyArray<Answer> =>
  agent
    .of("message.delta")
    .filter((event) => event.turnId === turnId)
    .map(({ text }) => text)
    .join("")
    .split(/(?=(?:fs|terminal|elicitation)\/[a-z_]+ \{)/)
    .filter((text) => /^(?:fs|terminal|elicitation)\//.test(text))
    .map((text) => JSON.parse(text.slice(text.indexOf(" ") + 1)))

/** The warnings that people see, one a line. */
const notes = (agent: Harness, turnId: string): ReadonlyArray<string> =>
  agent
    .of("runtime.warning")
    .flatMap((event) => (event.turnId === turnId ? [`${event.message} (${event.detail ?? ""})`] : []))

describe("files", () => {
  it.live("[27][93] that the settings do not grant are not offered, and not read", () =>
    Effect.gen(function* () {
      const agent = yield* granted({})
      yield* Effect.promise(() => writeFile(join(agent.folder, "a"), "text"))
      const [read, write, terminal] = yield* asked(
        agent,
        "t1",
        steps(
          ["fs/read_text_file", { path: join(agent.folder, "a") }],
          ["fs/write_text_file", { path: join(agent.folder, "b"), content: "x" }],
          ["terminal/create", { command: "true" }]
        )
      )
      for (const answer of [read, write, terminal]) assert.strictEqual(answer?.error?.code, -32601)
      assert.isFalse(existsSync(join(agent.folder, "b")))
    })
  )

  it.live("[93] are read by line and limit; what can't be read is said in a code of the protocol", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ files: "read" })
      const path = join(agent.folder, "a")
      yield* Effect.promise(() => writeFile(path, "one\ntwo\nthree\n"))
      const [whole, some, beyond, missing, relative, write] = yield* asked(
        agent,
        "t1",
        steps(
          ["fs/read_text_file", { path }],
          ["fs/read_text_file", { path, line: 2, limit: 1 }],
          ["fs/read_text_file", { path, line: 40 }],
          ["fs/read_text_file", { path: `${path}-none` }],
          ["fs/read_text_file", { path: "a" }],
          ["fs/write_text_file", { path, content: "x" }]
        )
      )
      assert.deepStrictEqual(whole?.result, { content: "one\ntwo\nthree\n" })
      assert.deepStrictEqual(some?.result, { content: "two\n" })
      assert.deepStrictEqual(beyond?.result, { content: "" })
      assert.strictEqual(missing?.error?.code, -32002)
      assert.strictEqual(relative?.error?.code, -32602)
      assert.strictEqual(write?.error?.code, -32601)
      assert.strictEqual(readFileSync(path, "utf8"), "one\ntwo\nthree\n")
    })
  )

  it.live("[94][95] are written inside the folder only, and every write is on record", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ files: "write" })
      const { folder } = agent
      const beside = yield* temporaryFolder
      yield* Effect.promise(() => symlink(beside, join(folder, "out")))
      const [written, read, outside, link] = yield* asked(
        agent,
        "t1",
        steps(
          ["fs/write_text_file", { path: join(folder, "new", "a"), content: "ü" }],
          ["fs/read_text_file", { path: join(folder, "new", "a") }],
          ["fs/write_text_file", { path: join(beside, "x"), content: "x" }],
          ["fs/write_text_file", { path: join(folder, "out", "x"), content: "x" }]
        )
      )
      assert.deepStrictEqual(written?.result, {})
      assert.deepStrictEqual(read?.result, { content: "ü" })
      assert.strictEqual(outside?.error?.code, -32602)
      assert.strictEqual(link?.error?.code, -32602)
      assert.isFalse(existsSync(join(beside, "x")))
      yield* asked(agent, "t2", steps(["fs/write_text_file", { path: join(folder, "new", "a"), content: "abc" }]))
      const events = agent.of("file.written").map(({ bytes, created, path, turnId }) => [turnId, path, bytes, created])
      assert.deepStrictEqual(events, [
        ["t1", join(folder, "new", "a"), 2, true],
        ["t2", join(folder, "new", "a"), 3, false]
      ])
      assert.strictEqual(yield* Effect.promise(() => readFile(join(folder, "new", "a"), "utf8")), "abc")
    })
  )
})

describe("protected files", () => {
  it.live("are refused by name to an agent that may write, and nothing is made on the way", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ files: "write" })
      const { folder } = agent
      yield* Effect.promise(() => writeFile(join(folder, ".bashrc"), "export TOKEN=1"))
      const answers = yield* asked(
        agent,
        "t1",
        steps(
          ["fs/read_text_file", { path: join(folder, ".bashrc") }],
          ["fs/write_text_file", { path: join(folder, ".bashrc"), content: "x" }],
          ["fs/write_text_file", { path: join(folder, "new", ".git", "hooks", "pre-commit"), content: "x" }],
          ["fs/write_text_file", { path: join(folder, ".cursor", "mcp.json"), content: "x" }]
        )
      )
      for (const { error } of answers) {
        assert.strictEqual(error?.code, -32602)
        assert.include(error?.message ?? "", "is not given to agents")
      }
      assert.deepStrictEqual(readdirSync(folder), [".bashrc"])
      assert.strictEqual(readFileSync(join(folder, ".bashrc"), "utf8"), "export TOKEN=1")
      assert.deepStrictEqual(agent.of("file.written"), [])
    })
  )

  it.live("and refused programs are reported to people, missing ones are not, and a flood is counted", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ files: "write", terminals: true })
      const path = (name: string) => join(agent.folder, name)
      yield* asked(
        agent,
        "t1",
        steps(
          ["fs/read_text_file", { path: path("none") }],
          ["fs/read_text_file", { path: path(".ssh/id_rsa") }],
          ["fs/write_text_file", { path: path(".git/config"), content: "x" }],
          ["terminal/create", { command: "true", cwd: "/" }]
        )
      )
      const why = (name: string, rest: string) => `(${path(name)} is not given to agents: ${rest}.)`
      assert.deepStrictEqual(notes(agent, "t1"), [
        `Agent asked Signalbox to read a file. It was refused. ${why(".ssh/id_rsa", ".ssh holds keys or passwords")}`,
        `Agent asked Signalbox to write a file. It was refused. ${why(".git/config", ".git belongs to Git, which runs programs that are named there")}`,
        "Agent asked Signalbox to run a program. It was refused. (true: / is outside of the folders of this session.)"
      ])
      const many = Array.from({ length: 200 }, (): Ask => ["fs/read_text_file", { path: `/${"x".repeat(2000)}` }])
      yield* asked(agent, "t2", steps(...many))
      const told = notes(agent, "t2")
      assert.lengthOf(told, 9)
      assert.isTrue(
        told.slice(0, 8).every((row) => row.length < 1200 && row.includes("to read a file. It was refused."))
      )
      assert.include(told[7], "Further refusals of this turn are counted at its end.")
      assert.strictEqual(told[8], "192 further requests for files and programs were refused. ()")
    })
  )

  it.live("a file with two names is refused with that reason, and read where the agent's entry allows it", () =>
    Effect.gen(function* () {
      const beside = yield* temporaryFolder
      yield* Effect.promise(() => writeFile(join(beside, "secret"), "secret"))
      const read = Effect.fnUntraced(function* (access: Parameters<typeof granted>[0]) {
        const agent = yield* granted(access)
        const path = join(agent.folder, "two-names")
        yield* Effect.promise(() => link(join(beside, "secret"), path))
        const ask = steps(["fs/read_text_file", { path }], ["fs/write_text_file", { path, content: "mine" }])
        return { answers: yield* asked(agent, "t1", ask), path }
      })
      const refused = yield* read({ files: "write" })
      for (const { error } of refused.answers) assert.include(error?.message ?? "", "has 2 names (hard links)")
      const allowed = yield* read({ files: "write", hardLinks: "read" })
      assert.deepStrictEqual(
        allowed.answers.map(({ result }) => result),
        [{ content: "secret" }, {}]
      )
      assert.strictEqual(readFileSync(allowed.path, "utf8"), "mine")
      assert.strictEqual(readFileSync(join(beside, "secret"), "utf8"), "secret")
    })
  )
})

/** The terminals in a call's latest event. */
const terminalsOf = (agent: Harness, toolCallId?: string): ReadonlyArray<ToolTerminal> =>
  tools(agent).findLast((tool) => toolCallId === undefined || tool.toolCallId === toolCallId)?.terminals ?? []

const tools = (agent: Harness): ReadonlyArray<ToolCall> =>
  agent.events.flatMap((event) => ("tool" in event ? [event.tool] : []))

/** The first event of a call with such a terminal, whatever type it has. */
const nextWith = (agent: Harness, fits: (terminal: ToolTerminal, turnId: string | undefined) => boolean) => {
  const next = (type: "tool.started" | "tool.updated" | "tool.completed") =>
    agent.next(type, ({ tool, turnId }) => tool.terminals?.some((terminal) => fits(terminal, turnId)) === true)
  return Effect.map(
    Effect.raceAllFirst([next("tool.started"), next("tool.updated"), next("tool.completed")]),
    ({ tool }) => tool
  )
}

const shown = { sessionUpdate: "tool_call", toolCallId: "c1", title: "Run", kind: "execute", status: "in_progress" }
const naming = (terminalId: string) => ({ update: { ...shown, content: [{ type: "terminal", terminalId }] } })

describe("terminals", () => {
  it.live(
    "[96][98][101] run in the session's folder, with what is added to the environment; an end is told by its code",
    () =>
      Effect.gen(function* () {
        const agent = yield* granted({ terminals: true })
        const answers = yield* asked(agent, "t1", [
          ...steps([
            "terminal/create",
            {
              command: "/bin/sh",
              args: ["-c", "pwd; echo $WORD $HOME >&2; exit 3"],
              env: [{ name: "WORD", value: "hello" }]
            }
          ]),
          naming("{terminal:1}"),
          {
            together: [
              steps(["terminal/wait_for_exit", { terminalId: "{terminal:1}" }]),
              steps(["terminal/wait_for_exit", { terminalId: "{terminal:1}" }])
            ]
          },
          ...steps(
            ["terminal/wait_for_exit", { terminalId: "{terminal:1}" }],
            ["terminal/output", { terminalId: "{terminal:1}" }],
            ["terminal/release", { terminalId: "{terminal:1}" }]
          )
        ])
        const output = `${agent.folder}\nhello ${process.env["HOME"] ?? ""}\n`
        const ended = { exitCode: 3, signal: null }
        assert.deepStrictEqual(
          answers.slice(1).map(({ result }) => result),
          [ended, ended, ended, { output, truncated: false, exitStatus: ended }, {}]
        )
        const [terminal] = terminalsOf(agent, "c1")
        assert.deepInclude(terminal, { state: "exited", exitCode: 3, output, truncated: false, cwd: agent.folder })
      })
  )

  it.live("[96][98] are there before their program ends, and have no exit until then; standard input is empty", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      const go = join(agent.folder, "go")
      const script = `cat; echo ready; while [ ! -e ${go} ]; do sleep 0.02; done; echo done`
      const turn = yield* Effect.forkChild(
        asked(agent, "t1", [
          ...steps(["terminal/create", { command: script }], ["terminal/output", { terminalId: "{terminal:1}" }]),
          naming("{terminal:1}"),
          ...steps(["terminal/wait_for_exit", { terminalId: "{terminal:1}" }])
        ])
      )
      // It is shown while it runs.
      yield* nextWith(agent, ({ output, state }) => state === "running" && output === "ready\n")
      assert.strictEqual(terminalsOf(agent, "c1")[0]?.state, "running")
      yield* Effect.promise(() => writeFile(go, ""))
      const [, output, wait] = yield* Fiber.join(turn)
      assert.doesNotHaveAnyKeys(output?.result, ["exitStatus"])
      assert.deepStrictEqual(wait?.result, { exitCode: 0, signal: null })
      const exited = yield* nextWith(agent, ({ state }) => state === "exited")
      assert.strictEqual(exited.terminals?.[0]?.output, "ready\ndone\n")
    })
  )

  it.live("[97] keep the end of what is printed, in whole characters", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      const [, , output] = yield* asked(
        agent,
        "t1",
        steps(
          ["terminal/create", { command: "printf", args: ["a€€€b"], outputByteLimit: 6 }],
          ["terminal/wait_for_exit", { terminalId: "{terminal:1}" }],
          ["terminal/output", { terminalId: "{terminal:1}" }]
        )
      )
      assert.deepInclude(output?.result, { output: "€b", truncated: true })
    })
  )

  it.live(
    "[99][100] that are killed end with all that they have started, and stay readable; released, they are gone",
    () =>
      Effect.gen(function* () {
        const agent = yield* granted({ terminals: true })
        const pids = join(agent.folder, "pids")
        const command = `sleep 600 & echo $$ $! > ${pids}; echo started; wait`
        const untilStarted = { command: `while [ ! -s ${pids} ]; do sleep 0.02; done` }
        const answers = yield* asked(agent, "t1", [
          ...steps(
            ["terminal/create", { command }],
            ["terminal/create", untilStarted],
            ["terminal/wait_for_exit", { terminalId: "{terminal:2}" }]
          ),
          naming("{terminal:1}"),
          ...steps(
            ["terminal/kill", { terminalId: "{terminal:1}" }],
            ["terminal/output", { terminalId: "{terminal:1}" }],
            ["terminal/wait_for_exit", { terminalId: "{terminal:1}" }],
            ["terminal/release", { terminalId: "{terminal:1}" }],
            ["terminal/output", { terminalId: "{terminal:1}" }],
            ["terminal/kill", { terminalId: "{terminal:1}" }],
            ["terminal/release", { terminalId: "{terminal:1}" }],
            ["terminal/wait_for_exit", { terminalId: "none" }]
          )
        ])
        const [killed, output, wait, released, ...gone] = answers.slice(3)
        const ended = { exitCode: null, signal: "SIGTERM" }
        assert.deepStrictEqual([killed?.result, wait?.result, released?.result], [{}, ended, {}])
        assert.deepStrictEqual(output?.result, { output: "started\n", truncated: false, exitStatus: ended })
        for (const answer of gone) assert.strictEqual(answer?.error?.code, -32002)
        const [leader = 0] = readFileSync(pids, "utf8").split(" ").map(Number)
        assert.isAbove(leader, 0)
        yield* untilGone(leader)
        // What it printed stays to be seen.
        assert.deepInclude(terminalsOf(agent, "c1")[0], { state: "exited", signal: "SIGTERM", output: "started\n" })
      })
  )

  it.live("[85] an agent that takes its wait back leaves the program running", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      const go = join(agent.folder, "go")
      const answers = yield* asked(agent, "t1", [
        ...steps(["terminal/create", { command: `while [ ! -e ${go} ]; do sleep 0.02; done; echo done` }]),
        {
          together: [
            steps(["terminal/wait_for_exit", { terminalId: "{terminal:1}" }]),
            // The request before it is the second of this connection: they count from 0.
            [{ notify: { method: "$/cancel_request", params: { requestId: 1 } } }]
          ]
        },
        ...steps(
          ["terminal/output", { terminalId: "{terminal:1}" }],
          ["terminal/create", { command: "touch", args: [go] }],
          ["terminal/wait_for_exit", { terminalId: "{terminal:1}" }]
        )
      ])
      const [, cancelled, output, , wait] = answers
      assert.strictEqual(cancelled?.error?.code, -32800)
      assert.doesNotHaveAnyKeys(output?.result, ["exitStatus"])
      assert.deepStrictEqual(wait?.result, { exitCode: 0, signal: null })
    })
  )

  it.live("[96] are no login: a shell does not run what its owner has set up for one", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      yield* Effect.promise(() => writeFile(join(agent.folder, ".bashrc"), "echo set up"))
      const env = [
        { name: "HOME", value: agent.folder },
        { name: "SHLVL", value: "0" }
      ]
      const answers = yield* asked(
        agent,
        "t1",
        steps(
          ["terminal/create", { command: "bash", args: ["-c", "echo done"], env }],
          ["terminal/wait_for_exit", { terminalId: "{terminal:1}" }],
          ["terminal/output", { terminalId: "{terminal:1}" }]
        )
      )
      assert.strictEqual(answers[2]?.result?.["output"], "done\n")
    })
  )

  it.live("[95][96] run inside the session's folders only; a program that is not there is said to be missing", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      const [outside, missing, relative] = yield* asked(
        agent,
        "t1",
        steps(
          ["terminal/create", { command: "true", cwd: "/" }],
          ["terminal/create", { command: "no-such-program-here" }],
          ["terminal/create", { command: "true", cwd: "src" }]
        )
      )
      assert.strictEqual(outside?.error?.code, -32602)
      assert.strictEqual(missing?.error?.code, -32002)
      assert.include(missing?.error?.message ?? "", "no-such-program-here")
      assert.strictEqual(relative?.error?.code, -32602)
    })
  )

  it.live(
    "[100] of a turn end when it is stopped; what an earlier turn left running goes on until the session ends",
    () =>
      Effect.gen(function* () {
        const agent = yield* granted({ terminals: true })
        const pids = join(agent.folder, "pids")
        const running = { command: `echo $$ >> ${pids}; echo up; sleep 600` }
        yield* play(agent, "t1", ...steps(["terminal/create", running]))
        yield* nextWith(agent, ({ output }) => output === "up\n")
        const turn = yield* Effect.forkChild(
          play(agent, "t2", ...steps(["terminal/create", running]), { waitForCancel: true })
        )
        yield* nextWith(agent, ({ output }, turnId) => turnId === "t2" && output === "up\n")
        yield* agent.adapter.interruptTurn(thread, TurnId.make("t2"))
        assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
        const [first = 0, other = 0] = readFileSync(pids, "utf8").trim().split("\n").map(Number)
        yield* untilGone(other)
        yield* nextWith(agent, ({ signal }, turnId) => turnId === "t2" && signal === "SIGTERM")
        assert.isAbove(groupMembers(first).length, 0)
        yield* agent.adapter.stopSession(thread)
        yield* untilGone(first)
        const ended = yield* nextWith(agent, ({ state }, turnId) => turnId === "t1" && state === "exited")
        const last = tools(agent).findLast(({ toolCallId }) => toolCallId === ended.toolCallId)
        assert.strictEqual(last?.status, "failed")
      })
  )

  it.live("[100] end with an agent that crashes", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      const pid = join(agent.folder, "pid")
      const turn = yield* Effect.forkChild(
        play(
          agent,
          "t1",
          ...steps(
            ["terminal/create", { command: `echo $$ > ${pid}; trap '' TERM; sleep 600` }],
            ["terminal/create", { command: `while [ ! -s ${pid} ]; do sleep 0.02; done` }],
            ["terminal/wait_for_exit", { terminalId: "{terminal:2}" }]
          ),
          naming("{terminal:1}"),
          { crash: "SIGKILL" }
        )
      )
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "failed")
      yield* agent.next("session.exited")
      yield* untilGone(Number(readFileSync(pid, "utf8")))
      assert.deepInclude(terminalsOf(agent, "c1")[0], { state: "exited", signal: "SIGKILL" })
    })
  )

  it.live("[102] a line for a shell is run by one, unless it names a program or has arguments", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      const odd = join(agent.folder, "a program")
      yield* Effect.promise(() => writeFile(odd, "#!/bin/sh\necho odd\n", { mode: 0o755 }))
      const answers = yield* asked(
        agent,
        "t1",
        steps(
          ["terminal/create", { command: "echo a && echo b | tr b c" }],
          ["terminal/wait_for_exit", { terminalId: "{terminal:1}" }],
          ["terminal/output", { terminalId: "{terminal:1}" }],
          ["terminal/create", { command: odd }],
          ["terminal/wait_for_exit", { terminalId: "{terminal:2}" }],
          ["terminal/output", { terminalId: "{terminal:2}" }],
          ["terminal/create", { command: "echo a", args: ["b"] }]
        )
      )
      assert.strictEqual(answers[2]?.result?.["output"], "a\nc\n")
      assert.strictEqual(answers[5]?.result?.["output"], "odd\n")
      assert.strictEqual(answers[6]?.error?.code, -32002)
    })
  )

  it.live("that a call names and that never were are shown as such; one that no call names is a call of its own", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      yield* asked(agent, "t1", [
        naming("never-was"),
        ...steps(
          ["terminal/create", { command: "echo", args: ["seen", "two words"] }],
          ["terminal/wait_for_exit", { terminalId: "{terminal:1}" }],
          ["terminal/release", { terminalId: "{terminal:1}" }]
        )
      ])
      assert.deepStrictEqual(terminalsOf(agent, "c1"), [
        { terminalId: "never-was", state: "missing", output: "", truncated: false }
      ])
      const own = tools(agent).findLast(({ toolCallId }) => toolCallId !== "c1")
      assert.deepInclude(own, { kind: "execute", status: "completed" })
      assert.deepStrictEqual(own?.subject, {
        type: "command",
        command: "echo seen 'two words'",
        cwd: agent.folder
      })
      assert.strictEqual(own?.terminals?.[0]?.output, "seen two words\n")
    })
  )

  it.live("that print without end cost a bounded number of events, each of bounded size", () =>
    Effect.gen(function* () {
      const agent = yield* granted({ terminals: true })
      const began = Date.now()
      yield* asked(agent, "t1", [
        ...steps(["terminal/create", { command: "yes signalbox | head -c 30000000; echo end" }]),
        naming("{terminal:1}"),
        ...steps(["terminal/wait_for_exit", { terminalId: "{terminal:1}" }])
      ])
      const took = Date.now() - began
      const told = tools(agent).filter(({ toolCallId }) => toolCallId === "c1")
      assert.isAtMost(told.length, 6 + took / 100)
      for (const { terminals } of told)
        for (const { output, state } of terminals ?? [])
          assert.isAtMost(output.length, state === "running" ? 8 * 1024 : 1024 * 1024)
      const last = terminalsOf(agent, "c1")[0]
      assert.isTrue(last?.truncated)
      assert.isTrue(last?.output.endsWith("signalbox\nend\n"))
    })
  )
})
