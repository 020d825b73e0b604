/** Programs in a pseudo-terminal. Its native part is installed for the usual systems. On others, only `spawn` fails. */
import type { TerminalSize } from "@signalbox/contracts/SignIn"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { type SystemRefused, systemRefused } from "@signalbox/system/SystemError"

export interface PtyExit {
  readonly exitCode: number
  /** The number of the signal, if one ended it. */
  readonly signal?: number
}

export interface Pty {
  /** The id of the program, and of the session and group that it leads. */
  readonly pid: number
  /** The output with escape sequences, for one reader. A slow reader makes the program wait. */
  readonly output: Stream.Stream<string>
  readonly write: (data: string) => void
  readonly resize: (size: TerminalSize) => void
  readonly exited: Effect.Effect<PtyExit>
}

export interface Options {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly size: TerminalSize
}

/** UTF-16 units that may wait for the reader before the program must wait. */
const highWaterMark = 256 * 1024

const load = Effect.tryPromise({
  try: () => import("@lydell/node-pty"),
  catch: systemRefused
})

export const isAvailable: Effect.Effect<boolean> = Effect.map(Effect.exit(load), Exit.isSuccess)

/** Starts a program. The caller must end it; it leads its own group. Fails if the system has no pseudo-terminals. */
export const spawn = Effect.fn("Pty.spawn")(function* (options: Options): Effect.fn.Return<Pty, SystemRefused> {
  const { spawn } = yield* load
  const { args, command, cwd, env, size } = options
  const queue = yield* Queue.unbounded<string, Cause.Done>()
  const exited = yield* Deferred.make<PtyExit>()
  const terminal = yield* Effect.try({
    try: () =>
      spawn(command, [...args], { name: "xterm-256color", cwd, env: { ...env }, cols: size.columns, rows: size.rows }),
    catch: systemRefused
  })
  let pending = 0
  let ended = false
  terminal.onData((data) => {
    pending += data.length
    if (pending > highWaterMark) terminal.pause()
    Queue.offerUnsafe(queue, data)
  })
  terminal.onExit(({ exitCode, signal }) => {
    ended = true
    Deferred.doneUnsafe(exited, Exit.succeed({ exitCode, ...(signal !== undefined && signal !== 0 && { signal }) }))
    Queue.endUnsafe(queue)
  })
  return {
    pid: terminal.pid,
    output: Stream.fromQueue(queue).pipe(
      Stream.tap((data) =>
        Effect.sync(() => {
          const full = pending > highWaterMark
          pending -= data.length
          if (full && pending <= highWaterMark && !ended) terminal.resume()
        })
      )
    ),
    write: (data) => {
      if (!ended) terminal.write(data)
    },
    resize: ({ columns, rows }) => {
      if (!ended) terminal.resize(columns, rows)
    },
    exited: Deferred.await(exited)
  }
})
