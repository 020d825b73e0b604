import { CommandId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { once } from "node:events"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { HttpApp } from "../../src/http/HttpApp.ts"
import { clientLayer, layer as serverLayer, raw } from "./support/ServerUnderTest.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const upgradeLines = (headers: ReadonlyArray<string>, path = "/rpc") => [
  `GET ${path} HTTP/1.1`,
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ...headers
]

const get = (path: string, headers: ReadonlyArray<string>) => [`GET ${path} HTTP/1.1`, "Connection: close", ...headers]

const post = (headers: ReadonlyArray<string>, body: string) => [
  "POST /session HTTP/1.1",
  "Connection: close",
  `Content-Length: ${Buffer.byteLength(body)}`,
  ...headers
]

/** Comes in as a browser does: token for cookie. */
const comeIn = Effect.gen(function* () {
  const { port, token } = yield* HttpApp
  const body = JSON.stringify({ token })
  const host = `127.0.0.1:${port}`
  const answer = yield* raw(
    port,
    post([`Host: ${host}`, `Origin: http://${host}`, "Content-Type: application/json"], body),
    body
  )
  const cookie = /set-cookie: ([^;\r]+)/i.exec(answer.headers)
  return { answer, cookie: cookie?.[1] ?? "" }
})

layer(serverLayer())("the request guard", (it) => {
  it.effect("answers under its own names only, on every route and on the upgrade", () =>
    Effect.gen(function* () {
      const { port, token } = yield* HttpApp
      const foreign = [
        `evil.example:${port}`,
        `evil.example`,
        `127.0.0.1`,
        `127.0.0.1:${port + 1}`,
        `127.0.0.1.:${port}`,
        `localhost.:${port}`,
        `localhost.evil.example:${port}`,
        `LOCALHOST:${port}`,
        `[::1]:${port}`,
        `[::ffff:127.0.0.1]:${port}`,
        `0.0.0.0:${port}`,
        `127.1:${port}`,
        `2130706433:${port}`,
        `user@127.0.0.1:${port}`
      ]
      const bearer = `Authorization: Bearer ${token}`
      for (const host of foreign) {
        for (const path of ["/", "/assets/index-abc123.js", "/health", "/session", "/nowhere"]) {
          const answer = yield* raw(port, get(path, [`Host: ${host}`, bearer]))
          assert.include([400, 421], answer.status, `${host} ${path}`)
          assert.notInclude(answer.body, "doctype")
        }
        const upgrade = yield* raw(port, upgradeLines([`Host: ${host}`, bearer]))
        assert.include([400, 421], upgrade.status, `${host} upgrade`)
      }
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
        assert.strictEqual((yield* raw(port, get("/", [`Host: ${host}`]))).status, 200, host)
        assert.strictEqual((yield* raw(port, upgradeLines([`Host: ${host}`, bearer]))).status, 101, host)
      }
    })
  )

  it.effect("is not fooled by a second Host, a missing one or an absolute target", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpApp
      const own = `Host: 127.0.0.1:${port}`
      const evil = "Host: evil.example"
      assert.strictEqual((yield* raw(port, get("/", [own, evil]))).status, 421)
      assert.strictEqual((yield* raw(port, get("/", [evil, own]))).status, 421)
      assert.strictEqual((yield* raw(port, get("/", []))).status, 400)
      assert.strictEqual((yield* raw(port, get(`http://127.0.0.1:${port}/`, [evil]))).status, 421)
      assert.strictEqual((yield* raw(port, get("http://evil.example/", [own]))).status, 421)
    })
  )

  it.effect("lets the WebSocket be opened only from its own page with a cookie, or with the token in a header", () =>
    Effect.gen(function* () {
      const { port, token } = yield* HttpApp
      const { cookie } = yield* comeIn
      const host = `Host: 127.0.0.1:${port}`
      const own = `Origin: http://127.0.0.1:${port}`
      const withCookie = `Cookie: ${cookie}`
      const [cookieName] = cookie.split("=")
      const bearer = `Authorization: Bearer ${token}`
      const status = (headers: ReadonlyArray<string>) =>
        Effect.map(raw(port, upgradeLines([host, ...headers])), (answer) => answer.status)

      assert.strictEqual(yield* status([own, withCookie]), 101)
      assert.strictEqual(yield* status([`Origin: http://localhost:${port}`, withCookie]), 101)
      assert.strictEqual(yield* status([bearer]), 101)
      assert.strictEqual(yield* status([own, bearer]), 101)

      assert.strictEqual(yield* status([own]), 401, "no cookie")
      assert.strictEqual(yield* status([own, `Cookie: ${cookieName}=${"a".repeat(43)}`]), 401, "an invented cookie")
      assert.strictEqual(yield* status([own, `Cookie: ${cookieName}=${token}`]), 401, "the token is no cookie")
      assert.strictEqual(yield* status([own, `Cookie: signalbox-${"0".repeat(16)}=${cookie.split("=")[1]}`]), 401)
      assert.strictEqual(yield* status([withCookie]), 403, "no origin")
      assert.strictEqual(yield* status(["Authorization: Bearer wrong"]), 403, "no origin, wrong token")
      for (const origin of [
        "http://evil.example",
        "null",
        `https://127.0.0.1:${port}`,
        `http://127.0.0.1:${port + 1}`,
        `http://127.0.0.1:${port}.evil.example`,
        `http://127.0.0.1:${port}/`,
        "file://"
      ]) {
        assert.strictEqual(yield* status([`Origin: ${origin}`, withCookie]), 403, origin)
        assert.strictEqual(yield* status([`Origin: ${origin}`, bearer]), 403, `${origin} with the token`)
      }
      assert.strictEqual(yield* status([own, own, withCookie]), 403, "two origins")
      assert.strictEqual(yield* status([own, withCookie, "Sec-Fetch-Site: cross-site"]), 403)
      assert.strictEqual(yield* status([own, withCookie, "Sec-Fetch-Site: same-site"]), 403, "another port")
    })
  )

  it.effect("answers an ordinary GET of the socket's address without opening anything", () =>
    Effect.gen(function* () {
      const { port, token } = yield* HttpApp
      const host = `Host: 127.0.0.1:${port}`
      const bearer = `Authorization: Bearer ${token}`
      assert.strictEqual((yield* raw(port, get("/rpc", [host, bearer]))).status, 426)
      assert.strictEqual((yield* raw(port, get("/rpc", [host]))).status, 401)
      assert.strictEqual((yield* raw(port, get("/rpc", [host, bearer, "Upgrade: websocket"]))).status, 426)
    })
  )

  it.effect("takes no other methods, and says nothing to preflights", () =>
    Effect.gen(function* () {
      const { port, token } = yield* HttpApp
      const host = `Host: 127.0.0.1:${port}`
      for (const method of ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"]) {
        const answer = yield* raw(port, [
          `${method} /session HTTP/1.1`,
          "Connection: close",
          host,
          "Origin: http://evil.example"
        ])
        assert.strictEqual(answer.status, 405, method)
        assert.notInclude(answer.headers.toLowerCase(), "access-control")
      }
      const posted = yield* raw(port, [
        "POST /rpc HTTP/1.1",
        "Connection: close",
        "Content-Length: 0",
        host,
        `Authorization: Bearer ${token}`
      ])
      assert.strictEqual(posted.status, 405)
    })
  )

  it.effect("puts the security headers on every answer, refusals included", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpApp
      const host = `Host: 127.0.0.1:${port}`
      const answers = [
        yield* raw(port, get("/", [host])),
        yield* raw(port, get("/nowhere.js", [host])),
        yield* raw(port, get("/session", [host])),
        yield* raw(port, get("/", ["Host: evil.example"])),
        yield* raw(port, upgradeLines([host]))
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 404, 401, 421, 403]
      )
      for (const { headers } of answers) {
        assert.include(headers.toLowerCase(), "default-src 'none'")
        assert.include(headers.toLowerCase(), "frame-ancestors 'none'")
        assert.notInclude(headers.toLowerCase(), "unsafe-")
        assert.include(headers.toLowerCase(), "x-content-type-options: nosniff")
        assert.include(headers.toLowerCase(), "referrer-policy: no-referrer")
        assert.include(headers.toLowerCase(), "cross-origin-opener-policy: same-origin")
        assert.notInclude(headers.toLowerCase(), "access-control")
        assert.notInclude(headers.toLowerCase(), "x-powered-by")
      }
    })
  )

  it.effect("reports its health without a key, and nothing more", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpApp
      assert.strictEqual((yield* raw(port, get("/health", [`Host: 127.0.0.1:${port}`]))).body.trim(), "ok")
    })
  )
})

