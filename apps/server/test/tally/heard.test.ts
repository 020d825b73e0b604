/** What is counted, held against what the agent heard: every line between it and us is on a tape. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Health } from "@signalbox/contracts/Health"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { SuggestionFigures } from "@signalbox/contracts/SuggestionQuality"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import { suggestionCountsIn } from "../../src/base/StateDirectory.ts"
import * as Compose from "../../src/compose/Editing.ts"
import { Editing } from "../../src/editing/Editing.ts"
import * as Sendable from "../../src/editing/Sendable.ts"
import * as SuggestionTally from "../../src/tally/SuggestionTally.ts"
import * as TapeReader from "../../src/tape/TapeReader.ts"
import { call } from "../cli/support/Signalbox.ts"
import { served } from "../support/ServedThreads.ts"
import { given, insert, page, setUp } from "../suggestions/Page.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const program = programOf(new URL("../../../../packages/stand-in-agents/src/nes/main.ts", import.meta.url))
const text = "const first = sum(1, 2)\nconsole.log(first)\n  consol\n// 😀\n"

/** Numbers from a seed. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

/** People who ask, take, dismiss, and type on. */
const use = Effect.fnUntraced(function* (args: ReadonlyArray<string>, root: string, seed: number) {
  const { desk } = yield* Editing
  const mine = yield* desk({
    provider: { id: ProviderId.make("custom"), kind: "acp", name: "nes", simulated: false },
    providerOptions: { acp: { command: process.execPath, args: [program, ...args] } },
    roots: [root]
  })
  const uri = Sendable.uriOf(join(root, "a.ts"))
  yield* mine.open({ uri, languageId: "typescript", version: 1, text })
  const below = numbers(seed)
  let version = 1
  let open: ReadonlyArray<string> = []
  const ask = Effect.map(mine.suggest({ uri, position: { line: 2, character: 8 }, trigger: "manual" }), (answer) => {
    if (answer.type === "suggestions") open = answer.suggestions.map(({ id }) => id)
  })
  const type = Effect.suspend(() => {
    version += 1
    return mine.change({ uri, version, changes: [insert(3, 0, "/")] })
  })
  for (let step = 0; step < 80; step++) {
    const id = open[below(Math.max(1, open.length))]
    switch (below(6)) {
      case 0:
        yield* Effect.forEach(id === undefined ? [] : [id], mine.accept)
        break
      case 1:
        yield* Effect.forEach(id === undefined ? [] : [id], (one) => mine.reject(one, "rejected"))
        break
      case 2:
        yield* type
        break
      case 3:
        // Overtaken by what is typed at once.
        yield* Effect.all([ask, type], { concurrency: 2 })
        break
      default:
        yield* ask
    }
  }
}, Effect.scoped)

/** What the agent suggested, and what it heard of that, by the tape. */
const heardOn = Effect.fnUntraced(function* (path: string) {
  const heard = new Map<string, number>()
  const add = (what: string, times = 1) => heard.set(what, (heard.get(what) ?? 0) + times)
  const asked = new Set<unknown>()
  const lines: Array<TapeReader.TapeLine | TapeReader.TapeFault> = []
  yield* Effect.promise(async () => {
    for await (const line of TapeReader.read([path])) lines.push(line)
  })
  for (const line of lines) {
    if (line.type === "fault" || line.type === "note") continue
    const { id, method, params, result } = decodeLine(line.message)
    if (line.type === "out" && method === "nes/suggest") asked.add(id)
    if (line.type === "out" && method === "nes/accept") add("accepted")
    if (line.type === "out" && method === "nes/reject") add(params?.reason ?? "no reason")
    if (line.type === "in" && method === undefined && asked.has(id)) add("suggested", result?.suggestions?.length ?? 0)
  }
  return heard
})

const decodeLine = Schema.decodeUnknownSync(
  Schema.Struct({
    id: Schema.optionalKey(Schema.Unknown),
    method: Schema.optionalKey(Schema.String),
    params: Schema.optionalKey(Schema.Struct({ reason: Schema.optionalKey(Schema.String) })),
    result: Schema.optionalKey(Schema.Struct({ suggestions: Schema.optionalKey(Schema.Array(Schema.Unknown)) }))
  })
)

