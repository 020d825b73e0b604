/** What becomes of a request: which rule counts, where rules hold, and what only people can allow. */
import { assert, describe, it } from "@effect/vitest"
import type { ApprovalOption } from "@signalbox/contracts/AgentRequest"
import * as Decision from "../../src/rules/Decision.ts"
import type { PlacedRule } from "../../src/rules/Rule.ts"
import * as RuleSet from "../../src/rules/RuleSet.ts"
import type { NamedPath, Place, Subject } from "../../src/rules/Subject.ts"
import * as RuleAnswer from "../../src/RuleAnswer.ts"
import * as Mentions from "../../src/rules/Mentions.ts"
import * as ShellLine from "../../src/shell/ShellLine.ts"

const place: Place = { project: "/p", home: "/home/me", now: Date.parse("2027-01-01") }

const below = (folder: string) => [folder, "**"].join("/")

type Written = Pick<PlacedRule, "effect" | "match"> & Partial<PlacedRule>

const placed = (rules: ReadonlyArray<Written>): ReadonlyArray<PlacedRule> =>
  rules.map((rule, index) => ({
    source: "user",
    file: "/rules.json",
    line: index + 1,
    number: index + 1,
    folder: undefined,
    ...rule
  }))

const named = (path: string, more: Partial<NamedPath> = {}): NamedPath => {
  const said = path.startsWith("/") ? path : `/p/${path}`
  return { path, said, leadsTo: said, access: "any", ...more }
}

const subjectOf = (line: string, more: Partial<Subject> = {}, isInside: boolean | null = true): Subject => {
  const { commands, obstacles, redirections } = ShellLine.read(line)
  return {
    agent: "cursor",
    kind: "execute",
    place,
    obstacles,
    commands: commands.map(({ text, words }) => {
      const mentions = Mentions.of(words)
      return {
        text,
        words,
        isInside,
        folder: named(".", { said: "/p", leadsTo: "/p" }),
        paths: typeof mentions === "string" ? [] : mentions.map(({ text: path, ...rest }) => named(path, rest))
      }
    }),
    paths: redirections.flatMap(({ access, target }) =>
      target.type === "literal" ? [named(target.value, { access })] : []
    ),
    ...more
  }
}

const decided = (rules: ReadonlyArray<Written>, subject: Subject) =>
  Decision.of(
    RuleSet.make(placed(rules), subject.place, (path) => path),
    subject
  )

const allow = (command: string, path?: string): Written => ({
  effect: "allow",
  match: { command, ...(path !== undefined && { path }) }
})
const deny = (match: PlacedRule["match"]): Written => ({ effect: "deny", match })
const ask = (match: PlacedRule["match"]): Written => ({ effect: "ask", match })

type Case = readonly [what: string, rules: ReadonlyArray<Written>, line: string, effect: string, rule: number | null]

