/** Calls of tools that do nothing but write the plan down or propose it: what they say stands in the plan. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"

const named = /^\{"_toolName":"(?:updateTodos|createPlan)"/
const titled = /^(?:Update TODOs|Create Plan)\b/

/** Whether a call is for nothing but that, however it ended. */
export const writesPlan = ({ content, diffs, kind, rawInput, subject, title }: ToolCall): boolean =>
  kind === "other" &&
  subject.type === "none" &&
  diffs.length === 0 &&
  content.length === 0 &&
  (rawInput === undefined ? titled.test(title) : named.test(rawInput))

/** Whether a call did nothing but that. One that went wrong tells more than the plan does. */
export const onlyPlans = (tool: ToolCall): boolean =>
  tool.status !== "failed" && tool.status !== "rejected" && tool.result?.error === undefined && writesPlan(tool)
