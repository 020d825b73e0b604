/** Short texts that a server would show between the words of a file, such as the names of parameters. */
import * as Lenient from "@signalbox/acp/Lenient"
import { Position, type Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as Reading from "./Reading.ts"
import type { Asking } from "./Session.ts"
import * as Text from "./Text.ts"

export interface InlayHint {
  readonly position: Position
  readonly label: string
  readonly kind: "type" | "parameter" | "other"
  readonly tooltip?: Text.Text
  readonly hasSpaceBefore: boolean
  readonly hasSpaceAfter: boolean
}

export interface InlayHints {
  readonly inlayHints: (path: string, range: Range) => Effect.Effect<ReadonlyArray<InlayHint>, LanguageServerError>
}

const HintSchema = Schema.Struct({
  position: Position,
  label: Schema.Union([Schema.String, Wire.skipInvalid(Schema.Struct({ value: Schema.String }))]),
  kind: Wire.lenient(Schema.Finite),
  tooltip: Schema.optionalKey(Schema.Unknown),
  paddingLeft: Wire.lenient(Schema.Boolean),
  paddingRight: Wire.lenient(Schema.Boolean)
})
const read = Lenient.reader(HintSchema)

const kinds = ["type", "parameter"] as const

const reader: Lenient.Reader<InlayHint> = (input) =>
  Result.map(read(input), ({ dropped, value: { kind, label, paddingLeft, paddingRight, position, tooltip } }) => {
    const text = Text.of(tooltip)
    return {
      value: {
        position,
        label: typeof label === "string" ? label : label.map(({ value }) => value).join(""),
        kind: kinds[(kind ?? 0) - 1] ?? "other",
        ...(text !== undefined && { tooltip: text }),
        hasSpaceBefore: paddingLeft === true,
        hasSpaceAfter: paddingRight === true
      },
      dropped
    }
  })

export const make = (asking: Asking): InlayHints => ({
  inlayHints: (path, range) =>
    asking((session) =>
      Effect.gen(function* () {
        const method = "textDocument/inlayHint"
        const document = yield* session.send(path)
        const answer = yield* session.ask(method, { textDocument: { uri: document.uri }, range }, document)
        return yield* Reading.list(session, method, reader, answer)
      })
    )
})
