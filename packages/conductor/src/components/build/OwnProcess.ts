/** Runs a command as a process of ours, for clients without terminals. Nothing that it has started survives it. */
import * as GuardedProcess from "@signalbox/process/GuardedProcess"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Host } from "../../BuiltInComponent.ts"
import * as CutOutput from "./CutOutput.ts"
import { NotRun, type ProjectCommand, type Ran } from "./ProjectCommand.ts"

/** How long a command may take to end after it was asked to. */
const grace = "2 seconds"

/** Runs it in a folder. Interruption ends it, and all that it has started. */
export const run = Effect.fnUntraced(function* (
  { args, line, program }: ProjectCommand,
  cwd: string,
  seconds: number,
  { ledger, runsFor }: Host
): Effect.fn.Return<Ran, NotRun, Scope.Scope> {
  const started = yield* GuardedProcess.start({
    ledger,
    runsFor,
    program: { command: program, args, env: {} },
    cwd,
    oneOutput: true
  }).pipe(Effect.mapError(({ problem }) => new NotRun({ message: `${line} could not be started. ${problem.cause}` })))
  const { child, over } = started
  const output = CutOutput.make()
  child.stdout.on("data", output.push)
  // The shell's error, if it could not start the program.
  child.stderr.on("data", output.push)
  child.stdin.end()
  const first = yield* Effect.timeoutOption(over, `${seconds} seconds`)
  const ending = Option.isSome(first) ? first.value : yield* ended(started)
  const left = [...(ending.leftovers?.ended ?? []), ...(ending.leftovers?.left ?? [])].map(({ name }) => name)
  return {
    ranIn: "own-process",
    ...(ending.exitCode !== undefined && { exitCode: ending.exitCode }),
    ...(ending.signal !== undefined && { signal: ending.signal }),
    timedOut: Option.isNone(first),
    output: output.read(),
    notes: left.length === 0 ? [] : [`It left processes running, which were ended: ${left.slice(0, 10).join(", ")}.`]
  }
}, Effect.scoped)

const ended = Effect.fnUntraced(function* ({ over, signal }: GuardedProcess.GuardedProcess) {
  signal("SIGTERM")
  const asked = yield* Effect.timeoutOption(over, grace)
  if (Option.isSome(asked)) return asked.value
  signal("SIGKILL")
  return yield* over
})
