/** What a client sends before its `initialize` is answered. It waits here, so that no component gets it before it is initialized. */
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import type { Respond } from "@signalbox/acp/RawConnection"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

/** Passes a message on, and returns how to cancel it. */
type PassOn = () => (() => void) | void

export interface EarlyMessages {
  /** Keeps a request. Returns how to cancel it: one that still waits is answered with -32800. */
  readonly addRequest: (params: string | undefined, respond: Respond, passOn: PassOn) => () => void
  readonly addNotification: (params: string | undefined, passOn: PassOn) => void
  /** Passes on what waits, in its order. From then on nothing has to be kept. */
  readonly release: () => void
  /** Completes when little enough waits to read more. */
  readonly room: Effect.Effect<void>
}

/** Characters that wait, beyond which no more are read. */
const highWaterMark = 1024 * 1024

/** What a message weighs beside its parameters, in characters. */
const envelope = 64

export const make = (): EarlyMessages => {
  const room = Latch.makeUnsafe(true)
  let waiting: Array<() => void> = []
  let weight = 0

  const add = (params: string | undefined, release: () => void) => {
    waiting.push(release)
    weight += envelope + (params?.length ?? 0)
    if (weight >= highWaterMark) room.closeUnsafe()
  }

  return {
    addRequest: (params, respond, passOn) => {
      let isCancelled = false
      let cancel = () => {
        isCancelled = true
        respond(RawMessage.failed({ code: ErrorCode.RequestCancelled, message: "Request cancelled" }))
      }
      add(params, () => {
        if (!isCancelled) cancel = passOn() ?? (() => {})
      })
      return () => cancel()
    },
    addNotification: (params, passOn) => add(params, passOn),
    release: () => {
      const released = waiting
      waiting = []
      weight = 0
      for (const release of released) release()
      // Not before: who waits for room reads on at once, and what it reads stands behind what has waited.
      room.openUnsafe()
    },
    room: room.await
  }
}
