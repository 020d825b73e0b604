/** Messages of the protocols in a few words of bounded length, without hidden characters. */
import * as Predicate from "effect/Predicate"
import { oneLine } from "../base/Plain.ts"

/** Characters of an agent's text that a line shows. */
const previewLength = 80

/** Foreign text of any length, as the beginning of one line. */
export const shown = (text: string, width: number): string => oneLine(text.slice(0, 4 * width), width)

/** A value as JSON text. Undefined if it is nested too deep for that. */
export const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const quoted = (text: string): string => `"${shown(text, previewLength)}"`

const textOf = (content: unknown): string | undefined =>
  Predicate.isObject(content) && typeof content["text"] === "string" ? content["text"] : undefined

/** A member of an object. Undefined if the value is none. */
export const memberOf = (value: unknown, name: string): unknown => (Predicate.isObject(value) ? value[name] : undefined)

/** What an update says, in a few words. */
const updateWords = (update: unknown): string => {
  const kind = memberOf(update, "sessionUpdate")
  const words = typeof kind === "string" ? shown(kind, 40).replaceAll("_", " ") : "an update"
  const text = textOf(memberOf(update, "content"))
  if (text !== undefined) return `${words} ${quoted(text)}`
  const title = memberOf(update, "title")
  const status = memberOf(update, "status")
  return [
    words,
    ...(typeof title === "string" ? [quoted(title)] : []),
    ...(typeof status === "string" ? [`(${shown(status, 20)})`] : [])
  ].join(" ")
}

const promptWords = (prompt: unknown): string => {
  if (!Array.isArray(prompt)) return ""
  const text = prompt.slice(0, 20).flatMap((block) => textOf(block)?.slice(0, 4 * previewLength) ?? [])
  return text.length === 0 ? "" : quoted(text.join(" "))
}

/** What a request or a notification says. Empty if its method says enough. */
export const paramsWords = ({ method, params }: { readonly method: string; readonly params: unknown }): string => {
  if (method === "session/update") return updateWords(memberOf(params, "update"))
  if (method === "session/prompt") return promptWords(memberOf(params, "prompt"))
  const name = memberOf(params, "name")
  return method === "tools/call" && typeof name === "string" ? quoted(name) : ""
}

/** What an error says. */
export const errorWords = (payload: unknown): string => {
  const code = memberOf(payload, "code")
  const message = memberOf(payload, "message")
  return [
    ...(typeof code === "number" ? [`error ${code}`] : ["an error"]),
    ...(typeof message === "string" ? [shown(message, 200)] : [])
  ].join(": ")
}
