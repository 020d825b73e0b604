/**
 * The metrics of the server, with names and units in the style of Prometheus. The page `/metrics` adds the prefix
 * `signalbox_`.
 */
import * as Metric from "effect/Metric"

/** Bucket bounds in seconds, from commands in memory to commands that wait for a slow disk. */
const secondBoundaries = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const eventBoundaries = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })
const gauge = (name: string, description: string) => Metric.gauge(name, { description })
const seconds = (name: string, description: string) =>
  Metric.histogram(name, { description, boundaries: secondBoundaries })

/** Counts by `type` of the command, and `outcome`: `taken` or `refused`. */
export const commands = counter("commands_total", "Commands, by type and by what became of them")
export const commandSeconds = seconds("command_seconds", "Time from a command to its receipt or refusal, by type")

export const agentEvents = counter("agent_events_total", "Events that agents sent, before they are joined for the disk")
export const agentsStarted = counter("agents_started_total", "Sessions of agents that began, by provider and origin")
export const agentsExited = counter("agents_exited_total", "Sessions of agents that ended, by provider and expected")
export const agentRestarts = counter("agent_restarts_total", "Restarts of agents that had ended by themselves")
export const agentsReaped = gauge(
  "agent_processes_reaped",
  "Processes of an earlier server that were ended at the start"
)
export const agents = gauge("agents", "Agent processes now, by state")

/** Counts by `ending`: an outcome of the agent, `failed`, `lost` or `withdrawn`. */
export const turns = counter("turns_ended_total", "Turns that ended, by their ending")

/** Counts by `outcome`: `done` or `failed`. */
export const transactions = counter("transactions_total", "Transactions of thread logs, by outcome")
export const transactionSeconds = seconds("transaction_seconds", "Time of a transaction")
export const flushEvents = Metric.histogram("flush_events", {
  description: "Events that were written in one transaction",
  boundaries: eventBoundaries
})
/** Counts by `outcome`: `done` or `failed`. */
export const folds = counter("folds_total", "Folds: the tail of a log written into its thread's rows, by outcome")
export const foldSeconds = seconds("fold_seconds", "Time of a fold that is a transaction of its own")

/** Counts by `of`: `thread` or `list`. */
export const watchers = gauge("watchers", "Clients that are following, by what they follow")
/** Counts by `reason`: `begin`, or `behind` if the client was too slow for the events. */
export const snapshots = counter("snapshots_total", "Whole states sent to clients, by reason")

/** Counts by `part`: `database`, `journal`, `tapes`, `free`. */
export const storageBytes = gauge("storage_bytes", "Bytes on the disk, by part")
export const storageFailing = gauge("storage_failing", "1 while nothing can be kept")
/** Counts by `state`: `all`, `in-memory`, `running`, `unreadable`. */
export const threads = gauge("threads", "Threads, by state")

export const residentBytes = gauge("process_resident_bytes", "Memory of the server process")
export const heapBytes = gauge("process_heap_bytes", "Memory in use on the server's heap")
export const startTime = gauge("process_start_time_seconds", "When the server started, since 1970")
