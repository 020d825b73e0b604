/**
 * Generated lines, run by real shells. The reading of a line holds what ran and what was written, or it has an obstacle.
 * Another seed plays other lines: `SIGNALBOX_SHELL_SEED=7 SIGNALBOX_SHELL_LINES=100000`.
 */
import { assert, describe, it } from "@effect/vitest"
import * as ShellLine from "../src/shell/ShellLine.ts"
import * as Agreement from "./shell/Agreement.ts"
import * as Fuzzing from "./shell/Fuzzing.ts"
import * as Oracle from "./shell/Oracle.ts"

const seed = Number(process.env["SIGNALBOX_SHELL_SEED"] ?? 1)
const lines = Number(process.env["SIGNALBOX_SHELL_LINES"] ?? 10_000)

const shells: ReadonlyArray<readonly [shell: Oracle.Shell, name: string, count: number]> = [
  ["bash", "bash", lines],
  ["posix", "bash as sh", lines / 10],
  ["dash", "dash", lines / 5]
]

/** Lines in which the reading once missed something. */
const found = [
  "a x<(b)y",
  "a $(coproc b)",
  "a $(while b <<E\nx\nE\ndo c; break; done)",
  "b $(while a <<E\nx $(a)\nx\nE\na; do a; break; done)",
  "a ${x/$(b ~/x x)}",
  "a {n}> x",
  'a "{x,${n?>(c)}}"',
  "time ! cd d || > q0",
  "c 1>(c)",
  "a 2<(b) y",
  "a 2>&-b",
  "2>&-a x",
  "a <<< <(b)x",
  "$'\\x{62'",
  "a &> q0 b",
  "n=(${n:-<(a })}) b",
  "b $(> q0 ! a)",
  "cd nope && x &> q0",
  "cd d && a &> q0 && b > q0b",
  "{ cd d; } &> q0 && b",
  "[[ x || a ]]",
  "[[ x =~ y|a ]]",
  "((a) )",
  "a $'x\\'; b #'",
  "a \"${x-'}'}\""
]

for (const [shell, name, count] of shells)
  describe.skipIf(!Oracle.isThere(shell))(`What ${name} runs`, () => {
    it(`of ${count} generated lines is in their readings (seed ${seed})`, { timeout: 600_000 }, async () => {
      const { compared, failure } = await Fuzzing.fuzz(shell, seed, count)
      assert.isUndefined(failure)
      // Lines with an obstacle prove nothing.
      assert.isAbove(compared, count / 5)
    })

    it("of lines that were once misread is in their readings", async () => {
      assert.deepStrictEqual(await Fuzzing.complaintsAbout(shell, found), [])
    })

    it("is missed by a reading of another line", async () => {
      const [ran, wrote, moved] = await Oracle.observe(shell, ["a 'x y'", "> q2_", "cd d && a"])
      assert.deepStrictEqual(ran, { runs: [{ name: "a", args: ["x y"], folder: "." }], written: [] })
      assert.deepStrictEqual(wrote, { runs: [], written: ["q2_"] })
      assert.deepStrictEqual(moved?.runs, [{ name: "a", args: [], folder: "d" }])
      for (const [line, observed] of [
        ["a x y", ran],
        ["b", ran],
        ["> q3_", wrote],
        ["a", moved]
      ] as const)
        assert.isNotEmpty(Agreement.complaints(ShellLine.read(line), observed ?? { runs: [], written: [] }))
    })

    it("is the same whether names are functions or programs", async () => {
      const some = [
        "a x | b",
        "f || c $(d)",
        "(a; g && b) > q3_",
        "for n in 1 2; do a $n; done",
        "cd d && b *",
        "a '' \"$x\""
      ]
      const sorted = (observed: ReadonlyArray<Oracle.Observed>) =>
        observed.map(({ runs, written }) => ({ written, runs: runs.map((run) => JSON.stringify(run)).toSorted() }))
      assert.deepStrictEqual(
        sorted(await Oracle.observe(shell, some, "programs")),
        sorted(await Oracle.observe(shell, some, "functions"))
      )
    })
  })
