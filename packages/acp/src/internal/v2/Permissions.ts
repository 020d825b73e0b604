/**
 * Translates permission requests: version 2 has a title and a subject, version 1 a tool call (ACP v2, permission
 * requests).
 */
import * as Result from "effect/Result"
import * as Lenient from "../schema/Lenient.ts"
import * as V2 from "../generated/v2.ts"

const read = Lenient.reader(V2.RequestPermissionRequest)

/**
 * The request in version 1; an unreadable one stays unchanged. A subject that is no tool call, or is unknown, becomes a
 * call of its own: the title describes it.
 *
 * @param toolCall returns a call in the form of version 1
 * @param line the number of the request on the wire
 */
export const toV1 = (
  params: unknown,
  toolCall: (sessionId: string, patch: V2.ToolCallUpdate) => object,
  line: number
): unknown => {
  const reading = read(params)
  if (Result.isFailure(reading)) return params
  const { description, subject, title, ...rest } = reading.success.value
  const reason =
    typeof description === "string" && description !== ""
      ? [{ type: "content", content: { type: "text", text: description } }]
      : []
  const named = { toolCallId: `permission:${line}`, title, content: reason }
  if (isToolCall(subject)) {
    return { ...rest, toolCall: { title, ...toolCall(rest.sessionId, subject.toolCall) } }
  }
  if (isCommand(subject)) {
    const { command, cwd, toolCallId } = subject
    const id = toolCallId ?? named.toolCallId
    return { ...rest, toolCall: { ...named, toolCallId: id, kind: "execute", rawInput: { command, cwd } } }
  }
  return { ...rest, toolCall: { ...named, kind: "other", ...(subject && { rawInput: subject }) } }
}

type Subject = V2.RequestPermissionSubject | null | undefined

const isToolCall = (subject: Subject): subject is { readonly type: "tool_call" } & V2.ToolCallPermissionSubject =>
  subject?.type === "tool_call"

const isCommand = (subject: Subject): subject is { readonly type: "command" } & V2.CommandPermissionSubject =>
  subject?.type === "command"
