/**
 * A program of ours: an agent, or a program in a terminal. Before its first instruction it is in its own process group,
 * in the ledger and under guard. Its exit has a code or a signal. Nothing of its group survives it.
 *
 * It uses `node:child_process`, not `ChildProcessSpawner`: so the exit's signal is a value, and bytes are not copied.
 * It does not wait for a group after SIGKILL, since reaping zombies may take a second.
 */
import type { Evidence } from "@signalbox/contracts/Problem"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { codeOf, messageOf } from "@signalbox/system/SystemError"
import * as ChildEnvironment from "./ChildEnvironment.ts"
import { type LedgerEntry, type Leftovers, markerVariable, type ProcessLedger } from "./ProcessLedger.ts"
import * as Holder from "./Holder.ts"
import * as LastOutput from "./LastOutput.ts"
import type { ExitCode } from "./ProcessExit.ts"
import type { Program } from "./Program.ts"
import { refused } from "./StartRefused.ts"
import * as ProcessFacts from "./ProcessFacts.ts"
import * as ProcessGuard from "./ProcessGuard.ts"
import * as ProcessSweep from "./ProcessSweep.ts"
import * as ProgramFile from "./ProgramFile.ts"
import * as SystemLimit from "./SystemLimit.ts"

export interface Options {
  /** The starter's name for its purpose, which the ledger stores. */
  readonly runsFor?: string | undefined
  readonly ledger: ProcessLedger["Service"]
  readonly program: Program
  /** The absolute folder where it starts. */
  readonly cwd: string
  /** Joins stderr into stdout, in order, and gives the program an empty input. */
  readonly oneOutput?: boolean | undefined
}

export interface Ending extends ExitCode {
  /** The processes that it left running. Undefined if they can't be known. */
  readonly leftovers: Leftovers | undefined
}

export interface GuardedProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** Signals its whole group, unless it has exited. */
  readonly signal: (signal: NodeJS.Signals) => void
  /**
   * Completes when it has exited and nothing runs any more that it has started. By then its output was read to the end, or a second
   * has passed. What was not read stays for a later reader until the scope closes.
   */
  readonly over: Effect.Effect<Ending>
}

/**
 * Starts the program. Closing the scope ends it and all its descendants. The caller must listen to the output
 * synchronously after this.
 */
export const start = Effect.fn("GuardedProcess.start")(function* (
  options: Options
): Effect.fn.Return<GuardedProcess, Refused, Scope.Scope> {
  yield* checkFolder(options.cwd)
  yield* checkProgram(options)
  const { holder, keeps = [] } = options.program
  // The watch begins before an interruption is possible: otherwise the end would wait for a watch that never began.
  const { child, over } = yield* Effect.acquireRelease(
    Effect.flatMap(spawned(options), (started) => watched(started, keeps)),
    ({ child, over }) =>
      Effect.andThen(
        Effect.sync(() => signalGroup(child, "SIGKILL", keeps)),
        Effect.ensuring(
          Deferred.await(over),
          Effect.sync(() => LastOutput.close(child))
        )
      )
  )
  // Opens the gate. The caller listens from here on, since Node drops output without a listener at the exit.
  child.stdin.write("\n")
  const signal: GuardedProcess["signal"] = (signal) =>
    signalGroup(child, signal, keeps, holder !== undefined && signal !== "SIGKILL")
  return { child, signal, over: Deferred.await(over) }
})

interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly entry: LedgerEntry
}

/** Waits in the background for the end of the process and its descendants. */
const watched = Effect.fnUntraced(function* ({ child, entry }: Started, keeps: ReadonlyArray<string>) {
  // Readers and writers get the errors of pipes. Without a listener, an error would end our own process.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {})
  const over = yield* Deferred.make<Ending>()
  const closed = yield* Deferred.make<void>()
  const left = yield* Deferred.make<void>()
  child.once("close", () => Deferred.doneUnsafe(closed, Exit.void))
  if (child.exitCode !== null || child.signalCode !== null) Deferred.doneUnsafe(left, Exit.void)
  else child.once("exit", () => Deferred.doneUnsafe(left, Exit.void))
  yield* Deferred.await(left).pipe(
    Effect.andThen(ProcessSweep.sweep(entry.marker, keeps)),
    Effect.tap(Effect.timeoutOption(Deferred.await(closed), LastOutput.grace)),
    // Processes that could not be ended stay in the ledger, for the next Signalbox.
    Effect.tap((leftovers) => (leftovers?.left.length === 0 ? entry.close : Effect.void)),
    Effect.andThen((leftovers) =>
      Effect.sync(() => {
        ProcessGuard.releaseMark(entry.marker)
        const { exitCode, signalCode } = child
        Deferred.doneUnsafe(
          over,
          Exit.succeed({
            leftovers,
            ...(exitCode !== null && { exitCode }),
            ...(signalCode !== null && { signal: signalCode })
          })
        )
      })
    ),
    Effect.andThen(LastOutput.leaveToReader(child, closed)),
    Effect.forkDetach
  )
  return { child, over }
})

/** Signals the group. After the exit its number may belong to another group, so nothing is sent. */
const signalGroup = (
  child: ChildProcessWithoutNullStreams,
  signal: NodeJS.Signals,
  keeps: ReadonlyArray<string>,
  sparesLeader = false
): void => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    send(child.pid, signal, keeps, sparesLeader)
}

