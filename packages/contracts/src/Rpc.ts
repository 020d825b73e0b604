/** What pages and other clients ask of the server, over one WebSocket at `/rpc`. */
import * as Schema from "effect/Schema"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import { AgentModels } from "./AgentModel.ts"
import { AgentSessionChange, AgentSessionChanged, AgentSessionFilter, AgentSessionsFrame } from "./AgentSession.ts"
import { CommandEnvelope, CommandRejected, Receipt } from "./Command.ts"
import { ConformanceFrame, ConformanceReport } from "./Conformance.ts"
import { FileSearchQuery, FoundFiles } from "./FileSearch.ts"
import { Health } from "./Health.ts"
import { BootId, Cursor, ItemId, ProviderId, ResumeToken, Sequence, SignInId, ThreadId } from "./Ids.ts"
import { McpServerInfo } from "./McpServer.ts"
import { Problem, sentencesOf } from "./Problem.ts"
import { ProviderStatus } from "./Provider.ts"
import { InstallFrame, InstallRequest, RegistryListing } from "./Registry.ts"
import { RememberedFilter, RememberedSetting } from "./RememberedSetting.ts"
import { SettingValue } from "./SessionSetting.ts"
import { SettingsReport } from "./Settings.ts"
import { SignInFrame, SignInInput, SignInOver, SignInState, TerminalSize } from "./SignIn.ts"
import { LoggedEvent } from "./ThreadEvent.ts"
import { ThreadPage, ThreadSummary, ThreadView } from "./ThreadView.ts"
import { Refused } from "./Refused.ts"

/** Bytes that a client takes from its server at once. Databases of before, and of others, hold long messages in one piece. */
export const maxFrameBytes = 256 * 1024 * 1024

/** Raised when a page and a server of different builds can no longer understand each other. */
export const protocolVersion = 4

export const ServerInfo = Schema.Struct({
  name: Schema.Literal("signalbox"),
  version: Schema.String,
  protocolVersion: Schema.Int,
  /** Changes with every start of the server. */
  bootId: BootId,
  /** The folder where the server was started, and the person's home: the first places of the folder picker. */
  cwd: Schema.String,
  home: Schema.String,
  /** The server's clock when it answered, milliseconds since 1970. */
  now: Schema.Finite
})
export type ServerInfo = typeof ServerInfo.Type

/** The list of threads: everything first, then each row as it changes and the ids of those that are deleted. */
export const ThreadsFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("snapshot"), threads: Schema.Array(ThreadSummary) }),
  Schema.Struct({
    type: Schema.tag("changed"),
    threads: Schema.Array(ThreadSummary),
    removed: Schema.optionalKey(Schema.Array(ThreadId))
  })
])
export type ThreadsFrame = typeof ThreadsFrame.Type

/**
 * How far a client knows a thread. Text is shown before it is on the disk: places in a log count for one run of the server only. After a
 * crash a place that was given out may mean something else in the next one.
 */
export const ThreadPosition = Schema.Struct({ bootId: BootId, sequence: Sequence })
export type ThreadPosition = typeof ThreadPosition.Type

/**
 * One thread: the latest window of its state, then events in order without a gap. With `after` in reach of the log, events only.
 * A client that is too slow for the events gets the state again.
 */
export const ThreadFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("snapshot"), bootId: BootId, view: ThreadView }),
  Schema.Struct({ type: Schema.tag("events"), events: Schema.Array(LoggedEvent) })
])
export type ThreadFrame = typeof ThreadFrame.Type

/** Turns in a snapshot or a page where nobody says how many, and at most. */
export const defaultTurnLimit = 20
const maxTurnLimit = 200
const TurnLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxTurnLimit }))

export const Directory = Schema.Struct({
  path: Schema.String,
  parent: Schema.NullOr(Schema.String),
  /** Folders only, by name; hidden ones last. */
  folders: Schema.Array(Schema.Struct({ name: Schema.String, path: Schema.String, git: Schema.Boolean })),
  git: Schema.Boolean
})
export type Directory = typeof Directory.Type

