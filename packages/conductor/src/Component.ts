/**
 * A component of a chain, as a conductor starts it: a proxy, or the agent. It speaks over a link. The same code runs in this process, or
 * as a program on its standard streams.
 */
import * as MessageLink from "@signalbox/acp/MessageLink"
import type { ProxyDialect } from "@signalbox/acp/ProxyDialect"
import type { Transport } from "@signalbox/acp/Transport"
import * as PipedProcess from "@signalbox/process/PipedProcess"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { ChainFailure } from "./ChainFailure.ts"

/** How a component ended: a clause without a subject, such as "exited with code 1", and what its process left. */
export interface Ending {
  readonly words: string
  readonly exitCode?: number
  readonly signal?: string
  readonly stderrTail?: ReadonlyArray<string>
}

/** A component that was started. */
export interface Started {
  readonly link: MessageLink.MessageLink
  /** Completes when the component has ended, whoever ended it. */
  readonly ended: Effect.Effect<Ending>
  /** Ends it: politely at first, then by force. Completes when it has ended. */
  readonly stop: Effect.Effect<void>
}

export interface Component {
  /** Names the component in errors: the command line of a program, or the name of built-in code. */
  readonly name: string
  /** The spelling of the proxy protocol that it speaks. Learned when it is initialized, if absent. */
  readonly proxyDialect?: ProxyDialect | undefined
  /** Why it was added by itself, as a clause: `the agent takes no MCP servers over ACP`. Undefined if people have named it. */
  readonly addedBecause?: string | undefined
  /** What it stands on, and who offers that where the client does not. */
  readonly adapter?: { readonly primitive: string; readonly component: Component } | undefined
  /** Starts it. When the scope closes, it and all that it started are ended. */
  readonly start: Effect.Effect<Started, ChainFailure, Scope.Scope>
}

/**
 * A component that runs in this process.
 *
 * @param run speaks over the link, until the connection is over; its scope closes when it completes, or when the component is stopped
 */
export const inProcess = (
  name: string,
  run: (link: MessageLink.MessageLink) => Effect.Effect<unknown, never, Scope.Scope>
): Component => ({
  name,
  start: Effect.gen(function* () {
    const [near, far] = MessageLink.pair()
    const over = yield* Deferred.make<Ending>()
    const fiber = yield* Effect.scoped(run(far)).pipe(
      // Its end is known also when the scope closes before it was stopped.
      Effect.onExit((exit) => Effect.andThen(far.end, Deferred.succeed(over, { words: wordsOf(exit) }))),
      Effect.forkScoped
    )
    const stop = near.end.pipe(
      Effect.andThen(Effect.timeoutOption(Deferred.await(over), stopGrace)),
      Effect.andThen(Effect.sync(() => fiber.interruptUnsafe())),
      Effect.andThen(Deferred.await(over)),
      Effect.asVoid
    )
    return { link: near, ended: Deferred.await(over), stop }
  })
})

/** How long code in this process may go on after its input has ended. */
const stopGrace = "1 second"

const wordsOf = (exit: Exit.Exit<unknown>): string => {
  if (Exit.isSuccess(exit)) return "ended"
  if (Cause.hasInterruptsOnly(exit.cause)) return "was stopped"
  const error = Cause.squash(exit.cause)
  return `failed: ${error instanceof Error ? error.message : String(error)}`
}

/** A program that runs already: how to speak with it, and how it ends. */
export interface Running extends Pick<PipedProcess.PipedProcess, "exited" | "stop"> {
  readonly transport: Transport
}

/** A component that is a program on its standard streams. Its name is the command line. */
export const program = (options: PipedProcess.StartOptions & Pick<Component, "name" | "proxyDialect">): Component => ({
  name: options.name,
  proxyDialect: options.proxyDialect,
  start: Effect.gen(function* () {
    const child = yield* PipedProcess.start(options).pipe(
      Effect.mapError(
        ({ problem }) =>
          new ChainFailure({
            reason: "NotStarted",
            component: options.name,
            message: `${options.name} could not be started. ${problem.cause}`
          })
      )
    )
    return yield* running(child)
  })
})

/** A program that runs already, as a component that was started. */
export const running = Effect.fnUntraced(function* ({
  exited,
  stop,
  transport
}: Running): Effect.fn.Return<Started, never, Scope.Scope> {
  const link = yield* MessageLink.overBytes(transport)
  const ended = Effect.map(exited, ({ exitCode, signal, stderrTail }): Ending => ({
    words: signal === undefined ? `exited with code ${exitCode}` : `was ended by ${signal}`,
    stderrTail,
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal })
  }))
  return { link, ended, stop: Effect.asVoid(stop) }
})
