/** Components between people and an agent, as the settings name them. */
import type { ProviderId } from "@signalbox/contracts/Ids"
import type { ComponentInfo } from "@signalbox/contracts/SessionChain"
import * as Effect from "effect/Effect"
import { persistently } from "./calls.ts"

export const listComponents = (providerId: ProviderId, signal?: AbortSignal): Promise<ReadonlyArray<ComponentInfo>> =>
  Effect.runPromise(
    persistently((client) => client.listComponents({ providerId })),
    { signal }
  )
