/** Pieces of prompts and messages. */
import * as Schema from "effect/Schema"

export const ContentPart = Schema.Union([
  Schema.Struct({ type: Schema.tag("text"), text: Schema.String }),
  /** `data` is base64. */
  Schema.Struct({ type: Schema.tag("image"), mimeType: Schema.String, data: Schema.String }),
  Schema.Struct({ type: Schema.tag("audio"), mimeType: Schema.String, data: Schema.String }),
  Schema.Struct({
    type: Schema.tag("resource_link"),
    uri: Schema.String,
    name: Schema.String,
    mimeType: Schema.optionalKey(Schema.String)
  }),
  /** An embedded resource; `text` is absent when its content is binary. */
  Schema.Struct({
    type: Schema.tag("resource"),
    uri: Schema.String,
    mimeType: Schema.optionalKey(Schema.String),
    text: Schema.optionalKey(Schema.String)
  }),
  /** A kind that we do not know; `raw` is compact JSON. */
  Schema.Struct({ type: Schema.tag("unknown"), raw: Schema.String })
])
export type ContentPart = typeof ContentPart.Type

/** What people may send. */
export const PromptPart = Schema.Union([
  Schema.Struct({ type: Schema.tag("text"), text: Schema.String }),
  Schema.Struct({ type: Schema.tag("image"), mimeType: Schema.String, data: Schema.String }),
  Schema.Struct({ type: Schema.tag("resource_link"), uri: Schema.String, name: Schema.String })
])
export type PromptPart = typeof PromptPart.Type

/** The text of a prompt, as the page shows it. */
export const promptText = (prompt: ReadonlyArray<PromptPart>): string =>
  prompt.map((part) => (part.type === "text" ? part.text : part.type === "image" ? "[image]" : part.uri)).join("\n")
