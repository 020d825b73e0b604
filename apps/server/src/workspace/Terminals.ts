/**
 * Programs that an agent has us run, each in a terminal of its own: their output is kept within bounds and shown while it comes. None of
 * them outlives the session (ACP v1, terminals).
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
  /** Added to our own environment. */
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
  /** To the program and all that it has started. */
  readonly signal: (signal: "SIGTERM" | "SIGKILL") => void
  /** Completes when it has exited and all of its output was heard. */
  readonly over: Effect.Effect<Ending>
}

/** Starts a program; `hear` is called with what it prints. Closing the scope ends it, with all that it has started. */
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
  /** Once it is over. */
  readonly ending?: Ending
}

export interface Terminals {
  /** Returns as soon as the program runs. */
  readonly create: (input: CreateTerminal) => Effect.Effect<string, PathRefused>
  /** What it has printed so far; undefined for a terminal that is not there, or not any more. */
  readonly output: (terminalId: string) => TerminalOutput | undefined
  /** Interrupting it leaves the program alone. */
  readonly waitForExit: (terminalId: string) => Effect.Effect<Ending> | undefined
  /** Ends the program; the terminal stays. Returns when that is done. */
  readonly kill: (terminalId: string) => Effect.Effect<void> | undefined
  /** Ends the program; the terminal is gone. */
  readonly release: (terminalId: string) => Effect.Effect<void> | undefined
  /** How many programs run. */
  readonly running: () => number
  /** What is started from here on belongs to a new turn. */
  readonly beginTurn: () => void
  /** Ends what was started in this turn. */
  readonly stopTurn: Effect.Effect<void>
  /** Ends all at once, and shows them as ended. Synchronous. */
  readonly endAll: () => void
}

export interface Options {
  readonly start: StartProgram
  /** The folder in which programs run unless they name another. */
  readonly cwd: string
  readonly grant: Grant
  /** What is shown of their output is shown without. The agent is told all of it. */
  readonly secrets: Secrets
  /** Whether a command with spaces and without arguments is a line for a shell. */
  readonly shellLines: boolean
  /** Hears of every change of a terminal, its output at most ten times a second. Synchronous. */
  readonly show: (terminal: ToolTerminal) => void
}

/** Bytes: kept unless asked otherwise, kept at most, and shown of a program that runs. */
const usualLimit = 1024 * 1024
const greatestLimit = 4 * 1024 * 1024
const shownWhileRunning = 8 * 1024
const shownInTheEnd = 1024 * 1024
/** Kept and looked through before what is shown. So a secret is known of which only the end would be shown. */
const lookedBefore = 16 * 1024

/** Programs that run at once, and terminals that are there: agents are known never to release any. */
const mostRunning = 64
const mostOpen = 128

/** After SIGTERM, before SIGKILL. */
const killGrace = "2 seconds"

/** Milliseconds between two looks at the output; a program that runs for long is shown less often, up to `slowest`. */
const pace = 100
const slowest = 1000

interface Terminal {
  readonly terminalId: string
  /** In which it was started. */
  readonly turn: number
  readonly command: string
  readonly cwd: string
  readonly startedAt: number
  readonly buffer: OutputBuffer.OutputBuffer
  /** Bytes that the agent is told at most. */
  readonly limit: number
  readonly program: RunningProgram
  readonly over: Deferred.Deferred<Ending>
  ending: Ending | undefined
  shownAt: number
}

/** Closing the scope ends all programs. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Terminals, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  // Of no use to people, and never set back.
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  const open = new Map<string, Terminal>()
  const running = new Set<Terminal>()
  /** Running terminals that have printed something that was not shown. */
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

  /** Makes room for one more. */
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

/** `text` is the end of `all`, and goes on unless the program is over. */
const withoutSecrets = (all: string, text: string, isOver: boolean, secrets: Secrets): string => {
  const spans = [...secrets.spansIn(all)]
  const begun = isOver ? 0 : secrets.begun(all)
  if (begun > 0) spans.push({ start: all.length - begun, end: all.length })
  const before = all.slice(0, all.length - text.length)
  return Spans.withoutIn([before, text], Spans.joined(spans))[1] ?? text
}

const paceOf = ({ startedAt }: Terminal, now: number): number =>
  Math.min(slowest, Math.max(pace, (now - startedAt) / 20))

/** Agents are known to send a line for a shell as the name of a program. */
const commandOf = ({ args, command }: CreateTerminal, shellLines: boolean): Pick<Program, "command" | "args"> =>
  shellLines && args.length === 0 && /\s/.test(command.trim()) && !existsSync(command)
    ? { command: "/bin/sh", args: ["-c", command] }
    : { command, args }
