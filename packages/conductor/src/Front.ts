/**
 * The client's side of a conductor: its connection, what came before the chain was ready, and the error that stays when the chain failed.
 */
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as ProxyStart from "@signalbox/acp/ProxyStart"
import * as RawConnection from "@signalbox/acp/RawConnection"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Chain } from "./Chain.ts"
import { ChainFailure } from "./ChainFailure.ts"
import * as EarlyMessages from "./EarlyMessages.ts"
import * as Flood from "./Flood.ts"
import * as Misplaced from "./Misplaced.ts"
import * as Position from "./Position.ts"
import * as Unanswered from "./Unanswered.ts"

/** `agent`: the client takes the conductor for an agent. `proxy`: an outer conductor takes it for a proxy. */
export type Mode = "agent" | "proxy"

/** The request that begins a chain. */
export interface Beginning {
  /** Parameters of `initialize`, as JSON text. */
  readonly params: string | undefined
  /** Initializes a connected chain, and returns its answer. The client gets it by `answer`. */
  readonly initialize: (chain: Chain, params: string | undefined) => Effect.Effect<RawMessage.RawAnswer>
  readonly answer: RawConnection.Respond
}

export interface Front {
  readonly connection: RawConnection.RawConnection
  /** Completes with the first request, if it begins a chain. Fails with `Misused` if it is another one. */
  readonly beginning: Effect.Effect<Beginning, ChainFailure>
  /** Passes on what waited, and what comes. */
  readonly open: (chain: Chain) => void
  /** Gives this answer to each request that comes, and to what waits for a chain that is not ready. */
  readonly refuse: (answer: RawMessage.RawAnswer) => void
  /** Requests of the client that wait for an answer. */
  readonly unanswered: Unanswered.Unanswered
  /** Completes when the client goes on writing and does not read. Nothing more is read from it then. */
  readonly flooded: Effect.Effect<ChainFailure>
}

/** What the client's messages meet. */
type State =
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Starting" }
  | { readonly _tag: "Open"; readonly chain: Chain }
  | { readonly _tag: "Refusing"; readonly answer: RawMessage.RawAnswer }

type Cancel = (() => void) | void

/** How a request initializes a chain; undefined if it does not. */
const startOf = (mode: Mode, request: RawMessage.RawRequest): ProxyStart.ProxyStart | undefined => {
  if (mode === "proxy") return ProxyStart.of(request)
  if (request.side !== "client" || request.method !== "initialize") return undefined
  return { dialect: "proxy", params: request.params, answered: (answer) => answer }
}

const misused = (mode: Mode, method: string): ChainFailure =>
  new ChainFailure({
    reason: "Misused",
    message: `The first request has to be ${mode === "proxy" ? "proxy/initialize" : "initialize"}, and it was ${method}.`
  })

/**
 * How long the client's reader waits for room before it reads one batch more. A component that reads no more never makes room, and the
 * end of the client would not be noticed.
 */
const longestWait = "250 millis"

/** Begins to read what the client says. */
export const make = Effect.fnUntraced(function* (
  link: MessageLink,
  mode: Mode,
  onIssue?: (issue: RawConnection.Issue) => void
): Effect.fn.Return<Front, never, Scope.Scope> {
  const beginning = yield* Deferred.make<Beginning, ChainFailure>()
  const flooded = yield* Deferred.make<ChainFailure>()
  const early = EarlyMessages.make()
  const unanswered = Unanswered.make()
  let state: State = { _tag: "Waiting" }
  /** The chain as soon as it is connected: the successor may speak before the client's `initialize` is answered. */
  let connected: Chain | undefined

  const refuse = (answer: RawMessage.RawAnswer): void => {
    state = { _tag: "Refusing", answer }
    early.release()
  }

  const begin = (
    request: RawMessage.RawRequest,
    respond: RawConnection.Respond,
    setDialect: Front["connection"]["setDialect"]
  ): Cancel => {
    const start = startOf(mode, request)
    if (start === undefined) {
      const failure = misused(mode, request.method)
      refuse(RawMessage.failed(failure.rpcError))
      respond(RawMessage.failed(failure.rpcError))
      Deferred.doneUnsafe(beginning, Exit.fail(failure))
      return
    }
    state = { _tag: "Starting" }
    setDialect(start.dialect)
    let isCancelled = false
    let cancel: Cancel
    const initialize: Beginning["initialize"] = (chain, params) =>
      Effect.callback((resume) => {
        connected = chain
        cancel = chain.request(Position.client, "down", { id: request.id, method: "initialize", params }, (answer) =>
          resume(Effect.succeed(answer))
        )
        if (isCancelled) cancel?.()
      })
    Deferred.doneUnsafe(
      beginning,
      Exit.succeed({ params: start.params, initialize, answer: (answer) => respond(start.answered(answer)) })
    )
    return () => {
      isCancelled = true
      cancel?.()
    }
  }

  const pass = (request: RawMessage.RawRequest, respond: RawConnection.Respond): Cancel => {
    if (state._tag === "Open") return state.chain.request(Position.client, "down", renamed(mode, request), respond)
    if (state._tag === "Refusing") respond(state.answer)
  }

  const connection = yield* RawConnection.make(link, ({ setDialect, waiting }) => ({
    onIssue,
    onRequest: (request, answer) => {
      const respond = unanswered.track(answer)
      if (request.side === "agent") {
        if (connected === undefined || mode === "agent") return respond(Misplaced.answer(request.method, undefined))
        return connected.request(connected.end, "up", request, respond)
      }
      if (state._tag === "Waiting") return begin(request, respond, setDialect)
      if (state._tag !== "Starting") return pass(request, respond)
      return early.addRequest(request.params, respond, () => pass(request, respond))
    },
    onNotification: (said) => {
      if (said.side === "agent") return mode === "proxy" ? connected?.notify(connected.end, "up", said) : undefined
      if (state._tag === "Open") return state.chain.notify(Position.client, "down", said)
      if (state._tag === "Starting")
        early.addNotification(said.params, () => {
          if (state._tag === "Open") state.chain.notify(Position.client, "down", said)
        })
    },
    // The client's reader waits for every component, so that what goes down can't fill the memory.
    afterBatch: Effect.suspend(() => {
      connected?.flush()
      if (Flood.isAt(waiting())) return Effect.andThen(Deferred.succeed(flooded, Flood.unread(undefined)), Effect.never)
      return Effect.raceFirst(Effect.andThen(early.room, connected?.room ?? Effect.void), Effect.sleep(longestWait))
    })
  }))

  return {
    connection,
    beginning: Deferred.await(beginning),
    open: (chain) => {
      state = { _tag: "Open", chain }
      early.release()
    },
    refuse,
    unanswered,
    flooded: Deferred.await(flooded)
  }
})

/** A repeated `proxy/initialize` enters the chain as `initialize`, as the first one did. */
const renamed = (mode: Mode, request: RawMessage.RawRequest): RawMessage.RawRequest => {
  const again = mode === "proxy" ? ProxyStart.of(request) : undefined
  return again === undefined ? request : { ...request, method: "initialize", params: again.params }
}
