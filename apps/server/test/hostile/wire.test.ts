/** What somebody on this machine can send to the port of a running server. Every server here is a process of its own. */
import { assert, describe, it } from "@effect/vitest"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Stream from "effect/Stream"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { connect as connectSocket, type Socket } from "node:net"
import { join } from "node:path"
import { connect, type Reachable, reachable } from "../cli/support/Conversation.ts"
import { call, start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { continuation, frame, open, ping, rpcCall, text } from "../http/support/Frames.ts"
import { raw } from "../http/support/ServerUnderTest.ts"

const running = Effect.gen(function* () {
  return yield* reachable(yield* start(["--port", "0"]))
})

const health = ({ port }: Reachable) =>
  Effect.map(
    raw(port, ["GET /health HTTP/1.1", "Connection: close", `Host: 127.0.0.1:${port}`]),
    ({ status }) => status
  )

/** Addresses that something listens at with this port, as the kernel writes them. */
const listeningAt = (port: number): ReadonlyArray<string> => {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0")
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap((file) => readFileSync(file, "utf8").trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = "", , state]) => (state === "0A" && local.endsWith(`:${wanted}`) ? [local.slice(0, -5)] : []))
}

describe("a running server", () => {
  it.live("listens on this machine only, with a new token each time, and keeps files for its owner only", () =>
    Effect.gen(function* () {
      const refused = yield* call(["serve", "--host", "0.0.0.0", "--port", "0"])
      assert.strictEqual(refused.code, 2)
      assert.match(refused.stderr, /other machines/)

      const state = join(temporaryFolder("state"), "new")
      const within = ["sh", "-c", 'umask 0; exec "$@"', "-"]
      const server = yield* start(["--port", "0", "--state-dir", state], { within })
      const door = yield* reachable(server)
      if (process.platform === "linux") assert.deepStrictEqual(listeningAt(door.port), ["0100007F"])
      assert.strictEqual(Buffer.from(door.token, "base64url").length, 32)
      const other = yield* running
      assert.notStrictEqual(other.token, door.token)

      const body = JSON.stringify({ token: door.token })
      const host = `127.0.0.1:${door.port}`
      const lines = ["POST /session HTTP/1.1", "Connection: close", `Host: ${host}`, `Origin: http://${host}`]
      const content = ["Content-Type: application/json", `Content-Length: ${body.length}`]
      assert.strictEqual((yield* raw(door.port, [...lines, ...content], body)).status, 204)
      const added = yield* call(["agents", "add", "mine", "--state-dir", state, "--", "true"], { within })
      assert.strictEqual(added.code, 0, added.stderr)

      const entries = readdirSync(state, { recursive: true, encoding: "utf8" })
      assert.includeMembers(entries, ["server.json", "clients.json", "settings.json", "signalbox.sqlite"])
      assert.strictEqual(statSync(state).mode & 0o777, 0o700)
      for (const entry of entries) assert.strictEqual(statSync(join(state, entry)).mode & 0o077, 0, entry)
    })
  )

  it.live("refuses requests that two readers could understand in two ways", () =>
    Effect.gen(function* () {
      const { port } = yield* running
      const own = `Host: 127.0.0.1:${port}`
      const from = [own, `Origin: http://127.0.0.1:${port}`, "Content-Type: application/json"]
      const smuggled = `0\r\n\r\nGET /health HTTP/1.1\r\n${own}\r\n\r\n`
      const post = "POST /session HTTP/1.1"
      const attempts: ReadonlyArray<readonly [string, ReadonlyArray<number>, ReadonlyArray<string>, string?]> = [
        ["length and chunks", [400], [post, ...from, "Content-Length: 4", "Transfer-Encoding: chunked"], smuggled],
        ["chunks that are not last", [400], [post, ...from, "Transfer-Encoding: chunked, identity"], smuggled],
        ["two lengths", [400], [post, ...from, "Content-Length: 4", "Content-Length: 5"], "abcde"],
        ["a folded header", [400], ["GET / HTTP/1.1", "Host:", ` 127.0.0.1:${port}`]],
        ["a blank before the colon", [400], ["GET / HTTP/1.1", `Host : 127.0.0.1:${port}`]],
        ["a line that ends with one byte", [400], [`GET / HTTP/1.1\n${own}\n`]],
        ["a zero in the path", [400], ["GET /\0 HTTP/1.1", own]],
        ["another protocol", [400], ["PRI * HTTP/2.0"], "SM\r\n\r\n"],
        ["two names in one header", [421], ["GET / HTTP/1.1", "Connection: close", `${own}, evil.example`]],
        ["an expectation", [421], ["GET / HTTP/1.1", "Connection: close", "Host: evil.example", "Expect: x"]],
        ["no name", [421], ["GET / HTTP/1.0"]],
        ["a header of 20,000 bytes", [431], ["GET / HTTP/1.1", own, `X: ${"a".repeat(20_000)}`]],
        [
          "an origin behind 2,000 headers",
          [431],
          ["GET / HTTP/1.1", own, ...Array<string>(2100).fill("A:b"), "Origin: x"]
        ],
        // Nothing is answered: the connection ends.
        ["a tunnel", [0], ["CONNECT evil.example:443 HTTP/1.1", own]],
        ["a tunnel to itself", [0], [`CONNECT 127.0.0.1:${port} HTTP/1.1`, own]]
      ]
      for (const [what, statuses, lines, body] of attempts) {
        const answer = yield* raw(port, lines, body)
        assert.include(statuses, answer.status, what)
        assert.notMatch(answer.body, /^ok|HTTP\/1\.1 200/m, what)
      }
      const odd = ["%%%=%zz", "=", ";;;", "__proto__=1", "constructor=2", '"="', `a=${"%F0".repeat(1000)}`]
      const lines = ["GET /session HTTP/1.1", "Connection: close", own, `Cookie: ${odd.join("; ")}`]
      assert.strictEqual((yield* raw(port, lines)).status, 401)
    })
  )

  it.live("answers while 500 requests never end", () =>
    Effect.gen(function* () {
      const door = yield* running
      yield* Effect.acquireRelease(
        Effect.callback<ReadonlyArray<Socket>>((resume) => {
          let ready = 0
          const sockets = Array.from({ length: 500 }, () => {
            const socket = connectSocket(door.port, "127.0.0.1", () =>
              socket.write("GET / HTTP/1.1\r\nHost: 127.0", () => {
                if (++ready === 500) resume(Effect.succeed(sockets))
              })
            )
            socket.on("error", () => socket.destroy())
            return socket
          })
        }),
        (sockets) => Effect.sync(() => sockets.forEach((socket) => socket.destroy())),
        { interruptible: true }
      )
      assert.strictEqual(yield* health(door), 200)
      const { bootId } = yield* Effect.flatMap(RpcClient.make(SignalboxRpc), (client) => client.hello()).pipe(
        Effect.provide(connect(door))
      )
      assert.isNotEmpty(bootId)
    })
  )
})

