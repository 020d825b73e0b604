/** The window's own connection to the server, for what it shows outside of the chat. It is made again whenever it ends. */
import type { AttachFailed } from "@signalbox/attach/AttachFailed"
import * as RunningServer from "@signalbox/attach/RunningServer"
import type { Client } from "@signalbox/client/Client"
import * as CurrentClient from "@signalbox/client/CurrentClient"
import { type Follow, following } from "@signalbox/client/Following"
import { once } from "@signalbox/client/Once"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

/** `failed`: the server can't be reached, and the problem says why. It is tried again. */
export type LinkState =
  | { readonly state: "connecting" }
  | { readonly state: "connected"; readonly server: RunningServer.RunningServer }
  | { readonly state: "failed"; readonly problem: Problem }

export interface ServerLink {
  readonly follow: Follow
  /** Without the pause of `follow`, for what somebody waits for. */
  readonly followAtOnce: Follow
  /** Makes a call that must not be made twice. Fails if there is no connection, or it ends before the answer. */
  readonly once: ReturnType<typeof once<Client>>
  /** Completes when there is a connection, or after some seconds without one. */
  readonly connected: Effect.Effect<void>
  /** Tries at once, where it waits for the next attempt. */
  readonly tryNow: () => void
  /** Stays connected. Never ends by itself. */
  readonly run: Effect.Effect<never>
}

export interface Options {
  /** Finds the server. Called before each attempt. */
  readonly find: Effect.Effect<RunningServer.RunningServer, AttachFailed>
  /** The extension's version, for words about a server of another one. */
  readonly version: string
  readonly onState: (state: LinkState) => void
}

/** Between two looks at what changes all the time, e.g. the row of a thread at work. */
const pause = "500 millis"

/** How long somebody who wants a connection waits for it. */
const patience = "10 seconds"

/** Milliseconds to wait before the attempt after so many that failed. */
const backoff = (failed: number): number => Math.min(10_000, 500 * 2 ** failed)

export const make = ({ find, onState, version }: Options): ServerLink => {
  const current = CurrentClient.make()
  const wanted = Effect.runSync(Queue.sliding<void>(1))
  const connection = Effect.gen(function* () {
    const server = yield* find
    const { client, gone } = yield* RunningServer.connect(server, version)
    current.set(client)
    onState({ state: "connected", server })
    yield* gone
  }).pipe(Effect.ensuring(Effect.sync(() => current.set(undefined))), Effect.scoped)

  const run = Effect.gen(function* () {
    let failed = 0
    while (true) {
      onState({ state: "connecting" })
      const problem = yield* Effect.match(connection, {
        onSuccess: () => undefined,
        onFailure: ({ problem }) => problem
      })
      failed = problem === undefined ? 0 : failed + 1
      if (problem !== undefined) onState({ state: "failed", problem })
      yield* Effect.raceFirst(Effect.sleep(backoff(failed)), Queue.take(wanted))
    }
  })
  return {
    follow: following(current.after, pause),
    followAtOnce: following(current.after, 0),
    once: once(current.now),
    connected: Effect.suspend(() => {
      Queue.offerUnsafe(wanted, undefined)
      return Effect.asVoid(Effect.timeoutOption(current.after(), patience))
    }),
    tryNow: () => void Queue.offerUnsafe(wanted, undefined),
    run
  }
}
