import { ThreadId } from "@signalbox/contracts/Ids"
import { Health } from "@signalbox/contracts/Health"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import * as Amount from "../../src/cli/terminal/Amount.ts"
import * as ServerClient from "../../src/cli/server/ServerClient.ts"
import { table } from "../../src/cli/terminal/Table.ts"
import { converse, reachable } from "./support/Conversation.ts"
import { serve } from "./support/KeptThreads.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, start, temporaryFolder } from "./support/Signalbox.ts"

const decodeHealth = Schema.decodeSync(Schema.fromJsonString(Health))

/** A state folder in which a server has left its address. */
const folderOf = (server: { readonly url: string; readonly pid: number }) => {
  const state = temporaryFolder("state")
  writeFileSync(join(state, "server.json"), JSON.stringify({ ...server, token: "t" }))
  return state
}

/** Takes connections on a port of its own and does this with each. */
const listener = (onConnection: (socket: import("node:net").Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(onConnection).listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` }
    }),
    ({ server }) => Effect.sync(() => server.close())
  )

describe("signalbox stats", () => {
  it.live("describes the server that runs and each of its agents, to people and to programs", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const server = yield* start(["--port", "0", "--state-dir", state])
      yield* converse(yield* reachable(server), ThreadId.make("a-thread-of-eliza"), ["I am sad"])

      const told = yield* call(["stats", "--state-dir", state])
      assert.strictEqual(told.code, 0, told.stderr)
      assert.match(told.stdout, new RegExp(`^Signalbox [\\d.]+, process ${server.pid}, running for \\d+ s$`, "m"))
      assert.match(told.stdout, /^ {2}Threads {5}1: 0 running/m)
      assert.match(told.stdout, /^ {2}Storage {5}ok$/m)
      assert.match(told.stdout, /^ {2}Disk {8}database \d+ KiB, journal .+ free$/m)
      assert.match(told.stdout, /^AGENT +STATE +PROCESS +RUNNING +SILENT +MEMORY +THREAD$/m)
      assert.match(told.stdout, /^Eliza +ready +\d+ +\d+ s +\d+ s +[\d.]+ MiB +a-thread$/m)
      for (const line of told.stdout.split("\n")) assert.isAtMost(line.length, 80)

      const json = yield* call(["stats", "--json", "--state-dir", state])
      const { agents, server: itself } = decodeHealth(json.stdout)
      assert.strictEqual(itself.pid, server.pid)
      assert.deepStrictEqual(
        agents.map(({ name, state }) => [name, state]),
        [["Eliza", "ready"]]
      )
    }).pipe(Effect.scoped)
  )

  it.live("goes on with --watch, and then also shows what can only be measured over time", () =>
    Effect.gen(function* () {
      const { state } = yield* serve([])
      const told = yield* call(["stats", "--watch", "--state-dir", state])
      assert.strictEqual(told.code, 0, told.stderr)
      const [first = "", second = "", ...more] = told.stdout.split("\n\nSignalbox ")
      assert.deepStrictEqual(more, [])
      assert.notInclude(first, "Event loop")
      assert.match(second, /Event loop +0 ms late/)
    }).pipe(Effect.scoped)
  )

  it.live("says how to start a server where one was killed", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const killed = yield* start(["--port", "0", "--state-dir", state])
      yield* reachable(killed)
      killed.kill("SIGKILL")
      yield* killed.ended
      const told = yield* call(["stats", "--state-dir", state])
      assert.strictEqual(told.code, 1)
      assert.strictEqual(told.stdout, "")
      assert.match(told.stderr, /No Signalbox server is running[\s\S]*signalbox serve/)
      assert.include(told.stderr, state)
      assertReadable(told)
    }).pipe(Effect.scoped)
  )
})

describe("ServerClient", () => {
  it.effect("does not take another program at the same address for a server", () =>
    Effect.gen(function* () {
      const refusing = yield* listener((socket) => socket.destroy())
      const other = yield* listener((socket) => socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))
      for (const { url } of [refusing, other])
        assert.isUndefined(yield* ServerClient.find(folderOf({ url, pid: process.pid })))
    }).pipe(Effect.scoped)
  )

  it.effect("waits five seconds for a server that is there and does not answer", () =>
    Effect.gen(function* () {
      const { url } = yield* listener(() => {})
      const looking = yield* Effect.forkChild(Effect.flip(ServerClient.find(folderOf({ url, pid: process.pid }))), {
        startImmediately: true
      })
      yield* TestClock.adjust("5 seconds")
      const { message } = yield* Fiber.join(looking)
      assert.include(message, "does not answer")
      assert.include(message, String(process.pid))
    }).pipe(Effect.scoped)
  )

  it.effect("takes a file that says nothing for none", () =>
    Effect.gen(function* () {
      for (const content of ["", "{}", '{"url":1}', "no json"]) {
        const state = temporaryFolder("state")
        writeFileSync(join(state, "server.json"), content)
        assert.isUndefined(yield* ServerClient.find(state))
      }
    })
  )
})

describe("amounts", () => {
  it("are written as people say them", () => {
    const bytes = [0, 1, 1024, 1025, 1024 ** 2 - 1, 1024 ** 2, 1.5 * 1024 ** 3, 5000 * 1024 ** 4]
    assert.deepStrictEqual(bytes.map(Amount.bytesText), [
      "0",
      "1 KiB",
      "1 KiB",
      "2 KiB",
      "1.0 MiB",
      "1.0 MiB",
      "1.5 GiB",
      "5000.0 TiB"
    ])
    const seconds = [-1, 0.4, 59.9, 60, 3599, 3600, 3660, 86_399, 86_400, 90_000]
    assert.deepStrictEqual(
      seconds.map((each) => Amount.durationText(each * 1000)),
      ["0 s", "0 s", "59 s", "1 min", "59 min", "1 h", "1 h 1 min", "23 h 59 min", "1 d", "1 d 1 h"]
    )
    assert.strictEqual(Amount.countText(1, "process", "processes"), "1 process")
    assert.strictEqual(Amount.countText(0, "thread"), "0 threads")
  })

  it("of time are read with their unit, and never guessed", () => {
    const hour = 3_600_000
    assert.deepStrictEqual(["90m", "12h", " 30d ", "2w", "0d"].map(Amount.parseDuration), [
      1.5 * hour,
      12 * hour,
      720 * hour,
      336 * hour,
      0
    ])
    for (const text of ["", "30", "d", "-1d", "1.5h", "30 d", "3y", "1D", "1234567d", "1h30m"])
      assert.isUndefined(Amount.parseDuration(text), text)
  })

  it("stand in columns under headings", () => {
    const columns = [
      { heading: "NAME", cell: ({ name }: { name: string }) => name },
      { heading: "N", cell: ({ n }: { n: string }) => n, right: true as const },
      { heading: "LAST", cell: ({ name }: { name: string }) => name.slice(0, 1) }
    ]
    assert.deepStrictEqual(
      table(columns, [
        { name: "ab", n: "100" },
        { name: "abcdef", n: "1" }
      ]),
      ["NAME      N  LAST", "ab      100  a", "abcdef    1  a"]
    )
  })
})
