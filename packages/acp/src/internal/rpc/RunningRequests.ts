/** Requests of the other side in progress, each in its own fiber. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { type Request, RpcError } from "./JsonRpc.ts"
import type { Outgoing } from "./Outgoing.ts"

/**
 * Most concurrent requests of the other side; further ones are refused. They must not wait, since the reader would not
 * see cancellations, responses or the end behind them.
 */
export const maxRunning = 1_000

export interface RunningRequests {
  /** `idText`: the id as JSON, with the digits of the wire. */
  readonly start: (request: Request, idText: string) => void
  readonly cancel: (idText: string) => void
  /** Completes when all requests are answered, or the time is over. */
  readonly finished: (within: Duration.Input) => Effect.Effect<void>
  /** Interrupts them all. */
  readonly clear: Effect.Effect<void>
}

interface Answering<R> {
  readonly onRequest: (request: Request) => Effect.Effect<unknown, RpcError, R>
  readonly out: Outgoing
  /** Whether responses may still be sent. */
  readonly isOpen: () => boolean
}

export const make = Effect.fnUntraced(function* <R>({
  isOpen,
  onRequest,
  out
}: Answering<R>): Effect.fn.Return<RunningRequests, never, R | Scope.Scope> {
  const requests = yield* FiberSet.make<unknown, RpcError>()
  const run = yield* FiberSet.runtime(requests)<R>()
  const running = new Map<string, Fiber.Fiber<unknown, RpcError>>()
  // The map's size would be wrong, since an id may come twice.
  let runningCount = 0

  return {
    start: (request, idText) => {
      if (runningCount >= maxRunning)
        return out.fail(idText, RpcError.internal(`Refused: ${maxRunning} requests are open already`))
      runningCount += 1
      const fiber = run(Effect.suspend(() => onRequest(request)))
      running.set(idText, fiber)
      fiber.addObserver((exit) => {
        runningCount -= 1
        if (running.get(idText) === fiber) running.delete(idText)
        if (isOpen()) out.answer(idText, request.method, exit)
      })
    },
    cancel: (idText) => running.get(idText)?.interruptUnsafe(),
    finished: (within) => Effect.asVoid(Effect.timeoutOption(FiberSet.awaitEmpty(requests), within)),
    clear: FiberSet.clear(requests)
  }
})
