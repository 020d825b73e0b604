/** The facts that an answer is bound to, and the digest that stands for them. */
import { assert, describe, it } from "@effect/vitest"
import * as InputPaths from "../src/InputPaths.ts"
import * as RequestFacts from "../src/RequestFacts.ts"

const session = { folder: "/project", agent: { id: "custom", program: "/usr/bin/agent" } }
const call = { kind: "execute", rawInput: '{"command":"ls"}', diffs: [] } as const
const paths = [{ path: "a", leadsTo: "/project/a", exists: true }]
const facts = RequestFacts.of(call, paths, session)
const digest = RequestFacts.digestOf(facts)
const diff = { path: "/project/a", oldText: "a", newText: "b" }

const withInput = (input: unknown) =>
  RequestFacts.digestOf(RequestFacts.of({ ...call, rawInput: JSON.stringify(input) }, paths, session))

describe("the digest of a request", () => {
  it("is SHA-256 in hexadecimal digits", () => {
    assert.match(digest, /^[0-9a-f]{64}$/)
  })

  it("is the same whatever the order of members, also of inner ones", () => {
    assert.strictEqual(withInput({ a: 1, b: { c: 2, d: [1, 2] } }), withInput({ b: { d: [1, 2], c: 2 }, a: 1 }))
  })

  it("differs with the order of a list", () => {
    assert.notStrictEqual(withInput({ args: ["push", "--force"] }), withInput({ args: ["--force", "push"] }))
  })

  it.each([
    ["kind", { ...facts, kind: "read" }],
    ["input", { ...facts, input: '{"command":"rm"}' }],
    ["input", { ...facts, input: undefined }],
    ["diff", { ...facts, diffs: [diff] }],
    ["paths", { ...facts, paths: [{ path: "a", leadsTo: "/etc/a" }] }],
    ["paths", { ...facts, paths: [{ path: "a", leadsTo: null }] }],
    ["folder", { ...facts, folder: "/project-2" }],
    ["agent", { ...facts, agent: { id: "other", program: "/usr/bin/agent" } }],
    ["agent", { ...facts, agent: { id: "custom", program: "/tmp/agent" } }]
  ] as const)("differs with the %s, and that is named", (fact, other) => {
    assert.notStrictEqual(RequestFacts.digestOf(other), digest)
    assert.deepStrictEqual(RequestFacts.changesBetween(facts, other), [fact])
  })

  it("does not know titles, statuses and locations", () => {
    const tool = { ...call, title: "Other", status: "in_progress", locations: [{ path: "/etc" }] } as const
    assert.strictEqual(RequestFacts.digestOf(RequestFacts.of(tool, paths, session)), digest)
  })

  it("a change is reported with what it was and what it is, and cut if it is long", () => {
    const other = RequestFacts.withCall(facts, { ...call, rawInput: JSON.stringify({ command: "x".repeat(5000) }) })
    const told = RequestFacts.changesText(facts, other)
    assert.include(told, 'The input was {"command":"ls"} and is now {"command":"xxx')
    assert.include(told, "… (5014 characters)")
    assert.isBelow(told.length, 600)
  })
})

describe("the links of a request", () => {
  const at = <To extends string | null>(path: string, leadsTo: To) => ({ path, leadsTo })

  it("are the paths that lead elsewhere, and those that lead out say so", () => {
    const paths = [at("a", "/project/a"), at("b", "/project/c"), at("/project/d", "/etc/d"), at("e", null)]
    assert.deepStrictEqual(RequestFacts.linksOf({ folder: "/project", paths }, ["/project", "/more"]), [
      at("b", "/project/c"),
      { ...at("/project/d", "/etc/d"), outside: true }
    ])
  })

  it("are not all that is in a folder which is behind a link", () => {
    const paths = [at("a", "/disk/project/a"), at("/home/project/b", "/disk/project/b"), at("c", "/disk/other")]
    assert.deepStrictEqual(RequestFacts.linksOf({ folder: "/home/project", paths }, ["/disk/project"]), [
      { ...at("c", "/disk/other"), outside: true }
    ])
  })
})

describe("the paths in an input", () => {
  const inInput = (input: unknown) => InputPaths.inInput(JSON.stringify(input))

  it("are found under every name and at every depth", () => {
    const { paths, unclear } = inInput({
      file_path: "a",
      args: { targetFile: "b", "search-paths": ["c", "d"] },
      files: [{ absolute_path: "e" }]
    })
    assert.deepStrictEqual([paths, unclear], [["a", "b", "c", "d", "e"], undefined])
  })

  it("of an input that is too deep or too large can't be known", () => {
    let deep: unknown = "x"
    for (let depth = 0; depth < 200; depth += 1) deep = { path: deep }
    assert.strictEqual(inInput(deep).unclear, "path")
    assert.strictEqual(
      inInput({ paths: Array.from({ length: 100_000 }, (_, index) => `f${index}`) }).unclear,
      "rawInput"
    )
  })

  it.each([{ path: 1 }, { path: true }, "a", ["a"], { note: "a" }, { uri: "a" }, { pattern: "a/b" }, { query: "~" }])(
    "can't be known of %j",
    (input) => assert.isDefined(inInput(input).unclear)
  )
})

describe("a call with very many members", () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, index]))

  it("is bound to all of them, and is not put in order", () => {
    const rawInput = JSON.stringify({ b: 1, ...many })
    const facts = RequestFacts.of({ ...call, rawInput }, paths, session)
    assert.strictEqual(facts.input, rawInput)
    assert.notStrictEqual(withInput({ b: 1, ...many }), withInput({ b: 1, ...many, m19999: "other" }))
  })

  it("is unclear, so that people are asked", () => {
    assert.strictEqual(InputPaths.inInput(JSON.stringify({ path: "a", ...many })).unclear, "rawInput")
  })
})
