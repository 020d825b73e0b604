/**
 * Messages that version 2 may also send as a whole (ACP v2, prompt lifecycle). They may begin so, or take the place of what was streamed.
 * They become the chunks that version 1 knows.
 */
import type * as V2 from "../generated/v2.ts"

export type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk"

export interface Chunk {
  readonly sessionUpdate: ChunkKind
  readonly messageId: string
  readonly content: V2.ContentBlock
}

export interface Messages {
  /** Takes in a chunk. The id under which it is to be told, which is another one once the message was replaced. */
  readonly chunk: (messageId: string, content: unknown) => string
  /** What has to be told for the message to be this. What was told can't be taken back: another text is a message anew. */
  readonly whole: (sessionUpdate: ChunkKind, messageId: string, content: ReadonlyArray<V2.ContentBlock>) => Array<Chunk>
  /** Forgets the messages: their turn is over. */
  readonly clear: () => void
}

/** UTF-16 code units that are kept to know a text again. A longer text is known by its beginning and length. */
const keptLength = 64 * 1024

/** What was told of a message. */
interface Told {
  id: string
  beginning: string
  length: number
  /** How many pieces that are no text. */
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
      // What is told for the first time keeps the order of its pieces.
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
