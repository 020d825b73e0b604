/**
 * Programs that Signalbox runs for an agent, each in a terminal of its own (ACP v1, terminals). Their output is bounded
 * and shown while it comes. None of them outlives the session.
 */
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Scope from "effect/Scope"
import * as CommandLine from "effect/process/CommandLine"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as Spans from "@signalbox/redaction/Spans"
import { PathRefused } from "./Containment.ts"
import * as OutputBuffer from "./OutputBuffer.ts"
import * as ProtectedPaths from "./ProtectedPaths.ts"
import type { Grant } from "./ProtectedPaths.ts"

/** A program to run: an argument vector. */
export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Variables that are added to our own environment. */
  readonly env: Readonly<Record<string, string>>
  /** Absolute. */
  readonly cwd: string
}

/** How it ended: by itself, or by a signal. */
export interface Ending {
  readonly exitCode?: number
  readonly signal?: string
}

export interface RunningProgram {
  /** Sends a signal to the program and to all processes that it has started. */
  readonly signal: (signal: "SIGTERM" | "SIGKILL") => void
  /** Completes when the program has exited and all of its output was read. */
  readonly over: Effect.Effect<Ending>
}

/**
 * Starts a program. `hear` is called with its output. Closing the scope ends the program and all processes that it has
 * started.
 */
export type StartProgram = (
  program: Program,
  hear: (chunk: Uint8Array) => void
) => Effect.Effect<RunningProgram, PathRefused, Scope.Scope>

export interface CreateTerminal {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** Bytes of output to keep. */
  readonly outputByteLimit?: number | undefined
}

export interface TerminalOutput {
  readonly output: string
  readonly truncated: boolean
  /** How the program ended; absent while it runs. */
  readonly ending?: Ending
}

export interface Terminals {
  /** Returns as soon as the program runs. */
  readonly create: (input: CreateTerminal) => Effect.Effect<string, PathRefused>
  /** The output so far; undefined if the terminal doesn't exist, or was released. */
  readonly output: (terminalId: string) => TerminalOutput | undefined
  /** Waits for the end of the program. Interrupting it does not end the program. */
  readonly waitForExit: (terminalId: string) => Effect.Effect<Ending> | undefined
  /** Ends the program and keeps the terminal. Returns when the program has ended. */
  readonly kill: (terminalId: string) => Effect.Effect<void> | undefined
  /** Ends the program and removes the terminal. */
  readonly release: (terminalId: string) => Effect.Effect<void> | undefined
  /** The number of running programs. */
  readonly running: () => number
  /** Begins a new turn: programs that start from here on belong to it. */
  readonly beginTurn: () => void
  /** Ends the programs that were started in this turn. */
  readonly stopTurn: Effect.Effect<void>
  /** Ends all programs at once, and shows them as ended. Synchronous. */
  readonly endAll: () => void
}

export interface Options {
  readonly start: StartProgram
  /** The folder in which programs run unless they name another. */
  readonly cwd: string
  readonly grant: Grant
  /** Secrets that are removed from the shown output. The agent gets the whole output. */
  readonly secrets: Secrets
  /** Whether a command with spaces and without arguments is run by a shell. */
  readonly shellLines: boolean
  /** Called at every change of a terminal, for output at most ten times a second. Synchronous. */
  readonly show: (terminal: ToolTerminal) => void
}

/** Limits in bytes: kept by default, kept at most, shown while a program runs, and shown at its end. */
const usualLimit = 1024 * 1024
const greatestLimit = 4 * 1024 * 1024
const shownWhileRunning = 8 * 1024
const shownInTheEnd = 1024 * 1024
/** Bytes before the shown output that are searched too. They reveal a secret that begins before the shown part. */
const lookedBefore = 16 * 1024

/** The most running programs, and the most terminals. Some agents never release a terminal. */
const mostRunning = 64
const mostOpen = 128

/** The wait between SIGTERM and SIGKILL. */
const killGrace = "2 seconds"

/** Milliseconds between two updates of the shown output. They grow up to `slowest` for a program that runs long. */
const pace = 100
const slowest = 1000

interface Terminal {
  readonly terminalId: string
  /** The number of the turn that the program was started in. */
  readonly turn: number
  readonly command: string
  readonly cwd: string
  readonly startedAt: number
  readonly buffer: OutputBuffer.OutputBuffer
  /** The most bytes of output that the agent gets. */
  readonly limit: number
  readonly program: RunningProgram
  readonly over: Deferred.Deferred<Ending>
  ending: Ending | undefined
  shownAt: number
}

