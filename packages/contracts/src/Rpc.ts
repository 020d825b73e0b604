/** What pages and other clients ask of the server, over one WebSocket at `/rpc`. */
import * as Schema from "effect/Schema"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import { CommandEnvelope, CommandRejected, Receipt } from "./Command.ts"
import { Sequence, ThreadId } from "./Ids.ts"
import { ProviderStatus } from "./Provider.ts"
import { LoggedEvent } from "./ThreadEvent.ts"
import { ThreadSummary, ThreadView } from "./ThreadView.ts"

/** Raised when a page and a server of different builds can no longer understand each other. */
export const protocolVersion = 1

export const ServerInfo = Schema.Struct({
  name: Schema.Literal("signalbox"),
  version: Schema.String,
  protocolVersion: Schema.Int,
  /** Changes with every start of the server. */
  bootId: Schema.String,
  /** Where the server was started, and the person's home: the first places of the folder picker. */
  cwd: Schema.String,
  home: Schema.String,
  /** The server's clock when it answered, milliseconds since 1970. */
  now: Schema.Finite
})
export type ServerInfo = typeof ServerInfo.Type

/** The list of threads: everything first, then each row as it changes. */
export const ThreadsFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("snapshot"), threads: Schema.Array(ThreadSummary) }),
  Schema.Struct({ type: Schema.tag("changed"), threads: Schema.Array(ThreadSummary) })
])
export type ThreadsFrame = typeof ThreadsFrame.Type

/** One thread: its state, then events in order without a gap. With `after` in reach of the log, events only. */
export const ThreadFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("snapshot"), view: ThreadView }),
  Schema.Struct({ type: Schema.tag("events"), events: Schema.Array(LoggedEvent) })
])
export type ThreadFrame = typeof ThreadFrame.Type

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
    payload: { threadId: ThreadId, after: Schema.optionalKey(Sequence) },
    success: ThreadFrame,
    error: ThreadNotFound,
    stream: true
  }),
  /** The agents of this machine, and again whenever something about one becomes known. */
  Rpc.make("watchProviders", { success: Schema.Array(ProviderStatus), stream: true }),
  Rpc.make("checkProviders"),
  Rpc.make("listDirectory", { payload: { path: Schema.String }, success: Directory, error: DirectoryUnreadable })
) {}
