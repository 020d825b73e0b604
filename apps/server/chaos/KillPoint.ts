/** Where in its life a server is killed. */
import type { Random } from "@signalbox/stand-in-agents/cursor/Random"

/** By the server itself, at the nth start or end of a span of this name. */
export interface SpanKill {
  readonly name: string
  readonly edge: "start" | "end"
  readonly nth: number
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
export type Sight = (typeof sights)[number]

export type KillPoint =
  | ({ readonly type: "span" } & SpanKill)
  /** When a client sees this for the nth time, over all threads. */
  | { readonly type: "sight"; readonly sight: Sight; readonly nth: number }
  /** So many milliseconds after the process was started: it may not even be ready. */
  | { readonly type: "time"; readonly afterMs: number }
  /** When nothing goes on any more. */
  | { readonly type: "rest" }

/** The steps of the command path and of the way back, and how often about twenty threads take them. */
const spans: ReadonlyArray<readonly [name: string, often: number]> = [
  ["Threads.send", 60],
  ["ThreadActor.make", 20],
  ["ThreadActor.handle", 60],
  ["ThreadIntake.flush", 40],
  ["ThreadActor.fold", 20],
  ["ThreadStore.commit", 150],
  ["ThreadStore.fold", 20],
  ["ProviderCommandReactor.runTurn", 20],
  ["ProviderCommandReactor.ensureSession", 20],
  ["ProviderCommandReactor.dispatch", 20],
  ["ProviderCommandReactor.handOver", 20],
  ["ProviderCommandReactor.respond", 4],
  ["ProviderCommandReactor.interrupt", 4],
  ["ProviderCommandReactor.stop", 2],
  ["Cancellation.interrupt", 4],
  ["ProviderService.startSession", 20],
  ["SessionStart.start", 20],
  ["AgentProcess.start", 20],
  ["AcpAdapter.sendTurn", 20],
  ["AcpAdapter.respondToRequest", 4],
  ["AcpAdapter.interruptTurn", 4],
  ["ProviderSessionStore.put", 20],
  ["Tape.open", 20],
  ["Migrations.migrate", 1],
  ["Threads.remove", 1],
  ["ThreadActor.remove", 1],
  ["ThreadStore.remove", 1],
  ["Erasure.rewrite", 1],
  ["Tapes.remove", 1]
]

/** `busy`: about how many threads are at work. A point that is never reached is the same as `rest`. */
export const choose = (random: Random, busy: number): KillPoint => {
  const kind = random.next()
  if (kind < 0.55) {
    const [name, often] = spans[random.between(0, spans.length - 1)] ?? ["ThreadStore.commit", 150]
    const most = Math.max(1, Math.round((often * busy) / 20))
    return { type: "span", name, edge: random.next() < 0.5 ? "start" : "end", nth: random.between(1, most) }
  }
  if (kind < 0.85) {
    const sight = sights[random.between(0, sights.length - 1)] ?? "first text"
    const often =
      sight === "more text" ? busy * 5 : sight.startsWith("turn") || sight === "first text" ? busy : busy / 5
    return { type: "sight", sight, nth: random.between(1, Math.max(1, Math.round(often))) }
  }
  return { type: "time", afterMs: random.between(200, 3500) }
}

export const textOf = (point: KillPoint): string => {
  switch (point.type) {
    case "span":
      return `the ${point.edge} of ${point.name} #${point.nth}`
    case "sight":
      return `“${point.sight}” #${point.nth}`
    case "time":
      return `${point.afterMs} ms`
    case "rest":
      return "rest"
  }
}
