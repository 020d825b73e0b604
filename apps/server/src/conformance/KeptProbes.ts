/**
 * What an agent does with a session that it has kept. If prompts may be sent, this session has had a prompt, and its
 * process has ended. Otherwise the session is empty. Many agents do not keep an empty session, so a refusal shows
 * nothing.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asking, claimed, isUnknown, judged, reopening, unclaimed } from "./Claims.ts"
import type { Examinee } from "./Examinee.ts"
import type { Greeted, OpenSession } from "./OpenSession.ts"
import { listed } from "./Listing.ts"
import type { Json } from "./Messages.ts"
import { broken, type Finding, holds, type Probe, quirk, saying, untried, words } from "./Probe.ts"
import type { Answer } from "./Wire.ts"

/** A session to probe. If it has had a prompt, `agent` is another process than the one that opened it. */
interface Kept {
  readonly agent: Greeted
  readonly session: OpenSession
  readonly hadPrompt: boolean
}

const keptOf = Effect.fnUntraced(function* (examinee: Examinee) {
  const turn = examinee.model ? yield* examinee.turn : Option.none()
  if (Option.isSome(turn) && turn.value.answer.type === "result") {
    return Option.some<Kept>({ agent: yield* examinee.another(), session: turn.value.session, hadPrompt: true })
  }
  return Option.map(yield* examinee.spare, (session): Kept => ({ agent: session.agent, session, hadPrompt: false }))
})

/** Probes a method with a kept session. `look` judges a result. */
const kept = (
  method: string,
  look: (result: Json, kept: Kept) => Finding = () => holds("works"),
  then: (finding: Finding, kept: Kept) => Effect.Effect<Finding> = Effect.succeed
) =>
  Effect.fnUntraced(function* (examinee: Examinee) {
    const found = yield* keptOf(examinee)
    if (Option.isNone(found)) return yield* unclaimed(method, examinee)
    const one = found.value
    const params = method === "session/delete" ? { sessionId: one.session.sessionId } : opening(examinee, one)
    const { answer, claim } = yield* asking(one.agent, examinee, method, params)
    return yield* then(judgedFor(one, claim, answer, look), one)
  })

const opening = ({ folder }: Examinee, { session }: Kept) => reopening(folder, session.sessionId)

const judgedFor = (one: Kept, claim: boolean, answer: Answer, look: (result: Json, kept: Kept) => Finding): Finding => {
  if (claim && !one.hadPrompt && answer.type === "error" && !isUnknown(answer)) {
    const empty = "This session has had no prompt. With a model, it is tried with one that has had a prompt."
    return saying(answer, { ...untried(words(answer), true), quirk: empty })
  }
  return judged(claim, answer, (result) => look(result, one))
}

/** A reopened session should report its settings, as a new session does. */
const withSettings = (result: Json, { session: { result: fresh } }: Kept): Finding => {
  const lost = ["configOptions", "modes"].filter((key) => fresh[key] !== undefined && (result[key] ?? null) === null)
  return lost.length === 0
    ? holds("works")
    : quirk("works", `The answer does not hold the ${lost.join(" and ")} that a new session has.`)
}

const forked = (result: Json, { session }: Kept): Finding => {
  const id = result["sessionId"]
  return typeof id === "string" && id !== session.sessionId
    ? holds("works")
    : broken("no new id", "The answer holds no id of another session.")
}

/** A deleted session must not be listed any more. */
const deleted = Effect.fnUntraced(function* (finding: Finding, { agent, session }: Kept) {
  if (finding.verdict !== "holds" || finding.claimed !== true || !claimed(agent, "session/list")) return finding
  const { sessions } = yield* listed(agent, {})
  return sessions.some((one) => one["sessionId"] === session.sessionId)
    ? quirk(finding.seen, "A session that was deleted is still in the list.", true)
    : finding
})

const probe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `sessions/${name}`,
  area: "sessions",
  capability,
  look
})

export const keptProbes: Readonly<Record<"loads" | "resumes" | "forks" | "deletes", Probe>> = {
  loads: probe("load", "Loads a session", kept("session/load", withSettings)),
  resumes: probe("resume", "Resumes a session", kept("session/resume", withSettings)),
  forks: probe("fork", "Forks a session", kept("session/fork", forked)),
  // Runs last, since the other probes reopen that session.
  deletes: { ...probe("delete", "Deletes a session", kept("session/delete", undefined, deleted)), lane: "last" }
}
