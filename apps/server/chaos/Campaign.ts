/** Runs many batches, and reports their results in words. */
import type { TurnStatus } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Batch from "./Batch.ts"
import * as KillPoint from "./KillPoint.ts"
import * as MortalBuild from "./MortalBuild.ts"
import type { Mutant } from "./Mutant.ts"
import type { Broken } from "./Promises.ts"

export interface Options {
  /** Number of the first batch. */
  readonly first: number
  /** How many batches to run. */
  readonly count: number
  /** Batches at a time. */
  readonly concurrency?: number
  /** A build that breaks a promise, run instead of the product. */
  readonly mutant?: Mutant
  /** Takes a line for each batch. */
  readonly tell?: (line: string) => void
}

export interface Failure extends Broken {
  /** The seed that reproduces the failure. */
  readonly seed: number
  /** Holds the database, the logs and what the agents received. */
  readonly folder: string | undefined
}

export interface Summary {
  readonly seeds: number
  /** How many turns ended in each way. */
  readonly turns: ReadonlyMap<TurnStatus, number>
  readonly kills: number
  /** How many servers died at their kill point, and not at rest. */
  readonly reached: number
  readonly failures: ReadonlyArray<Failure>
  readonly seconds: number
}

export const run = Effect.fnUntraced(function* ({ concurrency = 6, count, first, mutant, tell }: Options) {
  const began = performance.now()
  let done = 0
  const program = mutant === undefined ? yield* MortalBuild.make : undefined
  const reports = yield* Effect.forEach(
    Array.from({ length: count }, (_, index) => first + index),
    (batch) =>
      Effect.tap(Batch.run(batch, { mutant, program }), (report) =>
        Effect.sync(() => {
          done += report.seeds.length
          tell?.(`${done}/${count * KillPoint.seedsPerBatch} ${lineOf(report)}`)
          for (const failure of failuresOf(report)) for (const line of told(failure)) tell?.(line)
        })
      ),
    { concurrency }
  )
  const deaths = reports.flatMap(({ lives }) => lives.slice(0, -1))
  const summary: Summary = {
    seeds: count * KillPoint.seedsPerBatch,
    turns: new Map(
      [
        ...Map.groupBy(
          reports.flatMap(({ turns }) => turns),
          (status) => status
        )
      ].map(([status, { length }]) => [status, length])
    ),
    kills: deaths.length,
    reached: deaths.filter(({ reached }) => reached).length,
    failures: reports.flatMap(failuresOf),
    seconds: (performance.now() - began) / 1000
  }
  return summary
})

const lineOf = ({ broken, lives, seeds }: Batch.BatchReport): string => {
  const points = lives
    .slice(0, -1)
    .map(({ point, reached }) => `${KillPoint.textOf(point)}${reached ? "" : " (not reached)"}`)
  const seconds = lives.reduce((sum, life) => sum + life.seconds, 0)
  const outcome = broken.length === 0 ? "" : ` — ${broken.length} broken`
  return `seeds ${seeds[0]}–${seeds.at(-1)}: killed at ${points.join(", ")}, ${seconds.toFixed(1)} s${outcome}`
}

const failuresOf = ({ broken, folder, seeds }: Batch.BatchReport): ReadonlyArray<Failure> =>
  broken.map(({ promise, seed = seeds[0] ?? 0, what }) => ({ promise, seed, what, folder }))

const told = ({ folder, promise, seed, what }: Failure): ReadonlyArray<string> => [
  `✗ ${promise}, seed ${seed}: ${what}`,
  `  again: npm run chaos -- --seed ${seed}   kept: ${folder}`
]

/** The result in one line. */
export const total = ({ failures, kills, reached, seconds, seeds, turns }: Summary): string =>
  `${seeds} threads, turns ${[...turns].map(([status, count]) => `${count} ${status}`).join(", ")}; ` +
  `${kills} kills (${reached} at the point that was chosen): ` +
  `${failures.length === 0 ? "every promise was kept" : `${failures.length} promises were broken`}, ${seconds.toFixed(0)} s`

/** The lines of the report at the end. */
export const describe = (summary: Summary): ReadonlyArray<string> => [...summary.failures.flatMap(told), total(summary)]
