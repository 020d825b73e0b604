/**
 * Asks an agent for its capabilities before the chain in front of it exists. Each process of the agent gets one `initialize`.
 *
 * The answer is kept. When the last proxy initializes the agent with the same parameters, it gets that answer. With other parameters the
 * agent is started anew, since no agent can be initialized twice.
 */
import { ConnectionClosed } from "@signalbox/acp/JsonRpc"
import type { Arrival, MessageLink } from "@signalbox/acp/MessageLink"
import type { RawAnswer, RawMessage } from "@signalbox/acp/RawMessage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import type * as Duration from "effect/Duration"
import { ChainFailure } from "./ChainFailure.ts"
import type { Component, Ending, Started } from "./Component.ts"
import * as Silence from "./Silence.ts"

export interface Probed {
  /** The agent's answer to `initialize`. */
  readonly answer: RawAnswer
  /** The agent as a component of the chain. Its process runs already, and is used once. */
  readonly component: Component
}

/** The id of the probe's own request, as JSON text. The chain counts its requests in numbers. */
const probeId = '"signalbox-probe"'

/** The answer to the probe's own request. An answer that could not be read stands in its place as an error. */
const probedIn = (arrival: Arrival): RawAnswer | undefined => {
  const response = arrival._tag === "Unreadable" ? arrival.settles : arrival
  return response?._tag === "Response" && response.id === probeId ? response.answer : undefined
}

const valueOf = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))

/** One process of the agent, with a scope of its own. */
interface Running {
  readonly started: Started
  readonly scope: Scope.Closeable
}

/** What arrived together; its reader goes on when it has been dealt with. */
interface Batch {
  readonly arrivals: ReadonlyArray<Arrival>
  readonly done: Latch.Latch
}

/**
 * Starts the agent and initializes it with these parameters (JSON text). It ends with the scope.
 *
 * An agent that does not answer within this time is a failure, whether it has ended or not. An answer with an error is none.
 */
export const start = Effect.fnUntraced(function* (
  agent: Component,
  params: string | undefined,
  within: Duration.Input
): Effect.fn.Return<Probed, ChainFailure, Scope.Scope> {
  const whole = yield* Effect.scope
  const inbox = yield* Queue.unbounded<Batch>()
  const over = yield* Deferred.make<ConnectionClosed>()
  const ended = yield* Deferred.make<Ending>()
  const answered = yield* Deferred.make<RawAnswer>()

  /** Starts one process, and reads what it says. */
  const launch = Effect.gen(function* () {
    const scope = yield* Scope.fork(whole)
    const started = yield* Scope.provide(agent.start, scope)
    const running: Running = { started, scope }
    const receive = (batch: ReadonlyArray<Arrival>) =>
      Effect.suspend(() => {
        const arrivals = batch.filter((arrival) => {
          const found = probedIn(arrival)
          if (found !== undefined) Deferred.doneUnsafe(answered, Exit.succeed(found))
          return found === undefined
        })
        const done = Latch.makeUnsafe(false)
        return arrivals.length === 0 ? Effect.void : Effect.andThen(Queue.offer(inbox, { arrivals, done }), done.await)
      })
    yield* started.link.receive(receive).pipe(
      // Where the agent is started anew, the end of the first process is no end of the connection.
      Effect.flatMap((reason) => (current === running ? Deferred.succeed(over, reason) : Effect.void)),
      Effect.forkIn(scope)
    )
    yield* started.ended.pipe(
      Effect.flatMap((ending) => (current === running ? Deferred.succeed(ended, ending) : Effect.void)),
      Effect.forkIn(scope)
    )
    return running
  })

  let current: Running | undefined
  current = yield* launch
  const { started } = current
  started.link.send({ _tag: "Request", side: "client", id: probeId, method: "initialize", params })
  const answer = yield* Effect.raceFirst(
    Deferred.await(answered),
    Effect.flatMap(Deferred.await(over), () =>
      Effect.flatMap(Deferred.await(ended), (ending) => lost(agent.name, ending))
    )
  ).pipe(
    Effect.timeoutOrElse({
      duration: within,
      orElse: () => Effect.fail(Silence.failure({ name: agent.name, isProxy: false }))
    })
  )

  let isInitialized = false
  /** What the chain has said while the agent is started anew. */
  let held: Array<RawMessage> | undefined

  const isOther = yield* Deferred.make<void>()
  yield* Effect.gen(function* () {
    yield* Deferred.await(isOther)
    const before = current
    current = undefined
    if (before !== undefined) yield* Effect.andThen(before.started.stop, Scope.close(before.scope, Exit.void))
    const again = yield* launch
    current = again
    for (const message of held ?? []) again.started.link.send(message)
    held = undefined
  }).pipe(
    Effect.catch(({ message }) => {
      Deferred.doneUnsafe(ended, Exit.succeed({ words: `could not be started anew: ${message}` }))
      return Deferred.succeed(over, new ConnectionClosed({ reason: "InputEnded", message }))
    }),
    Effect.forkIn(whole)
  )

  const send = (message: RawMessage): void => {
    if (held !== undefined) held.push(message)
    else if (isInitialized || message._tag !== "Request" || message.method !== "initialize")
      current?.started.link.send(message)
    else {
      isInitialized = true
      if (Equal.equals(valueOf(message.params), valueOf(params))) {
        const arrivals: ReadonlyArray<Arrival> = [{ _tag: "Response", id: message.id, answer }]
        Queue.offerUnsafe(inbox, { arrivals, done: Latch.makeUnsafe(false) })
      } else {
        held = [message]
        Deferred.doneUnsafe(isOther, Exit.void)
      }
    }
  }

  const link: MessageLink = {
    receive: (take) => {
      const takeNext = Effect.flatMap(Queue.take(inbox), ({ arrivals, done }) =>
        Effect.andThen(take(arrivals), done.open)
      )
      return Effect.raceFirst(Effect.forever(takeNext), Deferred.await(over))
    },
    send,
    room: Effect.suspend(() => current?.started.link.room ?? Effect.void),
    waiting: () => current?.started.link.waiting() ?? 0,
    end: Effect.suspend(() => current?.started.link.end ?? Effect.void),
    // An agent speaks no dialect of proxies.
    setDialect: () => {}
  }
  const stop = Effect.suspend(() => current?.started.stop ?? Effect.void)
  return {
    answer,
    component: { name: agent.name, start: Effect.succeed({ link, ended: Deferred.await(ended), stop }) }
  }
})

const lost = (name: string, { words, ...evidence }: Ending) =>
  Effect.fail(new ChainFailure({ reason: "Ended", component: name, message: `${name} ${words}.`, ...evidence }))
