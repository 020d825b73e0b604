/** A session that an agent has opened, and the process that holds it. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RunningAgent } from "../provider/agent/RunningAgent.ts"
import type { Json } from "./Messages.ts"
import type { Opening } from "./Opening.ts"
import type { ProcessEnd } from "./ProcessEnd.ts"
import type { SuggestionClaim } from "./SuggestionOffer.ts"
import type * as Wire from "./Wire.ts"

export interface Connected {
  readonly wire: Wire.Wire
  readonly process: RunningAgent
  /** Ends the process, once. Closing its scope ends it too. */
  readonly end: Effect.Effect<ProcessEnd>
}

/** A process that has answered `initialize`. */
export interface Greeted extends Connected {
  /** The agent's answer to `initialize`. */
  readonly hello: Json
  /** The capabilities in that answer, as clients read them. */
  readonly claims: Acp.AgentCapabilities
  readonly helloMs: number
  /** A session of this process, opened at its first use. */
  readonly opening: Effect.Effect<Opening>
  /** What it says about suggestions of the next edit. */
  readonly nes: SuggestionClaim
  /** A session for suggestions, opened at its first use. It stays open. */
  readonly suggesting: Effect.Effect<Opening>
}

export interface OpenSession {
  readonly agent: Greeted
  readonly sessionId: string
  readonly result: Json
}

export const sessionOf = (agent: Greeted, answer: Wire.Answer): Option.Option<OpenSession> => {
  const sessionId = answer.type === "result" ? answer.result["sessionId"] : undefined
  return answer.type === "result" && typeof sessionId === "string"
    ? Option.some({ agent, sessionId, result: answer.result })
    : Option.none()
}
