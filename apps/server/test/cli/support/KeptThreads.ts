/** A server in a state folder of its own whose threads are these rows: as old, as busy and as damaged as a test wants them. */
import type { Problem } from "@signalbox/contracts/Problem"
import { ProviderId } from "@signalbox/contracts/Provider"
import { BootId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadsFrame } from "@signalbox/contracts/ThreadFrame"
import { ThreadChanged, ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import { Threads } from "../../../src/orchestration/Threads.ts"
import { HttpApp } from "../../../src/http/HttpApp.ts"
import * as ServerFile from "@signalbox/loopback/ServerFile"
import { layerOf } from "../../http/support/ServerUnderTest.ts"
import { temporaryFolder } from "./Signalbox.ts"

const day = 24 * 60 * 60 * 1000

/** A thread that is done and was left alone for so many days. */
export const row = (threadId: string, days: number, more: Partial<ThreadSummary> = {}): ThreadSummary => {
  const at = Date.now() - days * day
  return {
    threadId: ThreadId.make(threadId),
    sequence: Sequence.make(1),
    title: `About ${threadId}`,
    provider: { id: ProviderId.make("eliza"), kind: "acp", name: "Eliza", simulated: true },
    cwd: "/project",
    createdAt: at,
    updatedAt: at,
    status: "completed",
    ...more
  }
}

export const damage: Problem = {
  code: "storage",
  title: "The thread can't be read.",
  cause: "a row can't be understood",
  evidence: {},
  nextSteps: [{ action: "restart", label: "Restore it from a backup" }]
}

/**
 * The ids in `removed` stand in the order in which the threads went. One that is unreadable can neither be exported nor removed;
 * in those of `changing` something happens just before they would be removed.
 */
export const serve = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ThreadSummary>,
  changing: ReadonlyArray<string> = []
) {
  const state = temporaryFolder("state")
  const threads = new Map(rows.map((row) => [row.threadId, row]))
  const frames = yield* Queue.unbounded<ThreadsFrame>()
  const removed: Array<string> = []
  const unreadable = (threadId: ThreadId) => {
    const problem = threads.get(threadId)?.unreadable
    return problem === undefined ? undefined : new ThreadUnreadable({ threadId, problem })
  }
  const kept: Threads["Service"] = {
    bootId: BootId.make("boot"),
    inMemory: Effect.succeed(0),
    send: () => Effect.die("no commands here"),
    watch: (threadId) => Stream.fail(new ThreadNotFound({ threadId })),
    watchAll: Stream.concat(
      Stream.sync((): ThreadsFrame => ({ type: "snapshot", threads: [...threads.values()] })),
      Stream.fromQueue(frames)
    ),
    watchRequests: Stream.never,
    earlier: (threadId) => Effect.fail(new ThreadNotFound({ threadId })),
    later: (threadId) => Effect.fail(new ThreadNotFound({ threadId })),
    output: (threadId) => Stream.fail(new ThreadNotFound({ threadId })),
    export: (threadId) => {
      const thread = threads.get(threadId)
      const error = thread === undefined ? new ThreadNotFound({ threadId }) : unreadable(threadId)
      // The lines before the damage are read.
      const lines = Stream.make(`{"thread":"${threadId}"}\n`, `{"item":"…"}\n`)
      return error === undefined ? lines : Stream.concat(Stream.take(lines, 1), Stream.fail(error))
    },
    remove: (threadId, ifSequence) =>
      Effect.suspend((): Effect.Effect<void, ThreadUnreadable | ThreadChanged> => {
        const error = unreadable(threadId)
        if (error !== undefined) return Effect.fail(error)
        const sequence = (threads.get(threadId)?.sequence ?? 0) + (changing.includes(threadId) ? 1 : 0)
        if (ifSequence !== undefined && ifSequence !== sequence) return Effect.fail(new ThreadChanged({ threadId }))
        threads.delete(threadId)
        removed.push(threadId)
        Queue.offerUnsafe(frames, { type: "changed", threads: [], removed: [threadId] })
        return Effect.void
      })
  }
  const context = yield* Layer.build(layerOf(Layer.succeed(Threads, kept)))
  const { token, url } = yield* Effect.provideContext(HttpApp, context)
  yield* ServerFile.keep(join(state, "server.json"), { url, token, pid: process.pid })
  return { state, removed }
})
