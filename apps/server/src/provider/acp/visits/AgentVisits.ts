/**
 * Shared visits: one process for each agent, with its settings, and each folder. It is kept some seconds for the next
 * visitor.
 */
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
import { OwnFolders } from "../../../workspace/ProtectedPaths.ts"
import * as AgentVisit from "./AgentVisit.ts"
import { defaultTiming, type Timing } from "../profile/SessionTiming.ts"

export class AgentVisits extends Context.Service<
  AgentVisits,
  {
    /**
     * A visit shared with others, for the life of the scope. `folder`: the agent's absolute folder; by default the
     * person's home.
     */
    readonly visit: (
      id: ProviderId,
      folder?: string
    ) => Effect.Effect<AgentVisit.AgentVisit, ProviderError, Scope.Scope>
    /** A visit that is not shared, and ends with the scope. */
    readonly alone: (
      id: ProviderId,
      listener: AgentVisit.Listener
    ) => Effect.Effect<AgentVisit.AgentVisit, ProviderError, Scope.Scope>
    /** Makes later visits use a new process, after a change that a running process may not notice. */
    readonly renew: (id: ProviderId) => Effect.Effect<void>
  }
>()("@signalbox/server/provider/AgentVisits") {}

export interface Options {
  readonly profileOf: (kind: ProviderKind) => AgentProfile
  /** Whether people can use a terminal. */
  readonly terminalSignIn: boolean
  readonly timing?: Partial<Timing>
  readonly keep?: Duration.Input
}

/**
 * Cancels all requests to people. Agents offer some sign-in methods only to clients with these handlers. Only an
 * unshared visit asks people.
 */
const nobodyAsks: ElicitationHandlers<never> = {
  modes: ["form", "url"],
  create: () => Effect.succeed({ action: "cancel" }),
  onComplete: () => Effect.void
}

interface Place {
  readonly id: ProviderId
  readonly folder: string
}

/** The key of a shared visit. It includes the settings, so that changed settings get a new process. */
interface Visited extends Place {
  readonly options: ProviderOptions
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const catalog = yield* ProviderCatalog
  const ledger = yield* ProcessLedger
  const ownFolders = yield* OwnFolders
  const timing = { ...defaultTiming, ...options.timing }

  const start = Effect.fnUntraced(function* ({ folder, id }: Place, listener?: AgentVisit.Listener) {
    const { options: providerOptions, provider } = yield* catalog.get(id)
    const { terminalSignIn } = options
    const profile = options.profileOf(provider.kind)
    const input = { provider, providerOptions, cwd: folder }
    return yield* AgentVisit.start(input, { profile, ledger, timing, terminalSignIn, ownFolders }, listener)
  })

  const background = yield* Effect.scope
  const visits: RcMap.RcMap<Visited, AgentVisit.AgentVisit, ProviderError> = yield* RcMap.make({
    lookup: Effect.fnUntraced(function* (visited: Visited) {
      const visit = yield* start(visited, { elicitation: nobodyAsks })
      // A visit that ended by itself can't be used again.
      const gone = Effect.uninterruptible(RcMap.invalidate(visits, visited))
      const watch = yield* Effect.forkIn(Effect.andThen(visit.closed, gone), background)
      // The interruption runs in the background: the watch itself may be ending this visit.
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
