/** What has to be known of a message to send it the right way, and nothing more. */
import * as Predicate from "effect/Predicate"

/** `id` is JSON, as a key: the same id reads the same in a request and in its answer. */
export type Envelope =
  | { readonly _tag: "Request"; readonly id: string; readonly method: string; readonly sessionId: string | undefined }
  /** `childId` is the session of a sub-agent that is told of. */
  | {
      readonly _tag: "Notification"
      readonly method: string
      readonly sessionId: string | undefined
      readonly childId: string | undefined
    }
  /** `sessionId` is that of the result: a session that has just begun. */
  | { readonly _tag: "Response"; readonly id: string; readonly sessionId: string | undefined }

const sessionIdOf = (value: unknown): string | undefined =>
  Predicate.isObject(value) && typeof value["sessionId"] === "string" ? value["sessionId"] : undefined

/** Undefined for what is no message: the other end is to say what it thinks of it. */
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

/** A message on one line: a newline within a JSON text is white space between its tokens. */
export const flat = (text: string): string =>
  text.includes("\n") || text.includes("\r") ? text.replace(/[\r\n]+/g, " ") : text
