/** The browsers that were let in, this one among them. */
import * as Effect from "effect/Effect"
import { clientAfter } from "./link.ts"

/** Resolves when all are shut out: the connection of this page then ends within seconds. Never tried again by itself. */
export const shutOutBrowsers = (): Promise<void> =>
  Effect.runPromise(Effect.flatMap(clientAfter(), (client) => client.shutOutBrowsers()))
