/**
 * The operations of an adapter for one kind of agent. Adapters hold processes and speak the agent's protocol. They know
 * no SQL, no thread logs and no pages. All that an agent does leaves through `streamEvents`, in order.
 */
import type { AnsweringClient, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { AgentSessionChange, AgentSessionChanged, SessionSource } from "@signalbox/contracts/AgentSession"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { AgentHealth } from "@signalbox/contracts/Health"
import type { ProviderSessionId, RequestId, ResumeToken, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type {
  PermissionProfile,
  ProviderCapabilities,
  ProviderKind,
  AgentOptions,
  ProviderRef
} from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent, SessionOrigin } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ProviderError } from "../../base/ProviderError.ts"

/** What is known about a slow start. */
export interface SlowStart {
  readonly afterMs: number
  /** `launch` until the agent's program runs, then the method that it has not answered. */
  readonly waitingFor: string
  /** The last lines that the agent wrote to stderr, oldest first. */
  readonly stderrTail: ReadonlyArray<string>
}

export interface StartSession {
  readonly threadId: ThreadId
  readonly provider: ProviderRef
  readonly providerOptions: AgentOptions
  /** Absolute. The process starts in this folder, and the agent gets it as the session's folder. */
  readonly cwd: string
  /** The session to continue: resumed, else loaded, and replaced by a new one only if both fail. */
  readonly resume?: ResumeToken
  /**
   * The source of the first session, if it is not new: opened with its history if the agent can send it, or copied. Fails if that can't be
   * done. Ignored with `resume`.
   */
  readonly from?: SessionSource
  /** More folders that the agent may work in, absolute, each once. Fails with `unsupported` where the agent does not offer that. */
  readonly additionalDirectories?: ReadonlyArray<string>
  /**
   * The session's MCP servers, by their names in the settings. By default those that the settings enable. A server that
   * the agent can't get causes a `runtime.warning`.
   */
  readonly mcpServers?: ReadonlyArray<string>
  /**
   * The names of the components between people and the agent, nearest to people first. By default those that the settings
   * switch on.
   */
  readonly components?: ReadonlyArray<string>
  /** The key of the session's seal. By default a new one; a replay gives the recorded one. */
  readonly seal?: string
  /**
   * The prompts that our own record of the thread holds, oldest first. What the agent replays of them is dropped; what it
   * remembers beyond them is emitted once, marked `replayed`.
   */
  readonly knownPrompts: ReadonlyArray<string>
  /** The desired settings, set as far as the agent still offers them. `session.configured` reports the result. */
  readonly settings: Readonly<Record<string, SettingValue>>
  /**
   * Called from time to time with the number of agents that start before this one, while it waits. Called with 0 when
   * its turn comes. Must not throw.
   */
  readonly onWaiting?: (ahead: number) => void
  /**
   * Called once if the start is slow; the start continues. A caller that joins a start in progress is not called. Must
   * not throw.
   */
  readonly onSlow?: (slow: SlowStart) => void
}

export interface ProviderSession {
  readonly providerSessionId: ProviderSessionId
  readonly threadId: ThreadId
  readonly provider: ProviderRef
  readonly resumeToken: ResumeToken
  readonly origin: SessionOrigin
}

/** A prompt for a running turn. */
export interface Steering {
  readonly turnId: TurnId
  readonly into: TurnId
  readonly prompt: ReadonlyArray<PromptPart>
}

