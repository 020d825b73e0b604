/** Reads answers of servers: strictly at first, then without what is malformed. */
import * as Lenient from "@signalbox/acp/Lenient"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { Session } from "./Session.ts"
import * as Sliced from "./Sliced.ts"

/** Most items of a list. A server that has more is asked something narrower. */
const mostItems = 100_000

/** Reads one value. */
export const one = <A>(
  session: Pick<Session, "malformed" | "onMalformed">,
  method: string,
  reader: Lenient.Reader<A>,
  answer: unknown
): Effect.Effect<A, LanguageServerError> =>
  Effect.suspend(() => {
    const read = reader(answer)
    if (Result.isFailure(read)) return Effect.fail(session.malformed(method, read.failure))
    const { dropped, value } = read.success
    if (dropped.length > 0) session.onMalformed(method, dropped.length, dropped[0]?.path ?? "")
    return Effect.succeed(value)
  })

/** Reads a list, item by item. Malformed items are left out and counted. `null` is an empty list. */
export const list = <A>(
  session: Pick<Session, "malformed" | "onMalformed">,
  method: string,
  reader: Lenient.Reader<A>,
  answer: unknown
): Effect.Effect<ReadonlyArray<A>, LanguageServerError> =>
  Effect.suspend(() => {
    if (answer === null || answer === undefined) return Effect.succeed([])
    if (!Array.isArray(answer)) return Effect.fail(session.malformed(method, "it is no list"))
    if (answer.length > mostItems)
      return Effect.fail(session.malformed(method, `it has ${answer.length} items, and at most ${mostItems} are read`))
    let lost = 0
    let sample = ""
    const items: ReadonlyArray<unknown> = answer
    return Effect.tap(
      Sliced.flatMap(items, (item, index) => {
        const read = reader(item)
        if (Result.isSuccess(read)) {
          lost += read.success.dropped.length
          return [read.success.value]
        }
        lost += 1
        if (sample === "") sample = `[${index}]: ${read.failure.slice(0, 200)}`
        return []
      }),
      () => Effect.sync(() => lost > 0 && session.onMalformed(method, lost, sample))
    )
  })
