/** Browsers that were let in: known over restarts, until they expire, are shut out, or their file is damaged. */
import { assert, describe, it } from "@effect/vitest"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RpcClient from "effect/rpc/RpcClient"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { dirname, join } from "node:path"
import { HttpApp } from "../../src/http/HttpApp.ts"
import { browsersFile, clientLayer, layer, raw } from "./support/ServerUnderTest.ts"

/** One run of the server over a file of browsers; it ends with the scope. */
const run = (file: string) => Effect.map(Layer.build(layer({ browsersFile: file })), Context.get(HttpApp))
type Run = Effect.Success<ReturnType<typeof run>>

const comeIn = Effect.fnUntraced(function* ({ port, token }: Run) {
  const body = JSON.stringify({ token })
  const host = `127.0.0.1:${port}`
  const headers = [`Host: ${host}`, `Origin: http://${host}`, "Content-Type: application/json", "Connection: close"]
  const lines = ["POST /session HTTP/1.1", ...headers, `Content-Length: ${body.length}`]
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

describe("a browser that was let in", () => {
  it.live("stays in over a restart, on another port too; one that was not stays out", () =>
    Effect.gen(function* () {
      const file = browsersFile()
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
      const cookie = yield* before(browsersFile())
      const server = yield* run(browsersFile())
      const [name, value] = (yield* comeIn(server)).split("=")
      assert.notStrictEqual(name, cookie.split("=")[0])
      assert.strictEqual(yield* knock(server, cookie), 401)
      assert.strictEqual(yield* knock(server, `${name}=${cookie.split("=")[1]}`), 401)
      assert.strictEqual(yield* knock(server, `${cookie}; ${name}=${value}`), 204)
    })
  )

  it.live("is in a file that only its owner can read, by a digest, and written whole", () =>
    Effect.gen(function* () {
      const file = browsersFile()
      const server = yield* run(file)
      const cookie = yield* comeIn(server)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.notInclude(readFileSync(file, "utf8"), cookie.split("=")[1] ?? "")
      assert.notInclude(readFileSync(file, "utf8"), server.token)
      assert.deepStrictEqual(readdirSync(dirname(file)), ["browsers.json"])
    })
  )

  it.live("is told apart from nobody where the file is damaged, and the next one mends it", () =>
    Effect.gen(function* () {
      for (const damaged of [
        "",
        "{",
        "[]",
        '{"server":"x","browsers":[]}',
        `{"server":"${"a".repeat(16)}","browsers":[{}]}`
      ]) {
        const file = browsersFile()
        const cookie = yield* before(file)
        writeFileSync(file, damaged)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const server = yield* run(file)
            assert.strictEqual(yield* knock(server, cookie), 401, damaged)
            assert.strictEqual(yield* knock(server, yield* comeIn(server)), 204, damaged)
          })
        )
        assert.lengthOf(content(file).browsers, 1)
      }
    })
  )

  it.live("loses its connection when it is shut out, and programs with the token keep theirs", () =>
    Effect.gen(function* () {
      const file = browsersFile()
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

const shutOut = ({ port, token }: Run) =>
  Effect.flatMap(RpcClient.make(SignalboxRpc), (client) => client.shutOutBrowsers()).pipe(
    Effect.provide(clientLayer(port, { authorization: `Bearer ${token}` })),
    Effect.scoped
  )

describe("shutting out all browsers", () => {
  it.live("ends the connections of all that are in, the one that asked too, and lets new ones in", () =>
    Effect.gen(function* () {
      const file = browsersFile()
      const server = yield* run(file)
      const cookies = [yield* comeIn(server), yield* comeIn(server)]
      const ends = yield* Effect.forEach(cookies, (cookie) => connected(server, [`Cookie: ${cookie}`]))
      yield* shutOut(server)
      yield* Effect.all(ends)
      for (const cookie of cookies) assert.strictEqual(yield* knock(server, cookie), 401)
      assert.strictEqual(yield* knock(server, yield* comeIn(server)), 204)
    })
  )

  it.live("says so where the file stays", () =>
    Effect.gen(function* () {
      const file = browsersFile()
      const server = yield* run(file)
      rmSync(file, { force: true })
      mkdirSync(join(file, "in-its-place"), { recursive: true })
      const error = yield* Effect.flip(shutOut(server))
      assert.strictEqual(error._tag === "Refused" && error.problem.evidence.path, file)
    })
  )
})
