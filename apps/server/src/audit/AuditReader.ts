/** Reads the audit log, also while others write to it. Changes nothing. */
import {
  type AuditDecision,
  type AuditEnd,
  type AuditFilter,
  type AuditPage,
  type AuditRefusal,
  type AuditRow,
  type RuleCount,
  RuleCount as RuleCountSchema
} from "@signalbox/contracts/Audit"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { existsSync } from "node:fs"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { type StorageError, storageError } from "../storage/StorageError.ts"
import * as AuditChain from "./AuditChain.ts"

/** Runs synchronous work over the log at a path. `none` if there is no log yet. */
const reading = <A>(path: string, none: A, work: (database: DatabaseSync) => A): Effect.Effect<A, StorageError> =>
  Effect.try({
    try: () => {
      if (!existsSync(path)) return none
      const database = new DatabaseSync(path, { readOnly: true, timeout: 250 })
      try {
        database.exec("PRAGMA trusted_schema = OFF")
        return work(database)
      } finally {
        database.close()
      }
    },
    catch: storageError(path)
  })

const linkOf = (row: Readonly<Record<string, unknown>>): AuditChain.Link => ({
  sequence: Number(row["sequence"]),
  hash: String(row["hash"]),
  text: String(row["entry"])
})

/** Filters by column. Members of the filter that are not there are not asked for. */
const conditions = (filter: AuditFilter) => {
  const { agent, by, effect, folder, rule, since, threadId, until } = filter
  const all: ReadonlyArray<readonly [string, SQLInputValue | undefined]> = [
    ["thread = ?", threadId],
    ["agent = ?", agent],
    ["folder = ?", folder],
    ["effect = ?", effect],
    ["rule = ?", rule],
    ["decider = ?", by],
    ["at >= ?", since],
    ["at < ?", until]
  ]
  const given = all.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  return {
    sql: ["type = 'decision'", ...given.map(({ sql }) => sql)].join(" AND "),
    values: given.map(({ value }) => value)
  }
}

export interface Wanted {
  readonly filter: AuditFilter
  /** Only entries before this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** One page of decisions, latest first. */
export const page = Effect.fn("AuditReader.page")((path: string, { before, filter, limit }: Wanted) =>
  reading(path, { rows: [], unreadable: 0 }, (database): AuditPage => {
    const wanted = conditions(filter)
    const found = database
      .prepare(
        `SELECT sequence, hash, entry FROM entries WHERE ${wanted.sql} AND sequence < ? ORDER BY sequence DESC LIMIT ?`
      )
      .all(...wanted.values, before ?? Number.MAX_SAFE_INTEGER, limit + 1)
      .map(linkOf)
    const shown = found.slice(0, limit)
    // A refusal may come before the decision: another answer was taken, and is on its way.
    const ofRequest = database.prepare(
      "SELECT sequence, hash, entry FROM entries WHERE request = ? AND type <> 'decision'"
    )
    const rows = shown.flatMap((link): ReadonlyArray<AuditRow> => {
      const decision = decisionOf(link)
      if (decision === undefined) return []
      const others = ofRequest.all(decision.requestId).map(linkOf)
      const end = others.flatMap(endOf)[0]
      return [{ decision, hash: link.hash, ...(end !== undefined && { end }), refusals: others.flatMap(refusalOf) }]
    })
    const last = shown.at(-1)
    return {
      rows,
      unreadable: shown.length - rows.length,
      ...(last !== undefined && found.length > limit && { next: last.sequence })
    }
  })
)

const decisionOf = ({ text }: AuditChain.Link): AuditDecision | undefined => {
  const entry = AuditChain.entryOf(text)
  return entry?.type === "decision" ? entry : undefined
}

const endOf = ({ text }: AuditChain.Link): ReadonlyArray<AuditEnd> => {
  const entry = AuditChain.entryOf(text)
  return entry?.type === "end" ? [entry] : []
}

const refusalOf = ({ text }: AuditChain.Link): ReadonlyArray<AuditRefusal> => {
  const entry = AuditChain.entryOf(text)
  return entry?.type === "refusal" ? [entry] : []
}

/** The threads whose id begins so; at most ten. */
export const threadsLike = Effect.fn("AuditReader.threadsLike")((path: string, beginning: string) =>
  reading(path, [], (database): ReadonlyArray<string> =>
    database
      .prepare("SELECT DISTINCT thread FROM entries WHERE substr(thread, 1, length(?1)) = ?1 LIMIT 10")
      .all(beginning)
      .map((row) => String(row["thread"]))
  )
)

const decodeCount = Schema.decodeUnknownOption(RuleCountSchema)

const counting = `
SELECT rule, sum(decider = 'rule' AND effect = 'allow') AS allowed, sum(decider = 'rule' AND effect = 'deny') AS denied,
  sum(decider <> 'rule') AS asked, max(at) AS lastAt, max(sequence) AS latest
FROM entries WHERE rule IS NOT NULL AND at >= ? GROUP BY rule ORDER BY rule`

/** What each rule did since a moment. */
export const countRules = Effect.fn("AuditReader.countRules")((path: string, since: number) =>
  reading(path, [], (database): ReadonlyArray<RuleCount> => {
    const newest = database.prepare("SELECT sequence, hash, entry FROM entries WHERE sequence = ?")
    return database
      .prepare(counting)
      .all(since)
      .flatMap(({ allowed, asked, denied, lastAt, latest }) => {
        const row = newest.get(latest ?? null)
        const decision = row === undefined ? undefined : decisionOf(linkOf(row))
        const rule = decision?.by.type === "rule" ? decision.by.rule : decision?.judgement?.rule
        return Option.toArray(decodeCount({ rule, allowed, denied, asked, lastAt }))
      })
  })
)

/** Entries that are read at once. */
const stretch = 256

/** Gives all entries in their order to a function, in stretches between which others get their turn. */
export const each = Effect.fn("AuditReader.each")(function* <E>(
  path: string,
  see: (link: AuditChain.Link) => Effect.Effect<void, E>
): Effect.fn.Return<void, E | StorageError> {
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const links = yield* reading(path, [], (database) =>
      database
        .prepare("SELECT sequence, hash, entry FROM entries WHERE sequence > ? ORDER BY sequence LIMIT ?")
        .all(after, stretch)
        .map(linkOf)
    )
    for (const link of links) yield* see(link)
    const last = links.at(-1)
    if (last === undefined || links.length < stretch) return
    after = last.sequence
    yield* Effect.yieldNow
  }
})
