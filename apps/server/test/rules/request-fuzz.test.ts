/**
 * Generated requests, as no sane agent sends them. Rules that allow little allow nothing else, and nothing throws.
 * Another seed plays others: `SIGNALBOX_REQUEST_SEED=7 SIGNALBOX_REQUESTS=100000`.
 */
import { assert, describe, it } from "@effect/vitest"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CallJudging from "../../src/cli/rules/CallJudging.ts"
import * as GivenRequest from "../../src/cli/rules/GivenRequest.ts"
import { Choices, randomly } from "../../../../packages/permission/test/shell/Choices.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const seed = Number(process.env["SIGNALBOX_REQUEST_SEED"] ?? 1)
const count = Number(process.env["SIGNALBOX_REQUESTS"] ?? 3_000)

const top = realpathSync(temporaryFolder("requests"))
const project = join(top, "project")
mkdirSync(join(project, "src/d"), { recursive: true })
mkdirSync(join(project, "away"))
for (const file of ["src/a.ts", "src/d/b.ts", "away/c"]) writeFileSync(join(project, file), "x")
symlinkSync("../away", join(project, "src/link"))

const allow = (match: PlacedRule["match"], number: number): PlacedRule => ({
  effect: "allow",
  match,
  source: "user",
  file: "/rules.json",
  line: number,
  number,
  folder: undefined
})

const rules = [
  allow({ kind: "read", path: "${project}/src/**" }, 1),
  allow({ kind: "edit", path: "${project}/src/d/**" }, 2),
  allow({ command: "ls src" }, 3),
  allow({ kind: "fetch", host: "good.example" }, 4),
  allow({ server: "good", tool: "look" }, 5)
]

/** Texts that no request may hold, wherever, to be allowed. */
const bad = [
  "/etc/passwd",
  "../x",
  "away/c",
  "src/link/c",
  "src/../away/c",
  "rm -rf src",
  "ls src; rm x",
  "ls src\nrm x",
  "ls -la src",
  "https://bad.example/x",
  "https://good.example@bad.example/",
  "https://good.example.bad.example/",
  "file:///etc/passwd",
  "~/.ssh/id",
  ".git/config",
  "$HOME/x"
]
const good = ["src/a.ts", "src/d/b.ts", "ls src", "https://good.example/x", "good", "look", "src", "src/d"]
const other = ["", " ", "x", "\0", "\u202E", "é".repeat(40), "__proto__", "-1", "null", "{}", "\ud800"]
const members = [
  ..."path file_path filePath files paths command cmd commands cwd workdir url uri server tool name args arguments input params env environment".split(
    " "
  ),
  ..."pattern query old_string new_string content target_file source destination from to description timeout offset limit __proto__ constructor toString server_name tool_name mcp kind".split(
    " "
  )
]
const kinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
  "none",
  7,
  null
]

const text = (choices: Choices): string =>
  choices.one(choices.below(3) === 0 ? bad : choices.below(4) === 0 ? other : good)

const value = (choices: Choices, depth: number): unknown => {
  switch (depth > 3 ? 0 : choices.below(12)) {
    case 1:
      return Array.from({ length: choices.below(4) }, () => value(choices, depth + 1))
    case 2:
    case 3:
      return Object.fromEntries(
        Array.from({ length: choices.below(4) }, () => [choices.one(members), value(choices, depth + 1)])
      )
    case 4:
      return choices.one([null, true, 0, -1, 1e300, "1", [], {}, [[[]]]])
    default:
      return text(choices)
  }
}

/** What an agent may really send, with one more member now and then. */
const usual = (choices: Choices): unknown => ({
  ...choices.one([
    { path: text(choices) },
    { command: text(choices) },
    { url: text(choices) },
    { server: text(choices), tool: text(choices) }
  ]),
  ...(choices.below(3) === 0 && { [choices.one(members)]: value(choices, 2) })
})

const request = (choices: Choices) => ({
  kind: choices.one(kinds),
  rawInput:
    choices.below(2) === 0
      ? usual(choices)
      : choices.below(6) === 0
        ? value(choices, 0)
        : Object.fromEntries(
            Array.from({ length: 1 + choices.below(3) }, () => [choices.one(members), value(choices, 1)])
          ),
  ...(choices.below(4) === 0 && { locations: [{ path: text(choices) }, { path: text(choices) }] }),
  ...(choices.below(6) === 0 && { content: [{ type: "diff", path: text(choices), oldText: "", newText: "" }] })
})

/** Texts in these members say nothing about what is done. */
const plain = new Set(["description", "tool_name", "old_string", "new_string", "content"])

const textsIn = (whole: unknown): ReadonlyArray<string> => {
  if (typeof whole === "string") return [whole]
  if (typeof whole !== "object" || whole === null) return []
  return Object.entries(whole).flatMap(([name, inner]) => (plain.has(name) ? [] : [name, ...textsIn(inner)]))
}

const judged = (body: unknown) =>
  Result.match(GivenRequest.of(JSON.stringify(body)), {
    onSuccess: (call) => CallJudging.judge(rules, { agent: "cursor", cwd: project, own: [] }, call),
    onFailure: () => Effect.undefined
  })

describe("A request", () => {
  it.live(
    `of ${count} generated ones is allowed only if it is little (seed ${seed})`,
    () =>
      Effect.gen(function* () {
        const random = randomly(seed)
        let allowed = 0
        for (let done = 0; done < count; done += 1) {
          const body = request(new Choices(Array.from({ length: 40 }, random)))
          const decision = yield* judged(body)
          if (decision?.effect !== "allow") continue
          allowed += 1
          assert.deepStrictEqual(
            textsIn(decision.paths.length > 0 ? body : { ...body, locations: [] }).filter((one) => bad.includes(one)),
            [],
            `seed ${seed}: ${JSON.stringify(body)}: ${decision.why}`
          )
        }
        // Requests that ask prove nothing.
        assert.isAbove(allowed, count / 250)
      }),
    { timeout: 120_000 }
  )

  it.live("of a great size is asked about", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 200_000 }, () => "src/a.ts")
      let deep: unknown = "src/a.ts"
      for (let level = 0; level < 2_000; level += 1) deep = { args: deep }
      for (const rawInput of [
        { paths: many },
        { path: "src/a.ts", ...Object.fromEntries(many.map((path, index) => [`x${index}`, path])) },
        { path: "a".repeat(1_000_000) },
        { command: `ls src ${"a".repeat(1_000_000)}` },
        { command: "ls src; ".repeat(100_000) },
        deep
      ])
        for (const kind of ["read", "execute"])
          assert.notStrictEqual((yield* judged({ kind, rawInput }))?.effect, "allow")
    })
  )
})
