/** Sends notifications to a server in order, and waits for one that does not read them, but not for long. */
import type { JsonRpcPeer } from "@signalbox/acp/JsonRpcPeer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Message } from "./SentDocuments.ts"

interface Parts {
  readonly peer: Pick<JsonRpcPeer, "notify">
  /** Holds what is under way. */
  readonly scope: Scope.Scope
  /** How long a server may not read. */
  readonly longest: Duration.Duration
  /** It has not read for that long. */
  readonly onStuck: Effect.Effect<void>
}

/** How long whoever sends waits for a server that does not read. Others wait behind, such as a person who types. */
const patience = "1 second"

/** The messages leave together: nothing that is sent meanwhile comes between them. */
export const make = ({ longest, onStuck, peer, scope }: Parts) => {
  let isSlow = false

  /** Waits for what is written to a slow server, and ends one that does not read it. */
  const watched = (written: Fiber.Fiber<void>) =>
    Effect.gen(function* () {
      const end = yield* Effect.timeoutOption(Fiber.await(written), longest)
      isSlow = false
      if (end._tag === "None") yield* onStuck
    })

  return Effect.fnUntraced(function* (messages: ReadonlyArray<Message>) {
    const sending = Effect.forEach(messages, ({ method, params }) => peer.notify(method, params), {
      concurrency: "unbounded",
      discard: true
    })
    const written = yield* Effect.forkIn(Effect.ignore(sending), scope, { startImmediately: true })
    if (isSlow) return
    const end = yield* Effect.timeoutOption(Fiber.await(written), patience)
    if (end._tag === "Some" || isSlow) return
    isSlow = true
    yield* Effect.forkIn(watched(written), scope)
  })
}
