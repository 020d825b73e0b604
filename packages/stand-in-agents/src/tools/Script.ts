/** A script in a prompt: a JSON list of steps: what to say or ask, which tool to call, which file to read or write. */
import { ToolKind } from "@signalbox/acp/AcpSchema"
import * as Schema from "effect/Schema"

const Step = Schema.Union([
  Schema.Struct({ say: Schema.String }),
  Schema.Struct({ list: Schema.String }),
  Schema.Struct({
    call: Schema.String,
    server: Schema.String,
    with: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
  }),
  Schema.Struct({ write: Schema.String, text: Schema.String }),
  Schema.Struct({ read: Schema.String }),
  Schema.Struct({ ask: Schema.String, kind: ToolKind, with: Schema.optionalKey(Schema.Json) }),
  Schema.Struct({ wait: Schema.Literal("forever") }),
  /** Waits until the session's folder has a file of that name. */
  Schema.Struct({ waitForFile: Schema.String }),
  Schema.Struct({ stop: Schema.Literals(["max_tokens", "refusal"]) })
])

export type Step = typeof Step.Type

export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Step)))
