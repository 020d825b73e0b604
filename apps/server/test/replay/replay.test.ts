import { assert, describe, it } from "@effect/vitest"
import { optionOf, type RequestResponse } from "@signalbox/contracts/AgentRequest"
import { TurnId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Replay from "../../src/compose/Replay.ts"
import type { StartSession } from "../../src/provider/Services/ProviderAdapter.ts"
import type { ProviderError } from "../../src/base/ProviderError.ts"
import * as Reel from "../../src/replay/Reel.ts"
import type { Ending } from "../../src/replay/Replay.ts"
import * as TapeFolder from "../../src/tape/TapeFolder.ts"
import { cursorHarness, type Harness, temporaryFolder, thread } from "../support/AgentHarness.ts"
import { play, scripted } from "../support/ScriptedAgent.ts"
import { comparable } from "../support/ComparableEvents.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const replay = Effect.fnUntraced(function* (
  paths: ReadonlyArray<ReadonlyArray<string>>,
  options: Partial<Replay.Options> = {}
) {
  const folder = yield* temporaryFolder
  const events: Array<ProviderRuntimeEvent> = []
  const endings: Array<Ending> = []
  const reel = yield* Effect.promise(() => Reel.load(paths, folder))
  yield* Replay.replay(reel, {
    ...options,
    folder,
    tell: (told) => events.push(...told),
    onEnd: (_, ending) => endings.push(ending)
  }).pipe(Effect.provide(NodeServices.layer))
  return { events, endings, reel }
})

type Recorder = Parameters<typeof cursorHarness>[0] & { readonly start?: Partial<StartSession> }

/** Records what is done with an agent, and returns the paths of the tapes, oldest first. */
const recorded = Effect.fnUntraced(function* (
  act: (agent: Harness) => Effect.Effect<unknown, ProviderError>,
  { start, ...options }: Recorder = {}
) {
  const tapes = yield* temporaryFolder
  const agent = yield* cursorHarness({ ...options, tapes })
  yield* agent.start(start)
  yield* act(agent)
  yield* agent.adapter.stopSession(thread)
  yield* agent.next("session.exited")
  return { agent, paths: (yield* Effect.promise(() => TapeFolder.list(tapes))).map(({ parts }) => parts) }
})

/** Records, replays, and compares what came of it. */
const same = Effect.fnUntraced(function* (
  act: (agent: Harness) => Effect.Effect<unknown, ProviderError>,
  options: Recorder = {}
) {
  const { agent, paths } = yield* recorded(act, options)
  const { endings, events } = yield* replay(paths)
  assert.deepStrictEqual(endings, [{ type: "played" }])
  assert.deepStrictEqual(comparable(events), comparable(agent.events))
  return agent
})

/** Sends a prompt and answers what it asks. */
const answering = (agent: Harness, prompt: string, type: Asking, response: RequestResponse, turnId = "t1") =>
  Effect.gen(function* () {
    const turn = yield* Effect.forkChild(agent.turn(turnId, prompt))
    const asked = yield* agent.next(type, (event) => event.turnId === turnId)
    yield* agent.adapter.respondToRequest(thread, asked.request.requestId, response)
    return yield* Fiber.join(turn)
  })
type Asking = "approval.requested" | "question.requested" | "plan.proposed"

const isOfTurn = (turnId: string) => (event: { readonly turnId?: string }) => event.turnId === turnId

const option = (agent: Harness, kind: string): RequestResponse => {
  const [approval] = agent.of("approval.requested").slice(-1)
  const found = approval?.request.options.find((option) => option.kind === kind)
  if (approval === undefined || found === undefined) throw new Error(`No option of the kind ${kind} was asked for`)
  return optionOf(approval.request, found.optionId)
}

const cancelled = (agent: Harness, prompt: string, until: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const turn = yield* Effect.forkChild(agent.turn("t1", prompt))
    yield* until
    yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
    return yield* Fiber.join(turn)
  })