const cases: ReadonlyArray<Case> = [
  ["no rule", [], "ls", "ask", null],
  ["a rule that allows", [allow("ls **")], "ls -la", "allow", 1],
  ["deny before ask before allow", [allow("ls"), ask({ command: "ls" }), deny({ command: "ls" })], "ls", "deny", 3],
  ["ask before allow", [allow("ls"), ask({ command: "ls" })], "ls", "ask", 2],
  ["the first of those that allow", [allow("ls **"), allow("ls")], "ls", "allow", 1],
  ["one command that nothing allows", [allow("ls **")], "ls && rm x", "ask", null],
  ["one command that is denied", [allow("**"), deny({ command: "rm **" })], "ls | cat; (rm x)", "deny", 2],
  ["a word that is not known", [allow("cat **")], 'cat "$x"', "ask", null],
  ["a word that may be denied", [allow("rm **"), deny({ command: "rm -rf **" })], "rm $x", "ask", 2],
  ["a word that can't be denied", [allow("rm **"), deny({ command: "mv **" })], "rm $x", "ask", null],
  ["a number that is printed", [allow("echo **")], 'echo "exit: $?"', "allow", 1],
  ["a number that is no text", [allow("cat **")], "cat $?", "ask", null],
  ["a line that can't be seen through", [allow("**")], "sudo ls", "ask", null],
  ["a denied line that can't be seen through", [allow("**"), deny({ command: "sudo **" })], "sudo ls", "deny", 2],
  ["a denied path", [allow("cat **"), deny({ path: "**/secret" })], "cat a/secret", "deny", 2],
  ["a denied path in an option", [allow("cat **"), deny({ path: "**/secret" })], "cat --file=secret", "deny", 2],
  ["a denied path glued to an option", [allow("cat **"), deny({ path: "**/secret.x" })], "cat -osecret.x", "deny", 2],
  ["a pattern that may fit a denied path", [allow("cat **"), deny({ path: "**/secret" })], "cat s*", "ask", 2],
  ["a pattern that can't fit", [allow("cat **"), deny({ path: "**/secret" })], "cat *.ts", "allow", 1],
  [
    "a kind that a program may do",
    [allow("cat **"), deny({ kind: "read", path: "**/secret" })],
    "cat secret",
    "ask",
    2
  ],
  ["files within the path of a rule", [allow("cat **", below("src"))], "cat src/a src/b", "allow", 1],
  ["one file beyond it", [allow("cat **", below("src"))], "cat src/a b", "ask", null],
  ["no file, in another folder", [allow("cat **", below("src"))], "cat", "ask", null],
  ["no file, in the folder", [allow("cat **", below("${project}"))], "cat -n", "allow", 1],
  ["a pattern within it", [allow("cat **", below("src"))], "cat src/*", "allow", 1],
  ["a pattern that a single name allows", [allow("cat **", "src/*")], "cat src/*", "ask", null],
  ["paths alone, for a program", [{ effect: "allow", match: { path: "**" } }], "cat a", "ask", null],
  ["a file that the shell writes", [allow("ls")], "ls > a", "ask", null],
  [
    "and a rule that allows it",
    [allow("ls"), { effect: "allow", match: { kind: "edit", path: "**" } }],
    "ls > a",
    "allow",
    1
  ],
  ["a file that the shell reads", [allow("cat")], "cat < a", "allow", 1],
  ["a file that it reads beyond the path", [allow("cat", below("${project}"))], "cat < /etc/a", "ask", null],
  ["a denied file that it reads", [allow("cat"), deny({ path: "a" })], "cat < a", "deny", 2],
  ["a program by its path", [allow("git **")], "./git x", "ask", null],
  ["a star for a program by its path", [allow("* x")], "./git x", "ask", null],
  ["an empty line", [allow("**")], "", "ask", null],
  ["another agent", [{ effect: "allow", match: { command: "ls", agent: "codex" } }], "ls", "ask", null],
  ["this agent", [{ effect: "allow", match: { command: "ls", agent: "cur*" } }], "ls", "allow", 1],
  ["another kind", [{ effect: "allow", match: { command: "ls", kind: "read" } }], "ls", "ask", null],
  ["everything", [{ effect: "allow", match: {} }], "ls", "allow", 1]
]

