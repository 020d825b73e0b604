// Loaded into a process (`node --expose-gc --import`): on SIGUSR2 it collects its garbage, and adds a line to the file that $BENCH_HEAPS
// names: what is left, in MB. Its first line is the number of its process. `codeMb` is the part that V8 keeps for itself: compiled code, and
// the lists beside it. It grows as functions get warm, and is none of what the program holds.
import { appendFileSync } from "node:fs"
import { json } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { getHeapSnapshot } from "node:v8"
import { isMainThread } from "node:worker_threads"

const file = process.env.BENCH_HEAPS

/** The bytes of nodes that are V8's own. */
const bytesOfCode = async () => {
  const { nodes, snapshot } = await json(getHeapSnapshot())
  const {
    node_fields: fields,
    node_types: [kinds]
  } = snapshot.meta
  const own = new Set(["code", "hidden"].map((kind) => kinds.indexOf(kind)))
  const [kindAt, sizeAt] = ["type", "self_size"].map((field) => fields.indexOf(field))
  let bytes = 0
  for (let at = 0; at < nodes.length; at += fields.length) if (own.has(nodes[at + kindAt])) bytes += nodes[at + sizeAt]
  return bytes
}

const collect = async () => {
  for (let times = 0; times < 3; times++) {
    gc()
    // What only the end of its garbage frees goes with the next collection.
    await wait(50)
  }
  const { arrayBuffers, external, heapUsed } = process.memoryUsage()
  const [heapMb, outsideMb, codeMb] = [heapUsed, external + arrayBuffers, await bytesOfCode()].map(
    (bytes) => bytes / 1e6
  )
  appendFileSync(file, `${JSON.stringify({ heapMb, codeMb, outsideMb })}\n`)
}

if (isMainThread && file !== undefined) {
  appendFileSync(file, `${process.pid}\n`)
  process.on("SIGUSR2", () => void collect())
}
