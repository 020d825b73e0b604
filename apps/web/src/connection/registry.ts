/** The registry of ACP agents, as the server has it. */
import type { InstallFrame, InstallRequest, RegistryListing } from "@signalbox/contracts/Registry"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { persistently } from "./calls.ts"
import { clientAfter } from "./link.ts"

/** Rejects with `Refused`. */
export const listRegistry = (signal?: AbortSignal): Promise<RegistryListing> =>
  Effect.runPromise(
    persistently((client) => client.listRegistry()),
    { ...(signal && { signal }) }
  )

/** Loads it anew from the network. Rejects with `Refused`; what was there before stays then. */
export const refreshRegistry = (): Promise<RegistryListing> =>
  Effect.runPromise(persistently((client) => client.refreshRegistry()))

/** Does what was shown, and nothing else. Rejects with `Refused`; to abort is to leave it. */
export const installAgent = (
  request: InstallRequest,
  onFrame: (frame: InstallFrame) => void,
  signal: AbortSignal
): Promise<void> =>
  Effect.runPromise(
    Effect.flatMap(clientAfter(), (client) =>
      Stream.runForEach(client.installAgent(request), (frame) => Effect.sync(() => onFrame(frame)))
    ),
    { signal }
  )
