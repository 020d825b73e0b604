/**
 * Programs that Signalbox runs for an agent, each in a terminal of its own (ACP v1, terminals). Their output is bounded
 * and shown while it comes. None of them outlives the session.
 */
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as CommandLine from "effect/process/CommandLine"
import { existsSync } from "node:fs"
import type { Secrets } from "@signalbox/redaction/Secrets"
import { PathRefused } from "./Containment.ts"
import * as ProtectedPaths from "./ProtectedPaths.ts"
import type { Grant } from "./ProtectedPaths.ts"
import * as Terminal from "./Terminal.ts"
import * as TerminalDisplay from "./TerminalDisplay.ts"

export interface CreateTerminal {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** Whether a shell runs the command. */
  readonly isLine?: boolean
  /** Bytes of output to keep. */
  readonly outputByteLimit?: number | undefined
}

export interface TerminalOutput {
  readonly output: string
  readonly truncated: boolean
  /** How the program ended; absent while it runs. */
  readonly ending?: Terminal.Ending
}

export interface Terminals {
  /** Returns as soon as the program runs. */
  readonly create: (input: CreateTerminal) => Effect.Effect<string, PathRefused>
  /** The output so far; undefined if the terminal doesn't exist, or was released. */
  readonly output: (terminalId: string) => TerminalOutput | undefined
  /** Brings the output up to date, where the program runs elsewhere. */
  readonly fetch: (terminalId: string) => Effect.Effect<void>
  /** Waits for the end of the program. Interrupting it does not end the program. */
  readonly waitForExit: (terminalId: string) => Effect.Effect<Terminal.Ending> | undefined
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
  readonly start: Terminal.StartProgram
  /** The folder in which programs run unless they name another. */
  readonly cwd: string
  readonly grant: Grant
  /** Secrets that are removed from the shown output. The agent gets the whole output. */
  readonly secrets: Secrets
  /** Called at every change of a terminal, for output at most ten times a second. Synchronous. */
  readonly show: (terminal: ToolTerminal) => void
}

/** Limits of output in bytes: kept by default, and kept at most. */
const usualLimit = 1024 * 1024
const greatestLimit = 4 * 1024 * 1024

/** The most running programs, and the most terminals. Some agents never release a terminal. */
const mostRunning = 64
const mostOpen = 128

/** Makes the terminals of a session. Closing the scope ends all programs. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Terminals, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  // A monotonic clock: these times are never shown, and must never go back.
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  const open = new Map<string, Terminal.Terminal>()
  const running = new Set<Terminal.Terminal>()
  const display = yield* TerminalDisplay.make({ secrets: options.secrets, now, show: options.show })
  let turn = 0

  const end = (terminal: Terminal.Terminal, ending: Terminal.Ending) => {
    if (!running.delete(terminal)) return
    terminal.ending = ending
    display.show(terminal)
    Deferred.doneUnsafe(terminal.over, Exit.succeed(ending))
  }

  const given = ({ program }: Terminal.Terminal) => program.elsewhere?.release ?? Effect.void

  /** Forgets the oldest ended terminals to make room for another one. */
  const forgetOldest = Effect.fnUntraced(function* () {
    for (const terminal of open.values()) {
      if (open.size < mostOpen) return
      if (terminal.ending === undefined) continue
      open.delete(terminal.terminalId)
      yield* Effect.forkIn(given(terminal), scope)
    }
  })

  const create: Terminals["create"] = Effect.fn("Terminals.create")(function* (input) {
    if (running.size >= mostRunning)
      return yield* new PathRefused({
        reason: "system",
        path: input.command,
        message: `${mostRunning} programs run in terminals already. End those that are no longer needed.`
      })
    const given = input.cwd ?? options.cwd
    const { path: cwd } = yield* ProtectedPaths.resolve(options.grant, given, "read")
    const own = yield* Scope.fork(scope)
    const made = yield* Terminal.start({
      program: { ...commandOf(input), env: input.env, cwd },
      start: options.start,
      command: input.args.length === 0 ? input.command : CommandLine.display([input.command, ...input.args]),
      limit: Math.min(input.outputByteLimit ?? usualLimit, greatestLimit),
      begun: () => ({ turn, startedAt: now() }),
      printed: (terminal) => {
        if (running.has(terminal)) display.printed(terminal)
      }
    }).pipe(
      Scope.provide(own),
      Effect.onError(() => Scope.close(own, Exit.void))
    )
    yield* forgetOldest()
    open.set(made.terminalId, made)
    running.add(made)
    display.show(made)
    yield* made.program.over.pipe(
      Effect.tap((ending) => Effect.sync(() => end(made, ending))),
      Effect.andThen(Scope.close(own, Exit.void)),
      Effect.forkIn(scope)
    )
    return made.terminalId
  }, Effect.uninterruptible)

  const known = <A>(terminalId: string, what: (terminal: Terminal.Terminal) => A): A | undefined => {
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
    fetch: (terminalId) => open.get(terminalId)?.program.elsewhere?.fetch ?? Effect.void,
    waitForExit: (terminalId) => known(terminalId, ({ over }) => Deferred.await(over)),
    kill: (terminalId) => known(terminalId, Terminal.kill),
    release: (terminalId) =>
      known(terminalId, (terminal) =>
        Effect.suspend(() => {
          open.delete(terminalId)
          return Effect.andThen(Terminal.kill(terminal), given(terminal))
        })
      ),
    running: () => running.size,
    beginTurn: () => {
      turn += 1
    },
    stopTurn: Effect.suspend(() =>
      Effect.forEach(
        [...running].filter((terminal) => terminal.turn === turn),
        Terminal.kill,
        {
          concurrency: "unbounded",
          discard: true
        }
      )
    ),
    endAll: () => {
      for (const terminal of running) {
        terminal.program.signal("SIGKILL")
        end(terminal, terminal.program.elsewhere === undefined ? { signal: "SIGKILL" } : {})
      }
    }
  }
})

/** Whether the name of a program is a line for a shell. Some agents send one. */
export const isLine = ({ args, command }: Pick<CreateTerminal, "args" | "command">): boolean =>
  args.length === 0 && /\s/.test(command.trim()) && !existsSync(command)

const commandOf = ({ args, command, isLine }: CreateTerminal): Pick<Terminal.Program, "command" | "args"> =>
  isLine === true ? { command: "/bin/sh", args: ["-c", command] } : { command, args }
