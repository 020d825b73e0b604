/** Listening, and the file by which other programs find the listener. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import { existsSync, readFileSync, statSync } from "node:fs"
import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import * as Listener from "../src/Listener.ts"
import * as ServerFile from "../src/ServerFile.ts"
import { temporaryFolder } from "../../system/test/support/TemporaryFolder.ts"

describe("a listener", () => {
  it.live("takes the next port where the first is taken and it may, and else says which one is", () =>
    Effect.gen(function* () {
      const first = yield* Listener.listen({ address: "127.0.0.1", port: 0, orNext: false })
      const next = yield* Listener.listen({ address: "127.0.0.1", port: first.port, orNext: true })
      assert.isAbove(next.port, first.port)
      const taken = { address: "127.0.0.1", port: first.port, orNext: false } as const
      const { code, port } = yield* Effect.flip(Listener.listen(taken))
      assert.deepStrictEqual({ code, port }, { code: "EADDRINUSE", port: first.port })
    })
  )

  it.live.each([-1, 65_536])("says that %d is no port", (port) =>
    Effect.gen(function* () {
      const { code } = yield* Effect.flip(Listener.listen({ address: "127.0.0.1", port, orNext: false }))
      assert.strictEqual(code, "ERR_SOCKET_BAD_PORT")
    })
  )

  it.live("tries no port behind the last", () =>
    Effect.gen(function* () {
      const last = { address: "127.0.0.1", port: 65_535, orNext: true } as const
      // Another program may have it already.
      yield* Effect.exit(Listener.listen(last))
      const { code, port } = yield* Effect.flip(Listener.listen(last))
      assert.deepStrictEqual({ code, port }, { code: "EADDRINUSE", port: 65_535 })
    })
  )

  it.live("ends the connections with its scope, whatever the clients do", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { port, serve } = yield* Scope.provide(
        Listener.listen({ address: "127.0.0.1", port: 0, orNext: false }),
        scope
      )
      yield* Scope.provide(serve(Effect.succeed(HttpServerResponse.text("here"))), scope)
      const socket = connect(port, "127.0.0.1")
      const closed = once(socket, "close")
      socket.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n")
      const [answer] = yield* Effect.promise(() => once(socket, "data"))
      assert.match(String(answer), /^HTTP\/1\.1 200/)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => closed)
    })
  )
})

describe("the file of a server", () => {
  const file = () => join(temporaryFolder("server-file"), "server.json")

  it.effect("is there for its owner only, for as long as the server runs", () =>
    Effect.gen(function* () {
      const path = file()
      const content = { url: "http://127.0.0.1:1", pid: 1, token: "token" }
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* ServerFile.keep(path, content)
          assert.deepStrictEqual(JSON.parse(readFileSync(path, "utf8")), content)
          assert.strictEqual(statSync(path).mode & 0o777, 0o600)
        })
      )
      assert.isFalse(existsSync(path))
    })
  )

  it.effect("stays where a later server has put its own", () =>
    Effect.gen(function* () {
      const path = file()
      const later = { url: "http://127.0.0.1:2", pid: 2, token: "later" }
      const earlier = yield* Scope.make()
      yield* Scope.provide(ServerFile.keep(path, { url: "http://127.0.0.1:1", pid: 1, token: "earlier" }), earlier)
      yield* ServerFile.keep(path, later)
      yield* Scope.close(earlier, Exit.void)
      assert.deepStrictEqual(JSON.parse(readFileSync(path, "utf8")), later)
    })
  )
})
