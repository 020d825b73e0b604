/** A finding of a server about a place. */
import * as Lenient from "@signalbox/acp/Lenient"
import { Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as FileUri from "../FileUri.ts"

export type Severity = "error" | "warning" | "information" | "hint"

/** Another place that has to do with it. */
export interface Related {
  readonly uri: string
  readonly path: string | undefined
  readonly range: Range
  readonly message: string
}

export interface Diagnostic {
  readonly range: Range
  /** An error if the server doesn't say. */
  readonly severity: Severity
  readonly message: string
  readonly code?: string | number
  /** A page that explains the code. */
  readonly codeHref?: string
  /** The tool that found it: `ts`, `pylint`. */
  readonly source?: string
  readonly isUnnecessary: boolean
  readonly isDeprecated: boolean
  readonly related: ReadonlyArray<Related>
  /** A value that the server wants back with a question for code actions. */
  readonly data?: unknown
}

const RelatedSchema = Schema.Struct({
  location: Schema.Struct({ uri: Schema.String, range: Range }),
  message: Schema.String
})
const DiagnosticSchema = Schema.Struct({
  range: Range,
  severity: Wire.lenient(Schema.Finite),
  code: Wire.lenient(Schema.Union([Schema.String, Schema.Finite])),
  codeDescription: Wire.lenient(Schema.Struct({ href: Schema.String })),
  source: Wire.lenient(Schema.String),
  message: Schema.String,
  tags: Wire.lenient(Schema.Array(Schema.Finite)),
  relatedInformation: Wire.lenient(Wire.skipInvalid(RelatedSchema)),
  data: Schema.optionalKey(Schema.Unknown)
})

const read = Lenient.reader(DiagnosticSchema)

const severities: ReadonlyArray<Severity> = ["error", "warning", "information", "hint"]

/** Most characters of a message. */
const longest = 8 * 1024
const mostRelated = 50

/** Most characters of what a server wants back, as JSON. */
const mostData = 8 * 1024

const isSmall = (data: unknown): boolean => (JSON.stringify(data) ?? "").length <= mostData

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** Reads a `Diagnostic`. */
export const reader: Lenient.Reader<Diagnostic> = (input) =>
  Result.map(read(input), ({ dropped, value }) => {
    const { code, codeDescription, message, range, relatedInformation = [], severity, source, tags = [] } = value
    return {
      value: {
        range,
        severity: severities[(severity ?? 1) - 1] ?? "error",
        message: cut(message),
        ...(code !== undefined && { code }),
        ...(codeDescription !== undefined && { codeHref: codeDescription.href }),
        ...(source !== undefined && { source }),
        isUnnecessary: tags.includes(1),
        isDeprecated: tags.includes(2),
        related: relatedInformation.slice(0, mostRelated).map(({ location, message }) => ({
          uri: location.uri,
          path: FileUri.pathOf(location.uri),
          range: location.range,
          message: cut(message)
        })),
        ...(value.data !== undefined && isSmall(value.data) && { data: value.data })
      },
      dropped
    }
  })
