/** Starts this program as the server of a state folder, where none runs. */
import type { RunningServer } from "@signalbox/attach/RunningServer"
import * as StartedServer from "@signalbox/attach/StartedServer"
import * as Effect from "effect/Effect"
import { type CommandFailed, failedWith } from "../terminal/Failure.ts"

/** `endsAfter`: how long a server that is started goes on after its last client, as `serve --end-after` takes it. */
export const ensure = (directory: string, endsAfter: string): Effect.Effect<RunningServer, CommandFailed> =>
  StartedServer.ensure(directory, {
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    endsAfter
  }).pipe(Effect.mapError(({ problem }) => failedWith(problem)))
