/** The client's role for suggestions (`Nes`) over the wire of a probe. It notes each answer as it came. */
import type * as Nes from "@signalbox/acp/Nes"
import { ConnectionClosed, RpcError } from "@signalbox/acp/JsonRpc"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Greeted } from "./OpenSession.ts"
import type { Answer } from "./Wire.ts"

/** A request, and what came of it. */
export interface Exchange {
  readonly params: unknown
  readonly answer: Answer
  readonly durationMs: number
}

export interface NesCaller {
  readonly client: Parameters<typeof Nes.start>[0]
  /** The last request that has ended. */
  readonly last: () => Exchange
}

/** `patience`: how long an answer is waited for. */
export const make = ({ hello, wire }: Greeted, patience: Duration.Input): NesCaller => {
  let last: Exchange = { params: {}, answer: { type: "gone" }, durationMs: 0 }
  return {
    client: {
      agentCapabilities: () => hello["agentCapabilities"],
      extNotification: wire.notify,
      extRequest: Effect.fnUntraced(function* (method, params, { onResponse } = {}) {
        const began = yield* Clock.currentTimeMillis
        const answer = yield* wire.ask(method, params, patience)
        last = { params, answer, durationMs: (yield* Clock.currentTimeMillis) - began }
        const exit = exitOf(answer)
        if (onResponse !== undefined) yield* onResponse(exit, "line" in answer ? answer.line.number : undefined)
        return yield* exit
      })
    },
    last: () => last
  }
}

const exitOf = (answer: Answer): Exit.Exit<unknown, RpcError | ConnectionClosed> => {
  if (answer.type === "result") return Exit.succeed(answer.result)
  if (answer.type === "error") return Exit.fail(new RpcError(answer))
  const message = answer.type === "gone" ? "The agent has ended" : "No answer came in time"
  return Exit.fail(new ConnectionClosed({ reason: "InputEnded", message }))
}
