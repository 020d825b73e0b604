/** What the editor shows about a place, as one text. Pure. */
import type { Hover } from "@signalbox/lsp/features/Hover"
import { rangeOf, type Span } from "./Places.ts"

type Content = string | { readonly value: string } | { readonly language: string; readonly value: string }

/** What one extension says. */
export interface Said {
  readonly contents: ReadonlyArray<Content>
  readonly range?: Span | undefined
}

/** Most characters of a text. */
const longest = 64 * 1024

const textOf = (content: Content): string => {
  if (typeof content === "string") return content
  return "language" in content ? `\`\`\`${content.language}\n${content.value}\n\`\`\`` : content.value
}

/** Several extensions may have something to say. Undefined if none has. */
export const hoverOf = (hovers: ReadonlyArray<Said>): Hover | undefined => {
  const value = hovers
    .flatMap(({ contents }) => contents.map(textOf))
    .filter((text) => text.trim() !== "")
    .join("\n\n")
  if (value === "") return undefined
  const range = hovers.find((hover) => hover.range !== undefined)?.range
  return {
    contents: { kind: "markdown", value: value.length > longest ? `${value.slice(0, longest)}…` : value },
    ...(range !== undefined && { range: rangeOf(range) })
  }
}
