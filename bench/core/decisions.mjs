// What a decision costs at 1,000 rules: `node decisions.mjs prefixes | decided | judged | long`. `prefixes` is the least that could be done: each line against
// 1,000 beginnings. `decided` has the lines read and their paths followed before. `judged` is a whole request: it reads the line and follows its
// paths on the disk. `long` is a whole request of 100 kB. Prints one line of JSON.
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CommandSubject from "../../apps/server/src/rules/CommandSubject.ts"
import * as Judging from "../../apps/server/src/rules/Judging.ts"
import * as Decision from "../../packages/permission/src/rules/Decision.ts"
import * as RuleSet from "../../packages/permission/src/rules/RuleSet.ts"
import { report } from "../measure.mjs"

const [, , what = "decided"] = process.argv
const folder = realpathSync(mkdtempSync(join(tmpdir(), "bench-decisions-")))
mkdirSync(join(folder, "src"))
writeFileSync(join(folder, "src/a.ts"), "a")

const lines = [
  "ls -la src",
  "cat src/a.ts",
  "cd src && npm test 2>&1 | tail -20",
  "git status --short",
  "git diff HEAD~1 -- src/a.ts",
  'rg -n "function" src',
  "sed -n '1,80p' src/a.ts",
  "echo one > src/b.ts"
]

// A fifth is about each of: one program with many patterns, many programs, paths, everything but for one word, another scope.
const matchOf = (number) =>
  [
    { command: `git topic-${number} **` },
    { command: `program-${number} **` },
    { path: `docs/part-${number}/**` },
    { command: `** --option-${number} **` },
    { command: `ls topic-${number}`, agent: "another" }
  ][number % 5]
const rules = Array.from({ length: 1000 }, (_, number) => ({
  effect: ["allow", "ask", "deny"][number % 3],
  match: matchOf(number),
  source: "user",
  file: "rules.json",
  line: number + 1,
  number: number + 1,
  folder: undefined
}))

const origin = { agent: "cursor", cwd: folder, own: [join(folder, "state")] }
const place = { project: folder, home: "/home/ann", now: 0 }
const same = (path) => path

/** The least time of one line, over batches of half a second in all. */
const best = async (work) => {
  let least = Infinity
  for (let batch = 0; batch < 10; batch += 1) {
    const began = performance.now()
    let rounds = 0
    for (; performance.now() - began < 50; rounds += 1) for (const line of given) await work(line)
    least = Math.min(least, (performance.now() - began) / rounds / given.length)
  }
  return least * 1000
}

/** Without promises between. */
const bestAtOnce = async (work) => {
  let least = Infinity
  for (let batch = 0; batch < 10; batch += 1) {
    const began = performance.now()
    let rounds = 0
    for (; performance.now() - began < 50; rounds += 1) for (const line of given) work(line)
    least = Math.min(least, (performance.now() - began) / rounds / given.length)
  }
  return least * 1000
}

const given = what === "long" ? ["echo one; ".repeat(10_000)] : lines
const subjects = new Map()
for (const line of given) {
  const asked = await Effect.runPromise(CommandSubject.of(line, folder, { own: [], roots: [folder] }))
  subjects.set(line, { agent: "cursor", kind: "execute", place, ...asked })
}
const beginnings = rules.map(({ match }) => match.command ?? match.path)

const us = {
  prefixes: () => bestAtOnce((line) => beginnings.filter((beginning) => line.startsWith(beginning))),
  decided: () => bestAtOnce((line) => Decision.of(RuleSet.make(rules, place, same), subjects.get(line))),
  judged: () => best((line) => Effect.runPromise(Judging.command(rules, origin, line))),
  long: () => best((line) => Effect.runPromise(Judging.command(rules, origin, line)))
}[what]
report({ rules: rules.length, decisionUs: await us() })
rmSync(folder, { recursive: true, force: true })
