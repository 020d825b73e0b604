/** Sessions that are opened again, by agents that send their history in different ways. */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as ReplayFilter from "../../src/provider/acp/projection/ReplayFilter.ts"
import * as History from "../../src/provider/acp/projection/History.ts"
import { call } from "../cli/support/Signalbox.ts"
import { play as run } from "../cli/support/Runs.ts"
import { cost } from "../support/Cost.ts"
import { projection, said, text } from "../support/ProjectionHarness.ts"
import { play, scripted, seen } from "../support/ScriptedAgent.ts"
import { claudeHistory } from "./scenarios/claude-history.ts"
import { clineHistory } from "./scenarios/cline-history.ts"
import { copilotHistory } from "./scenarios/copilot-history.ts"
import { geminiHistory } from "./scenarios/gemini-history.ts"
import { opencodeFork } from "./scenarios/opencode-fork.ts"
import { qwenHistory } from "./scenarios/qwen-history.ts"

const resume = ResumeToken.make("old")
const [list, remove, show, which] = ["List the files", "Delete them all", "No, show me the first", "Which are they?"]

/** More than a busy machine takes between an answer and the history behind it. */
const patient = { timing: { silence: Duration.seconds(1), noHistory: Duration.seconds(1) } }

const agents = [
  ["gemini", geminiHistory, [list, which]],
  ["copilot", copilotHistory, [list, remove, show]],
  ["cline", clineHistory, [list, remove, show]],
  ["qwen", qwenHistory, [list, show]],
  ["claude", claudeHistory, [list, remove, show]]
] as const

describe("a session whose history its agent tells again", () => {
  it.live.each(agents)("shows nothing twice: %s", ([, setup, knownPrompts]) =>
    Effect.gen(function* () {
      const agent = yield* scripted(setup)
      yield* agent.start({ resume, knownPrompts })
      yield* play(agent, "t1", { text: "New." })
      assert.deepEqual(yield* seen(agent), ["session loaded", "says: New."])
    })
  )

  it.live.each(agents)("shows what was asked elsewhere meanwhile, marked as old: %s", ([, setup, prompts]) =>
    Effect.gen(function* () {
      const agent = yield* scripted(setup)
      yield* agent.start({ resume, knownPrompts: prompts.slice(0, 1) })
      yield* play(agent, "t1", { text: "New." })
      const [first, ...rest] = yield* seen(agent)
      assert.deepEqual([first, rest.at(-1)], ["session loaded", "says: New."])
      const old = rest.slice(0, -1)
      assert.isTrue(old.every((entry) => entry.startsWith("earlier: ")))
      assert.notInclude(old.join("\n"), "There are two.")
      assert.include(old.at(-1), setup === geminiHistory ? "One and another." : "It holds a 1.")
    })
  )

  it.live("brings in what its agent sends before and behind the answer, and no word of a machine as a person's", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(geminiHistory)
      yield* agent.start({ from: { type: "import", sessionId: resume } })
      assert.deepEqual(yield* seen(agent), [
        "session loaded",
        "earlier: prompt: List the files",
        "earlier: thinks: **Listing**\nhm",
        "earlier: tool Shell: completed",
        "earlier: says: There are two.",
        "earlier: prompt: Which are they?",
        "earlier: says: One and another."
      ])
      yield* play(agent, "t1", { text: "New." })
      assert.deepEqual((yield* seen(agent)).at(-1), "says: New.")
    })
  )

  it.live("keeps the history of a copy as old, before the answer and behind it", () =>
    Effect.gen(function* () {
      for (const replayAfter of [[], opencodeFork.fork?.replay ?? []]) {
        const fork = replayAfter.length > 0 ? { replayAfter } : opencodeFork.fork
        const agent = yield* scripted({ fork }, patient)
        yield* agent.start({ from: { type: "fork", sessionId: resume } })
        yield* play(agent, "t1", { text: "New." })
        assert.deepEqual(yield* seen(agent), [
          "session forked",
          "earlier: prompt: List the files",
          "earlier: says: There are two.",
          "earlier: prompt: Which are they?",
          "earlier: says: One and another.",
          "says: New."
        ])
      }
    })
  )

  it.live("prints only what is new on the terminal", () =>
    Effect.gen(function* () {
      for (const setup of [geminiHistory, copilotHistory]) {
        const ended = yield* call(run([{ text: "New." }], "--resume", "old"), {
          env: { SCRIPTED_AGENT: JSON.stringify(setup) }
        })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(ended.stdout, "New.\n")
        assert.notInclude(ended.stderr, "Shell")
        assert.notInclude(ended.stderr, "Listing")
      }
    })
  )

  it.live("does not keep the first prompt waiting where nothing of a history is missing", () =>
    Effect.gen(function* () {
      // A minute of silence would be noticed.
      const timing = { silence: Duration.minutes(1), noHistory: Duration.minutes(1) }
      const agent = yield* scripted(copilotHistory, { timing })
      yield* agent.start({ resume, knownPrompts: [list, remove, show] })
      yield* play(agent, "t1", { text: "New." })
      assert.deepEqual(yield* seen(agent), ["session loaded", "says: New."])
    })
  )
})