layer(serverLayer(), { excludeTestServices: true })("the exchange of the token", (it) => {
  const send = (headers: ReadonlyArray<string>, body: string) =>
    Effect.gen(function* () {
      const { port } = yield* HttpApp
      return yield* raw(port, post([`Host: 127.0.0.1:${port}`, ...headers], body), body)
    })

  it.effect("gives a cookie that scripts cannot read and other sites do not send", () =>
    Effect.gen(function* () {
      const { token } = yield* HttpApp
      const { answer, cookie } = yield* comeIn
      assert.strictEqual(answer.status, 204)
      assert.match(answer.headers, /set-cookie: signalbox-[0-9a-f]{16}=/i)
      assert.include(answer.headers.toLowerCase(), "httponly")
      assert.include(answer.headers.toLowerCase(), "samesite=strict")
      assert.notInclude(answer.headers.toLowerCase(), token.toLowerCase())
      assert.notStrictEqual(cookie, (yield* comeIn).cookie)
    })
  )

  it.effect("lets a page ask whether it is still in", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpApp
      const { cookie } = yield* comeIn
      const host = `Host: 127.0.0.1:${port}`
      assert.strictEqual((yield* raw(port, get("/session", [host]))).status, 401)
      assert.strictEqual((yield* raw(port, get("/session", [host, `Cookie: ${cookie}`]))).status, 204)
    })
  )

  it.effect("wants a JSON content type and an origin of ours", () =>
    Effect.gen(function* () {
      const { port, token } = yield* HttpApp
      const body = JSON.stringify({ token })
      const own = `Origin: http://127.0.0.1:${port}`
      const json = "Content-Type: application/json"
      const status = (headers: ReadonlyArray<string>, text = body) =>
        Effect.map(send(headers, text), (answer) => answer.status)
      assert.strictEqual(yield* status([own, json]), 204)
      assert.strictEqual(yield* status([own, `${json}; charset=utf-8`]), 204)
      assert.strictEqual(yield* status([json, `Authorization: Bearer ${token}`]), 204)
      assert.strictEqual(yield* status([own]), 415)
      assert.strictEqual(yield* status([own, "Content-Type: text/plain"]), 415)
      assert.strictEqual(yield* status([own, "Content-Type: application/jsonp"]), 415)
      assert.strictEqual(yield* status([own, "Content-Type: application/x-www-form-urlencoded"]), 415)
      assert.strictEqual(yield* status([json]), 403)
      assert.strictEqual(yield* status([json, "Origin: http://evil.example"]), 403)
      assert.strictEqual(yield* status([own, json], "{"), 400)
      assert.strictEqual(yield* status([own, json], '{"token":1}'), 400)
      assert.strictEqual(yield* status([own, json], JSON.stringify({ token: "x".repeat(5000) })), 400)
    })
  )

  it.effect("slows wrong tokens down, and never the right one", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpApp
      const headers = [`Origin: http://127.0.0.1:${port}`, "Content-Type: application/json"]
      const wrong = send(headers, '{"token":"wrong"}')
      const flood = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 20 }, () => wrong),
          { concurrency: 20 }
        )
      )
      const { answer } = yield* comeIn
      assert.strictEqual(answer.status, 204)
      const answers = yield* Fiber.join(flood)
      const slowed = answers.filter(({ status }) => status === 401).length
      const refused = answers.filter(({ status }) => status === 429).length
      // On a busy machine some arrive when the first eight have had their answer.
      assert.isAtLeast(slowed, 8)
      assert.isAbove(refused, 0)
      assert.strictEqual(slowed + refused, 20)
      assert.isTrue(answers.some(({ body }) => body.includes("#token=")))
      assert.strictEqual((yield* comeIn).answer.status, 204)
    })
  )
})

