/** A script in a prompt: a JSON list of what to say, which tools to list and to call, and which files to write. */
import * as Schema from "effect/Schema"

const Step = Schema.Union([
  Schema.Struct({ say: Schema.String }),
  Schema.Struct({ list: Schema.String }),
  Schema.Struct({
    call: Schema.String,
    server: Schema.String,
    with: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
  }),
  Schema.Struct({ write: Schema.String, text: Schema.String })
])

export type Step = typeof Step.Type

export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Step)))
