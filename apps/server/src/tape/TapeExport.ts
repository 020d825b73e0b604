/**
 * Tapes as one file that can be passed on: all parts in order, gone through for secrets once more, with the rules and the
 * environment of now. The numbers of lines stay as they are within each tape.
 */
import * as Redaction from "./Redaction.ts"
import { lineOf, type TapeNote } from "./TapeNote.ts"
import * as TapeReader from "./TapeReader.ts"

export interface Source {
  readonly name: string
  /** Paths, in order. */
  readonly parts: ReadonlyArray<string>
}

export interface Options {
  readonly signalbox: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** What it holds of secrets is taken out. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What was written. Lines are those of the export, from 1. */
export interface Summary {
  readonly lines: number
  /** Values that had been taken out when they were recorded. */
  readonly takenOutBefore: number
  readonly takenOutNow: number
  readonly linesTakenOutOf: ReadonlyArray<number>
  /** Unreadable: left out, since nobody can say what is in them. */
  readonly linesLeftOut: ReadonlyArray<number>
}

/** Writes by lines, each with its end. Fails as reading and writing do. */
export const write = async (
  tapes: ReadonlyArray<Source>,
  { env, now, signalbox }: Options,
  out: (text: string) => Promise<void>
): Promise<Summary> => {
  const secrets = Redaction.secretValues(env)
  const takenOutOf: Array<number> = []
  const leftOut: Array<number> = []
  let lines = 0
  let before = 0
  let after = 0

  const put = (text: string) => {
    lines += 1
    return out(`${text}\n`)
  }
  const note = (at: number, what: TapeNote) => put(lineOf(at, JSON.stringify(what)))

  await note(now, { event: "export", signalbox, exportedAt: now, tapes: tapes.length })
  for (const { name, parts } of tapes) {
    let begun = false
    for await (const line of TapeReader.read(parts)) {
      if (!begun) {
        begun = true
        const startedAt = line.type === "fault" ? undefined : line.at
        await note(startedAt ?? now, { event: "tape", name, ...(startedAt !== undefined && { startedAt }) })
      }
      if (line.type === "fault") {
        if (!line.unreadable) continue
        leftOut.push(lines + 1)
        await put(unreadable)
        continue
      }
      const safe = redact(line, secrets)
      const [was, is] = [countIn(line.text), countIn(safe)]
      before += was
      if (safe !== line.text) {
        after += Math.max(1, is - was)
        takenOutOf.push(lines + 1)
      }
      await put(safe)
    }
  }
  return { lines, takenOutBefore: before, takenOutNow: after, linesTakenOutOf: takenOutOf, linesLeftOut: leftOut }
}

/** In place of a line that can't be read: it can't be read either, and the lines behind it keep their numbers. */
const unreadable = `{"damaged":true}`

const redact = (line: TapeReader.TapeLine, secrets: ReadonlyArray<string>): string => {
  const { message, text, type } = line
  const then = JSON.stringify(message)
  const now = Redaction.without(
    secrets,
    typeof message === "string" ? JSON.stringify(Redaction.text(message)) : Redaction.message(message, then)
  )
  // What holds nothing stays as it was, to the byte.
  return now === then ? text : `{"at":${line.at},"dir":"${type}","line":${now}}`
}

const countIn = (text: string): number => text.split(Redaction.redacted).length - 1