describe("a message to a running server", () => {
  const mebibyte = Buffer.alloc(1024 * 1024, "a")
  const attempts: ReadonlyArray<readonly [string, number, ReadonlyArray<Buffer>]> = [
    ["that says to be 33 MiB long", 1009, [frame(text, "x", { says: 33 * 1024 * 1024 })]],
    ["that says to be endless", 1009, [frame(text, "x", { says: Number.MAX_SAFE_INTEGER })]],
    [
      "of 40 MiB in fragments",
      1009,
      [
        frame(text, "a", { open: true }),
        ...Array.from({ length: 40 }, () => frame(continuation, mebibyte, { open: true }))
      ]
    ],
    ["whose line is 40 MiB long, over many messages", 1009, Array.from({ length: 40 }, () => frame(text, mebibyte))],
    [
      "of 100,000 fragments",
      1008,
      [
        frame(text, "a", { open: true }),
        Buffer.concat(Array.from({ length: 100_000 }, () => frame(continuation, "a", { open: true })))
      ]
    ],
    ["that is compressed", 1002, [frame(text, "x", { compressed: true })]],
    ["without a mask", 1002, [frame(text, "x", { unmasked: true })]],
    ["that is a ping of 200 bytes", 1002, [frame(ping, Buffer.alloc(200))]],
    ["that is no UTF-8", 1007, [frame(text, Buffer.from([0xff, 0xfe]))]],
    ["that is null", 1011, [frame(text, "null\n")]]
  ]
  it.live("that is too long, broken, compressed or no call ends its own connection, and no other", () =>
    Effect.gen(function* () {
      const door = yield* running
      const bystander = yield* open(door)
      for (const [index, [what, code, frames]] of attempts.entries()) {
        const attacker = yield* open(door)
        attacker.send(...frames)
        assert.strictEqual(yield* attacker.closeCode, code, what)
        bystander.send(frame(text, rpcCall(`${index}`, "hello")))
        yield* bystander.hears(new RegExp(`"requestId":"${index}".*"Success"`))
        assert.strictEqual(yield* health(door), 200, what)
      }
    })
  )

  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
  const nonsense: ReadonlyArray<readonly [string, string, RegExp]> = [
    ["that calls nothing known", rpcCall("1", "nope"), /Unknown request tag: nope/],
    ["that calls __proto__", rpcCall("1", "__proto__"), /Unknown request tag: __proto__/],
    ["that calls constructor", rpcCall("1", "constructor"), /Unknown request tag: constructor/],
    ["without what it needs", rpcCall("1", "listDirectory"), /"requestId":"1".*"Failure"/],
    ["that is nested 100,000 deep", rpcCall("1", "listDirectory", "?").replace('"?"', deep), /"1".*"Failure"/],
    ["whose id is no id", rpcCall("1", "hello").replace('"1"', '{"a":1}'), /Invalid request id/],
    ["that is no JSON", "}{\n", /NdjsonDecodeError/],
    ["that is a list of lists", "[[[null]]]\n", /Unknown request tag/],
    [
      "that would give every object a member",
      rpcCall("1", "send", "?").replace('"?"', '{"__proto__":{"threadId":"t"},"constructor":{"prototype":{"x":1}}}'),
      /"1".*"Failure"/
    ]
  ]
  it.live("that is nonsense is answered with an error, and its connection goes on", () =>
    Effect.gen(function* () {
      const door = yield* running
      for (const [what, line, answer] of nonsense) {
        const connection = yield* open(door)
        connection.send(frame(text, line))
        assert.match(yield* connection.hears(/\{"_tag":"(?:Exit|Defect)".*/), answer, what)
        connection.send(frame(text, rpcCall("2", "hello")))
        yield* connection.hears(/"requestId":"2".*"Success"/)
      }
    })
  )

  it.live("10,000 times over, from one that reads nothing, holds up nobody, and is forgotten with its connection", () =>
    Effect.gen(function* () {
      const door = yield* running
      const attacker = yield* open(door)
      attacker.send(...Array.from({ length: 10_000 }, (_, id) => frame(text, rpcCall(String(id), "watchThreads"))))
      yield* attacker.hears(/"requestId":"9999"/)
      const watchersAre = (number: number) =>
        RpcClient.make(SignalboxRpc).pipe(
          Effect.flatMap((client) =>
            Stream.runHead(Stream.filter(client.watchHealth(), ({ watchers }) => watchers === number))
          ),
          Effect.scoped,
          Effect.provide(connect(door))
        )
      assert.isTrue(Option.isSome(yield* watchersAre(10_000)))
      attacker.stopReading()
      attacker.send(Buffer.concat(Array.from({ length: 10_000 }, () => frame(ping, "a"))))
      const bystander = yield* open(door)
      bystander.send(frame(text, rpcCall("1", "hello")))
      yield* bystander.hears(/"Success".*"signalbox"/)
      attacker.end()
      assert.isTrue(Option.isSome(yield* watchersAre(0)))
    })
  )
})
