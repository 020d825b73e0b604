/** Many prompts at once, each in a thread of its own: a real server, and real agents, started a few at a time. */
import { assert, describe, it } from "@effect/vitest"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import { readdirSync } from "node:fs"
import { availableParallelism } from "node:os"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { served } from "../support/ServedThreads.ts"

/** More than can start at once, whatever the machine; `bench/` does it with 200. */
const many = Math.max(60, 8 * availableParallelism())

const first = ({ turns: [turn] }: ThreadView) => turn
const ended = (view: ThreadView) => {
  const turn = first(view)
  return turn !== undefined && hasEnded(turn.status)
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("many starts at once", () => {
  it.live(
    "every prompt reaches its agent, and those that wait for others say so",
    () =>
      Effect.gen(function* () {
        const { open, prompt } = yield* served(temporaryFolder("state"))
        const threads = yield* Effect.forEach(
          numbers(many),
          Effect.fnUntraced(function* (number) {
            const { threadId, watcher } = yield* open(`thread-${number}`)
            const ahead: Array<number> = []
            watcher.onFrame(() => {
              const { waiting } = watcher.view?.session ?? {}
              if (waiting !== undefined) ahead.push(waiting.ahead)
            })
            return { threadId, watcher, ahead }
          })
        )
        yield* Effect.forEach(threads, ({ threadId }) => prompt(threadId, `turn of ${threadId}`, { text: "Here." }), {
          concurrency: "unbounded"
        })
        const views = yield* Effect.forEach(threads, ({ watcher }) => watcher.until(ended), {
          concurrency: "unbounded"
        })
        const failed = views.flatMap((view) =>
          first(view)?.status === "completed" ? [] : [first(view)?.problem?.cause]
        )
        assert.deepStrictEqual(failed, [])
        for (const { session } of views) assert.isUndefined(session.waiting)
        const waited = threads.filter(({ ahead }) => ahead.length > 0)
        assert.isAbove(waited.length, 0)
        for (const { ahead } of waited) assert.isTrue(ahead.every((number) => number > 0 && number < many))
      }),
    120_000
  )

  it.live(
    "Stop while an agent waits to start is at once, and that agent is never started",
    () =>
      Effect.gen(function* () {
        const state = temporaryFolder("state")
        const { open, prompt, send } = yield* served(state)
        // They hold their places for as long as a place can be held.
        const holding = { command: "/bin/sh", args: ["-c", "exec sleep 600"] }
        const holders = yield* Effect.forEach(numbers(many), (number) => open(`holder-${number}`, holding))
        yield* Effect.forEach(holders, ({ threadId }) => send(threadId, { type: "session.start" }), {
          concurrency: "unbounded"
        })
        const folder = temporaryFolder("marks")
        const mark = { command: "/bin/sh", args: ["-c", `touch ${folder}/started; exec sleep 600`] }
        const stopped = yield* open("stopped", mark)
        yield* prompt(stopped.threadId, "a")
        const withdrawn = yield* open("withdrawn", mark)
        yield* prompt(withdrawn.threadId, "b")
        for (const { watcher } of [stopped, withdrawn])
          yield* watcher.until(({ session }) => (session.waiting?.ahead ?? 0) > 0)

        yield* send(stopped.threadId, { type: "session.stop" })
        const turnId = first(yield* withdrawn.watcher.until(() => true))?.turnId
        assert.isDefined(turnId)
        if (turnId !== undefined) yield* send(withdrawn.threadId, { type: "turn.interrupt", turnId })
        for (const { watcher } of [stopped, withdrawn]) {
          const { session } = yield* watcher.until(({ session }) => session.state === "exited")
          assert.isUndefined(session.waiting)
        }
        // The others end too, so that there is room for whoever still waits.
        yield* Effect.forEach(holders, ({ threadId }) => send(threadId, { type: "session.stop" }), {
          concurrency: "unbounded"
        })
        yield* Effect.forEach(holders, ({ watcher }) => watcher.until(({ session }) => session.state === "exited"), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(readdirSync(folder), [])
      }),
    120_000
  )
})

describe.skipIf(process.platform === "win32")("a server that may have few files open", () => {
  it.live(
    "names the limit when an agent can't be started for it, and goes on",
    () =>
      Effect.gen(function* () {
        // Enough to start, also on a busy machine, where many modules are read at once, and too few for all agents.
        const within = ["/bin/sh", "-c", 'ulimit -n 96; exec "$@"', "limited"]
        const { open, prompt, send } = yield* served(temporaryFolder("state"), { within })
        const threads = yield* Effect.forEach(numbers(36), (number) => open(`thread-${number}`))
        yield* Effect.forEach(threads, ({ threadId }) => prompt(threadId, `turn of ${threadId}`, { text: "Here." }), {
          concurrency: "unbounded"
        })
        const views = yield* Effect.forEach(threads, ({ watcher }) => watcher.until(ended), {
          concurrency: "unbounded"
        })
        const problems = views.flatMap((view) => first(view)?.problem ?? [])
        assert.isAbove(problems.length, 0)
        for (const { cause, nextSteps } of problems) {
          assert.match(cause, /may have 96 files open/)
          assert.match(nextSteps[0]?.command ?? "", /^ulimit -n \d+$/)
        }
        // With room again, what was refused works.
        const good = views.findIndex((view) => first(view)?.status === "completed")
        assert.isAtLeast(good, 0)
        const refused = views.findIndex((view) => first(view)?.problem !== undefined)
        for (const [index, { threadId, watcher }] of threads.entries()) {
          if (index === refused || views[index]?.session.state !== "ready") continue
          yield* send(threadId, { type: "session.stop" })
          yield* watcher.until(({ session }) => session.state === "exited")
        }
        const again = threads[refused]
        if (again === undefined) return assert.fail("none was refused")
        yield* prompt(again.threadId, "again", { text: "Here." })
        const view = yield* again.watcher.until(
          ({ turns }) => turns.length === 2 && hasEnded(turns[1]?.status ?? "queued")
        )
        assert.strictEqual(view.turns[1]?.status, "completed")
      }),
    120_000
  )
})
