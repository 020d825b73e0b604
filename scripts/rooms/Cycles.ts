/** Finds cycles among files, among rooms and among packages. */
import type { Edge } from "./ImportGraph.ts"

/** One cycle: each hop leads from a node to the next one, and the last leads back to the first. */
export interface Cycle {
  readonly hops: ReadonlyArray<Hop>
}

export interface Hop {
  readonly from: string
  readonly to: string
  /** The first import that makes this hop. */
  readonly edge: Edge
}

type Graph = ReadonlyMap<string, ReadonlyMap<string, Edge>>

/** The shortest cycle of each group of nodes that all lead to each other. `nodeOf` says what counts as one node. */
export const find = (edges: ReadonlyArray<Edge>, nodeOf: (file: string) => string): ReadonlyArray<Cycle> => {
  const graph = new Map<string, Map<string, Edge>>()
  for (const edge of edges) {
    const [from, to] = [nodeOf(edge.from), nodeOf(edge.to)]
    // A file that imports itself is a cycle. Imports within a room are none.
    if (from === to && from !== edge.to) continue
    const next = graph.get(from) ?? new Map<string, Edge>()
    graph.set(from, next)
    if (!next.has(to)) next.set(to, edge)
  }
  return groups(graph).map((group) => shortest(graph, new Set(group)))
}

/** Groups of nodes that all lead to each other, by Tarjan's algorithm. */
const groups = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<ReadonlyArray<string>> = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: Array<string> = []
  const open = new Set<string>()
  const visit = (node: string): number => {
    const own = index.size
    index.set(node, own)
    stack.push(node)
    open.add(node)
    let lowest = own
    for (const next of graph.get(node)?.keys() ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next))
      else if (open.has(next)) lowest = Math.min(lowest, index.get(next) ?? lowest)
    }
    low.set(node, lowest)
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(node))
      for (const each of group) open.delete(each)
      if (group.length > 1 || graph.get(node)?.has(node)) found.push(group)
    }
    return lowest
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}

const shortest = (graph: Graph, group: ReadonlySet<string>): Cycle => {
  let best: ReadonlyArray<Hop> | undefined
  for (const start of [...group].sort()) {
    const hops = wayBack(graph, group, start)
    if (hops !== undefined && (best === undefined || hops.length < best.length)) best = hops
  }
  return { hops: best ?? [] }
}

/** The shortest way from a node back to itself. */
const wayBack = (graph: Graph, group: ReadonlySet<string>, start: string): ReadonlyArray<Hop> | undefined => {
  const reached = new Map<string, Hop>()
  const queue = [start]
  for (const node of queue) {
    for (const [to, edge] of graph.get(node) ?? []) {
      const hop = { from: node, to, edge }
      if (to === start) return [...wayTo(reached, node), hop]
      if (!group.has(to) || reached.has(to)) continue
      reached.set(to, hop)
      queue.push(to)
    }
  }
  return undefined
}

const wayTo = (reached: ReadonlyMap<string, Hop>, node: string): ReadonlyArray<Hop> => {
  const hop = reached.get(node)
  return hop === undefined ? [] : [...wayTo(reached, hop.from), hop]
}