describe("a tape that is replayed gives the same events", () => {
  it.live("of text and thoughts, over several turns", () =>
    Effect.gen(function* () {
      const agent = yield* same((agent) =>
        Effect.andThen(agent.turn("t1", "[[fake:stream n=40]]"), agent.turn("t2", "Hello – „Welt“ 🌍"))
      )
      assert.strictEqual(agent.of("turn.completed").length, 2)
    })
  )

  it.live("of a session with components, whose chain it shows and does not start", () =>
    Effect.gen(function* () {
      const tapes = yield* temporaryFolder
      const arrow = programOf(new URL("../../../../packages/stand-in-agents/src/arrow/main.ts", import.meta.url))
      const agent = yield* scripted({ initialize: { agentInfo: { name: "scripted", version: "3.2.1" } } }, { tapes })
      const components = [{ command: process.execPath, args: [arrow], name: "first" }, { component: "git" }]
      yield* agent.start({ providerOptions: { ...agent.input().providerOptions, components } })
      yield* play(agent, "t1", { repeat: 5, steps: [{ text: "{i} " }] })
      yield* agent.adapter.stopSession(thread)
      yield* agent.next("session.exited")
      const paths = (yield* Effect.promise(() => TapeFolder.list(tapes))).map(({ parts }) => parts)
      const { endings, events } = yield* replay(paths)
      assert.deepStrictEqual(endings, [{ type: "played" }])
      assert.deepStrictEqual(comparable(events), comparable(agent.events))
      const started = events.find(({ type }) => type === "session.started")
      const chain = started?.type === "session.started" ? started.chain : undefined
      assert.deepStrictEqual(
        chain?.map(({ role }) => role),
        ["component", "component", "bridge", "agent"]
      )
      assert.strictEqual(chain?.at(-1)?.version, "3.2.1")
    })
  )

  it.live("of a prompt that the agent took into its running turn", () =>
    Effect.gen(function* () {
      const tapes = yield* temporaryFolder
      const agent = yield* scripted({ steering: { steps: [{ text: "after" }] } }, { tapes })
      yield* agent.start()
      const turn = yield* Effect.forkChild(play(agent, "t1", { text: "before" }, { waitForCancel: true }))
      yield* agent.next("message.delta")
      const prompt = [{ type: "text" as const, text: "now this" }]
      yield* agent.adapter.steer(thread, { turnId: TurnId.make("t2"), into: TurnId.make("t1"), prompt })
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      yield* Fiber.join(turn)
      yield* agent.adapter.stopSession(thread)
      yield* agent.next("session.exited")
      const paths = (yield* Effect.promise(() => TapeFolder.list(tapes))).map(({ parts }) => parts)
      const { endings, events } = yield* replay(paths)
      assert.deepStrictEqual(endings, [{ type: "played" }])
      assert.deepStrictEqual(comparable(events), comparable(agent.events))
      assert.lengthOf(agent.of("message.completed"), 2)
    })
  )

  it.live("of tools, to-dos, sub-agents and pictures", () =>
    Effect.gen(function* () {
      for (const generation of ["2026.02", "2026.10"] as const) {
        const agent = yield* same(
          (agent) => {
            writeFileSync(join(agent.folder, "a.txt"), "one\ntwo\n")
            const prompts = [
              "read path=a.txt",
              "edit path=a.txt one three",
              "grep two",
              "todos",
              "task",
              "image",
              "mcp s t"
            ]
            return Effect.forEach(prompts, (script, index) => agent.turn(`t${index}`, `[[fake:${script}]]`))
          },
          { generation, quirks: "perm_mode=unrestricted" }
        )
        for (const type of ["tool.completed", "plan.updated", "subagent.updated", "file.generated"] as const)
          assert.isAbove(agent.of(type).length, 0, type)
      }
    })
  )

  it.live("of approvals that were given, refused and withdrawn", () =>
    Effect.gen(function* () {
      const agent = yield* same((agent) =>
        Effect.gen(function* () {
          for (const [index, kind] of ["allow_once", "reject_once"].entries()) {
            const turnId = `t${index + 2}`
            const turn = yield* Effect.forkChild(agent.turn(turnId, "[[fake:shell cmd=pwd]]"))
            const { request } = yield* agent.next("approval.requested", (event) => event.turnId === turnId)
            yield* agent.adapter.respondToRequest(thread, request.requestId, option(agent, kind))
            yield* Fiber.join(turn)
          }
          yield* cancelled(agent, "[[fake:delete path=a.txt]]", agent.next("approval.requested", isOfTurn("t1")))
        })
      )
      const outcomes = agent.of("approval.resolved").map(({ outcome }) => outcome.type)
      assert.deepStrictEqual(outcomes, ["answered", "answered", "cancelled"])
    })
  )

  it.live("of questions and plans, answered in every way", () =>
    Effect.gen(function* () {
      const answers: ReadonlyArray<readonly [string, Asking, RequestResponse]> = [
        ["ask", "question.requested", { type: "answers", answers: [{ questionId: "q1", optionIds: ["casual"] }] }],
        ["ask multi", "question.requested", { type: "skip", reason: "Later" }],
        ["ask", "question.requested", { type: "skip" }],
        ["plan", "plan.proposed", { type: "reject", reason: "Too long" }],
        ["plan", "plan.proposed", { type: "reject" }],
        ["plan", "plan.proposed", { type: "accept" }]
      ]
      yield* same(
        (agent) =>
          Effect.forEach(answers, ([script, type, response], index) =>
            answering(agent, `[[fake:${script}]]`, type, response, `t${index}`)
          ),
        { quirks: "-ask_missing" }
      )
    })
  )

  it.live("of a turn that was stopped, at once, slowly, and in the middle of its text", () =>
    Effect.gen(function* () {
      yield* same((agent) => cancelled(agent, "[[fake:hang]]", agent.next("thought.delta")))
      yield* same((agent) => cancelled(agent, "[[fake:hang]]", agent.next("thought.delta")), {
        quirks: "cancel_slow=1500,cancel_late_updates",
        env: { FAKE_CURSOR_TIME_SCALE: "1" }
      })
      yield* same((agent) => cancelled(agent, "[[fake:stream n=100000]]", agent.next("message.delta")))
    })
  )

  it.live("of an agent that did not stop and was ended", () =>
    Effect.gen(function* () {
      const { agent, paths } = yield* recorded(
        (agent) =>
          Effect.gen(function* () {
            const { providerSessionId } = yield* agent.next("session.started")
            yield* cancelled(agent, "[[fake:hang]]", agent.next("thought.delta"))
            yield* agent.next("session.started", (event) => event.providerSessionId !== providerSessionId)
            yield* agent.turn("t2", "Are you there?")
          }),
        { quirks: "cancel_notification_ignored", timing: { cancelGrace: Duration.millis(400) } }
      )
      assert.strictEqual(paths.length, 2)
      const began = performance.now()
      const { endings, events } = yield* replay(paths)
      assert.deepStrictEqual(endings, [{ type: "played" }, { type: "played" }])
      assert.deepStrictEqual(comparable(events), comparable(agent.events))
      assert.strictEqual(events.filter(({ type }) => type === "session.started").length, 2)
      assert.isBelow(performance.now() - began, 45_000)
    })
  )

  it.live("of an agent that ended by itself, by exit code and by signal, with its last words", () =>
    Effect.gen(function* () {
      for (const how of ["crash code=3", "crash code=signal"]) {
        const agent = yield* same((agent) => agent.turn("t1", `[[fake:echo]] [[fake:${how}]]`))
        assert.strictEqual(agent.of("turn.completed")[0]?.problem?.code, "agent-exited")
        assert.strictEqual(agent.of("session.exited")[0]?.expected, false)
      }
    })
  )

  it.live("of a session that was taken up, with what is known of it and what is not", () =>
    Effect.gen(function* () {
      const state = yield* temporaryFolder
      const before = yield* recorded(
        (agent) => Effect.andThen(agent.turn("t1", "first   words"), agent.turn("t2", "second words")),
        { state }
      )
      const resume = before.agent.of("session.started")[0]?.resumeToken
      assert.isDefined(resume)
      for (const knownPrompts of [["first words"], ["first words", "second words"], []]) {
        const agent = yield* same((agent) => agent.turn("t3", "third words"), {
          state,
          start: { resume, knownPrompts }
        })
        assert.strictEqual(agent.of("session.started")[0]?.origin, "loaded")
      }
      const gone = yield* same((agent) => agent.turn("t3", "third words"), {
        start: { resume, knownPrompts: ["first words"] }
      })
      assert.strictEqual(gone.of("session.started")[0]?.origin, "replaced")
    })
  )

  it.live("of settings, those of the start and those that were changed", () =>
    Effect.gen(function* () {
      const agent = yield* same(
        (agent) => Effect.andThen(agent.set("mode", "plan"), agent.turn("t1", "[[fake:mode agent]]")),
        { start: { settings: { mode: "ask", gone: "x" } } }
      )
      assert.strictEqual(agent.of("session.configured")[0]?.skipped.length, 1)
    })
  )

  it.live("of errors and of what is not the protocol", () =>
    Effect.gen(function* () {
      const agent = yield* same(
        (agent) =>
          Effect.forEach(["error kind=usage", "rpcerror", "echo"], (script, index) =>
            agent.turn(`t${index}`, `[[fake:${script}]]`)
          ),
        { quirks: "stdout_noise,unknown_update,split_writes,-usage_never,no_title" }
      )
      assert.isAbove(agent.of("protocol.unknown").length, 0)
    })
  )
})

