/** The state of the server and its agents, for the page's health panel and `signalbox stats`. */
import * as Schema from "effect/Schema"
import { BootId, ThreadId, Timestamp } from "./Ids.ts"
import { LanguageServerState } from "./LanguageFeatures.ts"
import { Problem } from "./Problem.ts"
import { ProviderId } from "./Provider.ts"
import { PartTraffic } from "./SessionChain.ts"
import { SuggestionQuality } from "./SuggestionQuality.ts"

/** One agent process. */
export const AgentHealth = Schema.Struct({
  threadId: ThreadId,
  providerId: ProviderId,
  name: Schema.String,
  /** The process id. Missing for a remote agent. */
  pid: Schema.optionalKey(Schema.Int),
  /** `waiting`: a turn waits for people to answer a request. */
  state: Schema.Literals(["starting", "ready", "working", "waiting", "stopping"]),
  startedAt: Timestamp,
  /** When a byte last went over its pipes, in either direction. */
  lastSignAt: Timestamp,
  pipes: Schema.Literals(["open", "closed"]),
  /** Memory of its whole process group in bytes. Missing if the system does not report it. */
  rssBytes: Schema.optionalKey(Schema.Finite),
  stderrLines: Schema.Int,
  /** What passes the parts of its chain, in their order. Missing without a chain. */
  chain: Schema.optionalKey(Schema.Array(PartTraffic))
})
export type AgentHealth = typeof AgentHealth.Type

/** Sizes in bytes. */
export const StorageHealth = Schema.Struct({
  /**
   * `failing`: nothing can be stored now; `problem` has the reason. Agents wait in the meantime, and nothing is lost.
   * `ok` with a `problem`: the database has lost data from before this server's start.
   */
  state: Schema.Literals(["ok", "failing"]),
  problem: Schema.optionalKey(Problem),
  directory: Schema.String,
  databaseBytes: Schema.Finite,
  journalBytes: Schema.Finite,
  tapeBytes: Schema.Finite,
  /** Bytes on the disk that are free for this user. */
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
    /** The delay of the event loop since the last report: the 99th percentile in milliseconds. */
    delayMs: Schema.Finite
  }),
  storage: StorageHealth,
  agents: Schema.Array(AgentHealth),
  threads: Schema.Struct({ all: Schema.Int, inMemory: Schema.Int, running: Schema.Int, unreadable: Schema.Int }),
  watchers: Schema.Int,
  suggestions: Schema.optionalKey(SuggestionQuality),
  /** Language servers that run or could not, and entries of the settings that can't be used. */
  languageServers: Schema.optionalKey(Schema.Array(LanguageServerState)),
  /** The number of agents that wait for others to start before them. */
  waiting: Schema.optionalKey(Schema.Int),
  /** Processes that earlier servers left, by name: ended, impossible to end, or kept by the settings. At most 200. */
  leftovers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        /** Missing if it ran for no thread. */
        threadId: Schema.optionalKey(Schema.String),
        pid: Schema.Int,
        name: Schema.String,
        state: Schema.Literals(["ended", "kept", "left"])
      })
    )
  ),
  /** The number of processes of an earlier server that this one ended at its start. */
  reaped: Schema.Int
})
export type Health = typeof Health.Type
