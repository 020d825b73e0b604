/** The parts of a message that decide how it is sent. */
import * as Predicate from "effect/Predicate"

/** `id` is JSON text, for use as a key: a request and its response have equal ids. */
export type Envelope =
  | { readonly _tag: "Request"; readonly id: string; readonly method: string; readonly sessionId: string | undefined }
  /** `childId`: the session of the sub-agent that the notification announces. */
  | {
      readonly _tag: "Notification"
      readonly method: string
      readonly sessionId: string | undefined
      readonly childId: string | undefined
    }
  /** `sessionId`: the session of the result, which has just begun. */
  | { readonly _tag: "Response"; readonly id: string; readonly sessionId: string | undefined }

const sessionIdOf = (value: unknown): string | undefined =>
  Predicate.isObject(value) && typeof value["sessionId"] === "string" ? value["sessionId"] : undefined

/** Reads a line. Undefined if it is no message: then the other side decides how to answer it. */
export const read = (line: string): Envelope | undefined => {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!Predicate.isObject(message)) return undefined
  const { id, method, params, result } = message
  if (typeof method !== "string") {
    return id === undefined ? undefined : { _tag: "Response", id: JSON.stringify(id), sessionId: sessionIdOf(result) }
  }
  const sessionId = sessionIdOf(params)
  return id === undefined
    ? { _tag: "Notification", method, sessionId, childId: childIdOf(params) }
    : { _tag: "Request", id: JSON.stringify(id), method, sessionId }
}

const childIdOf = (params: unknown): string | undefined => {
  const update = Predicate.isObject(params) ? params["update"] : undefined
  return Predicate.isObject(update) && update["sessionUpdate"] === "subagent_update" ? sessionIdOf(update) : undefined
}

/** The message on one line. A newline within a JSON text is white space between tokens. */
export const flat = (text: string): string =>
  text.includes("\n") || text.includes("\r") ? text.replace(/[\r\n]+/g, " ") : text
