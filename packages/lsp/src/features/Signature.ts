/** The parameters of the call that a place is within. */
import * as Lenient from "@signalbox/acp/Lenient"
import type { Position } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as Reading from "./Reading.ts"
import type { Asking } from "./Session.ts"
import * as Text from "./Text.ts"

export interface Parameter {
  readonly label: string
  readonly documentation?: Text.Text
}

export interface Signature {
  readonly label: string
  readonly documentation?: Text.Text
  readonly parameters: ReadonlyArray<Parameter>
}

export interface SignatureHelp {
  readonly signatures: ReadonlyArray<Signature>
  readonly activeSignature: number
  /** Undefined if no parameter is meant. */
  readonly activeParameter: number | undefined
}

export interface SignatureHelping {
  /** Undefined if the place is within no call. */
  readonly signatureHelp: (
    path: string,
    position: Position
  ) => Effect.Effect<SignatureHelp | undefined, LanguageServerError>
}

const ParameterSchema = Schema.Struct({
  label: Schema.Union([Schema.String, Schema.Tuple([Wire.unsigned, Wire.unsigned])]),
  documentation: Schema.optionalKey(Schema.Unknown)
})
const SignatureSchema = Schema.Struct({
  label: Schema.String,
  documentation: Schema.optionalKey(Schema.Unknown),
  parameters: Wire.lenient(Wire.skipInvalid(ParameterSchema)),
  activeParameter: Wire.lenient(Schema.NullOr(Wire.unsigned))
})
const reader = Lenient.reader(
  Schema.Struct({
    signatures: Wire.skipInvalid(SignatureSchema),
    activeSignature: Wire.lenient(Schema.NullOr(Wire.unsigned)),
    activeParameter: Wire.lenient(Schema.NullOr(Wire.unsigned))
  })
)

const documented = (documentation: unknown) => {
  const text = Text.of(documentation)
  return text === undefined ? {} : { documentation: text }
}

const signatureOf = ({ documentation, label, parameters = [] }: typeof SignatureSchema.Type): Signature => ({
  label,
  ...documented(documentation),
  parameters: parameters.map((each) => ({
    // Offsets in the label are counted in UTF-16, whatever the encoding of positions.
    label: typeof each.label === "string" ? each.label : label.slice(...each.label),
    ...documented(each.documentation)
  }))
})

export const make = (asking: Asking): SignatureHelping => ({
  signatureHelp: (path, position) =>
    asking((session) =>
      Effect.gen(function* () {
        const method = "textDocument/signatureHelp"
        const document = yield* session.send(path)
        const answer = yield* session.ask(method, { textDocument: { uri: document.uri }, position }, document)
        if (answer === null || answer === undefined) return undefined
        const help = yield* Reading.one(session, method, reader, answer)
        const activeSignature = help.activeSignature ?? 0
        const active = help.signatures[activeSignature] ?? help.signatures[0]
        if (active === undefined) return undefined
        return {
          signatures: help.signatures.map(signatureOf),
          activeSignature: help.signatures[activeSignature] === undefined ? 0 : activeSignature,
          activeParameter: active.activeParameter ?? help.activeParameter ?? undefined
        }
      })
    )
})
