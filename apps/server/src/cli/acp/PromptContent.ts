/** Parts of prompts and messages, between an editor and a thread. Pure. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import { type ContentPart, largestAttachment, largestPrompt, type PromptPart } from "@signalbox/contracts/Content"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"

/** The prompt of an editor as a thread takes it. The agent's session sends what the agent can't take as a link or text. */
export const promptOf = (
  blocks: ReadonlyArray<Acp.ContentBlock>
): Effect.Effect<Arr.NonEmptyReadonlyArray<PromptPart>, RpcError> => {
  const parts = blocks.map(partOf)
  const sizes = parts.map(sizeOf)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.some((size) => size > largestAttachment) || total > largestPrompt) {
    return Effect.fail(
      RpcError.invalidParams(
        `The prompt was not sent: a part of it may have ${megabytes(largestAttachment)}, all of it ${megabytes(largestPrompt)}. Send a link to the file instead`
      )
    )
  }
  return Arr.isReadonlyArrayNonEmpty(parts)
    ? Effect.succeed(parts)
    : Effect.fail(RpcError.invalidParams("The prompt is empty"))
}

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`

const partOf = (block: Acp.ContentBlock): PromptPart => {
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
      const { mimeType, uri } = resource
      // A thread keeps texts. What is binary becomes a link to where the editor has it.
      if (!("text" in resource)) return { type: "resource_link", uri, name: nameIn(uri) }
      return { type: "resource", uri, text: resource.text, ...(typeof mimeType === "string" && { mimeType }) }
    }
  }
}

const nameIn = (uri: string): string => uri.slice(uri.lastIndexOf("/") + 1) || uri

const sizeOf = (part: PromptPart): number => {
  switch (part.type) {
    case "text":
    case "resource":
      return Buffer.byteLength(part.text)
    case "image":
    case "audio":
      return Math.ceil((part.data.length * 3) / 4)
    case "resource_link":
      return part.uri.length
  }
}

/** A part of a prompt or a message as an editor gets it. Undefined for what the protocol has no form for. */
export const contentOf = (part: ContentPart | PromptPart): Acp.ContentBlock | undefined => {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text }
    case "image":
    case "audio":
      return { type: part.type, mimeType: part.mimeType, data: part.data }
    case "resource_link":
      return { type: "resource_link", uri: part.uri, name: part.name }
    case "resource": {
      const { text, uri } = part
      const mimeType = part.mimeType === undefined ? {} : { mimeType: part.mimeType }
      if (text === undefined) return { type: "resource_link", uri, name: nameIn(uri), ...mimeType }
      return { type: "resource", resource: { uri, text, ...mimeType } }
    }
    case "unknown":
      return undefined
  }
}
