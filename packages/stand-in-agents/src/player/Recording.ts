/** A tape as an agent sees it: what it said, what it heard, and how its process ended. */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import { createReadStream } from "node:fs"
import { constants } from "node:os"
import { isObject, type Json, type JsonObject, numberIn, parseJson, textIn } from "../Json.ts"

interface Common {
  /** The line of the tape, from 1. */
  readonly line: number
  /** Milliseconds since 1970. */
  readonly at: number
}

export type Step =
  /** Goes to the client; `text` is the line as it went then, without its end. */
  | (Common & { readonly type: "say"; readonly message: Json; readonly text: string })
  /** Came from the client. */
  | (Common & { readonly type: "hear"; readonly message: Json })
  | (Common & { readonly type: "complain"; readonly text: string })
  | (Common & { readonly type: "exit"; readonly exit: Exit })

export interface Exit {
  readonly code: number
  readonly signal: NodeJS.Signals | undefined
  /** Whether nobody asked for it. */
  readonly itself: boolean
}

class TapeInvalid extends Error {}

/** The first process of the tape. Throws `TapeInvalid` at a line that is none of a tape. */
export async function* read(path: string): AsyncGenerator<Step> {
  let line = 0
  let begun = false
  for await (const text of linesIn(path)) {
    line += 1
    const entry = parseJson(text)
    const at = isObject(entry) ? numberIn(entry, "at") : undefined
    if (!isObject(entry) || at === undefined || entry["line"] === undefined)
      throw new TapeInvalid(`Line ${line} of ${path} is no line of a tape.`)
    if (isStart(entry)) {
      if (begun) return
      begun = true
    }
    const step = stepOf(entry, entry["line"], text, { line, at })
    if (step !== undefined) yield step
  }
}

const isStart = ({ dir, line }: JsonObject): boolean =>
  dir === "note" && isObject(line) && textIn(line, "event") === "start"

const stepOf = (entry: JsonObject, message: Json, whole: string, common: Common): Step | undefined => {
  switch (textIn(entry, "dir") ?? "") {
    case "in":
      return { ...common, type: "say", message, text: typeof message === "string" ? message : within(whole, message) }
    case "out":
      return { ...common, type: "hear", message }
    case "err":
      // What a component wrote is no word of the agent.
      if (entry["part"] !== undefined) return undefined
      return { ...common, type: "complain", text: typeof message === "string" ? message : JSON.stringify(message) }
    default:
      return isObject(message) && textIn(message, "event") === "exit"
        ? { ...common, type: "exit", exit: exitOf(message) }
        : undefined
  }
}

/** The message as it stands in the line of the tape, to the byte. */
const within = (whole: string, message: Json): string => {
  const before = /^\{"at":\d+,"dir":"in","line":/.exec(whole)?.[0]
  return before === undefined || !whole.endsWith("}") ? JSON.stringify(message) : whole.slice(before.length, -1)
}

const exitOf = (note: JsonObject): Exit => {
  const signal = textIn(note, "signal")
  return {
    code: numberIn(note, "exitCode") ?? 0,
    signal: signal !== undefined && isSignal(signal) ? signal : undefined,
    itself: textIn(note, "ended") === "itself"
  }
}

const isSignal = (name: string): name is NodeJS.Signals => Object.hasOwn(constants.signals, name)

const bytesAtOnce = 256 * 1024

async function* linesIn(path: string): AsyncGenerator<string> {
  // A line of a tape is longer than the longest message that it may hold.
  const splitter = LineSplitter.make({ maxLineBytes: Number.MAX_SAFE_INTEGER })
  for await (const chunk of createReadStream(path, { highWaterMark: bytesAtOnce })) yield* splitter.push(chunk)
  yield* splitter.end()
}
