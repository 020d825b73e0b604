/**
 * The readable text of an agent's error. Many agents answer "Internal error" and put the reason in `data`. It may be a
 * text, a member such as `details`, an object within that, or JSON in a text.
 */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import { isRecord, parsedJson } from "@signalbox/contracts/Json"

/** Members that contain text, or an object with text. The most informative come first. */
const members = [
  "details",
  "detail",
  "message",
  "error",
  "reason",
  "cause",
  "error_description",
  "description",
  "errors"
]

/** Most levels that are searched, and most values in total. */
const maxLevels = 6
const maxLooks = 64
/** Longest text that is read as JSON. */
const maxJson = 64 * 1024
/** Most characters of the result. */
const maxWords = 2_000

/** Matches messages that say only that there was an error. */
const general =
  /^(?:(?:an? )?(?:internal|unknown|unexpected|unhandled|server|request|agent)(?: server)?(?: error| failed| failure)(?: occurred)?|error|failed|invalid params|invalid request|bad request)[.!:]?$/i

/** The text of an error: its message, and its reason if it has one. */
export const wordsOf = ({ data, message }: Pick<RpcError, "data" | "message">): string => {
  const said = bounded(message)
  const reason = reasonIn(data)
  if (reason === undefined || said.includes(reason)) return said
  return said === "" || general.test(said) || reason.includes(said) ? reason : `${said}: ${reason}`
}

/** The first text in the data of an error. Undefined if there is none. */
const reasonIn = (data: unknown): string | undefined => {
  let looks = 0
  const look = (value: unknown, level: number): string | undefined => {
    looks += 1
    if (looks > maxLooks || level > maxLevels) return undefined
    if (typeof value === "string") {
      const within = jsonIn(value)
      const words = within === undefined ? undefined : look(within, level + 1)
      return words ?? (bounded(value) || undefined)
    }
    if (Array.isArray(value)) return look(value[0], level + 1)
    if (!isRecord(value)) return undefined
    let second: string | undefined
    for (const member of members) {
      const words = Object.hasOwn(value, member) ? look(value[member], level + 1) : undefined
      if (words !== undefined && !general.test(words)) return words
      second ??= words
    }
    return second
  }
  return look(data, 0)
}

const jsonIn = (text: string): unknown => {
  const json = text.length > maxJson ? "" : text.trim()
  if (!json.startsWith("{") && !json.startsWith("[")) return undefined
  return parsedJson(json)?.value
}

/** Cuts a long text after a whole word, since half a secret is not recognised as one. */
const bounded = (text: string): string => {
  const words = text.slice(0, maxWords + 1).trim()
  if (text.length <= maxWords) return words
  const space = words.search(/\s\S*$/)
  return space === -1 ? "" : `${words.slice(0, space)} …`
}
