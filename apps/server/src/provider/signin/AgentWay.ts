/** Signs in through the agent itself, which answers when it is complete. */
import type { SignInMethod } from "@signalbox/contracts/SignInMethod"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { AgentVisit } from "../acp/visits/AgentVisit.ts"
import type { ProviderCatalog } from "../Services/ProviderCatalog.ts"
import * as LoginState from "./LoginState.ts"
import type { SignInFrames } from "./SignInFrames.ts"
import * as SignInProblems from "./SignInProblems.ts"

/** Longest sign-in. People need time to find their browser, their password and their telephone. */
const limit = Duration.minutes(5)
/** Time after which people see what the sign-in waits for. */
const patience = Duration.seconds(10)

/** Completes with the agent's report of who is signed in afterwards. */
export const signIn = Effect.fnUntraced(function* (
  catalog: ProviderCatalog["Service"],
  visit: AgentVisit,
  method: SignInMethod,
  frames: SignInFrames
) {
  const { id, name } = method
  const slow = Queue.offer(frames, {
    type: "waiting",
    message: `${visit.profile.name} has not answered yet whether “${name}” worked. It may be waiting for you in a browser.`,
    afterMs: Duration.toMillis(patience),
    limitMs: Duration.toMillis(limit)
  })
  yield* Effect.forkScoped(Effect.delay(slow, patience))
  yield* visit.ask("authenticate", visit.client.authenticate({ methodId: id }), limit)
  const state = yield* LoginState.noteAfter(catalog, visit, LoginState.acceptedAs(name))
  if (state === "signed-out") {
    return yield* SignInProblems.failed(
      visit,
      method,
      "The agent accepted it, and still says that nobody is signed in."
    )
  }
  return state
}, Effect.scoped)
