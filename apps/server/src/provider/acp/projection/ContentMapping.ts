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

/** The block for a part of a prompt. */
export const toContentBlock = (part: PromptPart): ContentBlock => {
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
  /** The changes that were made to the person's prompt, one sentence each. */
  readonly changes: ReadonlyArray<string>
}

/** Fits a prompt to the agent's capabilities: unsupported parts become text or a link, or are left out. */
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

/** The prompt part for a block that was sent to the agent. Undefined for blocks that people can't send. */
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

/** A block of a person's message as text, in the form in which prompts are stored. */
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
