/** The starter rules, held against commands that agents run. People labelled those first: see `packages/permission/test/labelled`. */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import type { RuleEffect } from "@signalbox/contracts/Judgement"
import * as RulesText from "@signalbox/permission/rules/RulesText"
import * as Effect from "effect/Effect"
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Judging from "../../src/rules/Judging.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

interface Labelled {
  readonly label: RuleEffect
  readonly category: string
  readonly command: string
}

const root = join(import.meta.dirname, "../../../..")
const labelled: ReadonlyArray<Labelled> = readFileSync(
  join(root, "packages/permission/test/labelled/commands.jsonl"),
  "utf8"
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))

/** Commands that nobody runs by accident. They count for false answers, and not for agreement. */
const isDisguised = ({ category }: Labelled) => category === "disguised"

/** `/home/ann` of the labelled commands. */
const home = realpathSync(temporaryFolder("home"))
const project = join(home, "shop")

const starter = join(root, "docs/starter-rules.json")
const { faults, rules, warnings } = RulesText.read(starter, readFileSync(starter, "utf8"), {
  source: "user",
  folder: undefined,
  now: 0
})

const plant = () => {
  for (const folder of ["src/server", "test", "docs", "packages/core", "packages/api", "frontend", "node_modules/.bin"])
    mkdirSync(join(project, folder), { recursive: true })
  for (const file of ["package.json", "tsconfig.json", "README.md", "src/index.ts", "src/a.ts", "docs/a.md"])
    writeFileSync(join(project, file), "{}")
}

const judged = Effect.gen(function* () {
  plant()
  const origin: Judging.Origin = { agent: "cursor", cwd: project, own: [join(home, "state")] }
  return yield* Effect.forEach(labelled, (one) =>
    Effect.map(Judging.command(rules, origin, one.command.replaceAll("/home/ann", home)), (decision) => ({
      ...one,
      decision
    }))
  )
})

const share = (of: ReadonlyArray<unknown>, among: ReadonlyArray<unknown>) =>
  `${of.length} of ${among.length} (${((100 * of.length) / among.length).toFixed(1)} %)`

beforeAll(() => void vi.stubEnv("HOME", home))
afterAll(() => void vi.unstubAllEnvs())

describe("The starter rules", () => {
  it("have no fault, and nothing to warn about", () => {
    assert.deepStrictEqual([faults, warnings], [[], []])
  })

  it.live("allow nothing that a careful engineer wants to be asked about, and agree with 95 of 100 labels", () =>
    Effect.gen(function* () {
      const all = yield* judged
      const falseAllows = all.filter(({ decision, label }) => decision.effect === "allow" && label !== "allow")
      assert.deepStrictEqual(
        falseAllows.map(({ command, decision }) => [command, decision.why]),
        []
      )
      const real = all.filter((one) => !isDisguised(one))
      const agreed = real.filter(({ decision, label }) => decision.effect === label)
      const allowed = real.filter(({ label }) => label === "allow")
      const agreedAllowed = agreed.filter(({ label }) => label === "allow")
      console.log(`The labels agree: ${share(agreed, real)}; those that allow: ${share(agreedAllowed, allowed)}`)
      const others = real
        .filter((one) => !agreed.includes(one))
        .map(({ command, decision, label }) => `${label}, not ${decision.effect}: ${command}: ${decision.why}`)
        .join("\n")
      assert.isAtLeast(real.length, 300)
      assert.isAtLeast(agreed.length, 0.95 * real.length, others)
      assert.isAtLeast(agreedAllowed.length, 0.95 * allowed.length, others)
    })
  )
})
