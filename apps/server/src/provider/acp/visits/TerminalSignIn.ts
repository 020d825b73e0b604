/**
 * Signing in where the agent asks in a terminal (ACP v1, authentication): its own program with the arguments that it named, and nothing
 * else, is run in a terminal. Its exit code says whether it worked.
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
  /** Absolute. */
  readonly cwd: string
  readonly ledger: ProcessLedger["Service"]
  /** What does the same by hand. */
  readonly command: string
}

/** After it was hung up, before it is killed. */
const hangUpGrace = "1 second"

/** In a pseudo-terminal of ours. Closing the scope ends the program and all of its group. */
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
  // What it leaves behind is ended with it.
  yield* Effect.forkDetach(
    Effect.andThen(
      pty.exited,
      Effect.sync(() => ended(pty.pid))
    )
  )
  pty.write("\n")
  let first = true
  const output = Stream.map(pty.output, (data) => {
    // The line that opens the gate is shown by the terminal.
    const shown = first ? data.replace(/^\r?\n/, "") : data
    first = false
    return shown
  })
  return { ...pty, output }
})

/** Its place on record. What carries its mark is ended with the scope. */
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

/** From here on all that it starts ends with us, unless the settings let some of it live. */
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
    // Nothing is left of the group.
  }
}

/** How many programs have the terminal in which we ourselves run. */
let lent = 0

/** Whether a program has the terminal in which we ourselves run. Ctrl-C is meant for it then: it gets it as we do. */
export const isLent = (): boolean => lent > 0

/**
 * In the terminal in which we ourselves run; completes with its exit code, which is undefined where a signal ended it. It stays in our
 * group, which is the one that the terminal listens to: what it leaves behind is known by its mark.
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
