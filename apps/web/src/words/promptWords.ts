import type { PromptPart } from "@signalbox/contracts/Content"
import { count } from "./figures.ts"

/** A prompt in one text: its words, and how much goes along. */
export const promptWords = (prompt: ReadonlyArray<PromptPart>): string => {
  const words = prompt.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n")
  const attached = prompt.filter(({ type }) => type !== "text" && type !== "resource_link").length
  const mentioned = prompt.filter(({ type }) => type === "resource_link").length
  // Mentions stand in the words.
  const along = [
    ...(attached > 0 ? [`${count(attached, "file")} attached`] : []),
    ...(words === "" && mentioned > 0 ? [`${count(mentioned, "file")} mentioned`] : [])
  ].join(", ")
  return [words, along].filter((text) => text !== "").join(" · ")
}