/** Signals the whole group, except the processes that are kept, and its leader if that one is spared. */
const send = (group: number, signal: NodeJS.Signals, keeps: ReadonlyArray<string>, sparesLeader = false): void => {
  try {
    if (keeps.length === 0 && !sparesLeader) process.kill(-group, signal)
    else
      for (const row of ProcessFacts.ofThisSystem.list()) {
        if (!row.alive || row.group !== group) continue
        const isSignalled = row.pid === group ? !sparesLeader : !keeps.includes(ProcessSweep.named(row).name)
        if (isSignalled) process.kill(row.pid, signal)
      }
  } catch {
    // No process is left in the group.
  }
}

/** Checks the folder first, since Node reports a missing folder as a missing program. */
export const checkFolder = (cwd: string) =>
  Effect.tryPromise({
    try: async () => {
      const folder = await stat(cwd)
      if (!folder.isDirectory()) throw Object.assign(new Error(`${cwd} is not a folder`), { code: "ENOTDIR" })
      await access(cwd, constants.R_OK | constants.X_OK)
    },
    catch: (error) =>
      refused("cwd-unusable", "The folder cannot be used.", folderCause(cwd, codeOf(error) ?? messageOf(error)), {
        evidence: { path: cwd },
        nextSteps: [{ action: "choose-folder", label: "Choose another folder" }]
      })
  })

const folderCause = (cwd: string, code: string): string => {
  switch (code) {
    case "ENOENT":
      return `${cwd} does not exist.`
    case "ENOTDIR":
      return `${cwd} is not a folder.`
    case "EACCES":
    case "EPERM":
      return `${cwd} may not be read by this user.`
    default:
      return `${cwd} could not be opened (${code}).`
  }
}

export const environmentOf = ({ env, environment }: Program): Record<string, string> =>
  ChildEnvironment.of(process.env, env, environment)

/**
 * Finds the file of the program first, on the shell's search path. Otherwise only the shell's exit would show that it is
 * missing.
 */
export const checkProgram = ({ cwd, program }: Pick<Options, "cwd" | "program">) =>
  Effect.tryPromise({
    try: () => ProgramFile.find(program.command, cwd, environmentOf(program)["PATH"]),
    catch: (error) => startFailed(program, error)
  })

/** Starts the process in the ledger and under guard. */
const spawned = Effect.fnUntraced(function* (options: Options) {
  const { ledger, program, runsFor } = options
  const { keeps = [] } = program
  const entry = yield* ledger.enter({ runsFor, command: program.command, keeps })
  const child = yield* Effect.try({
    try: () => guarded(options, entry),
    catch: (error) => startFailed(program, error)
  }).pipe(
    Effect.tap(({ process }) =>
      process.pid === undefined
        ? Effect.void
        : Effect.onError(entry.started(process.pid), () => Effect.sync(() => signalGroup(process, "SIGKILL", keeps)))
    ),
    Effect.tap(({ begun }) => begun),
    Effect.onError(() =>
      // The process never passed its gate, so no other process has its mark.
      Effect.andThen(
        Effect.sync(() => ProcessGuard.releaseMark(entry.marker)),
        entry.close
      )
    )
  )
  return { child: child.process, entry }
})

/**
 * Starts the process behind a gate, until its group is under guard and in the ledger. Otherwise it would survive if
 * Signalbox were killed in between.
 */
const guarded = ({ cwd, oneOutput, program }: Options, { endedList, marker }: LedgerEntry) => {
  const { keeps = [] } = program
  const env = { ...environmentOf(program), [markerVariable]: marker }
  const { args, command } = ProcessGuard.behindGate(program.command, program.args, oneOutput)
  const { holder } = program
  const child =
    holder === undefined
      ? spawn(command, args, { cwd, env, detached: true, stdio: "pipe", windowsHide: true })
      : Holder.spawned(holder, (stdio) => spawn(command, args, { cwd, env, detached: true, stdio }))
  const group = child.pid
  if (group !== undefined) {
    // The guard does not know names. If some processes are kept, the next Signalbox ends the others.
    if (keeps.length > 0) ProcessGuard.watchLeader(group)
    else {
      ProcessGuard.watch(group)
      ProcessGuard.watchMark(marker, endedList)
    }
    // Ends the rest of the group immediately, before its number can belong to another group.
    child.once("exit", () => {
      send(group, "SIGKILL", keeps)
      ProcessGuard.release(group)
    })
  }
  const begun = Deferred.makeUnsafe<void, Refused>()
  child.on("error", (error) => Deferred.doneUnsafe(begun, Exit.fail(startFailed(program, error))))
  child.once("spawn", () => Deferred.doneUnsafe(begun, Exit.void))
  return { process: child, begun: Deferred.await(begun) }
}

const startFailed = ({ command }: Program, error: unknown): Refused => {
  const code = codeOf(error) ?? messageOf(error)
  const evidence: Evidence = { path: command }
  if (code === "ENOENT") {
    return refused("agent-not-found", "The program was not found.", `There is no program ${command}.`, {
      evidence,
      nextSteps: [{ action: "check-again", label: "Check again" }]
    })
  }
  const limit = SystemLimit.limitOf(code)
  if (limit !== undefined)
    return refused("agent-start-failed", "The program could not be started.", limit.cause, {
      evidence,
      nextSteps: limit.nextSteps
    })
  const cause =
    code === "EACCES"
      ? `${command} is not a program that this user may run.`
      : `${command} could not be started (${code}).`
  return refused("agent-start-failed", "The program could not be started.", cause, {
    evidence,
    nextSteps: [{ action: "check-again", label: "Check again" }]
  })
}
