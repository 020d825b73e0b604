/** Wraps `ProviderService` and counts what agents send. It counts once for each chunk of events. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import * as Meter from "./Meter.ts"
import * as Metrics from "./Metrics.ts"

const make = Effect.gen(function* () {
  const agents = yield* ProviderService
  const meter = yield* Meter.make
  return ProviderService.of({
    ...agents,
    streamEvents: Stream.mapArray(agents.streamEvents, (chunk) => {
      meter.note(Metrics.agentEvents, chunk.length)
      return chunk
    })
  })
})

/** Wraps the `ProviderService` that it is provided with. */
export const layer: Layer.Layer<ProviderService, never, ProviderService> = Layer.effect(ProviderService, make)
