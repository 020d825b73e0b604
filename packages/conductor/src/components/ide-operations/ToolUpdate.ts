/** An update of a tool call, as far as it says what the call edits (ACP, `tool_call` and `tool_call_update`). What can't be read is left out. */
import * as Predicate from "effect/Predicate"

export interface ToolUpdate {
  readonly toolCallId: string
  readonly status: string | undefined
  /** Whether the call is of the kind `edit`. Undefined if this update does not say its kind. */
  readonly isEdit: boolean | undefined
  /** Undefined if this update brings none. */
  readonly content: ReadonlyArray<unknown> | undefined
  /** The absolute paths of its `locations`. */
  readonly places: ReadonlyArray<string>
}

const textIn = (value: unknown, key: string): string | undefined => {
  const found: unknown = Predicate.isObject(value) ? Reflect.get(value, key) : undefined
  return typeof found === "string" ? found : undefined
}

const listIn = (value: object, key: string): ReadonlyArray<unknown> | undefined => {
  const found: unknown = Reflect.get(value, key)
  return Array.isArray(found) ? found : undefined
}

const pathsIn = (parts: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  parts.flatMap((part) => textIn(part, "path") ?? [])

/** Reads an update of a session. Undefined if it is about no tool call. */
export const read = (update: unknown): ToolUpdate | undefined => {
  if (!Predicate.isObject(update)) return undefined
  const about = textIn(update, "sessionUpdate")
  const toolCallId = textIn(update, "toolCallId")
  if ((about !== "tool_call" && about !== "tool_call_update") || toolCallId === undefined) return undefined
  const kind = textIn(update, "kind")
  return {
    toolCallId,
    status: textIn(update, "status"),
    isEdit: kind === undefined ? undefined : kind === "edit",
    content: listIn(update, "content"),
    places: pathsIn(listIn(update, "locations") ?? [])
  }
}

const diffsIn = (content: ReadonlyArray<unknown>) => content.filter((part) => textIn(part, "type") === "diff")

/** The files of diffs. */
export const drawnIn = (content: ReadonlyArray<unknown>): ReadonlyArray<string> => pathsIn(diffsIn(content))

/** Whether a file has what a diff of it says. The texts of a diff may be a part of the file. */
export const isWritten = (path: string, text: string, content: ReadonlyArray<unknown>): boolean =>
  diffsIn(content).some((diff) => {
    if (textIn(diff, "path") !== path) return false
    const [before = "", after] = [textIn(diff, "oldText"), textIn(diff, "newText")]
    if (after === undefined) return false
    return text === after || (before !== "" && after !== "" && text.includes(after) && !text.includes(before))
  })
