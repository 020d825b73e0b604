/** What researchers have found, in files of their own: it can be read again, and the same question is not asked twice. */
import * as NamedFile from "@signalbox/system/NamedFile"
import * as PrivateFile from "@signalbox/system/PrivateFile"
import { isMissing, reasonOf } from "@signalbox/system/SystemError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createHash, randomUUID } from "node:crypto"
import type { Stats } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"

/** A file of the history can't be read or written. */
class HistoryFailure extends Data.TaggedError("HistoryFailure")<{ readonly cause: unknown }> {}

/** What a question is about. Two questions with the same are the same question. */
export interface Subject {
  readonly ecosystem: string
  readonly package: string
  readonly version: string
  readonly prompt: string
}

/** The last moment that a `Date` has. */
const latest = 8.64e15

const Research = Schema.Struct({
  id: Schema.String,
  /** When it was answered, in milliseconds since 1970. */
  at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: latest })),
  ecosystem: Schema.String,
  package: Schema.String,
  version: Schema.String,
  prompt: Schema.String,
  findings: Schema.Array(Schema.Unknown),
  timedOut: Schema.Boolean,
  /** Whether the source that was read never changes. */
  isFixed: Schema.Boolean,
  /** The folder of the session that asked. */
  cwd: Schema.String,
  /** The id of the researcher's session. */
  session: Schema.String
})
export type Research = typeof Research.Type

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Research))

export interface ResearchHistory {
  readonly add: (research: Omit<Research, "id">) => Effect.Effect<void>
  /** The latest whole answer to this question, from whichever project. */
  readonly answered: (subject: Subject) => Effect.Effect<Research | undefined>
  /** What sessions in a folder have asked, latest first. */
  readonly list: (cwd: string, limit: number) => Effect.Effect<ReadonlyArray<Research>>
  readonly get: (cwd: string, id: string) => Effect.Effect<Research | undefined>
}

const most = 500

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 24)

/** Spaces make no other question. */
const normalised = (prompt: string): string => prompt.trim().split(/\s+/).join(" ")

const keyOf = ({ ecosystem, package: name, prompt, version }: Subject): string =>
  digest(JSON.stringify([ecosystem, name, version, normalised(prompt)]))

/** Its name sorts by time, and says which folder and which question it belongs to. */
const nameOf = (research: Omit<Research, "id">): string =>
  [String(research.at).padStart(15, "0"), digest(research.cwd), keyOf(research), randomUUID().slice(0, 8)].join("-")

/** A longer file is not read: lists hold the contents of many files at once. */
const mostBytes = 4 * 1024 * 1024

const checkKind = (stats: Stats): void => {
  if (!stats.isFile()) throw new Error("it is no file")
}

/** Other programs can write here, too. So the file may be anything, and may say that it is another one. */
const textOf = async (path: string): Promise<string> => {
  const bytes = await NamedFile.read(path, { most: mostBytes, check: checkKind })
  if (bytes.length > mostBytes) throw new Error(`it is longer than ${mostBytes / 1024 / 1024} MiB`)
  return bytes.toString("utf8")
}

const isName = (name: string): boolean => /^\d{15}-[0-9a-f]{24}-[0-9a-f]{24}-[0-9a-f]{8}$/.test(name)

/** @param log says what could not be written or read */
export const make = (folder: string, log: (line: string) => void): ResearchHistory => {
  const pathOf = (id: string) => join(folder, `${id}.json`)

  const say = (what: string) => (error: unknown) =>
    Effect.sync(() => log(`${what}: ${reasonOf(error instanceof HistoryFailure ? error.cause : error)}.`))

  /** Latest first. */
  const names: Effect.Effect<ReadonlyArray<string>> = Effect.tryPromise({
    try: () => readdir(folder),
    catch: (cause) => new HistoryFailure({ cause })
  }).pipe(
    Effect.map((files) =>
      files
        .flatMap((file) => (file.endsWith(".json") && isName(file.slice(0, -5)) ? [file.slice(0, -5)] : []))
        .sort()
        .reverse()
    ),
    Effect.catch((error) =>
      // Before the first question there is no folder.
      Effect.as(isMissing(error.cause) ? Effect.void : say(`The history in ${folder} can't be read`)(error), [])
    )
  )

  const read = (id: string): Effect.Effect<Research | undefined> =>
    Effect.tryPromise({
      try: () => textOf(pathOf(id)),
      catch: (cause) => new HistoryFailure({ cause })
    }).pipe(
      Effect.flatMap(decode),
      Effect.filterOrFail(
        (research) => research.id === id,
        () => new HistoryFailure({ cause: new Error("it names another one") })
      ),
      Effect.catch((error) => Effect.as(say(`${pathOf(id)} can't be read`)(error), undefined))
    )

  const readAll = (ids: ReadonlyArray<string>) =>
    Effect.map(Effect.forEach(ids, read), (all) => all.flatMap((one) => one ?? []))

  return {
    add: (research) =>
      Effect.gen(function* () {
        const id = nameOf(research)
        yield* Effect.tryPromise({
          try: () => PrivateFile.replace(pathOf(id), JSON.stringify({ ...research, id })),
          catch: (cause) => new HistoryFailure({ cause })
        })
        const old = (yield* names).slice(most)
        yield* Effect.tryPromise({
          try: () => Promise.all(old.map((one) => rm(pathOf(one), { force: true }))),
          catch: (cause) => new HistoryFailure({ cause })
        })
      }).pipe(Effect.catch(say(`The findings can't be kept in ${folder}`))),
    answered: (subject) =>
      Effect.gen(function* () {
        const key = keyOf(subject)
        const found = yield* readAll((yield* names).filter((name) => name.includes(`-${key}-`)))
        return found.find((one) => !one.timedOut && one.isFixed && keyOf(one) === key)
      }),
    list: (cwd, limit) =>
      Effect.flatMap(names, (all) => readAll(all.filter((name) => name.includes(`-${digest(cwd)}-`)).slice(0, limit))),
    get: (cwd, id) =>
      isName(id)
        ? Effect.map(readAll([id]), (found) => found.find((one) => one.cwd === cwd))
        : Effect.succeed(undefined)
  }
}
