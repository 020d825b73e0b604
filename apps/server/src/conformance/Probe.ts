/** A probe: one question to an agent, and the finding from its behaviour. */
import type { ProbeArea, ProbeResult, Verdict } from "@signalbox/contracts/Conformance"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { ProviderError } from "../base/ProviderError.ts"
import * as ErrorWords from "../provider/acp/connection/ErrorWords.ts"
import * as Redaction from "@signalbox/redaction/Redaction"
import type { Examinee } from "./Examinee.ts"
import type { Greeted, OpenSession } from "./OpenSession.ts"
import { seconds } from "./Limits.ts"
import type { Opening } from "./Opening.ts"
import type { Answer } from "./Wire.ts"

export type Finding = Pick<ProbeResult, "seen" | "verdict" | "claimed" | "quirk" | "said" | "durationMs">

export interface Probe {
  readonly probe: string
  readonly area: ProbeArea
  readonly capability: string
  /** The probe sends prompts, or questions for suggestions, which the agent's model answers. */
  readonly model?: true
  /** Whether the agent has what is probed. If not, the report leaves the probe out. */
  readonly concerns?: (agent: Greeted) => boolean
  /** The time limit of this probe; the usual one unless given. */
  readonly limit?: Duration.Input
  /**
   * When it runs. `shared`, the default: one after the other, in the shared process. `own`: side by side, in processes
   * of its own. `last`: after all others, since it uses up or examines what they have left.
   */
  readonly lane?: "shared" | "own" | "last"
  readonly look: (examinee: Examinee) => Effect.Effect<Finding, ProviderError, Scope.Scope>
}

/** Makes a probe that sends prompts, which its model answers. `name` is the part of its name behind `prompts/`. */
export const promptProbe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `prompts/${name}`,
  area: "prompts",
  capability,
  model: true,
  limit: "5 minutes",
  look
})

export const holds = (seen: string, claimed?: boolean): Finding => found("holds", seen, { claimed })
export const quirk = (seen: string, quirk: string, claimed?: boolean): Finding =>
  found("quirk", seen, { quirk, claimed })
export const broken = (seen: string, quirk: string, claimed?: boolean): Finding =>
  found("broken", seen, { quirk, claimed })
export const untried = (seen: string, claimed?: boolean): Finding => found("untried", seen, { claimed })

/** The finding for a probe without an answer in time: the capability remains unknown. */
export const tookTooLong = (waited: Duration.Input, claimed?: boolean): Finding =>
  found("untried", "took too long", { quirk: `Nothing came for ${seconds(waited)}.`, claimed })

const found = (
  verdict: Verdict,
  seen: string,
  { claimed, quirk }: { readonly claimed: boolean | undefined; readonly quirk?: string }
): Finding => ({
  seen,
  verdict,
  ...(claimed !== undefined && { claimed }),
  ...(quirk !== undefined && { quirk })
})

type Look<A> = (subject: A, examinee: Examinee) => Effect.Effect<Finding, ProviderError, Scope.Scope>

export const withAgent =
  (look: Look<Greeted>): Probe["look"] =>
  (examinee) =>
    Effect.flatMap(examinee.agent, (agent) => look(agent, examinee))

export const withSession =
  (look: Look<OpenSession>): Probe["look"] =>
  (examinee) =>
    Effect.flatMap(examinee.session, (session) =>
      Option.isSome(session) ? look(session.value, examinee) : withoutSession(examinee)
    )

/** Runs a probe with a session that may be used up. */
export const withSpare =
  (look: Look<OpenSession>): Probe["look"] =>
  (examinee) =>
    Effect.flatMap(examinee.spare, (session) =>
      Option.isSome(session) ? look(session.value, examinee) : withoutSession(examinee)
    )

/** The finding of a probe that needs a session when the agent opens none. */
export const withoutSession = ({ agent }: Examinee) =>
  Effect.map(
    Effect.flatMap(agent, ({ opening }) => opening),
    noSession
  )

/** The finding from the answer that opened no session. */
export const noSession = ({ answer }: Opening): Finding => {
  if (wantsLogin(answer)) return untried("it needs a sign-in")
  if (answer.type === "silence") return untried("a session took too long")
  return untried("it opens no session")
}

const authRequired = -32000

/** Whether the answer only says that somebody has to sign in. */
export const wantsLogin = (answer: Answer): boolean => answer.type === "error" && answer.code === authRequired

/** An answer that shows something about the agent. */
export type Telling = Exclude<Answer, { readonly type: "silence" }>

/**
 * The finding from an answer. If the agent needs a sign-in, or doesn't answer in time, nothing is shown. The sign-in
 * probe quotes the agent's words about it.
 */
export const showing =
  (look: (answer: Telling) => Finding, claimed?: boolean) =>
  (answer: Answer): Finding => {
    if (answer.type === "silence") return tookTooLong(answer.waitedMs, claimed)
    return wantsLogin(answer) ? untried("it needs a sign-in", claimed) : saying(answer, look(answer))
  }

/** The finding from an odd request for a session. A refusal that a usual request gets too shows nothing. */
export const refusing =
  (usual: Opening, look: (answer: Telling) => Finding) =>
  (answer: Answer): Finding =>
    answer.type === "error" && usual.answer.type === "error" && answer.code === usual.answer.code
      ? noSession(usual)
      : showing(look)(answer)

/** Adds the words of the agent's error to a finding. */
export const saying = (answer: Answer, finding: Finding): Finding => {
  if (answer.type !== "error") return finding
  const said = Redaction.text(ErrorWords.wordsOf(answer)).trim()
  return said === "" ? finding : { ...finding, said }
}

/** The answer in a few words, such as `refused, -32601`. */
export const words = (answer: Answer): string => {
  switch (answer.type) {
    case "result":
      return "answered"
    case "error":
      return `refused, ${answer.code}`
    case "silence":
      return "no answer"
    case "gone":
      return "the agent ended"
  }
}
