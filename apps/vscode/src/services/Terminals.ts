/** Programs that run in this window for the agent of one thread. None of them outlives the window. */
import type { CreateTerminalRequest } from "@signalbox/acp/AcpSchema"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import * as GuardedProcess from "@signalbox/process/GuardedProcess"
import * as OutputBuffer from "@signalbox/process/OutputBuffer"
import type { ExitCode } from "@signalbox/process/ProcessExit"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { messageOf } from "@signalbox/system/SystemError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import type { Log } from "../log/Log.ts"
import * as ShownTerminal from "./ShownTerminal.ts"
import { endOf, environmentFor, nameOf } from "./TerminalText.ts"
import * as ThreadFolders from "./ThreadFolders.ts"

export interface Options {
  readonly folders: () => ReadonlyArray<string>
  /** The folder in which programs run unless they name another. */
  readonly cwd: string
  /** The agent's name for people. */
  readonly agent: string
  readonly ledger: ProcessLedger["Service"]
  readonly log: Log
}

/** How a program ended, as the protocol has it. */
export interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: string | null
}

export interface TerminalOutput {
  readonly output: string
  readonly truncated: boolean
  readonly exitStatus?: ExitStatus
}

export interface Terminals {
  readonly create: (params: CreateTerminalRequest) => Effect.Effect<string, RpcError>
  readonly output: (terminalId: string) => Effect.Effect<TerminalOutput, RpcError>
  /** Interrupting it does not end the program. */
  readonly waitForExit: (terminalId: string) => Effect.Effect<ExitStatus, RpcError>
  /** Ends the program and keeps the terminal. Completes when the program has ended. */
  readonly kill: (terminalId: string) => Effect.Effect<void, RpcError>
  /** Ends the program at once, and forgets the terminal. */
  readonly release: (terminalId: string) => Effect.Effect<void, RpcError>
  readonly releaseAll: Effect.Effect<void>
}

interface Terminal {
  readonly program: GuardedProcess.GuardedProcess
  readonly buffer: OutputBuffer.OutputBuffer
  readonly limit: number
  readonly scope: Scope.Closeable
  readonly over: Deferred.Deferred<ExitStatus>
  ending: ExitStatus | undefined
}

/** Limits of output in bytes: kept by default, and kept at most. */
const usualLimit = 1024 * 1024
const greatestLimit = 4 * 1024 * 1024

/** The time between SIGTERM and SIGKILL. */
const killGrace = "1 second"

/** Tabs of programs that have ended, for people to read. */
const mostEnded = 5

/** Closing the scope ends all programs. */
export const make = Effect.fnUntraced(function* ({
  agent,
  cwd,
  folders,
  ledger,
  log
}: Options): Effect.fn.Return<Terminals, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const fork = yield* FiberSet.makeRuntime()
  const open = new Map<string, Terminal>()
  const ended: Array<ShownTerminal.ShownTerminal> = []

  const known = (terminalId: string): Effect.Effect<Terminal, RpcError> => {
    const terminal = open.get(terminalId)
    return terminal === undefined
      ? Effect.fail(new RpcError({ code: ErrorCode.ResourceNotFound, message: `There is no terminal ${terminalId}.` }))
      : Effect.succeed(terminal)
  }

  const kill = ({ over, program }: Terminal): Effect.Effect<void> =>
    Effect.suspend(() => {
      program.signal("SIGTERM")
      return Deferred.await(over).pipe(
        Effect.timeoutOrElse({
          duration: killGrace,
          orElse: () => {
            program.signal("SIGKILL")
            return Deferred.await(over)
          }
        }),
        Effect.asVoid
      )
    })

  const releaseOne = (terminalId: string, { scope }: Terminal): Effect.Effect<void> =>
    Effect.suspend(() => {
      open.delete(terminalId)
      return Scope.close(scope, Exit.void)
    })

  const keepEnded = (shown: ShownTerminal.ShownTerminal): void => {
    ended.push(shown)
    if (ended.length > mostEnded) ended.shift()?.close()
  }

  /** Starts the program in a scope of its own. */
  const started = Effect.fnUntraced(function* (params: CreateTerminalRequest, own: Scope.Closeable) {
    const { args = [], command, env = [], outputByteLimit } = params
    const folder = params.cwd ?? cwd
    yield* Effect.tryPromise({
      try: () => ThreadFolders.placeOf(folders(), folder),
      catch: (error) => (error instanceof RpcError ? error : RpcError.invalidParams(messageOf(error)))
    })
    const program = { command, args, env: environmentFor(process.env, env) }
    const running = yield* GuardedProcess.start({ program, cwd: folder, ledger, oneOutput: true }).pipe(
      Effect.mapError(({ problem }) => RpcError.internal(problem.cause))
    )
    const limit = Math.min(outputByteLimit ?? usualLimit, greatestLimit)
    const terminal: Terminal = {
      program: running,
      buffer: OutputBuffer.make(limit),
      limit,
      scope: own,
      over: Deferred.makeUnsafe(),
      ending: undefined
    }
    const shown = ShownTerminal.make({
      name: nameOf(params, agent),
      onInterrupt: () => running.signal("SIGINT"),
      onClosed: () => {
        if (terminal.ending === undefined) fork(kill(terminal))
      }
    })
    const hear = (chunk: Uint8Array): void => {
      terminal.buffer.push(chunk)
      shown.print(chunk)
    }
    running.child.stdout.on("data", hear)
    // The shell's error, if it could not start the program.
    running.child.stderr.on("data", hear)
    running.child.stdin.end()
    const finish = (code: ExitCode): void => {
      terminal.ending = { exitCode: code.exitCode ?? null, signal: code.signal ?? null }
      log.info("terminal", "A program ended", { command, ...terminal.ending })
      shown.end(endOf(terminal.ending))
      keepEnded(shown)
      Deferred.doneUnsafe(terminal.over, Exit.succeed(terminal.ending))
    }
    // Detached: also a program that ends with the scope is said to have ended. Each of them ends by then.
    yield* Effect.forkDetach(Effect.map(running.over, finish))
    log.info("terminal", "A program started", { command, pid: running.child.pid })
    return terminal
  })

  return {
    create: (params) =>
      Effect.gen(function* () {
        const own = yield* Scope.fork(scope)
        const terminal = yield* started(params, own).pipe(
          Scope.provide(own),
          Effect.onError(() => Scope.close(own, Exit.void))
        )
        const terminalId = randomUUID()
        open.set(terminalId, terminal)
        return terminalId
      }),
    output: (terminalId) =>
      Effect.map(known(terminalId), ({ buffer, ending, limit }) => {
        const { text, truncated } = buffer.last(limit, ending !== undefined)
        return { output: text, truncated, ...(ending !== undefined && { exitStatus: ending }) }
      }),
    waitForExit: (terminalId) => Effect.flatMap(known(terminalId), ({ over }) => Deferred.await(over)),
    kill: (terminalId) => Effect.flatMap(known(terminalId), kill),
    release: (terminalId) => Effect.flatMap(known(terminalId), (terminal) => releaseOne(terminalId, terminal)),
    releaseAll: Effect.suspend(() =>
      Effect.forEach([...open], ([terminalId, terminal]) => releaseOne(terminalId, terminal), {
        concurrency: "unbounded",
        discard: true
      })
    )
  }
})
