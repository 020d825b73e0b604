/** Texts that the Language Server Protocol has in several shapes. */
import * as Predicate from "effect/Predicate"

/** The text of a hover: `MarkupContent`, `MarkedString` or a list of these. Empty if there is none. */
export const ofHover = (hover: unknown): string =>
  Predicate.isObject(hover) && "contents" in hover ? contentsOf(hover.contents) : ""

const contentsOf = (contents: unknown): string => {
  if (typeof contents === "string") return contents
  if (Array.isArray(contents))
    return contents
      .map(contentsOf)
      .filter((text) => text !== "")
      .join("\n\n")
  if (!Predicate.isObject(contents) || !("value" in contents) || typeof contents.value !== "string") return ""
  return "language" in contents && typeof contents.language === "string"
    ? `\`\`\`${contents.language}\n${contents.value}\n\`\`\``
    : contents.value
}
