/**
 * What differs from one kind of agent to the next, as a value. Sessions of all agents run through the same code; a quirk is
 * a member here, never a condition in the middle of it.
 */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import type { AgentRequest, PlanEntry, RequestOutcome } from "@signalbox/contracts/AgentRequest"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderCapabilities, ProviderKind } from "@signalbox/contracts/Provider"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import type { SignInOffer } from "@signalbox/contracts/SignInMethod"
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
import type { RequestLook } from "@signalbox/permission/RequestLook"

/** What a process is to be started for: a session of a thread, or a visit. */
export type LaunchInput = Pick<StartSession, "provider" | "providerOptions" | "cwd">

/** An agent that the agent started. `id` stays the same over all updates about it. */
export interface SubagentUpdate {
  readonly id: string
  readonly name: string
  readonly task?: string
  readonly state: "running" | "background" | "completed" | "failed" | "cancelled"
  readonly durationMs?: number
}

/** What a tool call tells besides itself. */
export interface ToolReport {
  /** The plan of the session as it is now, whole. */
  readonly plan?: ReadonlyArray<PlanEntry>
  readonly subagent?: SubagentUpdate
}

/** What an agent may have us do for it. */
export interface WorkspaceAccess {
  readonly files: "off" | "read" | "write"
  /** `read`: files that have several names are read, too. */
  readonly hardLinks?: "read" | undefined
  readonly terminals: boolean
  /** Whether a terminal's command with spaces and without arguments is a line for a shell: many agents send such. */
  readonly shellLines: boolean
  /** What its terminals have of our environment. */
  readonly environment: Inheritance
  /** A file that is not there is read to it as an empty text; as an error unless given. */
  readonly missingFile?: "empty" | undefined
}

/** What an extension method may do with the session that it arrived on. */
export interface ExtensionContext {
  /** Puts a request to people and waits for its end: their answer, a stop, or the end of the process. */
  readonly ask: (
    request: DistributiveOmit<Exclude<AgentRequest, Approval>, "requestId" | "at">
  ) => Effect.Effect<RequestOutcome>
  /** The plan of the session, to be replaced as a whole. */
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
  /** The name that people use in sentences: "Cursor". */
  readonly name: string
  readonly capabilities: ProviderCapabilities
  /** Finds the program and makes sure that it is what it should be. */
  readonly launch: (input: LaunchInput) => Effect.Effect<Launch, ProviderError>
  /** What is not granted is not offered to the agent either. */
  readonly workspace: (input: Pick<StartSession, "providerOptions">) => WorkspaceAccess
  /** Goes into `clientCapabilities._meta` of `initialize`. */
  readonly clientMeta: Readonly<Record<string, boolean | Readonly<Record<string, boolean>>>>
  /** The method to authenticate with before the first session, if any. Its failure is not fatal: `session/new` decides. */
  readonly authenticate: (
    methodIds: ReadonlyArray<string>,
    launch: Launch
  ) => { readonly methodId: string; readonly timeout: Duration.Input } | undefined
  /** The option to take for a request for permission, where people have decided beforehand; undefined where they are asked. */
  readonly decide: (
    request: Pick<Approval, "options">,
    look: RequestLook,
    input: Pick<StartSession, "providerOptions">
  ) => string | undefined
  /** How long it may take to end when it is asked to. Some put much away before; others never go by themselves. */
  readonly stopGrace: StopGrace
  /** Whether a failed `session/new` is worth one more try. */
  readonly isTransient: (error: RpcError) => boolean
  /** The ways in that this very process offers: known once it has said hello. */
  readonly signIn?: SignInOffer
  /** The agent's own words for an error of a call, where we can do better than quoting it. */
  readonly explain: (method: string, error: RpcError) => Problem | undefined
  /** Why the process ended before it had a session, where its last words say so: a bad configuration file, an unknown model. */
  readonly explainExit: (exit: AgentExit, input: LaunchInput) => Problem | undefined
  /** Answers a request that is not the protocol's; fails with −32601 for what it does not know. */
  readonly extensionRequest: (
    method: string,
    params: unknown,
    context: ExtensionContext
  ) => Effect.Effect<unknown, RpcError>
  /** Takes a notification that is not the protocol's, and ignores what it does not know. */
  readonly extensionNotification: (method: string, params: unknown, context: ExtensionContext) => Effect.Effect<void>
  /** Corrects what this agent is known to report wrongly, e.g. leaked diff headers. Identity for most. */
  readonly tidyTool: (tool: ToolCall) => ToolCall
  /** Some agents tell their plan and their sub-agents in tool calls. Given the call after every change, and the plan as it is. */
  readonly reportInTool: (tool: ToolCall, plan: ReadonlyArray<PlanEntry>) => ToolReport | undefined
  /** The call that started a sub-agent with a session of its own, out of the `_meta` that announces it. Undefined for most. */
  readonly callOfSubagent: (meta: unknown) => string | undefined
  /** Corrects names that were not meant for people, e.g. `:icon-brain:`. Identity for most. */
  readonly tidySetting: (setting: SessionSetting) => SessionSetting
  /** Whether this title says less than any other would ("Terminal", "Edit File"): it never replaces a better one. */
  readonly isGenericTitle: (title: string) => boolean
  /**
   * Some agents report errors as text and then end the turn as if all were well. Given the turn's last run of message text
   * and its stop reason: the problem, where it certainly is one.
   */
  readonly errorInText: (lastText: string, stopReason: string) => Problem | undefined
}