describe("A decision about", () => {
  for (const [what, rules, line, effect, rule] of cases)
    it(`${what}: ${effect}`, () => {
      const decision = decided(rules, subjectOf(line))
      assert.deepStrictEqual([decision.effect, decision.rule?.number ?? null], [effect, rule], decision.why)
    })

  it("a command outside of the project, or in a folder that is not known, is for people", () => {
    for (const isInside of [false, null]) {
      assert.strictEqual(decided([allow("ls")], subjectOf("ls", {}, isInside)).effect, "ask")
      assert.strictEqual(decided([deny({ command: "ls" })], subjectOf("ls", {}, isInside)).effect, "deny")
    }
  })

  it("what is built in does not look at rules", () => {
    for (const effect of ["deny", "ask"] as const) {
      const guard = { effect, why: "It is a key." }
      const paths = [named("a", { guard })]
      const file = { agent: "cursor", kind: "read", place, obstacles: [], paths }
      const decision = decided([{ effect: "allow", match: {} }], file)
      assert.deepStrictEqual(
        [decision.effect, decision.rule?.source, decision.why],
        [effect, "built-in", "It is a key."]
      )
    }
  })

  it("a path whose end is not known is asked about, and may be denied", () => {
    const file: Subject = { agent: "a", kind: "read", place, obstacles: [], paths: [named("a", { leadsTo: null })] }
    assert.strictEqual(decided([{ effect: "allow", match: { path: "**" } }], file).effect, "ask")
    assert.strictEqual(decided([deny({ path: below("/q") })], file).rule?.number, 1)
  })

  it("a link is allowed by its end, and denied by either", () => {
    const file: Subject = { agent: "a", kind: "read", place, obstacles: [], paths: [named("a", { leadsTo: "/q/b" })] }
    assert.strictEqual(decided([{ effect: "allow", match: { path: below("/p") } }], file).effect, "ask")
    assert.strictEqual(decided([{ effect: "allow", match: { path: below("/q") } }], file).effect, "allow")
    for (const path of ["/p/a", "/q/b"]) assert.strictEqual(decided([deny({ path })], file).effect, "deny")
  })

  it("a denied link stays denied where its folder is behind a link itself", () => {
    const file: Subject = { agent: "a", kind: "read", place, obstacles: [], paths: [named("/real/a")] }
    const rules = placed([deny({ path: below("/link") })])
    const follow = (path: string) => path.replace("/link", "/real")
    assert.strictEqual(Decision.of(RuleSet.make(rules, place, follow), file).effect, "deny")
    assert.strictEqual(
      Decision.of(RuleSet.make(placed([{ effect: "allow", match: { path: below("/link") } }]), place, follow), file)
        .effect,
      "ask"
    )
  })

  it("an MCP tool or an address is by all its members", () => {
    const call: Subject = { agent: "a", kind: "other", server: "s", tool: "t", place, obstacles: [], paths: [] }
    const effectOf = (match: PlacedRule["match"], subject = call) =>
      decided([{ effect: "allow", match }], subject).effect
    assert.strictEqual(effectOf({ server: "s", tool: "t" }), "allow")
    assert.strictEqual(effectOf({ server: "s", tool: "u" }), "ask")
    assert.strictEqual(effectOf({ server: "s", path: "**" }), "ask")
    assert.strictEqual(effectOf({ command: "**" }), "ask")
    const fetch: Subject = { agent: "a", kind: "fetch", host: "API.example.org", place, obstacles: [], paths: [] }
    assert.strictEqual(effectOf({ host: "*.Example.org" }, fetch), "allow")
    assert.strictEqual(effectOf({ host: "example.org" }, fetch), "ask")
    assert.strictEqual(effectOf({ path: below("/p") }, { ...fetch, paths: [named("a")] }), "ask")
  })
})

describe("A rule holds", () => {
  const holds = (rule: Partial<PlacedRule>, at: Partial<Place> = {}) =>
    decided([{ effect: "deny", match: {}, ...rule }], subjectOf("ls", { place: { ...place, ...at } })).effect === "deny"

  const rows: ReadonlyArray<readonly [what: string, rule: Partial<PlacedRule>, at: Partial<Place>, holds: boolean]> = [
    ["everywhere", {}, {}, true],
    ["in its folder", { scope: { workspace: "/p" } }, {}, true],
    ["below its folder", { scope: { workspace: "/p" } }, { project: "/p/sub" }, true],
    ["in no folder beside it", { scope: { workspace: "/p" } }, { project: "/pq" }, false],
    ["in the folder of its file", { scope: "workspace", folder: "/p" }, {}, true],
    ["in no other folder than that of its file", { scope: "workspace", folder: "/q" }, {}, false],
    ["in its thread", { scope: { thread: "t" } }, { thread: "t" }, true],
    ["in no other thread", { scope: { thread: "t" } }, { thread: "u" }, false],
    ["in no thread if there is none", { scope: { thread: "t" } }, {}, false],
    ["in its session", { scope: { session: "s" } }, { session: "s" }, true],
    ["in no other session", { scope: { session: "s" } }, {}, false],
    ["in sessions of its kind", { scope: { sessionKind: "k" } }, { sessionKind: "k" }, true],
    ["in no session of another kind", { scope: { sessionKind: "k" } }, { sessionKind: "l" }, false],
    ["until its moment", { until: "2027-01-02" }, {}, true],
    ["at its moment no more", { until: "2027-01-01" }, {}, false],
    ["in its project", { source: "project", folder: "/p" }, {}, true],
    ["in no other project", { source: "project", folder: "/q" }, {}, false]
  ]
  for (const [what, rule, at, expected] of rows)
    it(`holds ${what}`, () => assert.strictEqual(holds(rule, at), expected))

  it("never to allow something in a project's file", () => {
    assert.strictEqual(decided([{ ...allow("ls"), source: "project", folder: "/p" }], subjectOf("ls")).effect, "ask")
  })

  it("by itself, whichever lists and folders were judged before", () => {
    const rules = placed([deny({ path: "a" })])
    const effectIn = (project: string) => {
      const subject: Subject = {
        agent: "a",
        kind: "read",
        obstacles: [],
        paths: [named("/p/a")],
        place: { ...place, project }
      }
      return Decision.of(
        RuleSet.make(rules, subject.place, (path) => path),
        subject
      ).effect
    }
    assert.deepStrictEqual(["/p", "/q", "/p", "/q"].map(effectIn), ["deny", "ask", "deny", "ask"])
    assert.strictEqual(decided([], subjectOf("ls")).effect, "ask")
  })
})

