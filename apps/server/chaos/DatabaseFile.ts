/** Inspects a copy of the server's database as a crash left it. Opening the file itself would already repair it. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { databaseIn } from "../src/base/StateDirectory.ts"
import * as Marker from "./Marker.ts"

const parts = ["", "-wal"]

/** What SQLite finds wrong with the database. Empty where there is no database yet. */
export const damage = (stateDirectory: string, scratch: string): ReadonlyArray<string> => {
  const file = databaseIn(stateDirectory)
  if (!existsSync(file)) return []
  mkdirSync(scratch, { recursive: true })
  const copy = join(scratch, "copy.sqlite")
  for (const part of parts) if (existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`)
  try {
    const database = new DatabaseSync(copy)
    const found = database.prepare("PRAGMA integrity_check").all()
    database.close()
    return found.flatMap((row) => (row["integrity_check"] === "ok" ? [] : [String(row["integrity_check"])]))
  } catch (error) {
    return [String(error)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const files = (stateDirectory: string): ReadonlyArray<string> =>
  parts.map((part) => `${databaseIn(stateDirectory)}${part}`).filter((file) => existsSync(file))

/** The size of the database file and its journal, in bytes. */
export const size = (stateDirectory: string): number =>
  files(stateDirectory).reduce((sum, file) => sum + statSync(file).size, 0)

/** Whether the file or its journal contains words of this seed's thread. */
export const holds = (stateDirectory: string, seed: number): boolean =>
  files(stateDirectory).some((file) => Marker.standsIn(readFileSync(file), seed))
