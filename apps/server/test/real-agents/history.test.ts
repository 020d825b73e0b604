/** Sessions that are opened again, by agents that tell their history in their own ways. */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ReplayFilter from "../../src/provider/acp/ReplayFilter.ts"
import * as History from "../../src/provider/acp/History.ts"
import { call } from "../cli-support/Signalbox.ts"
import { play as run } from "../cli-support/Runs.ts"
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

  it.live("brings in what its agent tells before and behind the answer, and no word of a machine as a person's", () =>
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
        const agent = yield* scripted({ fork })
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
    return filter.rest()
  }

  it.each([
    ["one with a line that was a prompt", ["ok", "go on"], ["Do it so:\ngo on\nand then stop"]],
    ["one that begins as ours does", ["go on"], ["go on\nwith the other"]],
    ["words of a machine within a person's", [], ["What is [Function Response: x]?"]],
    ["words of a machine that a person goes on with", [], ["[Function Response: x] means what?"]]
  ])("keeps %s", (_, known, pieces) => {
    assert.deepEqual(filtered(known, ...pieces), { prompts: pieces, keep: true })
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
        assert.isTrue(filter.rest().keep)
      }
    }
    assert.isBelow(
      cost(() => take(8_000)),
      40 * cost(() => take(1_000))
    )
  })
})
