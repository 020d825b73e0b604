import type { JsonObject } from "../Json.ts"
import type { Step, TurnRecord } from "./Session.ts"

/** The updates that `session/load` sends before its result; nothing marks them as a replay but the tools' ids. */
export const replay = (turns: ReadonlyArray<TurnRecord>): ReadonlyArray<JsonObject> =>
  turns.flatMap((turn, turnIndex) => [
    { sessionUpdate: "user_message_chunk", content: { type: "text", text: turn.prompt } },
    ...turn.steps.flatMap((step, stepIndex) => replayStep(step, `replay-${turnIndex}-${stepIndex}`))
  ])

const replayStep = (step: Step, toolCallId: string): ReadonlyArray<JsonObject> => {
  if (step.type === "tool")
    return [
      { sessionUpdate: "tool_call", toolCallId, status: "pending", ...step.call },
      { sessionUpdate: "tool_call_update", toolCallId, status: "completed", ...step.outcome }
    ]
  const sessionUpdate = step.type === "thought" ? "agent_thought_chunk" : "agent_message_chunk"
  return [{ sessionUpdate, content: { type: "text", text: step.text } }]
}
