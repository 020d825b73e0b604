/** The server that runs on a state folder, for commands that ask it something: found by its file, reached as the page reaches it. */
import type { OutOfScope } from "@signalbox/contracts/ClientScope"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Client from "@signalbox/client/Client"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { protocolVersion, type ServerInfo } from "@signalbox/contracts/Rpc"
import { type ThreadNotFound, type ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { RpcClientError } from "effect/rpc/RpcClientError"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Socket from "effect/socket/Socket"
import { readFileSync, statSync } from "node:fs"
import { codeOf } from "@signalbox/system/SystemError"
import { serverFileIn } from "../../base/StateDirectory.ts"
import { version } from "../../base/Version.ts"
import { CommandFailed, failedWith } from "../terminal/Failure.ts"

const ServerFile = Schema.fromJsonString(Schema.Struct({ url: Schema.String, pid: Schema.Int, token: Schema.String }))
export type ServerFile = typeof ServerFile.Type
const decodeFile = Schema.decodeUnknownOption(ServerFile)

export interface Connected {
  readonly file: ServerFile
  readonly client: Client.Client
}

/** How long a server may take to say that it is there. */
const patience = "5 seconds"

/** What the server of this folder says about itself; undefined where none does, or its process is gone. */
export const fileIn = (directory: string): ServerFile | undefined => {
  const file = Option.getOrUndefined(decodeFile(readIfThere(serverFileIn(directory))))
  return file !== undefined && lives(file.pid) ? file : undefined
}

/**
 * The server of this folder; undefined when none runs. What a server that was killed has left behind does not count. Fails when there
 * is one that does not answer.
 */
export const find = Effect.fn("ServerClient.find")(function* (
  directory: string
): Effect.fn.Return<ServerFile | undefined, CommandFailed> {
  const file = fileIn(directory)
  if (file === undefined) return undefined
  const answer = yield* Effect.tryPromise((signal) => fetch(`${file.url}/health`, { signal })).pipe(
    Effect.timeoutOption(patience),
    Effect.result
  )
  if (Result.isSuccess(answer) && Option.isNone(answer.success)) return yield* failedWith(noAnswer(directory, file))
  // The numbers of a server that is gone may have come to mean other programs: then nobody is there, or somebody else.
  return Result.isSuccess(answer) && Option.exists(answer.success, ({ ok }) => ok) ? file : undefined
})

/** Connects with a server for as long as the scope lives. `gone` completes when the connection has ended. */
export const connect = Effect.fn("ServerClient.connect")(function* (
  server: ServerFile
): Effect.fn.Return<Client.OpenClient, CommandFailed, Scope.Scope> {
  const socket = yield* Socket.makeWebSocket(Client.addressOf(server.url), {
    headers: { authorization: `Bearer ${server.token}` }
  }).pipe(Effect.provide(NodeSocket.layerWebSocketConstructor))
  const opened = yield* Client.open(socket)
  const hello = yield* opened.client.hello().pipe(
    Effect.timeout(patience),
    Effect.mapError(({ message }) => failedWith(lost(server, message)))
  )
  if (hello.protocolVersion !== protocolVersion) return yield* failedWith(otherVersion(hello))
  return opened
})

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
      if (error instanceof RpcClientError) return failedWith(lost(file, error.message))
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

const readIfThere = (path: string): string | undefined => {
  try {
    // To read a pipe waits for somebody who writes to it.
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined
  } catch {
    return undefined
  }
}

/** Whether a process has this number. Another user's counts: we may not signal it, and it is there. */
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
}

const noAnswer = (directory: string, { pid, url }: ServerFile) => ({
  code: "internal" as const,
  title: "The Signalbox server does not answer.",
  cause: `Its file says that it listens at ${url}, and its process ${pid} is there, but nothing came back.`,
  evidence: { path: serverFileIn(directory) },
  nextSteps: [{ action: "restart" as const, label: "Stop that process, then start the server again" }]
})

const lost = ({ url }: ServerFile, detail: string) => ({
  code: "internal" as const,
  title: "The connection to the Signalbox server ended.",
  cause: `${url}: ${detail}`,
  evidence: {},
  nextSteps: [{ action: "restart" as const, label: "See whether the server still runs, then try again" }]
})

const goneMeanwhile = ({ message }: ThreadNotFound) => ({
  code: "internal" as const,
  title: "The thread is gone.",
  cause: `${message} It was there a moment ago.`,
  evidence: {},
  nextSteps: []
})

const otherVersion = (server: ServerInfo) => ({
  code: "internal" as const,
  title: "The server that runs is of another version.",
  cause: `It is ${server.version} and speaks version ${server.protocolVersion} of our protocol; this is ${version} and speaks ${protocolVersion}.`,
  evidence: {},
  nextSteps: [{ action: "restart" as const, label: "Restart the server, or use the command that came with it" }]
})
