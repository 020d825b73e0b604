/** What the two of a pair agree on: the request `_example/open_files`, and the capability that announces it. */
import * as Schema from "effect/Schema"

/** Stands in `_meta.symposium` of the client's capabilities. */
export const capability = "example_open_files"

export const decodeQuestion = Schema.decodeUnknownEffect(Schema.Struct({ cwd: Schema.String }))

export const decodeAnswer = Schema.decodeUnknownEffect(Schema.Struct({ paths: Schema.Array(Schema.String) }))
