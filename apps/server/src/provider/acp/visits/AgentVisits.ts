/** Agents that are visited: one process for each agent as it is set up and each folder. It is kept for some seconds for who comes next. */
import type { ElicitationHandlers } from "@signalbox/acp/ClientHandlers"
import type { ProviderId, ProviderKind, ProviderOptions } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import { homedir } from "node:os"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { ProviderCatalog } from "../../Services/ProviderCatalog.ts"
import type { ProviderError } from "../../../base/ProviderError.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import * as AgentVisit from "./AgentVisit.ts"
import { defaultTiming, type Timing } from "../profile/SessionTiming.ts"

export class AgentVisits extends Context.Service<
  AgentVisits,
  {
    /** Shared with others for as long as the scope lives. `folder`: where the agent starts, absolute; the person's home by default. */
    readonly visit: (
      id: ProviderId,
      folder?: string
    ) => Effect.Effect<AgentVisit.AgentVisit, ProviderError, Scope.Scope>
    /** One of one's own, which ends with the scope. */
    readonly alone: (
      id: ProviderId,
      listener: AgentVisit.Listener
    ) => Effect.Effect<AgentVisit.AgentVisit, ProviderError, Scope.Scope>
    /** Whoever comes next meets a new process: something has changed that a running one may not see. */
    readonly renew: (id: ProviderId) => Effect.Effect<void>
  }
>()("@signalbox/server/provider/AgentVisits") {}

export interface Options {
  readonly profileOf: (kind: ProviderKind) => AgentProfile
  /** Whether people can be shown a terminal. */
  readonly terminalSignIn: boolean
  readonly timing?: Partial<Timing>
  readonly keep?: Duration.Input
}

/** Agents offer some ways to sign in only to those whom they could ask meanwhile. Here nobody is asked: that is for a visit of one's own. */
const nobodyAsks: ElicitationHandlers<never> = {
  modes: ["form", "url"],
  create: () => Effect.succeed({ action: "cancel" }),
  onComplete: () => Effect.void
}

interface Place {
  readonly id: ProviderId
  readonly folder: string
}

/** A visit that is shared. Who has changed its settings since is not shown what it was before. */
interface Visited extends Place {
  readonly options: ProviderOptions
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const catalog = yield* ProviderCatalog
  const ledger = yield* ProcessLedger
  const timing = { ...defaultTiming, ...options.timing }

  const start = Effect.fnUntraced(function* ({ folder, id }: Place, listener?: AgentVisit.Listener) {
    const { options: providerOptions, provider } = yield* catalog.get(id)
    const { terminalSignIn } = options
    const profile = options.profileOf(provider.kind)
    const input = { provider, providerOptions, cwd: folder }
    return yield* AgentVisit.start(input, { profile, ledger, timing, terminalSignIn }, listener)
  })

  const background = yield* Effect.scope
  const visits: RcMap.RcMap<Visited, AgentVisit.AgentVisit, ProviderError> = yield* RcMap.make({
    lookup: Effect.fnUntraced(function* (visited: Visited) {
      const visit = yield* start(visited, { elicitation: nobodyAsks })
      // One that has ended by itself is of no use to who comes next.
      const gone = Effect.uninterruptible(RcMap.invalidate(visits, visited))
      const watch = yield* Effect.forkIn(Effect.andThen(visit.closed, gone), background)
      // Not waited for: it may be the watch that ends the visit.
      yield* Effect.addFinalizer(() => Effect.forkIn(Fiber.interrupt(watch), background))
      return visit
    }),
    idleTimeToLive: options.keep ?? "20 seconds"
  })

  return AgentVisits.of({
    visit: Effect.fnUntraced(function* (id, folder = homedir()) {
      const { options } = yield* catalog.get(id)
      const visited: Visited = { id, folder, options }
      return yield* RcMap.get(visits, visited).pipe(Effect.tapError(() => RcMap.invalidate(visits, visited)))
    }),
    alone: (id, listener) => start({ id, folder: homedir() }, listener),
    renew: Effect.fnUntraced(function* (id) {
      const those = Array.from(yield* RcMap.keys(visits)).filter((visited) => visited.id === id)
      yield* Effect.forEach(those, (visited) => RcMap.invalidate(visits, visited), { discard: true })
    })
  })
})
