/** Clients that were let in: known over restarts, until they expire, are revoked, or their file is damaged. */
import { assert, describe, it } from "@effect/vitest"
import type { Client } from "@signalbox/client/Client"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Clients from "@signalbox/loopback/Clients"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RpcClient from "effect/rpc/RpcClient"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { dirname, join } from "node:path"
import { HttpApp } from "../../src/http/HttpApp.ts"
import { frame, open, rpcCall, text } from "./support/Frames.ts"
import { clientLayer, clientsFile, layer, raw } from "./support/ServerUnderTest.ts"

/** One run of the server over a file of clients; it ends with the scope. */
const run = (file: string) => Effect.map(Layer.build(layer({ clientsFile: file })), Context.get(HttpApp))
type Run = Effect.Success<ReturnType<typeof run>>

const comeIn = Effect.fnUntraced(function* ({ port, token }: Run, more: ReadonlyArray<string> = []) {
  const body = JSON.stringify({ token })
  const host = `127.0.0.1:${port}`
  const headers = [`Host: ${host}`, `Origin: http://${host}`, "Content-Type: application/json", "Connection: close"]
  const lines = ["POST /session HTTP/1.1", ...headers, ...more, `Content-Length: ${body.length}`]
  const answer = yield* raw(port, lines, body)
  return /set-cookie: ([^;\r]+)/i.exec(answer.headers)?.[1] ?? ""
})

/** The server's response to a browser with this cookie. */
const knock = ({ port }: Run, cookie: string) =>
  Effect.map(
    raw(port, ["GET /session HTTP/1.1", `Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`, "Connection: close"]),
    ({ status }) => status
  )

/** Opens a WebSocket; returns what waits until the server ends it. */
const connected = ({ port }: Run, headers: ReadonlyArray<string>) =>
  Effect.callback<Effect.Effect<void>>((resume) => {
    const host = `127.0.0.1:${port}`
    const socket = connect(port, "127.0.0.1")
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
    socket.once("data", (data) => {
      assert.match(data.toString(), /^HTTP\/1\.1 101/)
      resume(Effect.succeed(Effect.promise(() => closed)))
    })
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    const lines = ["GET /rpc HTTP/1.1", `Host: ${host}`, `Origin: http://${host}`, ...upgrade, key, ...headers]
    socket.write(`${lines.join("\r\n")}\r\n\r\n`)
  })

/** Lets one browser in, and ends that run. */
const before = (file: string) => Effect.scoped(Effect.flatMap(run(file), comeIn))
const content = (file: string) => JSON.parse(readFileSync(file, "utf8"))

