/**
 * What an adapter does for one kind of agent. Adapters hold processes and speak the agent's protocol; they know no SQL, no
 * threads' logs and no pages. All that an agent does leaves through `streamEvents`, in order.
 */
import type { AnsweringClient, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { AgentSessionChange, AgentSessionChanged, SessionSource } from "@signalbox/contracts/AgentSession"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { AgentHealth } from "@signalbox/contracts/Health"
import type { ProviderSessionId, RequestId, ResumeToken, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderCapabilities, ProviderKind, ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent, SessionOrigin } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ProviderError } from "../../base/ProviderError.ts"

/** What is known of a start that takes its time. */
export interface SlowStart {
  readonly afterMs: number
  /** `launch` until the agent's program runs, then the method of the protocol that it has not answered. */
  readonly waitingFor: string
  /** The last lines that it wrote to stderr, oldest first. */
  readonly stderrTail: ReadonlyArray<string>
}

export interface StartSession {
  readonly threadId: ThreadId
  readonly provider: ProviderRef
  readonly providerOptions: ProviderOptions
  /** Absolute; the process starts there and the agent is told the same. */
  readonly cwd: string
  /** Take up this session by the ladder: resume, load, and a new one only if neither works. */
  readonly resume?: ResumeToken
  /**
   * The source of the first session, if it is not new: opened with its history if the agent can send it, or copied. Fails if that can't be
   * done. Ignored with `resume`.
   */
  readonly from?: SessionSource
  /** More folders that the agent may work in, absolute, each once. Fails with `unsupported` where the agent does not offer that. */
  readonly additionalDirectories?: ReadonlyArray<string>
  /**
   * The MCP servers that the session is given, by their names in the settings; those that are enabled there unless given. What can't be
   * given is told as `runtime.warning`.
   */
  readonly mcpServers?: ReadonlyArray<string>
  /**
   * The prompts that our own record of the thread holds, oldest first. What the agent replays of them is dropped; what it
   * remembers beyond them is emitted once, marked `replayed`.
   */
  readonly knownPrompts: ReadonlyArray<string>
  /** Put in place as far as the agent still offers them; `session.configured` says what came of it. */
  readonly settings: Readonly<Record<string, SettingValue>>
  /**
   * Called with the number of agents that start before this one, now and then while it must wait for them. It is called with 0 when it is
   * its turn. Must not throw.
   */
  readonly onWaiting?: (ahead: number) => void
  /** Called once if the start takes long; it goes on all the same. Must not throw. A start that was joined calls only its own. */
  readonly onSlow?: (slow: SlowStart) => void
}

export interface ProviderSession {
  readonly providerSessionId: ProviderSessionId
  readonly threadId: ThreadId
  readonly provider: ProviderRef
  readonly resumeToken: ResumeToken
  readonly origin: SessionOrigin
}

/** A prompt that comes between. */
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
   * Starts the process and its session. A thread that has one already gets that one. On failure nothing is left running.
   * Does not wait for anything that people must do.
   */
  readonly startSession: (input: StartSession) => Effect.Effect<ProviderSession, ProviderError>
  /**
   * Hands a prompt over, and returns when the agent's turn has ended, after its `turn.completed` was emitted. Fails only
   * when the prompt did not reach the agent (`session-not-found`, `turn-in-flight`); every later failure is the turn's outcome.
   * Interrupting the returned effect does not stop the agent: that is `interruptTurn`.
   */
  readonly sendTurn: (
    threadId: ThreadId,
    turn: { readonly turnId: TurnId; readonly prompt: ReadonlyArray<PromptPart> }
  ) => Effect.Effect<void, ProviderError>
  /**
   * Puts a prompt into the running turn `into`, which goes on with it: `taken`. `not-taken` where the agent can't do that, or has no
   * such turn: then nothing was done. Fails when nobody knows whether the agent has it.
   */
  readonly steer: (threadId: ThreadId, steering: Steering) => Effect.Effect<"taken" | "not-taken", ProviderError>
  /**
   * Stops the running turn: tells the agent, answers its open requests `cancelled`, and waits up to a deadline. Then it kills the process
   * group, starts the agent again and reloads the session. Returns when the turn has ended. Without a running turn: nothing.
   */
  readonly interruptTurn: (threadId: ThreadId, turnId: TurnId) => Effect.Effect<void, ProviderError>
  /**
   * Answers an open request. The same answer twice is the same as once; a late or different one fails with `request-closed`, one to what
   * the request was before it changed with `request-changed`.
   */
  readonly respondToRequest: (
    threadId: ThreadId,
    requestId: RequestId,
    response: RequestResponse,
    client?: AnsweringClient
  ) => Effect.Effect<void, ProviderError>
  /** Changes a setting. `settings.updated` tells what it became, other settings included. */
  readonly setSetting: (
    threadId: ThreadId,
    settingId: string,
    value: SettingValue
  ) => Effect.Effect<void, ProviderError>
  /**
   * What this adapter has projected of the thread since its session started; of a long conversation, the latest part. Orchestration never
   * calls it, because the thread's log has all of it. The contract keeps it so that an adapter can be checked without a log.
   */
  readonly readThread: (threadId: ThreadId) => Effect.Effect<Pick<ThreadView, "items" | "turns">, ProviderError>
  /**
   * Goes back to the end of an earlier turn. Fails with `unsupported` if `capabilities.rollback` says so, as each adapter's does today.
   * Orchestration never calls it, because `Decider` refuses `thread.rollback` by that capability. The contract keeps it for the first
   * agent that can go back.
   */
  readonly rollbackThread: (threadId: ThreadId, turnId: TurnId) => Effect.Effect<void, ProviderError>
  /**
   * Changes the session that the agent keeps, by the process that has it open; that ends after what ends the session. Fails with
   * `unsupported` where the agent does not offer it.
   */
  readonly changeSession: (
    threadId: ThreadId,
    change: AgentSessionChange
  ) => Effect.Effect<AgentSessionChanged, ProviderError>
  /** Ends the process, politely first. Emits `session.exited { expected: true }`. Without a session: nothing. */
  readonly stopSession: (threadId: ThreadId) => Effect.Effect<void>
  readonly listSessions: Effect.Effect<ReadonlyArray<ProviderSession>>
  readonly hasSession: (threadId: ThreadId) => Effect.Effect<boolean>
  readonly stopAll: Effect.Effect<void>
  /** All agent processes as they are now, those included that are starting or being stopped. Costs nothing until somebody asks. */
  readonly health: Effect.Effect<ReadonlyArray<AgentHealth>>
  /**
   * Everything from all sessions, in the order in which it happened, in chunks as it arrived. Adjacent deltas of one item
   * may come joined. One consumer; what is emitted before it comes is kept.
   */
  readonly streamEvents: Stream.Stream<ProviderRuntimeEvent>
}
