/** Every call and every command declares the scope that it needs. */
import { assert, describe, it } from "@effect/vitest"
import { clientScopes, covers, outOfScope, type ScopeNeed } from "../src/ClientScope.ts"
import type { ThreadCommand } from "../src/Command.ts"
import { SignalboxRpc } from "../src/Rpc.ts"
import { commandScopes, rpcScopes, type RpcTag, scopeNeedOf } from "../src/RpcScopes.ts"

describe("scopes", () => {
  it("fail the build for a call that declares none, and for one that does not exist", () => {
    const { hello, ...calls } = rpcScopes
    const { "turn.start": start, ...commands } = commandScopes
    const tables = [
      { ...calls, hello } satisfies Record<RpcTag, unknown>,
      // @ts-expect-error: a call is missing
      calls satisfies Record<RpcTag, unknown>,
      // @ts-expect-error: there is no such call
      { ...rpcScopes, nothing: hello } satisfies Record<RpcTag, unknown>,
      // @ts-expect-error: a command is missing
      commands satisfies Record<ThreadCommand["type"], ScopeNeed>
    ]
    assert.lengthOf(tables, 4)
    assert.strictEqual(start.needs, "operate")
  })

  it("are declared by every call, and by no other name", () => {
    assert.sameMembers(Object.keys(rpcScopes), [...SignalboxRpc.requests.keys()])
  })

  it("are checked for every call", () => {
    for (const [tag, { middlewares }] of SignalboxRpc.requests) assert.strictEqual(middlewares.size, 1, tag)
  })

  it("include those before them", () => {
    const covered = clientScopes.map((has) => clientScopes.filter((needs) => covers(has, needs)))
    assert.deepStrictEqual(
      covered,
      clientScopes.map((_, index) => clientScopes.slice(0, index + 1))
    )
  })

  it("depend on the command", () => {
    const of = (command: object) => scopeNeedOf("send", { command }).needs
    assert.strictEqual(of({ type: "request.respond" }), "approve")
    assert.strictEqual(of({ type: "turn.interrupt" }), "approve")
    assert.strictEqual(of({ type: "turn.start" }), "operate")
    assert.strictEqual(of({ type: "thread.create" }), "operate")
    // Such options name the program, its environment and its grants.
    assert.strictEqual(of({ type: "thread.create", providerOptions: {} }), "admin")
    // Only the reason of a rejected approval is a prompt. That of a plan goes with the answer, as its agent asked for it.
    const answer = (response: object) => of({ type: "request.respond", requestId: "r", turnId: "u", response })
    assert.strictEqual(answer({ type: "option", optionId: "no" }), "approve")
    assert.strictEqual(answer({ type: "option", optionId: "no", reason: "Now run this." }), "operate")
    assert.strictEqual(answer({ type: "option", optionId: "no", reason: "" }), "operate")
    assert.strictEqual(answer({ type: "reject", reason: "too long" }), "approve")
    const watched = (write: boolean) => scopeNeedOf("watchDocument", { write }).needs
    assert.deepStrictEqual([watched(false), watched(true)], ["view", "operate"])
    const changed = (type: string) => scopeNeedOf("changeAgentSession", { change: { type } }).needs
    assert.strictEqual(changed("rename"), "operate")
    assert.strictEqual(changed("delete"), "admin")
  })

  it("are the widest for what nobody declared or can read", () => {
    for (const payload of [undefined, null, "x", {}, { command: {} }, { command: { type: "toString" } }]) {
      assert.strictEqual(scopeNeedOf("send", payload).needs, "admin")
      assert.strictEqual(scopeNeedOf("changeAgentSession", payload).needs, "admin")
    }
    for (const tag of ["constructor", "__proto__", "hasOwnProperty", "nothing", ""])
      assert.strictEqual(scopeNeedOf(tag, {}).needs, "admin")
  })

  it("are explained by a refusal: what was asked, what it needs, what the client has, and how to get more", () => {
    const { message, problem } = outOfScope(scopeNeedOf("deleteThread", {}), { id: "1f", name: "phone", scope: "view" })
    assert.strictEqual(
      message,
      "This client may not delete threads. That needs the scope admin. This client (phone) has the scope view."
    )
    assert.strictEqual(problem.nextSteps[0]?.command, "signalbox clients scope 1f admin")
  })
})
