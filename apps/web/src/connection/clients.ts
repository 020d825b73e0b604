/** The clients of the server: this page, other pages, and programs. */
import type { ClientId, ClientsReport, Invited, NewInvitation } from "@signalbox/contracts/ClientList"
import type { ClientScope } from "@signalbox/contracts/ClientScope"
import * as Effect from "effect/Effect"
import { following, once } from "./calls.ts"
import { reportDefect } from "./link.ts"

/** Calls `onReport` now and after every change, until the returned function is called. */
export const watchClients = (onReport: (report: ClientsReport) => void): (() => void) => {
  const fiber = Effect.runFork(
    Effect.catchCause(
      following(
        (client) => client.watchClients(),
        (reports) => {
          const latest = reports.at(-1)
          if (latest) onReport(latest)
        }
      ),
      reportDefect
    )
  )
  return () => fiber.interruptUnsafe()
}

export const inviteClient = (wanted: NewInvitation): Promise<Invited> =>
  Effect.runPromise(once((client) => client.inviteClient(wanted)))

export const changeClient = (
  id: ClientId,
  to: { readonly name?: string | null; readonly scope?: ClientScope }
): Promise<void> => Effect.runPromise(once((client) => client.changeClient({ id, ...to })))

export const revokeClient = (id: ClientId): Promise<void> =>
  Effect.runPromise(once((client) => client.revokeClient({ id })))

/** Resolves when all are revoked: the connection of this page then ends within seconds. */
export const revokeAllClients = (): Promise<void> => Effect.runPromise(once((client) => client.revokeAllClients()))
