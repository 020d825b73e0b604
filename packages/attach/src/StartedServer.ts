/**
 * Finds the server of a state folder, or starts one in the background. It belongs to nobody: it goes on when this process
 * ends, and ends by itself some time after its last client.
 */
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Background from "@signalbox/process/Background"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { AttachFailed } from "./AttachFailed.ts"
import * as RunningServer from "./RunningServer.ts"
import { stateInUse } from "./ServeExit.ts"

/** How long a server may take until it can be reached. It may have to read a large database. */
const patience = "60 seconds"

/** Lines of a server that did not start, and characters of each. */
const mostLines = 20
const longestLine = 400

export interface Launch {
  /** The program and its first arguments, e.g. `["signalbox"]`. Flags of `serve` come behind them. */
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>]
  /** How long the server goes on after its last client, as `serve --end-after` takes it. */
  readonly endsAfter: string
  /** The folder and the environment that the server gets instead of our own. */
  readonly surroundings?: Background.Surroundings
}

/** The server of the folder, started by `launch` where none runs. Two that start at once come to one server. */
export const ensure = Effect.fn("StartedServer.ensure")(function* (
  directory: string,
  { command: [program, ...args], endsAfter, surroundings }: Launch
): Effect.fn.Return<RunningServer.RunningServer, AttachFailed> {
  const running = yield* RunningServer.find(directory)
  if (running !== undefined) return running
  // A session of its own: no signal to our group and no closed terminal reaches it.
  const flags = ["serve", "--state-dir", directory, "--end-after", endsAfter]
  return yield* Effect.scoped(
    Effect.flatMap(Background.start(program, [...args, ...flags], surroundings), (server) =>
      whenReached(directory, server)
    )
  )
})

const whenReached = (directory: string, server: Background.Background) =>
  Effect.suspend(() => reached(directory, server)).pipe(
    Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: (found) => found !== undefined }),
    Effect.timeoutOption(patience),
    Effect.flatMap((found) =>
      Option.match(
        Option.flatMapNullishOr(found, (file) => file),
        {
          onNone: () => Effect.fail(notStarted(directory, "It could not be reached within a minute.", linesOf(server))),
          onSome: Effect.succeed
        }
      )
    )
  )

const reached = Effect.fnUntraced(function* (directory: string, server: Background.Background) {
  const found = yield* RunningServer.find(directory)
  if (found !== undefined) return found
  const how = server.end()
  // Another server has the folder: it was started at the same moment, and can be reached soon.
  if (how === undefined || how === stateInUse) return undefined
  return yield* notStarted(
    directory,
    typeof how === "number" ? `It ended with the exit code ${how}.` : `It ended: ${how}.`,
    linesOf(server)
  )
})

const notStarted = (directory: string, cause: string, lines: ReadonlyArray<string>): AttachFailed => {
  const problem: Problem = {
    code: "internal",
    title: "No Signalbox server is running, and none could be started.",
    cause,
    evidence: { path: directory, ...(lines.length > 0 && { stderrTail: lines }) },
    nextSteps: [{ action: "restart", label: "Start one with signalbox serve, and read what it says" }]
  }
  return new AttachFailed({ problem })
}

const linesOf = ({ said }: Background.Background): ReadonlyArray<string> =>
  said()
    .split("\n")
    .map((line) => inText(revealAll(line.trim())))
    .filter((line) => line !== "")
    .slice(-mostLines)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line))
