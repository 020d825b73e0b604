/**
 * Signs in where the agent asks in a terminal (ACP v1, authentication). Only its own program, with the arguments that
 * it named, is run there. Its exit code shows whether it worked.
 */
import type { TerminalSize } from "@signalbox/contracts/SignIn"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { spawn } from "node:child_process"
import * as Pty from "@signalbox/process/Pty"
import { type LedgerEntry, markerVariable, noLeftovers, type ProcessLedger } from "@signalbox/process/ProcessLedger"
import { type ProviderError, providerError, providerErrorOf } from "../../../base/ProviderError.ts"
import type { Launch } from "../../agent/Launch.ts"
import * as GuardedProcess from "@signalbox/process/GuardedProcess"
import { sentencesOf } from "@signalbox/process/LeftoverWords"
import * as ProcessGuard from "@signalbox/process/ProcessGuard"
import * as ProcessSweep from "@signalbox/process/ProcessSweep"

export interface Options {
  readonly name: string
  readonly launch: Launch
  /** The absolute folder. */
  readonly cwd: string
  readonly ledger: ProcessLedger["Service"]
  /** The command for signing in by hand. */
  readonly command: string
}

/** Time between the hang-up and the kill. */
const hangUpGrace = "1 second"

/** Runs the program in a pseudo-terminal. Closing the scope ends the program and its whole group. */
export const start = Effect.fn("TerminalSignIn.start")(function* (
  { command: byHand, cwd, launch, ledger, name }: Options,
  size: TerminalSize
): Effect.fn.Return<Pty.Pty, ProviderError, Scope.Scope> {
  const entry = yield* entered({ launch, ledger, name })
  const { args, command } = ProcessGuard.behindGate(launch.command, launch.args)
  const env = { ...GuardedProcess.environmentOf(launch), [markerVariable]: entry.marker }
  const spawned = Pty.spawn({ command, args, cwd, env, size }).pipe(
    Effect.mapError(({ message }) =>
      providerError(
        "unsupported",
        `${name} wants a terminal, and there is none here.`,
        `Signalbox has no pseudo-terminals on this system: ${message}`,
        { nextSteps: [{ action: "run-command", label: "Sign in by hand, in a terminal of yours", command: byHand }] }
      )
    )
  )
  const pty = yield* Effect.acquireRelease(spawned, hangUp)
  ProcessGuard.watch(pty.pid)
  watchAll(launch, entry)
  yield* Effect.mapError(entry.started(pty.pid), providerErrorOf)
  // Ends the rest of the group with the program.
  yield* Effect.forkDetach(
    Effect.andThen(
      pty.exited,
      Effect.sync(() => ended(pty.pid))
    )
  )
  pty.write("\n")
  let first = true
  const output = Stream.map(pty.output, (data) => {
    // The terminal echoes the line that opened the gate.
    const shown = first ? data.replace(/^\r?\n/, "") : data
    first = false
    return shown
  })
  return { ...pty, output }
})

/** Enters the program in the ledger. Processes with its mark are ended with the scope. */
const entered = ({ launch: { command, keeps = [] }, ledger, name }: Pick<Options, "launch" | "ledger" | "name">) =>
  Effect.acquireRelease(Effect.mapError(ledger.enter({ command, keeps }), providerErrorOf), (entry) =>
    Effect.flatMap(ProcessSweep.sweep(entry.marker, keeps), (leftovers) => {
      ProcessGuard.releaseMark(entry.marker)
      const told = Effect.forEach(
        sentencesOf(`the sign-in of ${name}`, leftovers ?? noLeftovers),
        ({ detail, message }) => Effect.logInfo(`${message} ${detail}`)
      )
      return leftovers?.left.length === 0 ? Effect.andThen(told, entry.close) : told
    })
  )

/** Ends the program's descendants with us, unless the settings keep some of them. */
const watchAll = ({ keeps = [] }: Launch, { endedList, marker }: LedgerEntry): void => {
  if (keeps.length === 0) ProcessGuard.watchMark(marker, endedList)
}

const hangUp = (pty: Pty.Pty): Effect.Effect<unknown> =>
  Effect.sync(() => send(pty.pid, "SIGHUP")).pipe(
    Effect.andThen(Effect.timeoutOption(pty.exited, hangUpGrace)),
    Effect.andThen(Effect.sync(() => ended(pty.pid))),
    Effect.andThen(pty.exited)
  )

const ended = (group: number): void => {
  send(group, "SIGKILL")
  ProcessGuard.release(group)
}

const send = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal)
  } catch {
    // No process is left in the group.
  }
}

/** The number of programs that use our own terminal now. */
let lent = 0

/** Whether a program uses our own terminal. Then Ctrl-C is meant for that program, which gets it, too. */
export const isLent = (): boolean => lent > 0

/**
 * Runs the program in our own terminal. Completes with its exit code, which is undefined if a signal ended it. It stays
 * in our process group, which receives the terminal's input, so its descendants are known by their mark.
 */
export const inherit = Effect.fn("TerminalSignIn.inherit")(function* ({
  cwd,
  launch,
  ledger,
  name
}: Options): Effect.fn.Return<number | undefined, ProviderError, Scope.Scope> {
  const entry = yield* entered({ launch, ledger, name })
  const env = { ...GuardedProcess.environmentOf(launch), [markerVariable]: entry.marker }
  watchAll(launch, entry)
  const exited = yield* Deferred.make<number | undefined, ProviderError>()
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(launch.command, [...launch.args], { cwd, env, stdio: "inherit" })
      const { pid } = child
      lent += 1
      const settle = (exit: Exit.Exit<number | undefined, ProviderError>) => {
        if (!Deferred.doneUnsafe(exited, exit)) return
        lent -= 1
        if (pid !== undefined) ProcessGuard.release(pid)
      }
      if (pid !== undefined) ProcessGuard.watchLeader(pid)
      child.once("error", ({ message }) => settle(Exit.fail(notStarted(launch, message))))
      child.once("exit", (code) => settle(Exit.succeed(code ?? undefined)))
      return child
    }),
    (child) =>
      Effect.sync(() => child.kill("SIGTERM")).pipe(
        Effect.andThen(Effect.timeoutOption(Effect.exit(Deferred.await(exited)), hangUpGrace)),
        Effect.andThen(Effect.sync(() => child.kill("SIGKILL")))
      )
  )
  if (child.pid !== undefined) yield* Effect.mapError(entry.started(child.pid), providerErrorOf)
  return yield* Deferred.await(exited)
})

const notStarted = ({ command }: Launch, message: string) =>
  providerError("agent-start-failed", "The agent could not be started.", message, { evidence: { path: command } })
