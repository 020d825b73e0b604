/** Content blocks of the protocol (ACP v1, content) and content parts of ours. */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import type { ContentPart, PromptPart } from "@signalbox/contracts/Content"

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

export const toContentBlock = (part: PromptPart): ContentBlock => part

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
