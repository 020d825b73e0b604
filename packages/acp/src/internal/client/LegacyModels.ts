/**
 * Models as agents told them before there were config options: in the answer that opens a session, set by
 * `session/set_model`. No schema of the protocol has them, and many agents still know nothing else.
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

/** What an answer that opens a session holds beside what the protocol says. */
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

/** Reads the models too, where there are any that can be read. */
export const reader = <A extends object>(inner: Lenient.Reader<A>): Lenient.Reader<A & WithModels> =>
  Lenient.map(inner, (value, input) => {
    const found = Option.getOrUndefined(read(input))
    return { ...value, ...(found && { models: found.models }) }
  })