describe("the page", () => {
  const pageRoot = () => {
    const outside = temporaryFolder("outside")
    writeFileSync(join(outside, "secret.txt"), "secret")
    const root = temporaryFolder("root")
    mkdirSync(join(root, "assets"))
    writeFileSync(join(root, "index.html"), "<!doctype html>")
    writeFileSync(join(root, "assets", "a-1.js"), "export {}")
    symlinkSync(join(outside, "secret.txt"), join(root, "link.txt"))
    return root
  }

  it.effect("serves the files that were built and no others", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpApp
      const at = (path: string, ...headers: Array<string>) =>
        raw(port, get(path, [`Host: 127.0.0.1:${port}`, ...headers]))
      const index = yield* at("/")
      assert.strictEqual(index.body, "<!doctype html>")
      assert.include(index.headers.toLowerCase(), "cache-control: no-cache")
      assert.strictEqual((yield* at("/threads/1?x=/../secret.txt")).body, "<!doctype html>")
      const script = yield* at("/assets/a-1.js")
      assert.include(script.headers.toLowerCase(), "content-type: text/javascript")
      assert.include(script.headers.toLowerCase(), "immutable")
      const etag = /etag: (\S+)/i.exec(index.headers)
      assert.isNotNull(etag)
      for (const path of ["/link.txt", "/../secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt", "/%00.txt"]) {
        const answer = yield* at(path)
        assert.notInclude(answer.body, "secret", path)
      }
    }).pipe(Effect.provide(serverLayer({ webRoot: pageRoot() })))
  )

  it.effect("says how to get it where it was not built", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpApp
      const answer = yield* raw(port, get("/", [`Host: 127.0.0.1:${port}`]))
      assert.strictEqual(answer.status, 503)
      assert.include(answer.body, "npm start")
    }).pipe(Effect.provide(serverLayer({ webRoot: "/does/not/exist" })))
  )
})

