// The durable core alone, in this process: real threads over a real database file, with the agents' side played by the tests' fake.
import "effect/schema/SchemaJITCompiler/enable"
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

// After the compiler is in place: schemas are compiled when they are made.
const { boot } = await import("../../apps/server/test/support/ThreadsHarness.ts")

/** Runs `use` with a host on the file, and ends the host. */
export const withHost = (filename, use) => Effect.runPromise(Effect.scoped(Effect.flatMap(boot(filename), use)))

export const turnsPerThread = (events) => Math.ceil(events / eventsPerTurn)
const eventsPerTurn = 500

/** What an agent does in one turn: 45 texts of ten pieces, and 25 calls that begin and end. */
const work = (turnId) => {
  const bodies = []
  for (let text = 0; text < 45; text++) {
    const itemId = `${turnId}:assistant:${text}`
    for (let piece = 0; piece < 10; piece++) {
      bodies.push({ type: "message.delta", turnId, itemId, offset: piece * 40, text: "x".repeat(39).concat(" ") })
    }
    if (text % 9 < 5) {
      const tool = {
        toolCallId: `call-${text}`,
        title: "npm test",
        kind: "execute",
        subject: { type: "command", command: "npm test" },
        diffs: [],
        content: [],
        locations: [],
        startedAt: 1
      }
      const call = { turnId, itemId: `${turnId}:call-${text}` }
      bodies.push({ type: "tool.started", ...call, tool: { ...tool, status: "in_progress" } })
      const result = { exitCode: 0, stdout: "passed\n".repeat(30) }
      bodies.push({ type: "tool.completed", ...call, tool: { ...tool, status: "completed", result, endedAt: 2 } })
    }
  }
  return bodies
}

/** A thread with so many events, in turns of five hundred. */
export const history = (host, threadId, events) =>
  Effect.gen(function* () {
    yield* host.create(threadId)
    for (let turn = 0; turn < turnsPerThread(events); turn++) {
      const turnId = randomUUID()
      yield* host.prompt(threadId, turnId, "hang")
      yield* host.until(threadId, ({ turns }) => turns.some((one) => one.turnId === turnId && one.status === "working"))
      yield* host.provider.emit(threadId, work(turnId))
      yield* host.send(threadId, { type: "turn.interrupt", turnId })
      yield* host.ended(threadId, turnId)
    }
  })

/** The thread's state as a page gets it first. */
export const snapshot = (host, threadId) =>
  Effect.map(Stream.runHead(host.threads.watch(threadId)), (frame) => frame.valueOrUndefined ?? frame.value)
