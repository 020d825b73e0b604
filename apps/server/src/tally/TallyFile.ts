/**
 * The file of the counts: `suggestions.sqlite` in the state folder. The server, `nes lsp` and `nes try` write to it at
 * the same time, so it is a database of its own. Synchronous. It has neither texts nor paths of anybody.
 *
 * Its size is bounded: one row for each figure of a day, thirty days, and one more set of rows for all days before.
 */
import * as fs from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import * as SharedDatabase from "../storage/SharedDatabase.ts"
import { StorageError, storageError } from "../storage/StorageError.ts"

/** An agent as it is counted. */
export interface CountedAgent {
  readonly provider: string
  /** The program of an agent that a command names by it. Empty for all others. */
  readonly program: string
  readonly name: string
}

/** What is counted: the ends of suggestions, and the answers to questions. */
export type What =
  | "accepted"
  | "answered"
  | "cancelled"
  | "failed"
  | "ignored"
  | "overtaken"
  | "refused"
  | "rejected"
  | "replaced"

/** What has come to an agent's counts. `detail`: the milliseconds of an answer, and the reason of a refusal. */
export interface Addition {
  readonly agent: CountedAgent
  readonly day: number
  readonly what: What
  readonly detail: number | string
  readonly times: number
}

/** A figure of an agent, over all days and over the last thirty. */
export interface Row {
  readonly provider: string
  readonly program: string
  readonly name: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly what: string
  readonly detail: number | string
  readonly all: number
  readonly lately: number
}

export interface TallyFile {
  /** Adds to the counts in one transaction. The clock may go back. Throws a `StorageError` if nothing was added. */
  readonly add: (additions: ReadonlyArray<Addition>, now: number) => void
  /** The figures of all agents, the one asked last first. Throws a `StorageError`. */
  readonly read: (now: number) => ReadonlyArray<Row>
  /** How often something has happened with an agent today. Throws a `StorageError`. */
  readonly today: (
    agent: Pick<CountedAgent, "program" | "provider">,
    now: number
  ) => ReadonlyArray<{ readonly what: string; readonly times: number }>
  /** Whether the file is still the one at its path. */
  readonly isThere: () => boolean
  readonly close: () => void
}

/** The number of the shape that this version writes. */
const shape = 1

/** Milliseconds that a statement waits for another program. This wait blocks the event loop. */
const busyTimeout = 25

/** How many days are counted one by one, today included. */
const recentDays = 30
/** Most agents that are kept. The one that was asked longest ago leaves for a new one. */
export const mostAgents = 100

const dayMs = 86_400_000
/** The day of a time, counted from 1970 in UTC. */
export const dayOf = (now: number): number => Math.floor(now / dayMs)
/** Milliseconds until the next day. */
export const restOfDay = (now: number): number => (dayOf(now) + 1) * dayMs - now
/** The day that stands for all days before the recent ones. */
const earlier = 0

const schema = `
CREATE TABLE agents (
  id INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  program TEXT NOT NULL,
  name TEXT NOT NULL,
  since INTEGER NOT NULL,
  latest INTEGER NOT NULL,
  UNIQUE (provider, program)
);
CREATE TABLE counts (
  agent INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  day INTEGER NOT NULL,
  what TEXT NOT NULL,
  detail NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (agent, day, what, detail)
) WITHOUT ROWID;
PRAGMA user_version = ${shape};
`

