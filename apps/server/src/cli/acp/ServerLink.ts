/** The connection to the server, for as long as the editor is there: made again when it ends. */
import type * as Client from "@signalbox/client/Client"
import * as CurrentClient from "@signalbox/client/CurrentClient"
import { type Follow, following } from "@signalbox/client/Following"
import { once } from "@signalbox/client/Once"
import { persistently } from "@signalbox/client/Persistence"
import type { CommandRejected, Receipt, ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId, type ThreadId } from "@signalbox/contracts/Ids"
import type { OutOfScope } from "@signalbox/contracts/ClientScope"
import * as Effect from "effect/Effect"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import * as ServerClient from "../server/ServerClient.ts"
import * as ServerStart from "../server/ServerStart.ts"
import type { CommandFailed } from "../terminal/Failure.ts"

export interface ServerLink {
  /** The address of the page. */
  readonly url: () => string
  readonly follow: Follow
  /** Makes a call, and makes it again on the next connection if this one breaks. */
  readonly call: <A, E>(
    call: (client: Client.Client) => Effect.Effect<A, E | RpcClientError>
  ) => Effect.Effect<A, Exclude<E, RpcClientError>>
  /** Sends a command once, however often the connection breaks. */
  readonly send: (threadId: ThreadId, command: ThreadCommand) => Effect.Effect<Receipt, CommandRejected | OutOfScope>
  /** Makes a call that must not be made twice. Fails if the connection is gone, or ends before the answer. */
  readonly once: ReturnType<typeof once<Client.Client>>
  /** Fails when the server is gone, and can't be reached or started again. */
  readonly lost: Effect.Effect<never, CommandFailed>
}

/** Connects. Fails if the server can't be reached or started. */
export const make = Effect.fn("ServerLink.make")(function* (
  directory: string,
  endsAfter: string
): Effect.fn.Return<ServerLink, CommandFailed, Scope.Scope> {
  const current = CurrentClient.make()
  let url = ""
  const connected = Effect.gen(function* () {
    const server = yield* ServerStart.ensure(directory, endsAfter)
    const opened = yield* ServerClient.connect(server)
    url = server.url
    current.set(opened.client)
    return opened
  })
  const first = yield* connected
  const call = persistently(current.after)
  const goOn = Effect.gen(function* () {
    yield* first.gone
    while (true) {
      current.set(undefined)
      yield* Effect.scoped(Effect.flatMap(connected, ({ gone }) => gone))
    }
  })
  return {
    url: () => url,
    // The editor gets at once what happens. What comes meanwhile is gathered by itself.
    follow: following(current.after, 0),
    call,
    send: (threadId, command) =>
      Effect.suspend(() => {
        const commandId = CommandId.make(randomUUID())
        return call((client) => client.send({ commandId, threadId, command }))
      }),
    once: once(current.now),
    lost: goOn
  }
})
