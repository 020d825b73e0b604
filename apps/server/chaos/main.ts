/**
 * `npm run chaos`: kills the real server again and again and checks what it promises.
 *
 *     npm run chaos -- --seeds 10000 [--from N]    seeds from N on, whole batches: a kill for each seed
 *     npm run chaos -- --seed 1234                 the batch of this seed again
 */
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/signalbox", import.meta.url)))
await import("effect/schema/SchemaJITCompiler/enable")
const Effect = await import("effect/Effect")
const { seedsPerBatch } = await import("./KillPoint.ts")
const Campaign = await import("./Campaign.ts")

const { values } = parseArgs({
  options: { seed: { type: "string" }, seeds: { type: "string" }, from: { type: "string" } }
})
const numberOf = (name: "seed" | "seeds" | "from", otherwise: number): number => {
  const given = values[name]
  const number = Number(given ?? otherwise)
  if (Number.isSafeInteger(number) && number >= 0) return number
  console.error(`--${name} ${given} is no whole number.`)
  process.exit(2)
}

const first = Math.floor(numberOf(values.seed === undefined ? "from" : "seed", 0) / seedsPerBatch)
const count = values.seed === undefined ? Math.ceil(numberOf("seeds", 200) / seedsPerBatch) : 1
const summary = await Effect.runPromise(Campaign.run({ first, count, tell: (line) => console.log(line) }))
console.log(Campaign.total(summary))
process.exit(summary.failures.length === 0 ? 0 : 1)
