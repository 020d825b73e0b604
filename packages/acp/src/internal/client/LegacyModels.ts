/**
 * Models in the form before config options: in the response that opens a session, and set by `session/set_model`. The
 * protocol's schema has never had them, but many agents offer nothing else.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Lenient from "../schema/Lenient.ts"

export interface LegacyModels {
  readonly currentModelId?: string | null
  readonly availableModels: ReadonlyArray<{
    readonly modelId: string
    readonly name?: string | null
    readonly description?: string | null
  }>
}

/** The member of a session response that is not in the protocol. */
export interface WithModels {
  readonly models?: LegacyModels
}

/** `session/set_model`. */
export interface SetModelRequest {
  readonly sessionId: string
  readonly modelId: string
}

const optionalText = Schema.optionalKey(Schema.NullOr(Schema.String))

const read = Schema.decodeUnknownOption(
  Schema.Struct({
    models: Schema.Struct({
      currentModelId: optionalText,
      availableModels: Schema.Array(
        Schema.Struct({ modelId: Schema.String, name: optionalText, description: optionalText })
      )
    })
  })
)

/** A reader that also reads the models, if they are readable. */
export const reader = <A extends object>(inner: Lenient.Reader<A>): Lenient.Reader<A & WithModels> =>
  Lenient.map(inner, (value, input) => {
    const found = Option.getOrUndefined(read(input))
    return { ...value, ...(found && { models: found.models }) }
  })
