/** What the parts of one running session share: its process, connection, projection and turn. */
import type { PermissionProfile } from "@signalbox/contracts/Provider"
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
import type { EditorFiles } from "../requests/EditorFiles.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import type { SessionProjection } from "../projection/SessionProjection.ts"
import type { SessionPhase } from "./SessionPhase.ts"
import type { ThreadRecord } from "../projection/ThreadRecord.ts"

/** The agent's turn: from before the prompt is sent until `turn.completed` is emitted. */
export interface RunningTurn {
  readonly turnId: TurnId
  /** Whether it is being stopped. */
  cancelling: boolean
  readonly done: Deferred.Deferred<void>
}

/** The mutable state of a running session. */
export interface SessionStatus {
  /** Changed by signals only: see `SessionPhase.send`. */
  phase: SessionPhase
  turn: RunningTurn | undefined
  /** Who answers requests until the session ends. Undefined: as the settings say. */
  profile?: PermissionProfile | undefined
  /** The problem that ended the session, if nobody asked for its end. */
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
  /** Secrets that are removed from errors. */
  readonly secrets: Secrets
  readonly projection: SessionProjection
  readonly emission: Emission
  readonly requests: OpenRequests
  /** Programs that Signalbox runs for the agent. Undefined if the agent may not run any. */
  readonly terminals: Terminals | undefined
  readonly editor: Pick<EditorFiles, "withdrawWrites">
  readonly record: ThreadRecord
  readonly status: SessionStatus
  readonly now: () => number
  /** Whether the thread was given a permission profile of its own, which the settings don't change. */
  readonly hasOwnProfile: boolean
  /** What a process needs to resume this session. */
  readonly memory: { readonly prompts: Array<string>; settings: Readonly<Record<string, SettingValue>> }
  /** Completes when the session's end was emitted. */
  readonly gone: Deferred.Deferred<void>
}

/** The place of a request that arrives now: the running turn, or none. */
export const placeNow = ({ turn }: SessionStatus): Place => (turn === undefined ? {} : { turnId: turn.turnId })
