/** The commands of people to a thread. Every command is idempotent by its id. */
import * as Schema from "effect/Schema"
import { RequestResponse } from "./AgentRequest.ts"
import { SessionSource } from "./AgentSession.ts"
import { PromptPart } from "./Content.ts"
import { SentDraft } from "./Draft.ts"
import { CommandId, RequestId, Sequence, ThreadId, TurnId } from "./Ids.ts"
import { Problem, sentencesOf } from "./Problem.ts"
import { PermissionProfile, ProviderId, ProviderOptions } from "./Provider.ts"
import { SettingValue } from "./SessionSetting.ts"

export const ThreadCommand = Schema.Union([
  /** Creates a thread. `cwd` is the absolute path of an existing folder. */
  Schema.Struct({
    type: Schema.tag("thread.create"),
    provider: ProviderId,
    cwd: Schema.String,
    title: Schema.optionalKey(Schema.String),
    providerOptions: Schema.optionalKey(ProviderOptions),
    settings: Schema.optionalKey(Schema.Record(Schema.String, SettingValue)),
    /** The session that the thread begins with. Default: a new one. */
    from: Schema.optionalKey(SessionSource),
    /** Additional absolute folders for the agent. Refused by agents that do not offer it. */
    additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
    /** The names of the MCP servers for its sessions. Default: those that the settings enable. */
    mcpServers: Schema.optionalKey(Schema.Array(Schema.String)),
    /** The names of the components for its sessions, nearest to people first. Default: those that the settings switch on. */
    components: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  Schema.Struct({ type: Schema.tag("thread.rename"), title: Schema.String }),
  /**
   * Queues a prompt. `provider` must name the thread's own provider, since a thread never changes its agent. With
   * `steer` the prompt goes into the running turn if the agent supports it (`capabilities.steering`). Otherwise that
   * turn is stopped, and this prompt is next. A steering prompt is sent before all queued ones, even if these are held.
   * Only a lost session holds it, too. `draft` is removed in the same step, unless another page has changed it since.
   */
  Schema.Struct({
    type: Schema.tag("turn.start"),
    turnId: TurnId,
    prompt: Schema.NonEmptyArray(PromptPart),
    provider: Schema.optionalKey(ProviderId),
    steer: Schema.optionalKey(Schema.Literal(true)),
    draft: Schema.optionalKey(SentDraft)
  }),
  /** Replaces the prompt of a queued turn. Refused after it was dispatched. */
  Schema.Struct({ type: Schema.tag("turn.edit"), turnId: TurnId, prompt: Schema.NonEmptyArray(PromptPart) }),
  /** Moves a queued turn before another one, or to the end. Refused after either was dispatched. */
  Schema.Struct({ type: Schema.tag("turn.move"), turnId: TurnId, before: Schema.optionalKey(TurnId) }),
  /**
   * Holds or releases the queue. A hold survives restarts and the end of a session. `false` also releases turns that an
   * ended turn holds: see `TurnQueue`. With `transcript` the next prompt includes the transcript; refused unless the
   * agent has lost its session.
   */
  Schema.Struct({
    type: Schema.tag("queue.hold"),
    held: Schema.Boolean,
    transcript: Schema.optionalKey(Schema.Literal(true))
  }),
  /**
   * Stops a running turn, or withdraws a queued one. With `ifQueued` only the latter: refused after the turn was
   * dispatched.
   */
  Schema.Struct({
    type: Schema.tag("turn.interrupt"),
    turnId: TurnId,
    ifQueued: Schema.optionalKey(Schema.Literal(true))
  }),
  /**
   * Answers a request. A rejected approval may have a reason: it becomes the prompt of the turn `turnId`, in the same step. It goes into the
   * running turn if the agent supports that, and is the next prompt otherwise.
   */
  Schema.Struct({
    type: Schema.tag("request.respond"),
    requestId: RequestId,
    response: RequestResponse,
    turnId: Schema.optionalKey(TurnId)
  }),
  Schema.Struct({ type: Schema.tag("setting.set"), settingId: Schema.String, value: SettingValue }),
  /** Chooses the MCP servers of later sessions. Without names: those that the settings enable. */
  Schema.Struct({ type: Schema.tag("mcp.choose"), mcpServers: Schema.optionalKey(Schema.Array(Schema.String)) }),
  /** Chooses the components of later sessions, nearest to people first. Without names: those that the settings switch on. */
  Schema.Struct({ type: Schema.tag("components.choose"), components: Schema.optionalKey(Schema.Array(Schema.String)) }),
  /**
   * Chooses who answers the agent's requests until its session ends. Without `profile`: the settings again. Refused while no
   * session runs.
   */
  Schema.Struct({ type: Schema.tag("profile.choose"), profile: Schema.optionalKey(PermissionProfile) }),
  /** Starts the agent without a prompt, so that its settings can be chosen before the first one. */
  Schema.Struct({ type: Schema.tag("session.start") }),
  Schema.Struct({ type: Schema.tag("session.stop") }),
  /** Goes back to the state after `turnId`. No agent supports it yet, so it is refused with that reason. */
  Schema.Struct({ type: Schema.tag("thread.rollback"), turnId: TurnId })
]).pipe(Schema.toTaggedUnion("type"))
export type ThreadCommand = typeof ThreadCommand.Type

export const CommandEnvelope = Schema.Struct({ commandId: CommandId, threadId: ThreadId, command: ThreadCommand })
export type CommandEnvelope = typeof CommandEnvelope.Type

/** Proof that a command was accepted: its events end at `sequence`. */
export const Receipt = Schema.Struct({ commandId: CommandId, sequence: Sequence })
export type Receipt = typeof Receipt.Type

/** A command that was refused, and changed nothing. */
export class CommandRejected extends Schema.TaggedError<CommandRejected>()("CommandRejected", {
  commandId: CommandId,
  problem: Problem
}) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}
