/**
 * Writes tapes as one file to share. All parts are in order. Secrets are removed once more, with the current rules and
 * the current environment. Line numbers stay as they are within each tape.
 */
import * as PiecedText from "./PiecedText.ts"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Spans from "@signalbox/redaction/Spans"
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
  /** The environment with the secrets that are removed. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What was written. Lines are counted in the export, from 1. */
export interface Summary {
  readonly lines: number
  /** The number of values that had been removed at the time of recording. */
  readonly takenOutBefore: number
  readonly takenOutNow: number
  readonly linesTakenOutOf: ReadonlyArray<number>
  /** Unreadable lines, which are left out since their content is unknown. */
  readonly linesLeftOut: ReadonlyArray<number>
}

/** Writes an export line by line, each with its line end. Fails if reading or writing fails. */
export const write = async (
  tapes: ReadonlyArray<Source>,
  { env, now: time, signalbox }: Options,
  out: (text: string) => Promise<void>
): Promise<Summary> => {
  const secrets = Secrets.of(env)
  const spansIn = (text: string) => Spans.joined([...Redaction.spansIn(text), ...secrets.spansIn(text)])
  const takenOutOf: Array<number> = []
  const leftOut: Array<number> = []
  let lines = 0
  let before = 0
  let now = 0

  const put = (text: string) => {
    lines += 1
    return out(`${text}\n`)
  }
  const note = (at: number, what: TapeNote) => put(lineOf(at, JSON.stringify(what)))
  const pass = async ({ item, message }: PiecedText.Passing<TapeReader.TapeLine | undefined>) => {
    if (item === undefined) {
      leftOut.push(lines + 1)
      return put(unreadable)
    }
    const safe = redact(item, message, secrets)
    const [was, is] = [countIn(item.text), countIn(safe)]
    before += was
    if (safe !== item.text) {
      now += Math.max(0, is - was)
      takenOutOf.push(lines + 1)
    }
    return put(safe)
  }

  await note(time, { event: "export", secrets: Secrets.notice, signalbox, exportedAt: time, tapes: tapes.length })
  for (const { name, parts } of tapes) {
    const pieces = PiecedText.make<TapeReader.TapeLine | undefined>(spansIn)
    let begun = false
    for await (const line of TapeReader.read(parts)) {
      if (!begun) {
        begun = true
        const startedAt = line.type === "fault" ? undefined : line.at
        await note(startedAt ?? time, { event: "tape", name, ...(startedAt !== undefined && { startedAt }) })
      }
      if (line.type === "fault" && !line.unreadable) continue
      const passing = line.type === "fault" ? pieces.push(undefined, undefined) : pieces.push(line, line.message)
      for (const one of passing) await pass(one)
    }
    for (const one of pieces.end()) await pass(one)
  }
  return { lines, takenOutBefore: before, takenOutNow: now, linesTakenOutOf: takenOutOf, linesLeftOut: leftOut }
}

/** Replaces a line that can't be read, so that the following lines keep their numbers. Readers can't read it either. */
const unreadable = `{"damaged":true}`

/** A line without secrets. `message`: its message, already without secrets that span several lines. */
const redact = (line: TapeReader.TapeLine, message: unknown, secrets: Secrets.Secrets) => {
  const { at, message: then, text, type } = line
  const json = JSON.stringify(message)
  const safe = secrets.without(
    typeof message === "string" ? JSON.stringify(Redaction.text(message)) : Redaction.message(message, json)
  )
  // A line without secrets stays the same, byte for byte.
  if (message === then && safe === json) return text
  const by =
    line.type === "err" && line.part !== undefined
      ? `"part":${secrets.without(JSON.stringify(Redaction.text(line.part)))},`
      : ""
  return `{"at":${at},"dir":"${type}",${by}"line":${safe}}`
}

const countIn = (text: string): number => text.split(Redaction.redacted).length - 1
