/** How the server and its agents are: what the page's health panel and `signalbox stats` show. */
import * as Schema from "effect/Schema"
import { BootId, ThreadId, Timestamp } from "./Ids.ts"
import { Problem } from "./Problem.ts"
import { ProviderId } from "./Provider.ts"

/** One agent process. */
export const AgentHealth = Schema.Struct({
  threadId: ThreadId,
  providerId: ProviderId,
  name: Schema.String,
  /** The id of the process; absent if it runs elsewhere. */
  pid: Schema.optionalKey(Schema.Int),
  /** `waiting`: in a turn, for people to answer a request. */
  state: Schema.Literals(["starting", "ready", "working", "waiting", "stopping"]),
  startedAt: Timestamp,
  /** When a byte last went over its pipes, either way. */
  lastSignAt: Timestamp,
  pipes: Schema.Literals(["open", "closed"]),
  /** Memory of its whole process group, bytes. Absent where the system does not tell. */
  rssBytes: Schema.optionalKey(Schema.Finite),
  stderrLines: Schema.Int
})
export type AgentHealth = typeof AgentHealth.Type

/** Sizes in bytes. */
export const StorageHealth = Schema.Struct({
  /**
   * `failing`: nothing can be kept now, and `problem` says why. Agents are held up meanwhile, nothing is lost. `ok` with a `problem`:
   * the database has lost what was kept before this server began.
   */
  state: Schema.Literals(["ok", "failing"]),
  problem: Schema.optionalKey(Problem),
  directory: Schema.String,
  databaseBytes: Schema.Finite,
  journalBytes: Schema.Finite,
  tapeBytes: Schema.Finite,
  /** Left on the disk for this user. */
  freeBytes: Schema.optionalKey(Schema.Finite)
})
export type StorageHealth = typeof StorageHealth.Type

export const Health = Schema.Struct({
  at: Timestamp,
  bootId: BootId,
  version: Schema.String,
  server: Schema.Struct({
    pid: Schema.Int,
    startedAt: Timestamp,
    rssBytes: Schema.Finite,
    heapBytes: Schema.Finite,
    /** How long the event loop kept things waiting since the last report: the 99th percentile, milliseconds. */
    delayMs: Schema.Finite
  }),
  storage: StorageHealth,
  agents: Schema.Array(AgentHealth),
  threads: Schema.Struct({ all: Schema.Int, inMemory: Schema.Int, running: Schema.Int, unreadable: Schema.Int }),
  watchers: Schema.Int,
  /** Agents that wait for others to start before them. */
  waiting: Schema.optionalKey(Schema.Int),
  /** Processes that earlier servers left, by name: ended, not to be ended, or kept as settings say. At most 200. */
  leftovers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        /** Absent where it ran for no thread. */
        threadId: Schema.optionalKey(Schema.String),
        pid: Schema.Int,
        name: Schema.String,
        state: Schema.Literals(["ended", "kept", "left"])
      })
    )
  ),
  /** Processes that an earlier server had left and that were ended when this one started. */
  reaped: Schema.Int
})
export type Health = typeof Health.Type
