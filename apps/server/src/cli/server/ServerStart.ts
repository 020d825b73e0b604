/**
 * Finds the server of a state folder, or starts one in the background. It belongs to nobody: it goes on when this process
 * ends, and ends by itself some time after its last client.
 */
import * as Background from "@signalbox/process/Background"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { oneLine } from "../../base/Plain.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { CommandFailed, failedWith } from "../terminal/Failure.ts"
import * as ServerClient from "./ServerClient.ts"

/** How long a server may take until it can be reached. It may have to read a large database. */
const patience = "60 seconds"

/** Lines of a server that did not start. */
const mostLines = 20

/** `endsAfter`: how long a server that is started goes on after its last client, as `serve --end-after` takes it. */
export const ensure = Effect.fn("ServerStart.ensure")(function* (
  directory: string,
  endsAfter: string
): Effect.fn.Return<ServerClient.ServerFile, CommandFailed> {
  const running = yield* ServerClient.find(directory)
  if (running !== undefined) return running
  // A session of its own: no signal to our group and no closed terminal reaches it.
  const command = [process.argv[1] ?? "", "serve", "--state-dir", directory, "--end-after", endsAfter]
  return yield* Effect.scoped(
    Effect.flatMap(Background.start(process.execPath, [...process.execArgv, ...command]), (server) =>
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
  const found = yield* ServerClient.find(directory)
  if (found !== undefined) return found
  const how = server.end()
  // Another server has the folder: it was started at the same moment, and can be reached soon.
  if (how === undefined || how === ExitCode.stateInUse) return undefined
  return yield* notStarted(
    directory,
    typeof how === "number" ? `It ended with the exit code ${how}.` : `It ended: ${how}.`,
    linesOf(server)
  )
})

const notStarted = (directory: string, cause: string, lines: ReadonlyArray<string>): CommandFailed =>
  failedWith({
    code: "internal",
    title: "No Signalbox server is running, and none could be started.",
    cause,
    evidence: { path: directory, ...(lines.length > 0 && { stderrTail: lines }) },
    nextSteps: [{ action: "restart", label: "Start one with signalbox serve, and read what it says" }]
  })

const linesOf = ({ said }: Background.Background): ReadonlyArray<string> =>
  said()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-mostLines)
    .map((line) => oneLine(line, 400))