describe("a page that was let in", () => {
  it.live("stays in over a restart, on another port too; one that was not stays out", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const cookie = yield* before(file)
      const server = yield* run(file)
      assert.strictEqual(yield* knock(server, cookie), 204)
      const [name = "", value = ""] = cookie.split("=")
      assert.strictEqual(yield* knock(server, `${name}=${"A".repeat(43)}`), 401)
      assert.strictEqual(yield* knock(server, `${name}=`), 401)
      assert.strictEqual(yield* knock(server, `other=${value}`), 401)
      const digest = createHash("sha256").update(value).digest("hex")
      assert.strictEqual(yield* knock(server, `${name}=${digest}`), 401, "what is kept lets nobody in")
    })
  )

  it.live("of another server's state folder stays out, under the names of both", () =>
    Effect.gen(function* () {
      const cookie = yield* before(clientsFile())
      const server = yield* run(clientsFile())
      const [name, value] = (yield* comeIn(server)).split("=")
      assert.notStrictEqual(name, cookie.split("=")[0])
      assert.strictEqual(yield* knock(server, cookie), 401)
      assert.strictEqual(yield* knock(server, `${name}=${cookie.split("=")[1]}`), 401)
      assert.strictEqual(yield* knock(server, `${cookie}; ${name}=${value}`), 204)
    })
  )

  it.live("is in a file that only its owner can read, by a digest, and written whole", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const cookie = yield* comeIn(server)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.notInclude(readFileSync(file, "utf8"), cookie.split("=")[1] ?? "")
      assert.notInclude(readFileSync(file, "utf8"), server.token)
      assert.deepStrictEqual(readdirSync(dirname(file)), ["clients.json", "clients.lock"])
    })
  )

  it.live("is told apart from nobody where the file is damaged, and the next one mends it", () =>
    Effect.gen(function* () {
      for (const damaged of [
        "",
        "{",
        "[]",
        '{"server":"x","clients":[],"invitations":[]}',
        `{"server":"${"a".repeat(16)}","clients":[{}],"invitations":[]}`
      ]) {
        const file = clientsFile()
        const cookie = yield* before(file)
        writeFileSync(file, damaged)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const server = yield* run(file)
            assert.strictEqual(yield* knock(server, cookie), 401, damaged)
            assert.strictEqual(yield* knock(server, yield* comeIn(server)), 204, damaged)
          })
        )
        assert.lengthOf(content(file).clients, 1)
      }
    })
  )

  it.live("loses its connection when all are revoked, and programs with the token keep theirs", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const cookie = yield* comeIn(server)
      const gone = yield* connected(server, [`Cookie: ${cookie}`])
      const program = yield* Effect.forkChild(yield* connected(server, [`Authorization: Bearer ${server.token}`]))
      rmSync(file)
      yield* gone
      assert.strictEqual(yield* knock(server, cookie), 401)
      assert.isUndefined(program.pollUnsafe())
      assert.strictEqual(yield* knock(server, yield* comeIn(server)), 204)
      assert.isTrue(existsSync(file))
    })
  )
})

const called = <A, E>({ port, token }: Run, call: (client: Client) => Effect.Effect<A, E>) =>
  Effect.flatMap(RpcClient.make(SignalboxRpc), call).pipe(
    Effect.provide(clientLayer(port, { authorization: `Bearer ${token}` })),
    Effect.scoped
  )

const inFile = (file: string) => Clients.open(file, { warn: (message) => assert.fail(message) })

/** The id of the client that came in last. */
const latest = (file: string) => inFile(file).list(Date.now()).clients[0]?.id ?? assert.fail()

describe("revoking", () => {
  it.live("all ends the connections of all that are in, the one that asked too, and lets new ones in", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const cookies = [yield* comeIn(server), yield* comeIn(server)]
      const ends = yield* Effect.forEach(cookies, (cookie) => connected(server, [`Cookie: ${cookie}`]))
      yield* called(server, (client) => client.revokeAllClients())
      yield* Effect.all(ends)
      for (const cookie of cookies) assert.strictEqual(yield* knock(server, cookie), 401)
      assert.strictEqual(yield* knock(server, yield* comeIn(server)), 204)
    })
  )

  it.live("says so where the file stays", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      rmSync(file, { force: true })
      mkdirSync(join(file, "in-its-place"), { recursive: true })
      const error = yield* Effect.flip(called(server, (client) => client.revokeAllClients()))
      assert.strictEqual(error._tag === "Refused" && error.problem.evidence.path, file)
    })
  )

  it.live("one ends its connections, its streams and its cookie, and leaves others alone", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const other = yield* comeIn(server)
      const stays = yield* Effect.forkChild(yield* connected(server, [`Cookie: ${other}`]))
      const { client, secret } = inFile(file).add({ scope: "admin", name: "script" }, Date.now())
      const connection = yield* open({ port: server.port, token: secret })
      connection.send(frame(text, rpcCall("1", "watchClients")))
      yield* connection.hears(new RegExp(`"connected":\\[[^\\]]*"${client.id}"`))
      yield* called(server, (caller) => caller.revokeClient({ id: client.id }))
      yield* connection.closed
      const again = yield* raw(server.port, [
        "GET /session HTTP/1.1",
        `Host: 127.0.0.1:${server.port}`,
        `Authorization: Bearer ${secret}`,
        "Connection: close"
      ])
      assert.strictEqual(again.status, 401)
      assert.isUndefined(stays.pollUnsafe())
      assert.strictEqual(yield* knock(server, other), 204)
      const error = yield* Effect.flip(called(server, (caller) => caller.revokeClient({ id: client.id })))
      assert.match(error.message, /There is no such client/)
    })
  )

  it.live("another process's way ends the connection too, and no call is answered after it", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const { client, secret } = inFile(file).add({ scope: "admin" }, Date.now())
      const connection = yield* open({ port: server.port, token: secret })
      connection.send(frame(text, rpcCall("1", "hello")))
      yield* connection.hears(/"requestId":"1".*"Success"/)
      assert.isTrue(inFile(file).revoke(client.id))
      connection.send(frame(text, rpcCall("2", "hello")))
      const answer = yield* Effect.raceFirst(
        connection.hears(/"requestId":"2".*"Success"/),
        Effect.as(connection.closed, "closed")
      )
      assert.strictEqual(answer, "closed")
    })
  )
})

