// `npm run bench [-- name … --repeat N]`: every measurement beside its baseline in one run, interleaved, each in processes of its own.
// Prints medians and the median of the ratios pair by pair, and writes everything to .tmp/bench/. What it found is in README.md.
import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { experiments } from "./experiments.mjs"
import { median } from "./measure.mjs"
import { root } from "./processes.mjs"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { repeat: { type: "string", default: "7" } }
})
const repeat = Number(values.repeat)
const chosen = positionals.length === 0 ? Object.keys(experiments) : positionals
for (const name of chosen) {
  if (experiments[name] === undefined) {
    console.error(`There is no benchmark ${name}. There are: ${Object.keys(experiments).join(", ")}`)
    process.exit(2)
  }
}

const number = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))
/** `at` is `<=`, `>=` or `==` and a number. */
const meets = (reached, at) => {
  const goal = Number(at.slice(2))
  return at.startsWith("<=") ? reached <= goal : at.startsWith(">=") ? reached >= goal : reached === goal
}
const folder = join(root, ".tmp", "bench")
mkdirSync(folder, { recursive: true })
console.log(
  `${cpus()[0]?.model ?? "unknown CPU"}, ${cpus().length} cores, Node ${process.version}, ${repeat} repetitions\n`
)

for (const name of chosen) {
  const { goals = [], missing, subjects, title } = experiments[name]
  if (missing !== undefined) {
    console.log(`${name}: skipped. ${missing}\n`)
    continue
  }
  const runs = []
  for (let i = 0; i < repeat; i++) {
    const results = {}
    for (const [subject, measure] of Object.entries(subjects)) results[subject] = await measure()
    runs.push(results)
  }
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(runs, null, 2)}\n`)
  console.log(`${name}: ${title}`)
  for (const subject of Object.keys(subjects)) {
    const figures = Object.keys(runs[0][subject]).filter((key) => typeof runs[0][subject][key] === "number")
    const texts = figures.map((key) => `${key} ${number(median(runs.map((run) => run[subject][key])))}`)
    console.log(`  ${subject.padEnd(12)} ${texts.join("  ")}`)
  }
  for (const { at, beyond, figure, of, over, what } of goals) {
    const beside = (run) =>
      beyond === undefined
        ? run[of][figure] / (over === undefined ? 1 : run[over][figure])
        : run[of][figure] - run[beyond][figure]
    const reached = median(runs.map(beside))
    const holds = meets(reached, at)
    console.log(`  ${holds ? "ok  " : "MISS"} ${what}: ${number(reached)} (goal ${at})`)
    if (!holds) process.exitCode = 1
  }
  console.log()
}
