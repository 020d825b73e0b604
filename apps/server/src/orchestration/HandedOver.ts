/**
 * What was said in a thread, for an agent that has lost the session that knew it: a text that goes along with the next prompt, where people
 * choose that. Its name says how much it is.
 */
import { promptWords, type PromptPart } from "@signalbox/contracts/Content"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { size } from "../ByteWords.ts"

type TranscriptPart = Extract<PromptPart, { readonly type: "resource" }>

/** Characters of the whole text; what is older is left out. */
const longest = 60_000
/** Characters of one entry; the rest of it is left out. */
const longestEntry = 6000

const prefix = "attachment:transcript%20"

/** Undefined where nothing was said. */
export const transcriptOf = ({ earlier, items }: Pick<ThreadView, "earlier" | "items">): TranscriptPart | undefined => {
  const entries: Array<string> = []
  let length = 0
  let whole = earlier === undefined
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]
    const text = item === undefined ? undefined : entryOf(item)
    if (text === undefined) continue
    if (length + text.length > longest) {
      whole = false
      break
    }
    entries.push(text)
    length += text.length + 2
  }
  if (entries.length === 0) return undefined
  const much = whole ? "all of it" : "its latest part; what came before is left out"
  const about = `What was said in this conversation before, as the client has kept it: ${much}. The session that knew it is gone.`
  const text = [about, ...entries.toReversed()].join("\n\n")
  const name = `(${whole ? "whole" : "latest part"}, ${size(Buffer.byteLength(text))}).txt`
  return { type: "resource", uri: `${prefix}${encodeURIComponent(name)}`, mimeType: "text/plain", text }
}

/** How much goes along with a prompt, in the words of its name; undefined where nothing does. */
export const amountIn = (prompt: ReadonlyArray<PromptPart>): string | undefined => {
  const part = prompt.find((one) => one.type === "resource" && one.uri.startsWith(prefix))
  return part?.type === "resource" ? decodeURIComponent(part.uri.slice(prefix.length)).replace(/\.txt$/, "") : undefined
}

const entryOf = (item: ItemView): string | undefined => {
  if (item.type === "message") return entry("You", item.text)
  if (item.type === "tool") return entry("You used a tool", `${item.tool.title} (${item.tool.status})`)
  // Files that went along would be here twice.
  if (item.type === "prompt") return entry("Person", promptWords(item.prompt.filter(({ type }) => type !== "resource")))
  return undefined
}

const entry = (who: string, text: string): string | undefined => {
  const words = text.trim()
  if (words === "") return undefined
  const left = words.length - longestEntry
  return `${who}: ${left > 0 ? `${words.slice(0, longestEntry)} … (${left} more characters)` : words}`
}
