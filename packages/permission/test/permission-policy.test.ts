/** Answers that settings give: chosen by what was found of a request, and by nothing that the agent says of it. */
import { assert, describe, it } from "@effect/vitest"
import type { ApprovalOption } from "@signalbox/contracts/AgentRequest"
import type { FollowedPath } from "../src/FollowedPath.ts"
import * as PermissionPolicy from "../src/PermissionPolicy.ts"
import type { RequestLook } from "../src/RequestLook.ts"

const options: ReadonlyArray<ApprovalOption> = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "never", name: "Never", kind: "reject_always" }
]

const inside: FollowedPath = { path: "a", leadsTo: "/project/a", exists: true }
const outside: FollowedPath = { path: "b", leadsTo: "/etc/b", exists: true }

/** A look at a request to read one file of the project, with what is different about it. */
const look = ({ kind = "read", ...more }: Partial<RequestLook> & { readonly kind?: string } = {}): RequestLook => ({
  facts: { folder: "/project", agent: { id: "a", program: "a" }, kind, input: undefined, diffs: [], paths: [inside] },
  roots: ["/project"],
  paths: [inside],
  words: [],
  locations: [],
  unclear: undefined,
  isForPeople: false,
  ...more
})

describe("settings that allow reading", () => {
  const allow = (found: RequestLook) => PermissionPolicy.choose("allow-reads", options, found)

  it("allow a file of the session's folders, once", () => assert.strictEqual(allow(look()), "once"))

  const asked: ReadonlyArray<readonly [what: string, found: RequestLook]> = [
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
  const choose = (kind: string) => PermissionPolicy.choose("read-only", options, look({ kind }))

  it("refuse what changes something, once, and ask about other kinds", () =>
    assert.deepStrictEqual(["edit", "delete", "move", "execute", "fetch"].map(choose), [
      "no",
      "no",
      "no",
      "no",
      undefined
    ]))
})

it("a request without the option that fits is for people, and so is all without settings", () => {
  assert.isUndefined(PermissionPolicy.choose("allow-reads", options.slice(0, 1), look()))
  assert.isUndefined(PermissionPolicy.choose("ask", options, look()))
})
