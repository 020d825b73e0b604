/** One attempt to sign in to an agent, on a visit of its own. */
import { SignInId } from "@signalbox/contracts/Ids"
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInFrame, TerminalSize } from "@signalbox/contracts/SignIn"
import type { SignInMethod } from "@signalbox/contracts/SignInMethod"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { ProviderError } from "../../base/ProviderError.ts"
import { textFrames } from "../acp/connection/SignInText.ts"
import * as ElicitationRequests from "../acp/requests/ElicitationRequests.ts"
import * as SessionAudit from "../../audit/SessionAudit.ts"
import * as OpenRequests from "../acp/requests/OpenRequests.ts"
import type { AgentVisit } from "../acp/visits/AgentVisit.ts"
import type { SignedIn } from "../Services/SignedIn.ts"
import * as AgentWay from "./AgentWay.ts"
import * as SignInFrames from "./SignInFrames.ts"
import * as SignInProblems from "./SignInProblems.ts"
import * as TerminalWay from "./TerminalWay.ts"

export interface Dependencies extends TerminalWay.Dependencies {
  readonly signedIn: SignedIn["Service"]
}

/** Runs the attempt. Completes with its last frame; the others go to `frames` as they come. */
export const run = Effect.fnUntraced(function* (
  dependencies: Dependencies,
  id: ProviderId,
  methodId: string,
  terminal: TerminalSize | "inherit",
  frames: SignInFrames.SignInFrames
): Effect.fn.Return<SignInFrame, ProviderError, Scope.Scope> {
  const { catalog, inputs, signedIn, visits } = dependencies
  const signInId = SignInId.make(crypto.randomUUID())
  const emit = yield* SignInFrames.emitter(frames)
  const requests = yield* requestsTo(emit)
  yield* inputs.listen(signInId, (input) =>
    input.type === "answer" ? requests.respond(input.requestId, input.response) : Effect.void
  )
  const { provider } = yield* catalog.get(id)
  const visit = yield* visits.alone(id, {
    onText: textFrames(emit),
    elicitation: ElicitationRequests.make({
      name: provider.name,
      requests,
      ask: (draft) => requests.ask(draft, {}),
      during: () => "authenticate",
      warn: (line) => emit({ type: "text", line })
    })
  })
  const method = visit.profile.signIn?.methods.find((one) => one.id === methodId)
  if (method === undefined) return yield* SignInProblems.notOffered(visit, methodId)
  yield* Queue.offer(frames, { type: "started", signInId, method })
  const known = yield* byMethod(dependencies, visit, method, terminal, frames, signInId)
  yield* visits.renew(id)
  yield* signedIn.note(id, method.type === "terminal" ? undefined : methodId)
  return { type: "done", ...(!known && { accepted: true }) }
})

/** Signs in by the method. Completes with whether it is certain that somebody is signed in. */
const byMethod = Effect.fnUntraced(function* (
  dependencies: Dependencies,
  visit: AgentVisit,
  method: SignInMethod,
  terminal: TerminalSize | "inherit",
  frames: SignInFrames.SignInFrames,
  signInId: SignInId
) {
  if (method.type === "env_var") return yield* SignInProblems.variablesMissing(visit, method)
  if (method.type === "unknown" && method.command !== undefined) return yield* SignInProblems.onlyByHand(visit, method)
  if (method.type !== "terminal")
    return (yield* AgentWay.signIn(dependencies.catalog, visit, method, frames)) !== "unknown"
  yield* TerminalWay.signIn(dependencies, visit, method, terminal, frames, signInId)
  return true
})

/** Handles the agent's requests to people during the sign-in. */
const requestsTo = (emit: (frame: SignInFrame) => void): Effect.Effect<OpenRequests.OpenRequests> =>
  Effect.map(Clock.Clock, (clock) =>
    OpenRequests.make({
      now: () => clock.currentTimeMillisUnsafe(),
      emit: (...drafts) => {
        for (const draft of drafts) {
          if (draft.type === "runtime.warning") emit({ type: "text", line: draft.message })
          if (draft.type === "elicitation.requested") emit({ type: "requested", request: draft.request })
          if (draft.type === "elicitation.resolved")
            emit({ type: "resolved", requestId: draft.requestId, outcome: draft.outcome })
        }
      },
      isCancelling: () => false,
      isOver: () => false,
      look: () => Effect.die("A visit asks for no permission"),
      use: () => Effect.succeed(true),
      decide: () => undefined,
      likes: { offer: () => undefined, add: () => undefined },
      onDecided: () => {},
      // A sign-in belongs to no thread, and allows an agent nothing.
      audit: SessionAudit.none
    })
  )
