/** Earlier research of packages. */
import type { ProviderId } from "@signalbox/contracts/Ids"
import type { KeptResearchList } from "@signalbox/contracts/KeptResearch"
import * as Effect from "effect/Effect"
import { persistently } from "./calls.ts"

/** What researchers of an agent have found for sessions in a folder. */
export const listResearch = (providerId: ProviderId, cwd: string, signal: AbortSignal): Promise<KeptResearchList> =>
  Effect.runPromise(
    persistently((client) => client.listResearch({ providerId, cwd })),
    { signal }
  )
