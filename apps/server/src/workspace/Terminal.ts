/** One program that Signalbox runs for an agent, with what it has printed. `Terminals` keeps all of a session. */
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as Spans from "@signalbox/redaction/Spans"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import type { PathRefused } from "./Containment.ts"
import * as OutputBuffer from "@signalbox/process/OutputBuffer"

/** A program to run: an argument vector. */
export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Variables that are added to our own environment. */
  readonly env: Readonly<Record<string, string>>
  /** Absolute. */
  readonly cwd: string
}

/** How it ended: by itself, or by a signal. Neither: nobody knows. */
export interface Ending {
  readonly exitCode?: number
  readonly signal?: string
}

export interface RunningProgram {
  /** Sends a signal to the program and to all processes that it has started. */
  readonly signal: (signal: "SIGTERM" | "SIGKILL") => void
  /** Completes when the program has exited and all of its output was read. */
  readonly over: Effect.Effect<Ending>
  /** Only for a program that runs in a terminal of somebody else. */
  readonly elsewhere?: {
    /** Brings the output up to date. */
    readonly fetch: Effect.Effect<void>
    /** Gives the terminal up. */
    readonly release: Effect.Effect<void>
  }
}

/** Takes the output of a program. */
export interface Screen {
  readonly terminalId: string
  /** The most bytes of output that the agent gets. */
  readonly limit: number
  readonly hear: (chunk: Uint8Array) => void
  /** Replaces all output so far. */
  readonly become: (text: string, truncated: boolean) => void
}

/**
 * Starts a program. Closing the scope ends the program and all processes that it has
 * started.
 */
export type StartProgram = (program: Program, screen: Screen) => Effect.Effect<RunningProgram, PathRefused, Scope.Scope>

export interface Terminal {
  readonly terminalId: string
  /** The number of the turn that the program was started in. */
  readonly turn: number
  /** The command line as people see it. */
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

/** Limits in bytes: shown while a program runs, and shown at its end. */
const shownWhileRunning = 8 * 1024
const shownInTheEnd = 1024 * 1024
/** Bytes before the shown output that are searched too. They reveal a secret that begins before the shown part. */
const lookedBefore = 16 * 1024

/** The wait between SIGTERM and SIGKILL. */
const killGrace = "2 seconds"

export interface Options {
  readonly program: Program
  readonly start: StartProgram
  /** The command line as people see it. */
  readonly command: string
  /** The most bytes of output that the agent gets. */
  readonly limit: number
  /** Asked once the program runs. */
  readonly begun: () => Pick<Terminal, "turn" | "startedAt">
  /** Called after each piece of output, once there is a terminal. Synchronous. */
  readonly printed: (terminal: Terminal) => void
}

/** Starts a program in a terminal. Closing the scope ends it. */
export const start = Effect.fnUntraced(function* ({
  begun,
  command,
  limit,
  printed,
  program,
  start
}: Options): Effect.fn.Return<Terminal, PathRefused, Scope.Scope> {
  const buffer = OutputBuffer.make(limit + lookedBefore)
  let terminal: Terminal | undefined
  const terminalId = `terminal-${randomBytes(4).toString("hex")}`
  const shown = () => {
    if (terminal !== undefined) printed(terminal)
  }
  const running = yield* start(program, {
    terminalId,
    limit,
    hear: (chunk) => {
      buffer.push(chunk)
      shown()
    },
    become: (text, truncated) => {
      buffer.become(text, truncated)
      shown()
    }
  })
  return (terminal = {
    ...begun(),
    terminalId,
    command,
    cwd: program.cwd,
    buffer,
    limit,
    program: running,
    over: Deferred.makeUnsafe(),
    ending: undefined,
    shownAt: 0
  })
})

/** Ends the program: first it is asked to end. Returns when it has ended. */
export const kill = (terminal: Terminal): Effect.Effect<void> =>
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

/** Whether it ended in a way that nobody knows. */
export const isLost = ({ exitCode, signal }: Ending): boolean => exitCode === undefined && signal === undefined

/** The terminal as people see it, without secrets. */
export const viewOf = (
  { buffer, command, cwd, ending, limit, terminalId }: Terminal,
  secrets: Secrets
): ToolTerminal => {
  const isOver = ending !== undefined
  const shown = Math.min(limit, isOver ? shownInTheEnd : shownWhileRunning)
  const { text, truncated } = buffer.last(shown, isOver)
  return {
    terminalId,
    state: ending === undefined ? "running" : isLost(ending) ? "unknown" : "exited",
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
