/**
 * Runs the real `signalbox` with a tracer. It kills the process with SIGKILL at the start or the end of a span, or somewhat later. So a
 * server dies between two of its own steps, and the product contains no code for that.
 *
 *     CHAOS_SPAN='{"name":"ThreadStore.commit","edge":"end","nth":7}' CHAOS_DEATH=FILE node chaos/MortalServer.ts serve …
 *
 * The file gets the time of death, in milliseconds since 1970: on a busy machine other processes notice the end much later.
 * `CHAOS_MUTANT` names a build of `Mutant.ts` that is run instead of the product.
 */
import { writeFileSync } from "node:fs"
import { DatabaseSync, StatementSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import { inRepository } from "../src/base/Installation.ts"
import type { SpanKill } from "./KillPoint.ts"
import type { LateDeath } from "./LateDeath.ts"

const death = process.env["CHAOS_DEATH"] ?? "/dev/null"

const die = (): void => {
  writeFileSync(death, String(Date.now()))
  process.kill(process.pid, "SIGKILL")
}

/** Prepares a kill that comes `afterMs` after the returned function was called. */
const lateDeath = (afterMs: number): (() => void) => {
  const began = new Int32Array(new SharedArrayBuffer(4))
  const workerData: LateDeath = { began, afterMs, death }
  new Worker(inRepository("apps", "server", "chaos", "LateDeath.ts"), { workerData }).unref()
  return () => {
    Atomics.store(began, 0, 1)
    Atomics.notify(began, 0)
  }
}

/** Prepares a kill right before the statement of this number, counted from the call of the returned function. */
const deathAt = (statement: number): (() => void) => {
  let left = Infinity
  const wrap = (prototype: object, name: string): void => {
    const run: unknown = Reflect.get(prototype, name)
    if (typeof run !== "function") throw new TypeError(`SQLite has no ${name}.`)
    const counted = function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
      left -= 1
      if (left === 0) die()
      return Reflect.apply(run, this, args)
    }
    Reflect.set(prototype, name, counted)
  }
  for (const name of ["all", "get", "run"]) wrap(StatementSync.prototype, name)
  wrap(DatabaseSync.prototype, "exec")
  return () => void (left = Math.min(left, statement))
}

const source = process.env["CHAOS_SPAN"]
if (source !== undefined) {
  const point: SpanKill = JSON.parse(source)
  const { NativeSpan, nativeTracer } = await import("effect/Tracer")
  const { afterMs, statement } = point
  const reached = statement !== undefined ? deathAt(statement) : afterMs !== undefined ? lateDeath(afterMs) : die
  let left = point.nth
  const pass = (name: string, edge: SpanKill["edge"]): void => {
    if (name !== point.name || edge !== point.edge) return
    left -= 1
    if (left === 0) reached()
  }
  class MortalSpan extends NativeSpan {
    override end(...how: Parameters<typeof NativeSpan.prototype.end>): void {
      super.end(...how)
      pass(this.name, "end")
    }
  }
  // This is the default tracer, which all code uses that is given no other.
  Reflect.set(nativeTracer, "span", (options: ConstructorParameters<typeof NativeSpan>[0]) => {
    pass(options.name, "start")
    return new MortalSpan(options)
  })
}

const mutant = process.env["CHAOS_MUTANT"]
if (mutant !== undefined) (await import("./Mutant.ts")).become(mutant)

await import("../src/bin.ts")
