/**
 * The audit log as the rest of the program has it. Recording is synchronous, so that a decision and its entry are one step. While the log
 * can't be written, what people decide is kept in memory and written later.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type StorageError, storageError } from "../storage/StorageError.ts"
import type { AuditDraft, Link } from "./AuditChain.ts"
import * as AuditFile from "./AuditFile.ts"

export interface Written {
  readonly type: "written"
  readonly sequence: number
}

export interface Unwritten {
  readonly type: "unwritten"
  readonly problem: Problem
}

export interface AuditLog {
  /** The file. Undefined where no log is kept. */
  readonly path: string | undefined
  /**
   * Writes an entry.
   *
   * `now`: it is written now or never. `later`: what can't be written now is kept and written when that is possible. `synced`: like `later`,
   * and synced to the disk.
   */
  readonly record: (draft: AuditDraft, how: "later" | "now" | "synced") => Unwritten | Written
  /** Why entries can't be written now. */
  readonly problem: () => Problem | undefined
}

/** No log is kept where no folder is known for it. */
export const AuditLog = Context.Reference<AuditLog>("@signalbox/server/audit/AuditLog", {
  defaultValue: () => ({ path: undefined, record: () => ({ type: "written", sequence: 0 }), problem: () => undefined })
})

/** Milliseconds between two tries while the log can't be written: each may block for a moment. */
const pause = 2000

/** Most entries that wait in memory. Of more, only the number is written. */
const mostWaiting = 500

const problemOf = (error: StorageError): Problem => ({
  ...error.problem,
  title: `Decisions can't be recorded. ${error.problem.title}`
})

const make = Effect.fnUntraced(function* (path: string) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const run = Effect.runForkWith(yield* Effect.context())
  const waiting: Array<AuditDraft> = []
  let missing = 0
  let file: AuditFile.AuditFile | undefined
  let failing: { readonly problem: Problem; readonly since: number } | undefined

  /** The clock may have been set back since. */
  const isRecent = (at: number) => now() >= at && now() - at < pause

  const close = () => {
    file?.close()
    file = undefined
  }

  const write = (drafts: ReadonlyArray<AuditDraft>, durable: boolean): ReadonlyArray<Link> => {
    file ??= AuditFile.open(path, now)
    const why = failing?.problem.title ?? "The log could not be written."
    const gap: ReadonlyArray<AuditDraft> = missing === 0 ? [] : [{ type: "gap", at: now(), missing, why }]
    const links = file.append([...waiting, ...gap, ...drafts], durable)
    waiting.length = 0
    missing = 0
    return links
  }

  const fail = (thrown: unknown): Problem => {
    const error = storageError(path)(thrown)
    const problem = problemOf(error)
    if (failing === undefined) run(Effect.logError(`${problem.title} ${problem.cause}`))
    failing = { problem, since: now() }
    // The next try begins with an open file again: what was open may be what is wrong.
    try {
      close()
    } catch {
      file = undefined
    }
    return problem
  }

  const attempt = (drafts: ReadonlyArray<AuditDraft>, durable: boolean): Unwritten | Written => {
    if (failing !== undefined && isRecent(failing.since)) return { type: "unwritten", problem: failing.problem }
    try {
      const links = write(drafts, durable)
      if (failing !== undefined) run(Effect.logInfo("Decisions are recorded again."))
      failing = undefined
      return { type: "written", sequence: links.at(-1)?.sequence ?? 0 }
    } catch (error) {
      return { type: "unwritten", problem: fail(error) }
    }
  }

  const keep = (draft: AuditDraft) => {
    if (waiting.length < mostWaiting) waiting.push(draft)
    else missing += 1
  }

  const log: AuditLog = {
    path,
    record: (draft, how) => {
      const outcome = attempt([draft], how === "synced")
      if (outcome.type === "unwritten" && how !== "now") keep(draft)
      return outcome
    },
    problem: () => failing?.problem
  }

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      failing = undefined
      if (waiting.length > 0 || missing > 0) attempt([], true)
      close()
    }).pipe(
      Effect.andThen(
        Effect.suspend(() =>
          waiting.length + missing === 0
            ? Effect.void
            : Effect.logError(`${waiting.length + missing} decisions could not be recorded, and are lost.`)
        )
      )
    )
  )
  return log
})

/** The log at a path. The file is opened with the first entry. */
export const layer = (path: string) => Layer.effect(AuditLog, make(path))
