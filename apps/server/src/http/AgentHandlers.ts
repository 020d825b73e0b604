/** Handlers of the page's calls to agents outside of threads. */
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import type { TerminalSize } from "@signalbox/contracts/SignIn"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Stream from "effect/Stream"
import { Conformance } from "../conformance/Conformance.ts"
import { AgentModels } from "../provider/Services/AgentModels.ts"
import { AgentSessions } from "../provider/Services/AgentSessions.ts"
import { SignIns } from "../provider/Services/SignIns.ts"
import type { ProviderError } from "../base/ProviderError.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  | "listAgentSessions"
  | "changeAgentSession"
  | "listAgentModels"
  | "signInState"
  | "signIn"
  | "signInInput"
  | "signOut"
  | "conformanceReport"
  | "probeAgent"
>

/** The terminal size for calls that name none. */
const defaultSize: TerminalSize = { columns: 80, rows: 24 }

const refused = ({ problem }: ProviderError): Refused => new Refused({ problem })

export const make = Effect.gen(function* () {
  const models = yield* AgentModels
  const sessions = yield* AgentSessions
  const signIns = yield* SignIns
  const conformance = yield* Conformance
  return {
    listAgentSessions: ({ filter, providerId }) => Stream.mapError(sessions.list(providerId, filter), refused),
    changeAgentSession: ({ change, providerId, sessionId }) =>
      Effect.mapError(sessions.change(providerId, sessionId, change), refused),
    listAgentModels: ({ providerId }) =>
      Effect.mapBoth(models.list(providerId), { onSuccess: (listed) => listed ?? null, onFailure: refused }),
    signInState: ({ providerId }) => Effect.mapError(signIns.state(providerId), refused),
    signIn: ({ methodId, providerId, size = defaultSize }) => signIns.signIn(providerId, methodId, size),
    signInInput: ({ input, signInId }) =>
      Effect.mapError(signIns.input(signInId, input), (error) =>
        error._tag === "ProviderError" ? refused(error) : error
      ),
    signOut: ({ providerId }) => Effect.mapError(signIns.signOut(providerId), refused),
    conformanceReport: ({ providerId }) => conformance.report(providerId),
    probeAgent: ({ model, providerId }) =>
      Stream.mapError(conformance.probe(providerId, { model }), ({ problem }) => new Refused({ problem }))
  } satisfies Handlers
})
