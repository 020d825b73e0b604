/** Places that servers answer with, all in one shape. */
import * as Lenient from "@signalbox/acp/Lenient"
import { Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import type * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as FileUri from "../FileUri.ts"
import * as Reading from "./Reading.ts"
import type { Session } from "./Session.ts"

/** A place in a file. Positions are counted in UTF-16, from zero. */
export interface Location {
  readonly uri: string
  /** The absolute path. Undefined if the uri names no file of this machine. */
  readonly path: string | undefined
  readonly range: Range
  /** The whole that has the place, such as a function with its body. Undefined if the server doesn't say. */
  readonly enclosing?: Range
}

const LocationSchema = Schema.Struct({ uri: Schema.String, range: Range })
const LinkSchema = Schema.Struct({
  targetUri: Schema.String,
  targetRange: Range,
  targetSelectionRange: Wire.lenient(Range)
})

const readLocation = Lenient.reader(LocationSchema)
const readLink = Lenient.reader(LinkSchema)

/** Reads `Location` and `LocationLink`. */
const reader: Lenient.Reader<Location> = (input) => {
  if (Predicate.isObject(input) && "targetUri" in input)
    return Result.map(readLink(input), ({ dropped, value: { targetRange, targetSelectionRange, targetUri } }) => ({
      value: {
        uri: targetUri,
        path: FileUri.pathOf(targetUri),
        range: targetSelectionRange ?? targetRange,
        enclosing: targetRange
      },
      dropped
    }))
  return Result.map(readLocation(input), ({ dropped, value: { range, uri } }) => ({
    value: { uri, path: FileUri.pathOf(uri), range },
    dropped
  }))
}

/** Reads one place, a list of them, or nothing. */
export const list = (
  session: Session,
  method: string,
  answer: unknown
): Effect.Effect<ReadonlyArray<Location>, LanguageServerError> =>
  Reading.list(session, method, reader, Predicate.isObject(answer) ? [answer] : answer)
