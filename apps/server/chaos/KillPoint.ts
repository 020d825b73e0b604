/** The point at which a server is killed. Each seed chooses the point of one life of the server. */
import { mixed } from "@signalbox/stand-in-agents/chaos/Treatment"
import { Random } from "@signalbox/stand-in-agents/cursor/Random"

/** The process kills itself at the nth start or end of a span of this name, or somewhat later. */
export interface SpanKill {
  readonly name: string
  readonly edge: "start" | "end"
  readonly nth: number
  /** Kill later: right before SQLite runs the statement of this number, counted from the edge. That is within a transaction. */
  readonly statement?: number
  /** Kill this many milliseconds after the edge, even while other work blocks the event loop. */
  readonly afterMs?: number
}

/** Events that a client can see. */
export const sights = [
  "turn accepted",
  "first text",
  "more text",
  "request open",
  "answer sent",
  "answer accepted",
  "stop sent",
  "stop accepted",
  "removal sent",
  "removal done",
  "turn ended"
] as const
/** `text due`: more text in an entry of which the first words are old enough that they have to survive. */
export type Sight = (typeof sights)[number] | "text due"

export type KillPoint =
  | ({ readonly type: "span" } & SpanKill)
  /** Kill when clients have seen this event `nth` times, counted over all threads. */
  | { readonly type: "sight"; readonly sight: Sight; readonly nth: number }
  /** Kill this many milliseconds after the process was started, which may be before it is ready. */
  | { readonly type: "time"; readonly afterMs: number }
  /**
   * Kill during a backup, which starts `beginsAfterMs` after the server is ready. The kill comes when the file of the copy appears, or,
   * with `copierDiesAfterMs`, when the backup process was itself killed.
   */
  | { readonly type: "backup"; readonly beginsAfterMs: number; readonly copierDiesAfterMs: number | undefined }
  /** Kill when all threads are at rest. */
  | { readonly type: "rest" }

/** Spans of the command path and the way back. Each has how often five threads run it, and how many SQL statements one runs. */
const spans: ReadonlyArray<readonly [name: string, often: number, statements?: number]> = [
  ["Threads.send", 15],
  ["ThreadActor.make", 5],
  ["ThreadActor.handle", 15],
  ["ThreadIntake.flush", 10, 5],
  ["ThreadActor.fold", 5, 8],
  ["ThreadStore.commit", 40, 6],
  ["ThreadStore.fold", 4, 8],
  ["TurnRuns.run", 5],
  ["ThreadSession.ensure", 5],
  ["TurnRuns.dispatch", 5],
  ["TurnRuns.handOver", 5],
  ["ProviderCommandReactor.respond", 1],
  ["TurnRuns.interrupt", 1],
  ["ThreadSession.stop", 1],
  ["Cancellation.interrupt", 1],
  ["ProviderService.startSession", 5],
  ["SessionStart.start", 5],
  ["GuardedProcess.start", 5],
  ["AgentProcess.start", 5],
  ["AcpAdapter.sendTurn", 5],
  ["AcpAdapter.respondToRequest", 1],
  ["AcpAdapter.interruptTurn", 1],
  ["ProviderSessionStore.put", 5, 4],
  ["Tape.open", 5]
]

type Kind = "migration" | "sight" | "fold" | "due" | "backup" | "span" | "rewrite" | "time"

/** The kind of kill for each seed, in turn. Each line is a batch. Only the first life of a batch has a database to migrate. */
const rounds: ReadonlyArray<ReadonlyArray<Kind>> = [
  ["migration", "sight", "fold", "due", "backup"],
  ["span", "rewrite", "due", "sight", "time"],
  ["migration", "due", "rewrite", "span", "fold"],
  ["due", "backup", "span", "rewrite", "span"]
]
const kinds = rounds.flat()

/** Number of seeds that share a state folder: 0 … 4, 5 … 9 and so on. Each chooses the end of one life. */
export const seedsPerBatch = 5

/** The number of the life whose end this seed chooses. */
export const lifeOf = (seed: number): number => seed % seedsPerBatch

/** Whether the thread of this seed is deleted in the life whose end the seed chooses. */
export const removes = (seed: number): boolean => kindOf(seed) === "rewrite"

/** Whether a thread of this seed streams in the life whose end the seed chooses. */
export const streams = (seed: number): boolean => kindOf(seed) === "due"

/** Whether the life whose end this seed chooses begins with a database of an earlier version. */
export const migrates = (seed: number): boolean => kindOf(seed) === "migration"

const kindOf = (seed: number): Kind => kinds[seed % kinds.length] ?? "span"

/** The kill point that a seed chooses, for about five threads at work. A point that is never reached counts as `rest`. */
export const ofSeed = (seed: number): KillPoint => {
  const random = new Random(mixed(seed, 0xba7c4))
  switch (kindOf(seed)) {
    case "migration":
      // The migration from version 0.1 to the current one runs about 90 statements.
      return within("Migrations.migrate", 1, random.between(1, 90))
    case "fold":
      return within("ThreadStore.fold", random.between(1, 3), random.between(1, 8))
    case "rewrite":
      if (random.next() < 0.3) return within("ThreadStore.remove", 1, random.between(1, 12))
      return { type: "span", name: "Erasure.rewrite", edge: "start", nth: 1, afterMs: random.between(0, 60) / 2 }
    case "backup":
      return {
        type: "backup",
        beginsAfterMs: random.between(0, 1500),
        copierDiesAfterMs: random.next() < 0.6 ? random.between(0, 60) / 2 : undefined
      }
    case "due":
      return { type: "sight", sight: "text due", nth: random.between(1, 40) }
    case "sight": {
      const sight = sights[random.between(0, sights.length - 1)] ?? "first text"
      const often = sight === "more text" ? 25 : sight.startsWith("turn") || sight === "first text" ? 5 : 1
      return { type: "sight", sight, nth: random.between(1, often) }
    }
    case "time":
      return { type: "time", afterMs: random.between(200, 3500) }
    case "span": {
      const [name, often, statements = 0] = spans[random.between(0, spans.length - 1)] ?? ["ThreadStore.commit", 40]
      const nth = random.between(1, often)
      if (statements > 0 && random.next() < 0.5) return within(name, nth, random.between(1, statements))
      return { type: "span", name, edge: random.next() < 0.5 ? "start" : "end", nth }
    }
  }
}

const within = (name: string, nth: number, statement: number): KillPoint => ({
  type: "span",
  name,
  edge: "start",
  nth,
  statement
})

export const textOf = (point: KillPoint): string => {
  switch (point.type) {
    case "span": {
      const { afterMs, edge, name, nth, statement } = point
      if (statement !== undefined) return `statement ${statement} of ${name} #${nth}`
      return `${afterMs === undefined ? "" : `${afterMs} ms after `}the ${edge} of ${name} #${nth}`
    }
    case "sight":
      return `“${point.sight}” #${point.nth}`
    case "time":
      return `${point.afterMs} ms`
    case "backup":
      return point.copierDiesAfterMs === undefined
        ? "the beginning of a backup"
        : `${point.copierDiesAfterMs} ms of a backup`
    case "rest":
      return "rest"
  }
}
