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
  /** An embedded resource. `text` is missing if its content is binary. */
  Schema.Struct({
    type: Schema.tag("resource"),
    uri: Schema.String,
    mimeType: Schema.optionalKey(Schema.String),
    text: Schema.optionalKey(Schema.String)
  }),
  /** A part of an unknown kind. `raw` is compact JSON. */
  Schema.Struct({ type: Schema.tag("unknown"), raw: Schema.String })
])
export type ContentPart = typeof ContentPart.Type

/** A part of a prompt that people send. An unsupported part is sent as text or a link, and the turn says so. */
export const PromptPart = Schema.Union([
  Schema.Struct({ type: Schema.tag("text"), text: Schema.String }),
  /** `data` is base64. `name` is only for people and is not sent. */
  Schema.Struct({
    type: Schema.tag("image"),
    mimeType: Schema.String,
    data: Schema.String,
    name: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    type: Schema.tag("audio"),
    mimeType: Schema.String,
    data: Schema.String,
    name: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({ type: Schema.tag("resource_link"), uri: Schema.String, name: Schema.String }),
  /** A text file with its content. */
  Schema.Struct({
    type: Schema.tag("resource"),
    uri: Schema.String,
    text: Schema.String,
    mimeType: Schema.optionalKey(Schema.String)
  })
])
export type PromptPart = typeof PromptPart.Type

/** Most bytes of one file in a prompt. Prompts are stored in the thread and read with it. */
export const largestAttachment = 5_000_000
/** Most bytes of all files in a prompt. */
export const largestPrompt = 12_000_000

/** The image types that agents and pages support. */
export const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const
export type ImageType = (typeof imageTypes)[number]

/** The text of a prompt, for the page. */
export const promptText = (prompt: ReadonlyArray<PromptPart>): string => prompt.map(partText).join("\n")

/** The words of a prompt, without attachments unless there is nothing else. Agents repeat prompts in this form. */
export const promptWords = (prompt: ReadonlyArray<PromptPart>): string => {
  const words = prompt.filter(({ type }) => type === "text")
  return promptText(words).trim() === "" ? promptText(prompt) : promptText(words)
}

const partText = (part: PromptPart): string => {
  switch (part.type) {
    case "text":
      return part.text
    case "image":
      return "[image]"
    case "audio":
      return "[audio]"
    case "resource_link":
    case "resource":
      return part.uri
  }
}