/** The figures in a state folder, as another program reads them. */
const figuresIn = (state: string) =>
  Effect.flatMap(SuggestionTally.SuggestionTally, ({ read }) => read).pipe(
    Effect.provide(SuggestionTally.layer(suggestionCountsIn(state))),
    Effect.scoped
  )

const sumOf = (figures: SuggestionFigures) =>
  figures.accepted + figures.dismissed + figures.ignored + figures.replaced + figures.stale + figures.refused

describe("the counts of suggestions", { timeout: 60_000 }, () => {
  for (const [name, ...args] of [
    ["one that behaves"],
    ["ten at once", "--misbehave", "ten"],
    ["kinds that were not offered", "--misbehave", "kinds-not-offered"]
  ])
    it.live(`are what the agent heard, and have each suggestion once: ${name}`, () =>
      Effect.gen(function* () {
        const folder = realpathSync(temporaryFolder("counted"))
        const [state, tape] = [join(folder, "state"), join(folder, "tape.jsonl")]
        const layer = Compose.layer(state, { tape: Option.some(tape) }).pipe(Layer.provide(NodeServices.layer))
        yield* use(args, folder, 7).pipe(Effect.provide(layer))
        const heard = yield* heardOn(tape)
        const { agents } = yield* figuresIn(state)
        const [agent] = agents
        assert.lengthOf(agents, 1)
        const all = agent?.all ?? assert.fail("Nothing was counted")
        assert.deepStrictEqual(agent?.last30Days, all)
        const of = (what: string) => heard.get(what) ?? 0
        assert.strictEqual(all.accepted, of("accepted"))
        assert.strictEqual(all.dismissed, of("rejected") - (args.includes("kinds-not-offered") ? all.refused : 0))
        assert.strictEqual(all.replaced, of("replaced"))
        assert.strictEqual(all.ignored, of("ignored"))
        assert.strictEqual(all.stale, of("cancelled"))
        assert.strictEqual(sumOf(all), of("suggested"))
        assert.isAbove(of("suggested"), 2)
        assert.isAbove(all.answered, 0)
        assert.isDefined(all.latency)
      })
    )

  it.live("survive a killed server, and stand in `stats`", () =>
    Effect.gen(function* () {
      const { client, server, state } = yield* setUp()
      const stats = Effect.map(
        call(["stats", "--json", "--state-dir", state]),
        ({ stdout }) => decodeHealth(stdout).suggestions
      )
      assert.deepStrictEqual(yield* stats, { chosen: "nes", agents: [] })
      const mine = yield* page(client)
      yield* mine.open("src/a.ts", text)
      const [first] = given(yield* mine.suggest("src/a.ts", 1, 2, 8)).suggestions
      assert.isTrue(yield* mine.end(first?.id ?? "", "accepted"))
      const before = yield* stats
      assert.deepInclude(before?.agents[0], { providerId: ProviderId.make("nes"), name: "Nes" })
      assert.deepInclude(before?.agents[0]?.all, { accepted: 1, dismissed: 0, refused: 0, answered: 1 })
      server.kill("SIGKILL")
      yield* server.ended
      yield* served(state)
      assert.deepStrictEqual(yield* stats, before)
      const told = yield* call(["stats", "--state-dir", state])
      assert.match(told.stdout, /^Suggestions in the last 30 days$/m)
      assert.match(told.stdout, /^AGENT +ACCEPTED +DISMISSED +UNUSED +LATE +REFUSED +P50 +P95$/m)
      assert.match(told.stdout, /^Nes +1 +0 +0 +0 +0 +\d+ ms +\d+ ms$/m)
    }).pipe(Effect.scoped)
  )

  it.live("of a damaged file say what to do, and leave it as it is", () =>
    Effect.gen(function* () {
      const state = realpathSync(temporaryFolder("state"))
      const path = suggestionCountsIn(state)
      const damaged = "this is no database, whatever its name says".repeat(100)
      yield* Effect.sync(() => writeFileSync(path, damaged))
      const { agents, problem } = yield* figuresIn(state)
      assert.deepStrictEqual(agents, [])
      assert.strictEqual(problem?.title, "Suggestions can't be counted.")
      assert.include(problem?.nextSteps[0]?.label, path)
      assert.strictEqual(readFileSync(path, "utf8"), damaged)
    })
  )
})

const decodeHealth = Schema.decodeSync(Schema.fromJsonString(Health))
