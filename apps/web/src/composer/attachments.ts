/** What goes along with a prompt besides its words: images, sound, text files. */
import { imageTypes, largestAttachment, type PromptPart } from "@signalbox/contracts/Content"
import { AttachmentId } from "@signalbox/contracts/Draft"
import type { PromptAbilities } from "@signalbox/contracts/Provider"
import { attachmentUri, nameIn } from "../transcript/attachedNames.ts"
import { base64Bytes, byteSize } from "../words/figures.ts"
import type { Attachment } from "./Draft.ts"

const readable: ReadonlySet<string> = new Set(imageTypes)

/** A file that is no attachment, and why. */
export class NotAttached extends Error {
  override readonly name = "NotAttached"
}

/** Rejects with `NotAttached`. */
export const attach = async (file: File): Promise<Attachment> => {
  const name = file.name || "pasted"
  if (file.size > largestAttachment)
    throw new NotAttached(
      `${name} has ${byteSize(file.size)}; up to ${byteSize(largestAttachment)} can go along with a prompt.`
    )
  const common = { id: newId(), name, bytes: file.size }
  for (const type of ["image", "audio"] as const)
    if (type === "image" ? readable.has(file.type) : file.type.startsWith("audio/"))
      return { ...common, type, part: { type, mimeType: file.type, data: await base64(file), name } }
  const text = await textOf(file)
  if (text === undefined) throw new NotAttached(`${name} is no image, no sound and no text that we can read.`)
  const mimeType = file.type === "" ? "text/plain" : file.type
  return { ...common, type: "resource", part: { type: "resource", uri: attachmentUri(name), text, mimeType } }
}

const newId = () => AttachmentId.make(crypto.randomUUID())

const base64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => {
      const url = typeof reader.result === "string" ? reader.result : ""
      resolve(url.slice(url.indexOf(",") + 1))
    })
    reader.addEventListener("error", () => reject(new NotAttached(`${file.name} could not be read.`)))
    reader.readAsDataURL(file)
  })

/** Undefined for what is not text, whatever it is called. */
const textOf = async (file: File): Promise<string | undefined> => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer())
    return text.includes("\0") ? undefined : text
  } catch {
    return undefined
  }
}

/** The attachment in a prompt that is taken back; undefined for parts that are words. */
export const attachmentOf = (part: PromptPart): Attachment | undefined => {
  const id = newId()
  switch (part.type) {
    case "image":
    case "audio":
      return { id, name: part.name ?? part.type, bytes: base64Bytes(part.data), type: part.type, part }
    case "resource":
      return { id, name: nameIn(part.uri), bytes: new Blob([part.text]).size, type: part.type, part }
    case "text":
    case "resource_link":
      return undefined
  }
}

export interface Fate {
  /** What the agent is sent instead, in words; undefined when it gets it as it is. */
  readonly remark: string | undefined
  /** Nothing can stand in its place. */
  readonly leftOut: boolean
}

/** What becomes of an attachment. Before an agent runs, nobody knows what it takes. */
export const fateOf = (
  { type }: Pick<Attachment, "type">,
  abilities: PromptAbilities | undefined,
  agent: string
): Fate => {
  if (abilities === undefined) return { remark: `${agent} says what it takes when it has started`, leftOut: false }
  switch (type) {
    case "image":
      return abilities.image
        ? { remark: undefined, leftOut: false }
        : { remark: `${agent} takes no images: this is left out`, leftOut: true }
    case "audio":
      return abilities.audio
        ? { remark: undefined, leftOut: false }
        : { remark: `${agent} takes no sound: this is left out`, leftOut: true }
    case "resource":
      return abilities.embeddedContext
        ? { remark: undefined, leftOut: false }
        : { remark: "sent as text", leftOut: false }
  }
}