const connect = (path: string): DatabaseSync => {
  const database = SharedDatabase.open(path, busyTimeout)
  try {
    SharedDatabase.useWriteAheadLog(database, busyTimeout)
    database.exec("PRAGMA foreign_keys = ON")
    if (shapeOf(database) === 0) {
      database.exec("BEGIN IMMEDIATE")
      // Another program may have made it meanwhile.
      if (shapeOf(database) === 0) database.exec(schema)
      database.exec("COMMIT")
    }
    const found = shapeOf(database)
    if (found > shape)
      throw new StorageError({
        reason: "newer",
        path,
        detail: `it has the shape number ${found}, and this version knows ${shape}`
      })
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const shapeOf = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA user_version").get()?.["user_version"])

/** Device and number of the file at a path. */
const identityOf = (path: string): string | undefined => {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

/** Opens the file, and makes it if it is missing. Throws a `StorageError`. */
export const open = (path: string): TallyFile => {
  const attempt = <A>(work: () => A): A => {
    try {
      return work()
    } catch (error) {
      throw storageError(path)(error)
    }
  }
  const database = attempt(() => connect(path))
  const identity = identityOf(path)
  const { addition, agent, early, extra, fold, ofDay, rows } = attempt(() => statementsOf(database))
  let folded: number | undefined

  const idOf = ({ name, program, provider }: CountedAgent, now: number): number =>
    Number(agent.get(provider, program, name, now, now)?.["id"])

  return {
    add: (additions, now) =>
      attempt(() => {
        database.exec("BEGIN IMMEDIATE")
        try {
          const ids = new Map<CountedAgent, number>()
          for (const { agent: counted, day, detail, times, what } of additions) {
            const id = ids.get(counted) ?? idOf(counted, now)
            ids.set(counted, id)
            addition.run(id, day, what, detail, times)
          }
          extra.run(mostAgents)
          const last = dayOf(now) - recentDays
          if (folded !== last) {
            fold.run(earlier, earlier, last)
            early.run(earlier, last)
          }
          database.exec("COMMIT")
          folded = last
        } catch (error) {
          if (database.isTransaction) database.exec("ROLLBACK")
          throw error
        }
      }),
    read: (now) =>
      attempt(() =>
        rows
          .all(dayOf(now) - recentDays, dayOf(now))
          .map(({ all, detail, lately, name, program, provider, since, what }) => ({
            provider: String(provider),
            program: String(program),
            name: String(name),
            since: Number(since),
            what: String(what),
            detail: typeof detail === "number" ? detail : String(detail),
            all: Number(all),
            lately: Number(lately)
          }))
      ),
    today: ({ program, provider }, now) =>
      attempt(() =>
        ofDay
          .all(provider, program, dayOf(now))
          .map(({ times, what }) => ({ what: String(what), times: Number(times) }))
      ),
    isThere: () => identity !== undefined && identityOf(path) === identity,
    close: () => database.close()
  }
}

const statementsOf = (database: DatabaseSync) => ({
  // Whoever is asked now was asked last, also where the clock has gone back.
  agent: database.prepare(
    `INSERT INTO agents (provider, program, name, since, latest)
     VALUES (?, ?, ?, ?, max(?, (SELECT coalesce(max(latest), 0) FROM agents)))
     ON CONFLICT (provider, program) DO UPDATE SET name = excluded.name, latest = excluded.latest RETURNING id`
  ),
  extra: database.prepare(
    "DELETE FROM agents WHERE id IN (SELECT id FROM agents ORDER BY latest DESC, id DESC LIMIT -1 OFFSET ?)"
  ),
  addition: database.prepare(
    `INSERT INTO counts (agent, day, what, detail, times) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET times = times + excluded.times`
  ),
  fold: database.prepare(
    `INSERT INTO counts (agent, day, what, detail, times)
     SELECT agent, ?, what, detail, sum(times) FROM counts WHERE day > ? AND day <= ? GROUP BY agent, what, detail
     ON CONFLICT DO UPDATE SET times = times + excluded.times`
  ),
  ofDay: database.prepare(
    `SELECT what, sum(times) AS times FROM counts JOIN agents ON id = agent
     WHERE provider = ? AND program = ? AND day = ? GROUP BY what`
  ),
  early: database.prepare("DELETE FROM counts WHERE day > ? AND day <= ?"),
  rows: database.prepare(
    `SELECT provider, program, name, since, what, detail, sum(times) AS "all",
       sum(CASE WHEN day > ? AND day <= ? THEN times ELSE 0 END) AS lately
     FROM counts JOIN agents ON id = agent GROUP BY agent, what, detail ORDER BY latest DESC, agent`
  )
})
