/** Which requests are let in, by their heads alone. */
import { assert, describe, it } from "@effect/vitest"
import * as RequestGuard from "../src/RequestGuard.ts"

const names = RequestGuard.namesOf("127.0.0.1", 4177)

/** A look at a page of ours, with what is different about it. */
const head = (more: Partial<RequestGuard.RequestHead> = {}): RequestGuard.RequestHead => ({
  method: "GET",
  target: "/",
  hosts: ["127.0.0.1:4177"],
  origins: [],
  secFetchSite: undefined,
  upgrade: false,
  bearer: false,
  ...more
})

const ours = "http://127.0.0.1:4177"

describe("the request guard", () => {
  const letIn: ReadonlyArray<readonly [what: string, more: Partial<RequestGuard.RequestHead>]> = [
    ["a page", {}],
    ["a page under another of our names", { hosts: ["localhost:4177"] }],
    ["a connection of our page", { upgrade: true, origins: [ours], secFetchSite: "same-origin" }],
    ["a connection with the token", { upgrade: true, bearer: true }]
  ]
  for (const [what, more] of letIn)
    it(`lets in ${what}`, () => assert.isUndefined(RequestGuard.refusal(names, head(more))))

  const refused: ReadonlyArray<
    readonly [what: string, status: RequestGuard.Refusal["status"], more: Partial<RequestGuard.RequestHead>]
  > = [
    ["another name", 421, { hosts: ["evil.example:4177"] }],
    ["no name", 421, { hosts: [] }],
    ["two names", 421, { hosts: ["127.0.0.1:4177", "127.0.0.1:4177"] }],
    ["an absolute target", 421, { target: "http://127.0.0.1:4177/" }],
    ["other methods", 405, { method: "DELETE", bearer: true }],
    ["a page of another site", 403, { origins: ["https://evil.example"], bearer: true }],
    ["a second origin", 403, { origins: [ours, "https://evil.example"] }],
    ["a connection from nowhere without the token", 403, { upgrade: true }],
    ["a change from nowhere without the token", 403, { method: "POST" }],
    [
      "a change that the browser says is cross-site",
      403,
      { method: "POST", origins: [ours], secFetchSite: "cross-site" }
    ]
  ]
  for (const [what, status, more] of refused)
    it(`refuses ${what}`, () => assert.strictEqual(RequestGuard.refusal(names, head(more))?.status, status))

  it("knows loopback from everything else", () => {
    assert.strictEqual(RequestGuard.loopbackAddress("localhost"), "127.0.0.1")
    assert.strictEqual(RequestGuard.loopbackAddress("[::1]"), "::1")
    for (const host of ["0.0.0.0", "::", "192.168.1.2", "example.org", "127.0.0.1.example.org", ""]) {
      assert.isUndefined(RequestGuard.loopbackAddress(host), host)
    }
    assert.isTrue(RequestGuard.namesOf("::1", 4177).hosts.has("[::1]:4177"))
    assert.isFalse(RequestGuard.namesOf("::1", 4177).hosts.has("127.0.0.1:4177"))
    assert.isTrue(RequestGuard.namesOf("127.0.0.1", 80).hosts.has("127.0.0.1"))
  })

  it("lets in another method where a server has it, and wants its token", () => {
    const methods = new Set(["GET", "DELETE"])
    const refusal = (more: Partial<RequestGuard.RequestHead>) => RequestGuard.refusal(names, head(more), methods)
    assert.isUndefined(refusal({ method: "DELETE", bearer: true }))
    assert.strictEqual(refusal({ method: "DELETE" })?.status, 403)
    assert.strictEqual(refusal({ method: "POST", bearer: true })?.status, 405)
  })
})
