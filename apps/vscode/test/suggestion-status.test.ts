import { assert, describe, it } from "@effect/vitest"
import { type DeskState, initial, withFrame } from "../src/suggestions/DeskState.ts"
import * as StatusWords from "../src/suggestions/StatusWords.ts"

const on: DeskState = withFrame(initial, {
  type: "on",
  desk: "1",
  agent: { id: "nes", name: "Nes" },
  debounceMs: 150
})
const textOf = (state: DeskState, path = "/a.ts") => StatusWords.of(state, path).text
const problem = {
  code: "agent-exited",
  title: "Nes ended.",
  cause: "Exit code 9.",
  evidence: {},
  nextSteps: []
} as const

describe("the words about suggestions", () => {
  it("say who suggests, what the agent does, and what it made of today", () => {
    assert.strictEqual(textOf(on), "Suggestions by Nes")
    assert.strictEqual(textOf(withFrame(on, { type: "state", state: { type: "starting" } })), "Starting Nes")
    assert.strictEqual(textOf(withFrame(on, { type: "state", state: { type: "asking" } })), "Asking Nes")
    const today = withFrame(on, { type: "today", figures: { accepted: 3, dismissed: 1, unused: 0 } })
    assert.deepInclude(StatusWords.of(today, "/a.ts"), { detail: "Today: 3 accepted, 1 dismissed.", turn: "off" })
    assert.deepInclude(StatusWords.of({ ...on, latencyMs: 3000 }, "/a.ts"), { severity: "warning" })
  })

  it("say why nobody suggests, and whether it can be turned on", () => {
    assert.strictEqual(textOf(initial), "Suggestions: not connected")
    const nobody = withFrame(on, { type: "off", why: "No agent is chosen." })
    assert.deepInclude(StatusWords.of(nobody, "/a.ts"), {
      text: "Suggestions off",
      detail: "No agent is chosen.",
      turn: undefined
    })
    const off = withFrame(on, { type: "off", why: "The settings say so.", turnedOff: "Nes" })
    assert.deepInclude(StatusWords.of(off, "/a.ts"), { text: "Suggestions by Nes turned off", turn: "on" })
  })

  it("say what went wrong with the cause, as an error, until somebody is asked again", () => {
    const failed = withFrame(on, { type: "state", state: { type: "failed", problem, restMs: 1000 } })
    const words = StatusWords.of(failed, "/a.ts")
    assert.deepInclude(words, { text: "No suggestions by Nes", severity: "error" })
    assert.include(words.detail, "Exit code 9.")
    assert.strictEqual(textOf({ ...on, failed: problem }), "No suggestions by Nes")
    assert.strictEqual(textOf(withFrame(failed, { type: "state", state: { type: "asking" } })), "Asking Nes")
  })

  it("say of one file that it is not sent, and of an answer what was left out", () => {
    const withheld = { ...on, withheld: new Map([["/.env", "It is on the list."]]) }
    assert.deepInclude(StatusWords.of(withheld, "/.env"), {
      text: "Suggestions off for this file",
      detail: "It is on the list."
    })
    assert.strictEqual(textOf(withheld), "Suggestions by Nes")
    assert.include(
      StatusWords.of({ ...on, leftOut: "has edits that overlap" }, "/a.ts").detail,
      "It has edits that overlap."
    )
  })

  it("hold neither links nor icons of others", () => {
    const foreign = "[Sign in](command:evil) $(error)"
    const states: ReadonlyArray<DeskState> = [
      withFrame(initial, { type: "off", why: foreign, turnedOff: foreign }),
      { ...on, withheld: new Map([["/a.ts", foreign]]) },
      { ...on, leftOut: foreign },
      { ...on, failed: { ...problem, title: foreign, cause: foreign } },
      withFrame(initial, {
        type: "on",
        desk: "1",
        agent: { id: "nes", name: foreign },
        debounceMs: 150,
        recording: foreign
      })
    ]
    for (const state of states) {
      const { detail, text } = StatusWords.of(state, "/a.ts")
      assert.notMatch(`${text} ${detail}`, /\]\(command:|\$\(/)
      assert.include(`${text} ${detail}`, "(command:evil")
    }
  })

  it("begin anew for another desk, and go on for the same one", () => {
    const known = { ...on, withheld: new Map([["/.env", "No."]]) }
    const frame = { type: "on", agent: { id: "nes", name: "Nes" }, debounceMs: 1 } as const
    assert.strictEqual(withFrame(known, { ...frame, desk: "1" }).withheld.size, 1)
    assert.strictEqual(withFrame(known, { ...frame, desk: "2" }).withheld.size, 0)
  })
})
