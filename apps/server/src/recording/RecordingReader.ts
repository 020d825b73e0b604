/** Reads a recording line by line, and keeps nothing of it in memory. What is damaged is a fault that names its line. */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { createReadStream } from "node:fs"
import * as Recording from "./Recording.ts"

export interface Numbered {
  /** The number of the line in the file, from 1. */
  readonly number: number
  readonly line: Recording.Line
}

/** A file that can't be played. `message`: what is wrong, one or two sentences. */
export class RecordingFault extends Schema.TaggedError<RecordingFault>()("RecordingFault", {
  path: Schema.String,
  message: Schema.String
}) {}

/** What a recording holds, as far as it is written. */
export interface Overview {
  readonly path: string
  /** The bytes of its whole lines. */
  readonly bytes: number
  readonly begun: Recording.Begun
  /** The agents as they have named themselves, with their versions. */
  readonly agents: ReadonlyArray<string>
  readonly questions: number
  readonly answers: number
  readonly changes: number
  readonly documents: number
  /** The time of the last line, in milliseconds since 1970. */
  readonly lastAt: number
  /** How it ends. `unfinished`: it is still written, or whoever wrote it was killed. `cut`: so, within a line. */
  readonly ending: "closed" | "full" | "unfinished" | "cut"
}

/** Most names that are kept of a recording. */
const mostAgents = 8
const mostDocuments = 10_000

/** Looks at all lines, and fails at the first that is damaged. */
export const look = (path: string): Effect.Effect<Overview, RecordingFault> =>
  Effect.tryPromise({ try: () => overviewOf(path), catch: (error) => faultOf(path, error) })

/** The lines of a recording that was looked at. What was written since is left out. */
export const read = ({ bytes, path }: Overview): Stream.Stream<Numbered, RecordingFault> =>
  Stream.suspend(() => Stream.fromAsyncIterable(batchesIn(path, bytes), (error) => faultOf(path, error))).pipe(
    Stream.flattenIterable
  )

const overviewOf = async (path: string): Promise<Overview> => {
  const documents = new Set<string>()
  const agents = new Set<string>()
  const tail: Tail = { bytes: 0, isCut: false }
  let begun: Recording.Begun | undefined
  let ending: Overview["ending"] = "unfinished"
  let [questions, answers, changes, lastAt] = [0, 0, 0, 0]
  for await (const batch of batchesIn(path, Number.POSITIVE_INFINITY, tail)) {
    for (const { line } of batch) {
      lastAt = line.at
      if (line.type === "recording") begun = line
      else if (line.type === "asked") questions += 1
      else if (line.type === "answered") answers += 1
      else if (line.type === "changed") changes += 1
      else if (line.type === "over") ending = line.why
      else if (line.type === "opened" && documents.size < mostDocuments) documents.add(line.uri)
      else if (line.type === "started" && agents.size < mostAgents)
        agents.add(line.version === undefined ? line.name : `${line.name} ${line.version}`)
    }
  }
  if (begun === undefined) throw fault(path, "It is empty.")
  return {
    path,
    bytes: tail.bytes,
    begun,
    agents: [...agents],
    questions,
    answers,
    changes,
    documents: documents.size,
    lastAt,
    ending: tail.isCut ? "cut" : ending
  }
}

/** The end of a file that is read: how much of it is whole lines. */
interface Tail {
  /** The bytes of all whole lines. */
  bytes: number
  /** Whether a line goes on that has no end. */
  isCut: boolean
}

const bytesAtOnce = 256 * 1024
const newline = 10

/** The lines of up to `most` bytes, as they come from the disk. Throws a fault, or the error of the system. */
async function* batchesIn(path: string, most: number, tail?: Tail): AsyncGenerator<ReadonlyArray<Numbered>> {
  let number = 0
  let isTooLong = false
  const splitter = LineSplitter.make({
    maxLineBytes: Recording.longestLine,
    onOversized: () => {
      isTooLong = true
    }
  })
  const numbered = (text: string): Numbered => {
    number += 1
    return { number, line: number === 1 ? first(path, text) : further(path, text, number) }
  }
  let bytes = 0
  for await (const chunk of chunksOf(path, most)) {
    const end = chunk.lastIndexOf(newline)
    if (tail !== undefined && end !== -1) tail.bytes = bytes + end + 1
    bytes += chunk.length
    yield splitter.push(chunk).map(numbered)
    if (isTooLong) throw fault(path, `Line ${number + 1} is longer than any line of a recording.`)
  }
  const [last] = splitter.end()
  if (last === undefined) return
  const whole = number === 0 ? first(path, last) : Option.getOrUndefined(parsed(last))
  if (whole === undefined && tail !== undefined) tail.isCut = true
  if (whole === undefined) return
  if (tail !== undefined) tail.bytes = bytes
  yield [{ number: number + 1, line: whole }]
}

async function* chunksOf(path: string, most: number): AsyncGenerator<Uint8Array> {
  const source: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: bytesAtOnce, end: most - 1 })
  yield* source
}

const decode = Schema.decodeUnknownOption(Recording.Line)

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const parsed = (text: string): Option.Option<Recording.Line> => decode(json(text))

const first = (path: string, text: string): Recording.Line => {
  const value = json(text)
  if (!Predicate.isObject(value) || value["type"] !== "recording") {
    const isTape = Predicate.isObject(value) && "dir" in value
    throw fault(
      path,
      isTape
        ? "It is a tape of what an agent said and heard. signalbox replay plays it."
        : "It does not begin as a recording."
    )
  }
  const { format } = value
  if (typeof format === "number" && format > Recording.format)
    throw fault(
      path,
      `It is of format ${format}, which is newer than this Signalbox: it reads format ${Recording.format}.`
    )
  return further(path, text, 1)
}

const further = (path: string, text: string, number: number): Recording.Line => {
  const line = Option.getOrUndefined(parsed(text))
  if (line === undefined) throw fault(path, `Line ${number} is damaged.`)
  if (line.type === "recording" && number > 1) throw fault(path, `Another recording begins in line ${number}.`)
  return line
}

const fault = (path: string, message: string) => new RecordingFault({ path, message })

const faultOf = (path: string, error: unknown): RecordingFault =>
  error instanceof RecordingFault ? error : fault(path, `${messageOf(error)}.`)