describe("listening", () => {
  const occupied = Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const server = createServer()
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        if (typeof address === "object" && address !== null) {
          resume(Effect.succeed({ port: address.port, close: () => server.close() }))
        }
      })
    }),
    ({ close }) => Effect.sync(close)
  )

  it.live("takes the next free port when it may", () =>
    Effect.gen(function* () {
      const { port } = yield* occupied
      const app = yield* HttpApp.pipe(Effect.provide(serverLayer({ port, orNext: true })))
      assert.isAbove(app.port, port)
    })
  )

  it.live("names the port that is taken when it may not", () =>
    Effect.gen(function* () {
      const { port } = yield* occupied
      const error = yield* Effect.flip(HttpApp.pipe(Effect.provide(serverLayer({ port }))))
      assert.strictEqual(error.code, "EADDRINUSE")
      assert.include(error.message, String(port))
    })
  )
})

describe("the rpc over a WebSocket", () => {
  const connected = <A, E, R>(use: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const { port, token } = yield* HttpApp
      return yield* use.pipe(Effect.provide(clientLayer(port, { authorization: `Bearer ${token}` })))
    }).pipe(Effect.provide(serverLayer()))

  const rename = (threadId: ThreadId, id: string) => ({
    commandId: CommandId.make(id),
    threadId,
    command: { type: "thread.rename" as const, title: id }
  })

  it.live("carries calls, typed errors and streams", () =>
    connected(
      Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        const hello = yield* client.hello()
        assert.strictEqual(hello.name, "signalbox")
        assert.isAbove(hello.now, 0)

        const threadId = ThreadId.make("t1")
        const unknown = yield* client.watchThread({ threadId }).pipe(Stream.runDrain, Effect.flip)
        assert.strictEqual(unknown._tag, "ThreadNotFound")

        assert.strictEqual((yield* client.send(rename(threadId, "c1"))).sequence, 1)
        yield* client.send(rename(threadId, "c2"))
        const frames = yield* client
          .watchThread({ threadId, after: { bootId: hello.bootId, sequence: Sequence.make(1) } })
          .pipe(Stream.take(1), Stream.runCollect)
        const [frame] = frames
        assert.deepStrictEqual(frame?.type === "events" && frame.events.map(({ sequence }) => Number(sequence)), [2])

        const unreadable = yield* client.listDirectory({ path: "relative" }).pipe(Effect.flip)
        assert.strictEqual(unreadable._tag, "DirectoryUnreadable")
        const providers = yield* client.watchProviders().pipe(Stream.take(1), Stream.runCollect)
        assert.strictEqual(providers[0]?.[0]?.provider.name, "Eliza")
      })
    )
  )
})

describe("the end of the server", () => {
  it.live("does not wait for the pages that are open", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const services = yield* Layer.buildWithScope(serverLayer(), scope)
      const { port, token } = Context.get(services, HttpApp)
      const page = connect(port, "127.0.0.1")
      const gone = once(page, "close")
      page.write(`${upgradeLines([`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`]).join("\r\n")}\r\n\r\n`)
      const [answer] = yield* Effect.promise(() => once(page, "data"))
      assert.match(String(answer), /^HTTP\/1\.1 101 /)
      // A client that says nothing any more, not even goodbye.
      page.pause()
      // Far below the twenty seconds that an open WebSocket would hold the end back for.
      yield* Effect.timeout(Scope.close(scope, Exit.void), "15 seconds")
      page.resume()
      yield* Effect.promise(() => gone)
    })
  )
})
