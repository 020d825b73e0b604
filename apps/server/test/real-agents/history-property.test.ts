/** Random histories, repeated in each manner of real agents. Known prompts appear once, and new ones are kept. */
import { assert, describe, it } from "@effect/vitest"
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import * as Schema from "effect/Schema"
import * as History from "../../src/provider/acp/projection/History.ts"
import { essence } from "../../src/provider/acp/projection/PromptEssence.ts"
import { call, change, projection, said, saidWith, text, thought } from "../support/ProjectionHarness.ts"

const Turn = Schema.Struct({
  prompt: Schema.Literals([
    "go on",
    "ok",
    "Fix the test",
    "Fix the test\n\nand then\n  the other",
    " Why? ",
    "go on\nok",
    "",
    "[image]"
  ]),
  /** Something was attached beside the words. */
  attached: Schema.Boolean,
  end: Schema.Literals(["answered", "by a tool", "thought only", "stopped", "stopped and forgotten"])
})

const Manner = Schema.Struct({
  when: Schema.Literals(["before", "after", "one piece before"]),
  joined: Schema.Literals(["pieces", "lines", "own ids"]),
  context: Schema.Boolean,
  functionResponses: Schema.Boolean,
  pieces: Schema.Literals([0, 1, 3]),
  trimmed: Schema.Boolean,
  attachments: Schema.Boolean
})

type Turn = Omit<typeof Turn.Type, "prompt"> & { readonly prompt: string }
type Manner = typeof Manner.Type

const image: ContentBlock = { type: "image", mimeType: "image/png", data: "" }
const context = said("<session_context>\nMy operating system is: linux\n</session_context>")

/** What the agent keeps of a turn beside its prompt. */
const answer = (turn: Turn, name: string, { functionResponses }: Manner): ReadonlyArray<object> => {
  switch (turn.end) {
    case "answered":
      return [text(`answer ${name}`)]
    case "by a tool":
      return [
        call(`call ${name}`, { status: "completed" }),
        ...(functionResponses ? [said("[Function Response: run_shell_command]")] : []),
        change(`call ${name}`, { status: "completed" }),
        text(`answer ${name}`)
      ]
    case "thought only":
      return [thought(`thought ${name}`)]
    case "stopped":
    case "stopped and forgotten":
      return []
  }
}

const broken = (prompt: string, size: number): ReadonlyArray<string> =>
  size === 0 ? [prompt] : (prompt.match(new RegExp(`[^]{1,${size * 4}}`, "g")) ?? [])

/** Adjacent prompts, in the manner in which the agent repeats them. */
const asked = (turns: ReadonlyArray<Turn>, manner: Manner, id: () => string): ReadonlyArray<object> => {
  const words = turns.map(({ prompt }) => (manner.trimmed ? prompt.trim() : prompt))
  if (manner.joined === "lines" && turns.every(({ prompt }) => prompt !== "[image]"))
    return broken(words.filter((prompt) => prompt !== "").join("\n"), manner.pieces).map(said)
  return turns.flatMap(({ attached, prompt }, index) => {
    const own = manner.joined === "own ids" ? { messageId: id() } : {}
    const blocks =
      prompt === "[image]"
        ? [saidWith(image)]
        : [
            ...broken(words[index] ?? "", manner.pieces).map(said),
            ...(attached && manner.attachments && prompt !== "" ? [saidWith(image)] : [])
          ]
    return blocks.map((block) => ({ ...block, ...own }))
  })
}

const history = (turns: ReadonlyArray<Turn>, extra: ReadonlyArray<Turn>, manner: Manner): ReadonlyArray<object> => {
  let ids = 0
  const updates: Array<object> = manner.context || manner.when === "one piece before" ? [context] : []
  let waiting: Array<Turn> = []
  for (const [index, turn] of [...turns, ...extra].entries()) {
    if (turn.end === "stopped and forgotten") continue
    waiting.push(turn)
    const answered = answer(turn, String(index), manner)
    if (answered.length === 0) continue
    updates.push(...asked(waiting, manner, () => `id-${ids++}`), ...answered)
    waiting = []
  }
  return [...updates, ...asked(waiting, manner, () => `id-${ids++}`)]
}

const load = (known: ReadonlyArray<string>, updates: ReadonlyArray<object>, { when }: Manner) => {
  const session = projection()
  const before = when === "before" ? updates.length : when === "after" ? 0 : 1
  session.step(() => History.begin(session.state, known))
  session.feed(...updates.slice(0, before))
  session.step(() => History.answered(session.state))
  session.feed(...updates.slice(before))
  session.step(() => History.pause(session.state))
  return session
}

const first: Turn = { prompt: "Fix the test", attached: false, end: "answered" }

describe("a history that is loaded", () => {
  it("is the record, where several prompts that were joined can be divided in more than one way", () => {
    const turn = (prompt: string, end: Turn["end"]): Turn => ({ prompt, attached: false, end })
    // A prompt is the beginning of the next one, and two prompts together are a later one.
    const record = [
      first,
      turn("Fix the test", "stopped and forgotten"),
      turn("Fix the test\n\nand then\n  the other", "stopped"),
      turn("go on", "stopped"),
      turn("ok", "answered"),
      turn("go on\nok", "thought only")
    ]
    const lines = {
      joined: "lines",
      context: false,
      functionResponses: false,
      trimmed: false,
      attachments: false
    } as const
    for (const when of ["before", "after", "one piece before"] as const)
      for (const pieces of [0, 1, 3] as const) {
        const manner = { ...lines, when, pieces }
        const session = load(
          record.map(({ prompt }) => prompt),
          history(record, [], manner),
          manner
        )
        assert.deepEqual(session.of("prompt.replayed"), [], JSON.stringify(manner))
        assert.deepEqual(session.of("message.delta"), [], JSON.stringify(manner))
      }
  })

  it.prop(
    "is the record and what the agent has beyond it, in whatever way it is told",
    { turns: Schema.Array(Turn), extra: Schema.Int, manner: Manner },
    ({ extra, manner, turns }) => {
      const record = [first, ...turns.slice(0, 8)]
      // Prompts that the record doesn't hold were sent by another client.
      const beyond = Array.from({ length: Math.abs(extra) % 3 }, (_, index): Turn => ({
        ...first,
        prompt: `elsewhere ${index}`
      }))
      // A joined or divided prompt can't be separated if a part of it is new, so it is shown completely.
      const last = record.findLast(({ end }) => end !== "stopped and forgotten")
      const apart = manner.joined === "own ids" || (manner.joined === "pieces" && manner.pieces === 0)
      if (!apart && last?.end === "stopped") beyond.length = 0
      const session = load(
        record.map(({ prompt }) => prompt),
        history(record, beyond, manner),
        manner
      )
      assert.deepEqual(
        session.of("prompt.replayed").map(({ text }) => essence(text)),
        beyond.map(({ prompt }) => essence(prompt))
      )
      assert.deepEqual(
        session.of("message.delta").map(({ replayed, text }) => ({ text, old: replayed === true })),
        beyond.map((_, index) => ({ text: `answer ${record.length + index}`, old: true }))
      )
      assert.deepEqual(session.of("tool.started"), [])
      assert.deepEqual(session.of("thought.delta"), [])
      session.begin("t1", "new")
      session.feed(text("new answer"))
      assert.deepEqual(session.of("message.delta").at(-1)?.replayed, undefined)
    },
    { arbitrary: { runs: 2000 } }
  )
})
