/** A server's program and the conversation with it. Both end together. */
import type { Issue } from "@signalbox/acp/JsonRpc"
import type { JsonRpcPeer } from "@signalbox/acp/JsonRpcPeer"
import * as PipedProcess from "@signalbox/process/PipedProcess"
import type { ProcessExit } from "@signalbox/process/ProcessExit"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { LanguageServerError } from "../LanguageServerError.ts"
import * as LspPeer from "../LspPeer.ts"
import * as SearchPath from "../SearchPath.ts"
import type { ServerDefinition } from "../ServerDefinition.ts"
import type { Limits } from "./Limits.ts"
import * as ServerTransport from "./ServerTransport.ts"

/** A message as it went over the wire. */
export interface Tapped {
  readonly server: string
  readonly root: string
  readonly direction: "in" | "out"
  /** JSON, or what was no JSON. */
  readonly text: string
}

export interface Options {
  readonly definition: ServerDefinition
  readonly root: string
  readonly ledger: ProcessLedger["Service"]
  readonly limits: Limits
  readonly tap?: ((message: Tapped) => void) | undefined
}

export interface Connection {
  readonly peer: LspPeer.LspPeer
  readonly pid: number | undefined
  /** Completes when either the program or the conversation is over, with a sentence that says how. */
  readonly ended: Effect.Effect<string>
  readonly isOver: () => boolean
  /** Ends the program at once, since it does not read. */
  readonly giveUp: Effect.Effect<void>
  /** Ends the program: `shutdown`, `exit`, then its whole group. */
  readonly stop: Effect.Effect<void>
}

/** The time that a program gets after `exit`: its input is closed, then it gets SIGTERM, then SIGKILL. */
const stopGrace = { closeInput: "500 millis", terminate: "1 second" } as const

/** Characters of a server's last words. */
const mostWords = 600

const quoted = (text: string): string => JSON.stringify(text.length > mostWords ? `…${text.slice(-mostWords)}` : text)

const lastWords = ({ stderrTail }: ProcessExit): string => {
  const last = stderrTail.slice(-8).join("\n").trim()
  return last === "" ? " It wrote nothing to stderr." : ` Its last words: ${quoted(last)}.`
}

/** How a program ended, and its last words. */
const exitWords = (exit: ProcessExit): string => {
  const { exitCode, signal } = exit
  return `${signal === undefined ? `It exited with code ${exitCode}.` : `It was ended by ${signal}.`}${lastWords(exit)}`
}

/** Waits until the server has connected. What it prints is passed over. */
const connectedTo = Effect.fnUntraced(function* ({
  child,
  definition: { id, name },
  limits,
  listening
}: Pick<Options, "definition" | "limits"> & {
  readonly child: PipedProcess.PipedProcess
  readonly listening: ServerTransport.Listening
}) {
  yield* Effect.forkScoped(Effect.ignore(Stream.runDrain(child.transport.input)))
  const failed = (words: string) =>
    new LanguageServerError({
      reason: "StartFailed",
      server: id,
      message: `${name} did not connect. ${words} It was started with ${listening.argument}: check that it knows this argument.`
    })
  return yield* Effect.raceFirst(
    listening.connected,
    Effect.flatMap(child.exited, (exit) => Effect.fail(failed(exitWords(exit))))
  ).pipe(
    Effect.timeoutOrElse({
      duration: limits.start,
      orElse: () => Effect.fail(failed(`It had ${secondsOf(limits.start)}.`))
    })
  )
})

/** Starts the program in its root, and reads what it says. Closing the scope ends it and all that it has started. */
export const start = Effect.fnUntraced(function* (
  { definition, ledger, limits, root, tap }: Options,
  handlersOf: (peer: JsonRpcPeer) => LspPeer.Handlers<never>
): Effect.fn.Return<Connection, LanguageServerError, Scope.Scope> {
  const { command, env = {}, id, name, transport = "stdio" } = definition
  const listening = transport === "stdio" ? undefined : yield* ServerTransport.listen(transport)
  const args = listening === undefined ? definition.args : [...definition.args, listening.argument]
  const child = yield* PipedProcess.start({
    ledger,
    runsFor: `language server ${id}`,
    // What they look for by its name is of this machine, and not of the project.
    program: { command, args, env: { PATH: SearchPath.withoutProjects(process.env["PATH"] ?? ""), ...env } },
    cwd: root,
    secrets: Secrets.of({ ...process.env, ...env }),
    stopGrace
  }).pipe(
    Effect.mapError(
      ({ problem }) =>
        new LanguageServerError({
          reason: "NotFound",
          server: id,
          message: `${name} can't be started. ${problem.cause} Install it, or name its program in the settings.`
        })
    )
  )

  /** The first thing that was no message. */
  let noise: string | undefined
  const onIssue = (issue: Issue) => {
    if (issue._tag === "Noise") noise ??= issue.text.slice(0, mostWords)
    if (issue._tag === "OversizedLine" || issue._tag === "DeepMessage") noise ??= issue.head.slice(0, mostWords)
  }
  const bytes = listening === undefined ? child.transport : yield* connectedTo({ definition, limits, listening, child })
  const peer = yield* LspPeer.make(bytes, (raw) => ({ ...handlersOf(raw), onIssue }), {
    ...(tap !== undefined && {
      tap: { onLine: (direction, text) => tap({ server: id, root, direction, text }) }
    })
  })

  const over = yield* Deferred.make<string>()
  let isOver = false
  let blame = ""
  const noiseWords = () => (noise === undefined ? "" : ` It wrote what is no message: ${quoted(noise)}.`)
  const howItEnded = Effect.gen(function* () {
    const first = yield* Effect.raceFirst(child.exited, peer.closed)
    if (!("_tag" in first)) {
      // What it wrote last is read to its end.
      yield* Effect.timeoutOption(peer.closed, "1 second")
      return `${exitWords(first)}${noiseWords()}`
    }
    const broken = first.reason === "ReadFailed" ? `The conversation broke: ${first.message}. ` : ""
    const exit = yield* Effect.timeoutOption(child.exited, "1 second")
    if (exit._tag === "Some") return `${broken}${exitWords(exit.value)}${noiseWords()}`
    // A program that goes on without its pipes is of no use.
    const last = lastWords(yield* child.kill)
    return `${broken === "" ? "It closed its output. " : broken}Its program went on, and was ended.${last}${noiseWords()}`
  })
  yield* Effect.forkScoped(
    Effect.flatMap(howItEnded, (words) => {
      isOver = true
      return Deferred.succeed(over, `${blame}${words}`)
    })
  )

  const stop = Effect.gen(function* () {
    yield* Effect.timeoutOption(Effect.ignore(peer.call("shutdown", undefined)), limits.shutdown)
    yield* Effect.ignore(peer.notify("exit", undefined))
    const exit = yield* Effect.timeoutOption(child.exited, limits.shutdown)
    if (exit._tag === "None") yield* child.stop
  })

  const giveUp = Effect.suspend(() => {
    blame = `It had not read for ${secondsOf(limits.answer)} what it was sent, so its program was stopped. `
    return Effect.asVoid(child.kill)
  })

  return { peer, pid: child.pid, ended: Deferred.await(over), isOver: () => isOver, giveUp, stop }
})

/** A limit in words: `30 s`. */
export const secondsOf = (limit: Duration.Duration): string => `${Duration.toSeconds(limit)} s`
