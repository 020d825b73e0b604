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

/** What people may send. What an agent does not take is put into words for it, and the turn says so. */
export const PromptPart = Schema.Union([
  Schema.Struct({ type: Schema.tag("text"), text: Schema.String }),
  /** `data` is base64; `name` is for people and not sent. */
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
  /** The content of a text file goes along. */
  Schema.Struct({
    type: Schema.tag("resource"),
    uri: Schema.String,
    text: Schema.String,
    mimeType: Schema.optionalKey(Schema.String)
  })
])
export type PromptPart = typeof PromptPart.Type

/** Bytes of one file that goes along with a prompt. What people send is kept in the thread, and read with it. */
export const largestAttachment = 5_000_000
/** Bytes of all files that go along with a prompt. */
export const largestPrompt = 12_000_000

/** Images that agents and pages can be expected to read. */
export const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const
export type ImageType = (typeof imageTypes)[number]

/** The text of a prompt, as the page shows it. */
export const promptText = (prompt: ReadonlyArray<PromptPart>): string => prompt.map(partText).join("\n")

/** What a person said in a prompt, without what is attached to it unless there is nothing else: agents tell prompts again so. */
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
