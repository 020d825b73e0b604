/** What the parts of one running session share: its process, its connection, its projection and its turn. */
import type { AcpClient } from "@signalbox/acp/AcpClient"
import type { ProviderSessionId, ResumeToken, TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import type { Secrets } from "@signalbox/redaction/Secrets"
import type { SessionTape } from "../../../tape/Tape.ts"
import type { Terminals } from "../../../workspace/Terminals.ts"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import type { RunningAgent } from "../../agent/RunningAgent.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import type { Emission } from "../projection/Emission.ts"
import type { Place } from "../projection/EventSink.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import type { SessionProjection } from "../projection/SessionProjection.ts"
import type { SessionPhase } from "./SessionPhase.ts"
import type { ThreadRecord } from "../projection/ThreadRecord.ts"

/** The turn that the agent has: from before the prompt is sent until `turn.completed` is emitted. */
export interface RunningTurn {
  readonly turnId: TurnId
  /** Whether it is being stopped. */
  cancelling: boolean
  readonly done: Deferred.Deferred<void>
}

/** What is decided about a session while it runs. */
export interface SessionStatus {
  /** Changed by signals only: see `SessionPhase.send`. */
  phase: SessionPhase
  turn: RunningTurn | undefined
  /** What ended the session, if nobody asked for its end. */
  endedBy?: Problem | undefined
}

export interface SessionCore {
  readonly input: StartSession
  readonly profile: AgentProfile
  readonly providerSessionId: ProviderSessionId
  readonly resumeToken: ResumeToken
  readonly cancelGrace: Duration.Duration
  readonly process: RunningAgent
  readonly client: AcpClient
  readonly tape: SessionTape
  /** What its errors are told without. */
  readonly secrets: Secrets
  readonly projection: SessionProjection
  readonly emission: Emission
  readonly requests: OpenRequests
  /** Programs that it has us run; absent where it may not. */
  readonly terminals: Terminals | undefined
  readonly record: ThreadRecord
  readonly status: SessionStatus
  readonly now: () => number
  /** What a process that takes this session up has to be told. */
  readonly memory: { readonly prompts: Array<string>; settings: Readonly<Record<string, SettingValue>> }
  /** Completes when the end has been told. */
  readonly gone: Deferred.Deferred<void>
}

/** The place of a request that comes now: the running turn, or none. */
export const placeNow = ({ turn }: SessionStatus): Place => (turn === undefined ? {} : { turnId: turn.turnId })
