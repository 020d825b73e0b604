/** Refuses calls that need a wider scope than their client has: the one place that all calls pass. */
import { covers, outOfScope, type ScopedClient } from "@signalbox/contracts/ClientScope"
import { ScopeCheck } from "@signalbox/contracts/Rpc"
import { scopeNeedOf } from "@signalbox/contracts/RpcScopes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The holder of the server's own token. */
const whole: ScopedClient = { scope: "admin" }

export const layer = Layer.succeed(ScopeCheck, (call, { payload, rpc }) => {
  const need = scopeNeedOf(rpc._tag, payload)
  return covers(whole.scope, need.needs) ? call : Effect.fail(outOfScope(need, whole))
})
