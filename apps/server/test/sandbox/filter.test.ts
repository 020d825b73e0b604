/** A sandbox with a list of hosts: programs reach these through the filter, and nothing else at all. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createServer as httpServer } from "node:http"
import { connect, createServer, type Server } from "node:net"
import { Outside } from "../../src/sandbox/NetworkFilter.ts"
import { boxesAreSkipped, ran, world } from "../support/Boxes.ts"

const listening = (server: Server) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<number>((resolve) =>
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            resolve(typeof address === "object" && address !== null ? address.port : 0)
          })
        )
    ),
    () => Effect.sync(() => server.close())
  )

/** Names of the tests, with the addresses that they lead to. */
const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "allowed.example": ["93.184.215.14"],
  "tunnel.example": ["93.184.215.15"],
  "rebound.example": ["127.0.0.1"],
  "mixed.example": ["93.184.215.14", "10.0.0.1"]
}

/** An outside where public addresses are servers of the test. */
const outsideOf = (ports: Readonly<Record<string, number>>) =>
  Outside.of({
    lookup: async (host) => names[host] ?? [],
    connect: (address) => connect(ports[address] ?? 1, "127.0.0.1")
  })

/** Asks the proxy that the environment names for each address, and prints the status and the text. */
const fetching = (...urls: ReadonlyArray<string>): string =>
  `'${process.execPath}' -e 'const { host, hostname, port } = new URL(process.env.HTTP_PROXY); const [first, ...more] = ${JSON.stringify(urls)}; const ask = (url, rest) => require("node:http").get({ hostname, port, path: url, headers: { host: "forged.example" } }, async (answer) => { let all = ""; for await (const bytes of answer) all += bytes; console.log(answer.statusCode, all.trim()); if (rest.length > 0) ask(rest[0], rest.slice(1)) }); ask(first, more)'`

/** Opens a tunnel by hand, says hello, and prints all that comes back. */
const tunnelling = (target: string): string =>
  `'${process.execPath}' -e 'const s = require("node:net").connect(3128, "127.0.0.1"); let all = ""; s.on("data", (b) => { all += b; if (all.endsWith("\\r\\n\\r\\n") && all.includes("200")) s.write("hello") }).on("close", () => console.log(all)).write("CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\n\\r\\n")'`

const hosts: [string, ...Array<string>] = [
  "allowed.example",
  "tunnel.example",
  "rebound.example",
  "mixed.example",
  "93.184.215.14"
]

describe.skipIf(boxesAreSkipped)("a sandbox with a list of hosts", () => {
  it.live("lets programs reach one host, and refuses another with a sentence", () =>
    Effect.gen(function* () {
      const place = yield* world
      const asked: Array<string> = []
      const web = yield* listening(
        httpServer((request, answer) => {
          asked.push(`${request.method} ${request.url} ${request.headers.host}`)
          answer.end("hello from outside")
        })
      )
      const outside = outsideOf({ "93.184.215.14": web })
      const { output } = yield* ran(
        place,
        fetching(
          "http://allowed.example/path?q=1",
          "http://93.184.215.14/",
          "http://other.example/",
          "http://allowed.example:8080/"
        ),
        { settings: { network: { hosts } } }
      ).pipe(Effect.provideService(Outside, outside))
      const lines = output.trim().split("\n")
      assert.strictEqual(lines[0], "200 hello from outside")
      assert.deepStrictEqual(asked, ["GET /path?q=1 allowed.example"])
      assert.include(
        output,
        "403 Signalbox's sandbox does not let this agent reach other.example:80. Its settings name allowed.example,"
      )
      assert.include(output, "403 Signalbox's sandbox does not let this agent reach allowed.example:8080.")
    })
  )

  it.live("passes tunnels on, and ends them with the program", () =>
    Effect.gen(function* () {
      const place = yield* world
      const echo = yield* listening(
        createServer((socket) => socket.once("data", (bytes) => socket.end(`echo ${String(bytes)}`)))
      )
      const settings = { network: { hosts } }
      const outside = outsideOf({ "93.184.215.15": echo })
      const there = yield* ran(place, tunnelling("tunnel.example:443"), { settings }).pipe(
        Effect.provideService(Outside, outside)
      )
      assert.strictEqual(there.output.trim(), "HTTP/1.1 200 Connection established\r\n\r\necho hello")
      const refused = yield* ran(place, tunnelling("other.example:443"), { settings }).pipe(
        Effect.provideService(Outside, outside)
      )
      assert.include(refused.output, "HTTP/1.1 403 Forbidden")
      assert.include(refused.output, "does not let this agent reach other.example:443")
    })
  )

  it.live("refuses a name that leads to this machine or a private network", () =>
    Effect.gen(function* () {
      const place = yield* world
      const { output } = yield* ran(place, fetching("http://rebound.example/", "http://mixed.example/"), {
        settings: { network: { hosts } }
      }).pipe(Effect.provideService(Outside, outsideOf({})))
      const [rebound, mixed] = output.trim().split("\n")
      assert.include(
        rebound,
        "403 Signalbox's sandbox does not let this agent reach rebound.example: its name leads to 127.0.0.1"
      )
      assert.include(mixed, "its name leads to 10.0.0.1")
    })
  )

  it.live("outlives hosts that answer with what is no HTTP, or with less than they announced", () =>
    Effect.gen(function* () {
      const place = yield* world
      const answers: Readonly<Record<string, string>> = {
        "/none": "HTTP/1.1 099 None\r\nContent-Length: 2\r\n\r\nno",
        "/other": "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n",
        "/cut": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        "/whole": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole"
      }
      const web = yield* listening(
        createServer((socket) =>
          socket.once("data", (bytes) => socket.end(answers[String(bytes).split(" ")[1] ?? ""] ?? ""))
        )
      )
      const ask = (...paths: ReadonlyArray<string>) =>
        ran(place, fetching(...paths.map((path) => `http://allowed.example${path}`)), {
          settings: { network: { hosts } }
        }).pipe(
          Effect.provideService(Outside, outsideOf({ "93.184.215.14": web })),
          Effect.map(({ output }) => output)
        )
      const [none, whole] = (yield* ask("/none", "/whole")).split("\n")
      assert.strictEqual(
        none,
        "502 Signalbox's sandbox can't pass on the answer of allowed.example: Invalid status code: 99."
      )
      assert.strictEqual(whole, "200 whole")
      assert.include(yield* ask("/other"), "socket hang up")
      assert.include(yield* ask("/cut"), "aborted")
    })
  )

  it.live("has no other way: no route, and no server of this machine", () =>
    Effect.gen(function* () {
      const place = yield* world
      const web = yield* listening(httpServer((_, answer) => answer.end("reached")))
      const direct = (host: string, port: number) =>
        `'${process.execPath}' -e 'require("node:net").connect(${port}, "${host}").on("connect", () => console.log("reached")).on("error", (e) => console.log(e.code))'`
      const { output } = yield* ran(place, `${direct("93.184.215.14", 443)}; ${direct("127.0.0.1", web)}`, {
        settings: { network: { hosts } }
      }).pipe(Effect.provideService(Outside, outsideOf({ "93.184.215.14": web })))
      assert.strictEqual(output, "ENETUNREACH\nECONNREFUSED\n")
    })
  )
})
