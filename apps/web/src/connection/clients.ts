/** The clients of the server: this page, other pages, and programs. */
import * as Effect from "effect/Effect"
import { clientAfter } from "./link.ts"

/** Resolves when all are revoked: the connection of this page then ends within seconds. Never tried again by itself. */
export const revokeAllClients = (): Promise<void> =>
  Effect.runPromise(Effect.flatMap(clientAfter(), (client) => client.revokeAllClients()))
