/** The server that runs on a state folder: found by its file, reached as the page reaches it. */
import * as Client from "@signalbox/client/Client"
import type { Problem } from "@signalbox/contracts/Problem"
import { protocolVersion, type ServerInfo } from "@signalbox/contracts/ServerInfo"
import { serverFileIn } from "@signalbox/system/StateDirectory"
import { codeOf } from "@signalbox/system/SystemError"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Socket from "effect/socket/Socket"
import { readFileSync, statSync } from "node:fs"
import { AttachFailed } from "./AttachFailed.ts"
import * as Health from "./Health.ts"

/** What a running server writes into its folder: its page's address, its process, and the token for programs of its owner. */
const RunningServer = Schema.Struct({ url: Schema.String, pid: Schema.Int, token: Schema.String })
export type RunningServer = typeof RunningServer.Type

const decodeFile = Schema.decodeUnknownOption(Schema.fromJsonString(RunningServer))

/** How long a server may take to say that it is there. */
const patience = "5 seconds"

/** What the server of this folder says about itself; undefined where none does, or its process is gone. */
export const announcedIn = (directory: string): RunningServer | undefined => {
  const file = Option.getOrUndefined(decodeFile(readIfThere(serverFileIn(directory))))
  return file !== undefined && lives(file.pid) ? file : undefined
}

/**
 * The server of this folder; undefined when none runs. What a server that was killed has left behind does not count. Fails when there
 * is one that does not answer.
 */
export const find = Effect.fn("RunningServer.find")(function* (
  directory: string
): Effect.fn.Return<RunningServer | undefined, AttachFailed> {
  const file = announcedIn(directory)
  if (file === undefined) return undefined
  const answer = yield* Health.isWell(file.url).pipe(Effect.timeoutOption(patience), Effect.result)
  if (Result.isSuccess(answer) && Option.isNone(answer.success))
    return yield* new AttachFailed({ problem: noAnswer(directory, file) })
  // The numbers of a server that is gone may have come to mean other programs: then nobody is there, or somebody else.
  return Result.isSuccess(answer) && Option.contains(answer.success, true) ? file : undefined
})

/** The headers by which a server lets a program of its owner in. */
export const headersFor = ({ token }: RunningServer) => ({ authorization: `Bearer ${token}` })

/**
 * Connects with a server for as long as the scope lives. `gone` completes when the connection has ended. `version`: of the program that
 * connects, for the words that people read where the server is of another one.
 */
export const connect = Effect.fn("RunningServer.connect")(function* (
  server: RunningServer,
  version: string
): Effect.fn.Return<Client.OpenClient, AttachFailed, Scope.Scope> {
  const socket = yield* Socket.makeWebSocket(Client.addressOf(server.url), { headers: headersFor(server) }).pipe(
    Effect.provide(NodeSocket.layerWebSocketConstructor)
  )
  const opened = yield* Client.open(socket)
  const hello = yield* opened.client.hello().pipe(
    Effect.timeout(patience),
    Effect.mapError(({ message }) => new AttachFailed({ problem: lost(server, message) }))
  )
  if (hello.protocolVersion !== protocolVersion)
    return yield* new AttachFailed({ problem: otherVersion(hello, version) })
  return opened
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

const noAnswer = (directory: string, { pid, url }: RunningServer): Problem => ({
  code: "internal",
  title: "The Signalbox server does not answer.",
  cause: `Its file says that it listens at ${url}, and its process ${pid} is there, but nothing came back.`,
  evidence: { path: serverFileIn(directory) },
  nextSteps: [{ action: "restart", label: "Stop that process, then start the server again" }]
})

/** The problem of a connection that ended before the server answered. */
export const lost = ({ url }: RunningServer, detail: string): Problem => ({
  code: "internal",
  title: "The connection to the Signalbox server ended.",
  cause: `${url}: ${detail}`,
  evidence: {},
  nextSteps: [{ action: "restart", label: "See whether the server still runs, then try again" }]
})

const otherVersion = (server: ServerInfo, version: string): Problem => ({
  code: "internal",
  title: "The server that runs is of another version.",
  cause: `It is ${server.version} and speaks version ${server.protocolVersion} of our protocol; this is ${version} and speaks ${protocolVersion}.`,
  evidence: {},
  nextSteps: [{ action: "restart", label: "Restart the server, or use the command that came with it" }]
})