describe("an invitation", () => {
  it.live("lets one page in, with its scope and name, over a restart; a second use is refused", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const cookie = yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* run(file)
          const { token } = yield* called(server, (client) => client.inviteClient({ scope: "approve", name: "phone" }))
          const first = yield* comeIn({ ...server, token })
          assert.match(first, /^signalbox-/)
          assert.strictEqual(yield* comeIn({ ...server, token }), "")
          return first
        })
      )
      const server = yield* run(file)
      assert.strictEqual(yield* knock(server, cookie), 204)
      assert.include(inFile(file).list(Date.now()).clients[0], { name: "phone", scope: "approve" })
    })
  )

  it.live("that has expired, was withdrawn, or is for another server lets nobody in", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const expired = inFile(file).invite({ scope: "view", lasts: 1000 }, Date.now() - 2000)
      const withdrawn = inFile(file).invite({ scope: "view" }, Date.now())
      inFile(file).revoke(withdrawn.invitation.id)
      const elsewhere = inFile(clientsFile()).invite({ scope: "view" }, Date.now())
      for (const { token } of [expired, withdrawn, elsewhere])
        assert.strictEqual(yield* comeIn({ ...server, token }), "")
    })
  )

  it.live("is no token of a program, and a program's token is no invitation", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const { token } = inFile(file).invite({ scope: "admin" }, Date.now())
      const { secret } = inFile(file).add({ scope: "admin" }, Date.now())
      const lines = ["GET /metrics HTTP/1.1", `Host: 127.0.0.1:${server.port}`, "Connection: close"]
      assert.strictEqual((yield* raw(server.port, [...lines, `Authorization: Bearer ${token}`])).status, 401)
      assert.strictEqual((yield* raw(server.port, [...lines, `Authorization: Bearer ${secret}`])).status, 200)
      assert.strictEqual(yield* comeIn({ ...server, token: secret }), "")
    })
  )
})

describe("a page that comes with the link again", () => {
  it.live("keeps its id and name, and gets every scope and a new cookie", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const { token } = inFile(file).invite({ scope: "view", name: "tablet" }, Date.now())
      const cookie = yield* comeIn({ ...server, token })
      const id = latest(file)
      const gone = yield* connected(server, [`Cookie: ${cookie}`])
      const after = yield* comeIn(server, [`Cookie: ${cookie}`])
      yield* gone
      assert.strictEqual(yield* knock(server, cookie), 401)
      assert.strictEqual(yield* knock(server, after), 204)
      assert.lengthOf(content(file).clients, 1)
      assert.include(content(file).clients[0], { id, name: "tablet", scope: "admin" })
      assert.strictEqual(yield* comeIn(server, [`Cookie: ${after}`]), "", "it has every scope already")
      assert.strictEqual(yield* knock(server, after), 204)
    })
  )
})
