/** Terminals of agents, reported in `_meta` of tool calls (codex, pi). */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken, TurnId } from "@signalbox/contracts/Ids"
import type { ToolCall, ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { Step } from "@signalbox/stand-in-agents/scripted/Script"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AgentTerminals from "../../src/provider/acp/projection/AgentTerminals.ts"
import * as SessionProjection from "../../src/provider/acp/projection/SessionProjection.ts"
import * as TapeFolder from "../../src/tape/TapeFolder.ts"
import * as TerminalProjection from "../../src/provider/acp/projection/TerminalProjection.ts"
import { eventsOf, play as run } from "../cli/support/Runs.ts"
import { call as signalbox } from "../cli/support/Signalbox.ts"
import { temporaryFolder, thread } from "../support/AgentHarness.ts"
import { call, change, projection, type ProjectionHarness } from "../support/ProjectionHarness.ts"
import { play, scripted } from "../support/ScriptedAgent.ts"
import { codexShell } from "./scenarios/codex-shell.ts"
import { piShell } from "./scenarios/pi-shell.ts"

const updates = (steps: ReadonlyArray<Step>): ReadonlyArray<object> =>
  steps.flatMap(({ on, update }) => [...(update ? [update] : []), ...updates(on?.["allow_once"] ?? [])])

/** Each call in its latest form. */
const callsOf = (session: ProjectionHarness): ReadonlyMap<string, ToolCall> =>
  new Map(session.events.flatMap((event) => ("tool" in event ? [[event.tool.toolCallId, event.tool]] : [])))
const terminalsOf = (session: ProjectionHarness, toolCallId = "a"): ReadonlyArray<ToolTerminal> =>
  callsOf(session).get(toolCallId)?.terminals ?? []

const begun = () => {
  const session = projection()
  session.begin("t1")
  return session
}
const named = (terminalId: string) => ({ content: [{ type: "terminal", terminalId }] })
const info = (terminal_id: string, cwd = "/ws") => ({ terminal_info: { terminal_id, cwd } })
const printed = (terminal_id: string, data: string) => ({ terminal_output: { terminal_id, data } })
const exited = (terminal_id: string, exit_code: number | null, signal: string | null = null) => ({
  terminal_exit: { terminal_id, exit_code, signal }
})
const told = (_meta: object, more: object = {}) => change("a", { _meta, ...more })

describe("a terminal of the agent's own", () => {
  it("of codex is shown in its call with folder, output and exit code, under the title of the command", () => {
    const session = begun()
    session.feed(...updates(codexShell("/ws")))
    const [tool] = callsOf(session).values()
    assert.deepInclude(tool, { title: "echo hi", status: "completed" })
    assert.deepStrictEqual(tool?.terminals, [
      { terminalId: "call_fake000019", state: "exited", cwd: "/ws", output: "hi\n", truncated: false, exitCode: 0 }
    ])
  })

  it("of pi is shown with all pieces that were printed", () => {
    const session = begun()
    session.feed(...updates(piShell("/ws", { pieces: ["one\n", "two\n", "two\n"], code: 3 })))
    const [tool] = callsOf(session).values()
    assert.strictEqual(tool?.status, "completed")
    assert.deepInclude(tool?.terminals?.[0], { state: "exited", output: "one\ntwo\ntwo\n", exitCode: 3 })
  })

  it("is only announced until it prints, prints until it ends, and goes on from there when more comes late", () => {
    const session = begun()
    session.feed(call("a", { ...named("x"), _meta: info("x") }))
    assert.deepInclude(terminalsOf(session)[0], { state: "unknown", output: "", cwd: "/ws" })
    session.feed(told(printed("x", "1")))
    assert.deepInclude(terminalsOf(session)[0], { state: "running", output: "1" })
    session.feed(told(exited("x", null, "SIGKILL")), told(printed("x", "2")), change("a", { status: "completed" }))
    session.step(() => AgentTerminals.settle(session.state))
    assert.deepInclude(terminalsOf(session)[0], { state: "exited", output: "12", signal: "SIGKILL" })
    assert.notProperty(terminalsOf(session)[0], "exitCode")
  })

  it("is whole in a call that ends, with what it printed after its own end and for other calls", () => {
    const session = begun()
    session.feed(call("a", { ...named("x"), _meta: info("x") }), call("b", named("x")), told(printed("x", "1")))
    session.feed(told(exited("x", 0)), told(printed("x", "2")), change("b", { status: "completed" }))
    session.feed(told(printed("x", "3"), { status: "completed" }))
    const ended = session.of("tool.completed").map(({ tool }) => [tool.toolCallId, tool.terminals?.[0]?.output])
    assert.deepStrictEqual(ended, [
      ["b", "12"],
      ["a", "123"]
    ])
  })

  it("changes in a bounded number of the calls that name it", () => {
    const session = begun()
    session.feed(call("a", { ...named("x"), _meta: info("x") }), told(printed("x", "1")))
    for (let index = 0; index < 1000; index += 1) session.feed(call(`b${index}`, named("x")))
    const before = session.events.length
    session.feed(call("last", { ...named("x"), _meta: printed("x", "2") }))
    assert.isBelow(session.events.length - before, 100)
    assert.strictEqual(terminalsOf(session, "last")[0]?.output, "12")
    assert.strictEqual(terminalsOf(session, "b999")[0]?.output, "12")
  })

  it("whose end is never reported is not called running when its call or turn is over", () => {
    const session = begun()
    session.feed(call("a", { _meta: info("x") }), told(printed("x", "a")), change("a", { status: "completed" }))
    session.feed(call("b", { _meta: info("y") }), change("b", { _meta: printed("y", "b") }))
    session.end()
    assert.deepInclude(terminalsOf(session)[0], { state: "unknown", output: "a" })
    assert.deepInclude(terminalsOf(session, "b")[0], { state: "unknown", output: "b" })
    assert.strictEqual(callsOf(session).get("b")?.status, "unfinished")
  })

  it("is shown whether its call names it before, later or never", () => {
    const session = begun()
    session.feed(call("a"), told(printed("x", "1")), change("a", named("x")), told(printed("x", "2")))
    session.feed(call("b"), change("b", { _meta: printed("y", "never"), status: "completed" }))
    session.end()
    assert.deepStrictEqual(
      terminalsOf(session).map(({ output }) => output),
      ["12"]
    )
    assert.deepStrictEqual(
      terminalsOf(session, "b").map(({ output }) => output),
      ["never"]
    )
  })

  it("goes on to be shown when the clock is set back", () => {
    const session = begun()
    session.feed(call("a", named("T")), told(printed("T", "one ")))
    session.feed(told(printed("T", "two")))
    assert.strictEqual(terminalsOf(session)[0]?.output, "one ", "it is looked at a few times a second")
    session.step(() => {
      session.state.sink.at -= 3_600_000
      AgentTerminals.look(session.state)
    })
    assert.strictEqual(terminalsOf(session)[0]?.output, "one two")
  })

  it("is the only one of its call where the agent does not say which", () => {
    const session = begun()
    session.feed(
      call("a", named("x")),
      told({ terminal_output_delta: { data: "1" } }),
      change("a", { status: "failed" })
    )
    assert.deepStrictEqual(
      terminalsOf(session).map(({ output, terminalId }) => [terminalId, output]),
      [["x", "1"]]
    )
  })

  it("stands apart from another one in the same call", () => {
    const session = begun()
    session.feed(
      call("a", { content: [...named("x").content, ...named("y").content] }),
      told({ ...printed("x", "to x"), ...exited("y", 2) }),
      told(exited("x", 0), { status: "completed" })
    )
    assert.deepStrictEqual(
      terminalsOf(session).map(({ exitCode, output, terminalId }) => [terminalId, output, exitCode]),
      [
        ["x", "to x", 0],
        ["y", "", 2]
      ]
    )
  })

  it("is shown in every call that names it, and is another one if a later call uses its id again", () => {
    const session = begun()
    session.feed(
      call("a", { ...named("1"), _meta: info("1") }),
      call("b", named("1")),
      change("b", { _meta: printed("1", "seen twice") }),
      told(exited("1", 0), { status: "completed" }),
      call("c", { ...named("1"), _meta: { ...info("1", "/else"), ...printed("1", "new") } }),
      change("c", { _meta: exited("1", 1), status: "completed" }),
      call("d", named("1")),
      change("d", { _meta: printed("1", "newer"), status: "completed" }),
      call("e", { ...named("1"), _meta: info("1") }),
      change("e", { _meta: printed("1", "newest") })
    )
    assert.deepInclude(terminalsOf(session, "a")[0], { output: "seen twice", exitCode: 0 })
    assert.deepInclude(terminalsOf(session, "b")[0], { output: "seen twice", exitCode: 0 })
    assert.deepInclude(terminalsOf(session, "c")[0], { output: "new", cwd: "/else", exitCode: 1 })
    assert.deepInclude(terminalsOf(session, "d")[0], { output: "newer", state: "unknown" })
    assert.deepInclude(terminalsOf(session, "e")[0], { output: "newest", state: "running" })
  })

  it("never takes the place of one that runs here", () => {
    const session = begun()
    const ours: ToolTerminal = { terminalId: "x", state: "running", command: "ls", output: "ours", truncated: false }
    session.step(() => TerminalProjection.show(session.state, ours))
    session.feed(call("a", named("x")), told({ ...printed("x", "forged"), ...exited("x", 0) }))
    assert.deepStrictEqual(terminalsOf(session), [ours])
  })

  it("prints once if one piece is sent to clients of two generations", () => {
    const session = begun()
    const piece = { data: "hi", terminal_id: "x" }
    session.feed(call("a", named("x")), told({ terminal_output: piece, terminal_output_delta: piece }))
    assert.strictEqual(terminalsOf(session)[0]?.output, "hi")
  })

  it("keeps characters whole whose halves come in two pieces", () => {
    const session = begun()
    session.feed(call("a", named("x")), told(printed("x", "a\ud83d")), told(printed("x", "\ude00b")))
    session.end()
    assert.strictEqual(terminalsOf(session)[0]?.output, "a😀b")
  })

  it("that is sent in forms that are not known is reported, and nothing else of the update is lost", () => {
    const forms: ReadonlyArray<object> = [
      { terminal_output: "hi" },
      { terminal_output: { terminal_id: 5, data: "hi" } },
      { terminal_output: { terminal_id: "x", data: ["hi"] } },
      { terminal_exit: [1] },
      { terminal_info: 0 }
    ]
    for (const form of forms) {
      const session = begun()
      session.feed(call("a"), told(form, { status: "completed" }))
      assert.include(session.of("protocol.unknown")[0]?.reason, "terminal")
      assert.deepInclude(callsOf(session).get("a"), { status: "completed" })
      assert.deepStrictEqual(terminalsOf(session), [])
    }
    const session = begun()
    session.feed(call("a", named("x")), told({ terminal_info: null, terminal_exit: { exit_code: "1", signal: 9 } }))
    assert.deepInclude(terminalsOf(session)[0], { state: "exited" })
    assert.notProperty(terminalsOf(session)[0], "exitCode")
    assert.deepStrictEqual(session.of("protocol.unknown"), [])
    for (const signal of ["S".repeat(33), "a\nb", "\u202eLIK"]) {
      session.feed(call(signal), change(signal, { _meta: exited("y", null, signal), status: "completed" }))
      assert.deepInclude(terminalsOf(session, signal)[0], { state: "exited" })
      assert.notProperty(terminalsOf(session, signal)[0], "signal")
    }
  })

  it("of which nothing is sent is neither an error nor a reason to call the call wrong", () => {
    const session = begun()
    session.feed(call("a", named("x")), change("a", { status: "completed" }))
    assert.deepStrictEqual(terminalsOf(session), [{ terminalId: "x", state: "missing", output: "", truncated: false }])
  })

  it("that a person has refused shows no run, unless it printed or ended all the same", () => {
    const refusedWith = (meta: object) => {
      const session = begun()
      session.feed(call("a", { ...named("x"), _meta: info("x") }))
      session.step(() => SessionProjection.decided(session.state, "a", "refused"))
      session.feed(told(meta, { status: "completed" }))
      return callsOf(session).get("a")?.status
    }
    assert.strictEqual(refusedWith({}), "rejected")
    assert.strictEqual(refusedWith(printed("x", "done")), "completed")
    assert.strictEqual(refusedWith(exited("x", 0)), "completed")
  })

  const id = Schema.Literals(["x", "y", "a", "", "none", "wrong"])
  const frame = Schema.Struct({
    call: Schema.Literals(["a", "b"]),
    announced: Schema.Boolean,
    status: Schema.Literals(["none", "in_progress", "completed", "failed"]),
    names: Schema.Array(Schema.Literals(["x", "y", "nobody's"])),
    info: id,
    output: id,
    delta: id,
    exit: id,
    event: Schema.Literals(["none", "turn", "settle"])
  })
  const member = (name: string, terminal_id: string, more: object) =>
    terminal_id === "none" ? {} : { [name]: terminal_id === "wrong" ? [terminal_id] : { terminal_id, ...more } }

  it.prop(
    "shows every piece once and in order, in any order of frames",
    { frames: Arbitrary.array(Arbitrary.schema(frame), { maxLength: 30 }) },
    ({ frames }) => {
      const session = begun()
      let turns = 1
      for (const [
        at,
        { announced, call: toolCallId, delta, event, exit, info, names, output, status }
      ] of frames.entries()) {
        const piece = { data: `<${at}>` }
        const more = {
          ...(status !== "none" && { status }),
          ...(names.length > 0 && { content: names.map((terminalId) => ({ type: "terminal", terminalId })) }),
          _meta: {
            ...member("terminal_info", info, { cwd: "/ws" }),
            ...member("terminal_output", output, piece),
            ...member("terminal_output_delta", delta, piece),
            ...member("terminal_exit", exit, { exit_code: at })
          }
        }
        session.feed(announced ? call(toolCallId, more) : change(toolCallId, more))
        if (event === "settle") session.step(() => AgentTerminals.settle(session.state))
        if (event === "turn") {
          session.end()
          session.begin(`t${++turns}`)
        }
      }
      session.end()
      const shown = session.events.flatMap((event) => ("tool" in event ? (event.tool.terminals ?? []) : []))
      for (const { output } of shown) {
        const pieces = [...output.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number))
        assert.strictEqual(pieces.map((number) => `<${number}>`).join(""), output)
        assert.deepStrictEqual(
          pieces,
          [...new Set(pieces)].toSorted((one, other) => one - other)
        )
      }
      const seen = new Set(shown.flatMap(({ output }) => output.split(/(?<=>)/).filter((piece) => piece !== "")))
      const sent = frames.flatMap(({ delta, output }, at) =>
        [delta, output].some((id) => id !== "none" && id !== "wrong") ? [`<${at}>`] : []
      )
      assert.deepStrictEqual([...seen].toSorted(), sent.toSorted())
      for (const [, tool] of callsOf(session))
        assert.isFalse(tool.terminals?.some(({ state }) => state === "running") ?? false)
    }
  )

  it("is kept within bounds, whatever it prints and however many there are", () => {
    const session = begun()
    const began = process.cpuUsage()
    const line = `${"x".repeat(999)}\n`
    session.feed(call("a", named("x")))
    for (let round = 0; round < 3000; round++) session.feed(told(printed("x", line)))
    const running = session.events.length
    assert.isBelow(running, 60)
    assert.isAtMost(terminalsOf(session)[0]?.output.length ?? 0, 8 * 1024)
    session.feed(change("a", { status: "completed" }))
    assert.deepInclude(terminalsOf(session)[0], { truncated: true })
    assert.isAtMost(terminalsOf(session)[0]?.output.length ?? 0, 1024 * 1024)
    assert.isAbove(terminalsOf(session)[0]?.output.length ?? 0, 1000 * 1024)
    // A piece after the end is stored without a copy of the text before it.
    for (let round = 0; round < 2000; round++) session.feed(told({ ...printed("x", "."), ...exited("x", round) }))
    session.feed(call("b"))
    for (let index = 0; index < 3000; index++) session.feed(change("b", { _meta: printed(`t${index}`, "x") }))
    session.end()
    assert.strictEqual(terminalsOf(session, "b").length, 32)
    assert.include(session.of("protocol.unknown")[0]?.reason, "more than 32")
    assert.isBelow(process.cpuUsage(began).user / 1e6, 20)
  })

  it.live("is shown in a history that the agent sends again", () =>
    Effect.gen(function* () {
      const replay = [{ user: "Say hi" }, ...updates(codexShell("/ws", { code: 2 })).map((update) => ({ update }))]
      const agent = yield* scripted({ load: { replay } })
      const { resumeToken } = yield* agent.start()
      yield* agent.adapter.stopSession(thread)
      yield* agent.start({ resume: resumeToken, knownPrompts: [] })
      const { items } = yield* Effect.orDie(agent.adapter.readThread(thread))
      const tool = items.find((item) => item.type === "tool")?.tool
      assert.deepInclude(tool?.terminals?.[0], { output: "hi\n", exitCode: 2, cwd: "/ws" })
      assert.deepInclude(tool, { status: "completed", title: "echo hi" })
    })
  )

  it.live("is shown in a session of the agent's that is opened as a thread", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ load: { replay: [{ user: "Say hi" }, ...piShell("/ws")] } })
      yield* agent.start({ from: { type: "import", sessionId: ResumeToken.make("theirs") } })
      const { replayed, tool } = yield* agent.next("tool.completed")
      assert.isTrue(replayed)
      assert.deepInclude(tool.terminals?.[0], { state: "exited", output: "hi\n", exitCode: 0 })
    })
  )

  it.live("is shown in a tape that is replayed", () =>
    Effect.gen(function* () {
      const tapes = yield* temporaryFolder
      const agent = yield* scripted({}, { tapes })
      yield* agent.start()
      yield* play(agent, "t1", ...piShell("/ws", { pieces: ["one\n", "two\n"], code: 1 }))
      yield* agent.adapter.stopSession(thread)
      yield* agent.next("session.exited")
      const [tape] = yield* Effect.promise(() => TapeFolder.list(tapes))
      const told = yield* signalbox(["replay", "--json", ...(tape?.parts ?? [])])
      assert.strictEqual(told.code, 0, told.stderr)
      const tool = eventsOf(told).findLast((event) => "tool" in event)?.tool
      assert.deepStrictEqual(tool?.terminals, agent.of("tool.completed")[0]?.tool.terminals)
      assert.deepInclude(tool?.terminals?.[0], { output: "one\ntwo\n", exitCode: 1 })
    })
  )

  it.live("is shown as far as it has printed while nothing more comes", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const [announced, ...rest] = piShell("/ws", { pieces: ["first\n", "second\n", "third\n"] })
      const all = "first\nsecond\nthird\n"
      yield* Effect.forkChild(play(agent, "t1", announced!, ...rest.slice(0, -1), { waitForCancel: true }))
      const { tool } = yield* agent.next("tool.updated", ({ tool }) => tool.terminals?.[0]?.output === all)
      assert.strictEqual(tool.terminals?.[0]?.state, "running")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      const { tool: left } = yield* agent.next("tool.completed")
      assert.deepInclude(left.terminals?.[0], { state: "unknown", output: all })
    })
  )

  it.live("is printed by `signalbox run` with its folder, its output and its exit code", () =>
    Effect.gen(function* () {
      const codex = codexShell("/ws", { code: 3, output: "line one\nline two\n" })
      const pi = piShell("/ws", { command: "echo pi", pieces: ["from ", "pi\n"] })
      const ended = yield* signalbox(run([...codex, ...pi], "--approve", "allow"))
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.match(ended.stderr, /✓ \$ echo hi · in \/ws · exit 3\n {4}│ line one\n {4}│ line two\n/)
      assert.match(ended.stderr, /✓ echo pi · in \/ws · exit 0\n {4}│ from pi\n/)
      assert.notInclude(ended.stderr, "exec_command")
    })
  )
})
