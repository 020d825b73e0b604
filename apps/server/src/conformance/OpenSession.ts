/** A session that an agent has opened, and the process that holds it. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RunningAgent } from "../process/RunningAgent.ts"
import type { Json } from "./Messages.ts"
import type { Opening } from "./Opening.ts"
import type { ProcessEnd } from "./ProcessEnd.ts"
import type * as Wire from "./Wire.ts"

export interface Connected {
  readonly wire: Wire.Wire
  readonly process: RunningAgent
  /** Ends it, once; the end of its scope does so, too. */
  readonly end: Effect.Effect<ProcessEnd>
}

/** A process that has been told hello. */
export interface Greeted extends Connected {
  /** Its answer to `initialize`. */
  readonly hello: Json
  /** What it claims there, as clients read it. */
  readonly claims: Acp.AgentCapabilities
  readonly helloMs: number
  /** A session of this process, made when somebody first wants one. */
  readonly opening: Effect.Effect<Opening>
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
