/** The end of a chain: its reason, and the requests that wait for that reason. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type * as RawConnection from "@signalbox/acp/RawConnection"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ChainFailure } from "./ChainFailure.ts"

export interface ChainEnd {
  /** Ends the chain for this reason, unless it has failed or is being stopped. Requests that wait get it as their error. */
  readonly fail: (reason: ChainFailure) => void
  /** Why the chain has failed; undefined if it has not. */
  readonly failure: () => ChainFailure | undefined
  /** Completes when the chain has failed. */
  readonly failed: Effect.Effect<ChainFailure>
  /** From now on, components that end are no failure. */
  readonly stopping: () => void
  /** Answers a request that a component can't answer any more. The reason may still have to be found out. */
  readonly answerLost: (respond: RawConnection.Respond) => void
  /** Answers a request to the client, who has left. */
  readonly answerAlone: (respond: RawConnection.Respond) => void
}

const clientLeft = RawMessage.failed(RpcError.internal("The client has closed its connection"))

export const make = (): ChainEnd => {
  const failed = Deferred.makeUnsafe<ChainFailure>()
  const waiting = new Set<RawConnection.Respond>()
  let failure: ChainFailure | undefined
  let isStopping = false
  return {
    fail: (reason) => {
      if (failure !== undefined || isStopping) return
      failure = reason
      for (const respond of waiting) respond(RawMessage.failed(reason.rpcError))
      waiting.clear()
      Deferred.doneUnsafe(failed, Effect.succeed(reason))
    },
    failure: () => failure,
    failed: Deferred.await(failed),
    stopping: () => {
      isStopping = true
    },
    answerLost: (respond) => {
      if (failure === undefined) waiting.add(respond)
      else respond(RawMessage.failed(failure.rpcError))
    },
    answerAlone: (respond) => respond(failure === undefined ? clientLeft : RawMessage.failed(failure.rpcError))
  }
}
