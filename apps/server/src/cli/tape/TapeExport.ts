/** `signalbox tape export`: writes tapes as one file to share, to stdout or into a file. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { existsSync } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { resolve } from "node:path"
import { messageOf } from "@signalbox/system/SystemError"
import { version } from "../../base/Version.ts"
import { notice } from "@signalbox/redaction/Secrets"
import * as TapeExport from "../../tape/TapeExport.ts"
import { countText } from "../terminal/Amount.ts"
import { failedWith } from "../terminal/Failure.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as TapeChoice from "./TapeChoice.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ExportFlags {
  readonly stateDir: Option.Option<string>
  readonly tape: string
  readonly output: Option.Option<string>
}

export const exportTape = Effect.fn("ExportTape")(function* ({ output, stateDir, tape }: ExportFlags) {
  const tapes = yield* TapeChoice.choose("tape export", tape, yield* StateFolder.of(stateDir))
  const options = { signalbox: version, now: yield* Clock.currentTimeMillis, env: process.env }
  const path = Option.map(output, (file) => resolve(file))
  const summary = yield* Option.match(path, {
    onNone: () => toStdout(tapes, options),
    onSome: (file) => toFile(tapes, options, file)
  })
  if (summary === undefined) return
  const to = Option.match(path, { onNone: () => "", onSome: (file) => ` to ${file}` })
  Terminal.err(
    [`Exported ${countText(tapes.length, "tape")}${to}, ${summary.lines} lines.`, ...told(summary)].join("\n")
  )
})

/** Writes the export to stdout. Undefined if nobody reads stdout any more. */
const toStdout = (tapes: ReadonlyArray<TapeExport.Source>, options: TapeExport.Options) =>
  Effect.gen(function* () {
    const context = yield* Effect.context()
    return yield* Effect.tryPromise({
      try: () => TapeExport.write(tapes, options, (text) => Effect.runPromiseWith(context)(Stdout.json(text))),
      catch: (error) => (error instanceof Stdout.NobodyReads ? error : notExported(error))
    })
  }).pipe(Effect.catchTag("NobodyReads", () => Effect.undefined))

/**
 * Writes the export into a new file that only its owner can read. The file gets its name once all of it is on the disk.
 */
const toFile = Effect.fnUntraced(function* (
  tapes: ReadonlyArray<TapeExport.Source>,
  options: TapeExport.Options,
  path: string
) {
  if (existsSync(path)) return yield* notExported(new Error(`There is a file ${path} already.`))
  const draft = `${path}.${process.pid}.partial`
  return yield* Effect.acquireUseRelease(
    Effect.tryPromise({ try: () => open(draft, "w", 0o600), catch: notExported }),
    (file) =>
      Effect.tryPromise({
        try: async () => {
          const summary = await TapeExport.write(tapes, options, (text) => file.appendFile(text))
          await file.sync()
          await rename(draft, path)
          return summary
        },
        catch: notExported
      }),
    (file) =>
      Effect.promise(async () => {
        await file.close()
        await rm(draft, { force: true })
      })
  )
})

const notExported = (error: unknown) =>
  failedWith({
    code: "storage",
    title: "The tape was not exported.",
    cause: messageOf(error),
    evidence: {},
    nextSteps: [{ action: "restart", label: "Name another file with --output" }]
  })

/** Line numbers that a message names. Further lines are only counted. */
const maxNamed = 20

const told = (summary: TapeExport.Summary): ReadonlyArray<string> => {
  const { linesLeftOut, linesTakenOutOf, takenOutBefore, takenOutNow } = summary
  const now =
    takenOutNow === 0
      ? "nothing now"
      : `${countText(takenOutNow, "secret")} now, from ${linesText(linesTakenOutOf)} of the export`
  return [
    `Taken out: ${countText(takenOutBefore, "secret")} when it was recorded, ${now}.`,
    ...(linesLeftOut.length === 0 ? [] : [`Damaged and left out: ${linesText(linesLeftOut)}.`]),
    notice
  ]
}

const linesText = (lines: ReadonlyArray<number>): string =>
  lines.length > maxNamed
    ? countText(lines.length, "line")
    : `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`
