/**
 * The state folder in `signalbox doctor`: who uses it, what it holds, and what an earlier Signalbox left. Changes
 * nothing.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdtempSync, rmdirSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { codeOf, messageOf } from "@signalbox/system/SystemError"
import { agentsIn, databaseIn, guardedIn, logsIn, tapesIn } from "../../base/StateDirectory.ts"
import * as Exposure from "../../base/Exposure.ts"
import * as DiskUse from "../../telemetry/DiskUse.ts"
import * as LogFile from "../../telemetry/LogFile.ts"
import * as Backup from "../../storage/Backup.ts"
import * as Migrations from "../../storage/Migrations.ts"
import * as StateLock from "../../storage/StateLock.ts"
import * as ProcessFacts from "@signalbox/process/ProcessFacts"
import * as ProcessLedgerFolder from "@signalbox/process/ProcessLedgerFolder"
import { listOf } from "@signalbox/process/LeftoverWords"
import { named } from "@signalbox/process/ProcessSweep"
import * as ProcessReaper from "@signalbox/process/ProcessReaper"
import { bytesText } from "../terminal/Amount.ts"
import { oneLine } from "../../base/Plain.ts"
import { problemText } from "../terminal/ProblemText.ts"
import * as ServerClient from "./ServerClient.ts"

/** One fact under a name. Further lines belong to the same fact. */
export interface Finding {
  readonly name: string
  readonly lines: ReadonlyArray<string>
  /** Signalbox can't keep anything until this is repaired. */
  readonly bad?: true
}

export const findings = Effect.fn("StateReport.findings")(function* (
  directory: string
): Effect.fn.Return<ReadonlyArray<Finding>> {
  return yield* Effect.all([
    folder(directory),
    server(directory),
    database(directory),
    tapes(directory),
    log(directory),
    leftovers(directory)
  ])
})

/** Whether the folder can be used, without creating it. It tries to write, since permissions alone do not show it. */
const folder = Effect.fnUntraced(function* (directory: string) {
  const existing = yield* Effect.promise(() => DiskUse.nearest(directory))
  const found = (words: string): Finding => ({ name: "State", lines: [directory, ...words.split("\n")] })
  const exposure = Exposure.find(guardedIn(directory))
  if (exposure !== undefined) return { ...found(problemText(Exposure.problemOf(exposure))), bad: true as const }
  const why = refusalOf(existing)
  if (why !== undefined) {
    const words = `Nothing can be written to ${existing} (${why}). Next: choose another folder with --state-dir or SIGNALBOX_STATE_DIR`
    return { ...found(words), bad: true as const }
  }
  const [used, free] = yield* Effect.promise(() =>
    Promise.all([DiskUse.folderBytes(directory), DiskUse.freeBytes(directory)])
  )
  const left = free === undefined ? "" : `, ${bytesText(free)} free`
  return found(
    existing === directory ? `Writable, ${bytesText(used)}${left}` : `It will be made when it is needed${left}.`
  )
})

/** The system's refusal of a new file in the folder; undefined if a file can be made. */
const refusalOf = (folder: string): string | undefined => {
  try {
    rmdirSync(mkdtempSync(join(folder, ".signalbox-")))
    return undefined
  } catch (error) {
    return codeOf(error) ?? messageOf(error)
  }
}

const server = Effect.fnUntraced(function* (directory: string) {
  const found = (...lines: ReadonlyArray<string>): Finding => ({ name: "Server", lines })
  const running = yield* ServerClient.find(directory).pipe(
    Effect.catch(({ problem }) => Effect.succeed(found(...problemText(problem).split("\n"))))
  )
  if (running !== undefined && "lines" in running) return running
  if (running !== undefined) return found(`Process ${running.pid}, at ${running.url}`)
  const held = yield* Effect.result(StateLock.isHeld(directory))
  if (Result.isFailure(held) && held.failure.reason === "lock-unusable")
    return { ...found(...problemText(held.failure.problem).split("\n")), bad: true as const }
  return found(
    Result.getOrElse(held, () => false)
      ? "Another Signalbox has this folder, and has not said where it can be reached."
      : "None runs."
  )
})

const database = Effect.fnUntraced(function* (directory: string) {
  const path = databaseIn(directory)
  const found = (...lines: ReadonlyArray<string>): Finding => ({ name: "Database", lines })
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return found("None yet.")
  const { databaseBytes, journalBytes } = yield* Effect.promise(() => DiskUse.databaseBytes(path))
  const sizes = `${relative(directory, path)}, ${bytesText(databaseBytes)}, journal ${bytesText(journalBytes)}`
  const bad = (problem: Problem): Finding => ({ ...found(sizes, ...problemText(problem).split("\n")), bad: true })
  return yield* Backup.inspect(path).pipe(
    Effect.map(({ latestShape, loss, problem, shape }) => {
      if (problem !== undefined) return bad(problem)
      if (loss !== undefined) return bad(loss)
      if (shape > latestShape) return bad(Migrations.newer(path, shape).problem)
      const older = shape < latestShape ? `; the next server to start brings it to ${latestShape}` : ""
      return found(sizes, `Sound, of shape ${shape}${older}`)
    }),
    Effect.catch(({ problem }) => Effect.succeed(bad(problem)))
  )
})

const tapes = Effect.fnUntraced(function* (directory: string) {
  const path = tapesIn(directory)
  const bytes = yield* Effect.promise(() => DiskUse.folderBytes(path))
  return { name: "Tapes", lines: [`${relative(directory, path)}, ${bytesText(bytes)}`] } satisfies Finding
})

const log = Effect.fnUntraced(function* (directory: string) {
  const bytes = yield* Effect.promise(() => DiskUse.folderBytes(logsIn(directory)))
  const newest = relative(directory, join(logsIn(directory), LogFile.nameOf(0)))
  return {
    name: "Log",
    lines: [bytes === 0 ? "None yet." : `${newest}, ${bytesText(bytes)} with those before it`]
  } satisfies Finding
})

/** Agents with processes that still run although their Signalbox has ended. */
const leftovers = Effect.fnUntraced(function* (directory: string) {
  const found = (...lines: ReadonlyArray<string>): Finding => ({ name: "Left over", lines })
  return yield* Effect.try({ try: () => leftIn(agentsIn(directory)), catch: messageOf }).pipe(
    Effect.map((left) => {
      if (left.length === 0) return found("No agents")
      return found(...left, `The next server or run that starts ends ${left.length === 1 ? "it" : "them"}.`)
    }),
    Effect.catch((message) => Effect.succeed(found(`It is not known whether agents are: ${message}`)))
  )
})

const leftIn = (agents: string): ReadonlyArray<string> => {
  if (statSync(agents, { throwIfNoEntry: false }) === undefined) return []
  const facts = ProcessFacts.ofThisSystem
  const { records } = ProcessLedgerFolder.read(agents)
  const abandoned = records.filter(({ owner }) => facts.birthOf(owner.pid) !== owner.birth)
  if (abandoned.length === 0) return []
  const rows = facts.list()
  const markers = ProcessReaper.markersOf(rows, facts)
  return abandoned.flatMap((record) => {
    const left = ProcessReaper.survivorsOf(record, rows, markers)
    return left.length === 0 ? [] : [`${oneLine(record.command, 60)}: ${oneLine(listOf(left.map(named)), 200)}`]
  })
}
