/** Answers that settings give: chosen by what was found of a request, and by nothing that the agent says of it. */
import { assert, describe, it } from "@effect/vitest"
import type { ApprovalOption } from "@signalbox/contracts/AgentRequest"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { FollowedPath } from "../src/FollowedPath.ts"
import * as PermissionPolicy from "../src/PermissionPolicy.ts"
import type { JudgedLook } from "../src/RequestLook.ts"
import type { Decision } from "../src/rules/Decision.ts"
import type { PlacedRule } from "../src/rules/Rule.ts"

const options: ReadonlyArray<ApprovalOption> = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "never", name: "Never", kind: "reject_always" }
]

const inside: FollowedPath = { path: "a", leadsTo: "/project/a", exists: true }
const outside: FollowedPath = { path: "b", leadsTo: "/etc/b", exists: true }

const placed = (effect: PlacedRule["effect"], source: PlacedRule["source"] = "user"): PlacedRule => ({
  effect,
  match: {},
  source,
  file: "/state/rules.json",
  line: 1,
  number: 1,
  folder: undefined
})

type JudgedPath = Decision["paths"][number]

const pathOf = (leadsTo: string | null, more: Partial<JudgedPath["path"]> = {}, rule?: PlacedRule): JudgedPath => ({
  effect: rule?.effect ?? "ask",
  rule,
  why: "",
  path: { path: "a", said: leadsTo, leadsTo, access: "write", ...more }
})

/** What the engine makes of writing one file of the project, where no rule matches. */
const decision = (more: Partial<Decision> = {}): Decision => ({
  effect: "ask",
  rule: undefined,
  why: "",
  inspectable: true,
  obstacles: [],
  commands: [],
  paths: [pathOf("/project/a")],
  ...more
})

/** A look at a request to read one file of the project, with what is different about it. */
const look = ({ kind = "read", ...more }: Partial<JudgedLook> & { readonly kind?: string } = {}): JudgedLook => ({
  facts: { folder: "/project", agent: { id: "a", program: "a" }, kind, input: undefined, diffs: [], paths: [inside] },
  roots: ["/project"],
  paths: [inside],
  words: [],
  locations: [],
  unclear: undefined,
  isForPeople: false,
  decision: decision(),
  profile: "ask",
  ...more
})

const choose = (profile: PermissionProfile, found: JudgedLook, among = options) =>
  PermissionPolicy.choose(profile, among, found)?.optionId

describe("settings that allow reading", () => {
  const allow = (found: JudgedLook) => choose("allow-reads", found)

  it("allow a file of the session's folders, once", () => assert.strictEqual(allow(look()), "once"))

  const asked: ReadonlyArray<readonly [what: string, found: JudgedLook]> = [
    ["a call that is no reading", look({ kind: "edit" })],
    ["no path at all", look({ paths: [] })],
    ["a path that leads out", look({ paths: [inside, outside] })],
    ["a path that is not there", look({ paths: [{ ...inside, exists: false }] })],
    ["a path of which nobody knows where it leads", look({ paths: [{ ...inside, leadsTo: null }] })],
    ["a location that speaks against it", look({ locations: [outside] })],
    ["a word that is a name outside", look({ words: [outside] })],
    ["an input that can't be understood", look({ unclear: "odd" })],
    ["what is for people alone", look({ isForPeople: true })]
  ]
  for (const [what, found] of asked) it(`ask about ${what}`, () => assert.isUndefined(allow(found)))

  it("allow a search for a word that is no name", () =>
    assert.strictEqual(allow(look({ words: [{ path: "w", leadsTo: "/project/w", exists: false }] })), "once"))
})

describe("settings that only read", () => {
  const chosen = (kind: string) => choose("read-only", look({ kind }))

  it("refuse what changes something, once, and ask about other kinds", () =>
    assert.deepStrictEqual(["edit", "delete", "move", "execute", "fetch"].map(chosen), [
      "no",
      "no",
      "no",
      "no",
      undefined
    ]))
})

it("a request without the option that fits is for people, and so is all without settings", () => {
  assert.isUndefined(choose("allow-reads", look(), options.slice(0, 1)))
  assert.isUndefined(choose("ask", look()))
  assert.isUndefined(choose("bypass", look(), options.slice(0, 1)))
})

describe("settings that allow edits", () => {
  const edit = (found: Partial<JudgedLook> = {}) => choose("edits", look({ kind: "edit", ...found }))
  const outOfReach = pathOf("/etc/b")

  it("allow to change a file of the session's folders, and to read one", () => {
    assert.strictEqual(edit(), "once")
    assert.strictEqual(choose("edits", look()), "once")
  })

  it("ask about commands, deletions and moves", () =>
    assert.deepStrictEqual(
      ["execute", "delete", "move", "fetch", "other"].map((kind) => choose("edits", look({ kind }))),
      [undefined, undefined, undefined, undefined, undefined]
    ))

  const asked: ReadonlyArray<readonly [what: string, found: Partial<JudgedLook>]> = [
    ["a file elsewhere", { decision: decision({ paths: [pathOf("/project/a"), outOfReach] }) }],
    ["a file of which nobody knows where it leads", { decision: decision({ paths: [pathOf(null)] }) }],
    [
      "a file that a built-in rule guards",
      { decision: decision({ paths: [pathOf("/project/a", { guard: { effect: "ask", why: "" } })] }) }
    ],
    ["a file that a rule asks about", { decision: decision({ paths: [pathOf("/project/a", {}, placed("ask"))] }) }],
    ["no file at all", { decision: decision({ paths: [] }) }],
    ["an input without a path", { paths: [] }],
    ["an input that can't be understood", { unclear: "odd" }],
    ["what can't be seen through", { decision: decision({ inspectable: false }) }]
  ]
  for (const [what, found] of asked) it(`ask about ${what}`, () => assert.isUndefined(edit(found)))
})

describe("a bypass", () => {
  const bypass = (judged: Partial<Decision>) => choose("bypass", look({ kind: "execute", decision: decision(judged) }))

  it("allows what no rule matches, also what can't be seen through", () => {
    assert.strictEqual(bypass({}), "once")
    assert.strictEqual(bypass({ inspectable: false, paths: [] }), "once")
    assert.strictEqual(bypass({ paths: [pathOf("/etc/b")] }), "once")
  })

  it("leaves to people what a rule asks about, and never allows what one denies", () => {
    for (const rule of [placed("ask"), placed("deny"), placed("ask", "built-in"), placed("deny", "built-in")]) {
      assert.isUndefined(bypass({ effect: rule.effect, rule }))
      // The verdict of the whole may come from a part that nobody can see through.
      assert.isUndefined(bypass({ inspectable: false, paths: [pathOf("/project/a", {}, rule)] }))
    }
  })
})
