/**
 * An agent as a process of ours: in a process group of its own, on record from before its first moment, with its stderr
 * drained, its exit known by code and signal, and nothing of its group left behind, whichever way it ends.
 *
 * Built on `node:child_process` and not on `ChildProcessSpawner`: the exit's signal is kept as a value, bytes reach the
 * reader uncopied, and a group that was sent SIGKILL is not waited for (its zombies may take a second to be reaped).
 */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Evidence } from "@signalbox/contracts/Problem"
import type { Transport } from "@signalbox/acp/Transport"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { type LedgerEntry, markerVariable, type ProcessLedger } from "../Services/ProcessLedger.ts"
import { type ProviderError, providerError } from "../Services/ProviderError.ts"
import type { AgentExit, Launch } from "./AgentProfile.ts"
import * as ProcessGuard from "./ProcessGuard.ts"
import * as ProgramFile from "./ProgramFile.ts"
import * as StderrTail from "./StderrTail.ts"

/** How long each step of a polite end may take. */
export interface StopGrace {
  /** After closing stdin, before SIGTERM. Cursor never exits on its own after a prompt, so this is short. */
  readonly closeInput: Duration.Input
  /** After SIGTERM to the group, before SIGKILL to it. */
  readonly terminate: Duration.Input
}

export const defaultStopGrace: StopGrace = { closeInput: "250 millis", terminate: "1500 millis" }

/** After the exit: how long its last output may take to arrive, should something outside the group hold the pipe open. */
const lastOutputGrace = "1 second"

export interface StartOptions {
  /** Absent where it runs for no thread. */
  readonly threadId?: ThreadId | undefined
  readonly ledger: ProcessLedger["Service"]
  readonly launch: Launch
  /** Absolute. */
  readonly cwd: string
  readonly stopGrace?: StopGrace | undefined
  /** Every line of stderr, when it is complete. */
  readonly onStderr?: ((line: string) => void) | undefined
  /** Synchronously when the output has ended, before anybody who reads it learns. */
  readonly onOutputEnd?: (() => void) | undefined
}

export interface AgentProcess {
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** When a byte last went over its stdin or stdout, or when it was started; milliseconds since 1970. */
  readonly lastSignAt: () => number
  /** `closed` as soon as it can't be talked to any more, in either direction. */
  readonly pipes: () => "open" | "closed"
  readonly transport: Transport
  /** Completes when the process has exited and its stderr is read. */
  readonly exited: Effect.Effect<AgentExit>
  /** Its last words until now. */
  readonly stderr: () => Pick<AgentExit, "stderrTail" | "stderrLines">
  /** Ends it politely: stdin is closed, then SIGTERM, then SIGKILL, the signals to the whole group. */
  readonly stop: Effect.Effect<AgentExit>
  /** Ends the whole group at once. */
  readonly kill: Effect.Effect<AgentExit>
}

/** An exit as problems tell it. */
export const evidenceOf = (exit: AgentExit): Evidence => ({
  ...(exit.exitCode !== undefined && { exitCode: exit.exitCode }),
  ...(exit.signal !== undefined && { signal: exit.signal }),
  ...(exit.stderrLines > 0 && { stderrTail: exit.stderrTail, stderrLines: exit.stderrLines })
})

/** Starts the process; closing the scope ends its whole group. */
export const start = Effect.fn("AgentProcess.start")(function* (
  options: StartOptions
): Effect.fn.Return<AgentProcess, ProviderError, Scope.Scope> {
  const grace = options.stopGrace ?? defaultStopGrace
  yield* checkFolder(options.cwd)
  yield* checkProgram(options)

  const tail = StderrTail.make()
  const exit = Deferred.makeUnsafe<AgentExit>()
  const { child, entry } = yield* Effect.acquireRelease(spawned(options), ({ child }) =>
    Effect.andThen(
      Effect.sync(() => signalGroup(child, "SIGKILL")),
      Deferred.await(exit)
    )
  )
  const clock = yield* Clock.Clock
  const startedAt = clock.currentTimeMillisUnsafe()
  let lastSignAt = startedAt
  const heard = <A>(chunks: A): A => {
    lastSignAt = clock.currentTimeMillisUnsafe()
    return chunks
  }
  const words = () => ({ stderrTail: tail.lines(), stderrLines: tail.total() })
  const onStderr = (lines: ReadonlyArray<string>) => {
    if (options.onStderr) for (const line of lines) options.onStderr(line)
  }
  child.stderr.on("data", (chunk: Uint8Array) => onStderr(tail.push(chunk)))
  // Errors of the pipes are told to whoever reads and writes; without a listener they would end our own process.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {})

  const settle = () => {
    onStderr(tail.end())
    Deferred.doneUnsafe(
      exit,
      Exit.succeed({
        ...(child.exitCode !== null && { exitCode: child.exitCode }),
        ...(child.signalCode !== null && { signal: child.signalCode }),
        ...words()
      })
    )
  }
  const closed = yield* Deferred.make<void>()
  const left = yield* Deferred.make<void>()
  child.once("close", () => Deferred.doneUnsafe(closed, Exit.void))
  if (child.exitCode !== null || child.signalCode !== null) Deferred.doneUnsafe(left, Exit.void)
  else child.once("exit", () => Deferred.doneUnsafe(left, Exit.void))
  yield* Deferred.await(left).pipe(
    Effect.andThen(Effect.timeoutOption(Deferred.await(closed), lastOutputGrace)),
    Effect.andThen(entry.close),
    Effect.andThen(
      Effect.sync(() => {
        child.stdout.destroy()
        child.stderr.destroy()
        settle()
      })
    ),
    Effect.forkDetach
  )

  const within = (duration: Duration.Input) => Effect.timeoutOption(Deferred.await(exit), duration)
  const kill = Effect.andThen(
    Effect.sync(() => signalGroup(child, "SIGKILL")),
    Deferred.await(exit)
  )
  const stop = Effect.gen(function* () {
    child.stdin.end()
    const alone = yield* within(grace.closeInput)
    if (Option.isSome(alone)) return alone.value
    signalGroup(child, "SIGTERM")
    const asked = yield* within(grace.terminate)
    if (Option.isSome(asked)) return asked.value
    return yield* kill
  })

  const output = NodeStream.fromReadable<Uint8Array, unknown>({
    evaluate: () => child.stdout,
    onError: (error) => error
  }).pipe(Stream.mapArray(heard))
  const { onOutputEnd } = options
  return {
    pid: child.pid ?? 0,
    startedAt,
    lastSignAt: () => lastSignAt,
    pipes: () => (child.stdin.writable && child.stdout.readable ? "open" : "closed"),
    transport: {
      input: onOutputEnd ? Stream.ensuring(output, Effect.sync(onOutputEnd)) : output,
      output: NodeSink.fromWritable<unknown, Uint8Array>({
        evaluate: () => child.stdin,
        onError: (error) => error
      }).pipe(Sink.mapInputArray(heard))
    },
    exited: Deferred.await(exit),
    stderr: words,
    stop,
    kill
  }
})

