/** Tool calls that only write or propose the plan: the plan shows their content. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"

const named = /^\{"_toolName":"(?:updateTodos|createPlan)"/
const titled = /^(?:Update TODOs|Create Plan)\b/

/** Whether a call's only purpose is the plan, whatever its end. */
export const writesPlan = ({ content, diffs, kind, rawInput, subject, title }: ToolCall): boolean =>
  kind === "other" &&
  subject.type === "none" &&
  diffs.length === 0 &&
  content.length === 0 &&
  (rawInput === undefined ? titled.test(title) : named.test(rawInput))

/** Whether a call only wrote the plan. A failed one has more to show than the plan. */
export const onlyPlans = (tool: ToolCall): boolean =>
  tool.status !== "failed" && tool.status !== "rejected" && tool.result?.error === undefined && writesPlan(tool)
