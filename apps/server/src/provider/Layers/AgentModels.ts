/** The models that agents list before they have a session, asked for on a visit. No command of an agent is run for it. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { AgentVisits } from "../acp/AgentVisits.ts"
import * as Drivers from "../drivers/Drivers.ts"
import { AgentModels } from "../Services/AgentModels.ts"
import { ProviderCatalog } from "../Services/ProviderCatalog.ts"

const make = Effect.gen(function* () {
  const visits = yield* AgentVisits
  const catalog = yield* ProviderCatalog
  const drivers = yield* Drivers.Drivers

  const ask = Effect.fnUntraced(function* (id: ProviderId) {
    const { provider } = yield* catalog.get(id)
    const { listModels } = Drivers.driverOf(drivers, provider.kind)
    if (listModels === undefined) return undefined
    const visit = yield* visits.visit(id)
    return yield* visit.ask("the list of its models", listModels(visit.client))
  }, Effect.scoped)

  const kept = yield* Cache.makeWith(ask, {
    capacity: 64,
    // A build that lists none is replaced by one that does, and who was refused may sign in.
    timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== undefined ? "10 minutes" : "0 seconds")
  })

  return AgentModels.of({ list: (id) => Cache.get(kept, id) })
})

export const layer = Layer.effect(AgentModels, make)
