/** The wire of a session over the page's connection: what stands on the tape, and what is written while somebody watches. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import { longestWireLine, type WireFrame } from "@signalbox/contracts/Wire"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { tapesIn } from "../../src/base/StateDirectory.ts"
import * as TapeName from "../../src/tape/TapeName.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { served } from "../support/ServedThreads.ts"

const at = {
  threadId: ThreadId.make("t"),
  session: ProviderSessionId.make("4a8bd2f0-0000-4000-8000-000000000001")
}

const line = (dir: string, message: object) =>
  `${JSON.stringify({ at: 1, dir, line: { jsonrpc: "2.0", ...message } })}\n`

const setUp = Effect.gen(function* () {
  const state = temporaryFolder("state")
  const folder = tapesIn(state)
  mkdirSync(folder, { recursive: true })
  const { client } = yield* served(state)
  return { client, path: join(folder, TapeName.of(at.threadId, at.session)) }
})

const ask = (id: number) => line("out", { id, method: "session/prompt", params: { prompt: [{ text: `p${id}` }] } })
const answer = (id: number) => line("in", { id, result: { stopReason: "end_turn" } })

const rowsIn = (frames: ReadonlyArray<WireFrame>) =>
  frames.flatMap((frame) => (frame.type === "rows" ? frame.rows : []))

describe("the wire of a session", () => {
  it.live("comes with its latest rows, and goes on as the tape grows, until that is deleted", () =>
    Effect.gen(function* () {
      const { client, path } = yield* setUp
      writeFileSync(path, ask(1) + answer(1) + ask(2))
      const frames = yield* Queue.unbounded<WireFrame>()
      const watching = yield* client.watchWire({ ...at, most: 2 }).pipe(
        Stream.runForEach((frame) => Queue.offer(frames, frame)),
        Effect.forkScoped
      )
      const until = (type: WireFrame["type"]) =>
        Effect.repeat(Queue.take(frames), { until: (frame) => frame.type === type })
      assert.deepStrictEqual(yield* Queue.take(frames), { type: "places", places: ["Signalbox", "Agent"] })
      const first = yield* Queue.take(frames)
      assert.strictEqual(first.type === "rows" && first.left, 1)
      assert.deepStrictEqual(
        rowsIn([first]).map(({ kind, line, pair }) => [line, kind, pair]),
        [
          [2, "answer", 1],
          [3, "request", undefined]
        ]
      )
      yield* until("current")
      appendFileSync(path, answer(2))
      const second = yield* until("rows")
      assert.deepStrictEqual(
        rowsIn([second]).map(({ line, pair }) => [line, pair]),
        [
          [3, 4],
          [4, 3]
        ]
      )
      rmSync(path)
      yield* Fiber.join(watching)
    }).pipe(Effect.scoped)
  )

  it.live("of which there is no tape ends without a row", () =>
    Effect.gen(function* () {
      const { client } = yield* setUp
      assert.deepStrictEqual(yield* Stream.runCollect(client.watchWire({ ...at, most: 10 })), [{ type: "gone" }])
      assert.deepStrictEqual(yield* client.readWire({ ...at, lines: [1] }), [])
    }).pipe(Effect.scoped)
  )

  it.live("gives its lines as they stand on the tape, and the beginning of a long one", () =>
    Effect.gen(function* () {
      const { client, path } = yield* setUp
      const long = "x".repeat(longestWireLine + 5)
      writeFileSync(
        path,
        ask(1) + ask(2) + answer(1) + `${JSON.stringify({ at: 1, dir: "err", line: long })}\n` + answer(2)
      )
      const lines = yield* client.readWire({ ...at, lines: [3, 1, 4, 99] })
      assert.deepStrictEqual(
        lines.map(({ characters, line, text }) => [line, characters, text.length]),
        [
          [1, 86, 86],
          [3, 59, 59],
          [4, longestWireLine + 5, longestWireLine]
        ]
      )
      assert.deepStrictEqual(JSON.parse(lines[1]?.text ?? ""), {
        jsonrpc: "2.0",
        id: 1,
        result: { stopReason: "end_turn" }
      })
    }).pipe(Effect.scoped)
  )

  it.live("with a line that is nested too deep is read to its end", () =>
    Effect.gen(function* () {
      const { client, path } = yield* setUp
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
      writeFileSync(path, `{"at":1,"dir":"in","line":{"id":1,"method":"x/y","params":${deep}}}\n` + ask(2))
      const rows = yield* client.watchWire({ ...at, most: 10 }).pipe(
        Stream.takeUntil(({ type }) => type === "current"),
        Stream.runCollect
      )
      assert.deepStrictEqual(
        rowsIn(rows).map(({ line, method }) => [line, method]),
        [
          [1, "x/y"],
          [2, "session/prompt"]
        ]
      )
      const [line] = yield* client.readWire({ ...at, lines: [1] })
      assert.include(line?.text, deep)
    }).pipe(Effect.scoped)
  )

  it.live("is never read by a name that leads out of the folder of tapes", () =>
    Effect.gen(function* () {
      const { client, path } = yield* setUp
      writeFileSync(`${path}.secret`, ask(1))
      const session = ProviderSessionId.make(`../${at.session}`)
      assert.deepStrictEqual(yield* Stream.runCollect(client.watchWire({ ...at, session, most: 10 })), [
        { type: "gone" }
      ])
    }).pipe(Effect.scoped)
  )
})