/** A tape with other lines: its own ones, each as it is parsed. */
const changed = Effect.fnUntraced(function* (
  paths: ReadonlyArray<ReadonlyArray<string>>,
  change: (lines: ReadonlyArray<Entry>) => ReadonlyArray<unknown>
) {
  const lines = readFileSync(paths[0]?.[0] ?? "", "utf8")
    .trimEnd()
    .split("\n")
  const path = join(yield* temporaryFolder, "changed.ndjson")
  const text = change(lines.map((line): Entry => JSON.parse(line))).map((entry) =>
    typeof entry === "string" ? entry : `${JSON.stringify(entry)}\n`
  )
  writeFileSync(path, text.join(""))
  return [[path]]
})
interface Entry {
  readonly at: number
  readonly dir: string
  readonly line: { readonly method?: string; readonly event?: string; readonly [key: string]: unknown }
}

const methodIs = (method: string) => (entry: Entry) => entry.line.method === method

describe("a replay", () => {
  it.live("of a tape that was cut off gives what is there, and says where it ends", () =>
    Effect.gen(function* () {
      const { agent, paths } = yield* recorded((agent) => agent.turn("t1", "[[fake:read path=a]] [[fake:echo]]"))
      const whole = comparable(agent.events)
      const cuts: ReadonlyArray<readonly [(lines: ReadonlyArray<Entry>) => ReadonlyArray<unknown>, RegExp]> = [
        [(lines) => lines.slice(0, -1), /^It ends after line \d+, and not with the end of its session/],
        [(lines) => [...lines.slice(0, -4), '{"at":1,"di'], /^The tape ends in the middle of line \d+/],
        [(lines) => [...lines.slice(0, -4), "no line of a tape\n", ...lines.slice(-3)], /^Line \d+ is damaged/]
      ]
      for (const [change, reason] of cuts) {
        const { endings, events } = yield* replay(yield* changed(paths, change))
        assert.strictEqual(endings.length, 1)
        assert.match(endings[0]?.type === "short" ? endings[0].reason : "", reason)
        const got = comparable(events)
        const isWholeText = events.at(-1)?.type !== "message.delta"
        const upTo = isWholeText ? got.length : got.length - 1
        assert.isAbove(upTo, 5)
        assert.deepStrictEqual(got.slice(0, upTo), whole.slice(0, upTo))
        assert.isBelow(got.length, whole.length)
      }
    })
  )

  it.live("says what Signalbox said where the tape has something else", () =>
    Effect.gen(function* () {
      const { paths } = yield* recorded((agent) => agent.turn("t1", "[[fake:todos]]"))
      const isAnswer = ({ dir, line }: Entry) => dir === "out" && JSON.stringify(line).includes('"accepted"')
      const other = yield* changed(paths, (lines) =>
        lines.map((entry) =>
          isAnswer(entry) ? { ...entry, line: { ...entry.line, result: "something else" } } : entry
        )
      )
      const { endings } = yield* replay(other)
      const [ending] = endings
      assert.strictEqual(ending?.type, "diverged")
      if (ending?.type !== "diverged") return
      assert.deepInclude(ending.expected?.message, { result: "something else" })
      assert.include(ending.said, '"accepted"')
    })
  )

  it.live("says what Signalbox left unsaid", () =>
    Effect.gen(function* () {
      const { paths } = yield* recorded((agent) => agent.turn("t1", "Hello"))
      const more = yield* changed(paths, (lines) =>
        lines.toSpliced(-1, 0, { at: lines.at(-1)?.at ?? 0, dir: "out", line: { method: "session/never" } })
      )
      const { endings } = yield* replay(more, { patience: "3 seconds" })
      const [ending] = endings
      assert.strictEqual(ending?.type === "silent" && ending.expected?.place.line, linesIn(more) - 1)
    })
  )

  it.live("says which answer of people was not taken", () =>
    Effect.gen(function* () {
      const { paths } = yield* recorded((agent) =>
        Effect.gen(function* () {
          const turn = yield* Effect.forkChild(agent.turn("t1", "[[fake:shell cmd=pwd]]"))
          const { request } = yield* agent.next("approval.requested")
          yield* agent.adapter.respondToRequest(thread, request.requestId, option(agent, "allow_once"))
          yield* Fiber.join(turn)
        })
      )
      const other = yield* changed(paths, (lines) =>
        lines.map((entry) =>
          entry.dir === "out" && JSON.stringify(entry).includes('"optionId"')
            ? { ...entry, line: { ...entry.line, result: { outcome: { outcome: "selected", optionId: "no such" } } } }
            : entry
        )
      )
      const [ending] = (yield* replay(other)).endings
      assert.strictEqual(ending?.type === "refused" && ending.problem.code, "option-unknown")
    })
  )

  it.live("of a start that failed fails in the same way", () =>
    Effect.gen(function* () {
      const tapes = yield* temporaryFolder
      const agent = yield* cursorHarness({ tapes, env: { FAKE_CURSOR_AUTH: "none" } })
      const { problem } = yield* Effect.flip(agent.start())
      const paths = (yield* Effect.promise(() => TapeFolder.list(tapes))).map(({ parts }) => parts)
      const { endings, events } = yield* replay(paths)
      assert.deepStrictEqual(endings, [{ type: "unstarted", problem, onTape: false }])
      assert.deepStrictEqual(events, [])
    })
  )

  it.live("waits for what timed out then no longer than it takes to say so", () =>
    Effect.gen(function* () {
      const tapes = yield* temporaryFolder
      const agent = yield* cursorHarness({
        tapes,
        quirks: "hang_new",
        // The calls before it have to be answered in this time, also on a busy machine.
        timing: { start: Duration.seconds(5) }
      })
      yield* Effect.flip(agent.start())
      const paths = (yield* Effect.promise(() => TapeFolder.list(tapes))).map(({ parts }) => parts)
      // Adds a minute before the request is cancelled.
      const slow = yield* changed(paths, (lines) =>
        lines.map((entry) => (methodIs("$/cancel_request")(entry) ? { ...entry, at: entry.at + 60_000 } : entry))
      )
      const began = performance.now()
      const { endings } = yield* replay(slow)
      assert.strictEqual(endings[0]?.type === "unstarted" && endings[0].problem.code, "agent-start-timeout")
      // The pause that is on the tape would take a minute.
      assert.isBelow(performance.now() - began, 45_000)
    })
  )

  it.live("has the times of the tape, and the process of then", () =>
    Effect.gen(function* () {
      const { agent, paths } = yield* recorded((agent) => agent.turn("t1", "[[fake:read path=a]]"))
      const { events } = yield* replay(paths)
      const [then] = agent.of("session.started")
      assert.strictEqual(events[0]?.type === "session.started" && events[0].pid, then?.pid)
      const entries = readFileSync(paths[0]?.[0] ?? "", "utf8")
        .trimEnd()
        .split("\n")
        .map((line): Entry => JSON.parse(line))
      const [began, ended] = [entries[0]?.at ?? 0, entries.at(-1)?.at ?? 0]
      for (const { at, tapeLine } of events) {
        assert.isTrue(at >= began && at <= ended)
        if (tapeLine !== undefined) assert.strictEqual(at, entries[tapeLine - 1]?.at)
      }
    })
  )
})

const linesIn = (paths: ReadonlyArray<ReadonlyArray<string>>): number =>
  readFileSync(paths[0]?.[0] ?? "", "utf8")
    .trimEnd()
    .split("\n").length
