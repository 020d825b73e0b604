/**
 * Translates whole messages of version 2 into the chunks of version 1 (ACP v2, prompt lifecycle). A whole message may
 * begin a message, or replace a streamed one.
 */
import type * as V2 from "../generated/v2.ts"

export type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk"

export interface Chunk {
  readonly sessionUpdate: ChunkKind
  readonly messageId: string
  readonly content: V2.ContentBlock
}

export interface Messages {
  /** Adds a chunk. Returns the id to send it under, which changes after the message was replaced. */
  readonly chunk: (messageId: string, content: unknown) => string
  /**
   * The chunks to send so that the client has this message. Sent text can't be withdrawn, so a different text becomes a
   * new message.
   */
  readonly whole: (sessionUpdate: ChunkKind, messageId: string, content: ReadonlyArray<V2.ContentBlock>) => Array<Chunk>
  /** Forgets the messages when their turn has ended. */
  readonly clear: () => void
}

/** Most UTF-16 units that are kept to recognise a text. A longer text is recognised by its beginning and length. */
const keptLength = 64 * 1024

/** What the client received of a message. */
interface Told {
  id: string
  beginning: string
  length: number
  /** The number of pieces that are not text. */
  others: number
  revision: number
}

const textOf = (block: V2.ContentBlock): string | undefined =>
  block.type === "text" && typeof block["text"] === "string" ? block["text"] : undefined

export const make = (): Messages => {
  const messages = new Map<string, Told>()

  const get = (messageId: string): Told => {
    const known = messages.get(messageId)
    if (known !== undefined) return known
    const made = { id: messageId, beginning: "", length: 0, others: 0, revision: 1 }
    messages.set(messageId, made)
    return made
  }

  return {
    chunk: (messageId, content) => {
      const told = get(messageId)
      const text = typeof content === "object" && content !== null && "text" in content ? content.text : undefined
      if (typeof text !== "string") told.others += 1
      else {
        if (told.length < keptLength) told.beginning += text
        told.length += text.length
      }
      return told.id
    },
    whole: (sessionUpdate, messageId, content) => {
      const told = get(messageId)
      const text = content.map((block) => textOf(block) ?? "").join("")
      const others = content.filter((block) => textOf(block) === undefined)
      const goesOn = text.length >= told.length && text.startsWith(told.beginning) && others.length >= told.others
      if (!goesOn) {
        told.revision += 1
        told.id = `${messageId}:${told.revision}`
      }
      // A message that is sent for the first time keeps the order of its pieces.
      const fresh = !goesOn || (told.length === 0 && told.others === 0)
      const rest = text.slice(told.length)
      const blocks = fresh
        ? content
        : [...(rest === "" ? [] : [{ type: "text" as const, text: rest }]), ...others.slice(told.others)]
      told.beginning = text.slice(0, keptLength)
      told.length = text.length
      told.others = others.length
      return blocks.map((block) => ({ sessionUpdate, messageId: told.id, content: block }))
    },
    clear: () => messages.clear()
  }
}
