/**
 * Finds schema entries that our migrations did not make: triggers, views, virtual tables, indices and tables. They run,
 * or can be made to run, when we write and read. So none of them is kept.
 */
import type { DatabaseSync } from "node:sqlite"
import { oneLine } from "../base/Plain.ts"

/** One entry of a schema. */
export interface SchemaEntry {
  /** The number of its row. */
  readonly place: number
  readonly type: string
  readonly name: string
  /** The SQL that made it. */
  readonly sql: string
}

/** All entries of a schema that have SQL of their own. SQLite derives all other entries from these. */
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
  /** Names of our own entries that are missing or altered. */
  readonly altered: ReadonlyArray<string>
}

const keyOf = ({ name, type }: SchemaEntry): string => `${type} ${name}`

/** White space and line breaks don't matter in a comparison. */
const shortened = (sql: string): string => sql.replaceAll(/\s+/g, " ").trim()

/** Compares two schemas. `ours`: the schema as our migrations make it. */
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

/** Kinds of entries, in the order in which they are listed. */
const order = ["trigger", "view", "virtual table", "table", "index"]

const kindOf = ({ sql, type }: SchemaEntry): string =>
  type === "table" && /^create\s{1,9}virtual\b/i.test(sql) ? "virtual table" : type

/**
 * Removes entries from the schema in one step, and rewrites the file without their content. Dropped one by one, SQLite
 * would search all other entries for each. Nobody else may have the file open.
 */
export const remove = (database: DatabaseSync, foreign: ReadonlyArray<SchemaEntry>): void => {
  database.enableDefensive(false)
  database.exec("PRAGMA writable_schema = ON; BEGIN")
  try {
    const entry = database.prepare("DELETE FROM sqlite_schema WHERE rowid = ?")
    for (const { place } of foreign) entry.run(place)
    // Entries that SQLite made for the removed tables.
    database.exec(
      "DELETE FROM sqlite_schema WHERE sql IS NULL AND tbl_name NOT IN (SELECT name FROM sqlite_schema WHERE type = 'table')"
    )
    database.exec("COMMIT; PRAGMA writable_schema = RESET; VACUUM")
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK")
    database.enableDefensive(true)
  }
}

/** The most names of each kind that a sentence lists. */
const mostNames = 5

/** The first of these names for people, made safe to show. */
export const namesOf = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, mostNames).map((name) => oneLine(name, 60))
  return [...shown, ...(names.length > mostNames ? [`and ${names.length - mostNames} more`] : [])].join(", ")
}

/** Foreign entries in words for people: `1 trigger (audit), 2 views (a, b)`. */
export const words = (foreign: ReadonlyArray<SchemaEntry>): string =>
  order
    .flatMap((kind) => {
      const names = foreign.filter((entry) => kindOf(entry) === kind).map(({ name }) => name)
      if (names.length === 0) return []
      const plural = kind === "index" ? "indices" : `${kind}s`
      return [`${names.length} ${names.length === 1 ? kind : plural} (${namesOf(names)})`]
    })
    .join(", ")
