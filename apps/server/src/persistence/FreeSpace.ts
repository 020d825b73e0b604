/** Room in a database file that nothing is kept in any more, and how the file system gets it back. */
import type { DatabaseSync } from "node:sqlite"

/** Files up to this size are written anew, once, so that they can shrink. Larger ones reuse their room, but stay as long as they are. */
const worthRewriting = 64 * 1024 * 1024

const number = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])

/** `PRAGMA auto_vacuum`: pages in a file of this mode can be given back a few at a time. */
const incremental = 2

/** Files of before 0.2 can't shrink. Takes up to a second, the first time; not in a transaction. */
export const makeShrinkable = (database: DatabaseSync): void => {
  if (number(database, "auto_vacuum") === incremental) return
  if (number(database, "page_count") * number(database, "page_size") > worthRewriting) return
  database.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
}

/** Gives back at most `pages`; whether there are more. */
export const giveBack = (database: DatabaseSync, pages: number): boolean => {
  if (number(database, "auto_vacuum") !== incremental) return false
  database.exec(`PRAGMA incremental_vacuum(${pages})`)
  return number(database, "freelist_count") > 0
}
