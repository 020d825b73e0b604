/**
 * The differences between kinds of agents, as a value. Sessions of all agents use the same code; a quirk is a member
 * here, not a condition in that code.
 */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import type { AgentRequest, PlanEntry, RequestOutcome } from "@signalbox/contracts/AgentRequest"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderCapabilities, ProviderKind } from "@signalbox/contracts/Provider"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import type { SignInOffer } from "@signalbox/contracts/SignInMethod"
import type { SubagentState } from "@signalbox/contracts/Subagent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { Inheritance } from "@signalbox/process/ChildEnvironment"
import type { AgentExit } from "../../agent/AgentExit.ts"
import type { DistributiveOmit } from "./EventDraft.ts"
import type { StopGrace } from "@signalbox/process/Program"
import type { Launch } from "../../agent/Launch.ts"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import type { ProviderError } from "../../../base/ProviderError.ts"

/** What a process is started for: a session of a thread, or a visit. */
export type LaunchInput = Pick<StartSession, "provider" | "providerOptions" | "cwd">

/** A sub-agent. All updates about it have one `id`. */
export interface SubagentUpdate {
  readonly id: string
  readonly name: string
  readonly task?: string
  readonly state: SubagentState
  readonly durationMs?: number
}

/** Further reports that a tool call contains. */
export interface ToolReport {
  /** The session's whole present plan. */
  readonly plan?: ReadonlyArray<PlanEntry>
  readonly subagent?: SubagentUpdate
}

/** The services that Signalbox offers an agent. */
export interface WorkspaceAccess {
  readonly files: "off" | "read" | "write"
  /** `read`: files with several names may be read, too. */
  readonly hardLinks?: "read" | undefined
  readonly terminals: boolean
  /**
   * Whether a terminal's command with spaces and without arguments is run by a shell. Many agents send such commands.
   */
  readonly shellLines: boolean
  /** The part of our environment that its terminals get. */
  readonly environment: Inheritance
  /** `empty`: a missing file is read as an empty text. By default it is an error. */
  readonly missingFile?: "empty" | undefined
}

/** The operations that an extension method may use on its session. */
export interface ExtensionContext {
  /** Shows a request to people and waits for its end: their answer, a stop, or the end of the process. */
  readonly ask: (
    request: DistributiveOmit<Exclude<AgentRequest, Approval>, "requestId" | "at">
  ) => Effect.Effect<RequestOutcome>
  /** The session's whole plan. `setPlan` replaces it. */
  readonly plan: ReadonlyArray<PlanEntry>
  readonly setPlan: (entries: ReadonlyArray<PlanEntry>) => Effect.Effect<void>
  readonly subagent: (update: SubagentUpdate) => Effect.Effect<void>
  readonly fileGenerated: (file: {
    readonly id: string
    readonly path: string
    readonly description?: string
  }) => Effect.Effect<void>
  readonly warn: (message: string, detail?: string) => Effect.Effect<void>
}

type Approval = Extract<AgentRequest, { readonly type: "approval" }>

export interface AgentProfile {
  readonly kind: ProviderKind
  /** The agent's name in sentences: "Cursor". */
  readonly name: string
  readonly capabilities: ProviderCapabilities
  /** Finds the program and verifies that it is the expected one. */
  readonly launch: (input: LaunchInput) => Effect.Effect<Launch, ProviderError>
  /** The services that the settings grant. Others are not offered to the agent. */
  readonly workspace: (input: Pick<StartSession, "providerOptions">) => WorkspaceAccess
  /** Sent in `clientCapabilities._meta` of `initialize`. */
  readonly clientMeta: Readonly<Record<string, boolean | Readonly<Record<string, boolean>>>>
  /**
   * The method to authenticate with before the first session, if any. Its failure is not fatal: `session/new` decides.
   */
  readonly authenticate: (
    methodIds: ReadonlyArray<string>,
    launch: Launch
  ) => { readonly methodId: string; readonly timeout: Duration.Input } | undefined
  /** Time that the agent has to end after each request to end. Some save much first; others never end by themselves. */
  readonly stopGrace: StopGrace
  /** Whether a failed `session/new` should be tried once more. */
  readonly isTransient: (error: RpcError) => boolean
  /** The sign-in methods of this process. Known after its handshake. */
  readonly signIn?: SignInOffer
  /** A better explanation of a call's error than the agent's own words. Undefined if there is none. */
  readonly explain: (method: string, error: RpcError) => Problem | undefined
  /**
   * The reason why the process ended before its session, read from its last words: e.g. a bad configuration file.
   * Undefined if unknown.
   */
  readonly explainExit: (exit: AgentExit, input: LaunchInput) => Problem | undefined
  /** Answers a request that is not in the protocol. Fails with −32601 for an unknown method. */
  readonly extensionRequest: (
    method: string,
    params: unknown,
    context: ExtensionContext
  ) => Effect.Effect<unknown, RpcError>
  /** Handles a notification that is not in the protocol. Ignores an unknown method. */
  readonly extensionNotification: (method: string, params: unknown, context: ExtensionContext) => Effect.Effect<void>
  /** Corrects known errors in this agent's tool calls, e.g. leaked diff headers. Identity for most agents. */
  readonly tidyTool: (tool: ToolCall) => ToolCall
  /**
   * The plan and the sub-agents that some agents report in tool calls. Called after every change of a call, with the
   * present plan.
   */
  readonly reportInTool: (tool: ToolCall, plan: ReadonlyArray<PlanEntry>) => ToolReport | undefined
  /**
   * Finds the call that started a sub-agent with its own session, in the `_meta` of its announcement. Undefined for
   * most agents.
   */
  readonly callOfSubagent: (meta: unknown) => string | undefined
  /** Corrects names that are not for people, e.g. `:icon-brain:`. Identity for most agents. */
  readonly tidySetting: (setting: SessionSetting) => SessionSetting
  /** Whether a title says less than any other, e.g. "Terminal" or "Edit File". It never replaces a better one. */
  readonly isGenericTitle: (title: string) => boolean
  /**
   * The problem in a turn's last message, from its text and stop reason. Some agents report an error as text and then
   * end the turn normally. Undefined unless it is certainly an error.
   */
  readonly errorInText: (lastText: string, stopReason: string) => Problem | undefined
}
