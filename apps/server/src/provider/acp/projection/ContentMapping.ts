/** Content blocks of the protocol (ACP v1, content) and content parts of ours. */
import type { AgentCapabilities, ContentBlock } from "@signalbox/acp/AcpSchema"
import * as PromptFit from "@signalbox/acp/PromptFit"
import type { ContentPart, PromptPart } from "@signalbox/contracts/Content"
import type { PromptAbilities } from "@signalbox/contracts/Provider"

export const toContentPart = (block: ContentBlock): ContentPart => {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text }
    case "image":
      return { type: "image", mimeType: block.mimeType, data: block.data }
    case "audio":
      return { type: "audio", mimeType: block.mimeType, data: block.data }
    case "resource_link":
      return {
        type: "resource_link",
        uri: block.uri,
        name: block.name,
        ...(typeof block.mimeType === "string" && { mimeType: block.mimeType })
      }
    case "resource": {
      const { resource } = block
      return {
        type: "resource",
        uri: resource.uri,
        ...(typeof resource.mimeType === "string" && { mimeType: resource.mimeType }),
        ...("text" in resource && { text: resource.text })
      }
    }
  }
}

const toContentBlock = (part: PromptPart): ContentBlock => {
  switch (part.type) {
    case "image":
    case "audio":
      return { type: part.type, mimeType: part.mimeType, data: part.data }
    case "resource": {
      const { mimeType, text, uri } = part
      return { type: "resource", resource: { uri, text, ...(mimeType !== undefined && { mimeType }) } }
    }
    case "text":
    case "resource_link":
      return part
  }
}

export interface FittedPrompt {
  /** Empty when the agent takes nothing of the prompt. */
  readonly blocks: ReadonlyArray<ContentBlock>
  /** What it was told instead of what a person sent, in sentences. */
  readonly changes: ReadonlyArray<string>
}

/** A prompt as the agent takes it: what it does not take is put into words, or left out where nothing can stand for it. */
export const fittedPrompt = (
  agent: AgentCapabilities,
  name: string,
  parts: ReadonlyArray<PromptPart>
): FittedPrompt => {
  const { changes, prompt } = PromptFit.fit(agent, parts.map(toContentBlock))
  return { blocks: prompt, changes: changes.map((change) => changeWords(name, change)) }
}

const changeWords = (name: string, { from, to }: PromptFit.Change): string => {
  switch (from) {
    case "image":
      return to === undefined
        ? `${name} takes no images: one was left out.`
        : `${name} takes no images: it was given a link.`
    case "audio":
      return `${name} takes no sound: a recording was left out.`
    case "resource":
      return to === "resource_link"
        ? `${name} takes no embedded files: it was given a link to one.`
        : `${name} takes no embedded files: the content of one was sent as text.`
    case "resource_link":
    case "text":
      return `A part of the prompt was left out.`
  }
}

export const promptAbilities = ({ promptCapabilities }: AgentCapabilities): PromptAbilities => ({
  image: promptCapabilities?.image === true,
  audio: promptCapabilities?.audio === true,
  embeddedContext: promptCapabilities?.embeddedContext === true
})

/** What a person sent, read out of what the agent was sent; undefined for a block that nobody sends. */
export const toPromptPart = (block: ContentBlock): PromptPart | undefined => {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text }
    case "image":
    case "audio":
      return { type: block.type, mimeType: block.mimeType, data: block.data }
    case "resource_link":
      return { type: "resource_link", uri: block.uri, name: block.name }
    case "resource": {
      const { resource } = block
      if (!("text" in resource)) return undefined
      return {
        type: "resource",
        uri: resource.uri,
        text: resource.text,
        ...(typeof resource.mimeType === "string" && { mimeType: resource.mimeType })
      }
    }
  }
}

/** What a block of a person's message looks like as text, the way a prompt is written down. */
export const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
      return "[image]"
    case "audio":
      return "[audio]"
    case "resource_link":
      return block.uri
    case "resource":
      return block.resource.uri
  }
}
