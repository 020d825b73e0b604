/** `signalbox serve`: runs the server until a signal ends it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import { serverFileIn } from "@signalbox/system/StateDirectory"
import * as Server from "../../compose/Server.ts"
import { version } from "../../base/Version.ts"
import { loopbackAddress } from "@signalbox/loopback/RequestGuard"
import { HttpApp } from "../../http/HttpApp.ts"
import type { ListenFailed } from "@signalbox/loopback/Listener"
import * as RunningServer from "@signalbox/attach/RunningServer"
import * as ServerFile from "@signalbox/loopback/ServerFile"
import { Threads } from "../../orchestration/Threads.ts"
import { HeldLock } from "../../storage/StateLock.ts"
import type { StorageError } from "../../storage/StorageError.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { CommandFailed, failedWith, usage } from "../terminal/Failure.ts"
import { fitted } from "../terminal/LineBreaks.ts"
import { parseDuration } from "../terminal/Amount.ts"
import { signals } from "../terminal/Signals.ts"
import * as ServerIdle from "./ServerIdle.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { stateInUse } from "../server/StateInUse.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ServeFlags {
  readonly port: Option.Option<number>
  readonly host: string
  readonly resume: NonNullable<Server.Options["resume"]>
  /** How long it goes on without clients and without agents at work. Without it: for ever. */
  readonly endAfter: Option.Option<string>
  readonly stateDir: Option.Option<string>
}

const defaultPort = 4177

export const serve = Effect.fn("Serve")(function* (flags: ServeFlags) {
  const address = loopbackAddress(flags.host)
  if (address === undefined) {
    return yield* usage(
      "serve",
      `--host ${flags.host} would let other machines in. Whoever gets in can run programs as you, so Signalbox listens on 127.0.0.1 or ::1 only. From elsewhere, use a tunnel: ssh -L ${defaultPort}:127.0.0.1:${defaultPort} this-machine`
    )
  }
  const port = Option.getOrElse(flags.port, () => defaultPort)
  if (port < 0 || port > 65_535) return yield* usage("serve", `--port ${port} is not a port; those go from 0 to 65535.`)
  const idleLimit = Option.map(flags.endAfter, parseDuration)
  if (Option.isSome(idleLimit) && idleLimit.value === undefined) {
    return yield* usage(
      "serve",
      `--end-after ${Option.getOrElse(flags.endAfter, () => "")} is no length of time; 30s, 10m and 2h are.`
    )
  }
  const directory = yield* StateFolder.checked(flags.stateDir)

  yield* Effect.scoped(
    Effect.gen(function* () {
      const incoming = yield* signals
      const listen = { address, port, orNext: Option.isNone(flags.port) }
      const started = start({ ...listen, stateDirectory: directory, resume: flags.resume, version })
      const services = yield* Effect.raceFirst(started, ended(incoming))
      if (services === undefined) return
      const app = Context.get(services, HttpApp)
      yield* ServerFile.keep(serverFileIn(directory), { url: app.url, pid: process.pid, token: app.token })
      if (app.port !== port && port !== 0) Terminal.out(`Port ${port} is taken; this is ${app.port}.`)
      Terminal.out(fitted(greeting(app, directory), Terminal.width()))
      const { lost } = Context.get(services, HeldLock)
      yield* Effect.raceAllFirst([
        ended(incoming),
        Effect.flatMap(lost, (error) => Effect.fail(lockLost(directory, error))),
        Option.match(
          Option.flatMapNullishOr(idleLimit, (limit) => limit),
          {
            onNone: () => Effect.never,
            onSome: (limit) => ServerIdle.lasting({ app, threads: Context.get(services, Threads) }, limit)
          }
        )
      ])
      Terminal.out("Stopping the server and its agents …")
      yield* Effect.forkDetach(
        Effect.andThen(
          Queue.take(incoming),
          Effect.sync(() => process.exit(ExitCode.cancelled))
        )
      )
    })
  )
})

const ended = (incoming: Queue.Dequeue<NodeJS.Signals>) => Effect.asVoid(Queue.take(incoming))

const lockLost = (directory: string, { problem, reason }: StorageError): CommandFailed => {
  if (reason === "file-lost")
    return failedWith({
      ...problem,
      title: "The server stopped: its database was taken away.",
      cause: `${problem.cause} Its agents were ended.`
    })
  const other = RunningServer.announcedIn(directory)
  const taken = other === undefined || other.pid === process.pid ? "" : ` Process ${other.pid} has the folder now.`
  return failedWith(
    {
      ...problem,
      title: "The server stopped: it no longer had its state folder to itself.",
      cause: `${problem.cause}${taken} Its agents were ended.`
    },
    ExitCode.stateInUse
  )
}

const start = (options: Server.Options) =>
  Layer.build(Server.layer(options)).pipe(
    Effect.catchTags({
      ListenFailed: (error) => Effect.fail(listenProblem(error)),
      StateInUse: (error) =>
        Effect.fail(
          stateInUse(error.directory, {
            why: `Two servers on ${error.directory} would run the same threads twice.`,
            instead: "Or choose another folder with --state-dir"
          })
        ),
      StorageError: ({ problem }) => Effect.fail(failedWith(problem))
    })
  )

const listenProblem = ({ address, code, port }: ListenFailed): CommandFailed =>
  failedWith({
    code: "internal",
    title: `Signalbox could not listen on ${address}:${port}.`,
    cause:
      code === "EADDRINUSE"
        ? "Another program listens there already."
        : code === "EACCES"
          ? "This account may not listen on that port."
          : `The operating system answered ${code}.`,
    evidence: {},
    nextSteps: [{ action: "set-option", label: "Choose another port with --port, or none for the next free one" }]
  })

const greeting = (app: HttpApp["Service"], directory: string): string =>
  [
    `Signalbox ${version}`,
    "",
    `  ${app.url}/#token=${app.token}`,
    "",
    "Open this link in a browser. It lets its holder run agents as you, and ends with this server.",
    `Threads are kept in ${directory}. Ctrl-C stops the server and its agents.`
  ].join("\n")
