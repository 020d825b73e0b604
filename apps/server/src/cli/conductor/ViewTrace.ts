/** `signalbox conductor view`: a trace as lines, each as soon as it is read. Nothing but the waiting requests is kept in memory. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { resolve } from "node:path"
import { oneLine } from "../../base/Plain.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as TraceLines from "./TraceLines.ts"
import * as TraceText from "./TraceText.ts"

export interface ViewFlags {
  readonly file: string
  readonly serve: boolean
}

const print = Effect.fnUntraced(function* (path: string) {
  const text = TraceText.make()
  const lines = TraceLines.make()
  const counts = TraceLines.counts()
  const write = (some: ReadonlyArray<TraceLines.TraceLine>) => {
    const printed = some
      .filter(counts.add)
      .map(({ event }) => `${TraceText.lineOf(text.row(event))}\n`)
      .join("")
    return printed === "" ? Effect.void : Stdout.write(printed)
  }

  yield* TraceLines.bytes(path).pipe(
    Stream.runForEach((chunk) => Effect.suspend(() => write(lines.push(chunk)))),
    Effect.andThen(Effect.suspend(() => write(lines.end()))),
    Effect.andThen(
      Effect.suspend(() => {
        const wrong = counts.wrong(path)
        if (wrong !== undefined) return Effect.fail(wrong)
        for (const note of [...counts.notes(), ...TraceText.unansweredWords(text.unanswered())])
          Terminal.err(oneLine(note, 1000))
        return Effect.void
      })
    ),
    Stdout.unlessNobodyReads
  )
})

export const viewTrace = Effect.fn("ViewTrace")(function* ({ file, serve }: ViewFlags) {
  const path = resolve(file)
  if (!serve) return yield* print(path)
  const { serveTrace } = yield* Effect.promise(() => import("./ServeTrace.ts"))
  yield* serveTrace(path)
})
