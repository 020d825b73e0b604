import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as AcpClient from "../src/AcpClient.ts"
import { AuthRequired } from "../src/AcpError.ts"
import * as Authentication from "../src/Authentication.ts"
import { ErrorCode, RpcError } from "../src/JsonRpc.ts"
import { clientInfo, connect, everything, session, start } from "./ClientSide.ts"
import { notification, result } from "./OtherSide.ts"

const authMethods = [
  { id: "login", name: "Log in" },
  { id: "key", name: "Key", type: "env_var", vars: [{ name: "API_KEY" }], link: "https://x.example" },
  { id: "tty", name: "Terminal", type: "terminal", args: ["login"], env: { A: "1" } }
]

const requiredBy = (exit: Exit.Exit<unknown, unknown>): AuthRequired => {
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  assert.instanceOf(error, AuthRequired)
  return error
}

const refused = (id: unknown) => ({
  jsonrpc: "2.0",
  id,
  error: { code: ErrorCode.AuthRequired, message: "Log in first", data: { why: "expired" } }
})

describe("AcpClient, authentication", () => {
  it.effect("[32] whatever is answered with -32000 fails with what one needs to log in", () =>
    Effect.gen(function* () {
      const { client, failed, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1, agentCapabilities: everything, authMethods })
      const sessionId = "s"
      const calls: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>]> = [
        ["session/new", client.newSession(session)],
        ["session/load", client.loadSession({ ...session, sessionId })],
        ["session/list", client.listSessions({})],
        ["session/prompt", client.prompt({ sessionId, prompt: [] })],
        ["session/close", client.closeSession({ sessionId })],
        ["providers/list", client.listProviders({})],
        ["_anything", client.extRequest("_anything", {})]
      ]
      for (const [method, call] of calls) {
        const required = requiredBy(yield* failed(call, ErrorCode.AuthRequired, { why: "expired" }))
        assert.strictEqual(required.method, method)
        assert.deepStrictEqual(required.data, { why: "expired" })
        assert.deepStrictEqual<ReadonlyArray<unknown>>(required.authMethods, authMethods)
      }
    })
  )

  it.effect("[32] the one who watches the response gets the same as the caller", () =>
    Effect.gen(function* () {
      const { client, failed, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1, authMethods })
      const seen = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
      const call = client.newSession(session, { onResponse: (exit) => Effect.asVoid(Deferred.succeed(seen, exit)) })
      assert.strictEqual(
        requiredBy(yield* failed(call, ErrorCode.AuthRequired)),
        requiredBy(yield* Deferred.await(seen))
      )
    })
  )

  it.effect("[32] an agent that wants a login before anything else offers no ways in", () =>
    Effect.gen(function* () {
      const { client, failed } = yield* connect()
      const required = requiredBy(yield* failed(client.initialize({ clientInfo }), ErrorCode.AuthRequired))
      assert.deepStrictEqual(required.authMethods, [])
    })
  )

  it.effect("[34] after a login the request is sent once more, and no more than that", () =>
    Effect.gen(function* () {
      const { client, initialize, other } = yield* connect()
      yield* initialize({ protocolVersion: 1, authMethods })
      let logins = 0
      const login = ({ authMethods: [first] }: AuthRequired) => {
        logins += 1
        return client.authenticate({ methodId: first?.id ?? "none" })
      }
      const call = Authentication.retryOnce(client.newSession(session), login)
      const lucky = yield* start(call)
      yield* other.send(refused((yield* other.next).id))
      const authenticate = yield* other.next
      assert.deepInclude(authenticate, { method: "authenticate", params: { methodId: "login" } })
      yield* other.send(result(authenticate.id, {}))
      const again = yield* other.next
      assert.strictEqual(again.method, "session/new")
      yield* other.send(result(again.id, { sessionId: "s" }))
      assert.deepStrictEqual(yield* Fiber.join(lucky), { sessionId: "s" })

      const unlucky = yield* start(Effect.exit(call))
      yield* other.send(refused((yield* other.next).id))
      yield* other.send(result((yield* other.next).id, {}))
      yield* other.send(refused((yield* other.next).id))
      requiredBy(yield* Fiber.join(unlucky))
      assert.strictEqual(logins, 2)
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[34] another error is nobody's login, and a login that fails is the failure", () =>
    Effect.gen(function* () {
      const { client, failed, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1, authMethods })
      const never = () => Effect.die("no login is wanted")
      const other = yield* failed(Authentication.retryOnce(client.newSession(session), never), ErrorCode.InternalError)
      assert.deepInclude(Option.getOrThrow(Exit.findErrorOption(other)), { code: ErrorCode.InternalError })
      const exit = yield* failed(
        Authentication.retryOnce(client.newSession(session), () => Effect.fail("no keyboard")),
        ErrorCode.AuthRequired
      )
      assert.deepStrictEqual(exit, Exit.fail("no keyboard"))
    })
  )

  it.effect("[37] a method of a type that is not known is shown with all it says, and is no terminal's", () =>
    Effect.gen(function* () {
      const { answered, client, initialize } = yield* connect()
      const { response } = yield* initialize({ protocolVersion: 1, authMethods })
      assert.deepStrictEqual<unknown>(response.authMethods, authMethods)
      // Only a caller that a person instructed uses this method. Then it is like any other method of the agent.
      const { message } = yield* answered(client.authenticate({ methodId: "key" }), null)
      assert.deepStrictEqual(message.params, { methodId: "key" })
    })
  )

  it.effect("[38] who was logged out is asked to log in again", () =>
    Effect.gen(function* () {
      const { answered, client, failed, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1, agentCapabilities: everything, authMethods })
      yield* answered(client.logout({}), null)
      const required = requiredBy(yield* failed(client.prompt({ sessionId: "s", prompt: [] }), ErrorCode.AuthRequired))
      assert.strictEqual(required.authMethods.length, 3)
      assert.instanceOf(required, RpcError)
    })
  )

  it.effect("[39] a status is one of four states, however it is spelled, and is sent anew when it changes", () =>
    Effect.gen(function* () {
      const told = yield* Queue.unbounded<AcpClient.AuthStatus>()
      const { answered, client, initialize, issues, other } = yield* connect({
        onAuthStatus: (status) => Effect.asVoid(Queue.offer(told, status))
      })
      yield* initialize({ protocolVersion: 1, agentCapabilities: everything })
      const accounts = [{ label: "a@b", active: true }]
      const known = yield* answered(client.authStatus({}), { state: "authenticated", accounts: [...accounts, 7] })
      assert.deepStrictEqual(known.value, { state: "authenticated", accounts })
      assert.deepInclude(yield* Queue.take(issues), { _tag: "Dropped", method: "auth/status" })
      assert.deepStrictEqual((yield* answered(client.authStatus({}), { state: "half" })).value, { state: "unknown" })
      yield* other.send(
        notification("auth/status_update", { state: "unauthenticated" }),
        notification("auth/status_update", { state: 5 }),
        notification("auth/status_update", { state: "new_state" })
      )
      assert.deepStrictEqual(yield* Queue.take(told), { state: "unauthenticated" })
      assert.deepInclude(yield* Queue.take(issues), { _tag: "MalformedNotification", method: "auth/status_update" })
      assert.deepStrictEqual(yield* Queue.take(told), { state: "unknown" })
    })
  )
})
