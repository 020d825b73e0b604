/** A rules file: what is in force, and what is wrong in which line. */
import { assert, describe, it } from "@effect/vitest"
import * as RulesText from "../src/rules/RulesText.ts"

const now = Date.parse("2026-11-23T12:00:00Z")
const read = (text: string, source: "user" | "project" = "user") =>
  RulesText.read("/state/rules.json", text, { source, folder: source === "project" ? "/p" : undefined, now })

const said = (findings: ReadonlyArray<RulesText.Finding>) =>
  findings.map(({ column, line, message, path }) => `${line}:${column} ${path}: ${message}`)
const faultsOf = (text: string) => {
  const { faults, rules, warnings } = read(text)
  assert.deepStrictEqual([...rules, ...warnings], [])
  return said(faults)
}
const warningsOf = (text: string, source?: "user" | "project") => {
  const { faults, warnings } = read(text, source)
  assert.deepStrictEqual(faults, [])
  return said(warnings)
}
const ofRules = (...rules: ReadonlyArray<unknown>) => JSON.stringify({ rules })

describe("a rules file", () => {
  it("is JSON with comments and commas at the end, and each rule knows its place", () => {
    const { faults, rules, warnings } = read(`\uFEFF// mine
{
  "$schema": "x",
  "rules": [
    // tests
    { "effect": "allow", "match": { "command": "pnpm vitest **" } },

    { "effect": "deny", /* never */ "match": { "path": "~/.ssh/**", }, "why": "Keys" },
  ],
}`)
    assert.deepStrictEqual([faults, warnings], [[], []])
    assert.deepStrictEqual(rules, [
      {
        effect: "allow",
        match: { command: "pnpm vitest **" },
        source: "user",
        file: "/state/rules.json",
        line: 6,
        number: 1,
        folder: undefined
      },
      {
        effect: "deny",
        match: { path: "~/.ssh/**" },
        why: "Keys",
        source: "user",
        file: "/state/rules.json",
        line: 8,
        number: 2,
        folder: undefined
      }
    ])
  })

  it("may be empty", () => {
    for (const text of ["", " \n", "// nothing yet\n", '{ "rules": [] }'])
      assert.deepStrictEqual(read(text), { rules: [], faults: [], warnings: [] })
  })

  it("is not in force if one member of one rule is unknown or wrong", () => {
    assert.deepStrictEqual(
      faultsOf(`{
  "rules": [
    { "effect": "allow", "match": { "command": "ls" } },
    { "effect": "alow", "match": {
        "comand": "ls" } },
    { "match": { "path": "" }, "scope": { "thred": "x" }, "until": "tomorrow", "why": 4 },
    { "effect": "ask", "match": {}, "scope": "everywhere", "until": 3, "examples": [{ "effect": "ask" }] },
    null
  ],
  "rule": []
}`),
      [
        '4:7 rules[1].effect: Expected "allow" | "deny" | "ask"',
        "5:9 rules[1].match.comand: This is not known here",
        "6:5 rules[2].effect: This is missing",
        "6:18 rules[2].match.path: Expected a value with a length of at least 1",
        '6:32 rules[2].scope: Expected "global", "workspace", or an object with one of workspace (an absolute path), thread, session and sessionKind',
        '6:59 rules[2].until: Expected "once", "session", or a date such as 2027-01-31',
        "6:80 rules[2].why: Expected string",
        '7:37 rules[3].scope: Expected "global", "workspace", or an object with one of workspace (an absolute path), thread, session and sessionKind',
        '7:60 rules[3].until: Expected "once", "session", or a date such as 2027-01-31',
        "7:85 rules[3].examples[0]: Expected one of command and path",
        "8:5 rules[4]: Expected object",
        "10:3 rule: This is not known here"
      ]
    )
  })

  it("names the line where it can't be read on", () => {
    const faults: ReadonlyArray<readonly [string, string]> = [
      ['{\n  "rules": [\n', "3:1 : Expected ]"],
      ['{ "rules": [] "x" }', "1:15 : Expected a comma"],
      ['{ "rules" [] }', "1:11 : Expected a colon"],
      ["{\n rules: [] }", "2:2 : Expected a value, or a name in double quotes"],
      ['{ "rules": [,] }', "1:13 : Expected a value"],
      ['{ "rules": [] } x', "1:17 : Expected a value, or a name in double quotes"],
      ['{ "rules": [] } {}', "1:17 : Expected nothing more"],
      ['{ "$schema": "x\n", "rules": [] }', "1:14 : This text has no closing quote"],
      ['{ "rules": [] } /*', "1:17 : This comment has no end"],
      ["[]", "1:1 : It has to be an object, in braces"],
      ["{}", "1:1 rules: This is missing"],
      ['{ "rules": {} }', "1:3 rules: Expected array"]
    ]
    for (const [text, fault] of faults) assert.deepStrictEqual(faultsOf(text), [fault], text)
  })

  it("has no name twice", () => {
    assert.deepStrictEqual(
      faultsOf(
        '{ "rules": [{ "effect": "deny", "match": { "tool": "a", "tool": "b" },\n"effect": "allow" }], "rules": [] }'
      ),
      [
        "1:57 rules[0].match.tool: This name is there twice",
        "2:1 rules[0].effect: This name is there twice",
        "2:23 rules: This name is there twice"
      ]
    )
  })

  it("has its bounds", () => {
    const deep = `{ "rules": ${"[".repeat(63)}${"]".repeat(63)} }`
    assert.notInclude(faultsOf(deep).join(), "nested")
    assert.deepStrictEqual(faultsOf(`\n${"[".repeat(500_000)}`), ["2:65 : This is nested over 64 deep"])
    assert.deepStrictEqual(faultsOf(`{}${" ".repeat(2 ** 20)}`), ["1:1 : It is longer than a megabyte"])
    const rule = { effect: "deny", match: { tool: "x" }, until: "once" }
    const many = Array.from({ length: 10_000 }, () => rule)
    assert.lengthOf(read(ofRules(...many)).rules, 10_000)
    assert.deepStrictEqual(faultsOf(ofRules(...many, rule)), ["1:2 rules: It has over 10000 rules"])
  })

  it("is not read for long, whatever is in it", () => {
    for (const text of ["x ", "[", "{", '"a":', "[]", "// x\n", "/*", '{"a":1},', "0", '"', "\\", "\n"])
      read(text.repeat(Math.floor(2 ** 20 / text.length)))
    read(`{"rules":[${"null,".repeat(9_999)}null]}`)
    assert.deepStrictEqual(
      faultsOf(`{${Array.from({ length: 50_000 }, (_, index) => `"${index}":1`).join()}}`).at(-1),
      "1:685 : There are 49901 more faults"
    )
  })
})

