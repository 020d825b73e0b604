/** Signs in text that the parser took for plain. A shell may see more in them than the parser did. */
import type { SyntaxNode, Word } from "unbash"

/** Whether plain text holds the beginning of a substitution. */
export const holdsSubstitution = (node: SyntaxNode, isQuoted: boolean): boolean => {
  const isPlain =
    node.type === "Literal" || ((node.type === "Word" || node.type === "Glob") && node.parts === undefined)
  if (!isPlain) return false
  const text = withoutEscapes(node.text)
  return /`|\$[({[]/.test(text) || (!isQuoted && /[<>]\(/.test(text))
}

/** Whether a word of a command holds a sign, outside of quotes, that ends words. */
export const holdsSeparator = ({ parts, text }: Word): boolean =>
  parts === undefined
    ? isSeparated(text)
    : parts.some(
        (part) =>
          (part.type === "Literal" || (part.type === "Glob" && part.parts === undefined)) && isSeparated(part.text)
      )

const isSeparated = (text: string): boolean => /[<>()|&;\s]/.test(withoutEscapes(text))

const withoutEscapes = (text: string): string => text.replaceAll(/\\[^]/g, "")