export class ThreadNotFound extends Schema.TaggedError<ThreadNotFound>()("ThreadNotFound", { threadId: ThreadId }) {
  override get message(): string {
    return `There is no thread ${this.threadId}.`
  }
}

/** The thread's record is damaged, or the disk does not give it out now. Nothing of it was changed. */
export class ThreadUnreadable extends Schema.TaggedError<ThreadUnreadable>()("ThreadUnreadable", {
  threadId: ThreadId,
  problem: Problem
}) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}

/** The thread is not as the caller knew it, so that it was not deleted. */
export class ThreadChanged extends Schema.TaggedError<ThreadChanged>()("ThreadChanged", { threadId: ThreadId }) {
  override get message(): string {
    return `Something happened in thread ${this.threadId} meanwhile.`
  }
}

/** There is no such text any more: the call was told anew without it. */
export class OutputNotFound extends Schema.TaggedError<OutputNotFound>()("OutputNotFound", {
  itemId: ItemId,
  part: Schema.String
}) {
  override get message(): string {
    return `The text ${this.part} of ${this.itemId} is not kept.`
  }
}

export class DirectoryUnreadable extends Schema.TaggedError<DirectoryUnreadable>()("DirectoryUnreadable", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.path} can't be read: ${this.reason}`
  }
}

