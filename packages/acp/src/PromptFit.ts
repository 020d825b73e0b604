/** Fits a prompt to an agent: unsupported parts are replaced by the closest supported form (ACP v1, content). */
import type { AgentCapabilities, ContentBlock } from "./AcpSchema.ts"
import * as Capabilities from "./Capabilities.ts"

/** A block that was replaced or left out. */
export interface Change {
  /** The index in the given prompt. */
  readonly index: number
  readonly from: ContentBlock["type"]
  /** The type of the replacement. Undefined if the block was left out. */
  readonly to: "resource_link" | "text" | undefined
  /** The missing capability, e.g. `promptCapabilities.image`. */
  readonly needs: string
}

export interface Fitted {
  readonly prompt: ReadonlyArray<ContentBlock>
  readonly changes: ReadonlyArray<Change>
}

export const fit = (agent: AgentCapabilities, prompt: ReadonlyArray<ContentBlock>): Fitted => {
  const changes: Array<Change> = []
  const fitted = prompt.flatMap((block, index): ReadonlyArray<ContentBlock> => {
    const needs = Capabilities.missingForPrompt(agent, [block])
    if (needs === undefined) return [block]
    const standIn = standInFor(block)
    changes.push({ index, from: block.type, to: standIn?.type, needs })
    return standIn === undefined ? [] : [standIn]
  })
  return { prompt: fitted, changes }
}

type StandIn = Extract<ContentBlock, { readonly type: "resource_link" | "text" }>

/** A link if the agent can follow it, or else the text itself. */
const standInFor = (block: ContentBlock): StandIn | undefined => {
  switch (block.type) {
    case "image":
      return typeof block.uri === "string" ? linkTo(block.uri, block.mimeType) : undefined
    case "resource": {
      const { resource } = block
      const link = linkTo(resource.uri, resource.mimeType)
      if (link !== undefined || !("text" in resource)) return link
      return { type: "text", text: fileAsText(resource.uri, resource.text) }
    }
    case "audio":
    case "resource_link":
    case "text":
      return undefined
  }
}

const fileAsText = (uri: string, text: string): string => `${uri}:\n\n${text}`

/** A prompt's text before the first file that `fit` added as text. */
export const withoutFiles = (text: string): string => text.replace(/(?:^|\s)[a-z][\w+.-]*:\S*:\n\n[^]*$/i, "")

/** A name as people write it. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const linkTo = (uri: string, mimeType: string | null | undefined): StandIn | undefined => {
  if (!/^(?:file|https?):/i.test(uri)) return undefined
  const name =
    uri
      .split(/[?#]/)[0]
      ?.split("/")
      .findLast((part) => part !== "") ?? uri
  return { type: "resource_link", uri, name: decoded(name), ...(typeof mimeType === "string" && { mimeType }) }
}
