/** The rule that is offered after like answers: the narrowest that covers them, or none. */
import { assert, describe, it } from "@effect/vitest"
import * as CommandPattern from "../src/rules/CommandPattern.ts"
import * as Decision from "../src/rules/Decision.ts"
import * as RuleOffer from "../src/rules/RuleOffer.ts"
import * as RuleSet from "../src/rules/RuleSet.ts"
import type { PlacedRule } from "../src/rules/Rule.ts"
import type { NamedPath } from "../src/rules/Subject.ts"
import * as ShellLine from "../src/shell/ShellLine.ts"

const ground = { folder: "/shop", roots: ["/shop"] }
const place = { project: "/shop", home: "/home/ann", now: 0 }

const inside = (path: string, leadsTo: string | null = `/shop/${path}`): NamedPath => ({
  path,
  said: `/shop/${path}`,
  leadsTo,
  access: "any"
})

const allows = (command: string): PlacedRule => ({
  effect: "allow",
  match: { command },
  source: "user",
  file: "/rules.json",
  line: 1,
  number: 1,
  folder: undefined
})

interface Setting {
  readonly paths?: ReadonlyArray<NamedPath>
  readonly opened?: ReadonlyArray<NamedPath>
  readonly isInside?: boolean | null
  readonly rules?: ReadonlyArray<PlacedRule>
}

const decided = (line: string, { isInside = true, opened = [], paths = [], rules = [] }: Setting = {}) => {
  const { commands, obstacles } = ShellLine.read(line)
  return Decision.of(
    RuleSet.make(rules, place, (path) => path),
    {
      agent: "cursor",
      kind: "execute",
      place,
      obstacles,
      commands: commands.map(({ text, words }) => ({ text, words, isInside, folder: inside(".", "/shop"), paths })),
      paths: opened
    }
  )
}

const commandOf = (line: string, setting?: Setting) => RuleOffer.commandOf(decided(line, setting), ground)

describe("the command that a rule would be about", () => {
  it.each([
    ["pnpm exec tsc -b", ["pnpm", "exec", "tsc", "-b"]],
    ["git diff --stat", ["git", "diff", "--stat"]],
    ["npm run build", ["npm", "run", "build"]],
    ["grep 'two words' src", ["grep", "two words", "src"]]
  ])("is %s", (line, words) => assert.deepStrictEqual(commandOf(line), words))

  it("is the one that no rule matches", () => {
    const rules = [allows("cd src")]
    assert.deepStrictEqual(commandOf("cd src && git diff", { rules }), ["git", "diff"])
    assert.isUndefined(commandOf("cd src && git diff"))
    assert.isUndefined(commandOf("cd src", { rules }))
  })

  it.each([
    "node build.mjs",
    "python3.12 tool.py",
    "npx cowsay",
    "make test",
    "./run.sh",
    "/usr/bin/git status",
    "git -c core.pager=x log",
    "git --exec-path=/tmp status",
    "npm exec -- x",
    "pnpm dlx x",
    "go run .",
    "docker --debug run shop",
    "sudo ls",
    "sh -c ls",
    "eval ls",
    "xargs rm",
    "echo $HOME",
    "cat src/*.ts",
    "ls $(pwd)",
    "grep '*' notes",
    `echo "it's \\"it\\""`,
    "PATH=/tmp ls"
  ])("is none for %s", (line) => assert.isUndefined(commandOf(line)))

  it("is none where a path leads out, is guarded or is not known", () => {
    assert.isUndefined(commandOf("cat link", { paths: [inside("link", "/etc/passwd")] }))
    assert.isUndefined(commandOf("cat link", { paths: [inside("link", null)] }))
    const guard = { effect: "ask", why: "It is a key." } as const
    assert.isUndefined(commandOf("cat key", { paths: [{ ...inside("key"), guard }] }))
    assert.isUndefined(commandOf("cat notes > out", { opened: [{ ...inside("out"), access: "write" }] }))
    assert.isUndefined(commandOf("cat notes", { isInside: false }))
    assert.isUndefined(commandOf("cat notes", { isInside: null }))
    assert.isDefined(commandOf("cat notes", { paths: [inside("notes")] }))
  })

  it("is none where a rule asks or denies", () => {
    assert.isUndefined(commandOf("git diff", { rules: [{ ...allows("git diff"), effect: "ask" }] }))
    assert.isUndefined(commandOf("git diff", { rules: [{ ...allows("git diff"), effect: "deny" }] }))
  })
})

const given = (line: string, isAllowed = true): RuleOffer.Given => ({ words: CommandPattern.of(line), isAllowed })
const offered = (line: string, ...earlier: ReadonlyArray<RuleOffer.Given>) =>
  RuleOffer.of("cursor", CommandPattern.of(line), earlier)
const matchOf = (line: string, ...earlier: ReadonlyArray<string>) =>
  offered(line, ...earlier.map((one) => given(one)))?.rule.match

describe("the rule that is offered", () => {
  it("comes after three like answers in a row, and is exact", () => {
    const tsc = "pnpm exec tsc -b"
    assert.isUndefined(offered(tsc, given(tsc), given(tsc)))
    assert.deepStrictEqual(offered(tsc, given(tsc), given("git diff", false), given(tsc), given(tsc)), {
      rule: { effect: "allow", match: { agent: "cursor", command: tsc } },
      times: 3
    })
    assert.isUndefined(offered(tsc, given(tsc), given(tsc, false), given(tsc), given(tsc)))
    assert.isUndefined(offered(tsc, given(tsc), given(tsc), given(tsc), given(tsc, false)))
  })

  it("holds words together that have spaces or quotes", () => {
    const line = `git commit -m "two words" 'say "hi"' ""`
    const { command = "" } = matchOf(line, line, line, line) ?? {}
    assert.strictEqual(command, line)
    assert.deepStrictEqual(CommandPattern.of(command), CommandPattern.of(line))
  })

  it("has one star where the last words differ, for one word in the project", () => {
    assert.deepStrictEqual(matchOf("eslint src/d.ts", "eslint src/a.ts", "eslint src/b.ts", "eslint src/c.ts"), {
      agent: "cursor",
      command: "eslint src/*.ts",
      path: "${project}/**"
    })
    const { command = "" } = matchOf("git diff main-a", "git diff main-b", "git diff main-c", "git diff main-d") ?? {}
    assert.strictEqual(command, "git diff main-*")
    const matches = (line: string) =>
      CommandPattern.match(
        CommandPattern.of(command),
        CommandPattern.of(line).map((value) => ({ type: "literal", value }))
      )
    assert.strictEqual(matches("git diff main-z"), "yes")
    assert.strictEqual(matches("git diff --output=/tmp/x"), "no")
    assert.strictEqual(matches("git diff main-a --output=/tmp/x"), "no")
  })

  it.each([
    ["no word in common", "git diff a", "git diff b", "git diff c", "git diff d"],
    ["options", "git diff --a", "git diff --b", "git diff --c", "git diff --d"],
    ["scripts", "npm run build-a", "npm run build-b", "npm run build-c", "npm run build-d"],
    ["another place", "cp a-1 x", "cp a-2 x", "cp a-3 x", "cp a-4 x"],
    ["another length", "ls src/a", "ls src/a -l", "ls src/b -l", "ls src/c -l"],
    ["another program", "cat-a", "cat-b", "cat-c", "cat-d"],
    ["a word with spaces", "echo 'a b1'", "echo 'a b2'", "echo 'a b3'", "echo 'a b4'"]
  ])("is none where they differ in %s", (_why, line, ...earlier) => assert.isUndefined(matchOf(line, ...earlier)))
})
