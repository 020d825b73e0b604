/** The open connections of clients: one that is revoked, or gets another scope, loses its own within seconds. */
import type { ClientId } from "@signalbox/contracts/ClientList"
import type { ClientScope } from "@signalbox/contracts/ClientScope"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import type { Client, Clients } from "./Clients.ts"

export interface Connections {
  readonly add: (socket: Socket, client: Client) => void
  /** Ends the connections of clients that were revoked, have expired, or have another scope now. */
  readonly look: () => void
  /** The clients that are connected. */
  readonly connected: () => ReadonlyArray<ClientId>
}

/** How long a client that was revoked elsewhere may still be connected. */
const lookEvery = "2 seconds"

export const make = Effect.fnUntraced(function* (clients: Clients): Effect.fn.Return<Connections, never, Scope.Scope> {
  const open = new Map<Socket, { readonly id: ClientId; readonly scope: ClientScope }>()
  const look = () => {
    const now = Date.now()
    for (const [socket, { id, scope }] of open) if (clients.present(id, now)?.scope !== scope) socket.destroy()
  }
  yield* Effect.sleep(lookEvery).pipe(Effect.andThen(Effect.sync(look)), Effect.forever, Effect.forkScoped)
  return {
    add: (socket, { id, scope }) => {
      open.set(socket, { id, scope })
      socket.once("close", () => open.delete(socket))
    },
    look,
    connected: () => [...new Set([...open.values()].map(({ id }) => id))]
  }
})
