/** Refuses calls that need a wider scope than their client has: the one place that all calls pass. */
import { covers, outOfScope } from "@signalbox/contracts/ClientScope"
import { ScopeCheck } from "@signalbox/contracts/Rpc"
import { scopeNeedOf } from "@signalbox/contracts/RpcScopes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClientRegistry } from "./ClientRegistry.ts"
import * as RpcClients from "./RpcClients.ts"

export const layer = Layer.effect(
  ScopeCheck,
  Effect.gen(function* () {
    const registry = yield* ClientRegistry
    return (call, { headers, payload, rpc }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const client = RpcClients.of(registry, headers, now)
        // It was revoked a moment ago: its connection ends before it gets an answer.
        if (client === undefined) return Effect.andThen(Effect.sync(registry.connections.look), Effect.interrupt)
        const need = scopeNeedOf(rpc._tag, payload)
        return covers(client.scope, need.needs) ? call : Effect.fail(outOfScope(need, client))
      })
  })
)
