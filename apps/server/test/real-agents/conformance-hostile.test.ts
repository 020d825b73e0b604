/** Agents that write what nobody expects are looked over to the end. The report says no more than was seen. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Limits } from "../../src/conformance/Limits.ts"
import * as Wire from "../../src/conformance/Wire.ts"
import { start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { examine, seenOf } from "../support/Examined.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"

/** None of these agents lists commands. Whatever else comes has its usual time: a machine may be busy. */
const usual = { commands: 0 }

const lookedOver = (setup: object, only: ReadonlyArray<string>, model = false, brief: Partial<Limits> = {}) => {
  // No environment takes so much.
  const file = join(temporaryFolder("script"), "setup.json")
  writeFileSync(file, JSON.stringify(setup))
  const agent = { command: process.execPath, args: [scriptedMain], env: { SCRIPTED_AGENT: file } }
  return examine(agent, { limits: { ...usual, ...brief }, only, model })
}

const seen = (setup: object, only: ReadonlyArray<string>, model?: boolean, brief?: Partial<Limits>) =>
  Effect.map(lookedOver(setup, only, model, brief), ({ results }) => seenOf(results))

/** It can't be made a text: none of its methods is one. */
const wordless = { toString: 1, valueOf: 1 }
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)

describe("an agent that is looked over", () => {
  it.live("may put objects where words belong", () =>
    Effect.gen(function* () {
      const option = { id: wordless, name: ":icon-x:", type: "select", currentValue: "a", options: [] }
      const setup = {
        initialize: { protocolVersion: wordless, authMethods: [{ id: wordless, name: "Key", type: [wordless] }] },
        newSession: { configOptions: [option] },
        beforeNewSession: [{ update: { sessionUpdate: wordless } }],
        onPrompt: { "": [{ stop: wordless }] }
      }
      const found = yield* seen(
        setup,
        [
          "connection/initialize",
          "login/methods",
          "settings/options",
          "settings/names",
          "lines/notifications",
          "lines/outside",
          "prompts/answer"
        ],
        true
      )
      assert.strictEqual(found["connection/initialize"], "broken: version an object")
      assert.strictEqual(found["login/methods"], "holds: an object (a list)")
      assert.strictEqual(found["settings/options"], "quirk: an object")
      assert.strictEqual(found["lines/outside"], "holds: none")
      assert.strictEqual(found["prompts/answer"], "quirk: an object")
    }).pipe(Effect.scoped)
  )

  it.live("may put an object in the place of an error's message", () =>
    Effect.gen(function* () {
      const errors = { "session/new": { code: -32603, message: wordless } }
      const found = yield* seen({ errors }, ["start/session"])
      assert.strictEqual(found["start/session"], "broken: refused, -32603")
    }).pipe(Effect.scoped)
  )

  it.live("has not ended because it wrote a message that is nested too deep, which is reported", () =>
    Effect.gen(function* () {
      const raw = `{"jsonrpc":"2.0","id":${nested(100_000)},"method":"_x","params":{}}\n`
      const update = `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":${nested(100_000)}}}}\n`
      const found = yield* seen({ beforeNewSession: [{ raw }, { raw: update }] }, [
        "start/session",
        "lines/length",
        "lines/notifications",
        "end/stdout"
      ])
      assert.strictEqual(found["start/session"], "holds: an id, no settings")
      assert.strictEqual(found["lines/length"], "broken: 2 nested too deep")
      assert.strictEqual(found["end/stdout"], "holds: messages only")
    }).pipe(Effect.scoped)
  )

  it.live("has sent nothing behind its answer only because it wrote more than is kept", () =>
    Effect.gen(function* () {
      const prompts = [[{ repeat: 21_000, steps: [{ text: "word " }] }]]
      const found = yield* seen({ prompts }, ["prompts/late-updates", "lines/length"], true)
      assert.strictEqual(found["prompts/late-updates"], "holds: none")
      assert.match(found["lines/length"] ?? "", /^quirk: /)
    }).pipe(Effect.scoped)
  )

  it.live("that opens no session in time has not fallen silent over what it was sent before", () =>
    Effect.gen(function* () {
      const silent = ["session/new", "_signalbox/no_such_method"]
      const found = yield* seen({ silent }, ["connection/unknown-notification", "connection/malformed"], false, {
        refusal: "500 millis",
        answer: "1 second"
      })
      for (const [probe, words] of Object.entries(found)) assert.strictEqual(words, "untried: took too long", probe)
    }).pipe(Effect.scoped)
  )

  it.live("with an endless name has a report that can be read", () =>
    Effect.gen(function* () {
      const agentInfo = { name: "n".repeat(200_000), version: "v".repeat(200_000) }
      const authMethods = Array.from({ length: 5000 }, (_, at) => ({ id: `way-${at}`, name: "Way" }))
      const report = yield* lookedOver({ initialize: { agentInfo, authMethods } }, [
        "connection/identity",
        "login/methods"
      ])
      assert.isBelow(JSON.stringify(report).length, 5000)
    }).pipe(Effect.scoped)
  )

  it.effect("and asks without reading is read no further than it can be answered", () =>
    Effect.gen(function* () {
      const request = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "fs/read_text_file", params: {} })}\n`
      const chunk = new TextEncoder().encode(request.repeat(500))
      let read = 0
      const input = Stream.map(Stream.rechunk(Stream.range(1, 200), 1), () => {
        read += 1
        return chunk
      })
      const wire = yield* Wire.make({ input, output: Sink.forEach(() => Effect.never) }, () => "1 second")
      for (let turn = 0; turn < 20_000; turn += 1) yield* Effect.yieldNow
      assert.isAbove(wire.lines().length, 0)
      assert.isBelow(read, 20)
    }).pipe(Effect.scoped)
  )

  it.live("in a folder of its own leaves nothing of it when somebody is in a hurry", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("hurry")
      const env = {
        TMPDIR: folder,
        SCRIPTED_AGENT: JSON.stringify({ silent: ["session/new"], ignoreEof: true, ignoreSigterm: true })
      }
      const running = yield* start(["conformance", "--agent", `${process.execPath} ${scriptedMain}`], { env })
      const made = () => readdirSync(folder).filter((name) => name.startsWith("signalbox-conformance-"))
      yield* Effect.suspend(() => (made().length > 0 ? Effect.void : Effect.fail("not yet"))).pipe(
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1000 })
      )
      const { code } = yield* Effect.raceFirst(
        running.ended,
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => running.kill("SIGINT")),
            Effect.sleep("50 millis")
          )
        )
      )
      assert.strictEqual(code, 3)
      assert.deepStrictEqual(made(), [])
    }).pipe(Effect.scoped)
  )
})
