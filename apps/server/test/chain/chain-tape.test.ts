/** What the parts of a chain say to each other stands on the tape, each message once for each hop. */
import { assert, describe, it } from "@effect/vitest"
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import * as Effect from "effect/Effect"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import { objectOf, textOf } from "../../src/base/Json.ts"
import * as TapeFolder from "../../src/tape/TapeFolder.ts"
import * as TapeReader from "../../src/tape/TapeReader.ts"
import { thread } from "../support/AgentHarness.ts"
import { play, scripted } from "../support/ScriptedAgent.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const arrowFile = programOf(new URL("../../../../packages/stand-in-agents/src/arrow/main.ts", import.meta.url))
const arrow = (name: string): ChainComponent => ({ command: process.execPath, args: [arrowFile], name })

/** All lines of the tape that a session with these components left. */
const tapeOf = Effect.fnUntraced(function* (components: ReadonlyArray<ChainComponent>) {
  const tapes = temporaryFolder("tapes")
  const agent = yield* scripted({ initialize: { agentCapabilities: { mcpCapabilities: { acp: true } } } }, { tapes })
  yield* agent.start({ providerOptions: { ...agent.input().providerOptions, components } })
  yield* play(agent, "t1", { repeat: 3, steps: [{ text: "{i} " }] })
  yield* agent.adapter.stopSession(thread)
  yield* agent.next("session.exited")
  return yield* Effect.promise(async () => {
    const lines: Array<TapeReader.TapeLine> = []
    for (const { parts } of await TapeFolder.list(tapes))
      for await (const line of TapeReader.read(parts)) {
        if (line.type === "fault") assert.fail(line.reason)
        lines.push(line)
      }
    return { lines, events: agent.events }
  })
})

/** What a line says, in short: `session/prompt: Proxy(0) > Agent`. */
const hopOf = ({ message }: TapeReader.TapeLine): string => {
  const event = objectOf(message)
  return `${textOf(event, "method") ?? "answer"}: ${textOf(event, "from")} > ${textOf(event, "to")}`
}
const methodOf = ({ message }: TapeReader.TapeLine): unknown => objectOf(message)["method"]

describe("the tape of a session with components", () => {
  it.live("holds each message of each hop once, in order, and the parts before them", () =>
    Effect.gen(function* () {
      const { lines } = yield* tapeOf([arrow("first"), arrow("second")])
      const chain = lines.findIndex((line) => line.type === "note" && line.note?.event === "chain")
      const { [chain]: line } = lines
      const parts = line?.type === "note" && line.note?.event === "chain" ? line.note.parts : []
      assert.deepStrictEqual(parts.map(({ name }) => name).slice(0, 2), ["first", "second"])
      const hops = lines.filter(({ type }) => type === "hop")
      assert.isAbove(
        lines.findIndex(({ type }) => type === "hop"),
        chain
      )
      // The wire has the hop between people's side and the first part already.
      assert.isFalse(hops.some((line) => /Client/.test(hopOf(line))))
      const count = (words: string) => hops.filter((line) => hopOf(line) === words).length
      assert.strictEqual(count("session/prompt: Proxy(0) > Proxy(1)"), 1)
      assert.strictEqual(count("session/prompt: Proxy(1) > Agent"), 1)
      const updates = lines.filter((one) => one.type === "in" && methodOf(one) === "session/update")
      assert.isAtLeast(updates.length, 3)
      assert.strictEqual(count("session/update: Agent > Proxy(1)"), updates.length)
      assert.strictEqual(count("session/update: Proxy(1) > Proxy(0)"), updates.length)
    }).pipe(Effect.scoped)
  )

  it.live("is what events point at, line by line", () =>
    Effect.gen(function* () {
      const { events, lines } = yield* tapeOf([arrow("first"), arrow("second")])
      const deltas = events.filter(({ type }) => type === "message.delta")
      assert.isAtLeast(deltas.length, 1)
      for (const { tapeLine } of deltas) {
        const line = lines.find((one) => one.line === tapeLine)
        assert.strictEqual(line?.type, "in")
        assert.strictEqual(line === undefined ? undefined : methodOf(line), "session/update")
      }
    }).pipe(Effect.scoped)
  )

  it.live("names the component that wrote to stderr, and not within its words", () =>
    Effect.gen(function* () {
      const speaks = `console.error("first: I am here"); await import(${JSON.stringify(arrowFile)})`
      const talker = { command: process.execPath, args: ["--input-type=module", "--eval", speaks], name: "talker" }
      const { lines } = yield* tapeOf([talker])
      const said = lines.flatMap((line) => (line.type === "err" ? [[line.part, line.message]] : []))
      assert.deepInclude(said, ["talker", "first: I am here"])
    }).pipe(Effect.scoped)
  )

  it.live("of a session without components has no hops", () =>
    Effect.gen(function* () {
      const { lines } = yield* tapeOf([])
      assert.deepStrictEqual(
        lines.filter((line) => line.type === "hop" || (line.type === "note" && line.note?.event === "chain")),
        []
      )
    }).pipe(Effect.scoped)
  )
})
