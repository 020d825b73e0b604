/** What people are shown of a decision, and the facts that an answer is bound to. */
import { assert, describe, it } from "@effect/vitest"
import * as RequestFacts from "../src/RequestFacts.ts"
import * as RequestLook from "../src/RequestLook.ts"
import * as Decision from "../src/rules/Decision.ts"
import * as Judgements from "../src/rules/Judgements.ts"
import * as RuleSet from "../src/rules/RuleSet.ts"
import type { NamedPath } from "../src/rules/Subject.ts"
import * as ShellLine from "../src/shell/ShellLine.ts"

const folder = "/home/ann/shop"
const roots = ["/disk/shop", "/disk/more"]

const named = (path: string, said: string, leadsTo: string | null): NamedPath => ({
  path,
  said,
  leadsTo,
  access: "any"
})

const decided = (line: string, ...paths: ReadonlyArray<NamedPath>) => {
  const place = { project: "/disk/shop", home: "/home/ann", now: 0 }
  const { commands, obstacles } = ShellLine.read(line)
  return Decision.of(
    RuleSet.make([], place, (path) => path),
    {
      agent: "cursor",
      kind: "execute",
      place,
      obstacles,
      commands: commands.map(({ text, words }) => ({
        text,
        words,
        isInside: true,
        folder: named(".", folder, place.project),
        paths
      })),
      paths: []
    }
  )
}

const judged = (line: string, ...paths: ReadonlyArray<NamedPath>) =>
  Judgements.of(decided(line, ...paths), { folder, roots })

describe("what is shown of a decision", () => {
  it("are the arguments that lead elsewhere, and those that lead out", () => {
    const judgement = judged(
      "rm a b c d",
      named("a", `${folder}/a`, "/disk/shop/a"),
      named("b", `${folder}/b`, "/disk/shop/src/b"),
      named("c", `${folder}/c`, "/etc/c"),
      named("d", `${folder}/d`, "/disk/more/d"),
      named("e", `${folder}/e`, null)
    )
    assert.deepStrictEqual(judgement.commands[0]?.paths, [
      { path: "b", leadsTo: "/disk/shop/src/b" },
      { path: "c", leadsTo: "/etc/c", outside: true },
      { path: "d", leadsTo: "/disk/more/d" }
    ])
  })

  it("is why nobody can say what would run, also where a rule decides more strictly", () => {
    assert.deepStrictEqual(judged("sudo ls").obstacles, [
      "Nobody can say what sudo ls does: it runs what its arguments or its input say."
    ])
    assert.isUndefined(judged("ls").obstacles)
  })

  it("is that a command may leave this machine", () => {
    const [status, push] = judged("git status && git push").commands
    assert.isUndefined(status?.leaves)
    assert.strictEqual(push?.leaves, "sends data to another machine")
  })
})

describe("the facts of an answer", () => {
  const facts = RequestFacts.of({ kind: "execute", rawInput: '{"command":"cat notes"}', diffs: [] }, [], {
    folder,
    agent: { id: "cursor", program: "agent" }
  })
  const look = { facts, roots, paths: [], words: [], locations: [], unclear: undefined, isForPeople: false }
  const after = (leadsTo: string) =>
    RequestLook.judged(look, decided("cat notes", named("notes", `${folder}/notes`, leadsTo))).facts

  it("are where the arguments of a command lead", () => {
    const [plain, link] = [after("/disk/shop/notes"), after("/etc/passwd")]
    assert.deepStrictEqual(plain, facts)
    assert.deepStrictEqual(RequestFacts.changesBetween(plain, link), ["paths"])
    assert.notStrictEqual(RequestFacts.digestOf(plain), RequestFacts.digestOf(link))
  })
})