/** Sessions are addressed by thread: a thread has at most one. Methods on a thread without a session fail with `session-not-found`. */
export interface ProviderAdapter {
  readonly kind: ProviderKind
  readonly capabilities: ProviderCapabilities
  /**
   * Starts the process and its session. If the thread has a session already, returns that one. After a failure nothing
   * keeps running. Does not wait for people, except for answers that the agent's start itself needs.
   */
  readonly startSession: (input: StartSession) => Effect.Effect<ProviderSession, ProviderError>
  /**
   * Sends a prompt, and returns when the turn has ended and its `turn.completed` was emitted. Fails only if the prompt
   * did not reach the agent (`session-not-found`, `turn-in-flight`). A later failure is the turn's outcome.
   * Interrupting the effect does not stop the agent: use `interruptTurn`.
   */
  readonly sendTurn: (
    threadId: ThreadId,
    turn: { readonly turnId: TurnId; readonly prompt: ReadonlyArray<PromptPart> }
  ) => Effect.Effect<void, ProviderError>
  /**
   * Sends a prompt into the running turn `into`. `taken`: the turn continues with it. `not-taken`: the agent can't take
   * it, or has no such turn, and nothing was done. Fails if it is unknown whether the agent has the prompt.
   */
  readonly steer: (threadId: ThreadId, steering: Steering) => Effect.Effect<"taken" | "not-taken", ProviderError>
  /**
   * Stops the running turn. It notifies the agent, cancels its open requests, and waits up to a deadline. After that it
   * kills the process group, starts the agent again and resumes the session. Returns when the turn has ended. Does
   * nothing without a running turn.
   */
  readonly interruptTurn: (threadId: ThreadId, turnId: TurnId) => Effect.Effect<void, ProviderError>
  /**
   * Answers an open request. Repeating the same answer succeeds. A late or different answer fails with
   * `request-closed`, an answer to an earlier form of the request with `request-changed`.
   */
  readonly respondToRequest: (
    threadId: ThreadId,
    requestId: RequestId,
    response: RequestResponse,
    client?: AnsweringClient
  ) => Effect.Effect<void, ProviderError>
  /** Chooses who answers the agent's requests until its session ends. Undefined: as the settings say. */
  readonly setProfile: (
    threadId: ThreadId,
    profile: PermissionProfile | undefined
  ) => Effect.Effect<void, ProviderError>
  /** Changes a setting. `settings.updated` reports the new settings, including others that changed with it. */
  readonly setSetting: (
    threadId: ThreadId,
    settingId: string,
    value: SettingValue
  ) => Effect.Effect<void, ProviderError>
  /**
   * The items and turns since the session started, without the beginning of a long conversation. Orchestration never
   * calls it, since the thread's log has everything. The contract keeps it so that an adapter can be checked without a
   * log.
   */
  readonly readThread: (threadId: ThreadId) => Effect.Effect<Pick<ThreadView, "items" | "turns">, ProviderError>
  /**
   * Goes back to the end of an earlier turn. Fails with `unsupported` if `capabilities.rollback` says so, as it does
   * for each adapter today. Orchestration never calls it, since `Decider` refuses `thread.rollback` by that capability.
   * The contract keeps it for the first agent that can go back.
   */
  readonly rollbackThread: (threadId: ThreadId, turnId: TurnId) => Effect.Effect<void, ProviderError>
  /**
   * Changes the agent's stored session, through the process that has it open. That process ends if the change ends the
   * session. Fails with `unsupported` if the agent does not offer it.
   */
  readonly changeSession: (
    threadId: ThreadId,
    change: AgentSessionChange
  ) => Effect.Effect<AgentSessionChanged, ProviderError>
  /** Ends the process, politely first. Emits `session.exited { expected: true }`. Does nothing without a session. */
  readonly stopSession: (threadId: ThreadId) => Effect.Effect<void>
  readonly listSessions: Effect.Effect<ReadonlyArray<ProviderSession>>
  readonly hasSession: (threadId: ThreadId) => Effect.Effect<boolean>
  readonly stopAll: Effect.Effect<void>
  /** All present agent processes, including those that are starting or stopping. Costs nothing until it is called. */
  readonly health: Effect.Effect<ReadonlyArray<AgentHealth>>
  /**
   * The events of all sessions, in the order of their occurrence, in chunks as they arrived. Adjacent deltas of one
   * item may be joined. For one consumer; earlier events are kept for it.
   */
  readonly streamEvents: Stream.Stream<ProviderRuntimeEvent>
}