describe("a warning", () => {
  it("is given where a rule is about everything", () => {
    const rules = [
      { effect: "allow", match: {} },
      { effect: "allow", match: { agent: "cursor", tool: "*" } },
      { effect: "allow", match: { command: "* **" } },
      { effect: "allow", match: { path: "/**" } },
      { effect: "deny", match: { agent: "*" } },
      { effect: "ask", match: { command: "**" } },
      { effect: "allow", match: { command: "ls **", path: "**" } },
      { effect: "allow", match: { path: "src/**" } }
    ]
    assert.deepStrictEqual(
      warningsOf(ofRules(...rules)).map((text) => text.replace(/^\S+ /, "")),
      [
        "rules[0].match: It allows everything, like the profile bypass",
        "rules[1].match: It allows everything of the agent cursor, like the profile bypass",
        "rules[2].match: It allows every command, like the profile bypass",
        "rules[3].match: It allows every file, like the profile bypass",
        "rules[4].match: It denies everything",
        "rules[5].match: It asks about every command"
      ]
    )
  })

  it("names the rule that it contradicts or repeats, and says which wins", () => {
    assert.deepStrictEqual(
      warningsOf(`{ "rules": [
  { "effect": "allow", "match": { "tool": "a", "agent": "b" } },
  { "effect": "ask", "match": { "agent": "b", "tool": "a" }, "scope": "global" },
  { "effect": "allow", "match": { "agent": "b", "tool": "a" } },
  { "effect": "deny", "match": { "agent": "b", "tool": "a" }, "until": "session" },
  { "effect": "deny", "match": { "agent": "b", "tool": "a" }, "scope": { "workspace": "/w" } }
] }`),
      [
        "3:5 rules[1].effect: It contradicts rule 1 in line 2, which has the same match. ask wins",
        "4:3 rules[2]: It repeats rule 1 in line 2",
        "5:5 rules[3].effect: It contradicts rule 1 in line 2, which has the same match. deny wins"
      ]
    )
  })

  it("is given where a rule never holds, or holds elsewhere than it says", () => {
    const over = [
      { effect: "deny", match: { tool: "a" }, until: "2026-11-23" },
      { effect: "deny", match: { tool: "b" }, until: "2026-11-24" },
      { effect: "deny", match: { tool: "c" }, scope: "workspace" }
    ]
    assert.lengthOf(warningsOf(ofRules(...over), "project"), 1)
    assert.deepStrictEqual(warningsOf(ofRules(...over)), [
      "1:49 rules[0].until: Its time is over, so it holds no longer",
      '1:169 rules[2].scope: It holds everywhere: this file belongs to no folder. Write { "workspace": "/the/folder" }'
    ])
    const rules = ["a && b", "a | b", "a; b", "a > f", "a 2>&1", "a &", "a $(b)"].map((command) => ({
      effect: "deny",
      match: { command }
    }))
    const fine = ["a 'x && y'", 'grep "a;b" *', "a --x=y&z", "a ** b"].map((command) => ({
      effect: "deny",
      match: { command }
    }))
    const found = warningsOf(ofRules(...rules, ...fine))
    assert.deepStrictEqual(
      found.map((text) => /match\.command: It never matches: (\S+) is/.exec(text)?.[1]),
      ["&&", "|", "a;", ">", "2>&1", "&", "$(b)"]
    )
    const allowed = ofRules({ effect: "allow", match: { tool: "a" } }, { effect: "ask", match: { tool: "b" } })
    assert.deepStrictEqual(warningsOf(allowed, "project"), [
      "1:12 rules[0].effect: It is ignored: the file of a project can only deny or ask"
    ])
  })
})
