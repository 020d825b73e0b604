/** The ledger on the disk: a folder with one small file for each agent. Readers never see a partial file. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { messageOf } from "@signalbox/system/SystemError"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import type { NamedProcess } from "./ProcessLedger.ts"

/** 0 and 1 have other meanings to `kill`. */
const Pid = Schema.Int.check(Schema.isGreaterThan(1))

const Identity = Schema.Struct({ pid: Pid, birth: Schema.NonEmptyString })

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const AgentRecord = Schema.Struct({
  version: Schema.Literal(1),
  marker: Schema.String.check(Schema.isPattern(uuid)),
  /** The starter's name for its purpose. The member has an older name. */
  threadId: Schema.optionalKey(Schema.String),
  command: Schema.String,
  /** The Signalbox that started it. As long as that one lives, it alone handles the agent. */
  owner: Identity,
  /** Names of programs that are not ended with it. */
  keeps: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The leader of the agent's process group. Missing if the owner ended at the moment of the start. */
  agent: Schema.optionalKey(Identity)
})
export type AgentRecord = typeof AgentRecord.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(AgentRecord))

const suffix = ".json"
const unfinished = `${suffix}.tmp`
/** Most bytes of a record. Ours have less than one thousand without long paths. */
const longestRecord = 64 * 1024
/** Milliseconds after which no process can still be writing a file. */
const abandonedMs = 60_000

export interface Contents {
  readonly records: ReadonlyArray<AgentRecord>
  /** Files that are no records of ours, with the reason. */
  readonly strange: ReadonlyArray<{ readonly path: string; readonly reason: string }>
}

/** Makes the folder, for its owner only. */
export const make = (folder: string): void => {
  PrivateFolder.make(folder)
  if ((statSync(folder).mode & 0o777) !== 0o700) chmodSync(folder, 0o700)
}

export const write = (folder: string, record: AgentRecord): void => {
  const path = join(folder, record.marker)
  writeFileSync(path + unfinished, JSON.stringify(record), { mode: 0o600 })
  renameSync(path + unfinished, path + suffix)
}

export const remove = (folder: string, { marker }: Pick<AgentRecord, "marker">): void => {
  rmSync(join(folder, marker + suffix), { force: true })
  rmSync(endedList(folder, marker), { force: true })
}

/** The file in which a guard notes each process of an agent that it has ended: one line with its number and name. */
export const endedList = (folder: string, marker: string): string => join(folder, `${marker}.ended`)

/** Reads the processes that a guard has noted as ended. */
export const readEnded = (folder: string, marker: string): ReadonlyArray<NamedProcess> => {
  const path = endedList(folder, marker)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile() || found.size > longestRecord) return []
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, pid, name] = /^(\d+) (.+)$/.exec(line) ?? []
      return pid === undefined || name === undefined ? [] : [{ pid: Number(pid), name }]
    })
}

export const read = (folder: string): Contents => {
  const names = readdirSync(folder)
  for (const name of names.filter((name) => name.endsWith(unfinished))) discardAbandoned(join(folder, name))
  const readings = names
    .filter((name) => name.endsWith(suffix))
    .map((name) => ({ name, reading: readOne(folder, name) }))
  return {
    records: readings.flatMap(({ reading }) => (Result.isSuccess(reading) ? [reading.success] : [])),
    strange: readings.flatMap(({ name, reading }) =>
      Result.isFailure(reading) ? [{ path: join(folder, name), reason: reading.failure }] : []
    )
  }
}

/** Renames a file that is no record, and returns its new path. It is kept for examination. */
export const setAside = (path: string): string => {
  const aside = `${path}.unreadable`
  renameSync(path, aside)
  return aside
}

const readOne = (folder: string, name: string): Result.Result<AgentRecord, string> => {
  const path = join(folder, name)
  let text: string
  try {
    const found = statSync(path)
    // Reading a pipe, for example, may never end.
    if (!found.isFile() || found.size > longestRecord) return Result.fail("It is no small file.")
    text = readFileSync(path, "utf8")
  } catch (error) {
    return Result.fail(messageOf(error))
  }
  const record = decode(text)
  if (Result.isFailure(record)) return Result.fail(record.failure.message)
  return record.success.marker + suffix === name
    ? Result.succeed(record.success)
    : Result.fail("It names another program.")
}

/** Deletes a partial file. Only a process that ended within a write leaves one. */
const discardAbandoned = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && Date.now() - found.mtimeMs > abandonedMs) rmSync(path, { force: true })
}
