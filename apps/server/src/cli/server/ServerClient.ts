/** The server that runs on a state folder, for commands that ask it something: found by its file, reached as the page reaches it. */
import type { AttachFailed } from "@signalbox/attach/AttachFailed"
import * as RunningServer from "@signalbox/attach/RunningServer"
import type { OutOfScope } from "@signalbox/contracts/ClientScope"
import type { Refused } from "@signalbox/contracts/Refused"
import type * as Client from "@signalbox/client/Client"
import { type ThreadNotFound, type ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import * as Effect from "effect/Effect"
import { RpcClientError } from "effect/rpc/RpcClientError"
import type * as Scope from "effect/Scope"
import { version } from "../../base/Version.ts"
import { CommandFailed, failedWith } from "../terminal/Failure.ts"

export interface Connected {
  readonly file: RunningServer.RunningServer
  readonly client: Client.Client
}

const asCommandFailed = ({ problem }: AttachFailed): CommandFailed => failedWith(problem)

/** The server of this folder; undefined when none runs. Fails when there is one that does not answer. */
export const find = (directory: string): Effect.Effect<RunningServer.RunningServer | undefined, CommandFailed> =>
  Effect.mapError(RunningServer.find(directory), asCommandFailed)

/** Connects with a server for as long as the scope lives. `gone` completes when the connection has ended. */
export const connect = (
  server: RunningServer.RunningServer
): Effect.Effect<Client.OpenClient, CommandFailed, Scope.Scope> =>
  Effect.mapError(RunningServer.connect(server, version), asCommandFailed)

/** The server that runs on this folder, connected for as long as the scope lives; fails where there is none. */
export const ofRunning = Effect.fn("ServerClient.ofRunning")(function* (
  directory: string
): Effect.fn.Return<Connected, CommandFailed, Scope.Scope> {
  const file = yield* find(directory)
  if (file === undefined) return yield* noServer(directory)
  const { client } = yield* connect(file)
  return { file, client }
})

/** Puts our words in place of what a call fails with: the connection ends, or there is something wrong with what is kept. */
export const inOurWords =
  ({ file }: Connected) =>
  <A, R>(
    call: Effect.Effect<A, RpcClientError | ThreadNotFound | ThreadUnreadable | Refused | OutOfScope | CommandFailed, R>
  ) =>
    Effect.mapError(call, (error): CommandFailed => {
      if (error instanceof CommandFailed) return error
      if (error instanceof RpcClientError) return failedWith(RunningServer.lost(file, error.message))
      return failedWith("problem" in error ? error.problem : goneMeanwhile(error))
    })

const noServer = (directory: string): CommandFailed =>
  failedWith({
    code: "internal",
    title: "No Signalbox server is running.",
    cause: `None has left its address in the state folder ${directory}.`,
    evidence: {},
    nextSteps: [{ action: "restart", label: "Start one with signalbox serve, or name its folder with --state-dir" }]
  })

const goneMeanwhile = ({ message }: ThreadNotFound) => ({
  code: "internal" as const,
  title: "The thread is gone.",
  cause: `${message} It was there a moment ago.`,
  evidence: {},
  nextSteps: []
})
