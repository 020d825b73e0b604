/** Programs that a test sees begin and end: each holds a connection to the test for as long as it lives. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createServer } from "node:net"

export interface Lifeline {
  /** JavaScript for `node -e` that connects, and then lives until it is ended. */
  readonly code: string
  /** Completes when one more program has begun. */
  readonly begun: Effect.Effect<void>
  /** Completes when one more program is gone. */
  readonly gone: Effect.Effect<void>
  /** Stands in the command line of each of the programs. */
  readonly mark: string
  /** The programs that are in the process table now, by their command lines. */
  readonly listed: () => ReadonlyArray<string>
}

export const make = Effect.gen(function* () {
  const begun = yield* Queue.unbounded<void>()
  const gone = yield* Queue.unbounded<void>()
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const listening = createServer((socket) => {
        Queue.offerUnsafe(begun, undefined)
        socket.on("error", () => {})
        socket.on("close", () => Queue.offerUnsafe(gone, undefined))
        socket.resume()
      })
      listening.listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
    }),
    (listening) => Effect.sync(() => listening.close())
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const mark = randomUUID()
  const lifeline: Lifeline = {
    code: `/*${mark}*/require("node:net").connect(${port},"127.0.0.1");setInterval(()=>{},1000)`,
    begun: Effect.asVoid(Queue.take(begun)),
    gone: Effect.asVoid(Queue.take(gone)),
    mark,
    listed: () =>
      execFileSync("ps", ["-A", "-ww", "-o", "stat=,args="], { encoding: "utf8" })
        .split("\n")
        .filter((row) => row.includes(mark) && !row.startsWith("Z"))
  }
  return lifeline
})
