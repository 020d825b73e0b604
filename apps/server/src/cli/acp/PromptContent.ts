/** Parts of prompts and messages, between an editor and a thread. Pure. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import { type ContentPart, largestAttachment, largestPrompt, type PromptPart } from "@signalbox/contracts/Content"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { toContentBlock, toPromptPart } from "../../provider/acp/projection/ContentMapping.ts"

/** The prompt of an editor as a thread takes it. The agent's session sends what the agent can't take as a link or text. */
export const promptOf = (
  blocks: ReadonlyArray<Acp.ContentBlock>
): Effect.Effect<Arr.NonEmptyReadonlyArray<PromptPart>, RpcError> => {
  const parts = blocks.flatMap((block) => toPromptPart(block) ?? linkTo(block))
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

/** A thread keeps texts. What is binary becomes a link to where the editor has it. */
const linkTo = (block: Acp.ContentBlock): ReadonlyArray<PromptPart> => {
  if (block.type !== "resource") return []
  const { uri } = block.resource
  return [{ type: "resource_link", uri, name: nameIn(uri) }]
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
  if (part.type === "unknown") return undefined
  if (part.type !== "resource") return toContentBlock(part)
  const { mimeType, text, uri } = part
  return text === undefined
    ? { type: "resource_link", uri, name: nameIn(uri), ...(mimeType !== undefined && { mimeType }) }
    : toContentBlock({ ...part, text })
}
