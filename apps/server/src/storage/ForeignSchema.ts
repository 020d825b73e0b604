/**
 * What a database holds beside what our migrations made: triggers, views, virtual tables, indices and tables of others. They run, or
 * can be made to run, when we write and read; so none of it is taken over.
 */
import type { DatabaseSync } from "node:sqlite"
import { oneLine } from "../base/Plain.ts"

/** One entry of a schema. */
export interface SchemaEntry {
  /** Its row. */
  readonly place: number
  readonly type: string
  readonly name: string
  /** How it was made. */
  readonly sql: string
}

/** Everything in a schema that has a text of its own. What SQLite makes beside it follows from those. */
export const read = (database: DatabaseSync): ReadonlyArray<SchemaEntry> =>
  database
    .prepare(
      "SELECT rowid AS place, type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name IS NOT 'sqlite_sequence'"
    )
    .all()
    .map(({ name, place, sql, type }) => ({
      place: Number(place),
      type: String(type),
      name: String(name),
      sql: String(sql)
    }))

export interface Comparison {
  readonly foreign: ReadonlyArray<SchemaEntry>
  /** Names of what is ours, and missing or made in another way. */
  readonly altered: ReadonlyArray<string>
}

const keyOf = ({ name, type }: SchemaEntry): string => `${type} ${name}`

/** How it is broken into lines says nothing. */
const shortened = (sql: string): string => sql.replaceAll(/\s+/g, " ").trim()

/** `ours`: the schema as our migrations make it. */
export const compare = (ours: ReadonlyArray<SchemaEntry>, found: ReadonlyArray<SchemaEntry>): Comparison => {
  const known = new Map(ours.map((entry) => [keyOf(entry), shortened(entry.sql)]))
  const same = new Set(
    found.filter((entry) => known.get(keyOf(entry)) === shortened(entry.sql)).map((entry) => keyOf(entry))
  )
  return {
    foreign: found.filter((entry) => !known.has(keyOf(entry))),
    altered: ours.filter((entry) => !same.has(keyOf(entry))).map(({ name }) => name)
  }
}

/** In the order in which they are told. */
const order = ["trigger", "view", "virtual table", "table", "index"]

const kindOf = ({ sql, type }: SchemaEntry): string =>
  type === "table" && /^create\s{1,9}virtual\b/i.test(sql) ? "virtual table" : type

/**
 * Takes entries out of the schema at once, and writes the file anew without what they held. One by one SQLite would look through all
 * others for each. Nobody else may have the file open.
 */
export const remove = (database: DatabaseSync, foreign: ReadonlyArray<SchemaEntry>): void => {
  database.enableDefensive(false)
  database.exec("PRAGMA writable_schema = ON; BEGIN")
  try {
    const entry = database.prepare("DELETE FROM sqlite_schema WHERE rowid = ?")
    for (const { place } of foreign) entry.run(place)
    // What SQLite made for tables that are no longer there.
    database.exec(
      "DELETE FROM sqlite_schema WHERE sql IS NULL AND tbl_name NOT IN (SELECT name FROM sqlite_schema WHERE type = 'table')"
    )
    database.exec("COMMIT; PRAGMA writable_schema = RESET; VACUUM")
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK")
    database.enableDefensive(true)
  }
}

/** How many names of each kind are told. */
const mostNames = 5

/** Names as people are told: the first of them, made safe to show. */
export const namesOf = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, mostNames).map((name) => oneLine(name, 60))
  return [...shown, ...(names.length > mostNames ? [`and ${names.length - mostNames} more`] : [])].join(", ")
}

/** The foreign parts in words for people: `1 trigger (audit), 2 views (a, b)`. */
export const words = (foreign: ReadonlyArray<SchemaEntry>): string =>
  order
    .flatMap((kind) => {
      const names = foreign.filter((entry) => kindOf(entry) === kind).map(({ name }) => name)
      if (names.length === 0) return []
      const plural = kind === "index" ? "indices" : `${kind}s`
      return [`${names.length} ${names.length === 1 ? kind : plural} (${namesOf(names)})`]
    })
    .join(", ")
