/** What people may ask of a thread. Every command is idempotent by its id. */
import * as Schema from "effect/Schema"
import { RequestResponse } from "./AgentRequest.ts"
import { SessionSource } from "./AgentSession.ts"
import { PromptPart } from "./Content.ts"
import { CommandId, RequestId, Sequence, ThreadId, TurnId } from "./Ids.ts"
import { Problem, sentencesOf } from "./Problem.ts"
import { ProviderId, ProviderOptions } from "./Provider.ts"
import { SettingValue } from "./SessionSetting.ts"

export const ThreadCommand = Schema.Union([
  /** `cwd` is an absolute path of a folder that exists. */
  Schema.Struct({
    type: Schema.tag("thread.create"),
    provider: ProviderId,
    cwd: Schema.String,
    title: Schema.optionalKey(Schema.String),
    providerOptions: Schema.optionalKey(ProviderOptions),
    settings: Schema.optionalKey(Schema.Record(Schema.String, SettingValue)),
    /** The session that it begins with; a new one by default. */
    from: Schema.optionalKey(SessionSource),
    /** More folders that the agent may work in, absolute. Refused by agents that do not offer it. */
    additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
    /** The MCP servers that its sessions are given, by name; those that are enabled in the settings unless given. */
    mcpServers: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  Schema.Struct({ type: Schema.tag("thread.rename"), title: Schema.String }),
  /**
   * Waits its turn behind a running one. `provider` must name the thread's own provider: a thread never changes its agent. With `steer` it
   * comes between: into the running turn where the agent can take it (`capabilities.steering`). Else that turn is stopped and this prompt is
   * the next. It goes before all that waits, and even while that is held. Only a lost session holds it, too.
   */
  Schema.Struct({
    type: Schema.tag("turn.start"),
    turnId: TurnId,
    prompt: Schema.NonEmptyArray(PromptPart),
    provider: Schema.optionalKey(ProviderId),
    steer: Schema.optionalKey(Schema.Literal(true))
  }),
  /** Another prompt for a turn that waits. Refused once it was dispatched. */
  Schema.Struct({ type: Schema.tag("turn.edit"), turnId: TurnId, prompt: Schema.NonEmptyArray(PromptPart) }),
  /** Puts a turn that waits before another one that waits, or behind all of them. Refused once either was dispatched. */
  Schema.Struct({ type: Schema.tag("turn.move"), turnId: TurnId, before: Schema.optionalKey(TurnId) }),
  /**
   * While held, turns wait: also over a restart, and over the end of a session. `false` also lets go what a turn holds that did not end
   * well: see `TurnQueue`. With `transcript` the next prompt takes along what was said in the thread; refused unless the agent has lost the
   * session that knew it.
   */
  Schema.Struct({
    type: Schema.tag("queue.hold"),
    held: Schema.Boolean,
    transcript: Schema.optionalKey(Schema.Literal(true))
  }),
  /** Stops a running turn, or takes a waiting one back. With `ifQueued` only the latter: refused once it was dispatched. */
  Schema.Struct({
    type: Schema.tag("turn.interrupt"),
    turnId: TurnId,
    ifQueued: Schema.optionalKey(Schema.Literal(true))
  }),
  Schema.Struct({ type: Schema.tag("request.respond"), requestId: RequestId, response: RequestResponse }),
  Schema.Struct({ type: Schema.tag("setting.set"), settingId: Schema.String, value: SettingValue }),
  /** Other MCP servers for its sessions, from the next that starts; without names those that the settings enable. */
  Schema.Struct({ type: Schema.tag("mcp.choose"), mcpServers: Schema.optionalKey(Schema.Array(Schema.String)) }),
  /** Starts the agent without a prompt, so that its settings can be chosen before the first one. */
  Schema.Struct({ type: Schema.tag("session.start") }),
  Schema.Struct({ type: Schema.tag("session.stop") }),
  /** Goes back to the state after `turnId`. No agent supports it yet; the answer says so. */
  Schema.Struct({ type: Schema.tag("thread.rollback"), turnId: TurnId })
]).pipe(Schema.toTaggedUnion("type"))
export type ThreadCommand = typeof ThreadCommand.Type

export const CommandEnvelope = Schema.Struct({ commandId: CommandId, threadId: ThreadId, command: ThreadCommand })
export type CommandEnvelope = typeof CommandEnvelope.Type

/** Proof that a command was taken: its events end at `sequence`. */
export const Receipt = Schema.Struct({ commandId: CommandId, sequence: Sequence })
export type Receipt = typeof Receipt.Type

/** A command that was not taken, and changed nothing. */
export class CommandRejected extends Schema.TaggedError<CommandRejected>()("CommandRejected", {
  commandId: CommandId,
  problem: Problem
}) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}
