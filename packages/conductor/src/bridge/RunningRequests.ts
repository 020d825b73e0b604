/** The requests of one client that are under way, so that a notification can cancel one by its id. */
import * as ExactJson from "@signalbox/acp/ExactJson"
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import type * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Translation from "./Translation.ts"

export interface RunningRequests {
  /**
   * Runs a request until it has an outcome, or is cancelled. An id that is in use is refused.
   *
   * @param id as JSON text
   */
  readonly run: (id: string, request: Effect.Effect<McpOverAcp.Outcome>) => Effect.Effect<McpOverAcp.Outcome>
  /** Takes a notification of the client: the one that cancels has an effect. */
  readonly notified: (method: string, params: McpOverAcp.JsonObject) => void
  readonly cancelAll: () => void
}

const cancelled = Translation.failed({ code: ErrorCode.RequestCancelled, message: "Request cancelled" })

const inUse = (id: string) =>
  Translation.failed({ code: ErrorCode.InvalidRequest, message: `A request ${id} is under way already` })

export const make = (): RunningRequests => {
  const active = new Map<string, Deferred.Deferred<McpOverAcp.Outcome>>()
  const cancel = (stopped: Deferred.Deferred<McpOverAcp.Outcome>) =>
    Deferred.doneUnsafe(stopped, Effect.succeed(cancelled))
  return {
    run: (id, request) =>
      Effect.suspend(() => {
        // JSON has several spellings of one id.
        const key = JSON.stringify(ExactJson.parse(id))
        if (active.has(key)) return Effect.succeed(inUse(id))
        const stopped = Deferred.makeUnsafe<McpOverAcp.Outcome>()
        active.set(key, stopped)
        return Effect.raceFirst(request, Deferred.await(stopped)).pipe(
          Effect.ensuring(Effect.sync(() => active.delete(key)))
        )
      }),
    notified: (method, params) => {
      const stopped = active.get(JSON.stringify(params["requestId"]))
      if (method === "notifications/cancelled" && stopped !== undefined) cancel(stopped)
    },
    cancelAll: () => active.forEach(cancel)
  }
}
