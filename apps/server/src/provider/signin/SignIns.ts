/** Signs in to agents by the methods that they offer, and out of them. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInFrame } from "@signalbox/contracts/SignIn"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { homedir } from "node:os"
import { stripped } from "../../base/Plain.ts"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { loginOf } from "../acp/connection/AuthStatus.ts"
import { linksIn } from "../acp/connection/Links.ts"
import { abilitiesOf } from "../acp/connection/SessionAbilities.ts"
import { AgentVisits } from "../acp/visits/AgentVisits.ts"
import { ProviderCatalog } from "../Services/ProviderCatalog.ts"
import { SignedIn } from "../Services/SignedIn.ts"
import { SignIns } from "../Services/SignIns.ts"
import * as LoginState from "./LoginState.ts"
import * as SignInAttempt from "./SignInAttempt.ts"
import * as SignInInputs from "./SignInInputs.ts"

const make = Effect.gen(function* () {
  const visits = yield* AgentVisits
  const ledger = yield* ProcessLedger
  const signedIn = yield* SignedIn
  const catalog = yield* ProviderCatalog
  const inputs = yield* SignInInputs.make

  // Notes what agents report within their sessions.
  yield* Effect.forkScoped(
    Stream.runForEach(signedIn.reports, ({ id, who }) => {
      const login = loginOf(who)
      return login === undefined ? Effect.void : catalog.noteLogin(id, login)
    })
  )

  const refusal = Effect.fn("SignIns.refusal")(function* (id: ProviderId) {
    const { agent, ask, client } = yield* visits.visit(id)
    const opening = ask("session/new", client.newSession({ cwd: homedir(), mcpServers: [] }))
    const opened = yield* Effect.result(opening)
    if (Result.isFailure(opened)) return opened.failure.problem
    const { sessionId } = opened.success
    const abilities = abilitiesOf(agent.agentCapabilities)
    if (abilities.delete) yield* Effect.ignore(ask("session/delete", client.deleteSession({ sessionId })))
    else if (abilities.close) yield* Effect.ignore(ask("session/close", client.closeSession({ sessionId })))
    return undefined
  }, Effect.scoped)

  return SignIns.of({
    state: Effect.fn("SignIns.state")(function* (id) {
      return yield* LoginState.observed(catalog, yield* visits.visit(id))
    }, Effect.scoped),
    refusal,
    signIn: (id, methodId, terminal) =>
      Stream.callback<SignInFrame>(
        (frames) =>
          SignInAttempt.run({ visits, ledger, signedIn, catalog, inputs }, id, methodId, terminal, frames).pipe(
            Effect.scoped,
            Effect.matchEffect({
              onSuccess: (done) => Queue.offer(frames, done),
              onFailure: ({ problem }) =>
                Queue.offerAll(frames, [...linksOf(problem), { type: "failed" as const, problem }])
            }),
            Effect.andThen(Queue.end(frames))
          ),
        { bufferSize: 64 }
      ),
    input: inputs.send,
    signOut: Effect.fn("SignIns.signOut")(function* (id) {
      const visit = yield* visits.alone(id, {})
      yield* visit.ask("logout", visit.client.logout({}))
      yield* LoginState.noteAfter(catalog, visit, LoginState.signedOut)
      yield* visits.renew(id)
      yield* signedIn.note(id, undefined)
    }, Effect.scoped)
  })
})

/** The addresses in an error. Agents that could not open a browser put them there. */
const linksOf = ({ evidence: { rpcData = "", rpcMessage = "" } }: Problem): ReadonlyArray<SignInFrame> =>
  [...new Set(linksIn(stripped(`${rpcMessage} ${rpcData}`)))].map((url) => ({ type: "link", url }))

export const layer = Layer.effect(SignIns, make)
