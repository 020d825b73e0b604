/**
 * Tapes that were recorded once, and the events that are to come of them. Where other events are wanted, `UPDATE_GOLDEN=1` writes
 * those of now: the difference is what changes for everybody who reads events. `record-tapes.ts` records those of the emulator's scripts.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { inRepository } from "../../src/base/Installation.ts"
import * as Replay from "../../src/compose/Replay.ts"
import * as Reel from "../../src/replay/Reel.ts"
import * as StableIds from "../../src/replay/StableIds.ts"
import * as WholeText from "../../src/replay/WholeText.ts"
import { temporaryFolder } from "../support/AgentHarness.ts"

const folder = join(import.meta.dirname, "tapes")
const ending = ".events.ndjson"

const eventsOf = Effect.fnUntraced(function* (tape: string) {
  const work = yield* temporaryFolder
  const ids = StableIds.make()
  const whole = WholeText.make()
  const lines: Array<string> = []
  const reel = yield* Effect.promise(() => Reel.load([[tape]], work))
  yield* Replay.replay(reel, {
    folder: work,
    tell: (events) => lines.push(...whole.push(events).map(ids.json)),
    onEnd: (_, how) => assert.deepStrictEqual(how, { type: "played" })
  }).pipe(Effect.provide(NodeServices.layer))
  return [...lines, ...whole.end().map(ids.json)]
})

const tapes = readdirSync(folder).filter((file) => !file.endsWith(ending))

describe("the Cursor emulator", () => {
  for (const file of readdirSync(inRepository("packages", "stand-in-agents", "src", "cursor", "scripts"))) {
    const script = basename(file, ".ts")
    it(`has a tape of its script ${script}`, () => {
      const names = tapes.filter((name) => name === `script-${script}.ndjson` || name.startsWith(`script-${script}-`))
      assert.isNotEmpty(names)
    })
  }
})

describe("the tape", () => {
  for (const name of tapes) {
    it.live(`${name} gives the events that it always gave`, () =>
      Effect.gen(function* () {
        const lines = yield* eventsOf(join(folder, name))
        const golden = join(folder, name.replace(/\.ndjson$/, ending))
        if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, `${lines.join("\n")}\n`)
        const parsed = (all: ReadonlyArray<string>) => all.map((line): unknown => JSON.parse(line))
        assert.deepStrictEqual(parsed(lines), parsed(readFileSync(golden, "utf8").trimEnd().split("\n")))
      })
    )
  }
})
