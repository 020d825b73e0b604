/**
 * What befalls one line. Pure: the seed, the direction and the number of the line decide, whatever the time. So a seed does the same to the
 * same conversation again. Each fault draws for itself: turning one on leaves the others where they were.
 */
import { parseJson } from "../Json.ts"
import { Random } from "../cursor/Random.ts"
import { type Direction, type Fault, faults, type Rates } from "./Schedule.ts"

export interface Treatment {
  /** In the order in which `faults` lists them. */
  readonly faults: ReadonlyArray<Fault>
  /** The line as it is sent, with its end. */
  readonly bytes: Buffer
  readonly copies: 0 | 1 | 2
  readonly delayMs: number
  /** The places where it is cut: ascending, between two bytes. */
  readonly cuts: ReadonlyArray<number>
  readonly noise: Buffer | undefined
  readonly stderr: Buffer | undefined
}

/** Faults after which the conversation is no longer what both sides said. */
const lossy: ReadonlySet<Fault> = new Set<Fault>(["drop", "duplicate", "garble", "reorder"])

/** @param line from 1 in its direction; `bytes` with their line end; `method` of a request or notification. */
export const treat = (
  seed: number,
  direction: Direction,
  line: number,
  bytes: Buffer,
  method: string | undefined,
  rates: Rates
): Treatment => {
  const mayLose = rates.only === undefined || (method !== undefined && rates.only.has(method))
  const sources = new Map(
    faults.map((fault, index) => [fault, new Random(mixed(seed, direction === "toAgent" ? 1 : 2, line, index))])
  )
  const drawn = faults.filter((fault) => {
    const happens = (sources.get(fault)?.next() ?? 1) < (rates.chances[fault] ?? 0)
    return happens && (mayLose || !lossy.has(fault))
  })
  const draw = <A>(fault: Fault, otherwise: A, make: (random: Random) => A): A => {
    const random = sources.get(fault)
    return random !== undefined && drawn.includes(fault) ? make(random) : otherwise
  }
  const sent = draw("garble", bytes, (random) => garbled(bytes, random))
  return {
    faults: drawn,
    bytes: sent,
    copies: drawn.includes("drop") ? 0 : drawn.includes("duplicate") ? 2 : 1,
    delayMs: draw("delay", 0, (random) => random.between(...rates.delayMs)),
    cuts: draw("split", [], (random) => cutsIn(sent.length, random)),
    noise: draw("noise", undefined, (random) => Buffer.from(`${noises[random.between(0, noises.length - 1)]}\n`)),
    stderr: draw("stderr", undefined, (random) => Buffer.from(`${"warning ".repeat(random.between(1, 8192))}\n`))
  }
}

/** What programs are known to write where only JSON should be. */
const noises = [
  "(node:4711) ExperimentalWarning: the sky may fall",
  "Debugger listening on ws://127.0.0.1:9229/",
  "{ not: 'json' }",
  "",
  "\u001b[32m✔\u001b[39m ready",
  "null",
  "[]",
  '{"jsonrpc":"2.0"}'
]

const cutsIn = (length: number, random: Random): ReadonlyArray<number> => {
  if (length < 2) return []
  const cuts = Array.from({ length: random.between(1, 5) }, () => random.between(1, length - 1))
  return [...new Set(cuts)].toSorted((left, right) => left - right)
}

/** Never JSON, and always one line. */
const garbled = (bytes: Buffer, random: Random): Buffer => {
  const body = bytes.subarray(0, bytes.length - 1)
  if (body.length < 2) return Buffer.from("?\n")
  const broken = Buffer.from(body)
  for (let count = random.between(1, 4); count > 0; count--) {
    const byte = random.between(0, 255)
    broken[random.between(0, broken.length - 1)] = byte === 10 || byte === 13 ? 0xff : byte
  }
  const kept =
    parseJson(broken.toString()) === undefined ? broken : broken.subarray(0, random.between(1, body.length - 1))
  return Buffer.concat([kept, Buffer.from(parseJson(kept.toString()) === undefined ? "\n" : "{\n")])
}

/** One number of several, well spread (FNV-1a over their words). */
export const mixed = (...numbers: ReadonlyArray<number>): number => {
  let hash = 0x811c9dc5
  for (const number of numbers) {
    for (let shift = 0; shift < 32; shift += 8) hash = Math.imul(hash ^ ((number >>> shift) & 0xff), 0x01000193)
  }
  return hash >>> 0
}
