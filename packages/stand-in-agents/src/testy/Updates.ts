/** The scenarios that only send: updates of every kind, content of every kind, calls of tools. */
import type { SessionUpdate } from "@signalbox/acp/AcpSchema"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Sessions from "./Sessions.ts"
import { send, type Turn } from "./Turn.ts"

/** A picture of one pixel, and a sound of no length. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

const sendAll = (turn: Turn, updates: ReadonlyArray<SessionUpdate>): Effect.Effect<void> =>
  Effect.forEach(updates, (update) => send(turn, update), { discard: true })

export const sessionUpdates = Effect.fnUntraced(function* (turn: Turn) {
  const { nextId, session } = turn
  const text = (words: string) => ({
    content: { type: "text" as const, text: words },
    messageId: nextId("testy-message")
  })
  yield* sendAll(turn, [
    { sessionUpdate: "session_info_update", title: "Testy", updatedAt: "2026-01-01T00:00:00Z" },
    { sessionUpdate: "current_mode_update", currentModeId: session.mode },
    { sessionUpdate: "config_option_update", configOptions: Sessions.configOptionsOf(session) },
    {
      sessionUpdate: "available_commands_update",
      availableCommands: [{ name: "echo", description: "Says it again", input: { hint: "what to say" } }]
    },
    { sessionUpdate: "usage_update", used: 53, size: 200_000, cost: { amount: 0.25, currency: "EUR" } },
    { sessionUpdate: "user_message_chunk", ...text("words of the user") },
    { sessionUpdate: "agent_thought_chunk", ...text("a thought") },
    { sessionUpdate: "agent_message_chunk", ...text("words of the agent") }
  ])
  yield* toolCalls(turn)
  return ["session_updates: sent"]
})

export const content = Effect.fnUntraced(function* (turn: Turn) {
  const { cwd } = turn.session.setup
  const uri = `file://${join(cwd, "testy.txt")}`
  yield* sendAll(
    turn,
    [
      { type: "text" as const, text: "plain words" },
      { type: "image" as const, data: pixel, mimeType: "image/png" },
      { type: "audio" as const, data: silence, mimeType: "audio/wav" },
      { type: "resource_link" as const, name: "testy.txt", uri, mimeType: "text/plain" },
      { type: "resource" as const, resource: { uri, mimeType: "text/plain", text: "text of a resource" } }
    ].map((block) => ({ sessionUpdate: "agent_message_chunk", content: block }))
  )
  return [`content: the prompt held ${turn.prompt.map(({ type }) => type).join(", ")}`]
})

/** @param terminalId shown in a call of its own, if the client has made one */
export const toolCalls = Effect.fnUntraced(function* (turn: Turn, terminalId?: string) {
  const { cwd } = turn.session.setup
  const path = join(cwd, "testy.txt")
  const [read, edit, run] = [turn.nextId("testy-tool"), turn.nextId("testy-tool"), turn.nextId("testy-tool")]
  const text = (words: string) => ({ type: "content" as const, content: { type: "text" as const, text: words } })
  yield* sendAll(turn, [
    {
      sessionUpdate: "tool_call",
      toolCallId: read,
      title: "Read testy.txt",
      kind: "read",
      status: "pending",
      locations: [{ path, line: 1 }],
      rawInput: { path }
    },
    { sessionUpdate: "tool_call_update", toolCallId: read, status: "in_progress", content: [text("reading")] },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: read,
      status: "completed",
      content: [text("read")],
      rawOutput: { bytes: 12 }
    },
    {
      sessionUpdate: "tool_call",
      toolCallId: edit,
      title: "Edit testy.txt",
      kind: "edit",
      status: "pending",
      rawInput: { path }
    },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: edit,
      status: "completed",
      content: [{ type: "diff", path, oldText: "before\n", newText: "after\n" }]
    }
  ])
  if (terminalId !== undefined) {
    yield* sendAll(turn, [
      { sessionUpdate: "tool_call", toolCallId: run, title: "Run printf", kind: "execute", status: "pending" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: run,
        status: "completed",
        content: [{ type: "terminal", terminalId }]
      }
    ])
  }
  yield* send(turn, {
    sessionUpdate: "plan",
    entries: [
      { content: "Send updates", priority: "high", status: "completed" },
      { content: "Make requests", priority: "medium", status: "in_progress" },
      { content: "Sum up", priority: "low", status: "pending" }
    ]
  })
  return ["tool_calls: sent"]
})