describe("The answer of rules", () => {
  const option = (kind: ApprovalOption["kind"]): ApprovalOption => ({ optionId: kind, name: kind, kind })
  const all = (["allow_always", "allow_once", "reject_always", "reject_once"] as const).map(option)
  const answer = (rules: ReadonlyArray<Written>, options = all) => {
    const found = RuleAnswer.of(decided(rules, subjectOf("ls")), options)
    return typeof found === "object" ? found.optionId : found
  }

  it("takes the option that holds once", () => {
    assert.strictEqual(answer([allow("ls")]), "allow_once")
    assert.strictEqual(answer([deny({ command: "ls" })]), "reject_once")
  })

  it("is left to people where no such option is offered, and where a rule asks", () => {
    const forGood = [option("allow_always"), option("reject_always")]
    assert.strictEqual(answer([allow("ls")], forGood), "people")
    assert.strictEqual(answer([deny({ command: "ls" })], forGood), "people")
    assert.strictEqual(answer([ask({ command: "ls" })]), "people")
  })

  it("is none where no rule says anything", () => assert.isUndefined(answer([])))
})

describe("Arguments that may be paths", () => {
  const mentions = (line: string) => {
    const found = Mentions.of(ShellLine.read(line).commands[0]?.words ?? [])
    if (typeof found === "string") return found
    return found.map(
      ({ below, isDoubtful, text }) =>
        `${text}${below === undefined ? "" : ` ${below.join("/")}`}${isDoubtful ? "?" : ""}`
    )
  }
  const rows: ReadonlyArray<readonly [line: string, ...found: ReadonlyArray<string>]> = [
    ["cat a b a", "a", "b"],
    ["./x a", "./x", "a"],
    ["cat -n --all"],
    ["cat --file=a/b", "a/b"],
    ["cat -o/a", "/a"],
    ["cat @a", "@a", "a"],
    ["cat h:/a", "h:/a", "/a"],
    ["cat *.ts src/*/x", ". *.ts", "src/ */x"],
    ["cat https://h/x", "https://h/x?"],
    ["cat file:///a%20b", "/a b", "/a%20b", "file:///a%20b?"],
    ["cat ''"]
  ]
  for (const [line, ...found] of rows)
    it(`of ${line}`, () => {
      const all = mentions(line)
      for (const one of found) assert.include(all, one)
      if (found.length === 0) assert.deepStrictEqual(all, [])
    })

  it("are not listed where they are too many, or too long", () => {
    assert.strictEqual(
      mentions(`cat ${Array.from({ length: 70 }, (_, index) => `a${index}`).join(" ")}`),
      "names more than 64 files"
    )
    assert.strictEqual(mentions(`cat ${"a".repeat(5000)}`), "has an argument of more than 4096 characters")
  })
})
