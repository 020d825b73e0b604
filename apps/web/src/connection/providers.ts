/** The agents of the server's machine. */
import type { ProviderStatus } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { following } from "./calls.ts"
import { clientAfter } from "./link.ts"
import { makeStore, type Store } from "../browser/Store.ts"

/** Undefined until the server's first report. */
export const providers: Store<ReadonlyArray<ProviderStatus> | undefined> = makeStore<
  ReadonlyArray<ProviderStatus> | undefined
>(undefined)

export const followProviders = following(
  (client) => client.watchProviders(),
  (batch) => {
    const latest = batch.at(-1)
    if (latest) providers.set(latest)
  }
)

/** Has every agent looked over again. Resolves when that is done. */
export const checkAgain = (): Promise<void> =>
  Effect.runPromise(Effect.flatMap(clientAfter(), (client) => client.checkProviders()))
