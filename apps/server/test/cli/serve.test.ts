import type { ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Stream from "effect/Stream"
import { readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { connect, converse, reachable } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { bundle, call, entry, groupEnds, groupLives, start, temporaryFolder } from "./support/Signalbox.ts"
import { clientLayer } from "../http/support/ServerUnderTest.ts"

describe("signalbox serve", () => {
  const programs = [
    { name: "from its sources", program: entry },
    { name: "as `npm start` runs it", program: bundle }
  ]
  it.live.each(programs)(
    "takes a prompt, brings the answer, and takes its agents along when it ends, $name",
    (options) =>
      Effect.gen(function* () {
        const server = yield* start(["--port", "0"], options)
        const [, port, token] = yield* server.says(/:(\d+)\/#token=([\w-]{43})/)
        const threadId = ThreadId.make("t1")
        const cwd = temporaryFolder("project")
        const view = yield* Effect.gen(function* () {
          const client = yield* RpcClient.make(SignalboxRpc)
          const send = (id: string, command: ThreadCommand) =>
            client.send({ commandId: CommandId.make(id), threadId, command })
          yield* send("c1", { type: "thread.create", provider: ProviderId.make("eliza"), cwd })
          const prompt = [{ type: "text" as const, text: "I am sad" }] as const
          yield* send("c2", { type: "turn.start", turnId: TurnId.make("turn-1"), prompt })
          let state: ThreadView | undefined
          yield* client.watchThread({ threadId }).pipe(
            Stream.map((frame) =>
              frame.type === "snapshot" ? frame.view : ThreadProjection.apply(state, frame.events)
            ),
            Stream.tap((next) => Effect.sync(() => (state = next))),
            Stream.takeUntil(({ turns }) => turns[0]?.status === "completed"),
            Stream.runDrain
          )
          return state
        }).pipe(Effect.provide(clientLayer(Number(port), { authorization: `Bearer ${token}` })))
        const words = view?.items.find((item) => item.type === "message")
        assert.isAbove(words?.type === "message" ? words.text.length : 0, 0)
        const agent = view?.session.pid ?? 0
        assert.isTrue(groupLives(agent))

        const before = performance.now()
        server.kill("SIGINT")
        assert.strictEqual((yield* server.ended).code, 0)
        assert.isBelow(performance.now() - before, 15_000)
        yield* groupEnds(agent)
      })
  )

  it.live("prints its link, keeps others out of its state, and is gone when it is told", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const server = yield* start(["--port", "0", "--state-dir", state])
      const [, url, token] = yield* server.says(/(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/)
      const file = join(state, "server.json")
      assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), { url, pid: server.pid, token })
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(state, "signalbox.sqlite")).mode & 0o777, 0o600)

      const second = yield* call(["serve", "--port", "0", "--state-dir", state])
      assert.strictEqual(second.code, 7)
      assert.match(second.stderr, /Another Signalbox is using this state folder/)
      assert.include(second.stderr, `Process ${server.pid} has it, and listens at ${url}.`)
      assert.include(second.stderr, `Next: Open it: ${url}/#token=${token}`)
      assert.include(second.stderr, "--state-dir")
      assertReadable(second)

      // One that is about to start has the lock before it says where it listens.
      renameSync(file, `${file}.aside`)
      const early = yield* call(["serve", "--port", "0", "--state-dir", state])
      assert.strictEqual(early.code, 7)
      assert.match(early.stderr, /has not said where it can be reached[\s\S]*Try again in a moment/)
      renameSync(`${file}.aside`, file)

      const port = new URL(url ?? "").port
      const taken = yield* call(["serve", "--port", port])
      assert.strictEqual(taken.code, 1)
      assert.include(taken.stderr, `127.0.0.1:${port}`)
      assertReadable(taken)

      const before = performance.now()
      server.kill("SIGTERM")
      const ended = yield* server.ended
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.isBelow(performance.now() - before, 15_000)
      assert.throws(() => statSync(file), /ENOENT/)
    })
  )

  it.live("starts the agents of a killed server again at once where that is wished", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const threadId = ThreadId.make("t1")
      const first = yield* start(["--port", "0", "--state-dir", state])
      const before = yield* converse(yield* reachable(first), threadId, ["I am sad"])
      first.kill("SIGKILL")
      yield* first.ended
      const second = yield* start(["--port", "0", "--state-dir", state, "--resume", "at-once"])
      let thread: ThreadView | undefined
      const again = yield* RpcClient.make(SignalboxRpc).pipe(
        Effect.flatMap((client) =>
          client.watchThread({ threadId }).pipe(
            Stream.map((frame) => {
              thread = frame.type === "snapshot" ? frame.view : ThreadProjection.apply(thread, frame.events)
              return thread.session
            }),
            Stream.filter(({ state }) => state === "ready"),
            Stream.runHead
          )
        ),
        Effect.flatMap(Effect.fromOption),
        Effect.scoped,
        Effect.provide(connect(yield* reachable(second)))
      )
      assert.notStrictEqual(again.pid, before?.session.pid)
      assert.isTrue(groupLives(again.pid ?? 0))
    }).pipe(Effect.scoped)
  )
})
