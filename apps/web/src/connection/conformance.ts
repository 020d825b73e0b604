/** What agents do of the protocol, as it was seen. */
import type { ConformanceFrame, ConformanceReport } from "@signalbox/contracts/Conformance"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { persistently } from "./calls.ts"
import { clientAfter } from "./link.ts"

/** The report that is kept of an agent; null where none was made. */
export const conformanceReport = (providerId: ProviderId, signal: AbortSignal): Promise<ConformanceReport | null> =>
  Effect.runPromise(
    persistently((client) => client.conformanceReport({ providerId })),
    { signal }
  )

/** Looks an agent over; `model`: it may be asked for something that its model has to answer. Rejects with `Refused`; to abort is to leave it. */
export const probeAgent = (
  asked: { readonly providerId: ProviderId; readonly model: boolean },
  onFrame: (frame: ConformanceFrame) => void,
  signal: AbortSignal
): Promise<void> =>
  Effect.runPromise(
    Effect.flatMap(clientAfter(), (client) =>
      Stream.runForEach(client.probeAgent(asked), (frame) => Effect.sync(() => onFrame(frame)))
    ),
    { signal }
  )