/** Makes the terminals of a session. Closing the scope ends all programs. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Terminals, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  // A monotonic clock: these times are never shown, and must never go back.
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  const open = new Map<string, Terminal>()
  const running = new Set<Terminal>()
  /** Running terminals with output that is not shown yet. */
  const fresh = new Set<Terminal>()
  const somethingFresh = Latch.makeUnsafe(false)
  let turn = 0

  const show = (terminal: Terminal) => {
    fresh.delete(terminal)
    terminal.shownAt = now()
    options.show(viewOf(terminal, options.secrets))
  }

  const end = (terminal: Terminal, ending: Ending) => {
    if (!running.delete(terminal)) return
    terminal.ending = ending
    show(terminal)
    Deferred.doneUnsafe(terminal.over, Exit.succeed(ending))
  }

  /** Forgets the oldest ended terminals to make room for another one. */
  const forgetOldest = () => {
    for (const { ending, terminalId } of open.values()) {
      if (open.size < mostOpen) return
      if (ending !== undefined) open.delete(terminalId)
    }
  }

  const heard = (terminal: Terminal) => {
    if (!running.has(terminal)) return
    fresh.add(terminal)
    somethingFresh.openUnsafe()
  }

  yield* Effect.gen(function* () {
    yield* somethingFresh.await
    for (const terminal of fresh) if (now() - terminal.shownAt >= paceOf(terminal, now())) show(terminal)
    if (fresh.size === 0) somethingFresh.closeUnsafe()
    yield* Effect.sleep(pace)
  }).pipe(Effect.forever, Effect.forkScoped)

  const create: Terminals["create"] = Effect.fn("Terminals.create")(function* (input) {
    if (running.size >= mostRunning)
      return yield* new PathRefused({
        reason: "system",
        path: input.command,
        message: `${mostRunning} programs run in terminals already. End those that are no longer needed.`
      })
    const given = input.cwd ?? options.cwd
    const { path: cwd } = yield* ProtectedPaths.resolve(options.grant, given, "read")
    const limit = Math.min(input.outputByteLimit ?? usualLimit, greatestLimit)
    const buffer = OutputBuffer.make(limit + lookedBefore)
    const own = yield* Scope.fork(scope)
    let terminal: Terminal | undefined
    const program = yield* options
      .start({ ...commandOf(input, options.shellLines), env: input.env, cwd }, (chunk) => {
        buffer.push(chunk)
        if (terminal !== undefined) heard(terminal)
      })
      .pipe(
        Scope.provide(own),
        Effect.onError(() => Scope.close(own, Exit.void))
      )
    const made: Terminal = (terminal = {
      terminalId: `terminal-${randomBytes(4).toString("hex")}`,
      turn,
      command: input.args.length === 0 ? input.command : CommandLine.display([input.command, ...input.args]),
      cwd,
      startedAt: now(),
      buffer,
      limit,
      program,
      over: Deferred.makeUnsafe(),
      ending: undefined,
      shownAt: 0
    })
    forgetOldest()
    open.set(made.terminalId, made)
    running.add(made)
    show(made)
    yield* program.over.pipe(
      Effect.tap((ending) => Effect.sync(() => end(made, ending))),
      Effect.andThen(Scope.close(own, Exit.void)),
      Effect.forkIn(scope)
    )
    return made.terminalId
  }, Effect.uninterruptible)

  const kill = (terminal: Terminal): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (terminal.ending !== undefined) return Effect.void
      terminal.program.signal("SIGTERM")
      return Deferred.await(terminal.over).pipe(
        Effect.timeoutOption(killGrace),
        Effect.andThen(
          Effect.suspend(() => {
            if (terminal.ending === undefined) terminal.program.signal("SIGKILL")
            return Deferred.await(terminal.over)
          })
        ),
        Effect.asVoid
      )
    })

  const known = <A>(terminalId: string, what: (terminal: Terminal) => A): A | undefined => {
    const terminal = open.get(terminalId)
    return terminal === undefined ? undefined : what(terminal)
  }

  return {
    create,
    output: (terminalId) =>
      known(terminalId, ({ buffer, ending, limit }) => {
        const { text, truncated } = buffer.last(limit, ending !== undefined)
        return { output: text, truncated, ...(ending && { ending }) }
      }),
    waitForExit: (terminalId) => known(terminalId, ({ over }) => Deferred.await(over)),
    kill: (terminalId) => known(terminalId, kill),
    release: (terminalId) =>
      known(terminalId, (terminal) =>
        Effect.suspend(() => {
          open.delete(terminalId)
          return kill(terminal)
        })
      ),
    running: () => running.size,
    beginTurn: () => {
      turn += 1
    },
    stopTurn: Effect.suspend(() =>
      Effect.forEach(
        [...running].filter((terminal) => terminal.turn === turn),
        kill,
        {
          concurrency: "unbounded",
          discard: true
        }
      )
    ),
    endAll: () => {
      for (const terminal of running) {
        terminal.program.signal("SIGKILL")
        end(terminal, { signal: "SIGKILL" })
      }
    }
  }
})

const viewOf = ({ buffer, command, cwd, ending, limit, terminalId }: Terminal, secrets: Secrets): ToolTerminal => {
  const isOver = ending !== undefined
  const shown = Math.min(limit, isOver ? shownInTheEnd : shownWhileRunning)
  const { text, truncated } = buffer.last(shown, isOver)
  return {
    terminalId,
    state: ending === undefined ? "running" : "exited",
    command,
    cwd,
    output: secrets.isEmpty
      ? text
      : withoutSecrets(buffer.last(shown + lookedBefore, isOver).text, text, isOver, secrets),
    truncated,
    ...ending
  }
}

/** Removes the secrets of `all` from `text`, which is its end. Unless the program is over, the text may continue. */
const withoutSecrets = (all: string, text: string, isOver: boolean, secrets: Secrets): string => {
  const spans = [...secrets.spansIn(all)]
  const begun = isOver ? 0 : secrets.begun(all)
  if (begun > 0) spans.push({ start: all.length - begun, end: all.length })
  const before = all.slice(0, all.length - text.length)
  return Spans.withoutIn([before, text], Spans.joined(spans))[1] ?? text
}

const paceOf = ({ startedAt }: Terminal, now: number): number =>
  Math.min(slowest, Math.max(pace, (now - startedAt) / 20))

/** The program and its arguments. Some agents send a shell command line as the name of a program. */
const commandOf = ({ args, command }: CreateTerminal, shellLines: boolean): Pick<Program, "command" | "args"> =>
  shellLines && args.length === 0 && /\s/.test(command.trim()) && !existsSync(command)
    ? { command: "/bin/sh", args: ["-c", command] }
    : { command, args }