describe("prompts of a history", () => {
  const filtered = (known: ReadonlyArray<string>, ...pieces: ReadonlyArray<string>) => {
    const filter = ReplayFilter.make(known)
    for (const piece of pieces) filter.prompt({ type: "text", text: piece })
    return filter.rest("answer")
  }

  it.each([
    ["one with a line that was a prompt", ["ok", "go on"], ["Do it so:\ngo on\nand then stop"]],
    ["one that begins as ours does", ["go on"], ["go on\nwith the other"]],
    ["words of a machine within a person's", [], ["What is [Function Response: x]?"]],
    ["words of a machine that a person goes on with", [], ["[Function Response: x] means what?"]]
  ])("keeps %s", (_, known, pieces) => {
    assert.deepEqual(filtered(known, ...pieces), { prompts: pieces, keep: true })
  })

  it.each([
    ["of the machine that are answered", ["<session_context>x</session_context>"], "answer"],
    ["of the machine behind others", ["hello", "<session_context>x</session_context>"], "answer"],
    ["of a tool where no tool ran", ["hello", "[Function Response: x]"], "nothing"]
  ] as const)("keeps a person's words that look like those %s", (_, words, last) => {
    const filter = ReplayFilter.make([])
    const told = words.flatMap((word, index) => {
      filter.prompt({ type: "text", text: word })
      return filter.rest(index === words.length - 1 ? last : "answer").prompts
    })
    assert.deepEqual(told, [...words])
  })

  it("leave out what a machine says before the first and behind a tool, under ids of its own or without", () => {
    for (const next of ["answer", "prompt"] as const) {
      const filter = ReplayFilter.make([])
      const told: Array<string> = []
      const says = (text: string, end?: ReplayFilter.Next) => {
        filter.prompt({ type: "text", text })
        if (end !== undefined) told.push(...filter.rest(end).prompts)
      }
      says("<session_context>x</session_context>", next === "prompt" ? next : undefined)
      says("hello", "tool")
      says("[Function Response: a]", next === "prompt" ? next : undefined)
      says("[Function Response: b]", "answer")
      says("bye", "nothing")
      assert.deepEqual(told, ["hello", "bye"])
    }
  })

  it("that are longer than any of ours are not kept piece by piece", () => {
    const filter = ReplayFilter.make(["short"])
    setFlagsFromString("--expose-gc")
    const inUse = (): number => {
      runInNewContext("gc")()
      return process.memoryUsage().heapUsed
    }
    const before = inUse()
    for (let index = 0; index < 300; index += 1)
      filter.prompt({ type: "text", text: Buffer.alloc(200_000, `${index} `).toString() })
    assert.isBelow(inUse() - before, 20e6)
    assert.lengthOf(filter.rest("answer").prompts, 1)
  })

  it("takes words of a machine for a person's where a person said them", () => {
    const asked = "[Function Response: x]"
    assert.deepEqual(filtered(["before", asked], asked), { prompts: [], keep: false })
  })

  it("keeps a new prompt that stands behind one of a stopped turn", () => {
    assert.deepEqual(filtered(["stop me"], "stop me", "Anything else?"), { prompts: ["Anything else?"], keep: true })
  })

  it("are told apart by their ids", () => {
    const session = projection()
    session.step(() => History.begin(session.state, []))
    const own = (messageId: unknown) => ({ ...said("go "), messageId })
    session.feed(own("a"), own("a"), own("b"), own(7), own(null), text("ok"))
    session.step(() => History.end(session.state))
    assert.deepEqual(
      session.of("prompt.replayed").map((event) => event.text),
      ["go go ", "go go go "]
    )
  })

  it("are found in time that grows with their number, in one prompt or in many", () => {
    const take = (count: number) => {
      const known = Array.from({ length: count }, (_, index) => `Please look at the file number ${index}`)
      assert.deepEqual(filtered(known, ...known), { prompts: [], keep: false })
      assert.deepEqual(filtered(known, known.join("\n")), { prompts: [], keep: false })
      const filter = ReplayFilter.make(known)
      for (const prompt of known) {
        filter.prompt({ type: "text", text: `${prompt}, elsewhere` })
        assert.isTrue(filter.rest("answer").keep)
      }
    }
    assert.isBelow(
      cost(() => take(8_000)),
      40 * cost(() => take(1_000))
    )
  })
})
