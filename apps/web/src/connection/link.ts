/** Keeps the page connected: opens, makes the handshake, detects the end, tries again. */
import * as Client from "@signalbox/client/Client"
import * as CurrentClient from "@signalbox/client/CurrentClient"
import type { ThisClient } from "@signalbox/contracts/ClientList"
import { protocolVersion, type ServerInfo } from "@signalbox/contracts/ServerInfo"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { makeStore, type Store } from "../browser/Store.ts"
import * as Socket from "./Socket.ts"
import type { Transport } from "./Transport.ts"

export type LinkState =
  | { readonly state: "opening" }
  | { readonly state: "open"; readonly server: ServerInfo }
  /** `since`: when the server was last heard. `retryAt` is missing during an attempt. Both are in the server's time. */
  | { readonly state: "down"; readonly since: number; readonly attempt: number; readonly retryAt?: number }
  /** A server runs and doesn't know this browser. `refused`: it didn't accept the link's token either. */
  | { readonly state: "locked"; readonly since: number; readonly refused: boolean }
  /** The page and the server are of different builds. */
  | { readonly state: "outdated"; readonly server: ServerInfo }
  /** A message came that this page can't read. It shows nothing new from then on. */
  | { readonly state: "unreadable"; readonly since: number; readonly cause: string }

/** This page among the clients, as the server last said it. */
export const ownClient: Store<ThisClient | undefined> = makeStore<ThisClient | undefined>(undefined)

export const link: Store<LinkState> = makeStore<LinkState>({ state: "opening" })

/** Milliseconds by which the server's clock is ahead of this browser's. */
let clockOffset = 0

/** The server's time, which all times in threads use. */
export const serverNow = (): number => Date.now() + clockOffset

/** The client. Undefined while the link is down. */
const currentClient = CurrentClient.make()

/** The next client that isn't `spent`. Waits without a limit. */
export const clientAfter = currentClient.after

/** The client of this moment. Undefined while the link is down. */
export const clientNow = currentClient.now

const wanted = Effect.runSync(Queue.sliding<void>(1))

/** Tries again immediately. */
export const tryNow = (): void => {
  Queue.offerUnsafe(wanted, undefined)
}

/** Milliseconds to wait before attempt n. */
const backoff = (attempt: number): number => Math.min(5000, 250 * 2 ** attempt)

/** Connects until the WebSocket is closed. Returns whether the handshake was made. */
const connection = (transport: Transport, onHeard: () => void) =>
  Effect.gen(function* () {
    const { client, gone } = yield* Client.open(yield* Socket.make(transport, onHeard))
    const server = yield* client.hello().pipe(Effect.timeout("10 seconds"))
    clockOffset = server.now - Date.now()
    if (server.protocolVersion !== protocolVersion) {
      link.set({ state: "outdated", server })
      // Another server may come in its place.
      yield* Effect.raceFirst(gone, Queue.take(wanted))
      return true
    }
    ownClient.set(server.client)
    link.set({ state: "open", server })
    currentClient.set(client)
    yield* gone
    return true
  }).pipe(
    Effect.ensuring(Effect.sync(() => currentClient.set(undefined))),
    Effect.scoped,
    Effect.orElseSucceed(() => false)
  )

/** Shows a defect in following the server, since nothing on the page is certain to be current after it. */
export const reportDefect = (cause: Cause.Cause<never>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.sync(() => link.set({ state: "unreadable", since: serverNow(), cause: Cause.pretty(cause) }))

const keepConnected = Effect.fnUntraced(function* (transport: Transport) {
  let heard = serverNow()
  let attempt = 0
  let refused = false
  while (true) {
    const entered = yield* Effect.promise(transport.enter)
    if (entered !== undefined) refused = entered === "refused"
    const before = link.get()
    if (before.state === "down") link.set({ state: "down", since: before.since, attempt: before.attempt })
    const spoke = yield* connection(transport, () => {
      heard = serverNow()
    })
    attempt = spoke ? 1 : attempt + 1
    const since = before.state === "locked" ? before.since : heard
    const locked = !spoke && (yield* Effect.promise(transport.admission)) === "refused"
    const wait = backoff(attempt)
    link.set(
      locked && entered !== "unreachable"
        ? { state: "locked", since, refused }
        : { state: "down", since, attempt, retryAt: serverNow() + wait }
    )
    yield* Effect.raceFirst(Effect.sleep(wait), Queue.take(wanted))
  }
})

/** Connects, and stays connected as long as the page is open. */
export const start = (transport: Transport): void => {
  transport.onNews(tryNow)
  Effect.runFork(Effect.catchCause(keepConnected(transport), reportDefect))
}