/** Once the process has exited, its group was ended, and the number may have come to mean another. */
const signalGroup = (child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) send(child.pid, signal)
}

const send = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal)
  } catch {
    // Nothing is left of the group.
  }
}

/** Node reports a missing folder as a missing program; so that it is looked at first. */
const checkFolder = (cwd: string) =>
  Effect.tryPromise({
    try: async () => {
      const folder = await stat(cwd)
      if (!folder.isDirectory()) throw Object.assign(new Error(`${cwd} is not a folder`), { code: "ENOTDIR" })
      await access(cwd, constants.R_OK | constants.X_OK)
    },
    catch: (error) =>
      providerError("cwd-unusable", "The folder cannot be used.", folderCause(cwd, ProgramFile.codeOf(error)), {
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

/** A missing program would only be seen by the exit of the shell before it; so that it is looked for first, where the shell looks. */
const checkProgram = ({ cwd, launch }: StartOptions) =>
  Effect.tryPromise({
    try: () => ProgramFile.find(launch.command, cwd, { ...process.env, ...launch.env }.PATH),
    catch: (error) => startFailed(launch, error)
  })

/** The process, on record and under guard. */
const spawned = Effect.fnUntraced(function* (options: StartOptions) {
  const { launch, ledger, threadId } = options
  const entry = yield* ledger.enter({ threadId, command: launch.command })
  const child = yield* Effect.try({
    try: () => guarded(options, entry),
    catch: (error) => startFailed(launch, error)
  }).pipe(
    Effect.tap(({ process }) =>
      process.pid === undefined
        ? Effect.void
        : Effect.onError(entry.started(process.pid), () => Effect.sync(() => signalGroup(process, "SIGKILL")))
    ),
    Effect.tap(({ begun }) => begun),
    Effect.onError(() => entry.close)
  )
  return { child: child.process, entry }
})

/** The agent begins when its group is under guard, and not before: else it would outlive us if we were killed in between. */
const guarded = ({ cwd, launch }: StartOptions, { marker }: LedgerEntry) => {
  const env = { ...process.env, ...launch.env, [markerVariable]: marker }
  const { args, command } = ProcessGuard.behindGate(launch.command, launch.args)
  const child = spawn(command, args, { cwd, env, detached: true, stdio: "pipe", windowsHide: true })
  const group = child.pid
  if (group !== undefined) {
    ProcessGuard.watch(group)
    // What it leaves behind is ended right here, before its id can have come to mean another group.
    child.once("exit", () => {
      send(group, "SIGKILL")
      ProcessGuard.release(group)
    })
    child.stdin.write("\n")
  }
  const begun = Deferred.makeUnsafe<void, ProviderError>()
  child.on("error", (error) => Deferred.doneUnsafe(begun, Exit.fail(startFailed(launch, error))))
  child.once("spawn", () => Deferred.doneUnsafe(begun, Exit.void))
  return { process: child, begun: Deferred.await(begun) }
}

const startFailed = (launch: Launch, error: unknown): ProviderError => {
  const code = ProgramFile.codeOf(error)
  const evidence: Evidence = { path: launch.command }
  if (code === "ENOENT") {
    return providerError("agent-not-found", "The agent was not found.", `There is no program ${launch.command}.`, {
      evidence,
      nextSteps: [{ action: "check-again", label: "Check again" }]
    })
  }
  const cause =
    code === "EACCES"
      ? `${launch.command} is not a program that this user may run.`
      : `${launch.command} could not be started (${code}).`
  return providerError("agent-start-failed", "The agent could not be started.", cause, {
    evidence,
    nextSteps: [{ action: "check-again", label: "Check again" }]
  })
}
