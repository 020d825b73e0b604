/**
 * What was said in a thread, for an agent that has lost the session that knew it: a text that goes along with the next prompt, where people
 * choose that. Its name says how much it is.
 */
import { promptWords, type PromptPart } from "@signalbox/contracts/Content"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { size } from "../base/ByteWords.ts"

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
  for (const part of prompt.toReversed()) {
    const amount = part.type === "resource" ? namedAmount.exec(part.uri)?.[1] : undefined
    if (amount !== undefined) return decodeURIComponent(amount)
  }
  return undefined
}

/** Files that people attach may be called transcripts, too. */
const namedAmount = /^attachment:transcript%20(\((?:whole|latest%20part)%2C%20\d{1,4}%20KiB\))\.txt$/

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
  if (words.length <= longestEntry) return `${who}: ${words}`
  // Not between the two halves of a pair of surrogates: some agents refuse the whole prompt then.
  const kept = words.slice(0, longestEntry).replace(/[\ud800-\udbff]$/, "")
  return `${who}: ${kept} … (${words.length - kept.length} more characters)`
}