export class SignalboxRpc extends RpcGroup.make(
  Rpc.make("hello", { success: ServerInfo }),
  Rpc.make("send", { payload: CommandEnvelope, success: Receipt, error: CommandRejected }),
  Rpc.make("watchThreads", { success: ThreadsFrame, stream: true }),
  Rpc.make("watchThread", {
    payload: {
      threadId: ThreadId,
      after: Schema.optionalKey(ThreadPosition),
      /** Turns in a snapshot. */
      turnLimit: Schema.optionalKey(TurnLimit)
    },
    success: ThreadFrame,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable]),
    stream: true
  }),
  /** What stands before a window of a thread; `before` is its `earlier`. */
  Rpc.make("readEarlier", {
    payload: { threadId: ThreadId, before: Cursor, turnLimit: Schema.optionalKey(TurnLimit) },
    success: ThreadPage,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable])
  }),
  /** The entries from a place on, or from the first one, up to those that begin at `until`. */
  Rpc.make("readLater", {
    payload: { threadId: ThreadId, from: Schema.optionalKey(Cursor), until: Cursor },
    success: ThreadPage,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable])
  }),
  /** A long text of a tool call from its beginning, in pieces. */
  Rpc.make("readOutput", {
    payload: { threadId: ThreadId, itemId: ItemId, part: Schema.String },
    success: Schema.String,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable, OutputNotFound]),
    stream: true
  }),
  /** The whole thread as lines of JSON: first what it is, then its turns and entries, each with all its text. */
  Rpc.make("exportThread", {
    payload: { threadId: ThreadId },
    success: Schema.String,
    error: Schema.Union([ThreadNotFound, ThreadUnreadable]),
    stream: true
  }),
  /**
   * Ends its agent and removes all that is kept of it: log, output, tapes. A thread that is not there is removed already. With
   * `ifSequence` only as long as nothing has happened since that place in its log.
   */
  Rpc.make("deleteThread", {
    payload: { threadId: ThreadId, ifSequence: Schema.optionalKey(Sequence) },
    error: Schema.Union([ThreadUnreadable, ThreadChanged])
  }),
  /** How things are: at once, and then every few seconds. */
  Rpc.make("watchHealth", { success: Health, stream: true }),
  /** The agents of this machine, and again whenever something about one becomes known. */
  Rpc.make("watchProviders", { success: Schema.Array(ProviderStatus), stream: true }),
  Rpc.make("checkProviders"),
  /** What people chose last for agents in folders, with which new threads begin. */
  Rpc.make("listRememberedSettings", {
    payload: { filter: RememberedFilter },
    success: Schema.Array(RememberedSetting),
    error: Refused
  }),
  /** What somebody chose for an agent in a folder outside of threads: new threads there begin with it. */
  Rpc.make("rememberSettings", {
    payload: { providerId: ProviderId, cwd: Schema.String, settings: Schema.Record(Schema.String, SettingValue) },
    error: Refused
  }),
  /** Threads that are there keep their settings. Answers how many were forgotten. */
  Rpc.make("forgetSettings", {
    payload: { filter: RememberedFilter },
    success: Schema.Int,
    error: Refused
  }),
  /** Shuts out every browser that was let in, the one that asks too: its connection ends within seconds. */
  Rpc.make("shutOutBrowsers", { error: Refused }),
  /** How the file of the settings is, and again whenever that changes. */
  Rpc.make("watchSettings", { success: SettingsReport, stream: true }),
  /** The agents of the registry, as far as it is known here. Nothing is loaded for it. */
  Rpc.make("listRegistry", { success: RegistryListing, error: Refused }),
  /** Loads the registry anew. */
  Rpc.make("refreshRegistry", { success: RegistryListing, error: Refused }),
  /** Installs an agent as planned, and puts it into the settings. Ending the stream before its last frame gives up. */
  Rpc.make("installAgent", { payload: InstallRequest, success: InstallFrame, error: Refused, stream: true }),
  /** The sessions that an agent keeps. Ends with the last of them. */
  Rpc.make("listAgentSessions", {
    payload: { providerId: ProviderId, filter: AgentSessionFilter },
    success: AgentSessionsFrame,
    error: Refused,
    stream: true
  }),
  Rpc.make("changeAgentSession", {
    payload: { providerId: ProviderId, sessionId: ResumeToken, change: AgentSessionChange },
    success: AgentSessionChanged,
    error: Refused
  }),
  /** The models that an agent lists before it has a session; `null` where it lists none. Starts the agent for it. */
  Rpc.make("listAgentModels", {
    payload: { providerId: ProviderId },
    success: Schema.NullOr(AgentModels),
    error: Refused
  }),
  /** How one may sign in to an agent, and who is. Starts the agent for it. */
  Rpc.make("signInState", { payload: { providerId: ProviderId }, success: SignInState, error: Refused }),
  /** Signs in by one of the methods that the agent offers. `size` is for one that needs a terminal. Ending the stream gives up. */
  Rpc.make("signIn", {
    payload: { providerId: ProviderId, methodId: Schema.String, size: Schema.optionalKey(TerminalSize) },
    success: SignInFrame,
    stream: true
  }),
  Rpc.make("signInInput", {
    payload: { signInId: SignInId, input: SignInInput },
    error: Schema.Union([SignInOver, Refused])
  }),
  /** Lets the agent forget who is signed in. Its sessions may ask for it again. */
  Rpc.make("signOut", { payload: { providerId: ProviderId }, error: Refused }),
  /** The servers of the Model Context Protocol that the settings have for a folder. */
  Rpc.make("listMcpServers", { payload: { cwd: Schema.String }, success: Schema.Array(McpServerInfo) }),
  /** What an agent was last seen to do of the protocol; null where it was never looked over. */
  Rpc.make("conformanceReport", { payload: { providerId: ProviderId }, success: Schema.NullOr(ConformanceReport) }),
  /** Looks an agent over; the report comes last. `model`: whether its model may be asked for something, which may cost. */
  Rpc.make("probeAgent", {
    payload: { providerId: ProviderId, model: Schema.Boolean },
    success: ConformanceFrame,
    error: Refused,
    stream: true
  }),
  Rpc.make("listDirectory", { payload: { path: Schema.String }, success: Directory, error: DirectoryUnreadable }),
  /** Files to mention in a prompt. */
  Rpc.make("searchFiles", { payload: FileSearchQuery, success: FoundFiles })
) {}
