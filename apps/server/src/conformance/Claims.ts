/** Compares what an agent claims about a method with what it answers. */
import * as Capabilities from "@signalbox/acp/Capabilities"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Examinee } from "./Examinee.ts"
import type { Greeted, OpenSession } from "./OpenSession.ts"
import { liveness } from "./Liveness.ts"
import type { Json } from "./Messages.ts"
import { broken, type Finding, holds, quirk, showing, withoutSession, words } from "./Probe.ts"
import type { Answer } from "./Wire.ts"

export const claimed = ({ claims }: Greeted, method: string): boolean =>
  Capabilities.missingForMethod(claims, method) === undefined

/** Whether the agent doesn't know the method. For a claimed method, the claim is false. */
export const isUnknown = (answer: Answer): boolean => answer.type === "error" && answer.code === -32601

/** The finding for an answer, given the claim. `done` judges a result in detail. */
export const judged = (
  claim: boolean,
  answer: Answer,
  done: (result: Json) => Finding = () => holds("works")
): Finding =>
  showing((answer) => {
    if (answer.type === "result") {
      const finding = done(answer.result)
      if (claim) return { ...finding, claimed: true }
      return quirk(finding.seen, "It does it, and does not say that it can.", false)
    }
    const seen = words(answer)
    if (answer.type === "gone")
      return broken(
        seen,
        claim ? "It says that it can." : "It does not get over a method that it does not have.",
        claim
      )
    if (!claim) return holds(seen, false)
    return isUnknown(answer)
      ? broken(seen, "It says that it can, and does not know the method.", true)
      : broken(seen, "It says that it can, and refuses.", true)
  }, claim)(answer)

/** Calls a method. The wait is shorter if the method isn't claimed: most agents refuse it at once. */
export const asking = Effect.fnUntraced(function* (agent: Greeted, examinee: Examinee, method: string, params: Json) {
  const claim = claimed(agent, method)
  const { answer, refusal } = examinee.limits()
  return { claim, answer: yield* agent.wire.ask(method, params, claim ? answer : refusal) }
})

/** The finding if there is no session to try the method with. It still reports the claim. */
export const unclaimed = Effect.fnUntraced(function* (method: string, examinee: Examinee) {
  const finding = yield* withoutSession(examinee)
  return { ...finding, claimed: claimed(yield* examinee.agent, method) }
})

/** Calls a method with a session that may be used up. */
export const trying = (method: string, params: (session: OpenSession) => Json) =>
  Effect.fnUntraced(function* (examinee: Examinee) {
    const spare = yield* examinee.spare
    if (Option.isNone(spare)) return yield* unclaimed(method, examinee)
    const { agent } = spare.value
    const { answer, claim } = yield* asking(agent, examinee, method, params(spare.value))
    // If the agent answers a later request, it ignores this one, and isn't just slow.
    if (!claim && answer.type === "silence" && (yield* liveness(agent, examinee)) === "lives")
      return quirk("no answer", "What it can't do it should refuse at once.", false)
    return judged(claim, answer)
  })

/** The parameters of the methods that reopen a session. */
export const reopening = (cwd: string, sessionId: string): Json => ({ sessionId, cwd, mcpServers: [] })
