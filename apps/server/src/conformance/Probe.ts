/** One question to an agent, and what is made of what it does. */
import type { ProbeArea, ProbeResult, Verdict } from "@signalbox/contracts/Conformance"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { ProviderError } from "../provider/Services/ProviderError.ts"
import type { Examinee, Greeted, OpenSession } from "./Examinee.ts"
import type { Answer } from "./Wire.ts"

export type Finding = Pick<ProbeResult, "seen" | "verdict" | "claimed" | "quirk" | "durationMs">

export interface Probe {
  readonly probe: string
  readonly area: ProbeArea
  readonly capability: string
  /** Asks the agent's model for something. */
  readonly model?: true
  /** What it was given to do may take so long; 20 seconds unless given. */
  readonly limit?: Duration.Input
  readonly look: (examinee: Examinee) => Effect.Effect<Finding, ProviderError, Scope.Scope>
}

export const holds = (seen: string, claimed?: boolean): Finding => found("holds", seen, { claimed })
export const quirk = (seen: string, quirk: string, claimed?: boolean): Finding =>
  found("quirk", seen, { quirk, claimed })
export const broken = (seen: string, quirk: string, claimed?: boolean): Finding =>
  found("broken", seen, { quirk, claimed })
export const untried = (seen: string, claimed?: boolean): Finding => found("untried", seen, { claimed })

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

type Look<A> = (subject: A) => Effect.Effect<Finding, ProviderError, Scope.Scope>

export const withAgent =
  (look: Look<Greeted>): Probe["look"] =>
  ({ agent }) =>
    Effect.flatMap(agent, look)

const inSession = (look: Look<OpenSession>) => (session: Option.Option<OpenSession>) =>
  Option.isSome(session) ? look(session.value) : Effect.succeed(untried("it opens no session"))

export const withSession =
  (look: Look<OpenSession>): Probe["look"] =>
  ({ session }) =>
    Effect.flatMap(session, inSession(look))

/** With a session that may be used up. */
export const withSpare =
  (look: Look<OpenSession>): Probe["look"] =>
  ({ spare }) =>
    Effect.flatMap(spare, inSession(look))

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
