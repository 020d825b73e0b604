/** `signalbox conductor view`: a trace as lines, each as soon as it is read. Nothing but the waiting requests is kept in memory. */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import * as TraceEvent from "@signalbox/conductor/TraceEvent"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import { oneLine } from "../../base/Plain.ts"
import { failedWith } from "../terminal/Failure.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as TraceText from "./TraceText.ts"

export interface ViewFlags {
  readonly file: string
}

/** The longest line that is read: two of the longest messages. */
const maxLineBytes = 64 * 1024 * 1024

const bytesAtOnce = 64 * 1024

/** Methods of unanswered requests that are named at the end. */
const mostNamed = 10

const failed = (path: string, title: string, cause: string) =>
  failedWith({
    code: "storage",
    title,
    cause,
    evidence: { path },
    nextSteps: [{ action: "run-command", label: "A trace is written by signalbox conductor agent --trace FILE" }]
  })

const plural = (count: number, one: string, several: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${several}`

export const viewTrace = Effect.fn("ViewTrace")(function* ({ file }: ViewFlags) {
  const path = resolve(file)
  const text = TraceText.make()
  let events = 0
  let strange = 0
  let firstStrange = 0
  let lines = 0

  const lineOf = (line: string): string => {
    lines += 1
    const event = TraceEvent.read(line)
    if (event !== undefined) {
      events += 1
      return `${text.line(event)}\n`
    }
    strange += 1
    if (strange === 1) firstStrange = lines
    return ""
  }
  const noteLong = () => void lineOf("")
  const splitter = LineSplitter.make({ maxLineBytes, onOversized: noteLong })
  const print = (some: ReadonlyArray<string>) => {
    const printed = some.map(lineOf).join("")
    return printed === "" ? Effect.void : Stdout.write(printed)
  }

  yield* Stream.fromAsyncIterable(createReadStream(path, { highWaterMark: bytesAtOnce }), (error) =>
    failed(path, "The trace can't be read.", messageOf(error))
  ).pipe(
    Stream.runForEach((chunk: Uint8Array) => Effect.suspend(() => print(splitter.push(chunk)))),
    Effect.andThen(Effect.suspend(() => print(splitter.end()))),
    Effect.andThen(
      Effect.suspend(() => {
        if (events === 0 && strange > 0)
          return Effect.fail(failed(path, "This is no trace.", `Line ${firstStrange} is no event of one.`))
        const { count, isPart, methods } = text.unanswered()
        const named = `${methods.slice(0, mostNamed).join(", ")}${methods.length > mostNamed ? " …" : ""}`
        const notes = [
          ...(events === 0 ? ["The trace is empty."] : []),
          ...(strange > 0
            ? [`${plural(strange, "line is", "lines are")} no event of a trace; the first is line ${firstStrange}.`]
            : []),
          ...(count > 0
            ? [`${isPart ? "At least " : ""}${plural(count, "request was", "requests were")} not answered: ${named}`]
            : [])
        ]
        for (const note of notes) Terminal.err(oneLine(note, 1000))
        return Effect.void
      })
    ),
    Stdout.unlessNobodyReads
  )
})
