/** One question to an agent, and what is made of what it does. */
import type { ProbeArea, ProbeResult, Verdict } from "@signalbox/contracts/Conformance"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { ProviderError } from "../base/ProviderError.ts"
import * as ErrorWords from "../provider/acp/connection/ErrorWords.ts"
import * as Redaction from "../tape/Redaction.ts"
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
  /** Asks the agent's model for something. */
  readonly model?: true
  /** What it was given to do may take so long, where that is not as long as others may. */
  readonly limit?: Duration.Input
  /**
   * `shared` (unless given): it follows others that share a process. `own`: it starts processes of its own, side by side with others.
   * `last`: it uses up, or looks at, what others have left.
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

/** Whether it does it at all, nobody knows. */
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

/** With a session that may be used up. */
export const withSpare =
  (look: Look<OpenSession>): Probe["look"] =>
  (examinee) =>
    Effect.flatMap(examinee.spare, (session) =>
      Option.isSome(session) ? look(session.value, examinee) : withoutSession(examinee)
    )

/** Why nothing can be tried that needs a session. */
export const withoutSession = ({ agent }: Examinee) =>
  Effect.map(
    Effect.flatMap(agent, ({ opening }) => opening),
    noSession
  )

/** Why there is no session to try something with. */
export const noSession = ({ answer }: Opening): Finding => {
  if (wantsLogin(answer)) return untried("it wants a login")
  if (answer.type === "silence") return untried("a session took too long")
  return untried("it opens no session")
}

const authRequired = -32000

/** Whether all that was answered is that somebody has to sign in. */
export const wantsLogin = (answer: Answer): boolean => answer.type === "error" && answer.code === authRequired

/** An answer that tells something of what was asked. */
export type Telling = Exclude<Answer, { readonly type: "silence" }>

/** What an answer shows. Without a login, or without an answer in time, it shows nothing. The words for a login stand where it is asked for. */
export const showing =
  (look: (answer: Telling) => Finding, claimed?: boolean) =>
  (answer: Answer): Finding => {
    if (answer.type === "silence") return tookTooLong(answer.waitedMs, claimed)
    return wantsLogin(answer) ? untried("it wants a login", claimed) : saying(answer, look(answer))
  }

/** Finds about a session that is asked for in an odd way. A refusal that a usual session gets as well is no answer to that. */
export const refusing =
  (usual: Opening, look: (answer: Telling) => Finding) =>
  (answer: Answer): Finding =>
    answer.type === "error" && usual.answer.type === "error" && answer.code === usual.answer.code
      ? noSession(usual)
      : showing(look)(answer)

/** With the words of an error that it answered. */
export const saying = (answer: Answer, finding: Finding): Finding => {
  if (answer.type !== "error") return finding
  const said = Redaction.text(ErrorWords.wordsOf(answer)).trim()
  return said === "" ? finding : { ...finding, said }
}

/** An answer in a few words. */
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
