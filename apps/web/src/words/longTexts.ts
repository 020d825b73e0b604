/** Which texts of a tool call are only begun in it. So whatever is said of them is not said of the whole. Pure. */
import type { LongText, ToolCall } from "@signalbox/contracts/ToolCall"

/** The text of this name, if the call holds its beginning only. */
export const longPart = ({ long }: ToolCall, part: string): LongText | undefined =>
  long?.find((text) => text.part === part)

/** Whether a change of the call is here as beginnings only, which say nothing of what changed. */
export const hasLongDiffs = ({ long }: ToolCall): boolean => long?.some(({ part }) => part.startsWith("diff:")) ?? false
