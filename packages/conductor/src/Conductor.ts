/**
 * Runs a chain of components behind one connection. To its client it is an agent, or to an outer conductor a proxy.
 *
 * Nothing is started before the client initializes. When a component ends, the chain ends: whatever waits is answered, and no process is
 * left.
 */
import type { MessageLink } from "@signalbox/acp/MessageLink"
import type { ProxyDialect } from "@signalbox/acp/ProxyDialect"
import type * as RawConnection from "@signalbox/acp/RawConnection"
import * as RawMessage from "@signalbox/acp/RawMessage"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Chain from "./Chain.ts"
import { ChainFailure } from "./ChainFailure.ts"
import type { Component } from "./Component.ts"
import * as Front from "./Front.ts"
import type { Refusal } from "./Handshake.ts"
import type { Observer } from "./Observer.ts"
import * as Silence from "./Silence.ts"

/** What a chain is made of. */
export interface Assembled {
  /** Nearest to the client first. */
  readonly proxies: ReadonlyArray<Component>
  /** The agent; absent in proxy mode. */
  readonly agent?: Component | undefined
  /** Parameters of `initialize` to pass on, as JSON text. Absent: those of the client, unchanged. */
  readonly params?: string | undefined
}

/**
 * Chooses the components when the client initializes. What it starts ends with the chain.
 *
 * @param params those of the client's `initialize`, as JSON text
 * @param within how long it may wait for a component that it asks; beyond that, it fails
 */
export type Assemble<R> = (
  params: string | undefined,
  within: Duration.Input
) => Effect.Effect<Assembled, ChainFailure, R>

export interface Options<R> {
  readonly mode: Front.Mode
  readonly assemble: Assemble<R>
  /** How long components may take to be chosen, and again to initialize. Default: 2 minutes. */
  readonly startWithin?: Duration.Input | undefined
  /** Spellings of the proxy protocol that were learned before, by the name of the component. What is learned is added. */
  readonly dialects?: Map<string, ProxyDialect> | undefined
  /** Makes what sees each message of the chain, as soon as its components are chosen. */
  readonly observerOf?: ((assembled: Assembled) => Observer) | undefined
  /** Gets what was not as it should be and was survived, with whose words it was: a component's name, or `client`. */
  readonly onIssue?: ((from: string, issue: RawConnection.Issue) => void) | undefined
  /** Gets the reason as soon as the chain has failed. The client may stay long after that. */
  readonly onFailure?: ((failure: ChainFailure) => void) | undefined
}

const defaultStart = "2 minutes"

/** How long answers may take on their way through a chain that has failed. */
const unwindGrace = "1 second"

const checkNames = ({ agent, proxies }: Assembled): Effect.Effect<void, ChainFailure> => {
  const names = [...proxies, ...(agent === undefined ? [] : [agent])].map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return Effect.void
  const message = `The chain names ${twice} twice.`
  return Effect.fail(new ChainFailure({ reason: "NamedTwice", component: twice, message }))
}

/** An initialization that a component has refused. The client got its answer, or what proxies made of it. */
const refused = ({ component, error }: Refusal): ChainFailure => {
  const message = `${component ?? "The successor of the chain"} answered its initialization with an error: ${error}`
  return new ChainFailure({ reason: "Refused", message, ...(component !== undefined && { component }) })
}

/** Starts the components and connects them. They end with the scope. */
const start = Effect.fnUntraced(function* <R>(
  front: Front.Front,
  { params }: Front.Beginning,
  { assemble, dialects = new Map(), observerOf, onIssue, startWithin = defaultStart }: Options<R>
) {
  const assembled = yield* assemble(params, startWithin)
  yield* checkNames(assembled)
  const { agent, proxies } = assembled
  const observer = observerOf?.(assembled)
  const chain = yield* Chain.start({ outer: front.connection, proxies, agent, dialects, observer, onIssue })
  yield* Effect.addFinalizer(() => chain.stop)
  return { chain, params: assembled.params ?? params }
})

/** The answer of a chain to `initialize`. When a component fails meanwhile, that counts, and not what others make of it. */
const initialized = (chain: Chain.Chain, answer: Effect.Effect<RawMessage.RawAnswer>, within: Duration.Input) => {
  const failed = chain.failed.pipe(Effect.tap(Effect.sleep(unwindGrace)), Effect.flatMap(Effect.fail))
  return Effect.raceFirst(answer, failed).pipe(
    Effect.timeoutOrElse({ duration: within, orElse: () => Effect.fail(Silence.failure(chain.initializing())) }),
    Effect.tap(() => chain.failure() ?? Effect.void)
  )
}

/** Starts a chain and answers the client's `initialize`. Fails when the client has been answered with the failure. */
const open = Effect.fnUntraced(function* <R>(front: Front.Front, options: Options<R>) {
  const beginning = yield* front.beginning
  const refuse = (answer: RawMessage.RawAnswer) =>
    Effect.sync(() => {
      beginning.answer(answer)
      front.refuse(answer)
    })
  const opened = Effect.gen(function* () {
    const { chain, params } = yield* start(front, beginning, options)
    const answer = yield* initialized(chain, beginning.initialize(chain, params), options.startWithin ?? defaultStart)
    return { chain, answer }
  })
  const { answer, chain } = yield* Effect.tapError(opened, ({ rpcError }) => refuse(RawMessage.failed(rpcError)))
  if ("error" in answer) {
    yield* refuse(answer)
    return yield* refused(chain.refusal() ?? { component: undefined, error: answer.error })
  }
  beginning.answer(answer)
  front.open(chain)
  return chain
})

/** Answers whatever waits, once what components said before has found its way. */
const unwind = Effect.fnUntraced(function* ({ refuse, unanswered }: Front.Front, { rpcError }: ChainFailure) {
  const answer = RawMessage.failed(rpcError)
  refuse(answer)
  yield* Effect.timeoutOption(unanswered.none, unwindGrace)
  unanswered.answerAll(answer)
})

/**
 * Runs a conductor over the link to its client. Completes when all is over: the client has left or a running chain has failed, every
 * request is answered, and every component has ended. Returns why the chain failed; undefined if it did not.
 */
export const run = Effect.fn("Conductor.run")(function* <R>(
  link: MessageLink,
  options: Options<R>
): Effect.fn.Return<ChainFailure | undefined, never, R | Scope.Scope> {
  const { onIssue } = options
  const front = yield* Front.make(link, options.mode, onIssue && ((issue) => onIssue("client", issue)))
  let failure: ChainFailure | undefined
  const note = (reason: ChainFailure) =>
    Effect.sync(() => {
      // What fails because the client has left is no failure.
      if (front.connection.isOver()) return
      failure = reason
      options.onFailure?.(reason)
    })

  const running = Effect.gen(function* () {
    // Noted at once: the client may leave while what was started is being ended.
    const chain = yield* Effect.tapError(open(front, options), note)
    const reason = yield* chain.failed
    yield* note(reason)
    yield* unwind(front, reason)
  })
  yield* Effect.scoped(running).pipe(
    Effect.andThen(front.connection.close),
    // A chain that was never ready: its client gets the error until it leaves.
    Effect.catch(() => Effect.never),
    Effect.raceFirst(front.connection.closed),
    Effect.raceFirst(Effect.flatMap(front.flooded, note))
  )
  return failure
}, Effect.scoped)
