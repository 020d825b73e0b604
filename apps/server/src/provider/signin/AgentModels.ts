/** Lists the models of agents without a session, on a visit. It runs no command of an agent. */
import type { ProviderId, ProviderOptions } from "@signalbox/contracts/Provider"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { AgentVisits } from "../acp/visits/AgentVisits.ts"
import * as Drivers from "../drivers/Drivers.ts"
import { AgentModels } from "../Services/AgentModels.ts"
import { ProviderCatalog } from "../Services/ProviderCatalog.ts"
import { SignedIn } from "../Services/SignedIn.ts"

/** The key of a list: the agent, with its options and its sign-in. */
interface Asked {
  readonly id: ProviderId
  readonly options: ProviderOptions
  /** The number of sign-ins and sign-outs so far. */
  readonly logins: number
}

const make = Effect.gen(function* () {
  const visits = yield* AgentVisits
  const catalog = yield* ProviderCatalog
  const drivers = yield* Drivers.Drivers

  const logins = yield* Ref.make(HashMap.empty<ProviderId, number>())
  const noteLogin = (id: ProviderId) =>
    Ref.update(
      logins,
      HashMap.modifyAt(id, (times) => Option.some(Option.getOrElse(times, () => 0) + 1))
    )
  yield* Effect.forkScoped(Stream.runForEach((yield* SignedIn).changes, noteLogin), { startImmediately: true })

  const ask = Effect.fnUntraced(function* ({ id }: Asked) {
    const { provider } = yield* catalog.get(id)
    const { listModels } = Drivers.driverOf(drivers, provider.kind)
    if (listModels === undefined) return undefined
    const visit = yield* visits.visit(id)
    return yield* visit.ask("the list of its models", listModels(visit.client))
  }, Effect.scoped)

  const kept = yield* Cache.makeWith(ask, {
    capacity: 64,
    // An empty list or an error is not kept: the build may be updated, and people may sign in.
    timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== undefined ? "10 minutes" : "0 seconds")
  })

  return AgentModels.of({
    list: Effect.fnUntraced(function* (id) {
      const { options } = yield* catalog.get(id)
      const times = HashMap.get(yield* Ref.get(logins), id)
      return yield* Cache.get(kept, { id, options, logins: Option.getOrElse(times, () => 0) })
    })
  })
})

export const layer = Layer.effect(AgentModels, make)
