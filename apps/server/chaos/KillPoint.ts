/** Where in its life a server is killed. Each seed chooses the point of one life. */
import { mixed } from "@signalbox/stand-in-agents/chaos/Treatment"
import { Random } from "@signalbox/stand-in-agents/cursor/Random"

/** By the process itself, at the nth start or end of a span of this name, or within what follows. */
export interface SpanKill {
  readonly name: string
  readonly edge: "start" | "end"
  readonly nth: number
  /** Not at the edge, but right before SQLite carries out the so-manyth statement from there: within a transaction. */
  readonly statement?: number
  /** Not at the edge, but so many milliseconds later, also while something else holds up the whole process. */
  readonly afterMs?: number
}

/** What a client can see happen. */
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
/** `text due`: more text, in an entry whose first words have to survive by now. */
export type Sight = (typeof sights)[number] | "text due"

export type KillPoint =
  | ({ readonly type: "span" } & SpanKill)
  /** When a client sees this for the nth time, over all threads. */
  | { readonly type: "sight"; readonly sight: Sight; readonly nth: number }
  /** So many milliseconds after the process was started: it may not even be ready. */
  | { readonly type: "time"; readonly afterMs: number }
  /**
   * While a copy is made beside it, which begins so many milliseconds after the server is ready: when the copy's file appears, or as soon
   * as the process that makes it has died `copierDiesAfterMs` after it began.
   */
  | { readonly type: "backup"; readonly beginsAfterMs: number; readonly copierDiesAfterMs: number | undefined }
  /** When nothing goes on any more. */
  | { readonly type: "rest" }

/** The steps of the command path and of the way back, how often five threads take them, and how many statements are in them. */
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

/** The ways to die, by the number of the seed: each line is a batch. Only the first life of a batch has something to migrate. */
const rounds: ReadonlyArray<ReadonlyArray<Kind>> = [
  ["migration", "sight", "fold", "due", "backup"],
  ["span", "rewrite", "due", "sight", "time"],
  ["migration", "due", "rewrite", "span", "fold"],
  ["due", "backup", "span", "rewrite", "span"]
]
const kinds = rounds.flat()

/** Seeds that share a state folder, and each choose the end of one life there: 0 … 4, 5 … 9 and so on. A seed is replayed with its neighbours. */
export const seedsPerBatch = 5

/** Number of the life that ends as this seed has it. */
export const lifeOf = (seed: number): number => seed % seedsPerBatch

/** The thread of such a seed is deleted in the life that ends so. */
export const removes = (seed: number): boolean => kindOf(seed) === "rewrite"

/** A thread of such a seed streams in the life that ends so. */
export const streams = (seed: number): boolean => kindOf(seed) === "due"

/** The life that ends so begins with a database of an earlier version. */
export const migrates = (seed: number): boolean => kindOf(seed) === "migration"

const kindOf = (seed: number): Kind => kinds[seed % kinds.length] ?? "span"

/** The point that a seed chooses, with about five threads at work. One that is never reached is the same as `rest`. */
export const ofSeed = (seed: number): KillPoint => {
  const random = new Random(mixed(seed, 0xba7c4))
  switch (kindOf(seed)) {
    case "migration":
      // Of 0.1 to now takes some 90 statements.
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
