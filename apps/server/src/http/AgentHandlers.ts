/** What pages ask of agents themselves, beside threads. */
import { AgentRefused } from "@signalbox/contracts/AgentSession"
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Stream from "effect/Stream"
import { AgentSessions } from "../provider/Services/AgentSessions.ts"
import type { ProviderError } from "../provider/Services/ProviderError.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "listAgentSessions" | "changeAgentSession"
>

const refused = ({ problem }: ProviderError): AgentRefused => new AgentRefused({ problem })

export const make = Effect.gen(function* () {
  const sessions = yield* AgentSessions
  return {
    listAgentSessions: ({ filter, providerId }) => Stream.mapError(sessions.list(providerId, filter), refused),
    changeAgentSession: ({ change, providerId, sessionId }) =>
      Effect.mapError(sessions.change(providerId, sessionId, change), refused)
  } satisfies Handlers
})
