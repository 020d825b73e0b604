/** Runs programs in terminals for an agent (ACP v1, terminals). */
import type { TerminalHandlers } from "@signalbox/acp/ClientHandlers"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Inheritance } from "@signalbox/process/ChildEnvironment"
import { PathRefused } from "../../../workspace/Containment.ts"
import type { Sandbox } from "../../../sandbox/Sandbox.ts"
import { type Ending, isLost, type StartProgram } from "../../../workspace/Terminal.ts"
import * as Terminals from "../../../workspace/Terminals.ts"
import type { Leftovers, ProcessLedger } from "@signalbox/process/ProcessLedger"
import type { Emission } from "../projection/Emission.ts"
import { rpcErrorOf } from "./FileRequests.ts"
import * as GuardedProcess from "@signalbox/process/GuardedProcess"
import { sentencesOf } from "@signalbox/process/LeftoverWords"
import type { EditorDesk } from "../../../editors/EditorDesk.ts"
import type { AccessGuard } from "./AccessGuard.ts"
import * as EditorTerminals from "./EditorTerminals.ts"
import type * as RefusedAccess from "./RefusedAccess.ts"
import * as TerminalProjection from "../projection/TerminalProjection.ts"
import * as Warnings from "../projection/Warnings.ts"

export interface TerminalOptions extends Pick<Terminals.Options, "cwd" | "grant" | "secrets"> {
  /** Whether a command with spaces and without arguments is run by a shell. */
  readonly shellLines: boolean
  readonly threadId: ThreadId
  readonly desk: EditorDesk
  /** The folders of the session, by the names that they were given. */
  readonly folders: ReadonlyArray<string>
  readonly ledger: ProcessLedger["Service"]
  /** The agent's sandbox. Its programs run there, since it could ask for one to get out. */
  readonly sandbox: Sandbox
  /** The agent's name, for people. */
  readonly name: string
  /** Names of programs that continue after the session. They are reported, not ended. */
  readonly keeps: ReadonlyArray<string>
  readonly emission: Emission
  readonly environment: Inheritance
  readonly refused: RefusedAccess.Tell
  readonly guard: Pick<AccessGuard, "run">
}

export interface TerminalRequests {
  readonly terminals: Terminals.Terminals
  readonly handlers: TerminalHandlers<never>
}

/** Time that a terminal waits for a tool call that names it. Afterwards it becomes a call of its own. */
const claimedWithin = "1 second"

/** Makes the handlers. Closing the scope ends all programs. */
export const make = Effect.fnUntraced(function* (
  options: TerminalOptions
): Effect.fn.Return<TerminalRequests, never, Scope.Scope> {
  const {
    cwd,
    desk,
    emission,
    environment,
    folders,
    grant,
    guard,
    keeps,
    ledger,
    name,
    refused,
    sandbox,
    secrets,
    shellLines,
    threadId
  } = options
  const tell = (command: string, leftovers: Leftovers | undefined) =>
    emission.emit((projection) => {
      if (leftovers === undefined) return
      for (const { detail, message } of sentencesOf(`${command}, run by ${name},`, leftovers))
        Warnings.warn(projection, message, detail)
    })
  const scope = yield* Effect.scope
  const ours = starter({ environment, keeps, ledger, sandbox, tell, threadId })
  const inEditor = yield* EditorTerminals.make({
    threadId,
    folders,
    warn: (message, detail) => emission.emit((projection) => Warnings.warn(projection, message, detail))
  })
  // An editor has an environment of its own, and no sandbox.
  const staysHere = sandbox.holds || environment !== "all"
  const start: StartProgram = (program, screen) => {
    const editor = staysHere ? undefined : desk.offering(threadId, "terminal")
    return (editor === undefined ? ours : inEditor(editor))(program, screen)
  }
  const terminals = yield* Terminals.make({
    cwd,
    grant,
    secrets,
    start,
    show: (terminal) => emission.emit((projection) => TerminalProjection.show(projection, terminal))
  })
  const claim = (terminalId: string) =>
    Effect.sync(() => emission.emit((projection) => TerminalProjection.claim(projection, terminalId)))

  return {
    terminals,
    handlers: {
      create: ({ args, command, cwd: folder, env, outputByteLimit }) =>
        Effect.suspend(() => {
          const program = {
            command,
            args: args ?? [],
            env: Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
            cwd: folder ?? cwd
          }
          // What the rules have judged is what runs: whether it is a line for a shell is found out once.
          const isLine = shellLines && Terminals.isLine(program)
          const judged = { ...program, isLine }
          return Effect.andThen(
            guard.run(judged),
            terminals.create({ ...judged, outputByteLimit: outputByteLimit ?? undefined })
          )
        }).pipe(
          Effect.tapError((error) => Effect.sync(() => refused("run a program", error, command))),
          Effect.mapError(rpcErrorOf),
          Effect.tap((terminalId) => Effect.forkIn(Effect.delay(claim(terminalId), claimedWithin), scope)),
          Effect.map((terminalId) => ({ terminalId }))
        ),
      output: ({ terminalId }) =>
        Effect.gen(function* () {
          yield* terminals.fetch(terminalId)
          const { ending, output, truncated } = yield* here(terminalId, terminals.output(terminalId))
          return { output, truncated, ...(ending && { exitStatus: yield* statusOf(ending) }) }
        }),
      waitForExit: ({ terminalId }) =>
        Effect.flatMap(Effect.flatten(here(terminalId, terminals.waitForExit(terminalId))), statusOf),
      kill: ({ terminalId }) => Effect.as(Effect.flatten(here(terminalId, terminals.kill(terminalId))), {}),
      release: ({ terminalId }) => Effect.as(Effect.flatten(here(terminalId, terminals.release(terminalId))), {})
    }
  }
})

const here = <A>(terminalId: string, found: A | undefined): Effect.Effect<A, RpcError> =>
  found === undefined
    ? Effect.fail(new RpcError({ code: ErrorCode.ResourceNotFound, message: `There is no terminal ${terminalId}` }))
    : Effect.succeed(found)

const statusOf = (ending: Ending) =>
  isLost(ending)
    ? Effect.fail(RpcError.internal("The editor that ran it has left, or did not say how the program ended"))
    : Effect.succeed({ exitCode: ending.exitCode ?? null, signal: ending.signal ?? null })

/** Starts programs under guard and on record, like agents: a server that is killed leaves none behind. */
const starter =
  ({
    environment,
    keeps,
    ledger,
    sandbox,
    tell,
    threadId
  }: Pick<TerminalOptions, "environment" | "keeps" | "ledger" | "sandbox" | "threadId"> & {
    readonly tell: (command: string, leftovers: Leftovers | undefined) => void
  }): StartProgram =>
  ({ args, command, cwd, env }, { hear }) =>
    sandbox.within({ program: { command, args, env, environment, keeps }, cwd }).pipe(
      Effect.flatMap((start) => GuardedProcess.start({ ...start, runsFor: threadId, ledger, oneOutput: true })),
      Effect.map(({ child, over, signal }) => {
        child.stdout.on("data", hear)
        // The shell's error, if it could not start the program.
        child.stderr.on("data", hear)
        child.stdin.end()
        const told = Effect.map(over, ({ leftovers, ...ending }) => {
          tell(command, leftovers)
          return ending
        })
        return { signal, over: told }
      }),
      Effect.mapError(
        ({ problem }) =>
          new PathRefused({
            reason: problem.code === "agent-not-found" ? "missing" : "system",
            path: command,
            message: problem.cause
          })
      )
    )
